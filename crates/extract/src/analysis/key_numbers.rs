//! Hash tables for keys that are hashes already.
//!
//! A random secret per process is mixed in, so that a page cannot be crafted to make keys collide. Results
//! do not depend on the secret: only the equality of keys and the order of insertion matter.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::LazyLock;

use dehusk_html::narrow;

/// Numbers distinct keys from 0 in the order of their first occurrence. The secret affects slots, but not numbers.
#[derive(Debug)]
pub(crate) struct KeyNumbers {
    /// For each slot, the number of its key plus one; 0 if the slot is free.
    slots: Vec<u32>,
    keys: Vec<u64>,
    secret: u64,
}

/// Random secrets of this process.
static SECRETS: LazyLock<[u64; 2]> = LazyLock::new(|| [0_u64, 1].map(|i| RandomState::new().hash_one(i)));

impl KeyNumbers {
    /// Creates a table with room for `room` keys. It grows when more are inserted.
    pub(crate) fn new(room: usize) -> Self {
        KeyNumbers {
            slots: vec![0; (2 * room).next_power_of_two().max(8)],
            keys: Vec::with_capacity(room),
            secret: SECRETS[0],
        }
    }

    /// Number of a key; a new key gets the next number.
    #[inline]
    pub(crate) fn id(&mut self, key: u64) -> u32 {
        let mask = self.slots.len() - 1;
        let mut at = slot(self.secret, key, mask);
        while let Some(slot) = self.slots.get_mut(at) {
            // A free slot holds 0, which wraps to a number that no key has.
            let number = slot.wrapping_sub(1);
            match self.keys.get(number as usize) {
                Some(&known) if known == key => return number,
                Some(_) => at = (at + 1) & mask,
                None => {
                    *slot = narrow::to_u32(self.keys.len()) + 1;
                    break;
                }
            }
        }
        self.keys.push(key);
        // At most half of the slots are taken, so every search ends.
        if 2 * self.keys.len() > self.slots.len() {
            self.grow();
        }
        narrow::to_u32(self.keys.len()) - 1
    }

    /// Doubles the number of slots.
    #[cold]
    fn grow(&mut self) {
        let mask = 2 * self.slots.len() - 1;
        self.slots.clear();
        self.slots.resize(mask + 1, 0);
        for (&key, number) in self.keys.iter().zip(1..) {
            let mut at = slot(self.secret, key, mask);
            while self.slots[at] != 0 {
                at = (at + 1) & mask;
            }
            self.slots[at] = number;
        }
    }

    /// Removes all keys but keeps the memory.
    pub(crate) fn clear(&mut self) {
        // A page with many keys leaves a long table, which would be slow to clear and would not fit into the cache.
        let fitting = (4 * self.keys.len()).next_power_of_two();
        self.slots.truncate(fitting.max(8));
        self.slots.fill(0);
        self.keys.clear();
    }
}

/// The 128-bit product of two words, its halves combined by exclusive or.
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    low_half(product >> 64) ^ low_half(product)
}

/// Lower 64 bits.
#[inline]
#[expect(
    clippy::cast_possible_truncation,
    reason = "the upper half is dropped on purpose"
)]
fn low_half(both: u128) -> u64 {
    both as u64
}

/// Mixes a key into a hash.
fn spread(before: u64, key: u64) -> u64 {
    fold(before ^ key, 0xF39C_C060_5CED_C835)
}

/// Slot at which the search for a key begins.
#[inline]
#[expect(
    clippy::cast_possible_truncation,
    reason = "only the low bits of the hash choose a slot"
)]
fn slot(secret: u64, key: u64, mask: usize) -> usize {
    spread(secret, key) as usize & mask
}

/// Builds hashers for maps whose keys are hashes, or tuples of a hash and short numbers.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct KeyHash;

impl BuildHasher for KeyHash {
    type Hasher = KeyHasher;

    fn build_hasher(&self) -> KeyHasher {
        KeyHasher(SECRETS[0])
    }
}

/// Hasher of [`KeyHash`].
pub(crate) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    fn write_u32(&mut self, value: u32) {
        self.write_u64(value.into());
    }

    fn write_isize(&mut self, value: isize) {
        self.write_u64(value as u64);
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = spread(self.0, value);
    }
}

/// Extends the hash `before` by `bytes`, sixteen bytes per step, like wyhash (Wang Yi).
///
/// The result depends on the process's secrets, so collisions cannot be constructed.
pub(crate) fn key_of(bytes: &[u8], before: u64) -> u64 {
    /// The first constant of wyhash.
    const FACTOR: u64 = 0xA076_1D64_78BD_642F;
    let [secret, second] = *SECRETS;
    let mut key = before ^ secret;
    let last = if let Some(last) = bytes.last_chunk::<8>() {
        // The last word may overlap the words before it. The length is mixed in, so texts of different
        // lengths still get different keys.
        let (pairs, rest) = bytes[..bytes.len() - 1].as_chunks::<16>();
        for pair in pairs {
            let both = u128::from_le_bytes(*pair);
            key = fold(low_half(both) ^ second, low_half(both >> 64) ^ key);
        }
        if let Some(first) = rest.first_chunk::<8>() {
            key = fold(key ^ u64::from_le_bytes(*first), FACTOR);
        }
        u64::from_le_bytes(*last)
    } else {
        short_word(bytes)
    };
    fold(key ^ last, FACTOR ^ bytes.len() as u64)
}

/// Packs up to seven bytes into one word. Different texts of the same length give different words.
fn short_word(bytes: &[u8]) -> u64 {
    if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        return u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << 32;
    }
    let (first, middle, last) = (bytes.first(), bytes.get(bytes.len() / 2), bytes.last());
    [first, middle, last]
        .into_iter()
        .fold(0, |word, byte| word << 8 | u64::from(*byte.unwrap_or(&0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_in_order() {
        for room in [0, 10, 1000] {
            let mut ids = KeyNumbers::new(room);
            for round in 0..2 {
                for key in 0..1000_u32 {
                    assert_eq!(ids.id(u64::from(key) << 40), key, "round {round}");
                }
            }
            assert_eq!(ids.keys.len(), 1000);
        }
    }

    #[test]
    fn a_table_that_was_cleared_numbers_anew_and_becomes_as_long_as_it_needs_to_be() {
        let mut ids = KeyNumbers::new(0);
        for keys in [1000, 10, 3, 0, 0, 500] {
            for round in 0..2 {
                for key in 0..keys {
                    assert_eq!(ids.id(u64::from(key) << 40), key, "{keys} {round}");
                }
            }
            ids.clear();
            assert!(ids.slots.len() <= 8.max(8 * keys as usize), "{keys}");
        }
    }

    #[test]
    fn keys_tell_short_texts_apart() {
        // All texts of up to five of these bytes. Many of them differ only in length after packing.
        let mut all = vec![Vec::new()];
        let mut done = 0;
        while all[done].len() < 5 {
            for byte in [0, 1, b'2', b'3'] {
                let longer = [all[done].clone(), vec![byte]].concat();
                all.push(longer);
            }
            done += 1;
        }
        let mut ids = KeyNumbers::new(0);
        for (i, bytes) in all.iter().enumerate() {
            assert_eq!(ids.id(key_of(bytes, 0)), i as u32, "{bytes:?}");
        }
    }

    #[test]
    fn keys_tell_bytes_apart() {
        let all = [
            &b""[..],
            b"\0",
            b"abcdefgh",
            b"abcdefgh\0",
            b"abcdefghi",
            b"abcdefghj",
            b"12",
            b"123",
            b"1223",
            b"11111111",
            b"111111111",
        ];
        let mut ids = KeyNumbers::new(0);
        for (i, bytes) in all.into_iter().enumerate() {
            assert_eq!(ids.id(key_of(bytes, 0)), 2 * i as u32);
            assert_eq!(ids.id(key_of(bytes, 7)), 2 * i as u32 + 1);
        }
        assert_eq!(ids.id(key_of(b"abcdefgh", 0)), 4);
    }
}
