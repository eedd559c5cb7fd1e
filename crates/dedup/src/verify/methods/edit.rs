//! Edit distance.

use crate::numeric::hash::murmur3;
use crate::sign::method::Method;
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::{Parameter, Strategy};
use crate::strategy::value::choice;
use crate::text::document::{Context, Document};
use crate::text::shingle::TextUnit;
use crate::verify::similarity::{Comparer, Similarity};

/// Edit similarity: `1 - distance / longer length`, where the distance is the number of insertions, deletions and
/// substitutions of words or characters (Wagner, Fischer 1974). Order matters, as it does not for sets.
///
/// Computed 64 cells at a time (Myers, "A fast bit-vector algorithm for approximate string matching", 1999, in the form of
/// Hyyrö 2004), and left as soon as the threshold is out of reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edit {
    unit: TextUnit,
}

impl Edit {
    /// The defaults: over words.
    pub const DEFAULT: Self = Self { unit: TextUnit::Word };

    /// The unit that is inserted, deleted and substituted, default [`TextUnit::Word`]. Characters cost the square of their number.
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
    /// Hashes of words, or scalar values of characters.
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
        // Rounded up, so that rounding loses no pair.
        let most = ((1.0 - at_least) * longer as f64 + 1e-6) as usize;
        let similarity = 1.0 - edit_distance(a, b, most)? as f64 / longer as f64;
        (similarity >= at_least).then_some(similarity)
    }
}

/// The number of insertions, deletions and substitutions that make `b` of `a`; none if it is more than `most`.
#[must_use]
pub fn edit_distance(a: &[u64], b: &[u64], most: usize) -> Option<usize> {
    let (pattern, text) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if text.len() - pattern.len() > most {
        return None;
    }
    if pattern.is_empty() {
        return Some(text.len());
    }
    let occurrences = Occurrences::new(pattern);
    let mut blocks = vec![
        Block {
            up: u64::MAX,
            down: 0
        };
        pattern.len().div_ceil(64)
    ];
    let last_bit = (pattern.len() - 1) % 64;
    // The distance of the whole pattern from the text so far.
    let mut distance = pattern.len();
    for (place, symbol) in text.iter().enumerate() {
        // The first row of the table ascends by one with every symbol of the text.
        let mut carry = Carry::Up;
        let bits = occurrences.of(*symbol);
        let last = blocks.len() - 1;
        for (number, block) in blocks.iter_mut().enumerate() {
            let at = if number == last { last_bit } else { 63 };
            carry = block.advance(bits.map_or(0, |bits| bits[number]), carry, at);
        }
        match carry {
            Carry::Up => distance += 1,
            Carry::Down => distance -= 1,
            Carry::Same => {}
        }
        // Each symbol left can lower the distance by one at most.
        if distance > most + (text.len() - place - 1) {
            return None;
        }
    }
    (distance <= most).then_some(distance)
}

/// For every symbol of a pattern, the bits of the places where it occurs.
struct Occurrences {
    blocks: usize,
    /// Ascending.
    symbols: Vec<u64>,
    bits: Vec<u64>,
}

impl Occurrences {
    fn new(pattern: &[u64]) -> Self {
        let mut symbols = pattern.to_vec();
        symbols.sort_unstable();
        symbols.dedup();
        let blocks = pattern.len().div_ceil(64);
        let mut bits = vec![0; symbols.len() * blocks];
        for (place, symbol) in pattern.iter().enumerate() {
            if let Ok(row) = symbols.binary_search(symbol) {
                bits[row * blocks + place / 64] |= 1 << (place % 64);
            }
        }
        Self {
            blocks,
            symbols,
            bits,
        }
    }

    fn of(&self, symbol: u64) -> Option<&[u64]> {
        let row = self.symbols.binary_search(&symbol).ok()?;
        Some(&self.bits[row * self.blocks..(row + 1) * self.blocks])
    }
}

/// 64 cells of a column of the table: where the distance is one more, or one less, than in the cell above.
#[derive(Clone, Copy)]
struct Block {
    up: u64,
    down: u64,
}

/// How the distance at the edge of a block changes from one column to the next.
#[derive(Clone, Copy, PartialEq)]
enum Carry {
    Up,
    Same,
    Down,
}

impl Block {
    /// Moves to the next column, given where the text's symbol occurs in the pattern and how the cell above the block
    /// changes; returns how the cell at the bit `at` changes.
    fn advance(&mut self, occurs: u64, above: Carry, at: usize) -> Carry {
        let Self { up, down } = *self;
        let vertical = occurs | down;
        let occurs = occurs | u64::from(above == Carry::Down);
        let equal = ((occurs & up).wrapping_add(up) ^ up) | occurs;
        let more = down | !(equal | up);
        let less = up & equal;
        let carry = if more >> at & 1 == 1 {
            Carry::Up
        } else if less >> at & 1 == 1 {
            Carry::Down
        } else {
            Carry::Same
        };
        let more = more << 1 | u64::from(above == Carry::Up);
        let less = less << 1 | u64::from(above == Carry::Down);
        self.up = less | !(vertical | more);
        self.down = more & vertical;
        carry
    }
}
