//! Columns of the user's tables that documents have again, with their types, in tables that are written.

use std::sync::Arc;

use crate::read::inputs::{Inputs, RecordKind};

#[cfg(feature = "parquet")]
pub(crate) use crate::write::format::parquet::carried::Carried;

/// Nothing: without the feature `parquet` no tables are read.
#[cfg(not(feature = "parquet"))]
#[derive(Debug)]
pub(crate) enum Carried {}

#[cfg(not(feature = "parquet"))]
impl Carried {
    pub(crate) fn has_other_ids(&self) -> bool {
        match *self {}
    }
}

/// The columns of the inputs that are tables, if any is.
pub(crate) fn carried(inputs: &Inputs, kind: RecordKind) -> Option<Arc<Carried>> {
    #[cfg(feature = "parquet")]
    return Carried::of(inputs, kind).map(Arc::new);
    #[cfg(not(feature = "parquet"))]
    {
        let _ = (inputs, kind);
        None
    }
}
