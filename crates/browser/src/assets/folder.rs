//! Files of a folder as answers: `HOST/PATH`, the layout of mirrors, and also `PATH` for the page's own host.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use super::answer::{Answer, FOLDER_HOST};
use super::media_type;

/// Maximum number of leading folders that an address of [`FOLDER_HOST`] may have in addition to the path in
/// this folder.
const MAX_LEVELS: usize = 8;

/// A folder of files.
#[derive(Debug)]
pub(super) struct Folder {
    /// Its path without symbolic links. No answer may come from outside.
    root: PathBuf,
}

impl Folder {
    pub(super) fn open(path: &Path) -> io::Result<Folder> {
        // Canonical, so that `file` can compare it with the canonical paths of files.
        let root = fs::canonicalize(path)?;
        Ok(Folder { root })
    }

    /// Returns the file for an address. Tries the name with and without its query, as written and
    /// percent-decoded.
    pub(super) fn get(&self, key: &str, page_host: &str, most: usize) -> Option<Answer> {
        let (host, path) = key.split_once('/').unwrap_or((key, ""));
        let without_query = |text: &'_ str| text.split('?').next().unwrap_or_default().to_owned();
        let own = host.eq_ignore_ascii_case(page_host).then_some(path);
        // A page of a folder may refer to its files by paths that begin above this folder.
        let levels = if host == FOLDER_HOST { MAX_LEVELS } else { 0 };
        let below = path
            .match_indices('/')
            .take(levels)
            .map(|(at, _)| &path[at + 1..]);
        for name in [Some(key), own].into_iter().flatten().chain(below) {
            let short = without_query(name);
            let names = [
                Cow::Borrowed(name),
                Cow::Borrowed(short.as_str()),
                decoded(name),
                decoded(&short),
            ];
            if let Some(answer) = names.iter().find_map(|name| self.file(name, most)) {
                return Some(answer);
            }
        }
        None
    }

    /// Returns the file `name` of this folder; `None` if it lies outside, is not a regular file or exceeds
    /// `most` bytes.
    fn file(&self, name: &str, most: usize) -> Option<Answer> {
        let inside = |component| matches!(component, Component::Normal(_));
        // Rejects absolute paths and `..`.
        if name.is_empty() || name.contains('\0') || !Path::new(name).components().all(inside) {
            return None;
        }
        // A symbolic link may still lead out of the folder, so the resolved path is compared as well.
        let path = fs::canonicalize(self.root.join(name)).ok()?;
        if !path.starts_with(&self.root) {
            return None;
        }
        let file = open(&path).ok()?;
        let meta = file.metadata().ok()?;
        if !meta.is_file() || meta.len() > most as u64 {
            return None;
        }
        // The length can change after the check above, so the read itself is limited too.
        let mut body = Vec::new();
        // One byte more than allowed is requested, so that a file that has grown is noticed and rejected.
        file.take(most as u64 + 1).read_to_end(&mut body).ok()?;
        if body.len() > most {
            return None;
        }
        Some(Answer {
            status: 200,
            content_type: media_type::of_path(name.split('?').next().unwrap_or(name)).map(str::to_owned),
            location: None,
            body,
        })
    }
}

/// Opens a file whose path has no symbolic links. The kind of the file is checked after opening: a pipe put
/// in its place does not block, and a link put in its place is not followed.
fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    {
        // Without `NONBLOCK`, opening a named pipe would wait for a writer.
        let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY | rustix::fs::OFlags::NOFOLLOW;
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, flags.bits() as i32);
    }
    options.open(path)
}

/// Percent-decodes a text. Returns it unchanged if the result is not UTF-8.
fn decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        // Most names have no escape and need no copy.
        return Cow::Borrowed(text);
    }
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).and_then(|&byte| char::from(byte).to_digit(16));
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        // `%` without two hexadecimal digits is kept as it is: `50%.png`.
        match (byte, digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                out.push((16 * high + low).to_le_bytes()[0]);
                at += 3;
            }
            _ => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8(out).map_or(Cow::Borrowed(text), Cow::Owned)
}
