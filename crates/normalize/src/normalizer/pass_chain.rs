//! The plain chain: runs one pass after another over the whole text.

use crate::passes::pass::{Options, Pass};
use crate::text::alignment::Alignment;
use crate::text::rewrite::Rewrite;

/// Two buffers that the passes write alternately.
#[derive(Clone, Debug, Default)]
pub(crate) struct PassChain {
    front: Rewrite,
    back: Rewrite,
    composed: Alignment,
}

impl PassChain {
    /// Runs all passes. The result is in [`text`](Self::text) and, if `tracked`, in [`alignment`](Self::alignment).
    pub(crate) fn run(
        &mut self,
        passes: &[&'static dyn Pass],
        options: &Options,
        input: &str,
        tracked: bool,
    ) {
        self.front.track(tracked);
        self.back.track(tracked);
        let mut rewritten = false;
        for pass in passes {
            // Until a pass changes something, the input itself is the text, and nothing is copied.
            let text = if rewritten { self.front.text() } else { input };
            if !pass.touches(text, options) {
                continue;
            }
            self.back.clear();
            pass.apply(text, options, &mut self.back);
            if tracked && rewritten {
                // `back` maps to the text of `front`, and `front` to `input`.
                self.composed
                    .compose(self.back.alignment_mut(), self.front.alignment_mut());
                std::mem::swap(self.back.alignment_mut(), &mut self.composed);
            }
            // `front` always holds the latest text.
            std::mem::swap(&mut self.front, &mut self.back);
            rewritten = true;
        }
        if !rewritten {
            self.front.clear();
            self.front.keep(input, 0..input.len());
        }
    }

    pub(crate) fn text(&self) -> &str {
        self.front.text()
    }

    pub(crate) fn alignment(&self) -> Option<&Alignment> {
        self.front.alignment()
    }
}
