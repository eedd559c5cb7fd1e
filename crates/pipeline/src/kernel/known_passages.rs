//! Passages of a list, such as `passages.jsonl`, and their occurrences in the text of a page.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

use dehusk_dedup::TestItems;
use dehusk_extract::BlockRecord;
use dehusk_normalize::Profile;

use crate::kernel::units::{Piece, UnitCutter, bytes_of};
use crate::settings::PassageUnit;

/// Number of tokens in a row that must occur to mark a part of a passage. Of shorter passages, all tokens
/// must occur.
const RUN: u32 = 50;

/// Numbers of documents and hosts in which a passage occurs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Spread {
    /// Number of documents.
    pub documents: u32,
    /// Number of known hosts.
    pub hosts: u32,
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Spread { documents, hosts } = *self;
        match (documents, hosts) {
            (0 | 1, _) => f.write_str("repeated"),
            (_, 0) => write!(f, "repeated: in {documents} documents"),
            (_, 1) => write!(f, "repeated: in {documents} documents of one host"),
            _ => write!(f, "repeated: in {documents} documents of {hosts} hosts"),
        }
    }
}

/// A part of a text that is repeated elsewhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RepeatedPart {
    /// Byte range in the text.
    pub(crate) range: Range<usize>,
    pub(crate) spread: Spread,
}

/// Passages that are looked for in texts.
pub struct KnownPassages {
    profile: Profile,
    runs: TestItems,
    spread_of_runs: Vec<Spread>,
    /// For each unit, its passages by the hash of their normalized text.
    units: Vec<(PassageUnit, HashMap<u128, Spread>)>,
}

impl KnownPassages {
    /// Creates an empty list. Texts are compared in the form of `profile`.
    pub(crate) fn new(profile: Profile) -> Self {
        Self {
            profile,
            runs: TestItems::new(RUN),
            spread_of_runs: Vec::new(),
            units: Vec::new(),
        }
    }

    /// Adds a passage by its unit and text.
    pub(crate) fn add(&mut self, unit: PassageUnit, text: &str, spread: Spread) {
        let mut cutter = UnitCutter::new(unit, self.profile.clone());
        if unit == PassageUnit::Tokens {
            self.runs.add(&cutter.words(text));
            self.spread_of_runs.push(spread);
            return;
        }
        let place = self.units.iter().position(|(known, _)| *known == unit);
        let place = place.unwrap_or_else(|| {
            self.units.push((unit, HashMap::new()));
            self.units.len() - 1
        });
        // Only a text of exactly one unit can be found. A text that was cut off in the list may consist of
        // several.
        if let [only] = &cutter.pieces(text)[..] {
            self.units[place].1.insert(only.hash, spread);
        }
    }

    /// Prepares the search, after all passages are added.
    #[must_use]
    pub(crate) fn indexed(self) -> Self {
        Self {
            runs: self.runs.indexed(),
            ..self
        }
    }

    /// Returns the parts of a text that are passages, ascending and without overlaps.
    pub(crate) fn parts(&self, text: &str) -> Vec<RepeatedPart> {
        let mut parts = Vec::new();
        if !self.runs.is_empty() {
            let pieces = UnitCutter::new(PassageUnit::Tokens, self.profile.clone()).pieces(text);
            let words: Vec<u64> = pieces.iter().map(|piece| Piece::word(piece.hash)).collect();
            let found = self.runs.find(&words);
            for &(start, end) in &found.runs {
                // A run may be in several passages. The one in the most documents counts.
                let inside = found
                    .matches
                    .iter()
                    .filter(|one| one.start < end && start < one.end);
                let widest = inside.filter_map(|one| self.spread_of_runs.get(one.item as usize));
                let run = pieces.get(start as usize..end as usize).unwrap_or_default();
                parts.push(RepeatedPart {
                    range: bytes_of(run),
                    spread: widest
                        .max_by_key(|spread| spread.documents)
                        .copied()
                        .unwrap_or_default(),
                });
            }
        }
        for (unit, known) in &self.units {
            let pieces = UnitCutter::new(*unit, self.profile.clone()).pieces(text);
            parts.extend(pieces.into_iter().filter_map(|piece| {
                let spread = *known.get(&piece.hash)?;
                let range = piece.range;
                Some(RepeatedPart { range, spread })
            }));
        }
        parts.sort_unstable_by_key(|part| (part.range.start, part.range.end));
        // Runs and units may overlap. Shared bytes belong to the part that starts first.
        let mut end = 0;
        parts.retain_mut(|part| {
            part.range.start = part.range.start.max(end);
            end = part.range.end.max(end);
            !part.range.is_empty()
        });
        parts
    }

    /// Returns an entry for each block. It is `None` unless the block is kept and at least half of it is in
    /// passages. Else it has the spread of the passage in the most documents.
    pub fn of_blocks(&self, blocks: &[BlockRecord]) -> Vec<Option<Spread>> {
        let (mut text, mut ranges) = (String::new(), Vec::with_capacity(blocks.len()));
        for block in blocks {
            let start = text.len();
            if block.kept {
                text.push_str(&block.text);
            }
            ranges.push(start..text.len());
            // An empty line separates blocks, as lines and as paragraphs.
            text.push_str("\n\n");
        }
        let parts = self.parts(&text);
        let of_block = |range: Range<usize>| {
            // Blocks that are not kept have empty ranges, in which no part lies.
            let first = parts.partition_point(|part| part.range.end <= range.start);
            let inside = parts[first..]
                .iter()
                .take_while(|part| part.range.start < range.end);
            let (mut bytes, mut widest) = (0, None::<Spread>);
            for part in inside {
                bytes += part.range.end.min(range.end) - part.range.start.max(range.start);
                let is_wider = widest.is_none_or(|widest| widest.documents < part.spread.documents);
                widest = if is_wider { Some(part.spread) } else { widest };
            }
            widest.filter(|_| 2 * bytes >= range.len())
        };
        ranges.into_iter().map(of_block).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_and_lines_are_found_where_they_stand() {
        let mut known = KnownPassages::new(Profile::near());
        let spread = |documents| Spread { documents, hosts: 1 };
        known.add(
            PassageUnit::Tokens,
            "the wheel turned backwards for a whole night",
            spread(40),
        );
        known.add(PassageUnit::Line, "Come in!", spread(7));
        let known = known.indexed();
        let text = "They say the WHEEL turned backwards for a whole night, and more.\nCome in\nDo come in!";
        let parts = known.parts(text);
        let found: Vec<_> = parts
            .iter()
            .map(|part| (&text[part.range.clone()], part.spread.documents))
            .collect();
        assert_eq!(
            found,
            [
                ("the WHEEL turned backwards for a whole night", 40),
                ("Come in", 7)
            ]
        );
        assert!(known.parts("").is_empty() && known.parts("the wheel turned backwards").is_empty());
    }
}
