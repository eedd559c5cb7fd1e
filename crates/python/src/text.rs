//! Texts to normalized texts, tokens, sentences, signatures.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use dehusk_pipeline::dedup::{DocumentKind, Matcher};
use dehusk_pipeline::format::Columns;
use dehusk_pipeline::kernel::{self, Cutter, LanguageCode, Tokens};
use dehusk_pipeline::normalize::{self, Numbers, Profile, Splitter};
use dehusk_pipeline::settings::profile;
use dehusk_pipeline::{catch_panic, compile};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::arrow::{self, Table};
use crate::error::{self, About};
use crate::options::{SIGNER, checked};
use crate::work::interruptible;

/// Normalizes texts; `dehusk.Normalizer` is its public form.
#[pyclass(frozen, module = "dehusk._native")]
pub(crate) struct Normalizer {
    profile: Profile,
    wanted: Tokens,
    /// Memory that is used again from text to text.
    worker: Mutex<Worker>,
}

struct Worker {
    normalizer: normalize::Normalizer,
    cutter: Cutter,
    splitter: Splitter,
}

impl Worker {
    fn new(profile: &Profile, wanted: Tokens) -> Self {
        Worker {
            normalizer: normalize::Normalizer::new(profile.clone()),
            cutter: Cutter::new(profile, wanted),
            splitter: Splitter::new(),
        }
    }
}

/// A token or sentence, the position of its first character in the original, and the position after its
/// last.
type Placed = (String, usize, usize);

impl Normalizer {
    /// Runs `work` on the worker, without the interpreter. A panic becomes an exception.
    fn with<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut Worker) -> T + Send) -> PyResult<T> {
        let done = py.detach(|| {
            let mut worker = self.worker.lock().unwrap_or_else(PoisonError::into_inner);
            let done = catch_panic(|| work(&mut worker));
            if done.is_err() {
                // A panic may leave the worker in any state, so it is replaced.
                *worker = Worker::new(&self.profile, self.wanted);
            }
            done
        });
        done.map_err(|message| error::panic(py, &message))
    }
}

#[pymethods]
impl Normalizer {
    #[new]
    fn new(
        py: Python<'_>,
        name: &str,
        passes: Option<Vec<String>>,
        numbers: Option<String>,
        stem: bool,
        stop_words: bool,
        language: Option<String>,
    ) -> PyResult<Self> {
        let wrong =
            |name: &str, message: String| error::option(py, name, &format!("`{name}`: {message}"), None);
        let numbers =
            numbers.map(|name| Numbers::find(&name).map_err(|error| wrong("numbers", error.to_string())));
        let numbers = numbers.transpose()?;
        let profile = match passes {
            None => checked(py, profile(name, numbers))?,
            Some(passes) => {
                let passes = passes.iter().map(String::as_str);
                let own = Profile::custom(name.to_owned(), passes, normalize::Options::default());
                let own = own.map_err(|error| wrong("passes", error.to_string()))?;
                // The treatment of numbers that was given replaces that of the passes.
                numbers.map_or(own.clone(), |numbers| own.with_numbers(numbers))
            }
        };
        let language = language.map(|code| {
            code.parse::<LanguageCode>()
                .map_err(|message| wrong("language", message))
        });
        let wanted = Tokens {
            offsets: true,
            stem,
            stop_words,
            language: language.transpose()?,
        };
        let worker = Mutex::new(Worker::new(&profile, wanted));
        Ok(Normalizer {
            profile,
            wanted,
            worker,
        })
    }

    /// What identifies the passes and their versions.
    #[getter]
    fn fingerprint(&self) -> String {
        self.profile.fingerprint()
    }

    /// Names of the passes, in order.
    #[getter]
    fn passes(&self) -> Vec<&'static str> {
        self.profile.passes().iter().map(|pass| pass.name()).collect()
    }

    /// The normalized text.
    fn normalize(&self, py: Python<'_>, text: &str) -> PyResult<String> {
        self.with(py, |worker| worker.normalizer.normalize_text(text).to_owned())
    }

    /// The tokens.
    fn tokens(&self, py: Python<'_>, text: &str) -> PyResult<Vec<String>> {
        self.with(py, |worker| {
            let normal = worker.normalizer.normalize_text(text);
            let tokens = worker.cutter.cut(text, normal, |_| ());
            tokens.into_iter().map(std::borrow::Cow::into_owned).collect()
        })
    }

    /// The tokens with the places of the original that they come from, in characters.
    fn spans(&self, py: Python<'_>, text: &str) -> PyResult<Vec<Placed>> {
        self.with(py, |worker| {
            let normal = worker.normalizer.normalize(text);
            let mut ranges = Vec::new();
            let tokens = worker
                .cutter
                .cut(text, normal.text(), |range| ranges.push(normal.source(range)));
            // Byte positions of all tokens are converted in one walk over the text.
            let places = characters(text, ranges.iter().flat_map(|range| [range.start, range.end]));
            let tokens = tokens.into_iter().zip(ranges);
            let placed = |(token, range): (std::borrow::Cow<'_, str>, std::ops::Range<usize>)| {
                (token.into_owned(), places[&range.start], places[&range.end])
            };
            tokens.map(placed).collect()
        })
    }

    /// The sentences of the original with their places, in characters.
    fn sentences(&self, py: Python<'_>, text: &str) -> PyResult<Vec<Placed>> {
        self.with(py, |worker| {
            let ranges: Vec<_> = worker.splitter.sentences(text).collect();
            let places = characters(text, ranges.iter().flat_map(|range| [range.start, range.end]));
            let placed = |range: std::ops::Range<usize>| {
                (
                    text[range.clone()].to_owned(),
                    places[&range.start],
                    places[&range.end],
                )
            };
            ranges.into_iter().map(placed).collect()
        })
    }
}

/// Returns the number of characters before each of these bytes of a text. Python counts in characters.
fn characters(text: &str, bytes: impl Iterator<Item = usize>) -> BTreeMap<usize, usize> {
    let mut places: BTreeMap<usize, usize> = bytes.map(|byte| (byte, 0)).collect();
    let (mut at, mut count) = (0, 0);
    // In ascending order, so that each part of the text is counted once.
    for (byte, place) in &mut places {
        count += text[at..*byte].chars().count();
        (at, *place) = (*byte, count);
    }
    places
}

/// Signs texts; `dehusk.Signer` is its public form.
#[pyclass(frozen, module = "dehusk._native")]
pub(crate) struct Signer {
    signers: kernel::SignerMaker,
    matcher: Matcher,
    /// A signer that is not in use, for the next text. Threads that find none make their own.
    spare: Mutex<Option<kernel::Signer>>,
    threads: usize,
    columns: Columns,
}

impl Signer {
    /// Locks the spare signer.
    fn spare(&self) -> std::sync::MutexGuard<'_, Option<kernel::Signer>> {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Kind, hashes of the content and the text, keys and features of a text.
type SignedText<'py> = (&'static str, Bound<'py, PyBytes>, u64, Vec<u64>, Vec<u64>);

/// Returns the name of a kind of document.
fn kind(of: DocumentKind) -> &'static str {
    match of {
        DocumentKind::Full => "full",
        DocumentKind::Short => "short",
        DocumentKind::Empty | DocumentKind::LeftOut => "empty",
    }
}

#[pymethods]
impl Signer {
    #[new]
    fn new(py: Python<'_>, options: &Bound<'_, PyDict>) -> PyResult<Self> {
        let settings = SIGNER.read(options)?;
        let compiled = checked(py, py.detach(|| compile(&settings)))?;
        let matcher = Matcher::new(Arc::clone(&compiled));
        let signers = checked(py, kernel::SignerMaker::new(&settings, compiled))?;
        Ok(Signer {
            spare: Mutex::new(Some(signers.signer())),
            signers,
            matcher,
            threads: settings.threads(),
            columns: settings.column.unwrap_or_default(),
        })
    }

    /// Kind, hashes of the content and the text, keys and features of a text.
    fn sign<'py>(&self, py: Python<'py>, text: &str) -> PyResult<SignedText<'py>> {
        let signed = py.detach(|| {
            let spare = self.spare().take();
            let mut signer = spare.unwrap_or_else(|| self.signers.signer());
            let signed = catch_panic(|| signer.sign(text));
            // After a panic the signer is dropped, since its state is unknown.
            if signed.is_ok() {
                *self.spare() = Some(signer);
            }
            signed
        });
        let signed = signed.map_err(|message| error::panic(py, &message))?;
        let content = PyBytes::new(py, &signed.content.to_be_bytes());
        Ok((
            kind(signed.kind),
            content,
            signed.exact,
            signed.keys,
            signed.features,
        ))
    }

    /// The similarity of two documents by their features, if it reaches the threshold.
    fn compare(&self, py: Python<'_>, a: Vec<u64>, b: Vec<u64>) -> PyResult<Option<f64>> {
        let compared = py.detach(|| catch_panic(|| self.matcher.compare(&a, &b)));
        compared.map_err(|message| error::panic(py, &message))
    }

    /// Bands and rows of the signature, if candidates are found by bands.
    #[getter]
    fn banding(&self) -> Option<(u32, u32)> {
        self.matcher
            .banding()
            .map(|banding| (banding.bands, banding.rows))
    }

    /// The signatures of a batch of texts.
    fn batch(&self, py: Python<'_>, texts: &Bound<'_, PyAny>) -> PyResult<Table> {
        let input = arrow::read(texts)?;
        interruptible(py, About::Work, |cancel| {
            let signer = || self.signers.signer();
            input.map(|batch| {
                dehusk_pipeline::batch::sign(batch, &self.columns, self.threads, cancel, &signer)
            })
        })
    }
}
