//! The laboratory: methods compared on labelled sets, and sets that are made.

use std::path::Path;

use dehusk_lab::Study;
use dehusk_lab::compare::{ChosenMethod, Options, all_methods, sweep};
use dehusk_lab::generate::{self, Mutations, Parts, Passages, Pool, Records, Romip, Stars};
use dehusk_pipeline::Cancel;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::{self, About};
use crate::options::{COMPARE, checked};
use crate::work::interruptible;

/// Compares methods on documents with known duplicates, and writes a report to a folder.
#[pyfunction]
#[allow(
    clippy::too_many_arguments,
    reason = "keyword arguments of one function of Python"
)]
pub(crate) fn compare(
    py: Python<'_>,
    inputs: Vec<String>,
    truth: &str,
    out: &str,
    signatures: Option<Vec<String>>,
    wider: bool,
    threshold: Option<f64>,
    views: Vec<String>,
    bootstrap: u32,
    seed: u64,
    options: &Bound<'_, PyDict>,
) -> PyResult<()> {
    let settings = COMPARE.read(options)?;
    let mut chosen = Options::default();
    chosen.methods = match signatures {
        None => all_methods(),
        Some(names) => {
            let method = |name: &String| {
                let read = name.parse::<ChosenMethod>();
                read.map_err(|wrong: String| {
                    error::option(py, "signature", &format!("`signature`: {wrong}"), None)
                })
            };
            names.iter().map(method).collect::<PyResult<_>>()?
        }
    };
    if wider {
        chosen.methods.extend(sweep());
    }
    if let Some(threshold) = threshold {
        // Written so that NaN is rejected too.
        if !(threshold > 0.0 && threshold <= 1.0) {
            let message = "`threshold`: a share above 0 and up to 1 is wanted";
            return Err(error::option(py, "threshold", message, None));
        }
        chosen.threshold = threshold;
    }
    chosen.shingler = checked(py, settings.duplicates())?.shingler();
    (chosen.replicates, chosen.seed) = (bootstrap, seed);
    let title = inputs.first().cloned().unwrap_or_default();
    let mut study = Study::new(title, Path::new(truth), chosen);
    study.views = views;
    interruptible(py, About::Work, |cancel| {
        let job = dehusk_pipeline::Job::new(&inputs, &settings, cancel);
        dehusk_lab::report::check(&job, Path::new(truth), Path::new(out))?;
        let results = study.run(&job, &mut |_| ())?;
        dehusk_lab::report::write(&results, Path::new(out), cancel)
    })
}

/// Makes a set of documents with known duplicates, and writes it to a folder. Returns the number of documents.
#[pyfunction]
pub(crate) fn generate_set(
    py: Python<'_>,
    what: &str,
    from: Vec<String>,
    out: &str,
    seed: u64,
    options: &Bound<'_, PyDict>,
) -> PyResult<u64> {
    let given = Given { what, options };
    let (out, what) = (Path::new(out), what.to_owned());
    let pools = |cancel: &Cancel| -> Result<Vec<Pool>, dehusk_pipeline::Error> {
        let pool = |text| Pool::read(std::slice::from_ref(text), cancel);
        from.iter().map(pool).collect()
    };
    match what.as_str() {
        "mutations" => {
            given.only(&["documents", "copied", "variants"])?;
            let mut made = Mutations::default();
            made.documents = given.number("documents", 10_000)?;
            made.copied = given.share("copied", 0.25)?;
            made.variants = given.value("variants")?.unwrap_or(false);
            made.seed = seed;
            interruptible(py, About::Work, |cancel| {
                generate::mutations(&pools(cancel)?, &made, out, cancel)
            })
        }
        "records" => {
            given.only(&["class_", "records", "clusters"])?;
            let class: String = given.value("class_")?.unwrap_or_else(|| "HE".to_owned());
            let mut made = checked(py, Records::new(&class))?;
            made.records = given.number("records", 5000)?;
            made.clusters = given.number("clusters", 500)?;
            made.seed = seed;
            interruptible(py, About::Work, |cancel| {
                generate::records(&from, &made, out, cancel)
            })
        }
        "romip" => {
            given.only(&["pages", "sites"])?;
            let mut made = Romip::default();
            made.pages = given.number("pages", 2000)?;
            made.sites = given.number("sites", 12)?;
            made.seed = seed;
            interruptible(py, About::Work, |cancel| {
                generate::romip(&pools(cancel)?, &made, out, cancel)
            })
        }
        "parts" => {
            given.only(&["documents", "parts", "replaced"])?;
            let mut made = Parts::default();
            made.documents = given.number("documents", 1000)?;
            made.parts = given.number("parts", 40)?;
            made.replaced = given.number("replaced", 4)?;
            made.seed = seed;
            interruptible(py, About::Work, |cancel| generate::parts(&made, out, cancel))
        }
        "stars" => {
            given.only(&["stars", "copies"])?;
            let mut made = Stars::default();
            made.stars = given.number("stars", 50)?;
            made.copies = given.number("copies", 160)?;
            made.seed = seed;
            interruptible(py, About::Work, |cancel| generate::stars(&made, out, cancel))
        }
        "passages" => {
            given.only(&["documents", "runs", "copies"])?;
            let mut made = Passages::default();
            made.documents = given.number("documents", 1000)?;
            made.runs = given.number("runs", 240)?;
            made.copies = given.number("copies", 4)?;
            made.seed = seed;
            interruptible(py, About::Work, |cancel| generate::passages(&made, out, cancel))
        }
        _ => {
            let message = format!(
                "no set is called `{what}`; known: mutations, records, romip, parts, stars, passages"
            );
            Err(error::option(py, "what", &message, None))
        }
    }
}

/// Keyword arguments of a set that is made.
struct Given<'a, 'py> {
    what: &'a str,
    options: &'a Bound<'py, PyDict>,
}

impl<'py> Given<'_, 'py> {
    /// Rejects options other than these.
    fn only(&self, known: &[&str]) -> PyResult<()> {
        for name in self.options.keys() {
            let name: String = name.extract()?;
            if !known.contains(&name.as_str()) {
                let help = format!("known: {}", known.join(", "));
                let message = format!("`{}` has no option `{name}`", self.what);
                return Err(error::option(self.options.py(), &name, &message, Some(&help)));
            }
        }
        Ok(())
    }

    /// Returns the value of an option; `None` if it is not given or is `None`.
    fn value<T: pyo3::conversion::FromPyObjectOwned<'py>>(&self, name: &str) -> PyResult<Option<T>> {
        let value = self.options.get_item(name)?.filter(|value| !value.is_none());
        let wrong = || {
            let message = format!("`{name}`: not a value of this option");
            error::option(self.options.py(), name, &message, None)
        };
        value
            .map(|value| value.extract().map_err(|_| wrong()))
            .transpose()
    }

    /// Returns an option that is a number.
    fn number(&self, name: &str, default: usize) -> PyResult<usize> {
        Ok(self.value(name)?.unwrap_or(default))
    }

    /// Returns an option that is a share of 0 to 1, in millionths.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a share from 0 to 1 was checked, and has at most a million millionths"
    )]
    fn share(&self, name: &str, default: f64) -> PyResult<u32> {
        let share = self.value(name)?.unwrap_or(default);
        if !(0.0..=1.0).contains(&share) {
            let message = format!("`{name}`: a share from 0 to 1 is wanted");
            return Err(error::option(self.options.py(), name, &message, None));
        }
        Ok((share * 1e6).round() as u32)
    }
}
