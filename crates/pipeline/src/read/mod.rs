//! Reading of inputs: formats, records, passes over all records, and rereading of single records.

pub(crate) mod address;
pub(crate) mod ahead;
pub(crate) mod asset_list;
pub(crate) mod capture_rules;
pub(crate) mod captures;
pub(crate) mod catalog;
pub(crate) mod catalog_file;
pub(crate) mod chunk;
pub(crate) mod columns;
pub(crate) mod compression;
pub(crate) mod crawl_index;
pub(crate) mod entry;
pub(crate) mod files;
pub mod format;
pub(crate) mod input;
pub(crate) mod input_folder;
pub(crate) mod input_state;
pub(crate) mod inputs;
pub(crate) mod kept_stream;
pub(crate) mod kinds;
pub(crate) mod layouts;
pub(crate) mod line;
pub(crate) mod line_buffers;
pub(crate) mod lists;
pub(crate) mod located;
pub(crate) mod mirror;
pub(crate) mod named_files;
pub(crate) mod page_lines;
pub(crate) mod parts;
pub(crate) mod pass;
pub(crate) mod percent;
pub(crate) mod piece;
pub(crate) mod plain_text;
pub(crate) mod reader;
pub(crate) mod records;
#[cfg(feature = "remote")]
pub(crate) mod remote;
pub(crate) mod reread;
pub(crate) mod rows;
pub(crate) mod same_address;
pub(crate) mod span;
pub(crate) mod walk;

/// Returns advice for records or files of this kind, which are not read. `None` for kinds whose name is self-explanatory.
pub fn advice(kind: &str) -> Option<&'static str> {
    match kind {
        "conversion" => {
            Some("texts of pages (WET files) need no extraction: `dehusk run` and `dehusk dedup` read them")
        }
        "metadata" => Some(
            "records of metadata, as in WAT files, hold no pages: give the WARC files that they describe",
        ),
        "response" | "resource" => Some("pages need extraction first: `dehusk run` does all"),
        "other-extension" | "other-content" => {
            Some("`--all-files` looks into files of any name, and `--input-format` names the format of all")
        }
        "hidden" => Some("`--all-files` reads hidden files, too"),
        _ => kinds::named(kind).map(|other| other.advice),
    }
}
