//! Groups of documents with an equal key by which only some of them ask.
//!
//! Similar documents share most keys by which they ask, so their pair occurs in many groups. Groups are therefore
//! collected first. Then the distinct pairs of one document after another are emitted.

use crate::candidates::input::JoinInput;
use crate::candidates::join::group::{GroupLimit, Keyed, MAX_PARTNERS, Share, capped_pairs};
use crate::numeric::bit_set::BitSet;
use crate::numeric::narrow;

/// Groups that are collected until their pairs are emitted.
#[derive(Default)]
pub(crate) struct AskedGroups {
    /// The members of all groups, one group after another. `ends` holds the end of each group.
    members: Vec<u32>,
    ends: Vec<usize>,
    /// One word per asking member and group: the member in the upper half, the group's number in the lower.
    asking: Vec<u64>,
    /// The members met so far by the document whose pairs are being emitted. Empty between documents.
    seen: BitSet,
    met: Vec<u32>,
}

/// Approximate number of bytes that a key takes while its group is collected.
pub(crate) const GATHERED_BYTES: u64 = 16;

impl AskedGroups {
    /// Adds a group. A group in which no member asks is skipped.
    pub(crate) fn add(&mut self, group: &[Keyed]) {
        if !group.iter().any(|word| word.asks) {
            return;
        }
        let number = self.ends.len() as u64; // below 2^32: a part has fewer keys
        for word in group {
            self.members.push(word.member);
            if word.asks {
                self.asking.push(u64::from(word.member) << 32 | number);
            }
        }
        self.ends.push(self.members.len());
    }

    /// Calls `visit` with the pairs of all groups, then removes the groups. Each asking member is paired
    /// with the members that do not have fewer keys than itself, because it asks by enough keys only for
    /// these. `size` returns the number of keys of a member.
    pub(crate) fn give<E>(
        &mut self,
        size: impl Fn(u32) -> u32,
        mut visit: impl FnMut(u32, u32) -> Result<(), E>,
    ) -> Result<(), E> {
        let Self {
            members,
            ends,
            asking,
            seen,
            met,
        } = self;
        // Sorted words bring the groups of an asking member together, in ascending order of members.
        asking.sort_unstable();
        for groups in asking.chunk_by(|a, b| a >> 32 == b >> 32) {
            let asker = (groups[0] >> 32) as u32;
            // The asking member is marked as seen, so that it is not paired with itself.
            seen.insert(asker);
            for group in groups.iter().map(|word| narrow::low_half(*word) as usize) {
                let start = group.checked_sub(1).map_or(0, |before| ends[before]);
                // A member of several of the groups is met once.
                for &member in &members[start..ends[group]] {
                    if !seen.contains(member) {
                        seen.insert(member);
                        met.push(member);
                    }
                }
            }
            seen.remove(asker);
            // Clears the marks, so that `seen` is empty for the next member. Only the marks that were set
            // are cleared, because the set may be large.
            met.iter().for_each(|member| seen.remove(*member));
            // The larger document asks by too few keys to be sure of finding the smaller. If sizes are
            // equal, both documents ask, and the pair may be visited twice.
            let own = size(asker);
            for member in met.drain(..).filter(|member| own <= size(*member)) {
                visit(asker, member)?;
            }
        }
        members.clear();
        ends.clear();
        asking.clear();
        Ok(())
    }
}

/// True if a group is too large for emitting all its pairs. If at most [`MAX_PARTNERS`] members ask, the number of
/// pairs is linear in the group's size, so such a group is never capped.
pub(crate) fn is_capped(group: &[Keyed], limit: GroupLimit) -> bool {
    limit.caps(group.len()) && group.iter().filter(|word| word.asks).count() > MAX_PARTNERS
}

/// Calls `visit` with those [pairs of a capped group](capped_pairs) in which the document with fewer keys asks.
pub(crate) fn capped_asked_pairs<E>(
    group: &[Keyed],
    size: impl Fn(u32) -> u32,
    input: &JoinInput<'_>,
    kin: impl Fn(u32) -> u64,
    document: impl Fn(u32) -> u32,
    mut visit: impl FnMut(u32, u32) -> Result<(), E>,
) -> Result<(), E> {
    let mut asking: Vec<u32> = group
        .iter()
        .filter(|word| word.asks)
        .map(|word| word.member)
        .collect();
    asking.sort_unstable();
    let asks = |member: u32| asking.binary_search(&member).is_ok();
    capped_pairs(group, input, Share::OF_ASKED, kin, document, |a, b| {
        let (own, other) = (size(a), size(b));
        if own <= other && asks(a) || other <= own && asks(b) {
            visit(a, b)
        } else {
            Ok(())
        }
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::convert::Infallible;

    use super::*;
    use crate::numeric::random::SplitMix64;

    /// Each pair is visited once for each of its documents that asks, no matter how many groups it is in.
    #[test]
    fn pairs_are_those_of_the_definition() {
        let mut random = SplitMix64::new(3);
        let mut gathered = AskedGroups::default();
        let size = |member: u32| member % 5;
        for round in 0..3 {
            let (mut expected, mut groups) = (BTreeSet::new(), 0);
            for key in 0..40 {
                let members: BTreeSet<u32> = (0..random.number() % 9)
                    .map(|_| (random.number() % 30) as u32)
                    .collect();
                let group: Vec<Keyed> = members
                    .into_iter()
                    .map(|member| Keyed {
                        key,
                        member,
                        asks: random.number().is_multiple_of(3),
                    })
                    .collect();
                for asker in group.iter().filter(|word| word.asks) {
                    let others = group.iter().filter(|word| word.member != asker.member);
                    let larger = others.filter(|word| size(asker.member) <= size(word.member));
                    expected.extend(larger.map(|word| (asker.member, word.member)));
                }
                groups += usize::from(!group.is_empty());
                gathered.add(&group);
            }
            let mut found = Vec::new();
            let Ok(()) = gathered.give::<Infallible>(size, |a, b| {
                found.push((a, b));
                Ok(())
            });
            found.sort_unstable();
            assert!(groups > 20 && expected.len() > 50, "round {round}");
            assert_eq!(found, expected.into_iter().collect::<Vec<_>>(), "round {round}");
        }
    }
}
