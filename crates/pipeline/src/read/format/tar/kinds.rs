//! Selection of the entries of a tar archive that may be pages.

use std::path::Path;

use tar::EntryType;

use super::header::Described;
use crate::read::chunk::{Format, extension};
use crate::read::format::html::Html;
use crate::read::kinds;

/// File extensions of tar archives.
pub(super) const EXTENSIONS: &[&str] = &["tar", "tgz"];

/// Names of the reasons for which entries are skipped.
pub(in crate::read::format) const SKIPPED: &[&str] = &[
    "folder",
    "link",
    "hidden",
    "inner-archive",
    "other-extension",
    "other-content",
    "sparse-file",
    "special-file",
];

/// Returns why an entry is skipped, or `None` if it may be a page. The rules match those for files in a folder.
pub(super) fn skipped(entry: &Described) -> Option<&'static str> {
    match entry.kind {
        EntryType::Directory => Some("folder"),
        EntryType::Link | EntryType::Symlink => Some("link"),
        EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse => file(&entry.name, entry.sparse),
        _ => Some("special-file"),
    }
}

/// Returns why a file is skipped: for its name, or because it is sparse.
fn file(name: &str, sparse: bool) -> Option<&'static str> {
    let path = Path::new(name);
    let hidden = |part: &str| part.starts_with('.') && part != "." && part != "..";
    let archive = |found: String| kinds::ARCHIVE_EXTENSIONS.contains(&found.as_str());
    let is_other = |found: &str| kinds::is_other_extension(found) || kinds::TABLE_EXTENSIONS.contains(&found);
    if name.ends_with('/') {
        Some("folder") // old archives mark folders by a trailing slash only
    } else if name.split('/').any(hidden) {
        Some("hidden")
    } else if extension(path).is_some_and(archive) {
        Some("inner-archive")
    } else if !Html.takes(path) && extension(path).is_some_and(|found| is_other(&found)) {
        Some("other-extension")
    } else {
        sparse.then_some("sparse-file")
    }
}
