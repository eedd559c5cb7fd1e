//! Signing of documents: normalization, tokenization, and the signatures by which duplicates are found.

use std::sync::Arc;

use dehusk_dedup::{Batch, CompiledOptions, DocumentKind, DocumentSigner, FeatureBatch, content_hash};
use dehusk_normalize::{Normalizer, Profile};

use crate::error::Error;
use crate::kernel::tokens::{Reads, SymbolRule, Tokenizer};
use crate::settings::table::Settings;

/// Hashes texts such that exact duplicates have equal hashes. Its buffer is reused.
struct ExactHasher {
    normalizer: Normalizer,
}

impl ExactHasher {
    #[expect(clippy::cast_possible_truncation, reason = "the low 64 bits are the hash")]
    fn hash(&mut self, text: &str) -> u64 {
        // 64 bits suffice, since only documents with equal tokens are compared by this hash.
        content_hash(self.normalizer.normalize_text(text)) as u64
    }
}

/// Signs texts on one thread. The result is a pure function of settings and text.
///
/// ```
/// use dehusk_pipeline::kernel::{Matcher, Signer};
/// use dehusk_pipeline::{Settings, dedup::CompiledOptions};
/// use std::sync::Arc;
///
/// let mut settings = Settings::default();
/// settings.min_tokens = Some(3);
/// settings.threshold = Some("0.5".parse()?);
/// let compiled = Arc::new(CompiledOptions::new(settings.duplicates()?)?);
/// let mut signer = Signer::new(&settings, Arc::clone(&compiled))?;
/// let a = signer.sign("The river rose in the night and left its bed.");
/// let b = signer.sign("The RIVER rose in the night, and left its bed!");
/// assert_eq!(a.content, b.content); // their words are equal
/// assert_ne!(a.exact, b.exact); // their characters are not
/// assert_eq!(Matcher::new(compiled).compare(&a.features, &b.features), Some(1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Signer {
    tokenizer: Tokenizer,
    exact: ExactHasher,
    signer: DocumentSigner,
}

/// The signature and keys of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SignedText {
    /// Role in the search. Documents without tokens take no part. Those with few words only find documents
    /// with the same tokens.
    pub kind: DocumentKind,
    /// Hash of the tokens. Documents with equal values are duplicates of similarity 1.
    pub content: u128,
    /// Hash of the text, normalized by the profile for exact duplicates. Documents with equal `content` and equal `exact` are exact
    /// duplicates.
    pub exact: u64,
    /// 64-bit keys. Two documents with a common key are a candidate pair. Empty unless the document takes part in full and candidates are
    /// found by equal keys.
    pub keys: Vec<u64>,
    /// Features that a [`Matcher`](dehusk_dedup::Matcher) compares. Empty unless the document takes part in full.
    pub features: Vec<u64>,
}

/// Creates signers with equal settings, on any thread.
#[derive(Clone)]
pub struct SignerMaker {
    compiled: Arc<CompiledOptions>,
    profile: Profile,
    reads: Reads,
    symbols: SymbolRule,
    exact_profile: Profile,
}

impl SignerMaker {
    /// Creates a maker of signers with these settings. `compiled` are the settings of the search for
    /// duplicates.
    ///
    /// # Errors
    /// If settings contradict each other.
    pub fn new(settings: &Settings, compiled: Arc<CompiledOptions>) -> Result<Self, Error> {
        Ok(Self {
            compiled,
            profile: settings.profile(),
            reads: Reads::of(settings)?,
            symbols: SymbolRule::of(settings),
            exact_profile: settings.exact_profile(),
        })
    }

    /// Creates a signer.
    pub fn signer(&self) -> Signer {
        Signer {
            tokenizer: Tokenizer::new(self.profile.clone(), self.reads, self.symbols),
            exact: ExactHasher {
                normalizer: Normalizer::new(self.exact_profile.clone()),
            },
            signer: DocumentSigner::new(Arc::clone(&self.compiled)),
        }
    }
}

impl Signer {
    /// Creates a signer with these settings. `compiled` are the settings of the search for duplicates.
    ///
    /// # Errors
    /// If settings contradict each other.
    pub fn new(settings: &Settings, compiled: Arc<CompiledOptions>) -> Result<Self, Error> {
        Ok(SignerMaker::new(settings, compiled)?.signer())
    }

    /// Signs a text.
    pub fn sign(&mut self, text: &str) -> SignedText {
        let exact = self.exact.hash(text);
        let (tokens, terms) = self.tokenizer.read(text);
        let signed = self.signer.sign(tokens, terms);
        // `signed` borrows from the signer, which must be free for the keys.
        let (kind, content, features) = (signed.kind, signed.content, signed.features.to_vec());
        let mut keys = Vec::new();
        if kind == DocumentKind::Full {
            self.signer.keys(&mut keys);
        }
        SignedText {
            kind,
            content,
            exact,
            keys,
            features,
        }
    }

    /// Returns the words of the signature, also for a short document. Empty if the text has too little for
    /// the method.
    pub(crate) fn signature(&mut self, text: &str) -> &[u64] {
        let (tokens, terms) = self.tokenizer.read(text);
        self.signer.sign_only(tokens, terms)
    }

    /// Adds a text to a batch. The batch is unchanged if this panics.
    pub(crate) fn add(&mut self, text: &str, batch: &mut Batch) {
        let exact = self.exact.hash(text);
        let (tokens, terms) = self.tokenizer.read(text);
        batch.add_hashed(tokens, terms, exact);
    }

    /// Restores a valid state after a panic.
    pub(crate) fn reset(&mut self) {
        self.tokenizer.reset();
    }

    /// Adds the features of a document that is read again.
    pub(crate) fn add_features(&mut self, document: u32, text: &str, features: &mut FeatureBatch) {
        let (tokens, terms) = self.tokenizer.read(text);
        features.add(document, tokens, terms);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dehusk_dedup::{Matcher, ScoredPair, VerifiedPairs};

    const TEXTS: [&str; 5] = [
        "The river rose overnight and the old bridge was closed to carts, so that the milkman had to walk to the mill and back",
        "The river rose overnight and the old bridge was closed to carts, so that the postman had to walk to the mill and back",
        "THE RIVER rose overnight, and the old bridge was closed to carts so that the milkman had to walk to the mill and back!",
        "Nothing of this kind was ever seen in the town below the hills, where people speak of little else than of wool and rain",
        "too short",
    ];

    /// Equal keys and features alone find the pairs that a deduper finds.
    #[test]
    fn keys_and_features_suffice_to_find_the_pairs() {
        let settings = Settings {
            threshold: Some("0.5".parse().unwrap()),
            ..Settings::default()
        };
        let compiled = Arc::new(CompiledOptions::new(settings.duplicates().unwrap()).unwrap());
        let mut signer = Signer::new(&settings, Arc::clone(&compiled)).unwrap();
        let signed: Vec<SignedText> = TEXTS.iter().map(|text| signer.sign(text)).collect();
        assert_eq!(signed[0], signer.sign(TEXTS[0]), "nothing is left of other texts");
        assert_eq!(signed[4].kind, DocumentKind::Short);
        assert!(signed[4].keys.is_empty());

        let matcher = Matcher::new(Arc::clone(&compiled));
        let mut pairs = Vec::new();
        for (a, one) in (0_u32..).zip(&signed) {
            for (b, other) in (0..).zip(&signed).skip(a as usize + 1) {
                let equal = one.keys.iter().filter(|key| other.keys.contains(key)).count();
                if equal > 0
                    && let Some(similarity) = matcher.compare(&one.features, &other.features)
                {
                    let estimate = matcher.estimate(equal as u32).map(|estimate| estimate as f32);
                    pairs.push(ScoredPair::new(a, b, similarity, estimate));
                }
            }
        }
        let documents = signed
            .iter()
            .map(|signed| (signed.kind, signed.content, signed.exact));
        let found = VerifiedPairs::from_pairs(Arc::clone(&compiled), documents, pairs).cluster(&());

        let mut deduper = dehusk_dedup::Deduper::new(settings.duplicates().unwrap()).unwrap();
        let mut batch = deduper.batch_maker().batch();
        for text in TEXTS {
            signer.add(text, &mut batch);
        }
        deduper.append(batch).unwrap();
        let expected = deduper.finish(&()).unwrap();
        assert_eq!(found.pairs, expected.pairs);
        assert_eq!(found.clusters, expected.clusters);
        assert_eq!(found.decisions, expected.decisions);
        assert_eq!(found.counts, expected.counts);
        assert_eq!(found.clusters.group(0), [0, 1, 2]);
        assert!(
            found.counts.identical == 1 && found.counts.exact == 0,
            "0 and 2 have the same words alone"
        );
    }

    #[test]
    fn exact_hashes_tell_apart_what_tokens_do_not() {
        let compiled = Arc::new(CompiledOptions::new(Settings::default().duplicates().unwrap()).unwrap());
        let mut signer = Signer::new(&Settings::default(), Arc::clone(&compiled)).unwrap();
        let text = TEXTS[0];
        let signed = signer.sign(text);
        for (other, exact) in [
            (format!(" {}\r\n", text.replace(' ', "\n  ")), true),
            (text.replace("The", "THE"), false),
            (format!("{text}."), false),
        ] {
            let other = signer.sign(&other);
            assert_eq!(other.content, signed.content);
            assert_eq!(other.exact == signed.exact, exact);
        }
        let settings = Settings {
            exact_profile: Some("near".parse().unwrap()),
            ..Settings::default()
        };
        let mut signer = Signer::new(&settings, compiled).unwrap();
        assert_eq!(
            signer.sign(text).exact,
            signer.sign(TEXTS[2]).exact,
            "by a profile of one's choice"
        );
    }
}
