//! Settings that were checked, with the strategies made ready by them.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::candidates::method::Index;
use crate::candidates::pair::Contained;
use crate::engine::options::Options;
use crate::sign::banding::Banding;
use crate::sign::method::{Form, Signer};
use crate::strategy::build_error::BuildError;
use crate::text::document::Context;
use crate::verify::similarity::Comparer;

/// [`Options`] that were checked, with the strategies made ready for a run. Everything that signs, compares or groups
/// documents is made from them, on any thread.
pub struct CompiledOptions {
    pub(crate) options: Options,
    pub(crate) signer: Box<dyn Signer>,
    pub(crate) index: Box<dyn Index>,
    pub(crate) comparer: Box<dyn Comparer>,
    /// Whether the rows of the index are the features, so that one copy of them serves both.
    pub(crate) shared: bool,
    /// Whether documents can be signed without their features, which is cheaper.
    pub(crate) separable: bool,
    /// Whether anything that finds or compares documents is made of their signatures.
    pub(crate) reads_signatures: bool,
    compared: Tally,
}

/// Counters that threads increment apart.
const COUNTERS: usize = 16;

/// A count to which many threads add often: each has a counter of its own, on a line of the cache of its own.
#[derive(Default)]
struct Tally([Counter; COUNTERS]);

#[derive(Default)]
#[repr(align(128))]
struct Counter(AtomicU64);

impl Tally {
    fn increment(&self) {
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
    /// Checks the settings.
    ///
    /// # Errors
    /// If a setting is out of its range, or if two do not fit together.
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
        let same = !options.verify || whole_set && comparer.keeps_shingles();
        let shared = index.keeps_signature() && same;
        let reads_signatures =
            !options.verify || options.estimates || index.needs_signature() || comparer.needs_signature();
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

    /// How signatures are cut, if candidates come from banding.
    #[must_use]
    pub fn banding(&self) -> Option<Banding> {
        self.index.banding()
    }

    /// Pairs of documents that were compared by their features so far, in all threads: for those who watch how far a search is.
    #[must_use]
    pub fn compared(&self) -> u64 {
        self.compared.count()
    }

    /// The similarity of two documents by their features, if it is at least `at_least`, and which of them lies inside the other. Without
    /// verification the features are the signatures, and their estimate of the similarity decides.
    pub(crate) fn similarity(&self, a: &[u64], b: &[u64], at_least: f64) -> Option<(f64, Contained)> {
        self.compared.increment();
        if self.options.verify {
            let similarity = self.comparer.compare(a, b, at_least)?;
            return Some((similarity, self.comparer.contained(a, b)));
        }
        let similarity = self.signer.estimate(a, b);
        (similarity >= at_least).then_some((similarity, Contained::Neither))
    }
}
