//! Phrases that tell what a short line is: `data/classes.tsv`.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};

use crate::label::classes::class::BlockClass;

/// A phrase of the file.
#[derive(Debug)]
struct Phrase {
    class: BlockClass,
    /// Whether it must begin the line.
    begins: bool,
    max_words: u32,
    /// Whether it may stand inside a word, as its script has no spaces.
    unspaced: bool,
}

/// All phrases, in the order of the file.
#[derive(Debug)]
struct Phrases {
    list: Vec<Phrase>,
    /// Missing if the list were too long for one, so that no phrase were found; the tests look for every one.
    automaton: Option<AhoCorasick>,
}

static PHRASES: LazyLock<Phrases> = LazyLock::new(|| {
    let (mut list, mut patterns) = (Vec::new(), Vec::new());
    for line in include_str!("../../../data/classes.tsv").lines() {
        let mut fields = line.split('\t');
        let (Some(class), Some(place), Some(words), Some(phrase)) = (
            fields.next().and_then(BlockClass::find),
            fields.next(),
            fields.next().and_then(|words| words.parse().ok()),
            fields.next(),
        ) else {
            continue;
        };
        list.push(Phrase {
            class,
            begins: place == "starts",
            max_words: words,
            unspaced: phrase.chars().all(|c| c >= '\u{2E80}'),
        });
        patterns.push(phrase);
    }
    let automaton = AhoCorasick::builder()
        .match_kind(MatchKind::Standard)
        .build(&patterns)
        .ok();
    Phrases { list, automaton }
});

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
    let mut best: Option<(usize, Found)> = None;
    let start = line.find(char::is_alphanumeric).unwrap_or(0);
    let all = phrases.automaton.iter();
    for found in all.flat_map(|automaton| automaton.find_overlapping_iter(line)) {
        let number = found.pattern().as_usize();
        let Some(phrase) = phrases.list.get(number) else {
            continue;
        };
        let inside = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let in_word =
            inside(line[..found.start()].chars().next_back()) || inside(line[found.end()..].chars().next());
        if words > phrase.max_words || phrase.begins && found.start() > start || in_word && !phrase.unspaced {
            continue;
        }
        let found = Found {
            class: phrase.class,
            end: found.end(),
        };
        let better = best.is_none_or(|(first, known)| {
            number < first && phrase.class != known.class
                || phrase.class == known.class && found.end > known.end
        });
        if better {
            best = Some((number, found));
        }
    }
    best.map(|(_, found)| found)
}

#[cfg(test)]
mod tests {
    use super::*;

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
