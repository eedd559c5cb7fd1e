//! Errors as exceptions of Python. The classes are defined in `dehusk._errors`, so that Python shows them
//! under that name.

use dehusk_pipeline::record::Rejection;
use dehusk_pipeline::settings::table::ALL;
use dehusk_pipeline::{Error, ErrorKind};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};

/// Subject of an error, where the error does not contain it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum About {
    /// Options, inputs and outputs.
    Work,
    /// Rules and templates of sites.
    Sites,
}

/// Returns the exception for an error of the pipeline.
pub(crate) fn exception(py: Python<'_>, error: &Error, about: About) -> PyErr {
    let class = match error.kind() {
        ErrorKind::Interrupted(_) => return PyKeyboardInterrupt::new_err(error.to_string()),
        ErrorKind::Output => "OutputError",
        ErrorKind::Usage if about == About::Sites => "SiteError",
        // Wrong usage with a path and without an option is a fault of a file, such as a line that is not
        // JSON.
        ErrorKind::Usage if error.option().is_some() || error.path().is_none() => "OptionError",
        ErrorKind::Usage => "InputError",
        _ => "DehuskError",
    };
    let fields = || {
        let fields = PyDict::new(py);
        // Options of Python have underscores: `max_depth` for `max-depth`.
        fields.set_item("option", error.option().map(|name| name.replace('-', "_")))?;
        fields.set_item("path", error.path().map(|path| path.display().to_string()))?;
        fields.set_item("line", error.line())?;
        let notes: Vec<String> = error.notes().iter().map(|note| as_python(note)).collect();
        fields.set_item("notes", notes)?;
        fields.set_item("help", error.help().map(as_python))?;
        Ok(fields)
    };
    match fields() {
        Ok(fields) => new(py, class, &as_python(&error.to_string()), &fields),
        Err(error) => error,
    }
}

/// Returns the exception for a record that could not be used.
pub(crate) fn rejection(py: Python<'_>, rejection: &Rejection) -> PyErr {
    let fields = || {
        let fields = PyDict::new(py);
        fields.set_item("reason", rejection.reason.name())?;
        fields.set_item("id", rejection.id.as_deref())?;
        fields.set_item("url", rejection.url.as_deref())?;
        Ok(fields)
    };
    match fields() {
        Ok(fields) => new(py, "InputError", &rejection.message, &fields),
        Err(error) => error,
    }
}

/// Returns the exception for an option that does not exist, or has a value that it cannot have.
pub(crate) fn option(py: Python<'_>, name: &str, message: &str, help: Option<&str>) -> PyErr {
    let fields = PyDict::new(py);
    let set = fields.set_item("option", name);
    match set.and_then(|()| fields.set_item("help", help)) {
        Ok(()) => new(py, "OptionError", message, &fields),
        Err(error) => error,
    }
}

/// Returns the exception for content of a document that cannot be read.
pub(crate) fn content(py: Python<'_>, message: &str) -> PyErr {
    let fields = PyDict::new(py);
    match fields.set_item("reason", "content") {
        Ok(()) => new(py, "InputError", message, &fields),
        Err(error) => error,
    }
}

/// Returns the exception for a defect of this package, with the message of its panic.
pub(crate) fn panic(py: Python<'_>, message: &str) -> PyErr {
    let message = format!("the code failed: {message}; a defect worth a report");
    new(py, "DehuskError", &message, &PyDict::new(py))
}

/// Returns an instance of a class of `dehusk._errors`, as an exception to be raised. If the class cannot be
/// found, returns that error instead.
fn new(py: Python<'_>, class: &str, message: &str, fields: &Bound<'_, PyDict>) -> PyErr {
    static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let module = MODULE.get_or_try_init(py, || PyModule::import(py, "dehusk._errors").map(Bound::unbind));
    let make = |module: &Py<PyModule>| {
        let class = module.bind(py).getattr(class)?.cast_into::<PyType>()?;
        class.call((message,), Some(fields))
    };
    match module.and_then(make) {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}

/// Returns a message with flags of the command line as options of Python: `--max-depth` becomes
/// `max_depth`.
fn as_python(message: &str) -> String {
    let mut out = String::with_capacity(message.len());
    let mut rest = message;
    while let Some(at) = rest.find("--") {
        let (before, flag) = rest.split_at(at);
        let end = flag[2..]
            .find(|c: char| !c.is_ascii_lowercase() && c != '-')
            .map_or(flag.len(), |end| end + 2);
        let name = &flag[2..end];
        out.push_str(before);
        // Other text with two dashes, such as a flag of another program, stays as it is.
        match ALL.iter().any(|setting| setting.name == name) {
            true => out.push_str(&name.replace('-', "_")),
            false => out.push_str(&flag[..end]),
        }
        rest = &flag[end..];
    }
    out.push_str(rest);
    out
}
