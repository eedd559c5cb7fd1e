//! Shingles: hashes of runs of neighboring words or characters.

use std::ops::Range;

use fearless_simd::Simd;

use crate::numeric::hash::{combine, murmur3, murmur3_inline};
use crate::numeric::hash_lanes::murmur3_eight;
use crate::numeric::lanes::eight_words;
use crate::numeric::radix::sort_hashes;
use crate::strategy::build_error::BuildError;
use crate::text::tokens::Tokens;

/// The unit in which the width of a shingle is counted.
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextUnit {
    /// Words; a shingle joins them by one space.
    Word,
    /// Unicode scalar values of the text, in which one space separates words.
    Char,
}

/// Cuts a document into shingles and hashes each to 64 bits with [`murmur3`], seed 0, over its UTF-8 bytes
/// (Manber 1994; Broder, "On the resemblance and containment of documents", 1997).
///
/// A document with fewer units than the width gives one shingle of its whole text; an empty document gives none.
///
/// ```
/// use dehusk_dedup::{Shingler, Tokens};
///
/// let tokens: Tokens = "a rose is a rose".split(' ').collect();
/// let mut shingles = Vec::new();
/// Shingler::words(2).shingle(&tokens, &mut shingles);
/// assert_eq!(shingles.len(), 3); // `a rose` occurs twice
/// Shingler::words(2).with_bag(true).shingle(&tokens, &mut shingles);
/// assert_eq!(shingles.len(), 4);
/// ```
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shingler {
    unit: TextUnit,
    width: u32,
    bag: bool,
    padded: bool,
}

impl Default for Shingler {
    /// Sets of 4 words (Manning, Raghavan, Schütze, *Introduction to Information Retrieval*, 2008, section 19.6).
    fn default() -> Self {
        Self::words(4)
    }
}

impl Shingler {
    /// Shingles of `width` words, 1 or more, default 4. Broder, Glassman, Manasse and Zweig (1997) used 10. An edit
    /// changes every shingle that it overlaps, so with wider shingles the same edit lowers the similarity more.
    #[must_use]
    pub const fn words(width: u32) -> Self {
        Self {
            unit: TextUnit::Word,
            width,
            bag: false,
            padded: false,
        }
    }

    /// Shingles of `width` characters, 1 or more. Widths of 5 for short documents and 10 for long ones keep the number
    /// of shingles that occur in most documents small.
    #[must_use]
    pub const fn chars(width: u32) -> Self {
        Self {
            unit: TextUnit::Char,
            width,
            bag: false,
            padded: false,
        }
    }

    /// Whether repeated shingles count (default no). If they do, the second occurrence of a shingle becomes a distinct
    /// shingle, the third another one, and so on, so that the Jaccard similarity of the results is that of the bags.
    #[must_use]
    pub const fn with_bag(mut self, bag: bool) -> Self {
        self.bag = bag;
        self
    }

    /// Whether character shingles include one space before and one after the document (default no). With padding, the
    /// first and the last characters of short records weigh as much as the others.
    #[must_use]
    pub const fn with_padding(mut self, padded: bool) -> Self {
        self.padded = padded;
        self
    }

    /// The unit of shingles.
    #[must_use]
    pub const fn unit(&self) -> TextUnit {
        self.unit
    }

    /// Number of units in a shingle.
    #[must_use]
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Whether repeated shingles count.
    #[must_use]
    pub const fn bag(&self) -> bool {
        self.bag
    }

    /// An error if the width is 0.
    pub(crate) fn check(&self) -> Result<(), BuildError> {
        if self.width == 0 {
            return Err(BuildError::value("shingle", "0", "1 or more units in a shingle"));
        }
        Ok(())
    }

    /// Writes the shingles of a document to `out`, ascending and without repetitions. Earlier contents of `out` are
    /// dropped.
    pub fn shingle(&self, tokens: &Tokens, out: &mut Vec<u64>) {
        self.list(tokens, out);
        sort_hashes(out);
        if self.bag {
            number_repetitions(out);
            // Numbered repetitions are out of order.
            out.sort_unstable();
        }
        out.dedup();
    }

    /// Writes the shingles of a document to `out` in document order, with repetitions. Earlier contents of `out` are
    /// dropped.
    pub fn list(&self, tokens: &Tokens, out: &mut Vec<u64>) {
        out.clear();
        let width = self.width.max(1) as usize;
        match self.unit {
            TextUnit::Word => list_words(tokens, width, out),
            // An empty document stays empty: padding alone would make a shingle of spaces.
            TextUnit::Char if self.padded && !tokens.is_empty() => {
                list_chars(&format!(" {} ", tokens.text()), width, out);
            }
            TextUnit::Char => list_chars(tokens.text(), width, out),
        }
    }
}

fn list_words(tokens: &Tokens, width: usize, out: &mut Vec<u64>) {
    match eight_words() {
        Some(simd) => simd.vectorize(
            #[inline(always)]
            || list_words_by_eight(simd, tokens, width, out),
        ),
        None => list_words_singly(tokens, width, out),
    }
}

fn list_words_singly(tokens: &Tokens, width: usize, out: &mut Vec<u64>) {
    let text = tokens.text().as_bytes();
    out.extend(windows(tokens, width).map(|window| murmur3_inline(&text[window], 0)));
}

/// [`list_words_singly`], eight windows at a time. Every window except the first begins after the space that follows a
/// word.
#[inline(always)]
fn list_words_by_eight<S: Simd>(simd: S, tokens: &Tokens, width: usize, out: &mut Vec<u64>) {
    // A window ends with its last word, so the first window ends with word number `width - 1`.
    let ends = tokens.ends().get(width.max(1) - 1..).unwrap_or_default();
    let Some((&first, ends)) = ends.split_first().filter(|(_, ends)| ends.len() >= 8) else {
        return list_words_singly(tokens, width, out);
    };
    let text = tokens.text().as_bytes();
    // Window `i + 1` begins after word `i`, so the places before windows are the ends of words.
    let befores = &tokens.ends()[..ends.len()];
    out.push(murmur3_inline(&text[..first], 0));
    // The lengths are known, so hashes are written in place.
    out.resize(1 + ends.len(), 0);
    let (eights, rest) = out[1..].as_chunks_mut::<8>();
    let (all_befores, all_ends) = (befores.as_chunks().0, ends.as_chunks().0);
    for ((befores, ends), hashes) in all_befores.iter().zip(all_ends).zip(eights) {
        *hashes = murmur3_eight(simd, text, befores, ends);
    }
    // The last windows are hashed in a full group of eight, together with some that are hashed already.
    if !rest.is_empty()
        && let (Some(befores), Some(ends)) = (befores.last_chunk(), ends.last_chunk())
        && let Some(hashes) = out.last_chunk_mut()
    {
        *hashes = murmur3_eight(simd, text, befores, ends);
    }
}

/// Visits the text of every `width` neighboring words joined by one space, or of all words if there are fewer.
pub(crate) fn for_each_window(tokens: &Tokens, width: usize, mut visit: impl FnMut(&[u8])) {
    let text = tokens.text().as_bytes();
    windows(tokens, width).for_each(|window| visit(&text[window]));
}

/// The byte ranges of every `width` neighboring words, or of all words if there are fewer. Ranges point into the
/// document's text, so no shingle is copied.
fn windows(tokens: &Tokens, width: usize) -> impl Iterator<Item = Range<usize>> {
    let ends = tokens.ends();
    // A document shorter than the width has one window of all its words.
    let last = ends
        .get(width.clamp(1, ends.len().max(1)) - 1..)
        .unwrap_or_default();
    // A window begins one byte after the end of the word before it: past the space.
    let starts = std::iter::once(0).chain(ends.iter().map(|end| end + 1));
    last.iter().zip(starts).map(|(&end, start)| start..end)
}

fn list_chars(text: &str, width: usize, out: &mut Vec<u64>) {
    if text.is_empty() {
        return;
    }
    let starts = || text.char_indices().map(|(start, _)| start);
    // Each window ends where the character `width` places later starts; the last one ends with the text.
    let ends = starts().skip(width).chain([text.len()]);
    out.extend(
        starts()
            .zip(ends)
            .map(|(start, end)| murmur3(&text.as_bytes()[start..end], 0)),
    );
}

/// Makes the repetitions in a sorted list distinct: the second `x` becomes a hash of `x` and 1, the third a hash of `x`
/// and 2.
fn number_repetitions(sorted: &mut [u64]) {
    let mut previous = None;
    let mut repetition = 0;
    for shingle in sorted {
        repetition = if previous == Some(*shingle) {
            repetition + 1
        } else {
            0
        };
        // Compared before the shingle is changed, because the next repetition must still find the original.
        previous = Some(*shingle);
        if repetition > 0 {
            *shingle = combine(*shingle, repetition);
        }
    }
}

#[cfg(test)]
mod tests {
    use fearless_simd::{Level, dispatch};

    use super::*;
    use crate::worked_examples::{example, hex, list, text};

    fn words(text: &str) -> Tokens {
        text.split_whitespace().collect()
    }

    fn set(shingler: Shingler, text: &str) -> Vec<u64> {
        let mut out = vec![1, 2, 3];
        shingler.shingle(&words(text), &mut out);
        out
    }

    fn hashes<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<u64> {
        let mut hashes: Vec<u64> = texts
            .into_iter()
            .map(|text| murmur3(text.as_bytes(), 0))
            .collect();
        hashes.sort_unstable();
        hashes.dedup();
        hashes
    }

    #[test]
    fn word_shingles() {
        let rose = example("word_shingles_rose");
        let expected = list(&rose["expected"]["list"]);
        let mut shingles = Vec::new();
        Shingler::words(4).list(&words(text(&rose["input"])), &mut shingles);
        assert_eq!(
            shingles,
            expected
                .iter()
                .map(|shingle| murmur3(text(shingle).as_bytes(), 0))
                .collect::<Vec<_>>()
        );
        let found = set(Shingler::words(4), text(&rose["input"]));
        assert_eq!(found.len() as u64, rose["expected"]["distinct"]);

        let hashed = example("shingle_hash64");
        let mut expected: Vec<u64> = list(&hashed["expected"]).iter().map(hex).collect();
        expected.sort_unstable();
        assert_eq!(found, expected);
    }

    #[test]
    fn character_shingles() {
        let abcab = example("char_shingles_abcab");
        let expected = list(&abcab["expected"]["set"]);
        assert_eq!(
            set(Shingler::chars(2), "abcab"),
            hashes(expected.iter().map(text))
        );
        assert_eq!(set(Shingler::chars(2).with_bag(true), "abcab").len(), 4);
        assert_eq!(set(Shingler::chars(2).with_padding(true), "ab").len(), 3);

        let slide = example("char_shingles_slide");
        let mut shingles = Vec::new();
        Shingler::chars(10).list(&words(text(&slide["input"])), &mut shingles);
        assert_eq!(shingles.len() as u64, slide["expected"]["count"]);
        for (found, expected) in shingles.iter().zip(list(&slide["expected"]["first7"])) {
            assert_eq!(*found, murmur3(text(expected).replace('_', " ").as_bytes(), 0));
        }
    }

    #[test]
    fn windows_are_hashed_alike_one_by_one_and_side_by_side() {
        for words in 0..60 {
            // Words of 1 to 40 bytes.
            let tokens: Tokens = (0..words)
                .map(|word| &"abcdefghijklmnopqrstuvwxyz0123456789-+*/"[word * word * 7 % 40..])
                .collect();
            for width in [0, 1, 2, 3, 7, 100] {
                let mut expected = Vec::new();
                list_words_singly(&tokens, width, &mut expected);
                for level in [Level::new(), Level::baseline()] {
                    let mut found = Vec::new();
                    dispatch!(level, simd => list_words_by_eight(simd, &tokens, width, &mut found));
                    assert_eq!(found, expected, "{words} words, {width} in a window");
                }
            }
        }
    }

    #[test]
    fn short_documents_give_one_shingle() {
        let short = example("shingles_short_doc");
        for (input, expected) in list(&short["input"]).iter().zip(list(&short["expected"])) {
            let expected = hashes(list(expected).iter().map(text));
            assert_eq!(set(Shingler::words(3), text(input)), expected);
            if text(input).len() < 20 {
                assert_eq!(set(Shingler::chars(20), text(input)), expected);
            }
        }
        assert!(set(Shingler::chars(3).with_padding(true), "").is_empty());
    }

    #[test]
    fn bags_count_repetitions() {
        let bag = Shingler::words(1).with_bag(true);
        let (a, b) = (set(bag, "x x x y"), set(bag, "x x y y"));
        assert_eq!((a.len(), b.len()), (4, 4));
        let common = a.iter().filter(|shingle| b.contains(shingle)).count();
        assert_eq!(common, 3, "x, second x, y");
    }
}
