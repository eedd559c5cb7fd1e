//! A budget for reading bytes again. After an error the next candidate may begin inside the failed one and
//! fail as well, so rereading must be bounded.

/// Number of bytes that may be read again per byte read the first time.
const SHARE: u64 = 16;

/// Budget for reading bytes again.
///
/// Total work is linear in the input length. The budget depends only on offsets, so results are independent
/// of how the bytes arrive.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Credit {
    /// Offset up to which bytes have been read.
    high: u64,
    left: u64,
}

impl Credit {
    pub(crate) fn new(at: u64) -> Self {
        Credit { high: at, left: 0 }
    }

    /// Returns the offset up to which bytes have been read.
    pub(crate) fn high(&self) -> u64 {
        self.high
    }

    /// Reads the bytes between two offsets. Returns `true` if the budget covers those that were already read.
    pub(crate) fn look(&mut self, from: u64, to: u64) -> bool {
        // Only bytes below `high` are read again; the rest is new.
        let again = to.min(self.high).saturating_sub(from);
        let new = to.saturating_sub(self.high.max(from));
        // Work that the budget does not cover is counted as well, so that a refused look is not free.
        let paid = again <= self.left;
        self.left = self
            .left
            .saturating_sub(again)
            .saturating_add(new.saturating_mul(SHARE));
        self.high = self.high.max(to);
        paid
    }

    /// Marks all bytes before an offset as done. If no byte beyond it was read, the budget starts again.
    pub(crate) fn settle(&mut self, at: u64) {
        if at >= self.high {
            *self = Credit::new(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_seen_again_sixteen_times() {
        let mut credit = Credit::new(5);
        assert!(credit.look(5, 105));
        assert!((0..16).all(|_| credit.look(5, 105)));
        assert!(!credit.look(5, 105));
        assert!(credit.look(101, 105 + 1) || credit.high() == 106);
        credit.settle(50);
        assert_eq!(credit.high(), 106);
        credit.settle(106);
        assert!(credit.look(106, 107));
    }
}
