//! Checked settings, and the strategies built from them.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::candidates::method::Index;
use crate::candidates::pair::Contained;
use crate::engine::options::Options;
use crate::sign::banding::Banding;
use crate::sign::method::{Form, Signer};
use crate::strategy::build_error::BuildError;
use crate::text::document::Context;
use crate::verify::similarity::Comparer;

/// [`Options`] that were checked, with strategies that are ready for a run. Signers, comparers and groups on any thread
/// are made from them.
pub struct CompiledOptions {
    pub(crate) options: Options,
    pub(crate) signer: Box<dyn Signer>,
    pub(crate) index: Box<dyn Index>,
    pub(crate) comparer: Box<dyn Comparer>,
    /// True if the rows of the index are also the features, so that one copy serves both.
    pub(crate) shared: bool,
    /// True if documents can be signed without computing features, which is cheaper.
    pub(crate) separable: bool,
    /// True if candidates, similarities or estimates are computed from signatures.
    pub(crate) reads_signatures: bool,
    compared: Tally,
}

/// Number of counters that threads increment independently.
const COUNTERS: usize = 16;

/// A counter for frequent increments by many threads. Each thread has its own counter in its own cache line.
#[derive(Default)]
struct Tally([Counter; COUNTERS]);

#[derive(Default)]
#[repr(align(128))]
struct Counter(AtomicU64);

impl Tally {
    fn increment(&self) {
        // With more threads than counters, several threads share one. Threads outside the pool use the
        // first.
        let thread = rayon::current_thread_index().unwrap_or(0) % COUNTERS;
        self.0[thread].0.fetch_add(1, Ordering::Relaxed);
    }

    fn count(&self) -> u64 {
        self.0
            .iter()
            .map(|counter| counter.0.load(Ordering::Relaxed))
            .sum()
    }
}

impl CompiledOptions {
    /// Checks the settings and builds the strategies.
    ///
    /// # Errors
    /// If a setting is out of its range, or if two settings exclude each other.
    pub fn new(options: Options) -> Result<Self, BuildError> {
        options.check()?;
        let context = Context {
            threshold: options.threshold,
            bound: options.similarity.bound(),
            statistics: options.statistics.clone(),
            descriptive_words: options.descriptive_words.clone(),
        };
        let signer = options.signature.signer(&context)?;
        let index = options.candidates()?.index(&*options.signature, &context)?;
        let comparer = options.similarity.comparer(&*options.signature, &context)?;
        let whole_set = options.signature.form() == Form::Set { whole: true };
        // Rows of the index are the signature. They serve as features, too, if these are the signature or
        // the same shingle set.
        let same = !options.verify || whole_set && comparer.keeps_shingles();
        let shared = index.keeps_signature() && same;
        let reads_signatures =
            !options.verify || options.estimates || index.needs_signature() || comparer.needs_signature();
        // Features can be made later from the list of shingles only if they are the shingle set, and if
        // signing needs no sorted set.
        let separable = options.verify
            && !shared
            && !options.shingler.bag()
            && (signer.takes_any_order() || !reads_signatures)
            && index.columns().is_some()
            && comparer.keeps_shingles();
        Ok(Self {
            options,
            signer,
            index,
            comparer,
            shared,
            separable,
            reads_signatures,
            compared: Tally::default(),
        })
    }

    /// The settings.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The banding of signatures, or `None` if candidates do not come from banding.
    #[must_use]
    pub fn banding(&self) -> Option<Banding> {
        self.index.banding()
    }

    /// Number of pairs of documents whose features were compared so far, in all threads. Callers use it to show
    /// progress.
    #[must_use]
    pub fn compared(&self) -> u64 {
        self.compared.count()
    }

    /// The similarity of two documents by their features, and which of them lies inside the other. `None` if the
    /// similarity is below `at_least`. Without verification the features are signatures, and the similarity is their
    /// estimate.
    pub(crate) fn similarity(&self, a: &[u64], b: &[u64], at_least: f64) -> Option<(f64, Contained)> {
        self.compared.increment();
        if self.options.verify {
            // The comparer may give up as soon as the similarity cannot reach `at_least`.
            let similarity = self.comparer.compare(a, b, at_least)?;
            return Some((similarity, self.comparer.contained(a, b)));
        }
        let similarity = self.signer.estimate(a, b);
        (similarity >= at_least).then_some((similarity, Contained::Neither))
    }
}
