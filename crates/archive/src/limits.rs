//! Bounds on what an archive may cost.

/// Bounds of a reader. None makes an archive fail: what goes beyond is dropped, and told as a [`Damage`](crate::Damage). Changed with the
/// consuming `with_*` methods.
///
/// Three bounds are fixed: a compressed member may be 1,000 times larger when inflated, after its first MiB; a line of a head may have
/// 64 KiB; of a member that turns out to be damaged, the last 8 MiB of compressed bytes are searched for other members.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Limits {
    pub(crate) block: usize,
    pub(crate) head: usize,
    pub(crate) window_log: u32,
    pub(crate) all_digests: bool,
}

/// Plain bytes that any member may have, however few compressed bytes it has.
const FREE_PLAIN: u64 = 1 << 20;

/// Plain bytes for each compressed one.
const RATIO: u64 = 1000;

/// Bytes of a line of a head.
pub(crate) const LINE: usize = 64 << 10;

/// Compressed bytes of a damaged member that are searched for members that begin inside.
pub(crate) const RETAINED: u64 = 8 << 20;

/// Whether so many plain bytes are more than compressed ones may give.
pub(crate) fn is_bomb(compressed: u64, plain: u64) -> bool {
    plain > FREE_PLAIN && plain > compressed.saturating_mul(RATIO)
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            block: 64 << 20,
            head: 1 << 20,
            window_log: 27,
            all_digests: true,
        }
    }
}

impl Limits {
    /// Bytes kept of the block of a record, and of a decoded body; default 64 MiB. The rest is counted and dropped.
    pub fn block(&self) -> usize {
        self.block
    }

    /// Bytes of the head of a record, or of an HTTP message; default 1 MiB. A longer head is skipped.
    pub fn head(&self) -> usize {
        self.head
    }

    /// Binary logarithm of the window of a zstd frame; default 27, which is 128 MiB; from 10 to 27.
    pub fn window_log(&self) -> u32 {
        self.window_log
    }

    /// Whether the digests of all records are computed, also where the checksum of the member says that its bytes are right; default
    /// `true`. Without, only those of other records are.
    pub fn all_digests(&self) -> bool {
        self.all_digests
    }

    /// Sets [`Limits::block`].
    pub fn with_block(self, block: usize) -> Self {
        Limits { block, ..self }
    }

    /// Sets [`Limits::head`]; at least 1 KiB.
    pub fn with_head(self, head: usize) -> Self {
        Limits {
            head: head.max(1 << 10),
            ..self
        }
    }

    /// Sets [`Limits::window_log`]; from 10 to 27.
    pub fn with_window_log(self, window_log: u32) -> Self {
        Limits {
            window_log: window_log.clamp(10, 27),
            ..self
        }
    }

    /// Sets [`Limits::all_digests`].
    pub fn with_all_digests(self, all_digests: bool) -> Self {
        Limits { all_digests, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_mebibyte_is_free_of_the_ratio() {
        assert!(!is_bomb(1, 1 << 20));
        assert!(is_bomb(1, (1 << 20) + 1));
        assert!(!is_bomb(2000, 2_000_000));
        assert!(is_bomb(2000, 2_000_001));
    }
}
