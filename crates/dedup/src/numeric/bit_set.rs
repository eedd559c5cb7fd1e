//! Sets of small numbers.

/// A set of numbers, one bit each up to the largest of them.
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

    #[inline]
    pub(crate) fn contains(&self, number: u32) -> bool {
        let word = self.0.get(number as usize / 64).copied().unwrap_or(0);
        word >> (number % 64) & 1 == 1
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_there_once_they_are_inserted() {
        let mut set = BitSet::default();
        assert!(set.is_empty() && !set.contains(0));
        for number in [200, 0, 63, 64, 200] {
            set.insert(number);
        }
        let there: Vec<u32> = (0..1000).filter(|&number| set.contains(number)).collect();
        assert_eq!(there, [0, 63, 64, 200]);
    }
}
