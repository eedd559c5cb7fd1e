//! Converts serializable values to objects of Python: the objects that `json.loads` would make of their
//! JSON, without writing the JSON.

use std::fmt::Display;

use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use serde::ser::{self, Serialize};

/// Serializes a value into an object of Python.
pub(crate) fn to_python<'py, T: Serialize + ?Sized>(
    py: Python<'py>,
    value: &T,
) -> PyResult<Bound<'py, PyAny>> {
    value.serialize(ToPython(py)).map_err(|Failed(error)| error)
}

/// A serializer whose output is an object of Python.
#[derive(Clone, Copy)]
struct ToPython<'py>(Python<'py>);

type Object<'py> = Bound<'py, PyAny>;

/// Error of the serializer: memory is exhausted, or the value is of a kind that JSON does not have.
#[derive(Debug)]
struct Failed(PyErr);

impl Display for Failed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Failed {}

impl From<PyErr> for Failed {
    fn from(error: PyErr) -> Self {
        Failed(error)
    }
}

impl ser::Error for Failed {
    fn custom<T: Display>(message: T) -> Self {
        Failed(PyTypeError::new_err(message.to_string()))
    }
}

macro_rules! plain {
    ($($method:ident($type:ty)),+) => {$(
        fn $method(self, value: $type) -> Result<Self::Ok, Failed> {
            Ok(value.into_bound_py_any(self.0)?)
        }
    )+};
}

impl<'py> ser::Serializer for ToPython<'py> {
    type Ok = Object<'py>;
    type Error = Failed;
    type SerializeSeq = Items<'py>;
    type SerializeTuple = Items<'py>;
    type SerializeTupleStruct = Items<'py>;
    type SerializeTupleVariant = Items<'py>;
    type SerializeMap = Members<'py>;
    type SerializeStruct = Members<'py>;
    type SerializeStructVariant = Members<'py>;

    plain!(
        serialize_bool(bool),
        serialize_i8(i8),
        serialize_i16(i16),
        serialize_i32(i32),
        serialize_i64(i64),
        serialize_u8(u8),
        serialize_u16(u16),
        serialize_u32(u32),
        serialize_u64(u64),
        serialize_f32(f32),
        serialize_f64(f64),
        serialize_char(char),
        serialize_str(&str),
        serialize_bytes(&[u8])
    );

    fn serialize_none(self) -> Result<Self::Ok, Failed> {
        Ok(self.0.None().into_bound(self.0))
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Self::Ok, Failed> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Self::Ok, Failed> {
        self.serialize_none()
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<Self::Ok, Failed> {
        self.serialize_none()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, name: &'static str) -> Result<Self::Ok, Failed> {
        self.serialize_str(name)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<Self::Ok, Failed> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        value: &T,
    ) -> Result<Self::Ok, Failed> {
        let value = value.serialize(self)?;
        let object = PyDict::new(self.0);
        object.set_item(name, value)?;
        Ok(object.into_any())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Items<'py>, Failed> {
        Ok(Items::new(self.0, None))
    }

    fn serialize_tuple(self, _: usize) -> Result<Items<'py>, Failed> {
        Ok(Items::new(self.0, None))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Items<'py>, Failed> {
        Ok(Items::new(self.0, None))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<Items<'py>, Failed> {
        Ok(Items::new(self.0, Some(name)))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Members<'py>, Failed> {
        Ok(Members::new(self.0, None))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Members<'py>, Failed> {
        Ok(Members::new(self.0, None))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<Members<'py>, Failed> {
        Ok(Members::new(self.0, Some(name)))
    }
}

/// Returns the object itself, or a dictionary that has it under the name of a variant.
fn named<'py>(object: Object<'py>, variant: Option<&'static str>) -> Result<Object<'py>, Failed> {
    let Some(name) = variant else { return Ok(object) };
    let outer = PyDict::new(object.py());
    outer.set_item(name, object)?;
    Ok(outer.into_any())
}

/// A list that is being filled, for sequences and tuples.
struct Items<'py> {
    list: Bound<'py, PyList>,
    variant: Option<&'static str>,
}

impl<'py> Items<'py> {
    fn new(py: Python<'py>, variant: Option<&'static str>) -> Self {
        Items {
            list: PyList::empty(py),
            variant,
        }
    }

    /// Appends an item.
    fn add<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failed> {
        let value = value.serialize(ToPython(self.list.py()))?;
        Ok(self.list.append(value)?)
    }

    /// Returns the complete list.
    fn object(self) -> Result<Object<'py>, Failed> {
        named(self.list.into_any(), self.variant)
    }
}

macro_rules! items {
    ($($of:ident::$method:ident),+) => {$(
        impl<'py> ser::$of for Items<'py> {
            type Ok = Object<'py>;
            type Error = Failed;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failed> {
                self.add(value)
            }

            fn end(self) -> Result<Object<'py>, Failed> {
                self.object()
            }
        }
    )+};
}

items!(
    SerializeSeq::serialize_element,
    SerializeTuple::serialize_element,
    SerializeTupleStruct::serialize_field,
    SerializeTupleVariant::serialize_field
);

/// A dictionary that is being filled, for maps and structs. `key` is a key of a map that waits for its
/// value.
struct Members<'py> {
    dict: Bound<'py, PyDict>,
    key: Option<Object<'py>>,
    variant: Option<&'static str>,
}

impl<'py> Members<'py> {
    fn new(py: Python<'py>, variant: Option<&'static str>) -> Self {
        Members {
            dict: PyDict::new(py),
            key: None,
            variant,
        }
    }

    /// Adds a field of a struct.
    fn add<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Failed> {
        let py = self.dict.py();
        let value = value.serialize(ToPython(py))?;
        // Names of fields are interned: all documents share one string object for each name.
        Ok(self.dict.set_item(PyString::intern(py, name), value)?)
    }

    /// Returns the complete dictionary.
    fn object(self) -> Result<Object<'py>, Failed> {
        named(self.dict.into_any(), self.variant)
    }
}

impl<'py> ser::SerializeMap for Members<'py> {
    type Ok = Object<'py>;
    type Error = Failed;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Failed> {
        // Keys of JSON are strings, so a number becomes its text: `{7: ...}` is `{"7": ...}`.
        self.key = Some(key.serialize(ToPython(self.dict.py()))?.str()?.into_any());
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failed> {
        let value = value.serialize(ToPython(self.dict.py()))?;
        // serde calls `serialize_key` before each value, so a key is always there.
        Ok(self.dict.set_item(self.key.take(), value)?)
    }

    fn end(self) -> Result<Object<'py>, Failed> {
        self.object()
    }
}

macro_rules! members {
    ($($of:ident),+) => {$(
        impl<'py> ser::$of for Members<'py> {
            type Ok = Object<'py>;
            type Error = Failed;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<(), Failed> {
                self.add(name, value)
            }

            fn end(self) -> Result<Object<'py>, Failed> {
                self.object()
            }
        }
    )+};
}

members!(SerializeStruct, SerializeStructVariant);
