//! The table of output formats. Each format has a file in this folder and a line in [`ALL`].

use std::path::Path;

use crate::record::RowKind;
use crate::settings::words::Compression;

mod bulk;
mod html;
mod json;
mod jsonl;
mod markdown;
#[cfg(feature = "parquet")]
pub(crate) mod parquet;
mod text;
mod tsv;

pub use crate::write::encoded_rows::EncodedRows;
pub use crate::write::row_format::{Contents, FileHeader, Held, OfLines, RowEncoder, RowFormat, RowWriter};
pub use bulk::Bulk;
pub use html::Html;
pub use json::Json;
pub(crate) use json::write_lines;
pub use jsonl::Jsonl;
pub use markdown::Markdown;
#[cfg(feature = "parquet")]
pub use parquet::Parquet;
pub use text::Text;
pub use tsv::Tsv;

/// Every output format, in the order in which help texts list them.
pub static ALL: &[&dyn RowFormat] = &[
    &Text,
    &Markdown,
    &Html,
    &Json,
    &Jsonl,
    &Tsv,
    &Bulk,
    #[cfg(feature = "parquet")]
    &Parquet,
];

/// The formats that can write rows of this kind.
pub fn of_kind(kind: RowKind) -> impl Iterator<Item = &'static dyn RowFormat> {
    ALL.iter()
        .copied()
        .filter(move |format| format.kinds().contains(&kind))
}

/// The formats of output folders: formats whose documents can be written from lines of JSON. Lists that
/// such a format cannot write are JSON Lines.
pub fn of_folders() -> impl Iterator<Item = &'static dyn RowFormat> {
    let writes = |format: &&dyn RowFormat| !matches!(format.of_lines(), OfLines::Cannot);
    ALL.iter().copied().filter(writes)
}

/// The format that writes rows of this kind into files with the extension of `path`: `pages.jsonl`, `pages.jsonl.gz`. `None` if the
/// extension is unknown.
pub fn by_path(kind: RowKind, path: &Path) -> Option<&'static dyn RowFormat> {
    let plain = Compression::of_path(path).map_or_else(|| path.to_owned(), |_| path.with_extension(""));
    let extension = plain.extension()?.to_str()?.to_ascii_lowercase();
    of_kind(kind).find(|format| format.extensions().contains(&extension.as_str()))
}

/// The format of this name that writes rows of this kind.
///
/// # Errors
/// If no such format exists: a message with the possible names.
pub fn find(kind: RowKind, name: &str) -> Result<&'static dyn RowFormat, String> {
    of_kind(kind).find(|format| format.name() == name).ok_or_else(|| {
        let known: Vec<&str> = of_kind(kind).map(|format| format.name()).collect();
        format!("unknown output format `{name}`; known: {}", known.join(", "))
    })
}

#[cfg(test)]
mod tests;
