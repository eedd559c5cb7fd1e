//! A range of a remote file, requested in advance.

use std::io;
use std::ops::Range;

use bytes::Bytes;

use super::object::Object;
use super::runtime::Task;

/// A request for a range of bytes, which runs in the background.
pub(crate) struct AskedRange(Task<Bytes>);

impl AskedRange {
    /// Requests a range of the file at an address.
    ///
    /// # Errors
    /// If the address is of no known form.
    pub(crate) fn start(address: &str, range: Range<u64>) -> io::Result<Self> {
        let object = Object::at(address)?;
        let task = Task::start(async move {
            match object.fetch_first(range).await {
                Ok(Some((bytes, _))) => Ok(bytes),
                Ok(None) => Ok(Bytes::new()),
                Err(failure) => Err(failure.into()),
            }
        })?;
        Ok(AskedRange(task))
    }

    /// Waits for the bytes. They are fewer than requested if the file ends before.
    ///
    /// # Errors
    /// If the file is missing or the server does not send them.
    pub(crate) fn wait(self) -> io::Result<Vec<u8>> {
        self.0.wait().map(Vec::from)
    }
}
