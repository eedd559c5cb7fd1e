//! Writing and removing objects. An object appears only when all of it was sent.

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use object_store::path::Path as ObjectPath;
use object_store::{Error, MultipartUpload, ObjectStore, ObjectStoreExt, PutPayload};

use super::object::{Object, failed};
use super::runtime::{Task, wait};
use super::store::{find, invalid};

/// Size of a part in bytes. Files of at most one part are sent by one request.
const PART: u64 = 8 << 20;

/// Largest number of parts of an object that stores accept.
const MAX_PARTS: u64 = 10_000;

/// Number of parts sent at a time. They bound the memory of an upload.
const AT_ONCE: usize = 4;

/// A file that is being sent.
pub(crate) struct Upload(Task<()>);

impl Upload {
    /// Starts to send a file to an address.
    ///
    /// # Errors
    /// If the address is of no known form.
    pub(crate) fn start(address: &str, file: PathBuf) -> io::Result<Self> {
        let (store, path) = find(address)?;
        let task = Task::start(async move { send(store, path, file).await })?;
        Ok(Upload(task))
    }

    /// Waits until the object is there as a whole.
    ///
    /// # Errors
    /// If the file cannot be read, or the store does not take it. There is no object then, or the earlier one.
    pub(crate) fn wait(self) -> io::Result<()> {
        self.0.wait()
    }
}

/// Sends a file by one request or in parts, and checks the length that the store then has.
async fn send(store: Arc<dyn ObjectStore>, path: ObjectPath, file: PathBuf) -> io::Result<()> {
    let mut from = File::open(&file)?;
    let length = from.metadata()?.len();
    if length <= PART {
        let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
        from.read_to_end(&mut bytes)?;
        let payload = PutPayload::from_bytes(Bytes::from(bytes));
        store.put(&path, payload).await.map_err(|error| failed(&error))?;
    } else {
        let mut upload = store.put_multipart(&path).await.map_err(|error| failed(&error))?;
        // Large files get larger parts, to stay within the limit of their number.
        let part = PART.max(length.div_ceil(MAX_PARTS));
        let sent = match send_parts(&mut from, upload.as_mut(), part).await {
            Ok(()) => upload.complete().await.map(drop).map_err(|error| failed(&error)),
            Err(error) => Err(error),
        };
        if let Err(error) = sent {
            // Parts that cannot be removed here are invisible; stores remove them by their rules for unfinished uploads.
            let _ = upload.abort().await;
            return Err(error);
        }
    }
    let version = Object::of(store, path).ask_version().await?;
    match version.bytes == length {
        true => Ok(()),
        false => Err(io::Error::other(format!(
            "the server has {} bytes of {length}",
            version.bytes
        ))),
    }
}

/// Sends the parts of a file, several at a time.
async fn send_parts(from: &mut File, upload: &mut dyn MultipartUpload, part: u64) -> io::Result<()> {
    let mut sending = FuturesUnordered::new();
    loop {
        let mut bytes = Vec::with_capacity(usize::try_from(part).unwrap_or(0));
        (&mut *from).take(part).read_to_end(&mut bytes)?;
        if bytes.is_empty() {
            break;
        }
        sending.push(upload.put_part(PutPayload::from_bytes(Bytes::from(bytes))));
        // Wait for a part before the next one is read, to bound memory.
        if sending.len() >= AT_ONCE
            && let Some(sent) = sending.next().await
        {
            sent.map_err(|error| failed(&error))?;
        }
    }
    while let Some(sent) = sending.next().await {
        sent.map_err(|error| failed(&error))?;
    }
    Ok(())
}

/// Writes a small object.
///
/// # Errors
/// If the store does not take it.
pub(crate) fn put(address: &str, bytes: Vec<u8>) -> io::Result<()> {
    let (store, path) = find(address)?;
    wait(async move {
        let payload = PutPayload::from_bytes(Bytes::from(bytes));
        store
            .put(&path, payload)
            .await
            .map(drop)
            .map_err(|error| failed(&error))
    })
}

/// A small object.
pub(crate) struct Got {
    pub(crate) bytes: Vec<u8>,
    /// Time of its last change, if the server says it.
    pub(crate) modified: Option<SystemTime>,
}

/// Reads a small object; `None` if it does not exist.
///
/// # Errors
/// If the server does not send it, or it is longer than `most` bytes.
pub(crate) fn get(address: &str, most: u64) -> io::Result<Option<Got>> {
    let object = Object::at(address)?;
    wait(async move {
        let version = match object.ask_version().await {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            found => found?,
        };
        if version.bytes > most {
            return Err(io::Error::other(format!("it is longer than {most} bytes")));
        }
        let bytes = match version.bytes {
            0 => Vec::new(), // has no range
            length => Vec::from(object.fetch(0..length, Some(&version)).await?.0),
        };
        Ok(Some(Got {
            bytes,
            modified: version.modified,
        }))
    })
}

/// Removes an object, if it exists.
///
/// # Errors
/// If the store refuses.
pub(crate) fn remove(address: &str) -> io::Result<()> {
    let (store, path) = find(address)?;
    wait(async move {
        match store.delete(&path).await {
            Ok(()) | Err(Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(failed(&error)),
        }
    })
}

/// Checks that outputs can be written below an address.
///
/// # Errors
/// If its scheme is not one of a store, or it names no bucket.
pub(crate) fn check_writable(address: &str) -> io::Result<()> {
    if !super::store::Address::parse(address)?.can_be_folder() {
        return Err(invalid("outputs go to s3, gs and az, and not to servers of HTTP"));
    }
    find(address).map(drop)
}
