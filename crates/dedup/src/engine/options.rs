//! All settings of a run.

use std::sync::Arc;

use crate::cluster::methods::cover::Cover;
use crate::keep::methods::first_seen::FirstSeen;
use crate::keep::preferred::Preferred;
use crate::sign::methods::minhash::MinHash;
use crate::verify::methods::jaccard::Jaccard;

use crate::candidates::method::Candidates;
use crate::candidates::methods::Containment;
use crate::cluster::clustering::Clustering;
use crate::keep::facts::DocumentFacts;
use crate::keep::keeper::Keeper;
use crate::sign::method::Method;
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::Family;
use crate::strategy::value::at_least;
use crate::text::descriptive::DescriptiveWords;
use crate::text::document::Bound;
use crate::text::shingle::Shingler;
use crate::text::statistics::Statistics;
use crate::verify::similarity::Similarity;

/// The comparison of short documents: those with fewer than [`Options::with_min_tokens`] tokens.
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ShortDocuments {
    /// Only with documents of equal content: a few changed words make a short text a different one.
    #[default]
    Exact,
    /// Like all other documents.
    Near,
}

/// The action for a document.
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Action {
    /// The document stays.
    Keep,
    /// The document stays but is ranked far below: the copy may have its own comments or readers.
    Demote,
    /// The document is removed.
    Delete,
}

/// The rule for which documents are removed as near-duplicates of a document that stays.
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Deletion {
    /// Only documents that are in a verified pair with it, in any cluster. The documents that stay are a maximal
    /// independent set of the graph of pairs: no two of them are a pair, and every other document is in a pair with one
    /// of them.
    #[default]
    Covered,
    /// All other documents of its cluster. A chain of pairs is removed as a whole, including documents that are similar
    /// to no document that stays.
    Transitive,
}

/// All settings of a run. The defaults suit web pages. [`Deduper::new`](crate::Deduper::new) checks them.
///
/// ```
/// use dehusk_dedup::{Family, Options, Shingler, keep, sign};
/// use std::sync::Arc;
///
/// let options = Options::default()
///     .with_shingler(Shingler::words(3))
///     .with_threshold(0.7)
///     .with_signature(<dyn sign::Method>::parse("minhash:width=64")?)
///     .with_keeper(Arc::new(keep::Newest));
/// assert_eq!(options.signature().name(), "minhash");
/// # Ok::<(), dehusk_dedup::BuildError>(())
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct Options {
    pub(crate) threshold: f64,
    pub(crate) shingler: Shingler,
    pub(crate) signature: Arc<dyn Method>,
    pub(crate) statistics: Option<Arc<Statistics>>,
    pub(crate) descriptive_words: Option<Arc<DescriptiveWords>>,
    pub(crate) candidates: Option<Arc<dyn Candidates>>,
    pub(crate) similarity: Arc<dyn Similarity>,
    pub(crate) verify: bool,
    pub(crate) estimates: bool,
    pub(crate) clustering: Arc<dyn Clustering>,
    pub(crate) deletion: Deletion,
    pub(crate) keeper: Arc<dyn Keeper>,
    pub(crate) min_tokens: u32,
    pub(crate) short: ShortDocuments,
    pub(crate) identical: Action,
    pub(crate) near: Action,
    pub(crate) max_keep: u32,
    pub(crate) max_per_host: Option<u32>,
    pub(crate) latest_date: Option<i64>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            threshold: 0.8,
            shingler: Shingler::default(),
            signature: Arc::new(MinHash::DEFAULT),
            statistics: None,
            descriptive_words: None,
            candidates: None,
            similarity: Arc::new(Jaccard),
            verify: true,
            estimates: false,
            clustering: Arc::new(Cover),
            deletion: Deletion::Covered,
            keeper: Arc::new(Preferred(Arc::new(FirstSeen))),
            min_tokens: 20,
            short: ShortDocuments::Exact,
            identical: Action::Delete,
            near: Action::Demote,
            max_keep: 1,
            max_per_host: None,
            latest_date: None,
        }
    }
}

impl Options {
    /// Smallest similarity of two documents that counts as duplicate, above 0 and up to 1, default 0.8. A value of 0.6
    /// finds documents that a reader would call similar. Lower values find more pairs and compare many more candidates.
    #[must_use]
    pub fn with_threshold(mut self, threshold: f64) -> Self {
        self.threshold = threshold;
        self
    }

    /// How documents are cut into shingles. Default: sets of 4 words.
    #[must_use]
    pub fn with_shingler(mut self, shingler: Shingler) -> Self {
        self.shingler = shingler;
        self
    }

    /// The signature method, default [`MinHash`](crate::sign::MinHash).
    #[must_use]
    pub fn with_signature(mut self, signature: Arc<dyn Method>) -> Self {
        self.signature = signature;
        self
    }

    /// The statistics of the collection, for methods that need them. Signatures are comparable only if they used the
    /// same statistics.
    #[must_use]
    pub fn with_statistics(mut self, statistics: Arc<Statistics>) -> Self {
        self.statistics = Some(statistics);
        self
    }

    /// The descriptive words of the collection, for [`DescrWords`](crate::sign::DescrWords).
    #[must_use]
    pub fn with_descriptive_words(mut self, words: Arc<DescriptiveWords>) -> Self {
        self.descriptive_words = Some(words);
        self
    }

    /// The candidate method, which chooses the pairs to compare. The default suits the signatures, for example
    /// [`Lsh`](crate::candidates::Lsh) for MinHash. For similarities that find documents inside larger ones the default
    /// is [`Containment`](crate::candidates::Containment); methods that would miss such pairs are then an error.
    #[must_use]
    pub fn with_candidates(mut self, candidates: Arc<dyn Candidates>) -> Self {
        self.candidates = Some(candidates);
        self
    }

    /// The similarity by which candidates are compared, default [`Jaccard`](Jaccard).
    #[must_use]
    pub fn with_similarity(mut self, similarity: Arc<dyn Similarity>) -> Self {
        self.similarity = similarity;
        self
    }

    /// Whether candidates are verified by the similarity (default yes). If not, the similarity estimated from
    /// signatures decides. `lsh` requires verification.
    #[must_use]
    pub fn with_verification(mut self, verify: bool) -> Self {
        self.verify = verify;
        self
    }

    /// Whether signatures are kept to estimate the similarity of each pair from them (default no: the estimate then
    /// comes from the index, which is coarser). Costs 8 bytes of memory per signature value.
    #[must_use]
    pub fn with_estimates(mut self, estimates: bool) -> Self {
        self.estimates = estimates;
        self
    }

    /// The clustering of pairs, default [`Cover`]. Clusters group documents. They decide which documents stay only with
    /// [`Deletion::Transitive`].
    #[must_use]
    pub fn with_clustering(mut self, clustering: Arc<dyn Clustering>) -> Self {
        self.clustering = clustering;
        self
    }

    /// The rule for which documents are removed as near-duplicates of a document that stays, default
    /// [`Deletion::Covered`].
    #[must_use]
    pub fn with_deletion(mut self, deletion: Deletion) -> Self {
        self.deletion = deletion;
        self
    }

    /// The keeper, which orders similar documents and so decides which one stays; default [`FirstSeen`](FirstSeen).
    /// With any keeper, documents of an earlier [preference](crate::DocumentFacts::preference) come first.
    #[must_use]
    pub fn with_keeper(mut self, keeper: Arc<dyn Keeper>) -> Self {
        self.keeper = Arc::new(Preferred(keeper));
        self
    }

    /// Documents with fewer tokens than this are short, default 20.
    #[must_use]
    pub fn with_min_tokens(mut self, min_tokens: u32) -> Self {
        self.min_tokens = min_tokens;
        self
    }

    /// The comparison of short documents, default [`ShortDocuments::Exact`].
    #[must_use]
    pub fn with_short(mut self, short: ShortDocuments) -> Self {
        self.short = short;
        self
    }

    /// The action for exact duplicates of a kept document (default delete), and for its near-duplicates (default
    /// demote).
    #[must_use]
    pub fn with_actions(mut self, identical: Action, near: Action) -> Self {
        self.identical = identical;
        self.near = near;
        self
    }

    /// Largest number of documents kept from a group, that is, a document that stays and the documents it represents; 1
    /// or more, default 1. After the first, only documents of different content are kept, in the keeper's order.
    #[must_use]
    pub fn with_max_keep(mut self, max_keep: u32) -> Self {
        self.max_keep = max_keep;
        self
    }

    /// Largest number of documents of a group kept from one host, 1 or more. Default `None`: limited only by
    /// [`with_max_keep`](Self::with_max_keep).
    #[must_use]
    pub fn with_max_per_host(mut self, max_per_host: Option<u32>) -> Self {
        self.max_per_host = max_per_host;
        self
    }

    /// Latest plausible date, in seconds since 1970. Later dates are ignored as wrong. Default `None`: all dates are
    /// used.
    #[must_use]
    pub fn with_latest_date(mut self, latest_date: Option<i64>) -> Self {
        self.latest_date = latest_date;
        self
    }

    /// The facts without an implausible date.
    pub(crate) fn believed<'f>(&self, facts: DocumentFacts<'f>) -> DocumentFacts<'f> {
        let date = facts
            .date
            .filter(|&date| self.latest_date.is_none_or(|latest| date <= latest));
        DocumentFacts { date, ..facts }
    }

    /// The threshold.
    #[must_use]
    pub fn threshold(&self) -> f64 {
        self.threshold
    }

    /// How documents are cut into shingles.
    #[must_use]
    pub fn shingler(&self) -> Shingler {
        self.shingler
    }

    /// The signature method.
    #[must_use]
    pub fn signature(&self) -> &dyn Method {
        &*self.signature
    }

    /// The similarity by which candidates are compared.
    #[must_use]
    pub fn similarity(&self) -> &dyn Similarity {
        &*self.similarity
    }

    /// The rule for which documents are removed as near-duplicates of a document that stays.
    #[must_use]
    pub fn deletion(&self) -> Deletion {
        self.deletion
    }

    /// The clustering of pairs.
    #[must_use]
    pub fn clustering(&self) -> &dyn Clustering {
        &*self.clustering
    }

    /// The keeper, which decides which of several similar documents stays.
    #[must_use]
    pub fn keeper(&self) -> &dyn Keeper {
        &*self.keeper
    }

    /// The candidate method: the one that was set, else the default for the similarity and the signatures.
    ///
    /// # Errors
    /// If no candidate method reads signatures of this form.
    pub fn candidates(&self) -> Result<Arc<dyn Candidates>, BuildError> {
        match &self.candidates {
            Some(candidates) => Ok(Arc::clone(candidates)),
            None => match self.similarity.bound() {
                Bound::Resemblance => <dyn Candidates>::named(self.signature.form().candidates()),
                // Containment needs its own method: methods for resemblance miss pairs of very different
                // sizes.
                Bound::Containment => Ok(Arc::new(Containment::DEFAULT)),
            },
        }
    }

    /// An error if a value is out of its range or if settings exclude each other.
    pub(crate) fn check(&self) -> Result<(), BuildError> {
        // The form of the test also refuses NaN.
        if !(self.threshold > 0.0 && self.threshold <= 1.0) {
            return Err(BuildError::value(
                "threshold",
                self.threshold,
                "a number above 0 and up to 1",
            ));
        }
        at_least("max_keep", self.max_keep, 1)?;
        at_least("max_per_host", self.max_per_host.unwrap_or(u32::MAX), 1)?;
        let (candidates, bound) = (self.candidates()?, self.similarity.bound());
        if !candidates.finds(bound) {
            let known = <dyn Candidates>::all().iter().filter(|known| known.finds(bound));
            let known = known.map(|known| known.name()).collect();
            return Err(BuildError::too_few(
                candidates.name(),
                self.similarity.name(),
                known,
            ));
        }
        if !self.verify && bound == Bound::Containment {
            return Err(BuildError::value(
                "verify",
                false,
                format!(
                    "possible with similarity by `{}`: signatures estimate resemblance",
                    self.similarity.name()
                ),
            ));
        }
        if !self.verify && candidates.name() == "lsh" {
            return Err(BuildError::value(
                "verify",
                false,
                "possible with candidates by `lsh`, which must be verified",
            ));
        }
        self.shingler.check()
    }
}
