//! Edit distance.

use crate::numeric::hash::murmur3;
use crate::numeric::narrow;
use crate::sign::method::Method;
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::{Parameter, Strategy};
use crate::strategy::value::choice;
use crate::text::document::{Context, Document};
use crate::text::shingle::TextUnit;
use crate::verify::similarity::{Comparer, Similarity};

/// Edit similarity: `1 - distance / longer length`. The distance is the number of insertions, deletions and
/// substitutions of words or characters (Wagner, Fischer 1974). Unlike for sets, order matters.
///
/// Computed 64 cells at a time (Myers, "A fast bit-vector algorithm for approximate string matching", 1999, in the form
/// of Hyyrö 2004). Only the part of the table that can be within the threshold is computed (Ukkonen, "Algorithms for
/// approximate string matching", 1985). The computation ends as soon as the threshold is out of reach. Memory is linear
/// in the lengths.
///
/// Departs from the definition for very long documents: one comparison takes at most 2^30 steps of 64 cells. If the
/// threshold would need more, a higher threshold applies, and pairs below it are not similar. At a threshold of 0.8
/// this begins at 586,000 words or characters, not counting common beginnings and ends, which cost nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edit {
    unit: TextUnit,
}

impl Edit {
    /// The defaults: over words.
    pub const DEFAULT: Self = Self { unit: TextUnit::Word };

    /// The unit of edits, default [`TextUnit::Word`]. The cost is quadratic in the number of units, so characters cost
    /// much more.
    #[must_use]
    pub const fn with_unit(mut self, unit: TextUnit) -> Self {
        self.unit = unit;
        self
    }
}

impl Strategy for Edit {
    fn name(&self) -> &'static str {
        "edit"
    }

    fn summary(&self) -> &'static str {
        "1 - edit distance / length of the longer document"
    }

    fn parameters(&self) -> &'static [Parameter] {
        const { &[Parameter::new("unit", "word", "what is edited: word or char")] }
    }

    fn change(&mut self, parameter: &str, value: &str) -> Result<bool, BuildError> {
        match parameter {
            "unit" => {
                let units = [("word", TextUnit::Word), ("char", TextUnit::Char)];
                *self = self.with_unit(choice("unit", value, &units)?);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl Similarity for Edit {
    fn comparer(&self, _: &dyn Method, _: &Context) -> Result<Box<dyn Comparer>, BuildError> {
        Ok(Box::new(*self))
    }
}

impl Comparer for Edit {
    /// The hashes of words, or the scalar values of characters.
    fn row(&self, document: &Document<'_>, _: &[u64], out: &mut Vec<u64>) {
        match self.unit {
            TextUnit::Word => out.extend(document.tokens.iter().map(|word| murmur3(word.as_bytes(), 0))),
            TextUnit::Char => out.extend(
                document
                    .tokens
                    .text()
                    .chars()
                    .map(|letter| u64::from(u32::from(letter))),
            ),
        }
    }

    fn compare(&self, a: &[u64], b: &[u64], at_least: f64) -> Option<f64> {
        let longer = a.len().max(b.len());
        if longer == 0 {
            return Some(1.0);
        }
        // The largest distance is raised slightly before rounding, so that rounding errors lose no pair.
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a share of a length, rounded down"
        )]
        let most = ((1.0 - at_least) * longer as f64 + 1e-6) as usize;
        let similarity = 1.0 - edit_distance(a, b, most)? as f64 / longer as f64;
        (similarity >= at_least).then_some(similarity)
    }
}

/// Largest number of steps of one comparison: a few seconds. A step computes 64 cells of the table.
const MAX_STEPS: usize = 1 << 30;

/// The smallest number of insertions, deletions and substitutions that turn `a` into `b`. `None` if it is more than
/// `most`, or more than the largest distance that can be computed in 2^30 steps for documents of this length.
///
/// # Examples
/// ```
/// use dehusk_dedup::verify::edit_distance;
///
/// assert_eq!(edit_distance(&[1, 2, 3, 4], &[1, 3, 4, 5], 3), Some(2));
/// assert_eq!(edit_distance(&[1, 2, 3, 4], &[1, 3, 4, 5], 1), None);
/// ```
#[must_use]
pub fn edit_distance(a: &[u64], b: &[u64], most: usize) -> Option<usize> {
    distance_in_steps(a, b, most, MAX_STEPS)
}

/// [`edit_distance`] in at most `steps` steps.
fn distance_in_steps(a: &[u64], b: &[u64], most: usize, steps: usize) -> Option<usize> {
    // Some shortest edit sequence leaves the common beginning and the common end unchanged.
    let (a, b) = without_common_ends(a, b);
    // The shorter document is the pattern: its symbols are the rows.
    let (pattern, text) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if pattern.is_empty() {
        return (text.len() <= most).then_some(text.len());
    }
    // No distance exceeds the longer length. The limit by steps depends only on that length, so that it is the same for
    // both orders of arguments.
    let most = most.min(text.len()).min(affordable(text.len(), steps));
    if text.len() - pattern.len() > most {
        return None;
    }
    Table::new(pattern, text.len(), most).distance(text)
}

/// Both documents without their common beginning and their common end.
fn without_common_ends<'r>(a: &'r [u64], b: &'r [u64]) -> (&'r [u64], &'r [u64]) {
    let begin = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[begin..], &b[begin..]);
    let end = a
        .iter()
        .rev()
        .zip(b.iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    (&a[..a.len() - end], &b[..b.len() - end])
}

/// The largest distance whose band of the table can be computed in `steps` steps. `length` is the length of the longer
/// document.
fn affordable(length: usize, steps: usize) -> usize {
    // A band of `distance + 1` rows overlaps at most two blocks more than it would fill.
    let blocks = (steps / length.max(1)).saturating_sub(2);
    blocks.saturating_mul(64).saturating_sub(1)
}

/// The table of distances between prefixes of two documents, one column at a time, as far as distances can be within
/// `most`. Rows are the symbols of the pattern, in blocks of 64.
///
/// A path through the table of cost up to `most` stays on diagonals near those of the two corners. Rows outside this
/// band are not computed, nor are blocks in which all cells exceed `most`. A cell whose neighbor was not computed takes
/// the value of the adjacent computed cell plus one per step. So values are never too small, and they are exact along
/// each path of cost up to `most`.
struct Table {
    occurrences: Occurrences,
    blocks: Vec<Block>,
    /// For each block, the bits of the rows in which the current symbol occurs; all zero between columns.
    bits: Vec<u64>,
    rows: usize,
    /// Number of rows of the band above and below the diagonal of the upper left corner.
    band: (usize, usize),
    most: usize,
}

impl Table {
    fn new(pattern: &[u64], columns: usize, most: usize) -> Self {
        let block = Block {
            up: u64::MAX,
            down: 0,
            bottom: 0,
        };
        let blocks = pattern.len().div_ceil(64);
        let longer_by = columns - pattern.len();
        // A path outside the strip between the diagonals of both corners pays for each step out of it and for the step
        // back.
        let aside = (most - longer_by) / 2;
        Table {
            occurrences: Occurrences::new(pattern),
            blocks: vec![block; blocks],
            bits: vec![0; blocks],
            rows: pattern.len(),
            band: (longer_by + aside, aside),
            most,
        }
    }

    /// Number of rows of a block: 64, fewer in the last block.
    fn rows_of(&self, block: usize) -> usize {
        (self.rows - block * 64).min(64)
    }

    /// The distance between the whole pattern and the text, or `None` if it is more than `most`.
    fn distance(mut self, text: &[u64]) -> Option<usize> {
        let final_block = self.blocks.len() - 1;
        // Blocks `first..end` are computed. Row 0, above all blocks, increases by one per column.
        let (mut first, mut end) = (0, 1);
        // Column 0 is the number of rows: `pattern` deleted.
        self.blocks[0].bottom = self.rows_of(0);
        for (column, symbol) in text.iter().enumerate() {
            // Places count from 0, rows of the table from 1.
            first = first.max(column.saturating_sub(self.band.0) / 64);
            let lowest = (column + self.band.1).min(self.rows - 1) / 64;
            // A path enters a block from the last cell of the block above, in this column or the column before. These
            // two cells differ by at most one.
            while end <= lowest && self.blocks[end - 1].bottom <= self.most + 1 {
                let above = self.blocks[end - 1].bottom;
                self.blocks[end] = Block {
                    up: u64::MAX,
                    down: 0,
                    bottom: above + self.rows_of(end),
                };
                end += 1;
            }
            self.advance(symbol, first, end);
            // Within a block the value of a cell is at least that of the last cell minus the number of rows between
            // them.
            let is_far = |block: usize| self.blocks[block].bottom > self.most + self.rows_of(block) - 1;
            while end > first && is_far(end - 1) {
                end -= 1;
            }
            while end > first && is_far(first) {
                first += 1;
            }
            if end <= first {
                return None;
            }
            // Each remaining symbol lowers the distance by at most one.
            let left = text.len() - column - 1;
            if end > final_block && self.blocks[final_block].bottom > self.most + left {
                return None;
            }
        }
        let distance = self.blocks[final_block].bottom;
        (end > final_block && distance <= self.most).then_some(distance)
    }

    /// Moves the blocks `first..end` to the next column, which belongs to `symbol`.
    fn advance(&mut self, symbol: &u64, first: usize, end: usize) {
        // Only blocks in which the symbol occurs have bits; all others have none set.
        let found = self.occurrences.of(*symbol);
        let from = found.partition_point(|(block, _)| (*block as usize) < first);
        let found = &found[from..];
        let found = &found[..found.partition_point(|(block, _)| (*block as usize) < end)];
        // `bits` is filled for one column and cleared afterwards, which costs as much as the symbol occurs.
        for (block, bits) in found {
            self.bits[*block as usize] = *bits;
        }
        // The cell above the first block is in row 0, or in a block that is no longer computed. In both cases it is one
        // more than the cell to its left.
        let mut carry = Carry::Up;
        for number in first..end {
            let at = self.rows_of(number) - 1;
            carry = self.blocks[number].advance(self.bits[number], carry, at);
        }
        for (block, _) in found {
            self.bits[*block as usize] = 0;
        }
    }
}

/// The places of every symbol in a pattern, as bits. Only blocks that contain the symbol are stored, so memory is
/// linear in the length of the pattern.
struct Occurrences {
    /// The distinct symbols, ascending.
    symbols: Vec<u64>,
    /// The start of each symbol's entries, and the end of the last symbol's.
    begins: Vec<u32>,
    /// Block numbers, ascending for each symbol, each with the bits of the places in the block.
    entries: Vec<(u32, u64)>,
}

impl Occurrences {
    fn new(pattern: &[u64]) -> Self {
        let mut places: Vec<(u64, u32)> = pattern.iter().copied().zip(0..).collect();
        // By symbol, then by place, so that the entries of a symbol ascend.
        places.sort_unstable();
        let (mut symbols, mut begins) = (Vec::new(), Vec::new());
        let mut entries: Vec<(u32, u64)> = Vec::new();
        for (symbol, place) in places {
            let (block, bit) = (place / 64, 1 << (place % 64));
            let is_new = symbols.last() != Some(&symbol);
            if is_new {
                symbols.push(symbol);
                begins.push(narrow::to_u32(entries.len()));
            }
            match entries.last_mut().filter(|(last, _)| !is_new && *last == block) {
                Some((_, bits)) => *bits |= bit,
                None => entries.push((block, bit)),
            }
        }
        begins.push(narrow::to_u32(entries.len()));
        Self {
            symbols,
            begins,
            entries,
        }
    }

    /// The blocks that contain a symbol, each with the bits of its places. Empty if the symbol does not occur.
    fn of(&self, symbol: u64) -> &[(u32, u64)] {
        match self.symbols.binary_search(&symbol) {
            Ok(row) => &self.entries[self.begins[row] as usize..self.begins[row + 1] as usize],
            Err(_) => &[],
        }
    }
}

/// 64 cells of a column. `up` and `down` mark cells whose distance is one more or one less than in the cell above.
#[derive(Clone, Copy)]
struct Block {
    up: u64,
    down: u64,
    /// The distance in the last cell.
    bottom: usize,
}

/// The change of the distance at the edge of a block from one column to the next.
#[derive(Clone, Copy, PartialEq)]
enum Carry {
    Up,
    Same,
    Down,
}

impl Block {
    /// Moves to the next column. `occurs` holds the places of the text's symbol in the pattern, `above` the change of
    /// the cell above the block. Returns the change of the cell at bit `at`.
    fn advance(&mut self, occurs: u64, above: Carry, at: usize) -> Carry {
        let Self { up, down, .. } = *self;
        // The bit-parallel recurrences: a few operations compute all 64 cells.
        let vertical = occurs | down;
        let occurs = occurs | u64::from(above == Carry::Down);
        // The addition carries a match up through a run of `up` cells, as in Myers' paper.
        let equal = ((occurs & up).wrapping_add(up) ^ up) | occurs;
        let more = down | !(equal | up);
        let less = up & equal;
        // Only the last row of the block changes `bottom`; the last block may have fewer than 64 rows.
        let carry = if more >> at & 1 == 1 {
            self.bottom += 1;
            Carry::Up
        } else if less >> at & 1 == 1 {
            self.bottom -= 1;
            Carry::Down
        } else {
            Carry::Same
        };
        // The changes of the cells above enter each cell, that of the block above enters the first.
        let more = more << 1 | u64::from(above == Carry::Up);
        let less = less << 1 | u64::from(above == Carry::Down);
        self.up = less | !(vertical | more);
        self.down = more & vertical;
        carry
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::strategy::Strategy;

    use super::*;

    /// The distance by the full table, cell by cell.
    fn by_table(a: &[u64], b: &[u64]) -> usize {
        let mut row: Vec<usize> = (0..=b.len()).collect();
        for (i, x) in a.iter().enumerate() {
            let mut diagonal = std::mem::replace(&mut row[0], i + 1);
            for (j, y) in b.iter().enumerate() {
                let above = row[j + 1];
                row[j + 1] = (above + 1).min(row[j] + 1).min(diagonal + usize::from(x != y));
                diagonal = above;
            }
        }
        row[b.len()]
    }

    /// A document of several blocks with an alphabet of random size, and a second one that is edited from it or
    /// unrelated.
    fn documents() -> impl Strategy<Value = (Vec<u64>, Vec<u64>)> {
        let edits = prop::collection::vec((0_u8..4, any::<prop::sample::Index>(), 0..4_u64), 0..120);
        (1..400_u64, 0..700_usize, edits, any::<bool>(), any::<u64>()).prop_map(
            |(alphabet, length, edits, is_related, seed)| {
                let mut random = crate::numeric::random::SplitMix64::new(seed);
                let mut words =
                    |length: usize| -> Vec<u64> { (0..length).map(|_| random.number() % alphabet).collect() };
                let a = words(length);
                let mut b = if is_related { a.clone() } else { words(length / 2) };
                for (edit, place, symbol) in edits {
                    let at = place.index(b.len() + 1);
                    match edit {
                        0 => b.insert(at, symbol),
                        // A part is deleted, or moved to the end.
                        1 => drop(b.drain(at..(at + 40).min(b.len()))),
                        2 => b.rotate_left(at),
                        _ if at < b.len() => b[at] = symbol,
                        _ => {}
                    }
                }
                (a, b)
            },
        )
    }

    proptest! {
        #[test]
        fn the_distance_is_that_of_the_table((a, b) in documents(), most in 0..900_usize) {
            let distance = by_table(&a, &b);
            for most in [most, distance.saturating_sub(1), distance, distance + 1, distance + 64] {
                let expected = (distance <= most).then_some(distance);
                prop_assert_eq!(edit_distance(&a, &b, most), expected);
                prop_assert_eq!(edit_distance(&b, &a, most), expected);
            }
        }

        #[test]
        fn fewer_steps_only_lower_the_largest_distance((a, b) in documents(), steps in 0..6000_usize) {
            let (distance, few) = (by_table(&a, &b), distance_in_steps(&a, &b, 2000, steps));
            prop_assert_eq!(few, distance_in_steps(&b, &a, 2000, steps));
            prop_assert!(few.is_none_or(|few| few == distance));
            let (short, long) = without_common_ends(&a, &b);
            if distance <= affordable(short.len().max(long.len()), steps) {
                prop_assert_eq!(few, Some(distance));
            }
        }
    }

    /// Documents of half a million distinct words: a full row of bits per word would need too much memory.
    #[test]
    fn memory_is_linear_in_the_number_of_different_words() {
        let a: Vec<u64> = (0..450_000).collect();
        // Edits are spread over the whole document, but the distance is small.
        let b: Vec<u64> = a
            .iter()
            .map(|word| if word % 5000 == 7 { u64::MAX } else { *word })
            .collect();
        assert_eq!(edit_distance(&a, &b, 1000), Some(90));
        let entries = Occurrences::new(&a).entries;
        assert_eq!(entries.len(), a.len());
    }
}
