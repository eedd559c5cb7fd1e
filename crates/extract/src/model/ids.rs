//! Numbers for keys, in the order in which they first come.

use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

/// A table from keys, which are hashes already, to numbers from 0. It is sized once: no more than that many keys may come.
///
/// Places depend on a secret of the process, so that no page can make its keys collide; numbers do not.
#[derive(Debug)]
pub(crate) struct Ids {
    /// Number of the key in each place, plus one.
    slots: Vec<u32>,
    keys: Vec<u64>,
}

static SECRET: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(0_u64));

impl Ids {
    /// A table for at most `most` keys.
    pub(crate) fn new(most: usize) -> Self {
        Ids {
            slots: vec![0; (2 * most).next_power_of_two().max(8)],
            keys: Vec::with_capacity(most),
        }
    }

    /// The number of a key.
    pub(crate) fn id(&mut self, key: u64) -> u32 {
        let mask = self.slots.len() - 1;
        let product = u128::from(key ^ *SECRET) * 0xF39C_C060_5CED_C835;
        let mut at = (product >> 64) as usize ^ product as usize;
        loop {
            at &= mask;
            match self.slots[at] {
                0 => break,
                taken if self.keys[taken as usize - 1] == key => return taken - 1,
                _ => at += 1,
            }
        }
        self.keys.push(key);
        self.slots[at] = self.keys.len() as u32;
        self.keys.len() as u32 - 1
    }

    /// How many keys came.
    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    /// The key with this number.
    pub(super) fn key(&self, id: u32) -> u64 {
        self.keys[id as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_in_order() {
        let mut ids = Ids::new(1000);
        for round in 0..2 {
            for key in 0..1000_u32 {
                assert_eq!(ids.id(u64::from(key) << 40), key, "round {round}");
            }
        }
        assert_eq!((ids.len(), ids.key(7)), (1000, 7 << 40));
    }
}
