//! Shingles: hashes of runs of neighboring words or characters.

use crate::numeric::hash::{combine, murmur3};
use crate::numeric::radix::sort_hashes;
use crate::strategy::build_error::BuildError;
use crate::text::tokens::Tokens;
use crate::text::word_shingles::list_words;

/// The units that a text is a sequence of.
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextUnit {
    /// Words, joined by one space.
    Word,
    /// Unicode scalar values of the words joined by one space.
    Char,
}

/// Cuts a document into shingles and hashes each to 64 bits (Manber 1994; Broder, "On the resemblance and containment of
/// documents", 1997).
///
/// Shingles of characters are hashed with [`murmur3`], seed 0, over their UTF-8 bytes. Of shingles of words each word is hashed
/// once, and the hashes of its words are combined: that takes less than half of the time, and is as rarely equal for unequal shingles.
///
/// A document with fewer units than a shingle takes gives one shingle of all it has; an empty one gives none.
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
    /// Shingles of `width` words, 1 or more, default 4. Broder, Glassman, Manasse and Zweig (1997) took 10: wide
    /// shingles change with more of their surroundings, so the same edits lower the similarity more.
    #[must_use]
    pub const fn words(width: u32) -> Self {
        Self {
            unit: TextUnit::Word,
            width,
            bag: false,
            padded: false,
        }
    }

    /// Shingles of `width` characters, 1 or more. Take 5 for short documents and 10 for long ones, so that few shingles
    /// occur in most documents.
    #[must_use]
    pub const fn chars(width: u32) -> Self {
        Self {
            unit: TextUnit::Char,
            width,
            bag: false,
            padded: false,
        }
    }

    /// Whether repeated shingles count (default no): the second occurrence of a shingle then becomes a shingle of its
    /// own, the third another, so that Jaccard of the results is Jaccard of the bags.
    #[must_use]
    pub const fn with_bag(mut self, bag: bool) -> Self {
        self.bag = bag;
        self
    }

    /// Whether character shingles see one space before and after the document (default no), which gives the first and
    /// the last characters of short records the weight of the others.
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

    /// Units in a shingle.
    #[must_use]
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Whether repeated shingles count.
    #[must_use]
    pub const fn bag(&self) -> bool {
        self.bag
    }

    /// Rejects a width of 0.
    pub(crate) fn check(&self) -> Result<(), BuildError> {
        if self.width == 0 {
            return Err(BuildError::value("shingle", "0", "1 or more units in a shingle"));
        }
        Ok(())
    }

    /// Writes the shingles of a document to `out`, sorted and without repetitions; earlier contents of `out` are dropped.
    pub fn shingle(&self, tokens: &Tokens, out: &mut Vec<u64>) {
        self.list(tokens, out);
        sort_hashes(out);
        if self.bag {
            number_repetitions(out);
            out.sort_unstable();
        }
        out.dedup();
    }

    /// Writes the shingles of a document to `out` in document order, with repetitions.
    pub fn list(&self, tokens: &Tokens, out: &mut Vec<u64>) {
        out.clear();
        let width = self.width.max(1) as usize;
        match self.unit {
            TextUnit::Word => list_words(tokens, width, out),
            TextUnit::Char if self.padded && !tokens.is_empty() => {
                list_chars(&format!(" {} ", tokens.text()), width, out);
            }
            TextUnit::Char => list_chars(tokens.text(), width, out),
        }
    }
}

/// Visits every `width` neighboring words joined by one space, or all words if there are fewer.
pub(crate) fn for_each_window(tokens: &Tokens, width: usize, visit: impl FnMut(&[u8])) {
    windows(tokens, width).for_each(visit);
}

/// Every `width` neighboring words joined by one space, or all words if there are fewer. They are windows of the
/// document's text: no shingle is built as a string.
fn windows(tokens: &Tokens, width: usize) -> impl Iterator<Item = &[u8]> {
    let bytes = tokens.text().as_bytes();
    let ends = tokens.ends();
    let last = ends
        .get(width.clamp(1, ends.len().max(1)) - 1..)
        .unwrap_or_default();
    // A window begins past the space after the word before it.
    let starts = std::iter::once(0).chain(ends.iter().map(|end| end + 1));
    last.iter().zip(starts).map(|(&end, start)| &bytes[start..end])
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

/// Makes the repetitions in a sorted list distinct: the second `x` becomes a hash of `x` and 1, the third of `x` and 2.
fn number_repetitions(sorted: &mut [u64]) {
    let mut previous = None;
    let mut repetition = 0;
    for shingle in sorted {
        repetition = if previous == Some(*shingle) {
            repetition + 1
        } else {
            0
        };
        previous = Some(*shingle);
        if repetition > 0 {
            *shingle = combine(*shingle, repetition);
        }
    }
}

#[cfg(test)]
mod tests {
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
        let (input, expected) = (words(text(&rose["input"])), list(&rose["expected"]["list"]));
        let (mut windows, mut shingles) = (Vec::new(), Vec::new());
        for_each_window(&input, 4, |window| windows.push(window.to_owned()));
        assert!(
            windows
                .iter()
                .eq(expected.iter().map(|shingle| text(shingle).as_bytes()))
        );
        Shingler::words(4).list(&input, &mut shingles);
        assert_eq!(shingles.len(), windows.len());
        for (a, hash) in windows.iter().zip(&shingles) {
            for (b, other) in windows.iter().zip(&shingles) {
                assert_eq!(a == b, hash == other);
            }
        }
        let found = set(Shingler::words(4), text(&rose["input"]));
        assert_eq!(found.len() as u64, rose["expected"]["distinct"]);

        let hashed = example("shingle_hash64");
        let hashes: Vec<u64> = windows[..3].iter().map(|window| murmur3(window, 0)).collect();
        assert!(
            hashes
                .iter()
                .copied()
                .eq(list(&hashed["expected"]).iter().map(hex))
        );
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
    fn short_documents_give_one_shingle() {
        let short = example("shingles_short_doc");
        for (input, expected) in list(&short["input"]).iter().zip(list(&short["expected"])) {
            let (input, expected) = (text(input), list(expected));
            let count = words(input).len() as u32;
            assert_eq!(set(Shingler::words(3), input), set(Shingler::words(count), input));
            assert_eq!(set(Shingler::words(3), input).len(), expected.len());
            if input.len() < 20 {
                let expected = hashes(expected.iter().map(text));
                assert_eq!(set(Shingler::chars(20), input), expected);
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
