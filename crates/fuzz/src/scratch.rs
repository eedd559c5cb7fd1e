//! A temporary folder for targets that read files. It is made once per thread, because a fuzzer calls its
//! target a thousand times a second.

use std::cell::OnceCell;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

thread_local! {
    static FOLDER: OnceCell<TempDir> = const { OnceCell::new() };
}

/// Returns the folder of this thread. It is removed when the thread ends.
pub(crate) fn folder() -> PathBuf {
    FOLDER.with(|folder| {
        let made = || tempfile::tempdir().expect("a temporary folder");
        folder.get_or_init(made).path().to_owned()
    })
}

/// Writes a file to this thread's folder, and returns its path.
pub(crate) fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder().join(name);
    fs::write(&path, bytes).expect("a temporary file");
    path
}

/// Replaces the contents of a folder by these files.
pub(crate) fn fill(folder: &Path, files: &[(String, Vec<u8>)]) {
    // The folder does not exist the first time.
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).expect("a temporary folder");
    for (name, bytes) in files {
        fs::write(folder.join(name), bytes).expect("a temporary file");
    }
}

/// Returns the files of a folder, as (name, contents), sorted by name.
pub(crate) fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut files: Vec<(String, Vec<u8>)> = entries
        .map(|entry| {
            let path = entry.expect("an entry").path();
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            (name, fs::read(path).expect("a file"))
        })
        .collect();
    files.sort_unstable();
    files
}
