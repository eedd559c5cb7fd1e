//! Pages of files as batches, for the machines that extract them.

use std::sync::Arc;

use arrow_array::builder::{BinaryBuilder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType};

use super::extract::PAGE;
use crate::error::Error;
use crate::job::Job;
use crate::page_process::stored;
use crate::read::parts::Portion;
use crate::record::{PageRecord, Rejected};

/// Number of low bits of a position that hold the number of a record within its file.
const WITHIN: u32 = 36;
/// Number of the lowest bits of a position, which hold the number of a record within a part of its file.
const WITHIN_PART: u32 = 28;

/// Approximate number of bytes of pages in a batch.
const BATCH: usize = 4 << 20;

/// Reads the pages of a portion of the job's inputs, and calls `visit` with batches until it returns `false`.
///
/// A batch has these columns: `position`, which increases in the order in which all inputs are read; `id` and `url`; `dehusk_page`, the
/// serialized page with its content, for [`extract`](super::extract()) and [`Learner`](super::Learner); `reason` and `message` of records
/// that could not be used.
///
/// # Errors
/// If an input is missing, or the job is cancelled. An unusable record is a row instead.
pub fn pages(
    job: &Job<'_>,
    portion: &Portion,
    visit: &mut dyn FnMut(RecordBatch) -> bool,
) -> Result<(), Error> {
    // Files are read one by one, because positions start again with each file.
    let mut portions: Box<dyn Iterator<Item = Portion>> = match portion {
        Portion::Files(files) => Box::new(files.clone().map(|file| Portion::Files(file..file + 1))),
        Portion::Part { .. } => Box::new(std::iter::once(portion.clone())),
    };
    for portion in &mut portions {
        let portion = &portion;
        let mut batch = Pages::new(portion);
        let (mut goes_on, mut failed) = (true, None);
        job.each_page_of(portion, &mut |page| {
            batch.add(page);
            if batch.bytes >= BATCH {
                match batch.take() {
                    Ok(full) => goes_on = visit(full),
                    // The callback cannot return an error, so it is kept until reading has ended.
                    Err(error) => failed = Some(error),
                }
            }
            goes_on && failed.is_none()
        })?;
        if failed.is_none() && goes_on && batch.rows > 0 {
            match batch.take() {
                Ok(rest) => goes_on = visit(rest),
                Err(error) => failed = Some(error),
            }
        }
        if let Some(error) = failed {
            return Err(Error::failed(format!("pages do not fit into a batch: {error}")));
        }
        if !goes_on {
            break;
        }
    }
    Ok(())
}

/// Pages gathered into a batch.
struct Pages {
    /// Position of the next record.
    next: i64,
    rows: usize,
    bytes: usize,
    positions: Int64Builder,
    ids: StringBuilder,
    urls: StringBuilder,
    pages: BinaryBuilder,
    reasons: StringBuilder,
    messages: StringBuilder,
}

impl Pages {
    fn new(portion: &Portion) -> Self {
        let part = match portion {
            Portion::Files(_) => 0,
            // A file has at most 250 parts, so their numbers fit into the 8 bits between.
            Portion::Part { number, .. } => number << WITHIN_PART,
        };
        Pages {
            // With the file number in the high bits, positions increase in reading order.
            next: ((portion.files().start << WITHIN) + part).cast_signed(),
            rows: 0,
            bytes: 0,
            positions: Int64Builder::new(),
            ids: StringBuilder::new(),
            urls: StringBuilder::new(),
            pages: BinaryBuilder::new(),
            reasons: StringBuilder::new(),
            messages: StringBuilder::new(),
        }
    }

    fn add(&mut self, page: Result<PageRecord<'_>, Rejected>) {
        // Rejected records have positions too, so that positions do not depend on which records are usable.
        self.positions.append_value(self.next);
        self.next += 1;
        self.rows += 1;
        match page {
            Ok(page) => {
                let bytes = stored::to_bytes(&page);
                self.bytes += bytes.len();
                self.ids.append_option(page.id.as_deref());
                self.urls.append_option(page.url.as_deref());
                self.pages.append_value(bytes);
                self.reasons.append_null();
                self.messages.append_null();
            }
            Err(rejected) => {
                self.ids.append_value(&rejected.id);
                self.urls.append_option(rejected.url.as_deref());
                self.pages.append_null();
                self.reasons.append_value(rejected.reason.name());
                let place = format!("{}, byte {}", rejected.input, rejected.offset);
                self.messages
                    .append_value(format!("{} ({place})", rejected.message));
            }
        }
    }

    /// Returns the gathered rows, and starts a new batch.
    fn take(&mut self) -> Result<RecordBatch, ArrowError> {
        (self.rows, self.bytes) = (0, 0);
        let arrays: Vec<(&str, DataType, ArrayRef)> = vec![
            ("position", DataType::Int64, Arc::new(self.positions.finish())),
            ("id", DataType::Utf8, Arc::new(self.ids.finish())),
            ("url", DataType::Utf8, Arc::new(self.urls.finish())),
            (PAGE, DataType::Binary, Arc::new(self.pages.finish())),
            ("reason", DataType::Utf8, Arc::new(self.reasons.finish())),
            ("message", DataType::Utf8, Arc::new(self.messages.finish())),
        ];
        super::table::batch(arrays)
    }
}
