//! Repetition within one text: lines, paragraphs and n-grams of words, the measures by which collections
//! for language models are filtered.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::ops::Range;

use dehusk_normalize::words;
use xxhash_rust::xxh3::xxh3_64;

use crate::record::Repetition;
use crate::record::document::round;

/// Measures a text of `chars` characters.
pub(crate) fn repetition(text: &str, chars: u64) -> Repetition {
    // An empty text has shares of 0.
    let share = |part: usize| round(part as f64 / chars.max(1) as f64);
    let again = |parts: &mut dyn Iterator<Item = &str>| {
        let mut seen = HashSet::new();
        let again = parts
            .map(str::trim)
            .filter(|part| !part.is_empty() && !seen.insert(*part));
        share(again.map(|part| part.chars().count()).sum())
    };
    let mut grams = Grams::of(text);
    // N-grams grow by one word with each call, so the calls must stay in this order.
    let mut top = |length| share(grams.lengthened(length).top());
    let [top_2_grams, top_3_grams, top_4_grams] = [top(2), top(3), top(4)];
    let mut duplicate = |length| share(grams.lengthened(length).all());
    Repetition {
        duplicate_lines: again(&mut text.lines()),
        duplicate_paragraphs: again(&mut text.split("\n\n")),
        top_2_grams,
        top_3_grams,
        top_4_grams,
        duplicate_5_grams: duplicate(5),
        duplicate_6_grams: duplicate(6),
        duplicate_7_grams: duplicate(7),
        duplicate_8_grams: duplicate(8),
        duplicate_9_grams: duplicate(9),
        duplicate_10_grams: duplicate(10),
    }
}

/// The n-grams that occur at least twice, for one n after another.
struct Grams<'t> {
    text: &'t str,
    words: Vec<(Range<usize>, u64)>,
    length: usize,
    /// Hash and first word of each place, sorted. Only places of n-grams that occur twice are kept: an
    /// n-gram that occurs once cannot be the beginning of a longer one that occurs twice, so that few
    /// places of common texts are left after two steps.
    places: Vec<(u64, u32)>,
}

impl<'t> Grams<'t> {
    fn of(text: &'t str) -> Self {
        let words: Vec<(Range<usize>, u64)> = words(text)
            .map(|range| (range.clone(), xxh3_64(&text.as_bytes()[range])))
            .collect();
        let mut grams = Grams {
            text,
            places: (0_u32..)
                .zip(&words)
                .map(|(place, word)| (word.1, place))
                .collect(),
            words,
            length: 1,
        };
        grams.keep_repeated();
        grams
    }

    /// Extends the n-grams to `length` words, which is one more than before.
    fn lengthened(&mut self, length: usize) -> &Self {
        debug_assert_eq!(length, self.length + 1, "places are lengthened by one word");
        self.length = length;
        let words = &self.words;
        let longer = self.places.iter().filter_map(|&(hash, place)| {
            // The last words of a text begin no longer n-gram.
            let (_, last) = words.get(place as usize + length - 1)?;
            let both = u128::from(hash) << 64 | u128::from(*last);
            Some((xxh3_64(&both.to_le_bytes()), place))
        });
        self.places = longer.collect();
        self.keep_repeated();
        self
    }

    /// Removes the places of n-grams that occur only once.
    fn keep_repeated(&mut self) {
        self.places.sort_unstable();
        let groups = self.places.chunk_by(|a, b| a.0 == b.0);
        let repeated: Vec<(u64, u32)> = groups
            .filter(|group| group.len() > 1)
            .flatten()
            .copied()
            .collect();
        self.places = repeated;
    }

    /// Returns the number of characters of all places of the most frequent n-gram.
    fn top(&self) -> usize {
        let groups = self.places.chunk_by(|a, b| a.0 == b.0);
        let sized = groups.map(|group| (group.len(), self.chars(group.iter().map(|place| place.1))));
        // Among equally frequent n-grams the one with the most characters counts, so the order of hashes
        // has no effect.
        sized
            .min_by_key(|size| Reverse(*size))
            .map_or(0, |(_, chars)| chars)
    }

    /// Returns the number of characters of all places.
    fn all(&self) -> usize {
        let mut places: Vec<u32> = self.places.iter().map(|place| place.1).collect();
        places.sort_unstable();
        self.chars(places.into_iter())
    }

    /// Returns the number of characters of the n-grams at these places, which ascend. Characters of several
    /// n-grams count once.
    fn chars(&self, places: impl Iterator<Item = u32>) -> usize {
        let (mut chars, mut done) = (0, 0);
        for place in places {
            let first = place as usize;
            let (Some(start), Some(end)) = (self.words.get(first), self.words.get(first + self.length - 1))
            else {
                debug_assert!(false, "an n-gram has all its words");
                continue;
            };
            // Characters before `done` belong to an overlapping n-gram and are counted already.
            let part = start.0.start.max(done)..end.0.end;
            done = done.max(end.0.end);
            chars += self.text.get(part).map_or(0, |part| part.chars().count());
        }
        chars
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Repetition {
        repetition(text, text.chars().count() as u64)
    }

    #[test]
    fn only_what_stands_above_counts() {
        let text = "abcd\nefgh\nabcd\n\nabcd\nefgh\n\nabcd\nefgh\n";
        assert_eq!(text.chars().count(), 37);
        // Five of seven lines with four letters each are repetitions, and one of three paragraphs, with nine characters.
        let found = of(text);
        assert_eq!(
            (found.duplicate_lines, found.duplicate_paragraphs),
            (round(20.0 / 37.0), round(9.0 / 37.0))
        );
        assert_eq!(of(""), Repetition::default());
        assert_eq!(of("\n\n \n"), Repetition::default());
        assert_eq!(
            of("no word stands here more often than once"),
            Repetition::default()
        );
    }

    #[test]
    fn n_grams_are_counted_with_all_their_places() {
        // `on we go` three times, `we go` four times.
        let text = "on we go, on we go; on we go. Then we go";
        let found = of(text);
        assert_eq!(found.top_2_grams, round(20.0 / 40.0));
        assert_eq!(found.top_3_grams, round(24.0 / 40.0));
        // Three of them occur twice, all with the same number of characters.
        assert_eq!(
            found.top_4_grams,
            round("we go, on we go; on we".len() as f64 / 40.0)
        );
        // `on we go on we` and `we go on we go` occur twice, and their places overlap. The longest run that occurs twice has 6 words.
        let both = "on we go, on we go; on we".len();
        let five = round((both + " go".len()) as f64 / 40.0);
        assert_eq!(found.duplicate_5_grams, five);
        assert_eq!(found.duplicate_7_grams, 0.0);
    }

    #[test]
    fn a_text_of_one_period_repeats_all_of_itself() {
        let text = ["word"; 400].join(" ");
        let found = of(&text);
        assert_eq!((found.top_2_grams, found.duplicate_10_grams), (1.0, 1.0));
        assert_eq!(found.duplicate_lines, 0.0);
    }
}
