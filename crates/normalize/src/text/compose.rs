//! Composing Unicode normalization forms (UAX #15), cluster by cluster, with offsets.

use std::str::Chars;

use unicode_normalization::char::{canonical_combining_class, decompose_canonical, decompose_compatible};
use unicode_normalization::{
    IsNormalized, Recompositions, UnicodeNormalization, is_nfc_quick, is_nfkc_quick,
};

use crate::text::chars::extends;
use crate::text::rewrite::Rewrite;

/// A normalization form that composes.
pub(crate) trait Form {
    /// Smallest character that may be changed by the form or extend a cluster; all characters below are stable.
    const FIRST_UNUSUAL: char;

    /// Quick check of a single character, regardless of its neighbors.
    fn quick(c: char) -> IsNormalized;

    /// Quick check of a cluster.
    fn quick_cluster(cluster: &str) -> IsNormalized;

    /// Calls `emit` with each character of the full decomposition of `c`.
    fn decompose(c: char, emit: impl FnMut(char));

    /// Iterates over the text in this form.
    fn normal(text: &str) -> Recompositions<Chars<'_>>;
}

/// Normalization Form C: unifies canonically equivalent characters and keeps all other differences.
pub(crate) struct Canonical;

impl Form for Canonical {
    const FIRST_UNUSUAL: char = '\u{300}';

    fn quick(c: char) -> IsNormalized {
        is_nfc_quick(std::iter::once(c))
    }

    fn quick_cluster(cluster: &str) -> IsNormalized {
        is_nfc_quick(cluster.chars())
    }

    fn decompose(c: char, emit: impl FnMut(char)) {
        decompose_canonical(c, emit);
    }

    fn normal(text: &str) -> Recompositions<Chars<'_>> {
        text.nfc()
    }
}

/// Normalization Form KC: also replaces compatibility characters, such as ligatures and superscripts, by plain ones.
pub(crate) struct Compatible;

impl Form for Compatible {
    const FIRST_UNUSUAL: char = '\u{A0}';

    fn quick(c: char) -> IsNormalized {
        is_nfkc_quick(std::iter::once(c))
    }

    fn quick_cluster(cluster: &str) -> IsNormalized {
        is_nfkc_quick(cluster.chars())
    }

    fn decompose(c: char, emit: impl FnMut(char)) {
        decompose_compatible(c, emit);
    }

    fn normal(text: &str) -> Recompositions<Chars<'_>> {
        text.nfkc()
    }
}

/// Whether `c` is unchanged by the form regardless of its neighbors, unless an extending character follows.
pub(crate) fn is_stable<F: Form>(c: char) -> bool {
    c < F::FIRST_UNUSUAL || F::quick(c) == IsNormalized::Yes && canonical_combining_class(c) == 0
}

/// Whether no character before `c`, which is not stable, can combine with it or be reordered with it once it is decomposed.
fn begins_cluster<F: Form>(c: char) -> bool {
    let mut first = None;
    F::decompose(c, |part| {
        first.get_or_insert(part);
    });
    first.is_none_or(|part| !extends(part))
}

/// Whether the form may change the text. `false` is certain; `true` may be wrong.
pub(crate) fn changes<F: Form>(text: &str) -> bool {
    !text.is_ascii() && !text.chars().all(is_stable::<F>)
}

/// Writes the text in this form.
pub(crate) fn compose<F: Form>(text: &str, out: &mut Rewrite) {
    // The text is cut into clusters that normalize independently of each other; clusters that change are replaced as a whole.
    let mut kept = 0;
    let mut start = 0;
    let mut stable = true;
    let mut flush = |start: usize, end: usize| {
        let cluster = &text[start..end];
        // Marks of Thai, Hebrew and others have an order, but compose with nothing: most clusters are normal as they are.
        if F::quick_cluster(cluster) == IsNormalized::Yes {
            return;
        }
        let first = cluster.chars().next();
        let (base, marks) = cluster.split_at(first.map_or(0, char::len_utf8));
        if marks.is_empty() && first.is_some_and(|first| F::quick(first) == IsNormalized::No) {
            out.keep(text, kept..start);
            out.replace(start..end, F::normal(base));
            kept = end;
            return;
        }
        // Marks that follow their letter without composing keep separate offsets.
        let apart = !marks.is_empty() && F::normal(cluster).eq(F::normal(base).chain(F::normal(marks)));
        let pieces = if apart { [base, marks] } else { [cluster, ""] };
        let mut at = start;
        for piece in pieces {
            if !F::normal(piece).eq(piece.chars()) {
                out.keep(text, kept..at);
                out.replace(at..at + piece.len(), F::normal(piece));
                kept = at + piece.len();
            }
            at += piece.len();
        }
    };
    for (at, c) in text.char_indices() {
        let alone = is_stable::<F>(c);
        if alone || begins_cluster::<F>(c) {
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
