//! Compatibility composition.

use unicode_normalization::char::{canonical_combining_class, decompose_compatible};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

use super::pass::{Options, Pass};
use crate::text::chars::extends;
use crate::text::rewrite::Rewrite;

/// Unicode normalization form NFKC (UAX #15): ligatures, full-width forms, superscripts, the no-break space and `…` get
/// one form each. Combining marks stay, because й and ё need theirs.
pub(super) struct Nfkc;

/// Certainly unchanged by NFKC, whatever stands around it, unless a character that extends follows.
fn is_stable(c: char) -> bool {
    c < '\u{A0}'
        || is_nfkc_quick(std::iter::once(c)) == IsNormalized::Yes && canonical_combining_class(c) == 0
}

/// Nothing before `c`, which is not stable, can join it or be reordered with it when it is decomposed.
fn begins_cluster(c: char) -> bool {
    let mut first = None;
    decompose_compatible(c, |part| {
        first.get_or_insert(part);
    });
    first.is_none_or(|part| !extends(part))
}

impl Pass for Nfkc {
    fn name(&self) -> &'static str {
        "nfkc"
    }

    fn summary(&self) -> &'static str {
        "NFKC: one form for ligatures, full-width and composed characters, no-break spaces"
    }

    fn touches(&self, text: &str, _: &Options) -> bool {
        !text.is_ascii() && !text.chars().all(is_stable)
    }

    fn apply(&self, text: &str, _: &Options, out: &mut Rewrite) {
        // Text is cut into clusters that normalize independently of each other; those that change are replaced whole.
        let mut kept = 0;
        let mut start = 0;
        let mut stable = true;
        let mut flush = |start: usize, end: usize| {
            let cluster = &text[start..end];
            let (base, marks) = cluster.split_at(cluster.chars().next().map_or(0, char::len_utf8));
            if marks.is_empty() && is_nfkc_quick(base.chars()) == IsNormalized::No {
                out.keep(text, kept..start);
                out.replace(start..end, base.nfkc());
                kept = end;
                return;
            }
            // Marks that only follow their letter, without composing, keep places of their own.
            let apart = !marks.is_empty() && cluster.nfkc().eq(base.nfkc().chain(marks.nfkc()));
            let pieces = if apart { [base, marks] } else { [cluster, ""] };
            let mut at = start;
            for piece in pieces {
                if !piece.nfkc().eq(piece.chars()) {
                    out.keep(text, kept..at);
                    out.replace(at..at + piece.len(), piece.nfkc());
                    kept = at + piece.len();
                }
                at += piece.len();
            }
        };
        for (at, c) in text.char_indices() {
            let alone = is_stable(c);
            if alone || begins_cluster(c) {
                if !stable {
                    flush(start, at);
                }
                start = at;
                stable = true;
            }
            stable &= alone;
        }
        if !stable {
            flush(start, text.len());
        }
        out.keep(text, kept..text.len());
    }
}
