//! Stop words.

use std::sync::LazyLock;

use crate::error::UnknownName;
use crate::normalizer::Normalizer;
use crate::profile::Profile;
use crate::text::word_list::{ListError, entries};

/// A set of stop words (function words).
///
/// ```
/// use dehusk_normalize::StopWords;
///
/// let english = StopWords::for_language("en")?;
/// assert!(english.contains("the") && !english.contains("river"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StopWords {
    /// Sorted, without duplicates.
    words: Vec<Box<str>>,
}

/// A bundled list, read on first use.
struct BundledList {
    /// ISO 639-1 code of the language.
    language: &'static str,
    words: LazyLock<StopWords>,
}

/// Entry of the table of bundled lists, with the data file of the language.
macro_rules! list {
    ($language:literal) => {
        BundledList {
            language: $language,
            words: LazyLock::new(|| {
                // A test reads every list, so the fallback is never used.
                StopWords::parse(include_str!(concat!("../../data/stop/", $language, ".txt")))
                    .unwrap_or_default()
            }),
        }
    };
}

/// All bundled lists.
static ALL: [BundledList; 30] = [
    list!("ar"),
    list!("be"),
    list!("bg"),
    list!("cs"),
    list!("da"),
    list!("de"),
    list!("el"),
    list!("en"),
    list!("es"),
    list!("fa"),
    list!("fi"),
    list!("fr"),
    list!("he"),
    list!("hu"),
    list!("id"),
    list!("it"),
    list!("ja"),
    list!("kk"),
    list!("nl"),
    list!("no"),
    list!("pl"),
    list!("pt"),
    list!("ro"),
    list!("ru"),
    list!("sv"),
    list!("th"),
    list!("tr"),
    list!("uk"),
    list!("vi"),
    list!("zh"),
];

impl StopWords {
    /// ISO 639-1 codes of the languages with a bundled list, in alphabetical order.
    pub fn languages() -> impl Iterator<Item = &'static str> {
        ALL.iter().map(|list| list.language)
    }

    /// The bundled list of a language.
    ///
    /// # Errors
    /// If the language has no list; the error names the languages that have one.
    pub fn for_language(code: &str) -> Result<&'static Self, UnknownName> {
        // The list of Norwegian is one of Bokmål, the name that the detector gives.
        let language = if code == "nb" { "no" } else { code };
        let found = ALL.iter().find(|list| list.language == language);
        found
            .map(|list| &*list.words)
            .ok_or_else(|| UnknownName::new("stop word language", code, Self::languages().collect()))
    }

    /// Reads a list: words separated by white space, in lower case; `#` begins a comment. ё is read as е.
    ///
    /// Each word is added as it is and in the form of the profile `near`, if it stays a single word there.
    ///
    /// # Errors
    /// If a word is not in lower case, or a section begins; the error names the line.
    pub fn parse(text: &str) -> Result<Self, ListError> {
        let mut near = Normalizer::new(Profile::near());
        let mut words: Vec<Box<str>> = Vec::new();
        for (_, word) in entries(text, &[])? {
            words.push(word.replace('ё', "е").into());
            let normal = near.normalize_text(word);
            if !normal.is_empty() && !normal.contains(' ') {
                words.push(normal.into());
            }
        }
        words.sort_unstable();
        words.dedup();
        Ok(Self { words })
    }

    /// Whether `token` is in the list. Tokens are compared as they are: in lower case, with е for ё, or as the profile `near`
    /// writes them. `O(log n)`.
    #[must_use]
    pub fn contains(&self, token: &str) -> bool {
        self.words.binary_search_by(|word| (**word).cmp(token)).is_ok()
    }

    /// Words in the order of their code points.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(|word| &**word)
    }

    /// Number of words and forms.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether the list is empty.
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
            ["the", "of", "don't", "don\u{2BC}t", "don", "t"]
                .iter()
                .all(|word| english.contains(word))
        );
        // The form `near` replaces ς and final yeh by other letters.
        let contains = |code, token| StopWords::for_language(code).unwrap().contains(token);
        assert!(
            contains("el", "της") && contains("el", "τησ") && contains("ar", "علي") && contains("ar", "الي")
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
