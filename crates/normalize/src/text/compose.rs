//! Unicode normalization forms that compose (UAX #15), cluster by cluster, with offsets.

use std::str::Chars;

use unicode_normalization::char::{canonical_combining_class, decompose_canonical, decompose_compatible};
use unicode_normalization::{
    IsNormalized, Recompositions, UnicodeNormalization, is_nfc_quick, is_nfkc_quick,
};

use crate::text::chars::extends;
use crate::text::rewrite::Rewrite;

/// A normalization form that composes.
pub(crate) trait Form {
    /// All characters below it are in the form and begin a cluster.
    const FIRST_UNUSUAL: char;

    /// Whether a character is in the form, whatever stands around it.
    fn quick(c: char) -> IsNormalized;

    /// Calls `emit` with each character of the full decomposition.
    fn decompose(c: char, emit: impl FnMut(char));

    /// The text in the form.
    fn normal(text: &str) -> Recompositions<Chars<'_>>;
}

/// Normalization Form C: characters that are canonically equivalent become one; all other differences stay.
pub(crate) struct Canonical;

impl Form for Canonical {
    const FIRST_UNUSUAL: char = '\u{300}';

    fn quick(c: char) -> IsNormalized {
        is_nfc_quick(std::iter::once(c))
    }

    fn decompose(c: char, emit: impl FnMut(char)) {
        decompose_canonical(c, emit);
    }

    fn normal(text: &str) -> Recompositions<Chars<'_>> {
        text.nfc()
    }
}

/// Normalization Form KC: compatible characters, such as ligatures and superscripts, become plain ones, too.
pub(crate) struct Compatible;

impl Form for Compatible {
    const FIRST_UNUSUAL: char = '\u{A0}';

    fn quick(c: char) -> IsNormalized {
        is_nfkc_quick(std::iter::once(c))
    }

    fn decompose(c: char, emit: impl FnMut(char)) {
        decompose_compatible(c, emit);
    }

    fn normal(text: &str) -> Recompositions<Chars<'_>> {
        text.nfkc()
    }
}

/// Certainly unchanged by the form, whatever stands around it, unless a character that extends follows.
pub(crate) fn is_stable<F: Form>(c: char) -> bool {
    c < F::FIRST_UNUSUAL || F::quick(c) == IsNormalized::Yes && canonical_combining_class(c) == 0
}

/// Nothing before `c`, which is not stable, can join it or be reordered with it when it is decomposed.
fn begins_cluster<F: Form>(c: char) -> bool {
    let mut first = None;
    F::decompose(c, |part| {
        first.get_or_insert(part);
    });
    first.is_none_or(|part| !extends(part))
}

/// False only if the text is in the form. May be wrongly true.
pub(crate) fn changes<F: Form>(text: &str) -> bool {
    !text.is_ascii() && !text.chars().all(is_stable::<F>)
}

/// Writes the text in the form.
pub(crate) fn compose<F: Form>(text: &str, out: &mut Rewrite) {
    // Text is cut into clusters that normalize independently of each other; those that change are replaced whole.
    let mut kept = 0;
    let mut start = 0;
    let mut stable = true;
    let mut flush = |start: usize, end: usize| {
        let cluster = &text[start..end];
        let first = cluster.chars().next();
        let (base, marks) = cluster.split_at(first.map_or(0, char::len_utf8));
        if marks.is_empty() && first.is_some_and(|first| F::quick(first) == IsNormalized::No) {
            out.keep(text, kept..start);
            out.replace(start..end, F::normal(base));
            kept = end;
            return;
        }
        // Marks that only follow their letter, without composing, keep places of their own.
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
