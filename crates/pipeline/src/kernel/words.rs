//! Conversion of normalized texts to words or stems, with or without stop words.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::str::FromStr;

use dehusk_normalize::{Profile, Stemmer, StopWords, TokenRule};

/// Options for the tokens of a normalized text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tokens {
    /// Whether each token has the range of bytes of the original that it comes from.
    pub offsets: bool,
    /// Whether tokens are stemmed by the language of the document. If the language is unknown, Cyrillic tokens count as Russian and Latin
    /// ones as English.
    pub stem: bool,
    /// Whether stop words of the language of the document are dropped. English and Russian stop words are dropped if the language is one of
    /// these or unknown. In languages without a list, all words stay.
    pub stop_words: bool,
    /// Language of all documents, as an ISO 639-1 code. If `None`, the language of each document is detected.
    pub language: Option<LanguageCode>,
}

/// An ISO 639-1 code, such as `ru`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LanguageCode([u8; 2]);

impl LanguageCode {
    /// The code as text.
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

/// Maximum number of stemmers of a thread, with their caches.
const STEMMERS: usize = 8;

/// Splits normalized texts into tokens.
///
/// ```
/// use dehusk_pipeline::kernel::{Cutter, Tokens};
/// use dehusk_pipeline::normalize::{Normalizer, Profile};
///
/// let profile = Profile::near();
/// let wanted = Tokens { stem: true, stop_words: true, ..Tokens::default() };
/// let mut cutter = Cutter::new(&profile, wanted);
/// let text = "The rivers were rising";
/// let normal = Normalizer::new(profile).normalize_text(text).to_owned();
/// assert_eq!(cutter.cut(text, &normal, |_range| ()), ["river", "rise"]);
/// ```
pub struct Cutter {
    wanted: Tokens,
    rule: TokenRule,
    /// Whether texts are already in lower case, without ё.
    lower: bool,
    /// Stemmers by language. The stemmer of the empty code chooses rules by script.
    stemmers: BTreeMap<String, Stemmer>,
}

/// Stemmer and stop words for the tokens of one document.
struct Lists<'c> {
    lower: bool,
    stemmer: Option<&'c mut Stemmer>,
    stop: Vec<&'static StopWords>,
}

impl Cutter {
    /// A cutter for texts that were normalized by this profile.
    pub fn new(profile: &Profile, wanted: Tokens) -> Self {
        let has = |name: &str| profile.passes().iter().any(|pass| pass.name() == name);
        Cutter {
            wanted,
            rule: profile.token_rule(),
            lower: has("lower-case") || has("case-fold"),
            stemmers: BTreeMap::new(),
        }
    }

    /// The tokens of a normalized text, in the language of its original. `visit` is called with the byte range of each token in `normal`.
    pub fn cut<'t>(
        &mut self,
        original: &str,
        normal: &'t str,
        mut visit: impl FnMut(Range<usize>),
    ) -> Vec<Cow<'t, str>> {
        let mut tokens = Vec::new();
        let rule = self.rule;
        let mut lists = self.lists(original);
        let mut add = |range: Range<usize>| {
            if let Some(token) = lists.token(&normal[range.clone()]) {
                visit(range);
                tokens.push(token);
            }
        };
        rule.tokens(normal).for_each(&mut add);
        tokens
    }

    fn lists(&mut self, original: &str) -> Lists<'_> {
        let Tokens { stem, stop_words, .. } = self.wanted;
        let mut lists = Lists {
            lower: self.lower,
            stemmer: None,
            stop: Vec::new(),
        };
        if !stem && !stop_words {
            return lists;
        }
        // If the detected language is not reliable, the script is a better guide, except where the text is certainly in none of the languages
        // that there are lists and stems for (`und`).
        let found = || {
            let found = dehusk_normalize::detect_language(original);
            found.filter(|language| language.reliable || language.code == "und")
        };
        let code: Option<Cow<'_, str>> = match &self.wanted.language {
            Some(told) => Some(told.as_str().into()),
            None => found().map(|language| language.code.into()),
        };
        if stop_words {
            // English words are common in Russian texts. The two lists have no word in common, since their scripts differ.
            let known = match code.as_deref() {
                None | Some("en" | "ru") => vec!["en", "ru"],
                Some(code) => vec![code],
            };
            let known = known.into_iter();
            lists.stop = known
                .filter_map(|code| StopWords::for_language(code).ok())
                .collect();
        }
        if stem {
            let code = code.as_deref().unwrap_or_default();
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
            lists.stemmer = Some(stemmer);
        }
        lists
    }
}

impl Lists<'_> {
    /// The stem of a token, or the token itself without a stemmer; `None` for a stop word.
    fn token<'t>(&mut self, token: &'t str) -> Option<Cow<'t, str>> {
        if self.stemmer.is_none() && self.stop.is_empty() {
            return Some(Cow::Borrowed(token));
        }
        // Lists and stems expect lower case, with е for ё.
        let folded = if self.lower {
            Cow::Borrowed(token)
        } else {
            Cow::Owned(token.to_lowercase().replace('ё', "е"))
        };
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
