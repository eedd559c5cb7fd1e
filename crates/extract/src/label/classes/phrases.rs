//! Phrases that tell what a short line is: `data/classes.tsv`.

use std::ops::Range;
use std::sync::LazyLock;

use crate::analysis::blocks::words::is_alphanumeric;
use crate::label::classes::class::BlockClass;

/// A phrase of the file.
#[derive(Debug)]
struct Phrase {
    text: &'static str,
    class: BlockClass,
    /// Whether it must begin the line.
    begins: bool,
    max_words: u32,
    /// Whether it may stand inside a word, as its script has no spaces.
    unspaced: bool,
}

/// Characters from here on are of scripts without spaces between words.
const UNSPACED: char = '\u{2E80}';

/// All phrases. They are looked for where a word begins, which an automaton for all of them would not do faster, and which is ready at once.
#[derive(Debug)]
struct Phrases {
    /// In the order of the file.
    list: Vec<Phrase>,
    /// Numbers of phrases in the order of their texts.
    sorted: Vec<u16>,
    /// First characters in their order, each with its phrases in `sorted`.
    first: Vec<(char, Range<usize>)>,
}

static PHRASES: LazyLock<Phrases> = LazyLock::new(|| Phrases::read(|_| true));

/// Those that ask readers to subscribe, to follow or to share.
static PROMOTIONS: LazyLock<Phrases> =
    LazyLock::new(|| Phrases::read(|class| class == BlockClass::Promotion));

impl Phrases {
    /// The phrases of the file whose class is wanted.
    fn read(wanted: impl Fn(BlockClass) -> bool) -> Phrases {
        let mut list = Vec::new();
        for line in include_str!("../../../data/classes.tsv").lines() {
            let mut fields = line.split('\t');
            let (Some(class), Some(place), Some(words), Some(text)) = (
                fields
                    .next()
                    .and_then(BlockClass::find)
                    .filter(|class| wanted(*class)),
                fields.next(),
                fields.next().and_then(|words| words.parse().ok()),
                fields.next().filter(|text| !text.is_empty()),
            ) else {
                continue;
            };
            list.push(Phrase {
                text,
                class,
                begins: place == "starts",
                max_words: words,
                unspaced: text.chars().all(|c| c >= UNSPACED),
            });
        }
        Phrases::new(list)
    }

    fn new(list: Vec<Phrase>) -> Phrases {
        let text = |number: u16| list[usize::from(number)].text;
        let mut sorted: Vec<u16> = (0..=u16::MAX).zip(&list).map(|(number, _)| number).collect();
        sorted.sort_unstable_by_key(|&number| (text(number), number));
        let mut first: Vec<(char, Range<usize>)> = Vec::new();
        for (at, c) in sorted
            .iter()
            .map(|&number| text(number).chars().next())
            .enumerate()
        {
            let c = c.unwrap_or_default();
            match first.last_mut() {
                Some((last, range)) if *last == c => range.end = at + 1,
                _ => first.push((c, at..at + 1)),
            }
        }
        Phrases { list, sorted, first }
    }

    /// The numbers of phrases that begin with a character.
    fn with_first(&self, first: char) -> impl Iterator<Item = usize> {
        let range = self.first.binary_search_by_key(&first, |(first, _)| *first);
        let range = range.map_or(0..0, |found| self.first[found].1.clone());
        self.sorted[range].iter().map(|&number| usize::from(number))
    }

    /// The numbers of phrases that a text begins with.
    fn at<'t>(&'t self, text: &'t str) -> impl Iterator<Item = usize> + 't {
        let numbers = self.with_first(text.chars().next().unwrap_or_default());
        numbers.filter(|&number| text.starts_with(self.list[number].text))
    }

    /// Calls `visit` with each phrase that stands in a line where a word begins, or anywhere if its script has no spaces: with its number and
    /// its first byte. One that begins earlier comes first.
    fn each(&self, line: &str, mut visit: impl FnMut(usize, usize)) {
        let mut in_word = false;
        for (at, c) in line.char_indices() {
            if !in_word || c >= UNSPACED {
                for number in self.at(&line[at..]) {
                    visit(number, at);
                }
            }
            in_word = is_alphanumeric(c);
        }
    }
}

/// A phrase that was found in a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Found {
    pub(super) class: BlockClass,
    /// Where it ends, in bytes of the line.
    pub(super) end: usize,
}

/// The first phrase of the file that a line holds, given the line lower-cased and its words. A longer phrase of the same class wins.
pub(super) fn find(line: &str, words: u32) -> Option<Found> {
    let phrases = &*PHRASES;
    let first_word = line.find(is_alphanumeric).unwrap_or(0);
    let mut all: Vec<(usize, usize, usize)> = Vec::new();
    phrases.each(line, |number, start| {
        let phrase = &phrases.list[number];
        let end = start + phrase.text.len();
        let inside = |c: Option<char>| c.is_some_and(is_alphanumeric);
        let in_word = inside(line[..start].chars().next_back()) || inside(line[end..].chars().next());
        if words <= phrase.max_words
            && (!phrase.begins || start <= first_word)
            && (!in_word || phrase.unspaced)
        {
            all.push((end, start, number));
        }
    });
    // Those that end earlier come first, of them the longest.
    all.sort_unstable();
    let mut best: Option<(usize, Found)> = None;
    for (end, _, number) in all {
        let class = phrases.list[number].class;
        let better = best.is_none_or(|(first, known)| {
            number < first && class != known.class || class == known.class && end > known.end
        });
        if better {
            best = Some((number, Found { class, end }));
        }
    }
    best.map(|(_, found)| found)
}

/// Whether a line begins with a phrase that asks readers to subscribe, to follow or to share.
#[allow(unreachable_pub)] // public with the feature only
pub fn begins_as_promotion(line: &str) -> bool {
    let phrases = &*PROMOTIONS;
    let start = line.find(is_alphanumeric).unwrap_or(0);
    let lower = line[start..].chars().flat_map(char::to_lowercase);
    let first = lower.clone().next().unwrap_or_default();
    phrases.with_first(first).any(|number| {
        let phrase = &phrases.list[number];
        let mut rest = lower.clone();
        phrase.text.chars().all(|c| rest.next() == Some(c))
            && (phrase.unspaced || !rest.next().is_some_and(is_alphanumeric))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn promotions_are_told_by_how_they_begin() {
        for phrase in PHRASES.list.iter().filter(|phrase| phrase.begins) {
            if phrase.class == BlockClass::Promotion {
                assert!(begins_as_promotion(&format!("» {}!", phrase.text.to_uppercase())));
            }
        }
        for other in [
            "",
            "Subscribers were told.",
            "He will subscribe to our newsletter",
            "Река вышла из берегов",
        ] {
            assert!(!begins_as_promotion(other), "{other}");
        }
    }

    #[test]
    fn every_line_of_the_file_is_a_phrase_that_is_found() {
        let mut count = 0;
        for line in include_str!("../../../data/classes.tsv").lines() {
            if line.starts_with('#') || line.is_empty() {
                continue;
            }
            let fields: Vec<&str> = line.split('\t').collect();
            let [class, place, words, phrase] = fields[..] else {
                panic!("{line:?} has not four fields")
            };
            assert!(
                BlockClass::find(class).is_some() && matches!(place, "starts" | "contains"),
                "{line:?}"
            );
            assert!(words.parse::<u32>().is_ok_and(|words| words > 0), "{line:?}");
            assert_eq!(phrase, phrase.trim().to_lowercase());
            assert!(find(phrase, 1).is_some(), "{line:?}");
            count += 1;
        }
        assert_eq!(PHRASES.list.len(), count);
    }

    #[test]
    fn phrases_end_with_words_and_have_their_place() {
        let class = |line: &str| find(line, 5).map(|found| found.class);
        assert_eq!(class("by ann lee"), Some(BlockClass::Byline));
        assert_eq!(class("bystanders saw it"), None);
        assert_eq!(class("seen by ann lee"), None);
        assert_eq!(class("— photo: ann lee"), Some(BlockClass::Credit));
        assert_eq!(class("ann lee / getty images"), Some(BlockClass::Credit));
        assert_eq!(class("читайте также: вода уходит"), Some(BlockClass::Related));
        assert_eq!(class("相关阅读河水上涨"), Some(BlockClass::Related));
        assert_eq!(find("by ann lee", 99), None);
    }
}
