//! Groups of numbers: the result of clustering.

use rayon::prelude::*;

use crate::numeric::narrow;
use crate::numeric::radix::sort_by_upper_half;

/// Groups of documents or vertices. Members ascend. Groups are in lexicographic order of their members, so the group
/// with the smallest member comes first.
///
/// ```
/// use dehusk_dedup::Clusters;
///
/// let clusters = Clusters::from_labels(&[0, 1, 0, 3, 1, 0]);
/// assert_eq!(clusters.len(), 3); // one of them is document 3 alone
/// assert_eq!(clusters.group(0), [0, 2, 5]);
/// assert_eq!(clusters.position(1), Some(1));
/// ```
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clusters {
    members: Vec<u32>,
    ends: Vec<usize>,
}

impl Clusters {
    /// Collects groups, which may be in any order and overlap.
    #[must_use]
    pub fn from_groups(groups: Vec<Vec<u32>>) -> Self {
        let mut all = Groups::default();
        for group in groups {
            all.add(group);
        }
        all.into_clusters()
    }

    /// Groups the numbers `0..labels.len()` by their labels.
    #[must_use]
    pub fn from_labels(labels: &[u32]) -> Self {
        let numbered = (0_u64..).zip(labels);
        // The number is in the lower half, so a stable sort by label keeps the members of a group in
        // ascending order.
        let mut order: Vec<u64> = numbered
            .map(|(number, &label)| u64::from(label) << 32 | number)
            .collect();
        sort_by_upper_half(&mut order, &mut Vec::new());
        let mut groups = Groups::default();
        for group in order.chunk_by(|a, b| a >> 32 == b >> 32) {
            groups.add(group.iter().map(|&word| narrow::low_half(word)));
        }
        groups.into_clusters()
    }

    fn push(&mut self, group: &[u32]) {
        self.members.extend_from_slice(group);
        self.ends.push(self.members.len());
    }

    /// Number of groups.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True if there are no groups.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The members of group number `number`, ascending. Empty if there is no such group.
    #[must_use]
    pub fn group(&self, number: usize) -> &[u32] {
        let Some(&end) = self.ends.get(number) else {
            return &[];
        };
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.members[start..end]
    }

    /// The number of the first group whose smallest member is `member`, or `None`.
    #[must_use]
    pub fn position(&self, member: u32) -> Option<usize> {
        let (mut low, mut high) = (0, self.len());
        // Smallest members ascend, so binary search finds the first group whose smallest member is not
        // below `member`.
        while low < high {
            let middle = low.midpoint(high);
            if self.group(middle).first().is_some_and(|&first| first < member) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        (self.group(low).first() == Some(&member)).then_some(low)
    }

    /// All groups in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        (0..self.len()).map(|number| self.group(number))
    }
}

/// Groups under construction, in any order. `ends` holds the end of each group in `members`.
#[derive(Default)]
pub(crate) struct Groups {
    members: Vec<u32>,
    ends: Vec<usize>,
}

impl Groups {
    /// Adds a group. Members may be unsorted and repeated.
    pub(crate) fn add(&mut self, group: impl IntoIterator<Item = u32>) {
        let start = self.members.len();
        self.members.extend(group);
        let group = &mut self.members[start..];
        // Most groups come sorted. Others are sorted in place at the end of the list that all groups share.
        if !group.is_sorted_by(|a, b| a < b) {
            group.sort_unstable();
            // Repetitions are removed by hand, because `Vec::dedup` would also look at the groups before.
            let mut kept = 0;
            for number in 0..group.len() {
                if number == 0 || group[number] != group[kept - 1] {
                    group[kept] = group[number];
                    kept += 1;
                }
            }
            self.members.truncate(start + kept);
        }
        self.ends.push(self.members.len());
    }

    /// The groups in lexicographic order.
    pub(crate) fn into_clusters(self) -> Clusters {
        let Self { members, ends } = self;
        let group = |number: u32| {
            let number = number as usize;
            let start = number.checked_sub(1).map_or(0, |before| ends[before]);
            &members[start..ends[number]]
        };
        // Sorted by smallest members first, because these are rarely equal. An empty group precedes all others.
        let first = |number: u32| group(number).first().map_or(0, |first| u64::from(*first) + 1);
        let mut order: Vec<(u64, u32)> = (0..)
            .take(ends.len())
            .map(|number| (first(number), number))
            .collect();
        // Different smallest members in ascending order need no sort.
        if !order.is_sorted_by(|a, b| a.0 < b.0) {
            order.par_sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| group(a.1).cmp(group(b.1))));
        }
        let mut clusters = Clusters {
            members: Vec::with_capacity(members.len()),
            ends: Vec::with_capacity(ends.len()),
        };
        for (_, number) in order {
            clusters.push(group(number));
        }
        clusters
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_ordered_by_their_members_and_hold_each_once() {
        let groups = vec![vec![7, 3], vec![], vec![3, 7, 5, 3], vec![1, 1], vec![3, 7]];
        let clusters = Clusters::from_groups(groups);
        let found: Vec<&[u32]> = clusters.iter().collect();
        let expected: [&[u32]; 5] = [&[], &[1], &[3, 5, 7], &[3, 7], &[3, 7]];
        assert_eq!(found, expected);
    }
}
