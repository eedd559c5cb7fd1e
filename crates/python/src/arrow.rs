//! Tables of Arrow, in and out through the PyCapsule interface: no library of Python is needed for it.
//!
//! <https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html>

use std::ffi::CStr;
use std::ptr::NonNull;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi, to_ffi};
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::{Array, RecordBatch, RecordBatchIterator, StructArray};
use arrow_schema::SchemaRef;
use dehusk_pipeline::Error;
use pyo3::exceptions::{PyImportError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// Batches of one schema.
#[pyclass(frozen, module = "dehusk")]
#[derive(Debug)]
pub(crate) struct Table {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

impl Table {
    /// Returns the table of batches of one schema, or `None` without batches.
    pub(crate) fn of(batches: Vec<RecordBatch>) -> Option<Table> {
        let schema = batches.first()?.schema();
        Some(Table { schema, batches })
    }
}

/// The batches of the input, or its schema if it has no batches.
pub(crate) struct Input {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

impl Input {
    /// Returns the batches.
    pub(crate) fn batches(&self) -> &[RecordBatch] {
        &self.batches
    }

    /// Returns the table of the results of `work` on each batch.
    pub(crate) fn map(
        &self,
        work: impl Fn(&RecordBatch) -> Result<RecordBatch, Error>,
    ) -> Result<Table, Error> {
        let batches: Vec<RecordBatch> = self.batches.iter().map(&work).collect::<Result<_, _>>()?;
        let schema = match batches.first() {
            Some(first) => first.schema(),
            // Without batches, an empty one gives the schema of the result.
            None => work(&RecordBatch::new_empty(self.schema.clone()))?.schema(),
        };
        Ok(Table { schema, batches })
    }
}

/// Takes over the batches of an object.
pub(crate) fn read(object: &Bound<'_, PyAny>) -> PyResult<Input> {
    let wrong = |error: arrow_schema::ArrowError| PyValueError::new_err(error.to_string());
    // A stream holds any number of batches. As an array, a table of several batches cannot be handed over.
    if object.hasattr("__arrow_c_stream__")? {
        let capsule = object
            .call_method0("__arrow_c_stream__")
            .map_err(|error| without_pyarrow(object, error))?
            .cast_into::<PyCapsule>()?;
        let reader = import_stream(&capsule)?;
        let schema = arrow_array::RecordBatchReader::schema(&reader);
        let batches = reader.collect::<Result<Vec<_>, _>>().map_err(wrong)?;
        batches.iter().try_for_each(check)?;
        return Ok(Input { schema, batches });
    }
    if object.hasattr("__arrow_c_array__")? {
        let capsules = object.call_method0("__arrow_c_array__")?;
        let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) = capsules.extract()?;
        let batch = import(&schema, &array)?;
        check(&batch)?;
        return Ok(Input {
            schema: batch.schema(),
            batches: vec![batch],
        });
    }
    let class = object.get_type().name()?;
    Err(PyTypeError::new_err(format!(
        "`{class}` is no table of Arrow: it has neither `__arrow_c_array__` nor `__arrow_c_stream__`"
    )))
}

/// Names the remedy if the exporter needs a package that is not installed, as data frames of pandas do.
fn without_pyarrow(object: &Bound<'_, PyAny>, error: PyErr) -> PyErr {
    let py = object.py();
    if !error.is_instance_of::<PyImportError>(py) {
        return error;
    }
    let class = object.get_type();
    let class = class
        .name()
        .map_or_else(|_| "table".to_owned(), |name| name.to_string());
    let message = format!(
        "`{class}` hands over its rows by a package that is not installed: `pip install pyarrow`, or give the rows, such as \
         `frame.to_dict(\"records\")`"
    );
    let remedy = PyImportError::new_err(message);
    remedy.set_cause(py, Some(error));
    remedy
}

/// Rejects arrays that contradict their type, such as texts that are not UTF-8. The interface itself checks
/// nothing.
fn check(batch: &RecordBatch) -> PyResult<()> {
    let sound = |array: &arrow_array::ArrayRef| array.to_data().validate_full();
    batch.columns().iter().try_for_each(sound).map_err(failed)
}

/// Takes over the batch of two capsules, and leaves them empty.
#[allow(unsafe_code, reason = "the C data interface of Arrow hands over pointers")]
fn import(schema: &Bound<'_, PyCapsule>, array: &Bound<'_, PyCapsule>) -> PyResult<RecordBatch> {
    let schema: NonNull<FFI_ArrowSchema> = schema.pointer_checked(Some(SCHEMA))?.cast();
    let array: NonNull<FFI_ArrowArray> = array.pointer_checked(Some(ARRAY))?.cast();
    // SAFETY: capsules of these names hold structures of these types, to which nothing else has a reference while the interpreter is
    // held. `from_raw` takes them over and marks them as released, so that the capsules free nothing twice.
    let data = unsafe {
        let array = FFI_ArrowArray::from_raw(array.as_ptr());
        from_ffi(array, schema.as_ref())
    };
    let data = data.map_err(|error| PyValueError::new_err(error.to_string()))?;
    if !matches!(data.data_type(), arrow_schema::DataType::Struct(_)) {
        let message = format!("a record batch is wanted, not an array of {}", data.data_type());
        return Err(PyValueError::new_err(message));
    }
    let array = StructArray::from(data);
    if array.null_count() > 0 {
        return Err(PyValueError::new_err("rows of a record batch cannot be null"));
    }
    Ok(RecordBatch::from(array))
}

/// Takes over the stream of a capsule.
#[allow(unsafe_code, reason = "the C stream interface of Arrow hands over pointers")]
fn import_stream(capsule: &Bound<'_, PyCapsule>) -> PyResult<RecordBatchStreamReader> {
    let stream: NonNull<FFI_ArrowArrayStream> = capsule.pointer_checked(Some(STREAM))?.cast();
    // SAFETY: a capsule of this name holds a stream, to which nothing else has a reference while the
    // interpreter is held. `from_raw` takes it over and leaves an empty stream in the capsule, so that
    // nothing is freed twice.
    let reader = unsafe { RecordBatchStreamReader::from_raw(stream.as_ptr()) };
    reader.map_err(|error| PyValueError::new_err(error.to_string()))
}

#[pymethods]
impl Table {
    /// Number of rows.
    #[getter]
    fn num_rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// Names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        let fields = self.schema.fields().iter();
        fields.map(|field| field.name().clone()).collect()
    }

    fn __len__(&self) -> usize {
        self.num_rows()
    }

    fn __repr__(&self) -> String {
        format!(
            "<dehusk.Table of {} rows: {}>",
            self.num_rows(),
            self.column_names().join(", ")
        )
    }

    /// The schema, as a capsule.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.schema.as_ref()).map_err(failed)?;
        PyCapsule::new_with_value(py, schema, SCHEMA)
    }

    /// The rows as one batch, as capsules of schema and array.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        // A producer may ignore what is requested, as the interface says.
        drop(requested_schema);
        let batch = match self.batches.as_slice() {
            [batch] => batch.clone(),
            [] => RecordBatch::new_empty(self.schema.clone()),
            many => {
                let message = format!(
                    "there are {} batches: read them as a stream, such as by `pyarrow.table`",
                    many.len()
                );
                return Err(PyValueError::new_err(message));
            }
        };
        let array = StructArray::from(batch);
        let (array, schema) = to_ffi(&array.to_data()).map_err(failed)?;
        let schema = PyCapsule::new_with_value(py, schema, SCHEMA)?;
        let array = PyCapsule::new_with_value(py, array, ARRAY)?;
        PyTuple::new(py, [schema, array])
    }

    /// The batches as a stream, as a capsule.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A producer may ignore it, as in `__arrow_c_array__`.
        drop(requested_schema);
        let batches = self.batches.clone().into_iter().map(Ok);
        let reader = RecordBatchIterator::new(batches, self.schema.clone());
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(reader)), STREAM)
    }
}

/// Returns an error of Arrow as an exception.
#[allow(clippy::needless_pass_by_value, reason = "for `map_err`")]
fn failed(error: arrow_schema::ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Writes the rows of a table as lines of JSON to a file. Returns their number.
#[pyfunction]
pub(crate) fn write_rows(py: Python<'_>, table: &Bound<'_, PyAny>, path: &str) -> PyResult<usize> {
    let input = read(table)?;
    crate::work::interruptible(py, crate::error::About::Work, |cancel| {
        dehusk_pipeline::batch::write_lines(input.batches(), std::path::Path::new(path), cancel)
    })
}
