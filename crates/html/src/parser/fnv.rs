//! A hash of short byte strings.

/// FNV-1a of 64 bits (Fowler, Noll and Vo): fast for a few bytes, but not collision-resistant, so users compare the bytes when hashes are
/// equal, or tolerate collisions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fnv(u64);

impl Fnv {
    /// The hash of no bytes.
    pub(super) fn new() -> Self {
        Fnv(0xCBF2_9CE4_8422_2325)
    }

    /// Extends the hash by one byte.
    pub(super) fn add(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
    }

    /// The hash of the bytes so far.
    pub(super) fn value(self) -> u64 {
        self.0
    }
}
