//! Columns of the user's input tables, with their types, that output tables repeat.

use std::sync::Arc;

use crate::read::inputs::{Inputs, RecordKind};

#[cfg(feature = "parquet")]
pub(crate) use crate::write::format::parquet::carried::Carried;

/// Stand-in without values: a build without the feature `parquet` reads no tables.
#[cfg(not(feature = "parquet"))]
#[derive(Debug)]
pub(crate) enum Carried {}

#[cfg(not(feature = "parquet"))]
impl Carried {
    /// Never called, since there is no value.
    pub(crate) fn has_other_ids(&self) -> bool {
        match *self {}
    }
}

/// Columns of inputs that are tables. `None` if no input is a table with columns to repeat.
pub(crate) fn carried(inputs: &Inputs, kind: RecordKind) -> Option<Arc<Carried>> {
    #[cfg(feature = "parquet")]
    return Carried::of(inputs, kind).map(Arc::new);
    #[cfg(not(feature = "parquet"))]
    {
        let _ = (inputs, kind);
        None
    }
}
