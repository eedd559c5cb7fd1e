//! Hidden folders with files that a run needs until it ends.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::exec::disk;

/// Removes such a folder with its files, if it exists. `first` is the file that marks the folder as
/// complete; it is removed first, so that a folder whose removal is interrupted counts as incomplete.
pub(super) fn discard(folder: &Path, first: &str) -> Result<(), Error> {
    // A symbolic link is not followed: this program creates none.
    if !fs::symlink_metadata(folder).is_ok_and(|meta| meta.is_dir()) {
        return Ok(());
    }
    let all = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = all.map(|entry| entry.path()).collect();
    files.sort_by_key(|file| (!file.ends_with(first), file.clone()));
    for file in &files {
        disk::remove(file).map_err(|e| Error::write(file, e))?;
    }
    disk::remove_folder(folder).map_err(|e| Error::write(folder, e))
}
