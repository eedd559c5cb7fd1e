//! Sets of small numbers.

/// A set of numbers, as one bit per number up to the largest member.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BitSet(Vec<u64>);

impl BitSet {
    pub(crate) fn insert(&mut self, number: u32) {
        let word = number as usize / 64;
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (number % 64);
    }

    pub(crate) fn remove(&mut self, number: u32) {
        // A number past the last word is not a member, so there is nothing to remove.
        if let Some(word) = self.0.get_mut(number as usize / 64) {
            *word &= !(1 << (number % 64));
        }
    }

    #[inline]
    pub(crate) fn contains(&self, number: u32) -> bool {
        // Words past the end count as empty: the set stores no word beyond its largest member.
        let word = self.0.get(number as usize / 64).copied().unwrap_or(0);
        word >> (number % 64) & 1 == 1
    }

    /// Inserts all numbers of another set.
    pub(crate) fn union(&mut self, other: &Self) {
        // Members beyond the other set's last word stay as they are.
        if other.0.len() > self.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word |= other;
        }
    }

    /// Number of members.
    pub(crate) fn len(&self) -> u64 {
        self.0.iter().map(|word| u64::from(word.count_ones())).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_there_once_they_are_inserted() {
        let mut set = BitSet::default();
        assert!(!set.contains(0));
        for number in [200, 0, 63, 64, 200] {
            set.insert(number);
        }
        let there: Vec<u32> = (0..1000).filter(|&number| set.contains(number)).collect();
        assert_eq!(there, [0, 63, 64, 200]);
        let mut other = BitSet::default();
        other.insert(7);
        other.union(&set);
        assert_eq!(other.len(), 5);
        assert!(other.contains(7) && other.contains(200));
    }
}
