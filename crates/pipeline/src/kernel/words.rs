//! Conversion of normalized texts to words or stems, with or without stop words.

use std::borrow::Cow;
use std::ops::Range;

use dehusk_normalize::{Profile, TokenRule};

use crate::kernel::lexicon::{LanguageCode, Lexicons, TermRules};

/// Options for the tokens of a normalized text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tokens {
    /// `true` if each token has the range of bytes of the original that it comes from.
    pub offsets: bool,
    /// `true` if tokens are stemmed by the language of the document. If the language is unknown, Cyrillic
    /// tokens count as Russian and Latin ones as English.
    pub stem: bool,
    /// `true` if stop words of the language of the document are dropped. English and Russian stop words are
    /// dropped if the language is one of these or unknown. In languages without a list, all words stay.
    pub stop_words: bool,
    /// Language of all documents, as an ISO 639-1 code. If `None`, the language of each document is detected.
    pub language: Option<LanguageCode>,
}

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
    rule: TokenRule,
    lexicons: Lexicons,
}

impl Cutter {
    /// Creates a cutter for texts that were normalized by this profile.
    pub fn new(profile: &Profile, wanted: Tokens) -> Self {
        Cutter {
            rule: profile.token_rule(),
            lexicons: Lexicons::new(TermRules {
                stem: wanted.stem,
                stop_words: wanted.stop_words,
                language: wanted.language,
            }),
        }
    }

    /// Returns the tokens of a normalized text, in the language of its original. `visit` is called with the
    /// byte range of each token in `normal`.
    pub fn cut<'t>(
        &mut self,
        original: &str,
        normal: &'t str,
        mut visit: impl FnMut(Range<usize>),
    ) -> Vec<Cow<'t, str>> {
        let mut tokens = Vec::new();
        let rule = self.rule;
        let mut lexicon = self.lexicons.of(original);
        let mut add = |range: Range<usize>| {
            if let Some(token) = lexicon.term(&normal[range.clone()]) {
                visit(range);
                tokens.push(token);
            }
        };
        rule.tokens(normal).for_each(&mut add);
        tokens
    }
}
