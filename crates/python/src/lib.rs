//! The native half of the Python package `dehusk`. The public half is in `python/dehusk`: names, types and
//! documentation. This half turns arguments into those of [`dehusk_pipeline`], releases the interpreter
//! during the work, and turns results into objects of Python.
//!
//! It decides nothing: options, methods and their parameters come from the tables of the pipeline.

#![allow(
    clippy::needless_pass_by_value,
    reason = "what Python hands over comes by value"
)]

mod arrow;
mod content;
mod dedup;
mod documents;
mod error;
mod extractor;
mod kernel;
mod lab;
mod options;
mod page;
mod passages;
mod reader;
mod sites;
mod spark;
mod text;
mod to_python;
mod work;

use pyo3::prelude::*;

/// Every table of methods, with parameters and defaults.
#[pyfunction]
fn method_tables(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    to_python::to_python(py, &dehusk_pipeline::tables())
}

/// Keeps panics that are caught from being printed: each becomes an exception.
fn silence_caught_panics() {
    let others = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !dehusk_pipeline::guarded() {
            others(panic);
        }
    }));
}

// All classes are frozen, and state that changes is behind locks, so the module needs no global lock of the
// interpreter.
#[pymodule(gil_used = false)]
mod _native {
    use super::*;

    #[pymodule_export]
    use super::method_tables;
    #[pymodule_export]
    use crate::arrow::{Table, write_rows};
    #[pymodule_export]
    use crate::content::render_content;
    #[pymodule_export]
    use crate::dedup::{
        dedup, field_of_keep, index_add, index_compact, index_merge, index_options, index_query,
        index_remove, index_rows, index_stats,
    };
    #[pymodule_export]
    use crate::documents::Documents;
    #[pymodule_export]
    use crate::extractor::Extractor;
    #[pymodule_export]
    use crate::lab::{compare, generate_set};
    #[pymodule_export]
    use crate::options::option_table;
    #[pymodule_export]
    use crate::passages::{PassageSearch, passages, passages_against};
    #[pymodule_export]
    use crate::reader::{Pages, read_pages};
    #[pymodule_export]
    use crate::sites::{
        export_rules, learn, read_templates, template_diff, template_facts, template_rules, template_shown,
        write_templates,
    };
    #[pymodule_export]
    use crate::spark::{
        Comparing, Covering, Deciding, Grouping, Learning, PageBatches, Renaming, Search, file_parts, hosts,
        page_batches,
    };
    #[pymodule_export]
    use crate::text::{Normalizer, Signer};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::silence_caught_panics();
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
