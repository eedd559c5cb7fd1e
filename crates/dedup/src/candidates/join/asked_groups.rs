//! Groups of documents with an equal key by which only some of them ask.
//!
//! Documents that resemble each other share most keys by which they ask, so that their pairs would come once for each. Groups are
//! gathered, and the pairs of one document after the other given, each once.

use crate::candidates::input::JoinInput;
use crate::candidates::join::group::{GroupLimit, Keyed, MAX_PARTNERS, capped_pairs};
use crate::numeric::bit_set::BitSet;

/// Groups that are gathered until their pairs are given.
#[derive(Default)]
pub(crate) struct AskedGroups {
    /// The members of one group after the other, and where groups end.
    members: Vec<u32>,
    ends: Vec<usize>,
    /// Which member, in the upper half, asks in which group.
    asking: Vec<u64>,
    /// The members that the document whose pairs are given has met.
    seen: BitSet,
    met: Vec<u32>,
}

/// Bytes that a key takes while its group is gathered, about.
pub(crate) const GATHERED_BYTES: u64 = 16;

impl AskedGroups {
    /// Adds a group.
    pub(crate) fn add(&mut self, group: &[Keyed]) {
        if !group.iter().any(|word| word.asks) {
            return;
        }
        let number = self.ends.len() as u64; // fewer than documents have keys in a part, which are below 2^32
        for word in group {
            self.members.push(word.member);
            if word.asks {
                self.asking.push(u64::from(word.member) << 32 | number);
            }
        }
        self.ends.push(self.members.len());
    }

    /// Calls `visit` with the pairs of all groups, and forgets these: of each member that asks with all that have at least as many keys,
    /// since it asks by enough keys to meet those alone. `size` is the number of keys of a member.
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
        asking.sort_unstable();
        for groups in asking.chunk_by(|a, b| a >> 32 == b >> 32) {
            let asker = (groups[0] >> 32) as u32;
            seen.insert(asker);
            for group in groups.iter().map(|word| *word as u32 as usize) {
                let start = group.checked_sub(1).map_or(0, |before| ends[before]);
                for &member in &members[start..ends[group]] {
                    if !seen.contains(member) {
                        seen.insert(member);
                        met.push(member);
                    }
                }
            }
            seen.remove(asker);
            met.iter().for_each(|member| seen.remove(*member));
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

/// True if a group is too large to give all of its pairs. Of a group of any size in which few ask, all pairs are linear work.
pub(crate) fn is_capped(group: &[Keyed], limit: GroupLimit) -> bool {
    limit.caps(group.len()) && group.iter().filter(|word| word.asks).count() > MAX_PARTNERS
}

/// Calls `visit` with those [pairs of a capped group](capped_pairs) of which the document with fewer keys asks.
pub(crate) fn capped_asked_pairs<R: Ord, E>(
    group: &[Keyed],
    size: impl Fn(u32) -> u32,
    input: &JoinInput<'_>,
    row: impl Fn(u32) -> R,
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
    capped_pairs(group, input, row, document, |a, b| {
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

    /// Each pair comes once for each of its documents that asks, however many groups it is in.
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
