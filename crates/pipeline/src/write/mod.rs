//! Output: row formats, files that appear as a whole, output folders, sinks, the summary, and reports.

pub(crate) mod carried;
pub(crate) mod compressor;
pub mod counts;
pub(crate) mod encoded_rows;
pub(crate) mod file;
pub(crate) mod file_form;
pub(crate) mod folder;
pub mod format;
pub(crate) mod journal;
pub(crate) mod lock;
pub(crate) mod place;
pub mod report;
pub(crate) mod row_folder;
pub(crate) mod row_format;
pub(crate) mod shards;
pub(crate) mod sink;
pub mod summary;
pub(crate) mod terminal;
pub(crate) mod verdicts;
