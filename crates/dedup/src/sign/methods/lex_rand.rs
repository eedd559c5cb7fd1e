//! I-Match with several lexicons.

use std::sync::Arc;

use crate::numeric::hash::murmur3;
use crate::sign::estimate::any_key;
use crate::sign::method::{Form, Method, Signer};
use crate::sign::methods::i_match::{IMatch, MAX_IDF, MIN_IDF, MIN_TERMS};
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::{Parameter, Strategy};
use crate::strategy::value::{flag, number, within};
use crate::text::document::{Context, Document};
use crate::text::lexicon::Lexicon;
use crate::text::tokens::Tokens;

/// LexRand (Kołcz, Chowdhury, Alspector, "Improved robustness of signature-based near-replica detection via
/// lexicon randomization", 2004): [`IMatch`] with several lexicons. Each lacks a random part of the primary
/// lexicon. Two documents match if one of their signatures is equal. An edit changes only the signatures by
/// lexicons that hold the changed words.
///
/// A key is the number of a lexicon followed by the signature by it. A term is in lexicon `i` if its [`murmur3`] with
/// seed `seed + i` is below `keep · 2^64`. In the paper the primary lexicon makes a signature too; here this is an
/// option.
///
/// Survives a few edits anywhere. Costs `lexicons` times the cost of I-Match; a signature is up to two words per
/// lexicon.
#[derive(Clone, Debug, PartialEq)]
pub struct LexRand {
    primary: IMatch,
    lexicons: u32,
    keep: f64,
    seed: u64,
    with_primary: bool,
}

impl LexRand {
    /// The defaults: 10 lexicons that each keep 70 % of the default lexicon of [`IMatch`], seed 0, no signature by the
    /// primary lexicon.
    pub const DEFAULT: Self = Self {
        primary: IMatch::DEFAULT,
        lexicons: 10,
        keep: 0.7,
        seed: 0,
        with_primary: false,
    };

    /// The primary lexicon, and the fewest terms that make a signature. Default: [`IMatch::DEFAULT`].
    #[must_use]
    pub fn with_i_match(mut self, primary: IMatch) -> Self {
        self.primary = primary;
        self
    }

    /// Number of reduced lexicons, 1 to 1000, default 10.
    #[must_use]
    pub const fn with_lexicons(mut self, lexicons: u32) -> Self {
        self.lexicons = lexicons;
        self
    }

    /// Share of the primary lexicon that each reduced one keeps, 0 to 1, default 0.7. A smaller share survives more
    /// edits, and also matches more documents that merely have much in common.
    #[must_use]
    pub const fn with_keep(mut self, keep: f64) -> Self {
        self.keep = keep;
        self
    }

    /// Seed of the choice of terms, default 0.
    #[must_use]
    pub const fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Whether the primary lexicon makes a signature too (default no). Its number follows those of the reduced
    /// lexicons.
    #[must_use]
    pub const fn with_primary(mut self, with_primary: bool) -> Self {
        self.with_primary = with_primary;
        self
    }

    /// True if a term of the primary lexicon is in reduced lexicon number `lexicon`.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "a share of 2^64, rounded down")]
    pub fn keeps(&self, lexicon: u32, term: &str) -> bool {
        let hash = murmur3(term.as_bytes(), self.seed.wrapping_add(u64::from(lexicon)));
        // A share of 1 gives 2^64, which needs more than 64 bits.
        u128::from(hash) < (self.keep * 2_f64.powi(64)) as u128
    }

    /// The keys of a document: pairs of a lexicon's number and the signature by it.
    pub fn keys(&self, terms: &Tokens, primary: &Lexicon) -> impl Iterator<Item = (u32, u64)> {
        // Terms outside the primary lexicon are outside every reduced one, so they are dropped once for
        // all.
        let mut known = Tokens::new();
        for term in terms.iter().filter(|term| primary.contains(term)) {
            known.push(term);
        }
        // The last number is that of the primary lexicon.
        (0..self.lexicons + u32::from(self.with_primary)).filter_map(move |lexicon| {
            let key = self.primary.key(&known, |term| {
                lexicon == self.lexicons || self.keeps(lexicon, term)
            });
            key.map(|key| (lexicon, key))
        })
    }
}

impl Strategy for LexRand {
    fn name(&self) -> &'static str {
        "lex-rand"
    }

    fn summary(&self) -> &'static str {
        "i-match with several randomly reduced lexicons; one equal signature suffices"
    }

    fn parameters(&self) -> &'static [Parameter] {
        const {
            &[
                Parameter::new("lexicons", "10", "number of reduced lexicons, 1 to 1000"),
                Parameter::new(
                    "keep",
                    "0.7",
                    "share of the terms that each lexicon keeps, 0 to 1",
                ),
                Parameter::new("seed", "0", "seed of the choice of terms, 0 to 2^64 - 1"),
                Parameter::new(
                    "primary",
                    "false",
                    "match by the whole lexicon too, true or false",
                ),
                MIN_IDF,
                MAX_IDF,
                MIN_TERMS,
            ]
        }
    }

    fn change(&mut self, parameter: &str, value: &str) -> Result<bool, BuildError> {
        match parameter {
            "lexicons" => self.lexicons = number("lexicons", value, 1..=1000)?,
            "keep" => self.keep = number("keep", value, 0.0..=1.0)?,
            "seed" => self.seed = number("seed", value, 0..=u64::MAX)?,
            "primary" => self.with_primary = flag("primary", value)?,
            // The parameters of I-Match are parameters of this method too.
            _ if self.primary.change(parameter, value)? => {}
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl Method for LexRand {
    fn form(&self) -> Form {
        Form::Keys { words: 2 }
    }

    fn is_lexical(&self) -> bool {
        true
    }

    fn needs_statistics(&self) -> bool {
        !self.primary.has_lexicon()
    }

    fn signer(&self, context: &Context) -> Result<Box<dyn Signer>, BuildError> {
        within("lexicons", self.lexicons, 1..=1000)?;
        within("keep", self.keep, 0.0..=1.0)?;
        let lexicon = self.primary.lexicon(context, self.name())?;
        Ok(Box::new(LexRandSigner {
            method: self.clone(),
            lexicon,
        }))
    }
}

struct LexRandSigner {
    method: LexRand,
    lexicon: Arc<Lexicon>,
}

impl Signer for LexRandSigner {
    fn sign(&self, document: &Document<'_>, out: &mut Vec<u64>) {
        for (lexicon, key) in self.method.keys(document.terms, &self.lexicon) {
            out.extend([u64::from(lexicon), key]);
        }
    }

    fn estimate(&self, a: &[u64], b: &[u64]) -> f64 {
        any_key(a, b, 2)
    }
}
