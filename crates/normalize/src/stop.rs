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

static RUSSIAN: LazyLock<StopWords> = LazyLock::new(|| bundled(include_str!("../../../rules/stop/ru.txt")));
static ENGLISH: LazyLock<StopWords> = LazyLock::new(|| bundled(include_str!("../../../rules/stop/en.txt")));

/// A list of ours; a test reads them all.
fn bundled(text: &str) -> StopWords {
    StopWords::parse(text).unwrap_or_default()
}

impl StopWords {
    /// The languages that come with a list, as ISO 639-1 codes.
    pub const LANGUAGES: &'static [&'static str] = &["en", "ru"];

    /// The list of a language.
    ///
    /// # Errors
    /// If there is none; the error names the languages that have one.
    pub fn for_language(code: &str) -> Result<&'static Self, UnknownName> {
        match code {
            "en" => Ok(&ENGLISH),
            "ru" => Ok(&RUSSIAN),
            _ => Err(UnknownName::new(
                "stop word language",
                code,
                Self::LANGUAGES.to_vec(),
            )),
        }
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
        for (code, file, least) in [
            ("ru", include_str!("../../../rules/stop/ru.txt"), 300),
            ("en", include_str!("../../../rules/stop/en.txt"), 200),
        ] {
            let list = StopWords::for_language(code).unwrap();
            assert_eq!(*list, StopWords::parse(file).unwrap());
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
        let error = StopWords::for_language("de").unwrap_err();
        assert_eq!(
            error.to_string(),
            "unknown stop word language `de`; known: en, ru"
        );
    }
}
