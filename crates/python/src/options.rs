//! Options as keyword arguments: the settings of the pipeline's table, with `_` for `-` in their names.

use dehusk_pipeline::Settings;
use dehusk_pipeline::settings::table::{ALL, DefaultValue, Group, Setting};
use dehusk_pipeline::settings::{NO_NAME, Names};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyMapping, PySequence, PyString};

use crate::error::{self, About};

/// A class or function of Python that takes settings, and the groups of settings that it takes.
pub(crate) struct Taker {
    pub(crate) name: &'static str,
    groups: &'static [Group],
    /// Settings of these groups that have no effect in a Python program.
    except: &'static [&'static str],
}

/// Settings that only a run of the program has.
const NOT_HERE: &[&str] = &["input-format", "all-files", "digests", "in-process", "max-bad"];

pub(crate) static EXTRACTOR: Taker = Taker {
    name: "Extractor",
    groups: &[
        Group::Input,
        Group::Extractor,
        Group::Parts,
        Group::Fields,
        Group::Parsing,
        Group::Layouts,
        Group::Sites,
        Group::Running,
    ],
    except: NOT_HERE,
};

pub(crate) static SIGNER: Taker = Taker {
    name: "Signer",
    groups: &[
        Group::Input,
        Group::Text,
        Group::Signing,
        Group::Similarity,
        Group::Running,
    ],
    except: NOT_HERE,
};

pub(crate) static DEDUP: Taker = Taker {
    name: "dedup",
    groups: &[
        Group::Input,
        Group::Text,
        Group::Signing,
        Group::SaveStats,
        Group::Similarity,
        Group::Duplicates,
        Group::Against,
        Group::Memory,
        Group::TemporaryFiles,
        Group::Running,
    ],
    except: &["in-process", "max-bad"],
};

pub(crate) static SPARK: Taker = Taker {
    name: "spark",
    groups: &[
        Group::Input,
        Group::Text,
        Group::Signing,
        Group::Similarity,
        Group::Duplicates,
        Group::Running,
    ],
    except: NOT_HERE,
};

pub(crate) static INDEX: Taker = Taker {
    name: "Index",
    groups: &[
        Group::Input,
        Group::Text,
        Group::Signing,
        Group::Similarity,
        Group::Memory,
        Group::Running,
    ],
    except: &["in-process", "max-bad"],
};

pub(crate) static LEARN: Taker = Taker {
    name: "learn",
    groups: &[
        Group::Input,
        Group::NamedFiles,
        Group::Addresses,
        Group::Extractor,
        Group::Parsing,
        Group::Memory,
        Group::Running,
    ],
    except: &["in-process", "max-bad"],
};

pub(crate) static READ: Taker = Taker {
    name: "read_pages",
    groups: &[Group::Input, Group::Index, Group::NamedFiles, Group::Addresses],
    except: &[],
};

pub(crate) static COMPARE: Taker = Taker {
    name: "compare",
    groups: &[Group::Input, Group::NamedFiles, Group::Text, Group::Running],
    except: &["max-bad"],
};

pub(crate) static PASSAGES: Taker = Taker {
    name: "passages",
    groups: &[
        Group::Input,
        Group::Passages,
        Group::Memory,
        Group::TemporaryFiles,
        Group::Running,
    ],
    // The function is the search itself, and its unit an argument.
    except: &["passages", "max-bad"],
};

/// The search on many machines. It uses no temporary files and has no limit of memory of its own.
pub(crate) static SPARK_PASSAGES: Taker = Taker {
    name: "spark_passages",
    groups: &[Group::Input, Group::Passages],
    except: &[
        "passages",
        "input-format",
        "all-files",
        "digests",
        "in-process",
        "max-bad",
    ],
};

pub(crate) static ITEMS: Taker = Taker {
    name: "find_items",
    groups: PASSAGES.groups,
    // Items are searched in each document separately.
    except: &[
        "passages",
        "min-documents",
        "min-hosts",
        "min-unit",
        "repeat",
        "at",
        "min-host-share",
        "max-share",
        "min-contained",
        "on-contained",
        "max-bad",
    ],
};

/// All takers, in the order of the documentation.
pub(crate) static TAKERS: &[&Taker] = &[
    &EXTRACTOR,
    &SIGNER,
    &DEDUP,
    &SPARK,
    &INDEX,
    &LEARN,
    &READ,
    &COMPARE,
    &PASSAGES,
    &SPARK_PASSAGES,
    &ITEMS,
];

impl Taker {
    /// Returns the settings that it takes, in the order of the table.
    pub(crate) fn settings(&self) -> impl Iterator<Item = &'static Setting> {
        ALL.iter()
            .filter(|setting| self.groups.contains(&setting.group) && !self.except.contains(&setting.name))
    }

    /// Returns the settings that keyword arguments set. `None` leaves a setting unset.
    pub(crate) fn read(&self, options: &Bound<'_, PyDict>) -> PyResult<Settings> {
        let py = options.py();
        let mut settings = Settings::default();
        let mut given: Vec<&'static Setting> = Vec::new();
        for (name, value) in options.iter() {
            let name: String = name.extract()?;
            let Some(setting) = self.settings().find(|setting| python_name(setting) == name) else {
                return Err(self.unknown(py, &name));
            };
            // `None` is the default of keyword arguments: the setting is not given.
            let Some(text) = text(setting, &value)? else {
                continue;
            };
            setting.set(&mut settings, &text).map_err(|wrong| {
                let range = setting.range();
                // The message may name the range already.
                let help =
                    (!range.is_empty() && !wrong.contains(&range)).then(|| format!("possible: {range}"));
                error::option(py, &name, &format!("`{name}`: {wrong}"), help.as_deref())
            })?;
            given.push(setting);
        }
        // After all are read, since the order of keyword arguments must not matter.
        for setting in &given {
            // An option that is `False` excludes nothing.
            let on = |name: &str| {
                let value = options.get_item(name.replace('-', "_")).ok().flatten();
                value.is_some_and(|value| value.is_truthy().unwrap_or(true))
            };
            if let Some(other) = setting.excludes.filter(|other| on(other) && on(setting.name)) {
                let name = python_name(setting);
                let message = format!("`{name}` and `{}` exclude each other", other.replace('-', "_"));
                return Err(error::option(py, &name, &message, Some("set one of them")));
            }
        }
        Ok(settings)
    }

    /// Returns the error for an option that does not exist. It suggests the nearest name, or lists all
    /// names if none is near.
    fn unknown(&self, py: Python<'_>, name: &str) -> PyErr {
        let known: Vec<String> = self.settings().map(python_name).collect();
        let near = known
            .iter()
            .map(|other| (distance(name, other), other))
            // Up to a third of the letters may differ: enough for a typing error, too little for another
            // word.
            .filter(|(distance, other)| *distance * 3 <= other.len().max(3))
            .min();
        let help = match near {
            Some((_, other)) => format!("did you mean `{other}`?"),
            None => format!("known: {}", known.join(", ")),
        };
        error::option(
            py,
            name,
            &format!("{} has no option `{name}`", self.name),
            Some(&help),
        )
    }
}

/// Returns the name of a setting in Python.
pub(crate) fn python_name(setting: &Setting) -> String {
    setting.name.replace('-', "_")
}

/// Returns a value as it would be typed on the command line; `None` if it is `None` or an empty collection.
fn text(setting: &Setting, value: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    if value.is_none() {
        return Ok(None);
    }
    // Before numbers, since `bool` is a subclass of `int`.
    if let Ok(switch) = value.cast::<PyBool>() {
        return Ok(Some(switch.is_true().to_string()));
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(Some(text.to_string_lossy().into_owned()));
    }
    if value.is_instance_of::<PyInt>() || value.is_instance_of::<PyFloat>() {
        return Ok(Some(value.str()?.to_string_lossy().into_owned()));
    }
    // A mapping of columns: `{"text": "body"}` becomes `text=body`.
    if let Ok(mapping) = value.cast::<PyMapping>() {
        let mut parts = Vec::new();
        for item in mapping.items()?.iter() {
            let (key, value): (String, String) = item.extract()?;
            parts.push(format!("{key}={value}"));
        }
        return Ok(Some(parts.join(",")).filter(|text| !text.is_empty()));
    }
    if matches!(setting.names(), Names::Several(_))
        && let Ok(list) = value.cast::<PySequence>()
    {
        let parts: Vec<String> = list.extract()?;
        // An empty list is a choice: none of the names.
        return Ok(Some(if parts.is_empty() {
            NO_NAME.to_owned()
        } else {
            parts.join(",")
        }));
    }
    if setting.names() == Names::Many
        && let Ok(list) = value.cast::<PySequence>()
    {
        let parts: Vec<String> = list.extract()?;
        return Ok(Some(parts.join(",")).filter(|text| !text.is_empty()));
    }
    // A path. Strings have been handled above.
    if value.hasattr("__fspath__")? {
        return Ok(Some(value.call_method0("__fspath__")?.extract()?));
    }
    // A sequence whose items are not all strings, such as paths.
    if setting.names() == Names::Many
        && let Ok(sequence) = value.cast::<PySequence>()
    {
        let parts = sequence.try_iter()?.map(|part| text(setting, &part?));
        let parts = parts
            .collect::<PyResult<Option<Vec<String>>>>()?
            .unwrap_or_default();
        return Ok(Some(parts.join(",")).filter(|text| !text.is_empty()));
    }
    let (name, class) = (python_name(setting), value.get_type().name()?);
    let message = format!("`{name}`: a value of the type `{class}` means nothing here");
    let help = format!("it is {}", setting.value.to_lowercase());
    Err(error::option(value.py(), &name, &message, Some(&help)))
}

/// Returns the Levenshtein distance of two names: the number of letters to change, insert or delete.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        // One row of the matrix is enough: `before` is the value up and to the left, `row[j + 1]` the value
        // above.
        let mut before = i;
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = before + usize::from(x != *y);
            before = row[j + 1];
            row[j + 1] = change.min(before + 1).min(row[j] + 1);
        }
    }
    row.last().copied().unwrap_or(0)
}

/// The options of each function and class that takes settings: a dictionary from its name to a list of dictionaries.
#[pyfunction]
pub(crate) fn option_table(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let tables = PyDict::new(py);
    for taker in TAKERS {
        let rows = PyList::empty(py);
        for setting in taker.settings() {
            let row = PyDict::new(py);
            row.set_item("name", python_name(setting))?;
            row.set_item("about", setting.about())?;
            row.set_item("value", setting.value)?;
            row.set_item("range", setting.range())?;
            row.set_item("default", setting.default.text())?;
            row.set_item("has_default", matches!(setting.default, DefaultValue::Value(_)))?;
            let (names, open) = match setting.names() {
                Names::Only(names) => (names, false),
                Names::OrFile(names) | Names::WithParameters(names) | Names::Several(names) => (names, true),
                Names::Any | Names::Many => (Vec::new(), true),
            };
            row.set_item("names", names)?;
            row.set_item("open", open)?;
            rows.append(row)?;
        }
        tables.set_item(taker.name, rows)?;
    }
    Ok(tables)
}

/// Turns an error of the pipeline into an exception.
pub(crate) fn checked<T>(py: Python<'_>, done: Result<T, dehusk_pipeline::Error>) -> PyResult<T> {
    done.map_err(|error| error::exception(py, &error, About::Work))
}
