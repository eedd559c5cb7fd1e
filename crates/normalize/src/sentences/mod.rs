//! Sentence splitting.

mod abbreviations;
mod rules;

use std::borrow::Cow;
use std::ops::Range;

pub use abbreviations::Abbreviations;

/// Splits text into sentences.
///
/// A sentence ends after a run of `.`, `!`, `?`, `…` with closing quotation marks and brackets, if white space follows and
/// then a possible start of a sentence: a capital letter, a letter of a script without case, a digit, or an
/// opening quotation mark, bracket or dash before one of these. After a single full stop, initials and the lists of
/// [`Abbreviations`] are also considered. `。`, `！`, `？` end a sentence without white space. A blank line always ends a sentence.
///
/// ```
/// let splitter = dehusk_normalize::Splitter::new();
/// let text = "А. С. Пушкин родился в 1799 г. в Москве. Он писал стихи.";
/// let sentences: Vec<_> = splitter.sentences(text).map(|range| &text[range]).collect();
/// assert_eq!(sentences, ["А. С. Пушкин родился в 1799 г. в Москве.", "Он писал стихи."]);
/// ```
#[derive(Clone, Debug)]
pub struct Splitter {
    abbreviations: Cow<'static, Abbreviations>,
}

impl Splitter {
    /// Creates a splitter with the bundled abbreviations of all languages.
    #[must_use]
    pub fn new() -> Self {
        Self {
            abbreviations: Cow::Borrowed(Abbreviations::bundled()),
        }
    }

    /// Creates a splitter with only the given abbreviations.
    #[must_use]
    pub fn with_abbreviations(abbreviations: Abbreviations) -> Self {
        Self {
            abbreviations: Cow::Owned(abbreviations),
        }
    }

    /// Sentences of a text, as byte ranges without the surrounding white space. Together they cover all of the text
    /// except white space. Allocates nothing.
    pub fn sentences<'a>(&'a self, text: &'a str) -> Sentences<'a> {
        Sentences {
            splitter: self,
            text,
            at: 0,
            end: text.len(),
        }
    }

    /// Sentences of the blocks of a text: paragraphs, headings, table cells and other units that must not run into their
    /// neighbors although they may lack a full stop.
    ///
    /// Yields the index of the block and the byte range in the text, block by block. Text between blocks is left out.
    /// Blocks that extend past the end of the text are cut; blocks that do not lie on character boundaries are skipped.
    pub fn sentences_in_blocks<'a>(
        &'a self,
        text: &'a str,
        blocks: &'a [Range<usize>],
    ) -> impl Iterator<Item = (usize, Range<usize>)> + 'a {
        blocks.iter().enumerate().flat_map(move |(index, block)| {
            let (start, end) = (block.start.min(text.len()), block.end.min(text.len()));
            let range = if text.get(start..end).is_some() {
                start..end
            } else {
                0..0
            };
            let sentences = Sentences {
                splitter: self,
                text,
                at: range.start,
                end: range.end,
            };
            sentences.map(move |sentence| (index, sentence))
        })
    }
}

impl Default for Splitter {
    fn default() -> Self {
        Self::new()
    }
}

/// Iterator of [`Splitter::sentences`].
#[derive(Clone, Debug)]
pub struct Sentences<'a> {
    splitter: &'a Splitter,
    text: &'a str,
    at: usize,
    end: usize,
}

impl Iterator for Sentences<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let rest = &self.text[self.at..self.end];
        let start = self.at + (rest.len() - rest.trim_start().len());
        if start >= self.end {
            self.at = self.end;
            return None;
        }
        let sentence = &self.text[start..self.end];
        let len = rules::sentence_len(&self.splitter.abbreviations, sentence);
        self.at = start + len;
        Some(start..start + sentence[..len].trim_end().len())
    }
}

#[cfg(test)]
mod tests;
