//! Stop words.

use std::sync::LazyLock;

use crate::error::UnknownName;
use crate::list::{ListError, entries};

/// A set of function words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StopWords {
    /// Sorted, without repetitions.
    words: Vec<Box<str>>,
}

/// The lists that come with the crate: the code of the language, and its words when they were first asked for.
static ALL: [(&str, LazyLock<StopWords>); 29] = [
    (
        "ar",
        LazyLock::new(|| bundled(include_str!("../data/stop/ar.txt"))),
    ),
    (
        "be",
        LazyLock::new(|| bundled(include_str!("../data/stop/be.txt"))),
    ),
    (
        "bg",
        LazyLock::new(|| bundled(include_str!("../data/stop/bg.txt"))),
    ),
    (
        "cs",
        LazyLock::new(|| bundled(include_str!("../data/stop/cs.txt"))),
    ),
    (
        "da",
        LazyLock::new(|| bundled(include_str!("../data/stop/da.txt"))),
    ),
    (
        "de",
        LazyLock::new(|| bundled(include_str!("../data/stop/de.txt"))),
    ),
    (
        "el",
        LazyLock::new(|| bundled(include_str!("../data/stop/el.txt"))),
    ),
    (
        "en",
        LazyLock::new(|| bundled(include_str!("../data/stop/en.txt"))),
    ),
    (
        "es",
        LazyLock::new(|| bundled(include_str!("../data/stop/es.txt"))),
    ),
    (
        "fa",
        LazyLock::new(|| bundled(include_str!("../data/stop/fa.txt"))),
    ),
    (
        "fi",
        LazyLock::new(|| bundled(include_str!("../data/stop/fi.txt"))),
    ),
    (
        "fr",
        LazyLock::new(|| bundled(include_str!("../data/stop/fr.txt"))),
    ),
    (
        "he",
        LazyLock::new(|| bundled(include_str!("../data/stop/he.txt"))),
    ),
    (
        "hu",
        LazyLock::new(|| bundled(include_str!("../data/stop/hu.txt"))),
    ),
    (
        "id",
        LazyLock::new(|| bundled(include_str!("../data/stop/id.txt"))),
    ),
    (
        "it",
        LazyLock::new(|| bundled(include_str!("../data/stop/it.txt"))),
    ),
    (
        "ja",
        LazyLock::new(|| bundled(include_str!("../data/stop/ja.txt"))),
    ),
    (
        "nl",
        LazyLock::new(|| bundled(include_str!("../data/stop/nl.txt"))),
    ),
    (
        "no",
        LazyLock::new(|| bundled(include_str!("../data/stop/no.txt"))),
    ),
    (
        "pl",
        LazyLock::new(|| bundled(include_str!("../data/stop/pl.txt"))),
    ),
    (
        "pt",
        LazyLock::new(|| bundled(include_str!("../data/stop/pt.txt"))),
    ),
    (
        "ro",
        LazyLock::new(|| bundled(include_str!("../data/stop/ro.txt"))),
    ),
    (
        "ru",
        LazyLock::new(|| bundled(include_str!("../data/stop/ru.txt"))),
    ),
    (
        "sv",
        LazyLock::new(|| bundled(include_str!("../data/stop/sv.txt"))),
    ),
    (
        "th",
        LazyLock::new(|| bundled(include_str!("../data/stop/th.txt"))),
    ),
    (
        "tr",
        LazyLock::new(|| bundled(include_str!("../data/stop/tr.txt"))),
    ),
    (
        "uk",
        LazyLock::new(|| bundled(include_str!("../data/stop/uk.txt"))),
    ),
    (
        "vi",
        LazyLock::new(|| bundled(include_str!("../data/stop/vi.txt"))),
    ),
    (
        "zh",
        LazyLock::new(|| bundled(include_str!("../data/stop/zh.txt"))),
    ),
];

/// A list of ours; a test reads them all.
fn bundled(text: &str) -> StopWords {
    StopWords::parse(text).unwrap_or_default()
}

impl StopWords {
    /// The languages that come with a list, as ISO 639-1 codes, in alphabetical order.
    pub fn languages() -> impl Iterator<Item = &'static str> {
        ALL.iter().map(|(code, _)| *code)
    }

    /// The list of a language.
    ///
    /// # Errors
    /// If there is none; the error names the languages that have one.
    pub fn for_language(code: &str) -> Result<&'static Self, UnknownName> {
        let known = ALL.iter().find(|(known, _)| *known == code);
        known
            .map(|(_, list)| &**list)
            .ok_or_else(|| UnknownName::new("stop word language", code, Self::languages().collect()))
    }

    /// Reads a list: words between white space, in lower case; `#` begins a comment. ё counts as е.
    ///
    /// # Errors
    /// If a word is not in lower case, or a section begins; the error names the line.
    pub fn parse(text: &str) -> Result<Self, ListError> {
        let mut words: Vec<Box<str>> = entries(text, &[])?
            .into_iter()
            .map(|(_, word)| word.replace('ё', "е").into())
            .collect();
        words.sort_unstable();
        words.dedup();
        Ok(Self { words })
    }

    /// True if `token` is in the list. Tokens are compared as they are: in lower case, with е for ё, as the profile `near`
    /// has them. `O(log n)`.
    #[must_use]
    pub fn contains(&self, token: &str) -> bool {
        self.words.binary_search_by(|word| (**word).cmp(token)).is_ok()
    }

    /// The words, in the order of their code points.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(|word| &**word)
    }

    /// Number of words.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// True if no word is in the list.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bundled_lists_are_read_whole() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/data/stop");
        let mut files: Vec<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        files.sort();
        let codes: Vec<_> = files
            .iter()
            .map(|path| path.file_stem().unwrap().to_str().unwrap())
            .collect();
        assert_eq!(codes, StopWords::languages().collect::<Vec<_>>());
        for (code, path) in codes.into_iter().zip(&files) {
            let list = StopWords::for_language(code).unwrap();
            assert_eq!(
                *list,
                StopWords::parse(&std::fs::read_to_string(path).unwrap()).unwrap()
            );
            let least = match code {
                "ru" => 300,
                "en" => 200,
                _ => 50,
            };
            assert!(list.len() > least, "{code} {}", list.len());
            assert!(!list.is_empty() && list.iter().count() == list.len());
        }
    }

    #[test]
    fn function_words_are_in_and_others_out() {
        let russian = StopWords::for_language("ru").unwrap();
        let english = StopWords::for_language("en").unwrap();
        assert!(
            ["и", "в", "не", "еще", "которых"]
                .iter()
                .all(|word| russian.contains(word))
        );
        assert!(
            ["the", "of", "don't", "don", "t"]
                .iter()
                .all(|word| english.contains(word))
        );
        assert!(["дом", "время", "the"].iter().all(|word| !russian.contains(word)));
        assert!(
            ["house", "time", "и", ""]
                .iter()
                .all(|word| !english.contains(word))
        );
    }

    #[test]
    fn bad_lists_and_languages_are_refused() {
        assert_eq!(
            StopWords::parse("a\nThe").unwrap_err().to_string(),
            "line 2: `The` is not in lower case"
        );
        assert_eq!(StopWords::parse("[x]").unwrap_err().line(), 1);
        let error = StopWords::for_language("xx").unwrap_err().to_string();
        assert!(
            error.starts_with("unknown stop word language `xx`; known: ar, be, "),
            "{error}"
        );
    }
}
