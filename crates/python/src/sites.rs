//! Templates of sites.

use std::path::Path;

use dehusk_pipeline::extract::site::{Template as Learnt, to_rules};
use dehusk_pipeline::{Error, Job, site, verbs};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::{self, About};
use crate::options::LEARN;
use crate::to_python::to_python;
use crate::work::interruptible;

/// Reads a template from the text of a file.
pub(crate) fn template(py: Python<'_>, text: &str) -> PyResult<Learnt> {
    Learnt::from_toml(text).map_err(|wrong| {
        let error =
            Error::usage(format!("no template: {wrong}")).with_help("learn it anew from pages of its site");
        error::exception(py, &error, About::Sites)
    })
}

/// Learns templates from pages in files, and writes them to a folder.
#[pyfunction]
pub(crate) fn learn<'py>(
    py: Python<'py>,
    inputs: Vec<String>,
    out: &str,
    options: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    let settings = LEARN.read(options)?;
    let mut rejected = Vec::new();
    let learnt = interruptible(py, About::Work, |cancel| {
        let job = Job::new(&inputs, &settings, cancel);
        verbs::site::learn(&job, Path::new(out), &mut |row| rejected.push(row.clone()))
    })?;
    let report = PyDict::new(py);
    report.set_item("read", learnt.read)?;
    report.set_item("without_address", learnt.without_address)?;
    report.set_item("rejected", to_python(py, &rejected)?)?;
    let paths = learnt
        .layouts
        .iter()
        .map(|layout| layout.path.display().to_string());
    report.set_item("files", paths.collect::<Vec<_>>())?;
    Ok(report.into_any())
}

/// Texts of all template files of a folder, or of one file.
#[pyfunction]
pub(crate) fn read_templates(py: Python<'_>, path: &str) -> PyResult<Vec<String>> {
    let read = py.detach(|| site::read_all(Path::new(path)));
    let templates = read.map_err(|error| error::exception(py, &error, About::Sites))?;
    Ok(templates.iter().map(Learnt::to_toml).collect())
}

/// Writes templates to a folder, and makes it if need be. Returns the files.
#[pyfunction]
pub(crate) fn write_templates(py: Python<'_>, texts: Vec<String>, folder: &str) -> PyResult<Vec<String>> {
    let templates = texts.iter().map(|text| template(py, text));
    let templates = templates.collect::<PyResult<Vec<_>>>()?;
    // Templates are all parsed before the folder is made, so that an invalid one leaves nothing behind.
    std::fs::create_dir_all(folder)?;
    interruptible(py, About::Work, |cancel| {
        let written = templates.iter().map(|template| {
            let path = site::write(Path::new(folder), template, cancel)?;
            Ok(path.display().to_string())
        });
        written.collect()
    })
}

/// What is known of a template: its site, layout, pages, method and newest date.
#[pyfunction]
pub(crate) fn template_facts<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    let template = template(py, text)?;
    let facts = PyDict::new(py);
    facts.set_item("site", &template.origin.site)?;
    facts.set_item("layout", template.origin.layout)?;
    facts.set_item("pages", template.pages())?;
    facts.set_item("method", &template.origin.method)?;
    facts.set_item("newest", &template.origin.newest)?;
    facts.set_item("fields", to_python(py, &template.fields())?)?;
    Ok(facts.into_any())
}

/// A template as text for people.
#[pyfunction]
pub(crate) fn template_shown(py: Python<'_>, text: &str) -> PyResult<String> {
    Ok(site::show(&template(py, text)?))
}

/// What differs between two templates, as text for people.
#[pyfunction]
pub(crate) fn template_diff(py: Python<'_>, old: &str, new: &str) -> PyResult<String> {
    Ok(site::diff(&template(py, old)?, &template(py, new)?))
}

/// Templates of one site as rules by hand.
#[pyfunction]
pub(crate) fn template_rules(py: Python<'_>, texts: Vec<String>) -> PyResult<String> {
    let templates = texts.iter().map(|text| template(py, text));
    let templates = templates.collect::<PyResult<Vec<_>>>()?;
    Ok(to_rules(&templates.iter().collect::<Vec<_>>()))
}

/// Writes the templates of a folder as rules by hand into another. Returns the files and the number of rules in each.
#[pyfunction]
pub(crate) fn export_rules(py: Python<'_>, templates: &str, out: &str) -> PyResult<Vec<(String, usize)>> {
    let written = interruptible(py, About::Sites, |cancel| {
        site::export(Path::new(templates), Path::new(out), cancel)
    })?;
    let shown = |(path, rules): (std::path::PathBuf, usize)| (path.display().to_string(), rules);
    Ok(written.into_iter().map(shown).collect())
}
