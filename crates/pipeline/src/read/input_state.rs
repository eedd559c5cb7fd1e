//! State of the inputs of a run, by which a later run detects changes.

use std::path::Path;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

use crate::read::files::About;
use crate::read::inputs::Inputs;

/// Summary of the files of an input.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct InputState {
    /// Name as the user gave it.
    pub(crate) name: String,
    /// Number of files that are read.
    pub(crate) files: u64,
    /// Total size of the files in bytes.
    pub(crate) bytes: u64,
    /// Hash of their names and sizes, in hexadecimal digits. For a stream with a copy, hash of its content.
    pub(crate) listing: String,
    /// Hash of the modification times of the files.
    pub(crate) times: String,
}

/// Returns the states of inputs, and the latest modification time of their files.
pub(crate) fn states(inputs: &Inputs) -> (Vec<InputState>, Option<SystemTime>) {
    let mut latest = None;
    let mut open: Vec<Open> = inputs.names().map(Open::new).collect();
    let mut at = 0;
    inputs.each_file(&mut |name, path, about| {
        // Files come input by input; inputs without files are skipped.
        while open.get(at).is_some_and(|input| input.name != name) {
            at += 1;
        }
        if let Some(input) = open.get_mut(at) {
            latest = latest.max(input.add(path, about));
        }
    });
    let mut states: Vec<InputState> = open.into_iter().map(Open::close).collect();
    for kept in inputs.kept() {
        for state in states.iter_mut().filter(|state| state.name == kept.name) {
            (state.files, state.bytes) = (1, kept.bytes);
            state.listing.clone_from(&kept.hash);
        }
    }
    (states, latest)
}

/// An input whose files are being counted.
struct Open {
    name: String,
    files: u64,
    bytes: u64,
    listing: Xxh3,
    times: Xxh3,
}

impl Open {
    fn new(name: &str) -> Self {
        Open {
            name: name.to_owned(),
            files: 0,
            bytes: 0,
            listing: Xxh3::new(),
            times: Xxh3::new(),
        }
    }

    /// Adds a file and returns its modification time. A file without accessible metadata counts as empty.
    fn add(&mut self, path: &Path, about: Option<About>) -> Option<SystemTime> {
        let changed = about.and_then(|about| about.modified);
        let bytes = about.map_or(0, |about| about.bytes);
        let name = path.as_os_str().as_encoded_bytes();
        self.files += 1;
        self.bytes += bytes;
        // The length before each name keeps different listings from producing the same bytes.
        self.listing.update(&(name.len() as u64).to_le_bytes());
        self.listing.update(name);
        self.listing.update(&bytes.to_le_bytes());
        let since = changed.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
        let nanoseconds = since.map_or(0, |since| since.as_nanos());
        self.times.update(&nanoseconds.to_le_bytes());
        changed
    }

    fn close(self) -> InputState {
        let hex = |hash: &Xxh3| format!("{:032x}", hash.digest128());
        InputState {
            name: self.name,
            files: self.files,
            bytes: self.bytes,
            listing: hex(&self.listing),
            times: hex(&self.times),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::read::inputs::RecordKind;

    #[test]
    fn what_becomes_of_files_is_noticed() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::create_dir(at("pages")).unwrap();
        for (name, text) in [
            ("pages/a.html", "<p>a"),
            ("pages/b.html", "<p>b"),
            ("x.html", "<p>x"),
        ] {
            fs::write(at(name), text).unwrap();
        }
        let names: Vec<String> = ["pages", "x.html"]
            .map(|name| at(name).display().to_string())
            .into();
        let now = || states(&Inputs::open(&names, None, RecordKind::Pages).unwrap()).0;
        let first = now();
        assert_eq!(first, now());
        let sizes: Vec<(u64, u64)> = first.iter().map(|input| (input.files, input.bytes)).collect();
        assert_eq!(sizes, [(2, 8), (1, 4)]);
        let differ = |changed: &str| {
            let now = now();
            let told: Vec<(bool, bool)> = first
                .iter()
                .zip(&now)
                .map(|(old, new)| (old.listing == new.listing, old.times == new.times))
                .collect();
            assert_eq!(told[1], (true, true), "{changed}");
            told[0]
        };
        let later = SystemTime::now() + std::time::Duration::from_secs(9);
        fs::File::options()
            .write(true)
            .open(at("pages/a.html"))
            .unwrap()
            .set_modified(later)
            .unwrap();
        assert_eq!(differ("a time"), (true, false));
        fs::write(at("pages/c.html"), "<p>c").unwrap();
        assert!(!differ("another file").0);
        fs::remove_file(at("pages/c.html")).unwrap();
        fs::rename(at("pages/b.html"), at("pages/d.html")).unwrap();
        assert!(!differ("another name").0);
    }
}
