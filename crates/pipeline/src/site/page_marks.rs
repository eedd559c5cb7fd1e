//! Sketches of pages, by which layouts are grouped and copies are found.

use dehusk_dedup::verify::resemblance;
use dehusk_dedup::{Shingler, content_hash};
use dehusk_extract::site::Sample;

use crate::kernel::tokens::{Reads, SymbolRule, Tokenizer};
use crate::read::pass::Worker;

/// Maximum number of layout features that a sketch keeps: the smallest hashes.
const MAX_FEATURES: usize = 256;
/// Maximum number of four-word shingles of a main text that a sketch keeps: the smallest hashes.
const MAX_SHINGLES: usize = 128;
/// Minimum resemblance of the page-level main texts of copies, in four-word shingles.
const COPY_RESEMBLANCE: f64 = 0.8;
/// Minimum resemblance of the layout features of pages of one layout.
///
/// In pages of 40 hosts, pages of one layout stay together up to 0.7. Pages of different kinds that share
/// menus begin to separate at 0.5.
pub(crate) const LAYOUT_RESEMBLANCE: f64 = 0.6;

/// Sketch of a set: its hashes in ascending order, or only the smallest hashes of a large set (bottom-k
/// sketch).
#[derive(Clone, Debug, Default)]
pub(crate) struct SetSketch {
    smallest: Vec<u64>,
    /// Whether larger hashes were left out.
    cut: bool,
}

impl SetSketch {
    /// The sketch of hashes that are sorted and unique.
    fn new(mut hashes: Vec<u64>, most: usize) -> Self {
        let cut = hashes.len() > most;
        hashes.truncate(most);
        hashes.shrink_to_fit();
        SetSketch {
            smallest: hashes,
            cut,
        }
    }

    /// Jaccard coefficient of two sets. For large sets it is estimated from the range of hashes that both
    /// sketches cover. Returns 0 if one of the sets is empty.
    pub(crate) fn resemblance(&self, other: &SetSketch) -> f64 {
        // A cut sketch knows its set only up to its largest hash. Beyond the smaller of both bounds, a
        // missing hash may be in the set.
        let last = |sketch: &SetSketch| sketch.smallest.last().copied().filter(|_| sketch.cut);
        let end = last(self).into_iter().chain(last(other)).min();
        let known = |sketch: &SetSketch| {
            end.map_or(sketch.smallest.len(), |end| {
                sketch.smallest.partition_point(|hash| *hash <= end)
            })
        };
        let (a, b) = (&self.smallest[..known(self)], &other.smallest[..known(other)]);
        if a.is_empty() || b.is_empty() {
            return 0.0;
        }
        resemblance(a, b)
    }

    /// Bytes of heap memory.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.smallest[..])
    }
}

/// Sketch of the layout of a page.
pub(crate) fn layout_sketch(sample: &Sample) -> SetSketch {
    SetSketch::new(sample.layout(), MAX_FEATURES)
}

/// Sketches by which a page is compared with other pages of its host.
#[derive(Clone, Debug)]
pub(crate) struct PageMarks {
    /// Layout features; empty once the page is assigned to a layout.
    pub(crate) layout: SetSketch,
    /// Hash of the page-level main text; `None` if the text is empty.
    text: Option<u128>,
    shingles: SetSketch,
    /// Hash of address and text. Equal pages at equal addresses have equal keys. Of several copies, the
    /// page with the smallest key stays.
    pub(crate) key: u128,
}

impl PageMarks {
    /// Whether the main texts are equal or nearly equal.
    pub(crate) fn is_copy(&self, other: &PageMarks) -> bool {
        (self.text.is_some() && self.text == other.text)
            || self.shingles.resemblance(&other.shingles) >= COPY_RESEMBLANCE
    }

    /// Bytes of memory that the marks take.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<PageMarks>() + self.layout.bytes() + self.shingles.bytes()
    }
}

/// Computes the marks of pages, with buffers that are reused.
pub(crate) struct PageMeasure {
    tokenizer: Tokenizer,
    shingler: Shingler,
}

impl PageMeasure {
    /// A measure with empty buffers.
    pub(crate) fn new() -> Self {
        PageMeasure {
            tokenizer: Tokenizer::new(
                dehusk_normalize::Profile::near(),
                Reads::default(),
                SymbolRule::NEVER,
            ),
            shingler: Shingler::default(),
        }
    }

    /// The marks of a parsed page.
    pub(crate) fn marks(&mut self, sample: &Sample) -> PageMarks {
        let text = sample.text_of(&sample.page_level());
        let mut shingles = Vec::new();
        let (tokens, _) = self.tokenizer.read(&text);
        self.shingler.shingle(tokens, &mut shingles);
        PageMarks {
            layout: layout_sketch(sample),
            // Pages without main text are not copies of each other.
            text: (!text.is_empty()).then(|| content_hash(&text)),
            shingles: SetSketch::new(shingles, MAX_SHINGLES),
            key: content_hash(&format!("{}\n{text}", sample.name())),
        }
    }
}

impl Worker for PageMeasure {
    type Sum = ();

    fn take_sum(&mut self) {}

    fn recover(&mut self) {
        // After a panic, the buffers may hold a part of a page.
        *self = PageMeasure::new();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sketches_of_large_sets_estimate_and_those_of_small_ones_are_exact() {
        let set = |range: std::ops::Range<u64>| {
            let mut hashes: Vec<u64> = range
                .map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(17))
                .collect();
            hashes.sort_unstable();
            hashes
        };
        let of = |range, most| SetSketch::new(set(range), most);
        assert!((of(0..9, 9).resemblance(&of(3..12, 9)) - 0.5).abs() < 1e-9);
        let estimate = of(0..9000, 256).resemblance(&of(3000..12_000, 256));
        assert!((estimate - 0.5).abs() < 0.12, "{estimate}");
        // A small set and a large one that contains it.
        assert!(of(0..4, 256).resemblance(&of(0..9000, 256)) < 0.05);
        assert_eq!(SetSketch::default().resemblance(&SetSketch::default()), 0.0);
    }
}
