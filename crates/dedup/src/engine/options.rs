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

/// How documents with fewer than [`Options::with_min_tokens`] tokens are compared.
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ShortDocuments {
    /// With documents of equal content only: a few changed words make a short text another one.
    #[default]
    Exact,
    /// Like all others.
    Near,
}

/// What becomes of a duplicate.
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Action {
    /// It stays.
    Keep,
    /// It stays, ranked far below: the copy may have comments, or readers who look for it there.
    Demote,
    /// It goes.
    Delete,
}

/// Which documents count as near-duplicates of one that stays.
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Deletion {
    /// Only those that are a verified pair of it, whatever cluster they are in. The documents that stay are a maximal independent set of
    /// the pairs: no two of them are a pair, and each of the others is a pair of one.
    #[default]
    Covered,
    /// All other documents of its cluster. A chain of pairs goes as a whole, with documents that are similar to nothing that stays.
    Transitive,
}

/// All settings of a run, with defaults that suit web pages. They are checked when a [`Deduper`](crate::Deduper) is built.
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
    /// Smallest similarity of two documents that counts as duplicate, above 0 and up to 1, default 0.8; 0.6 finds what a
    /// reader would call similar. Lower finds more pairs and compares many more candidates.
    #[must_use]
    pub fn with_threshold(mut self, threshold: f64) -> Self {
        self.threshold = threshold;
        self
    }

    /// How documents are cut into shingles, default sets of 4 words.
    #[must_use]
    pub fn with_shingler(mut self, shingler: Shingler) -> Self {
        self.shingler = shingler;
        self
    }

    /// How documents are signed, default [`MinHash`](crate::sign::MinHash).
    #[must_use]
    pub fn with_signature(mut self, signature: Arc<dyn Method>) -> Self {
        self.signature = signature;
        self
    }

    /// The statistics of the collection, for methods that need them. Signatures can only be compared if they used the
    /// same.
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

    /// Which documents are compared. Default: the method that suits the signatures, [`Lsh`](crate::candidates::Lsh) for MinHash; for
    /// similarities that look for documents inside larger ones, [`Containment`](crate::candidates::Containment). Methods that miss those
    /// are refused with such a similarity.
    #[must_use]
    pub fn with_candidates(mut self, candidates: Arc<dyn Candidates>) -> Self {
        self.candidates = Some(candidates);
        self
    }

    /// How candidates are compared, default [`Jaccard`](Jaccard).
    #[must_use]
    pub fn with_similarity(mut self, similarity: Arc<dyn Similarity>) -> Self {
        self.similarity = similarity;
        self
    }

    /// Whether candidates are verified by the similarity (default yes). Otherwise the estimate of their signatures
    /// similarity decides; `lsh` requires verification.
    #[must_use]
    pub fn with_verification(mut self, verify: bool) -> Self {
        self.verify = verify;
        self
    }

    /// Whether signatures are kept to give every pair the estimate of its signatures (default no: the estimate then
    /// comes from the index, which is coarser). Costs the memory of the signatures, 8 bytes a value.
    #[must_use]
    pub fn with_estimates(mut self, estimates: bool) -> Self {
        self.estimates = estimates;
        self
    }

    /// How pairs become clusters, default [`Cover`]. Clusters group documents; which of them stay they decide only with
    /// [`Deletion::Transitive`].
    #[must_use]
    pub fn with_clustering(mut self, clustering: Arc<dyn Clustering>) -> Self {
        self.clustering = clustering;
        self
    }

    /// Which documents count as near-duplicates of one that stays, default [`Deletion::Covered`].
    #[must_use]
    pub fn with_deletion(mut self, deletion: Deletion) -> Self {
        self.deletion = deletion;
        self
    }

    /// Which of several similar documents stays, default [`FirstSeen`](FirstSeen). Members of an earlier
    /// [preference](crate::DocumentFacts::preference) come first, whatever the keeper.
    #[must_use]
    pub fn with_keeper(mut self, keeper: Arc<dyn Keeper>) -> Self {
        self.keeper = Arc::new(Preferred(keeper));
        self
    }

    /// Number of tokens below which a document is short, default 20.
    #[must_use]
    pub fn with_min_tokens(mut self, min_tokens: u32) -> Self {
        self.min_tokens = min_tokens;
        self
    }

    /// How short documents are compared, default [`ShortDocuments::Exact`].
    #[must_use]
    pub fn with_short(mut self, short: ShortDocuments) -> Self {
        self.short = short;
        self
    }

    /// The actions for exact duplicates of a kept document (default delete), and for near-duplicates of it
    /// (default demote).
    #[must_use]
    pub fn with_actions(mut self, identical: Action, near: Action) -> Self {
        self.identical = identical;
        self.near = near;
        self
    }

    /// Largest number of documents kept of one that stays and those that it stands for, 1 or more, default 1. Beyond the first only
    /// documents of different content are kept, in the keeper's order.
    #[must_use]
    pub fn with_max_keep(mut self, max_keep: u32) -> Self {
        self.max_keep = max_keep;
        self
    }

    /// Largest number of them that are kept from one host, 1 or more. Default: no limit but
    /// [`with_max_keep`](Self::with_max_keep).
    #[must_use]
    pub fn with_max_per_host(mut self, max_per_host: Option<u32>) -> Self {
        self.max_per_host = max_per_host;
        self
    }

    /// Dates after this one, in seconds since 1970, are held to be wrong and ignored. Default: none is.
    #[must_use]
    pub fn with_latest_date(mut self, latest_date: Option<i64>) -> Self {
        self.latest_date = latest_date;
        self
    }

    /// The facts, without what is held to be wrong.
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

    /// How documents are signed.
    #[must_use]
    pub fn signature(&self) -> &dyn Method {
        &*self.signature
    }

    /// How candidates are compared.
    #[must_use]
    pub fn similarity(&self) -> &dyn Similarity {
        &*self.similarity
    }

    /// Which documents count as near-duplicates of one that stays.
    #[must_use]
    pub fn deletion(&self) -> Deletion {
        self.deletion
    }

    /// How pairs become clusters.
    #[must_use]
    pub fn clustering(&self) -> &dyn Clustering {
        &*self.clustering
    }

    /// Which of several similar documents stays.
    #[must_use]
    pub fn keeper(&self) -> &dyn Keeper {
        &*self.keeper
    }

    /// Which documents are compared: by the method that was set, else by the one that suits the similarity and the signatures.
    ///
    /// # Errors
    /// If no candidate method is known for the form of the signatures.
    pub fn candidates(&self) -> Result<Arc<dyn Candidates>, BuildError> {
        match &self.candidates {
            Some(candidates) => Ok(Arc::clone(candidates)),
            None => match self.similarity.bound() {
                Bound::Resemblance => <dyn Candidates>::named(self.signature.form().candidates()),
                Bound::Containment => Ok(Arc::new(Containment::DEFAULT)),
            },
        }
    }

    /// Rejects values out of their range.
    pub(crate) fn check(&self) -> Result<(), BuildError> {
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
