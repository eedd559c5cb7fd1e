//! Responses of a WARC archive as answers.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use dehusk_archive::{Answer as Found, Event, Limits, Reader, Start};
use dehusk_html::url::without_scheme;

use super::answer::Answer;

/// The responses of an archive other than pages, with their bodies in an unnamed temporary file.
#[derive(Debug)]
pub(super) struct Archive {
    bodies: Mutex<File>,
    /// Answers by address without scheme. If several records have one address, the first with a body counts.
    answers: BTreeMap<String, Kept>,
}

/// Where the body of an answer is in the temporary file, and the headers that are kept in memory.
#[derive(Debug)]
struct Kept {
    status: u16,
    content_type: Option<String>,
    location: Option<String>,
    start: u64,
    len: usize,
}

impl Archive {
    /// Reads an archive to its end and copies the bodies of its answers.
    pub(super) fn open(path: &Path) -> io::Result<Archive> {
        let mut from = File::open(path)?;
        let mut to = BufWriter::new(tempfile::tempfile()?);
        let (mut answers, mut end) = (BTreeMap::new(), 0);
        let mut failed = None;
        let mut visit = |event: Event<'_>| {
            if let Event::Record(record) = event
                && failed.is_none()
                // A record with dropped bytes is incomplete: half a style sheet would change the layout.
                && record.dropped == 0
                && let Some(found) = Found::of(record.head, record.block)
                // Pages are skipped, since they are many and no page requests another one.
                && !found.is_page()
                && let Some(key) = without_scheme(&found.url)
                && !answers.contains_key(key)
            {
                // The visitor cannot return an error. The first one is kept, and later records are skipped.
                failed = to.write_all(&found.body).err();
                let (key, len) = (key.to_owned(), found.body.len());
                let kept = Kept {
                    status: found.status,
                    content_type: found.content_type,
                    location: found.location,
                    start: end,
                    len,
                };
                answers.insert(key, kept);
                end += len as u64;
            }
        };
        // The archive may be larger than memory, so it is read in pieces of 256 KiB.
        let mut reader = Reader::new(Start::at(0), Limits::default());
        let mut buffer = vec![0; 256 << 10];
        loop {
            let count = from.read(&mut buffer)?;
            if count == 0 {
                break;
            }
            reader.push(&buffer[..count], &mut visit);
        }
        reader.finish(&mut visit);
        if let Some(error) = failed {
            return Err(error);
        }
        let bodies = to.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(Archive {
            bodies: Mutex::new(bodies),
            answers,
        })
    }

    /// Returns the answer for an address without scheme; `None` if absent, longer than `most` bytes or
    /// unreadable.
    pub(super) fn get(&self, key: &str, most: usize) -> Option<Answer> {
        let kept = self.answers.get(key).filter(|kept| kept.len <= most)?;
        let mut body = vec![0; kept.len];
        // Position and read belong together: the lock is held over both, since several browsers share the
        // file.
        let mut bodies = self.bodies.lock().unwrap_or_else(PoisonError::into_inner);
        bodies.seek(SeekFrom::Start(kept.start)).ok()?;
        bodies.read_exact(&mut body).ok()?;
        drop(bodies);
        Some(Answer {
            status: kept.status,
            content_type: kept.content_type.clone(),
            location: kept.location.clone(),
            body,
        })
    }
}
