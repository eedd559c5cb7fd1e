//! Groups of numbers: the result of clustering.

/// Groups of documents or vertices. Members ascend; groups are ordered by their members, so by the smallest one first.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clusters {
    members: Vec<u32>,
    ends: Vec<usize>,
}

impl Clusters {
    /// Collects groups in any order, which may overlap.
    #[must_use]
    pub fn from_groups(mut groups: Vec<Vec<u32>>) -> Self {
        for group in &mut groups {
            group.sort_unstable();
            group.dedup();
        }
        groups.sort_unstable();
        let mut clusters = Self::default();
        for group in &groups {
            clusters.push(group);
        }
        clusters
    }

    /// Groups the numbers `0..labels.len()` by their label.
    #[must_use]
    pub fn from_labels(labels: &[u32]) -> Self {
        let mut order: Vec<u32> = (0..).take(labels.len()).collect();
        order.sort_by_key(|&number| labels[number as usize]);
        let mut groups: Vec<&[u32]> = order
            .chunk_by(|&a, &b| labels[a as usize] == labels[b as usize])
            .collect();
        groups.sort_unstable_by_key(|group| group[0]);
        let mut clusters = Self::default();
        for group in groups {
            clusters.push(group);
        }
        clusters
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

    /// True if there is no group.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The members of a group, ascending; empty where there is no such group.
    #[must_use]
    pub fn group(&self, number: usize) -> &[u32] {
        let Some(&end) = self.ends.get(number) else {
            return &[];
        };
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.members[start..end]
    }

    /// The number of the first group whose smallest member is `member`.
    #[must_use]
    pub fn position(&self, member: u32) -> Option<usize> {
        let (mut low, mut high) = (0, self.len());
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
