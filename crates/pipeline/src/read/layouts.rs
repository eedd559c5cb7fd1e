//! Layouts of pages by ID, from a file written by `dehusk render`.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use dehusk_extract::layout::Layout;
use serde::Deserialize;
use xxhash_rust::xxh3::xxh3_64;

use crate::error::Error;
use crate::exec::disk::DiskFile;
use crate::read::compression::Unpacked;

/// A file of layouts. Only positions are held in memory; a layout is read when it is requested.
#[derive(Debug)]
pub struct Layouts {
    path: PathBuf,
    file: Mutex<Plain>,
    /// Hash of the ID, offset of the line and its length in bytes, sorted. Of several lines with one ID the last one counts.
    places: Vec<(u64, u64, usize)>,
}

/// The file from which lines are read: the given file, or a decompressed temporary copy without a name.
#[derive(Debug)]
enum Plain {
    Given(File),
    Copy(DiskFile),
}

/// The one field that is parsed in every line.
#[derive(Deserialize)]
struct Named {
    id: String,
}

impl Layouts {
    /// Indexes a file.
    ///
    /// # Errors
    /// If the file cannot be read, or a line is not a layout.
    pub fn open(path: &Path) -> Result<Layouts, Error> {
        let failed = |error| Error::input(path, error);
        let mut given = File::open(path).map_err(failed)?;
        let mut stream = Unpacked::new(given.try_clone().map_err(failed)?);
        let mut plain = match stream.is_compressed().map_err(failed)? {
            false => {
                given.rewind().map_err(failed)?;
                Plain::Given(given)
            }
            // Lines are read at any offset later, so a compressed file is unpacked once.
            true => {
                let folder = std::env::temp_dir();
                let mut copy = DiskFile::create_unnamed(&folder).map_err(|e| Error::write(&folder, e))?;
                io::copy(&mut stream, &mut copy).map_err(failed)?;
                copy.flush().and_then(|()| copy.rewind()).map_err(failed)?;
                Plain::Copy(copy)
            }
        };
        let places = match &mut plain {
            Plain::Given(file) => places(path, BufReader::new(file)),
            Plain::Copy(file) => places(path, BufReader::new(file)),
        }?;
        Ok(Layouts {
            path: path.to_owned(),
            file: Mutex::new(plain),
            places,
        })
    }

    /// Returns the layout of the page with this ID, or `None` if absent.
    ///
    /// # Errors
    /// If the file changed after it was opened.
    pub fn of(&self, id: &str) -> Result<Option<Layout>, Error> {
        let hash = xxh3_64(id.as_bytes());
        let from = self.places.partition_point(|(known, ..)| *known < hash);
        let to = self.places.partition_point(|(known, ..)| *known <= hash);
        // Entries of one hash are sorted by offset, so the last line of an ID is met first.
        for &(_, start, length) in self.places[from..to].iter().rev() {
            let line = self
                .line(start, length)
                .map_err(|error| Error::input(&self.path, error))?;
            let changed = |error: serde_json::Error| {
                Error::input(&self.path, io::Error::new(io::ErrorKind::InvalidData, error))
            };
            if serde_json::from_slice::<Named>(&line).map_err(changed)?.id == id {
                return serde_json::from_slice(&line).map(Some).map_err(changed);
            }
        }
        Ok(None)
    }

    /// Reads the line at this offset.
    fn line(&self, start: u64, length: usize) -> io::Result<Vec<u8>> {
        let mut line = vec![0; length];
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *file {
            Plain::Given(file) => {
                file.seek(SeekFrom::Start(start))?;
                file.read_exact(&mut line)?;
            }
            Plain::Copy(file) => {
                file.seek(SeekFrom::Start(start))?;
                file.read_exact(&mut line)?;
            }
        }
        Ok(line)
    }
}

/// Returns the positions of all lines, sorted by hash of the ID and by offset.
fn places(path: &Path, mut from: impl BufRead) -> Result<Vec<(u64, u64, usize)>, Error> {
    let (mut places, mut line, mut start) = (Vec::new(), Vec::new(), 0);
    for number in 1_u64.. {
        line.clear();
        let length = from
            .read_until(b'\n', &mut line)
            .map_err(|error| Error::input(path, error))?;
        if length == 0 {
            break;
        }
        // Empty lines are skipped, but their bytes count for the offsets of later lines.
        if !line.trim_ascii().is_empty() {
            let named: Named = serde_json::from_slice(&line).map_err(|error| {
                Error::usage(format!(
                    "line {number} of `{}` is no layout: {error}",
                    path.display()
                ))
                .with_path(path)
                .with_option("layout")
                .with_help("give a file that `dehusk render` wrote")
            })?;
            places.push((xxh3_64(named.id.as_bytes()), start, length));
        }
        start += length as u64;
    }
    places.sort_unstable();
    Ok(places)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(id: &str, width: u32) -> String {
        format!(
            "{{\"version\":1,\"id\":\"{id}\",\"source_hash\":\"0\",\"viewport\":[1,1],\"page\":[{width},1],\"elements\":0,\
             \"tags_hash\":0,\"styles\":[],\"texts\":[],\"boxes\":[]}}\n"
        )
    }

    #[test]
    fn a_layout_is_found_by_its_id_and_the_last_one_counts() {
        let folder = tempfile::tempdir().unwrap();
        let lines = [line("a", 1), line("b", 2), "\n".to_owned(), line("a", 3)].concat();
        let plain = folder.path().join("l.jsonl");
        std::fs::write(&plain, &lines).unwrap();
        let packed = folder.path().join("l.jsonl.gz");
        std::fs::write(&packed, crate::read::compression::testing::gzip(lines.as_bytes())).unwrap();
        for path in [plain, packed] {
            let layouts = Layouts::open(&path).unwrap();
            let width = |id: &str| layouts.of(id).unwrap().map(|layout| layout.page.0);
            assert_eq!((width("a"), width("b"), width("c")), (Some(3), Some(2), None));
        }
    }

    #[test]
    fn what_is_no_layout_is_told_with_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("l.jsonl");
        std::fs::write(&path, line("a", 1) + "{\"text\":1}\n").unwrap();
        let error = Layouts::open(&path).unwrap_err().to_string();
        assert!(error.contains("line 2") && error.contains("`id`"), "{error}");
        assert!(Layouts::open(&folder.path().join("none")).is_err());
    }
}
