//! Pages as arguments of Python: HTML alone, HTML with an address, a mapping of the fields of a record, or
//! an object that has the fields as attributes.

use std::borrow::Cow;

use dehusk_pipeline::record::{Content, Extra, PageRecord, RecordPlace};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyFloat, PyMapping, PyString, PyTuple};
use serde_json::value::RawValue;

/// A page with its own memory, or with the memory of an immutable Python object.
pub(crate) struct OwnedPage {
    html: Html,
    id: Option<String>,
    url: Option<String>,
    content_type: Option<String>,
    charset: Option<String>,
    date: Option<String>,
    popularity: Option<f64>,
    place: Option<RecordPlace<'static>>,
    extra: Vec<(String, Box<RawValue>)>,
}

/// The HTML of a page.
enum Html {
    Text(PyBackedStr),
    /// A string that has no UTF-8 form: halves of surrogate pairs are replaced.
    Lossy(String),
    Bytes(PyBackedBytes),
    Copied(Vec<u8>),
}

/// Names of the fields of a page, in a mapping and in an object.
const FIELDS: &[&str] = &[
    "html",
    "html_base64",
    "id",
    "url",
    "content_type",
    "charset",
    "date",
    "popularity",
];

impl OwnedPage {
    /// Returns a page of HTML alone.
    pub(crate) fn of_html(html: &Bound<'_, PyAny>) -> PyResult<OwnedPage> {
        let html = if let Ok(bytes) = html.cast::<PyBytes>() {
            // Immutable objects are shared with Python, so a page is not copied.
            Html::Bytes(bytes.clone().into())
        } else if let Ok(text) = html.cast::<PyString>() {
            match PyBackedStr::try_from(text.clone()) {
                Ok(text) => Html::Text(text),
                // Halves of surrogate pairs have no UTF-8 form.
                Err(_) => Html::Lossy(text.to_string_lossy().into_owned()),
            }
        } else if let Ok(bytes) = html.cast::<PyByteArray>() {
            // A `bytearray` may change while other threads read the page, so it is copied.
            Html::Copied(bytes.to_vec())
        } else if html.get_type().name()?.to_string_lossy() == "memoryview" {
            Html::Bytes(html.call_method0("tobytes")?.cast_into::<PyBytes>()?.into())
        } else {
            let class = html.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "a page is HTML as `bytes` or `str`, not `{class}`"
            )));
        };
        Ok(OwnedPage {
            html,
            id: None,
            url: None,
            content_type: None,
            charset: None,
            date: None,
            popularity: None,
            place: None,
            extra: Vec::new(),
        })
    }

    /// Returns the page of an item of an iterable. The item is HTML, a pair of HTML and address, a mapping,
    /// or an object with an attribute `html`.
    pub(crate) fn of_item(item: &Bound<'_, PyAny>) -> PyResult<OwnedPage> {
        if item.is_instance_of::<PyBytes>() || item.is_instance_of::<PyString>() {
            return OwnedPage::of_html(item);
        }
        if let Ok(pair) = item.cast::<PyTuple>() {
            if pair.len() != 2 {
                let message = format!("a page as a tuple is HTML and address, not {} items", pair.len());
                return Err(PyTypeError::new_err(message));
            }
            let mut page = OwnedPage::of_html(&pair.get_item(0)?)?;
            page.url = present(pair.get_item(1)?)?.map(|url| url.extract()).transpose()?;
            return Ok(page);
        }
        if let Ok(mapping) = item.cast::<PyMapping>() {
            return OwnedPage::of_mapping(mapping);
        }
        if item.hasattr("html")? {
            let fields = PyDict::new(item.py());
            for name in FIELDS.iter().copied().chain(["extra"]) {
                if let Some(value) = item.getattr_opt(name)? {
                    fields.set_item(name, value)?;
                }
            }
            let mut page = OwnedPage::of_mapping(fields.as_mapping())?;
            // Objects of other libraries may use these names for something else, so a value of another type
            // is not an error.
            let number = |name: &str| -> PyResult<Option<u64>> {
                let value = item.getattr_opt(name)?;
                Ok(value.and_then(|value| value.extract().ok()))
            };
            let source = item.getattr_opt("source")?;
            if let Some(source) = source.and_then(|source| source.extract::<String>().ok())
                && let Some(offset) = number("offset")?
            {
                page.place = Some(RecordPlace::new(source, offset, number("plain_offset")?));
            }
            // The attribute `extra` of an object holds unknown fields. They become fields of the record
            // itself.
            page.extra.clear();
            if let Some(extra) = fields.get_item("extra")?.filter(|extra| !extra.is_none()) {
                page.add_extra(extra.cast::<PyMapping>()?)?;
            }
            return Ok(page);
        }
        OwnedPage::of_html(item)
    }

    fn of_mapping(mapping: &Bound<'_, PyMapping>) -> PyResult<OwnedPage> {
        let given = |name: &str| -> PyResult<Option<Bound<'_, PyAny>>> {
            match mapping.contains(name)? {
                true => present(mapping.get_item(name)?),
                false => Ok(None),
            }
        };
        let text = |name: &str| -> PyResult<Option<String>> {
            let Some(value) = given(name)? else {
                return Ok(None);
            };
            // An id may be a number, and a date an object: both are taken as text.
            Ok(Some(value.str()?.to_string_lossy().into_owned()))
        };
        let html = match (given("html")?, given("html_base64")?) {
            (Some(html), _) => html,
            (None, Some(coded)) => mapping
                .py()
                .import("base64")?
                .call_method1("b64decode", (coded,))?,
            (None, None) => {
                return Err(PyValueError::new_err("none of `html`, `html_base64` is here"));
            }
        };
        let mut page = OwnedPage::of_html(&html)?;
        page.id = text("id")?;
        page.url = text("url")?;
        page.content_type = text("content_type")?;
        page.charset = text("charset")?;
        page.date = text("date")?;
        page.popularity = given("popularity")?.map(|value| value.extract()).transpose()?;
        page.add_extra(mapping)?;
        Ok(page)
    }

    /// Carries along the fields that are not those of a page.
    fn add_extra(&mut self, mapping: &Bound<'_, PyMapping>) -> PyResult<()> {
        for item in mapping.items()?.iter() {
            let (name, value): (String, Bound<'_, PyAny>) = item.extract()?;
            if FIELDS.contains(&name.as_str()) {
                continue;
            }
            // NaN is not valid JSON. An empty cell of a data frame becomes `null`, so that its page is not
            // lost.
            let value = present(value)?;
            let json = item.py().import("json")?;
            let options = PyDict::new(item.py());
            options.set_item("ensure_ascii", false)?;
            options.set_item("allow_nan", false)?;
            // Converts what JSON lacks, such as dates and numbers of numpy.
            let for_json = item.py().import("dehusk._inputs")?.getattr("for_json")?;
            options.set_item("default", for_json)?;
            let text: String = json.call_method("dumps", (&value,), Some(&options))?.extract()?;
            let raw = RawValue::from_string(text)
                .map_err(|error| PyValueError::new_err(format!("field `{name}`: {error}")))?;
            self.extra.push((name, raw));
        }
        Ok(())
    }

    /// Adds facts about the page. They replace those that it has.
    pub(crate) fn with(mut self, known: Known) -> OwnedPage {
        (self.url, self.id) = (known.url, known.id);
        (self.content_type, self.charset, self.date) = (known.content_type, known.charset, known.date);
        self
    }

    /// Sets the id to a number if the page has neither id nor address.
    pub(crate) fn with_number(mut self, number: u64) -> OwnedPage {
        let named = [&self.id, &self.url]
            .into_iter()
            .flatten()
            .any(|name| !name.is_empty());
        if !named {
            self.id = Some(number.to_string());
        }
        self
    }

    /// Returns the record of the page, which borrows from it.
    pub(crate) fn record(&self) -> PageRecord<'_> {
        let content = match &self.html {
            Html::Text(text) => Content::Text(Cow::Borrowed(text)),
            Html::Lossy(text) => Content::Text(Cow::Borrowed(text)),
            Html::Bytes(bytes) => Content::Bytes(Cow::Borrowed(bytes)),
            Html::Copied(bytes) => Content::Bytes(Cow::Borrowed(bytes)),
        };
        let text = |field: &'_ Option<String>| field.clone().map(Cow::Owned);
        let mut record = PageRecord::new(content);
        record.id = text(&self.id);
        record.url = text(&self.url);
        record.content_type = text(&self.content_type);
        record.charset = text(&self.charset);
        record.date = text(&self.date);
        record.popularity = self.popularity;
        record.place.clone_from(&self.place);
        let extra = self.extra.iter();
        record.extra = Extra(
            extra
                .map(|(name, value)| (Cow::Borrowed(name.as_str()), Cow::Borrowed(value.as_ref())))
                .collect(),
        );
        record
    }
}

/// Returns a value, or `None` if it is what an empty cell of a data frame holds: `None`, NaN, or `NA` or
/// `NaT` of pandas. Columns of texts have NaN for absent values.
fn present(value: Bound<'_, PyAny>) -> PyResult<Option<Bound<'_, PyAny>>> {
    let is_missing = if value.is_none() {
        true
    } else if value.is_instance_of::<PyString>() || value.is_instance_of::<PyBytes>() {
        false
    } else if let Ok(number) = value.cast::<PyFloat>() {
        number.value().is_nan()
    } else {
        // By name, since pandas is not a dependency.
        let class = value.get_type().name()?;
        let class = class.to_string_lossy();
        class == "NAType" || class == "NaTType"
    };
    Ok((!is_missing).then_some(value))
}

/// Facts about a page besides its HTML.
#[derive(Default)]
pub(crate) struct Known {
    pub(crate) url: Option<String>,
    pub(crate) id: Option<String>,
    pub(crate) content_type: Option<String>,
    pub(crate) charset: Option<String>,
    pub(crate) date: Option<String>,
}
