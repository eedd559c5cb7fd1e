//! An object of a store: its length and version, and ranges of its bytes. A range that arrives incomplete
//! is requested again.

use std::fmt;
use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use futures_util::StreamExt;
use object_store::client::{HttpError, HttpErrorKind};
use object_store::path::Path as ObjectPath;
use object_store::{Error, GetOptions, GetRange, GetResult, ObjectMeta, ObjectStore};
use tokio::sync::mpsc;

use super::runtime::wait;
use super::store::find;

/// Largest number of requests for the same bytes. The store itself repeats each of them while the server
/// refuses.
const ATTEMPTS: u32 = 8;

/// Base of the pauses between them. The pause after attempt `n`, from 1, is `2^n` times as long.
const PAUSE: Duration = Duration::from_millis(100);

/// Largest number of parts of a whole object that wait to be read. A part has at most some hundred KiB.
pub(super) const PARTS: usize = 16;

/// An object of a store.
#[derive(Clone)]
pub(crate) struct Object {
    store: Arc<dyn ObjectStore>,
    path: ObjectPath,
}

/// Length and version of an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Version {
    pub(crate) bytes: u64,
    /// Time of the last change. `None` if the server does not say it.
    pub(crate) modified: Option<SystemTime>,
    tag: Option<String>,
}

impl Version {
    pub(super) fn of(meta: &ObjectMeta) -> Self {
        let seconds = u64::try_from(meta.last_modified.timestamp()).unwrap_or(0);
        Version {
            bytes: meta.size,
            modified: (seconds > 0).then(|| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)),
            tag: meta.e_tag.clone(),
        }
    }

    /// Returns `true` if both can be versions of the same bytes.
    fn fits(&self, other: &Version) -> bool {
        let tags = (&self.tag, &other.tag);
        self.bytes == other.bytes && !matches!(tags, (Some(one), Some(two)) if one != two)
    }
}

/// Reason why a range was not received.
pub(super) enum Failure {
    /// The server sends whole objects only.
    NoRanges,
    Other(io::Error),
}

impl From<Failure> for io::Error {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::NoRanges => io::Error::new(
                io::ErrorKind::Unsupported,
                "the server sends whole files only, and parts of it are needed: fetch the file first",
            ),
            Failure::Other(error) => error,
        }
    }
}

impl Object {
    /// Returns the object at an address. No request is sent yet.
    ///
    /// # Errors
    /// If the address is of no known form.
    pub(crate) fn at(address: &str) -> io::Result<Object> {
        let (store, path) = find(address)?;
        Ok(Object { store, path })
    }

    /// Returns the object of a store.
    pub(super) fn of(store: Arc<dyn ObjectStore>, path: ObjectPath) -> Object {
        Object { store, path }
    }

    /// Requests the version of the object.
    ///
    /// # Errors
    /// If the object is missing or the server does not answer.
    pub(crate) fn version(&self) -> io::Result<Version> {
        let object = self.clone();
        wait(async move { object.ask_version().await })
    }

    pub(super) async fn ask_version(&self) -> io::Result<Version> {
        let head = GetOptions {
            head: true,
            ..GetOptions::default()
        };
        match self.store.get_opts(&self.path, head).await {
            Ok(found) => return Ok(Version::of(&found.meta)),
            Err(error @ (Error::PermissionDenied { .. } | Error::Unauthenticated { .. })) => {
                return Err(failed(&error));
            }
            // A second request to an unreachable server would take as long again.
            Err(error) if is_unreachable(&error) => return Err(failed(&error)),
            Err(_) => {}
        }
        // Some HTTP servers answer such requests with "not found", or leave out the length. The answer to a
        // request for one byte has it.
        let first = GetOptions {
            range: Some(GetRange::Bounded(0..1)),
            ..GetOptions::default()
        };
        match self.store.get_opts(&self.path, first).await {
            Ok(found) => return Ok(Version::of(&found.meta)),
            Err(error) if is_final(&error) && !matches!(error, Error::NotSupported { .. }) => {
                return Err(failed(&error));
            }
            Err(_) => {}
        }
        // Some servers do not send ranges, and an empty file has none. The body of this answer is not read.
        let whole = self.store.get_opts(&self.path, GetOptions::default()).await;
        whole
            .map(|found| Version::of(&found.meta))
            .map_err(|error| failed(&error))
    }

    /// Fetches a range of bytes of any version; `None` if it begins after the end of the object.
    pub(super) async fn fetch_first(
        &self,
        range: Range<u64>,
    ) -> Result<Option<(bytes::Bytes, Version)>, Failure> {
        match self.fetch_once(range.clone(), None).await {
            Ok(found) => return Ok(Some(found)),
            // A range beyond the end is refused every time, and an empty object has no other range. Its
            // length shows this.
            Err(error) if !is_final(&error) && !is_unreachable(&error) => {
                if let Ok(version) = self.ask_version().await
                    && version.bytes <= range.start
                {
                    return Ok(None);
                }
            }
            Err(_) => {}
        }
        self.fetch(range, None).await.map(Some)
    }

    /// Fetches a range of bytes. With a `known` version, the bytes are of that version, and the range lies within it.
    pub(super) async fn fetch(
        &self,
        range: Range<u64>,
        known: Option<&Version>,
    ) -> Result<(bytes::Bytes, Version), Failure> {
        let mut attempt = 0;
        loop {
            let error = match self.fetch_once(range.clone(), known).await {
                Ok(found) => return Ok(found),
                Err(Error::NotSupported { .. }) => return Err(Failure::NoRanges),
                Err(error) => error,
            };
            attempt += 1;
            if is_final(&error) || attempt == ATTEMPTS {
                return Err(Failure::Other(failed(&error)));
            }
            tokio::time::sleep(PAUSE * (1 << attempt)).await;
        }
    }

    async fn fetch_once(
        &self,
        range: Range<u64>,
        known: Option<&Version>,
    ) -> object_store::Result<(bytes::Bytes, Version)> {
        let options = GetOptions {
            range: Some(GetRange::Bounded(range.clone())),
            // With it, a server refuses to send bytes of another version.
            if_match: known.and_then(strong_tag),
            ..GetOptions::default()
        };
        let found = self.store.get_opts(&self.path, options).await?;
        let version = self.checked(&found, known)?;
        let length = range.end.min(version.bytes).saturating_sub(range.start);
        let bytes = found.bytes().await?;
        match bytes.len() as u64 == length {
            true => Ok((bytes, version)),
            false => Err(generic(format!("{} bytes came instead of {length}", bytes.len()))),
        }
    }

    /// Returns the version of an answer, which must be the known one.
    fn checked(&self, found: &GetResult, known: Option<&Version>) -> object_store::Result<Version> {
        let version = Version::of(&found.meta);
        match known {
            Some(known) if !known.fits(&version) => Err(Error::Precondition {
                path: self.path.to_string(),
                source: "the object has another length or another tag".into(),
            }),
            _ => Ok(version),
        }
    }

    /// Fetches the whole object from the byte `from` on, for servers that do not send ranges. Parts go to
    /// `to`. After an interruption the object is requested again, and bytes that were already passed on are
    /// skipped.
    pub(super) async fn fetch_whole(&self, from: u64, to: &mpsc::Sender<bytes::Bytes>) -> io::Result<()> {
        let (mut known, mut sent, mut attempt) = (None, from, 0);
        loop {
            let before = sent;
            let error = match self.whole_once(&mut known, &mut sent, to).await {
                Ok(()) => return Ok(()),
                Err(error) => error,
            };
            // Only attempts in a row without progress count.
            attempt = if sent > before { 1 } else { attempt + 1 };
            if is_final(&error) || attempt == ATTEMPTS {
                return Err(failed(&error));
            }
            tokio::time::sleep(PAUSE * (1 << attempt)).await;
        }
    }

    async fn whole_once(
        &self,
        known: &mut Option<Version>,
        sent: &mut u64,
        to: &mpsc::Sender<bytes::Bytes>,
    ) -> object_store::Result<()> {
        let found = self.store.get_opts(&self.path, GetOptions::default()).await?;
        let version = self.checked(&found, known.as_ref())?;
        let length = version.bytes;
        *known = Some(version);
        let (mut parts, mut at) = (found.into_stream(), 0);
        while let Some(part) = parts.next().await {
            let part = part?;
            // Number of bytes of this part that an earlier attempt passed on.
            let old = usize::try_from(sent.saturating_sub(at)).unwrap_or(usize::MAX);
            at += part.len() as u64;
            if old < part.len() {
                let new = part.slice(old..);
                *sent += new.len() as u64;
                if to.send(new).await.is_err() {
                    return Ok(()); // the reader has gone
                }
            }
        }
        match at == length {
            true => Ok(()),
            false => Err(generic(format!("{at} bytes came instead of {length}"))),
        }
    }
}

impl fmt::Debug for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.store, self.path)
    }
}

/// Returns the tag for a request that only this version may answer. Weak tags never fit in such requests.
fn strong_tag(version: &Version) -> Option<String> {
    version.tag.clone().filter(|tag| !tag.starts_with("W/"))
}

fn generic(message: String) -> Error {
    Error::Generic {
        store: "remote",
        source: message.into(),
    }
}

/// Returns `true` if the same request would fail again.
fn is_final(error: &Error) -> bool {
    !matches!(error, Error::Generic { .. } | Error::JoinError { .. })
}

/// Returns `true` if no connection could be made.
fn is_unreachable(error: &Error) -> bool {
    let mut at: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = at {
        if let Some(found) = error.downcast_ref::<HttpError>() {
            return found.kind() == HttpErrorKind::Connect;
        }
        at = error.source();
    }
    false
}

/// Converts an error to a message for users.
pub(super) fn failed(error: &Error) -> io::Error {
    match error {
        Error::NotFound { .. } => io::Error::new(io::ErrorKind::NotFound, "there is nothing at this address"),
        Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => {
            io::Error::new(io::ErrorKind::PermissionDenied, "the server refuses access")
        }
        Error::Precondition { .. } => io::Error::other("it was changed while it was read"),
        other => {
            // The deepest source says what happened; the ones above it repeat names of types.
            let mut deepest: &dyn std::error::Error = other;
            while let Some(source) = deepest.source() {
                deepest = source;
            }
            let told = deepest.to_string();
            let line = told.lines().next().unwrap_or_default();
            io::Error::other(format!(
                "the server did not send it: {}",
                line.trim_end_matches(": ")
            ))
        }
    }
}
