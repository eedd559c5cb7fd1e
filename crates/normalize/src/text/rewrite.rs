//! Output buffer of a pass, with an optional map back to its input.

use std::ops::Range;

use crate::text::alignment::Alignment;

/// Receives the output of a pass: pieces of the input, in order, kept or replaced. Pieces that are not mentioned are deleted.
///
/// The memory is reused from text to text.
#[derive(Clone, Debug, Default)]
pub struct Rewrite {
    text: String,
    alignment: Alignment,
    tracked: bool,
    /// Buffer of the pass `references`, reused from text to text.
    reference_chars: Vec<ReferenceChar>,
    /// Buffer of passes that rewrite clusters, reused from text to text.
    cluster: Vec<char>,
}

/// A character that may become part of a character reference.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReferenceChar {
    pub(crate) c: char,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Whether the character is in the text as it is, rather than the result of a reference.
    pub(crate) literal: bool,
}

impl Rewrite {
    /// Creates a buffer that records only the text.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a buffer that records the text and the offsets of its source.
    #[must_use]
    pub fn with_offsets() -> Self {
        Self {
            tracked: true,
            ..Self::default()
        }
    }

    /// Text written since the last [`clear`](Self::clear).
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Map from the written text to the input of the pass; `None` if offsets are not recorded.
    #[must_use]
    pub fn alignment(&self) -> Option<&Alignment> {
        self.tracked.then_some(&self.alignment)
    }

    /// Removes the text but keeps the memory.
    pub fn clear(&mut self) {
        self.text.clear();
        self.alignment.clear();
    }

    /// Copies `input[range]`.
    ///
    /// # Panics
    /// If the range does not lie on character boundaries of `input`, like slicing: a bug in the calling pass.
    #[inline]
    pub fn keep(&mut self, input: &str, range: Range<usize>) {
        self.text.push_str(&input[range.clone()]);
        if self.tracked {
            self.alignment.push_stepwise(range.len(), range.start);
        }
    }

    /// Writes `with` in place of the character `from` at offset `at` of the input.
    #[inline]
    pub(crate) fn replace_char(&mut self, at: usize, from: char, with: char) {
        self.text.push(with);
        if self.tracked {
            let (old, new) = (from.len_utf8(), with.len_utf8());
            if old == new {
                self.alignment.push_stepwise(new, at);
            } else {
                self.alignment.push_whole(new, at..at + old);
            }
        }
    }

    /// Writes `with` in place of the bytes `range` of the input.
    #[inline]
    pub fn replace(&mut self, range: Range<usize>, with: impl IntoIterator<Item = char>) {
        // The length of the replacement is known only once it is written.
        let before = self.text.len();
        self.text.extend(with);
        if self.tracked {
            self.alignment.push_whole(self.text.len() - before, range);
        }
    }

    /// Rewrites `text` from start to end.
    ///
    /// `change` gets the last character of the output and the rest of the text. It returns how many bytes at the start of the rest are
    /// replaced, and by which characters; `None` keeps one character.
    pub(crate) fn replace_along<I: IntoIterator<Item = char>>(
        &mut self,
        text: &str,
        change: impl Fn(Option<char>, &str) -> Option<(usize, I)>,
    ) {
        let (mut kept, mut at) = (0, 0);
        let mut before = None;
        while let Some(c) = text[at..].chars().next() {
            let Some((len, with)) = change(before, &text[at..]) else {
                before = Some(c);
                at += c.len_utf8();
                continue;
            };
            debug_assert!(len > 0, "a change takes something");
            self.keep(text, kept..at);
            let mut with = with.into_iter();
            match (with.next(), with.next()) {
                // A replacement of equal length keeps one-to-one offsets.
                (Some(one), None) if len == c.len_utf8() => self.replace_char(at, c, one),
                (Some(one), next) => {
                    self.replace(at..at + len, std::iter::once(one).chain(next).chain(with));
                }
                // An empty replacement deletes.
                (None, _) => {}
            }
            before = self.text.chars().next_back();
            at += len;
            kept = at;
        }
        self.keep(text, kept..text.len());
    }

    /// Sets whether offsets are recorded.
    pub(crate) fn track(&mut self, tracked: bool) {
        self.tracked = tracked;
    }

    pub(crate) fn alignment_mut(&mut self) -> &mut Alignment {
        &mut self.alignment
    }

    /// Lends the buffer for characters of references; return it by [`return_reference_chars`](Self::return_reference_chars).
    pub(crate) fn take_reference_chars(&mut self) -> Vec<ReferenceChar> {
        std::mem::take(&mut self.reference_chars)
    }

    pub(crate) fn return_reference_chars(&mut self, reference_chars: Vec<ReferenceChar>) {
        self.reference_chars = reference_chars;
        self.reference_chars.clear();
    }

    /// Lends the empty buffer for the characters of a cluster; return it by [`return_cluster`](Self::return_cluster).
    pub(crate) fn take_cluster(&mut self) -> Vec<char> {
        std::mem::take(&mut self.cluster)
    }

    pub(crate) fn return_cluster(&mut self, cluster: Vec<char>) {
        self.cluster = cluster;
        self.cluster.clear();
    }

    /// Number of bytes written so far.
    pub(crate) fn written(&self) -> usize {
        self.text.len()
    }
}
