//! The form of row files: format, compression, and the size at or above which they are cut into shards.

use std::path::Path;
use std::sync::Arc;

use crate::error::Error;
use crate::exec::background::Background;
use crate::read::inputs::{Inputs, RecordKind};
use crate::record::RowKind;
use crate::record::header::shard_name;
use crate::settings::table::Settings;
use crate::settings::words::Compression;
use crate::write::carried::{Carried, carried};
use crate::write::compressor;
use crate::write::format::Jsonl;
use crate::write::row_format::{Contents, FileHeader, Held, RowFormat};

/// How files of rows are written.
#[derive(Clone, Debug)]
pub(crate) struct FileForm {
    pub(crate) format: &'static dyn RowFormat,
    pub(crate) compression: Compression,
    /// Maximum bytes of rows in a file; a larger row has a file of its own. `None` if all rows go to one
    /// file.
    pub(crate) shard_size: Option<u64>,
    pub(crate) background: Background,
    /// Columns of the user's tables that lists of documents repeat.
    pub(crate) carried: Option<Arc<Carried>>,
    /// Whether tables have all of our columns, even columns without values.
    pub(crate) all_columns: bool,
    /// Bytes of memory that files written at the same time need. Rows larger than a block come on top.
    pub(crate) held: u64,
}

/// Maximum number of lists that are written at the same time: documents and quarantine.
const LISTS: u64 = 2;

/// Returns the number of threads that encode, and the bytes of memory that this takes.
///
/// With a memory ceiling, the threads take at most a quarter of it. There is always at least one thread.
fn share(held: Held, threads: usize, ceiling: Option<u64>) -> (usize, u64) {
    // With one thread, encoding runs on the thread that writes, so only one list is encoded at a time.
    let taken = |threads: usize| {
        let lists = if threads == 1 { 1 } else { LISTS };
        let blocks = lists * Background::under_way(threads, held.blocks) as u64;
        LISTS * held.gathered + blocks * held.encoded
    };
    let most = ceiling.map_or(u64::MAX, |ceiling| ceiling / 4);
    let threads = (1..=threads.max(1)).rev();
    let chosen = threads
        .into_iter()
        .find(|threads| taken(*threads) <= most)
        .unwrap_or(1);
    (chosen, taken(chosen))
}

impl FileForm {
    /// The form of rows written to standard output.
    pub(crate) fn stream(settings: &Settings, format: &'static dyn RowFormat) -> Result<Self, Error> {
        if settings.shard_size.is_some() {
            return Err(
                Error::value("shard-size", "standard output is no file that could be cut")
                    .with_help("name a file with `--out`"),
            );
        }
        FileForm::folder(settings, format)
    }

    /// The form of the file at `path`.
    pub(crate) fn file(
        settings: &Settings,
        format: &'static dyn RowFormat,
        path: &Path,
    ) -> Result<Self, Error> {
        let told = settings.compress.map(|compress| compress.0);
        let named = Compression::of_path(path);
        if let (Some(told), Some(named)) = (told, named)
            && told != named
        {
            let message = format!("`{}` has the extension of another compression", path.display());
            return Err(
                Error::value("compress", message).with_help("name another file, or leave one of both out")
            );
        }
        FileForm::of(settings, format, told.or(named).unwrap_or(Compression::None))
    }

    /// The form of the lists of an output folder.
    pub(crate) fn folder(settings: &Settings, format: &'static dyn RowFormat) -> Result<Self, Error> {
        FileForm::of(settings, format, settings.compress.unwrap_or_default().0)
    }

    /// The form with this compression. Refuses compression of a format that compresses by itself.
    fn of(
        settings: &Settings,
        format: &'static dyn RowFormat,
        compression: Compression,
    ) -> Result<Self, Error> {
        if compression != Compression::None && !format.compressible() {
            let message = format!("`{}` compresses by itself", format.name());
            return Err(Error::value("compress", message)
                .with_help("leave out `--compress`, and an extension .gz or .zst"));
        }
        let held = match compression {
            Compression::None => format.held(),
            compression => compressor::held(compression),
        };
        let (threads, held) = share(held, settings.threads(), settings.memory_ceiling());
        Ok(FileForm {
            format,
            compression,
            shard_size: settings.shard_size.map(|size| size.0),
            background: Background::new(threads),
            carried: None,
            all_columns: settings.all_columns == Some(true),
            held,
        })
    }

    /// This form with the columns of the user's tables, if the format has columns.
    pub(crate) fn carrying(self, inputs: &Inputs, kind: RecordKind) -> Self {
        FileForm {
            carried: match self.format.has_columns() {
                true => carried(inputs, kind),
                false => None,
            },
            ..self
        }
    }

    /// Description of the contents of a file of this form.
    pub(crate) fn contents<'a>(
        &'a self,
        kind: RowKind,
        single: bool,
        header: Option<&'a FileHeader>,
    ) -> Contents<'a> {
        Contents {
            kind,
            single,
            header,
            background: &self.background,
            carried: self.carried.as_deref(),
            all_columns: self.all_columns,
        }
    }

    /// This form with another format.
    pub(crate) fn with_format(&self, format: &'static dyn RowFormat) -> Self {
        FileForm {
            format,
            ..self.clone()
        }
    }

    /// The form of a list of `kind` rows in a folder. JSON Lines if the format does not write such rows.
    /// Only documents, pairs and decisions are cut into shards; other lists are read as a whole.
    pub(crate) fn of_list(&self, kind: RowKind) -> Self {
        let writes = self.format.kinds().contains(&kind);
        let form = self.with_format(if writes { self.format } else { &Jsonl });
        match kind {
            RowKind::Document | RowKind::Pair | RowKind::Decision => form,
            _ => form.in_one_file(),
        }
    }

    /// This form without shards.
    pub(crate) fn in_one_file(self) -> Self {
        FileForm {
            shard_size: None,
            ..self
        }
    }

    /// File name of a list of this form, or of its first shard.
    pub(crate) fn list_name(&self, list: &str) -> String {
        match self.shard_size {
            Some(_) => shard_name(list, 0, &self.ending()),
            None => format!("{list}{}", self.ending()),
        }
    }

    /// Suffix of the names of files of this form, such as `.jsonl.gz`.
    pub(crate) fn ending(&self) -> String {
        let format = self.format.extensions().first().copied();
        let extensions = [format, self.compression.extension()];
        extensions
            .into_iter()
            .flatten()
            .map(|extension| format!(".{extension}"))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ceiling_leaves_fewer_threads_and_never_none() {
        let held = Held {
            gathered: 16,
            encoded: 48,
            blocks: 2,
        };
        assert_eq!(share(held, 8, None), (8, 2 * 16 + 2 * 3 * 48));
        assert_eq!(share(held, 8, Some(4 * 320)), (8, 320));
        assert_eq!(share(held, 8, Some(4 * 319)), (1, 2 * 16 + 48));
        assert_eq!(share(held, 1, Some(1)), (1, 80));
        assert_eq!(share(Held::default(), 8, Some(1)), (8, 0));
    }
}
