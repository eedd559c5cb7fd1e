//! The table of input formats. A format is a file of this folder and a line in [`ALL`].

use std::path::Path;

use crate::read::chunk::extension;

mod html;
mod jsonl;
pub mod romip;

pub use crate::read::chunk::{Body, Bounds, Chunk, Chunks, Format, Found, Place, Source};
pub use html::Html;
pub use jsonl::Jsonl;
pub(crate) use jsonl::each_line;
pub use romip::Romip;

/// Every input format, in the order in which help texts list them.
pub static ALL: &[&dyn Format] = &[&Html, &Jsonl, &Romip];

/// The format of a file by its extension, if that says anything.
pub(crate) fn by_extension(path: &Path) -> Option<&'static dyn Format> {
    let found = extension(path)?;
    ALL.iter()
        .copied()
        .find(|format| format.extensions().contains(&found.as_str()))
}

#[cfg(test)]
mod tests;
