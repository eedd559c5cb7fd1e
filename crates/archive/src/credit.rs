//! Bounds on looking at bytes again: where one thing is wrong, the next may begin inside, and be wrong as well.

/// Bytes that may be looked at again for each byte that is seen the first time.
const SHARE: u64 = 16;

/// What may still be looked at again. Offsets only rise, so that all work is linear in their last one; and what is left depends on them
/// alone, so that the way in which bytes arrive does not show.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Credit {
    /// Up to where bytes have been seen.
    high: u64,
    left: u64,
}

impl Credit {
    pub(crate) fn new(at: u64) -> Self {
        Credit { high: at, left: 0 }
    }

    /// Up to where bytes have been seen.
    pub(crate) fn high(&self) -> u64 {
        self.high
    }

    /// Looks at the bytes between two offsets; whether those of them that have been seen are paid for.
    pub(crate) fn look(&mut self, from: u64, to: u64) -> bool {
        let again = to.min(self.high).saturating_sub(from);
        let new = to.saturating_sub(self.high.max(from));
        let paid = again <= self.left;
        self.left = self
            .left
            .saturating_sub(again)
            .saturating_add(new.saturating_mul(SHARE));
        self.high = self.high.max(to);
        paid
    }

    /// All bytes before an offset are done. Behind those that have been seen, all is as at the beginning.
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
