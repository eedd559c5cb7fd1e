//! The table of output formats. A format is a file of this folder and a line in [`ALL`].

use crate::record::RowKind;

mod html;
mod json;
mod jsonl;
mod markdown;
mod text;
mod tsv;

pub use crate::write::row_format::{EncodedRows, FileHeader, RowEncoder, RowFormat, RowWriter};
pub use html::Html;
pub use json::Json;
pub use jsonl::Jsonl;
pub use markdown::Markdown;
pub use text::Text;
pub use tsv::Tsv;

/// Every output format, in the order in which help texts list them.
pub static ALL: &[&dyn RowFormat] = &[&Text, &Markdown, &Html, &Json, &Jsonl, &Tsv];

/// The formats that write rows of this kind.
pub fn of_kind(kind: RowKind) -> impl Iterator<Item = &'static dyn RowFormat> {
    ALL.iter()
        .copied()
        .filter(move |format| format.kinds().contains(&kind))
}

/// The format of this name that writes rows of this kind.
///
/// # Errors
/// If there is none: a message with the names that are possible.
pub fn find(kind: RowKind, name: &str) -> Result<&'static dyn RowFormat, String> {
    of_kind(kind).find(|format| format.name() == name).ok_or_else(|| {
        let known: Vec<&str> = of_kind(kind).map(|format| format.name()).collect();
        format!("unknown output format `{name}`; known: {}", known.join(", "))
    })
}

#[cfg(test)]
mod tests;
