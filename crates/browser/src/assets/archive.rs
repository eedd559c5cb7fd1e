//! Responses of a WARC archive as answers.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use dehusk_archive::{Event, Limits, Reader, Record, RecordKind, Start, http};

use super::answer::{Answer, key};

/// What an archive holds beside pages, in a file without a name.
#[derive(Debug)]
pub(super) struct Archive {
    bodies: Mutex<File>,
    /// By address without scheme. Of several records of one address the first one with a body counts.
    answers: BTreeMap<String, Kept>,
}

#[derive(Debug)]
struct Kept {
    status: u16,
    content_type: Option<String>,
    location: Option<String>,
    start: u64,
    len: usize,
}

impl Archive {
    pub(super) fn open(path: &Path) -> io::Result<Archive> {
        let mut from = File::open(path)?;
        let mut to = BufWriter::new(tempfile::tempfile()?);
        let (mut answers, mut end) = (BTreeMap::new(), 0);
        let mut failed = None;
        let mut visit = |event: Event<'_>| {
            if let Event::Record(record) = event
                && failed.is_none()
                && let Some((key, kept, body)) = answer(&record)
                && !answers.contains_key(&key)
            {
                failed = to.write_all(&body).err();
                answers.insert(key, Kept { start: end, ..kept });
                end += body.len() as u64;
            }
        };
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

    pub(super) fn get(&self, key: &str, most: usize) -> Option<Answer> {
        let kept = self.answers.get(key).filter(|kept| kept.len <= most)?;
        let mut body = vec![0; kept.len];
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

/// What a record answers: its address without scheme, the head and the body. Pages are passed over, since they are many and no page asks
/// for another one.
fn answer(record: &Record<'_>) -> Option<(String, Kept, Vec<u8>)> {
    let uri = record.head.target_uri()?;
    let key = key(&uri)?.to_owned();
    let kept = |status, content_type, location, len| Kept {
        status,
        content_type,
        location,
        start: 0,
        len,
    };
    match record.head.kind() {
        RecordKind::Response => {
            let message = http::message(record.block, Limits::default());
            let field = |name| {
                let value = message.head.get(name)?;
                Some(String::from_utf8_lossy(value).trim().to_owned())
            };
            let status = message.head.status()?;
            let content_type = field("Content-Type");
            let is_page = message.head.content_type().is_some_and(|of| of.contains("html"));
            let usable = matches!(status, 200..=299 | 301..=303 | 307..=308) && record.dropped == 0;
            (usable && !(is_page && status < 300)).then(|| {
                let location = (status >= 300).then(|| field("Location")).flatten();
                let body = message.body.into_owned();
                (key, kept(status, content_type, location, body.len()), body)
            })
        }
        RecordKind::Resource if record.dropped == 0 => {
            let content_type = record
                .head
                .get("Content-Type")
                .map(|value| String::from_utf8_lossy(value).into_owned());
            let is_page = content_type.as_deref().is_some_and(|of| of.contains("html"));
            let body = record.block.to_vec();
            (!is_page).then(|| (key, kept(200, content_type, None, body.len()), body))
        }
        _ => None,
    }
}
