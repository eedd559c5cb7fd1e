//! Stems and stop words by the language of each text.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::str::FromStr;

use dehusk_normalize::{Stemmer, StopWords};

/// An ISO 639-1 code, such as `ru`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LanguageCode([u8; 2]);

impl LanguageCode {
    /// Returns the code as text.
    pub fn as_str(&self) -> &str {
        debug_assert!(self.0.is_ascii(), "only lower-case letters are accepted");
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl FromStr for LanguageCode {
    type Err = String;

    /// Accepts any two lower-case letters: a language without stemmer and stop words leaves texts unchanged.
    fn from_str(text: &str) -> Result<Self, String> {
        match *text.as_bytes() {
            [a, b] if a.is_ascii_lowercase() && b.is_ascii_lowercase() => Ok(LanguageCode([a, b])),
            _ => Err(format!(
                "`{text}` is no language code of two small letters, such as `ru`"
            )),
        }
    }
}

/// Rules by which tokens become terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct TermRules {
    /// `true` if tokens are stemmed.
    pub(crate) stem: bool,
    /// `true` if stop words are dropped.
    pub(crate) stop_words: bool,
    /// Language of all texts. If `None`, the language of each text is detected.
    pub(crate) language: Option<LanguageCode>,
}

/// Maximum number of stemmers of a thread, with their caches.
const STEMMERS: usize = 8;

/// Stemmers and stop words of all languages that the texts of a thread are in.
pub(crate) struct Lexicons {
    rules: TermRules,
    /// Stemmers by language. The stemmer of the empty code chooses rules by script.
    stemmers: BTreeMap<String, Stemmer>,
}

/// Stemmer and stop words for the tokens of one text.
pub(crate) struct Lexicon<'c> {
    stemmer: Option<&'c mut Stemmer>,
    stop: Vec<&'static StopWords>,
}

impl Lexicons {
    /// Creates lexicons by these rules. Stemmers and lists are read when a text needs them.
    pub(crate) fn new(rules: TermRules) -> Self {
        Lexicons {
            rules,
            stemmers: BTreeMap::new(),
        }
    }

    /// Returns the lexicon for the tokens of a text, which is given before its normalization: the detector
    /// needs its letters and words.
    pub(crate) fn of(&mut self, original: &str) -> Lexicon<'_> {
        let TermRules { stem, stop_words, .. } = self.rules;
        let mut lexicon = Lexicon {
            stemmer: None,
            stop: Vec::new(),
        };
        // Without rules the tokens are the terms, and no language is detected.
        if !stem && !stop_words {
            return lexicon;
        }
        // Without a reliable language, the script is the better guide. The code `und` is kept too: the text
        // is certainly in no language with lists and stems.
        let found = || {
            let found = dehusk_normalize::detect_language(original);
            found.filter(|language| language.reliable || language.code == "und")
        };
        let code: Option<Cow<'_, str>> = match &self.rules.language {
            Some(given) => Some(given.as_str().into()),
            None => found().map(|language| language.code.into()),
        };
        if stop_words {
            // English words are common in Russian texts. The two lists have no word in common, since their scripts differ.
            let known = match code.as_deref() {
                None | Some("en" | "ru") => vec!["en", "ru"],
                Some(code) => vec![code],
            };
            let known = known.into_iter();
            lexicon.stop = known
                .filter_map(|code| StopWords::for_language(code).ok())
                .collect();
        }
        if stem {
            let code = code.as_deref().unwrap_or_default();
            // A full cache is emptied, to bound the memory of a thread.
            if self.stemmers.len() == STEMMERS && !self.stemmers.contains_key(code) {
                self.stemmers.clear();
            }
            let stemmer = self
                .stemmers
                .entry(code.to_owned())
                .or_insert_with(|| match code {
                    "" => Stemmer::by_script(),
                    code => Stemmer::for_language(code),
                });
            lexicon.stemmer = Some(stemmer);
        }
        lexicon
    }
}

impl Lexicon<'_> {
    /// Returns the stem of a token, or the token itself without a stemmer. `None` for a stop word.
    pub(crate) fn term<'t>(&mut self, token: &'t str) -> Option<Cow<'t, str>> {
        if self.stemmer.is_none() && self.stop.is_empty() {
            return Some(Cow::Borrowed(token));
        }
        let folded = folded(token);
        if self.stop.iter().any(|list| list.contains(&folded)) {
            return None;
        }
        match &mut self.stemmer {
            Some(stemmer) => {
                let stem = stemmer.stem(&folded);
                Some(if stem == token {
                    Cow::Borrowed(token)
                } else {
                    Cow::Owned(stem.to_owned())
                })
            }
            None => Some(Cow::Borrowed(token)),
        }
    }
}

/// Returns a token in lower case, with е for ё, as lists and stems expect it. Most tokens are in that form
/// already, and are not copied.
fn folded(token: &str) -> Cow<'_, str> {
    let is_folded = |letter: char| letter.is_lowercase() && letter != 'ё';
    // Tokens of ASCII letters need no decoding.
    if token.bytes().all(|byte| byte.is_ascii_lowercase()) || token.chars().all(is_folded) {
        Cow::Borrowed(token)
    } else {
        Cow::Owned(token.to_lowercase().replace('ё', "е"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str) -> Vec<String> {
        let mut lexicons = Lexicons::new(TermRules {
            stem: true,
            stop_words: true,
            language: None,
        });
        let mut lexicon = lexicons.of(text);
        let words = text.split(|letter: char| !letter.is_alphabetic());
        words
            .filter(|word| !word.is_empty())
            .filter_map(|word| lexicon.term(word).map(Cow::into_owned))
            .collect()
    }

    #[test]
    fn words_are_stemmed_in_the_language_of_their_text() {
        let german = "Die Gärten der kleinen Häuser wurden im vergangenen Frühling von den Nachbarn gemeinsam bepflanzt und gepflegt.";
        let found = terms(german);
        assert!(found.contains(&"gart".to_owned()), "{found:?}");
        assert!(
            !found.iter().any(|term| term == "die" || term == "der"),
            "{found:?}"
        );
        let english = "The gardens of the small houses were planted and tended by the neighbours together during the last spring.";
        let found = terms(english);
        assert!(found.contains(&"garden".to_owned()), "{found:?}");
        assert!(!found.iter().any(|term| term == "the"), "{found:?}");
    }

    #[test]
    fn a_text_in_no_known_language_is_stemmed_by_script() {
        assert_eq!(terms("clustering Документами"), ["cluster", "документ"]);
    }

    #[test]
    fn tokens_are_folded_only_if_they_need_it() {
        assert!(matches!(folded("straße"), Cow::Borrowed(_)));
        assert_eq!(folded("Ёлки"), "елки");
        assert_eq!(folded("ёлки"), "елки");
    }
}
