//! The lists of an output folder (documents, pairs, clusters, kept documents and more), in the format that the user chose.

use std::path::Path;

use crate::error::Error;
use crate::job::Job;
use crate::read::inputs::{Inputs, RecordKind};
use crate::record::RowKind;
use crate::settings::words::Compression;
use crate::write::carried::Carried;
use crate::write::file_form::FileForm;
use crate::write::folder::OutFolder;
use crate::write::format::{Jsonl, RowFormat};
use crate::write::row_format::FileHeader;
use crate::write::sink::RowSink;
use crate::write::summary::Summary;

/// The formats of the lists of an output folder.
#[derive(Clone, Copy, Debug)]
pub struct FolderFormats {
    /// Format of every list that it can write; see [`of_folders`](crate::output_format::of_folders). Other lists are JSON Lines.
    pub format: &'static dyn RowFormat,
    /// Whether pairs are also written as a TSV table.
    pub tsv: bool,
}

impl Default for FolderFormats {
    /// JSON Lines alone.
    fn default() -> Self {
        FolderFormats {
            format: &Jsonl,
            tsv: false,
        }
    }
}

/// An output folder that lists are written to.
pub(crate) struct RowFolder {
    pub(crate) folder: OutFolder,
    form: FileForm,
    header: FileHeader,
}

impl RowFolder {
    /// Creates or takes over the folder for the run that `summary` describes.
    ///
    /// If the format has columns, documents repeat the columns of the inputs, which are read as `kind`.
    pub(crate) fn open(
        job: &Job<'_>,
        out: &Path,
        format: &'static dyn RowFormat,
        summary: &Summary,
        (inputs, kind): (&Inputs, RecordKind),
    ) -> Result<Self, Error> {
        Ok(RowFolder {
            form: FileForm::folder(job.settings, format)?.carrying(inputs, kind),
            header: summary.header(),
            folder: OutFolder::open(out, summary.verb, job.cancel)?,
        })
    }

    /// Whether lists of documents repeat columns of the inputs, and whether these have ids of a type other than text.
    pub(crate) fn carries(&self) -> (bool, bool) {
        let carried = self.form.carried.as_deref();
        (carried.is_some(), carried.is_some_and(Carried::has_other_ids))
    }

    /// Starts a list.
    pub(crate) fn rows(&self, list: &str, kind: RowKind) -> Result<RowSink<'static>, Error> {
        self.rows_as(self.form.of_list(kind), list, kind)
    }

    /// Starts a list in another format.
    pub(crate) fn rows_in(
        &self,
        format: &'static dyn RowFormat,
        list: &str,
        kind: RowKind,
    ) -> Result<RowSink<'static>, Error> {
        self.rows_as(self.form.with_format(format).of_list(kind), list, kind)
    }

    /// Starts a list of this form.
    fn rows_as(&self, form: FileForm, list: &str, kind: RowKind) -> Result<RowSink<'static>, Error> {
        let shards = self
            .folder
            .shards(&format!("{list}{}", form.ending()), form.shard_size.is_some())?;
        RowSink::shards(shards, form, kind, Some(&self.header))
    }

    /// Whether a list of documents can be read back in the form in which it is written.
    pub(crate) fn rereadable(&self) -> bool {
        self.form.format.name() == Jsonl.name()
            && self.form.compression == Compression::None
            && self.form.shard_size.is_none()
    }
}
