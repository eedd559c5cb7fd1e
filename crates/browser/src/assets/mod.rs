//! Assets of pages: style sheets, fonts and images and, if scripts run, everything that they load.

mod answer;
mod archive;
mod folder;
mod media_type;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use dehusk_html::url::without_scheme;

pub use answer::{Answer, FOLDER_HOST};
use archive::Archive;
use folder::Folder;

/// Answers to requests, from folders and archives. The first source with an answer is used. May be shared
/// by several browsers.
#[derive(Debug, Default)]
pub struct Assets {
    sources: Vec<Source>,
}

#[derive(Debug)]
enum Source {
    Folder(Folder),
    Archive(Archive),
}

impl Assets {
    /// Opens folders and WARC archives. An archive is read once, and its responses other than pages are
    /// copied to an unnamed temporary file.
    ///
    /// # Errors
    /// Returns the first path that cannot be read.
    pub fn open(paths: &[PathBuf]) -> Result<Assets, (PathBuf, io::Error)> {
        let mut sources = Vec::with_capacity(paths.len());
        for path in paths {
            let source = open(path).map_err(|error| (path.clone(), error))?;
            sources.push(source);
        }
        Ok(Assets { sources })
    }

    /// Returns the answer to a request for `url` by a page of the host `page_host`; `None` if absent, or
    /// its body is longer than `most` bytes. The scheme is ignored.
    pub fn get(&self, url: &str, page_host: &str, most: usize) -> Option<Answer> {
        let key = without_scheme(url)?;
        self.sources.iter().find_map(|source| match source {
            Source::Folder(folder) => folder.get(key, page_host, most),
            Source::Archive(archive) => archive.get(key, most),
        })
    }
}

/// Opens a folder or, for any other kind of path, a WARC archive.
fn open(path: &Path) -> io::Result<Source> {
    if fs::metadata(path)?.is_dir() {
        Folder::open(path).map(Source::Folder)
    } else {
        Archive::open(path).map(Source::Archive)
    }
}

#[cfg(test)]
mod tests;
