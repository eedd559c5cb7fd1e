//! The objects of a prefix, listed while they are read.

use std::io;

use futures_util::StreamExt;
use object_store::path::Path as ObjectPath;
use tokio::sync::mpsc;

use super::object::{Version, failed};
use super::runtime::Task;
use super::store::{Address, find};

/// Largest number of objects listed ahead. Stores list a thousand per request.
const AHEAD: usize = 1000;

/// The objects below a prefix, in the order of the store, which is that of their names. They are requested
/// page by page.
pub(crate) struct Listing {
    /// Address of the bucket, with a slash at its end.
    bucket: String,
    objects: mpsc::Receiver<io::Result<(ObjectPath, Version)>>,
    /// Ends with the listing.
    _task: Task<()>,
}

/// An object of a listing.
pub(crate) struct Listed {
    pub(crate) address: String,
    pub(crate) version: Version,
}

impl Listing {
    /// Starts to list the objects below an address.
    ///
    /// # Errors
    /// If the address is of no known form or names a single file.
    pub(crate) fn start(address: &str) -> io::Result<Self> {
        let parts = Address::parse(address)?;
        let bucket = format!("{}://{}/", parts.scheme, parts.host);
        let (store, prefix) = find(address.trim_end_matches('/'))?;
        let (to, objects) = mpsc::channel(AHEAD);
        let task = Task::start(async move {
            // Without a prefix the whole bucket is listed.
            let prefix = (!prefix.as_ref().is_empty()).then_some(prefix);
            let mut list = store.list(prefix.as_ref());
            while let Some(found) = list.next().await {
                let found = match found {
                    Ok(meta) => Ok((meta.location.clone(), Version::of(&meta))),
                    Err(error) => Err(failed(&error)),
                };
                let failed = found.is_err();
                if to.send(found).await.is_err() || failed {
                    break;
                }
            }
            Ok(())
        })?;
        Ok(Listing {
            bucket,
            objects,
            _task: task,
        })
    }

    /// Returns the next object, or the error that ended the listing.
    pub(crate) fn next(&mut self) -> Option<io::Result<Listed>> {
        let found = self.objects.blocking_recv()?;
        Some(found.map(|(path, version)| Listed {
            address: format!("{}{path}", self.bucket),
            version,
        }))
    }
}
