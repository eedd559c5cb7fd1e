//! Batches written as JSON Lines, for verbs that read files.

use std::path::Path;

use arrow_array::RecordBatch;

use super::fields::Fields;
use crate::error::Error;
use crate::exec::cancel::Cancel;
use crate::read::columns::Columns;
use crate::write::file::whole_file;

/// Writes the rows of batches to a file, each as a line of JSON. Returns the number of rows.
///
/// # Errors
/// If a column has a type that cannot be read, or the file cannot be written.
pub fn write_lines(batches: &[RecordBatch], to: &Path, cancel: &Cancel) -> Result<usize, Error> {
    whole_file(to, cancel, |file| {
        let mut written = 0;
        for batch in batches {
            let fields = Fields::new(batch, &Columns::default(), "", true)?;
            for row in 0..batch.num_rows() {
                cancel.check()?;
                file.line(&fields.line(row, ""))?;
                written += 1;
            }
        }
        Ok(written)
    })
}
