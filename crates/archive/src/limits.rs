//! Limits on the memory and time that an archive may cost.

/// Limits of a reader. Input beyond a limit is dropped and reported as a [`Damage`](crate::Damage); reading
/// continues. Limits are changed with the consuming `with_*` methods.
///
/// Three limits are fixed. A compressed member may inflate to 1,000 times its size, or to 1 MiB if that is
/// more; in a stream without records, the members may exceed this by 1 GiB in total. A header line may have
/// 64 KiB. In a damaged member, the last 8 MiB of compressed bytes are searched for other members.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Limits {
    pub(crate) block: usize,
    pub(crate) head: usize,
    pub(crate) window_log: u32,
    pub(crate) all_digests: bool,
}

/// Plain bytes that every member may have, however few compressed bytes it has.
const FREE_PLAIN: u64 = 1 << 20;

/// Maximum number of plain bytes per compressed byte.
const RATIO: u64 = 1000;

/// Maximum number of bytes of a header line.
pub(crate) const LINE: usize = 64 << 10;

/// Number of compressed bytes of a damaged member that are searched for other members.
pub(crate) const RETAINED: u64 = 8 << 20;

/// Returns `true` if `plain` bytes are more than `compressed` bytes may inflate to.
pub(crate) fn is_bomb(compressed: u64, plain: u64) -> bool {
    Allowance::NONE.is_exceeded(compressed, plain)
}

/// Total number of plain bytes by which the members of a file may exceed what each of them may inflate to.
///
/// An archive compressed as one stream holds many entries, and a long run of zeros in one entry would end
/// the stream for all others. Skipped bytes are read once and not kept, so they take time but no memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance(u64);

impl Allowance {
    pub(crate) const NONE: Allowance = Allowance(0);
    /// 1 GiB, for streams that are read once.
    pub(crate) const STREAM: Allowance = Allowance(1 << 30);

    /// Returns `true` if `plain` bytes are more than a member of `compressed` bytes so far may have.
    pub(crate) fn is_exceeded(self, compressed: u64, plain: u64) -> bool {
        // `plain - min(plain, free)` is the part beyond the free bytes.
        plain - plain.min(Allowance::free(compressed)) > self.0
    }

    /// Subtracts what a member used.
    pub(crate) fn spend(&mut self, compressed: u64, plain: u64) {
        self.0 = self
            .0
            .saturating_sub(plain.saturating_sub(Allowance::free(compressed)));
    }

    fn free(compressed: u64) -> u64 {
        compressed.saturating_mul(RATIO).max(FREE_PLAIN)
    }
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
    /// Returns the bytes kept of a block or decoded body; default 64 MiB. The rest is counted and dropped.
    pub fn block(&self) -> usize {
        self.block
    }

    /// Returns the most bytes of a record header or HTTP header; default 1 MiB. A record with a longer
    /// header is skipped.
    pub fn head(&self) -> usize {
        self.head
    }

    /// Returns the binary logarithm of the largest window of a zstd frame, from 10 to 27; default 27, which is 128 MiB.
    pub fn window_log(&self) -> u32 {
        self.window_log
    }

    /// Returns `true` if the digests of all records are computed, which is the default. With `false`,
    /// records confirmed by a member checksum are exempt.
    pub fn all_digests(&self) -> bool {
        self.all_digests
    }

    /// Sets [`Limits::block`].
    pub fn with_block(self, block: usize) -> Self {
        Limits { block, ..self }
    }

    /// Sets [`Limits::head`], in bytes. Values below 1 KiB are raised to it.
    pub fn with_head(self, head: usize) -> Self {
        Limits {
            head: head.max(1 << 10),
            ..self
        }
    }

    /// Sets [`Limits::window_log`], clamped to 10 to 27.
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

    #[test]
    fn an_allowance_is_spent_once() {
        let mut allowance = Allowance(100);
        assert!(!allowance.is_exceeded(2000, 2_000_100) && allowance.is_exceeded(2000, 2_000_101));
        allowance.spend(2000, 2_000_060);
        assert!(!allowance.is_exceeded(2000, 2_000_040) && allowance.is_exceeded(2000, 2_000_041));
        allowance.spend(1, 5);
        assert!(!allowance.is_exceeded(2000, 2_000_040));
    }
}
