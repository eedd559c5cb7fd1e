//! Unique ids of documents.

use std::sync::Arc;

use arrow_array::builder::{Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::DataType;

use super::table::{self, Read};
use crate::error::Error;
use crate::kernel::document_table::{DocumentFacts, DocumentTable};
use crate::record::Ranking;

/// Numbers repeated ids, as `run` does: the second `x` becomes `x#2`.
#[derive(Default)]
pub struct Ids {
    table: DocumentTable,
    documents: u32,
}

impl Ids {
    /// Takes the columns `position` and `id` of documents whose ids are equal apart from such numbers, in the order of positions.
    ///
    /// Returns the positions of the documents that get another id, with that id.
    ///
    /// # Errors
    /// If a column is missing or has another type.
    pub fn push(&mut self, batch: &RecordBatch) -> Result<RecordBatch, Error> {
        let read = Read(batch);
        let (positions, ids) = (read.longs("position")?, read.texts("id")?);
        let (mut renamed, mut names) = (Int64Builder::new(), StringBuilder::new());
        for row in 0..batch.num_rows() {
            let id = ids.value(row).unwrap_or_default().to_owned();
            if self
                .table
                .push(&DocumentFacts::new(id, None, &Ranking::default(), ""))
            {
                renamed.append_value(positions.value(row));
                names.append_value(self.table.id(self.documents));
            }
            self.documents += 1;
        }
        let arrays: Vec<(&str, DataType, ArrayRef)> = vec![
            ("position", DataType::Int64, Arc::new(renamed.finish())),
            ("id", DataType::Utf8, Arc::new(names.finish())),
        ];
        table::batch(arrays).map_err(|error| table::unfit(&error))
    }
}
