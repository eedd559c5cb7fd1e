//! Texts cut into units for the search for passages: lines, sentences, paragraphs or tokens, each with its
//! range and a hash of its normalized form.

use std::ops::Range;

use dehusk_normalize::{Normalizer, Profile, Splitter, TokenRule};
use xxhash_rust::xxh3::xxh3_128;

use crate::read::pass::Worker;
use crate::settings::PassageUnit;

/// A unit or a token of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// Byte range in the text.
    pub(crate) range: Range<usize>,
    /// Hash of its normalized form.
    pub(crate) hash: u128,
}

impl Piece {
    /// Returns the word by which passages are searched.
    #[expect(clippy::cast_possible_truncation, reason = "the low 64 bits are the word")]
    pub(crate) fn word(hash: u128) -> u64 {
        hash as u64
    }
}

/// Cuts one text after another, with buffers that are reused.
pub(crate) struct UnitCutter {
    unit: PassageUnit,
    normalizer: Normalizer,
    splitter: Splitter,
    rule: TokenRule,
    /// Smallest number of tokens of a unit, if units are not tokens.
    least: u32,
}

impl UnitCutter {
    pub(crate) fn new(unit: PassageUnit, profile: Profile) -> Self {
        UnitCutter {
            unit,
            rule: profile.token_rule(),
            normalizer: Normalizer::new(profile),
            splitter: Splitter::new(),
            least: 1,
        }
    }

    /// Leaves out units of fewer than `least` tokens, if they are not tokens themselves.
    pub(crate) fn with_least(self, least: u32) -> Self {
        UnitCutter { least, ..self }
    }

    /// Returns the words of a text in the search for passages, one for each of its [pieces](Self::pieces).
    pub(crate) fn words(&mut self, text: &str) -> Vec<u64> {
        let mut words = Vec::new();
        let mut add = |token: &str| words.push(Piece::word(xxh3_128(token.as_bytes())));
        match self.unit {
            PassageUnit::Tokens => {
                // Normalization takes half the time if ranges in the original are not needed.
                let normal = self.normalizer.normalize_text(text);
                self.rule.tokens(normal).for_each(|range| add(&normal[range]));
            }
            unit => each_unit(unit, text, &self.splitter, |range| {
                let normal = self.normalizer.normalize_text(&text[range]);
                if counts(normal, self.rule, self.least) {
                    add(normal);
                }
            }),
        }
        words
    }

    /// Returns the pieces of a text in their order. Units that normalization empties, and those that are
    /// too short, are left out.
    pub(crate) fn pieces(&mut self, text: &str) -> Vec<Piece> {
        let mut pieces = Vec::new();
        match self.unit {
            PassageUnit::Tokens => {
                // Unlike in `words`, ranges in the original are needed.
                let normalized = self.normalizer.normalize(text);
                let normal = normalized.text();
                self.rule.tokens(normal).for_each(|range| {
                    pieces.push(Piece {
                        hash: xxh3_128(normal[range.clone()].as_bytes()),
                        range: normalized.source(range),
                    });
                });
            }
            unit => each_unit(unit, text, &self.splitter, |range| {
                let normal = self.normalizer.normalize_text(&text[range.clone()]);
                if counts(normal, self.rule, self.least) {
                    pieces.push(Piece {
                        hash: xxh3_128(normal.as_bytes()),
                        range,
                    });
                }
            }),
        }
        pieces
    }

    /// Returns the sentences of each line of a text, by which cuts are made.
    pub(crate) fn sentences(&self, text: &str) -> Vec<Range<usize>> {
        let mut sentences = Vec::new();
        each_unit(PassageUnit::Line, text, &self.splitter, |line| {
            let ranges = self.splitter.sentences(&text[line.clone()]);
            sentences.extend(ranges.map(|range| line.start + range.start..line.start + range.end));
        });
        sentences
    }
}

/// A worker without a sum.
impl Worker for UnitCutter {
    type Sum = ();

    fn take_sum(&mut self) {}

    fn recover(&mut self) {
        *self = UnitCutter::new(self.unit, self.normalizer.profile().clone()).with_least(self.least);
    }
}

/// Returns `true` if a unit with this normalized text counts.
fn counts(normal: &str, rule: TokenRule, least: u32) -> bool {
    if least <= 1 {
        return !normal.trim().is_empty();
    }
    rule.tokens(normal).count() >= least as usize
}

/// Calls `visit` with the units of a text, without white space around them; empty ones are left out.
fn each_unit(unit: PassageUnit, text: &str, splitter: &Splitter, mut visit: impl FnMut(Range<usize>)) {
    let trimmed = |range: Range<usize>| {
        let whole = &text[range.clone()];
        let start = range.start + (whole.len() - whole.trim_start().len());
        start..start + whole.trim().len()
    };
    if unit == PassageUnit::Sentence {
        return splitter.sentences(text).for_each(visit);
    }
    let mut at = 0;
    let mut paragraph: Option<Range<usize>> = None;
    for line in text.split_inclusive('\n') {
        let range = trimmed(at..at + line.len());
        at += line.len();
        match (unit, range.is_empty()) {
            (PassageUnit::Paragraph, false) => {
                // A paragraph goes on up to an empty line.
                paragraph = Some(paragraph.map_or(range.start, |open| open.start)..range.end);
            }
            (PassageUnit::Paragraph, true) => {
                if let Some(whole) = paragraph.take() {
                    visit(whole);
                }
            }
            (_, false) => visit(range),
            (_, true) => {}
        }
    }
    // The last paragraph may have no empty line after it.
    if let Some(whole) = paragraph {
        visit(whole);
    }
}

/// Returns the byte range of a run of pieces; empty for an empty run.
pub(crate) fn bytes_of(run: &[Piece]) -> Range<usize> {
    match run {
        [] => 0..0,
        [first, .., last] => first.range.start..last.range.end.max(first.range.start),
        [only] => only.range.clone(),
    }
}

/// Returns the hash of a run of pieces.
pub(crate) fn hash_of(pieces: &[Piece]) -> u128 {
    let mut bytes = Vec::with_capacity(16 * pieces.len());
    pieces
        .iter()
        .for_each(|piece| bytes.extend_from_slice(&piece.hash.to_le_bytes()));
    xxh3_128(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(unit: PassageUnit, text: &str) -> Vec<&str> {
        let mut cutter = UnitCutter::new(unit, Profile::near());
        let pieces = cutter.pieces(text);
        let words: Vec<u64> = pieces.iter().map(|piece| Piece::word(piece.hash)).collect();
        assert_eq!(cutter.words(text), words, "both ways give the same words");
        pieces.iter().map(|piece| &text[piece.range.clone()]).collect()
    }

    #[test]
    fn texts_are_cut_by_unit() {
        let text = "One line. Two sentences!\r\nThe next\n \n***\n\nÉtude no. 5\nends";
        assert_eq!(
            cut(PassageUnit::Line, text),
            ["One line. Two sentences!", "The next", "Étude no. 5", "ends"]
        );
        assert_eq!(
            cut(PassageUnit::Paragraph, text),
            ["One line. Two sentences!\r\nThe next", "Étude no. 5\nends"]
        );
        assert_eq!(
            cut(PassageUnit::Sentence, text)[..2],
            ["One line.", "Two sentences!"]
        );
        assert_eq!(
            cut(PassageUnit::Tokens, "Ein Text, zwei\tWörter"),
            ["Ein", "Text", "zwei", "Wörter"]
        );
        let mut cutter = UnitCutter::new(PassageUnit::Line, Profile::near()).with_least(3);
        let long = cutter.pieces(text);
        assert_eq!(
            long.iter()
                .map(|piece| &text[piece.range.clone()])
                .collect::<Vec<_>>(),
            ["One line. Two sentences!", "Étude no. 5"]
        );
        assert_eq!(cutter.words(text).len(), 2);
        for unit in [
            PassageUnit::Line,
            PassageUnit::Paragraph,
            PassageUnit::Sentence,
            PassageUnit::Tokens,
        ] {
            assert!(cut(unit, " \n\n").is_empty() && cut(unit, "").is_empty());
        }
    }
}
