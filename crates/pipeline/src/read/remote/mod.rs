//! Files on other machines: `https://`, `http://`, `s3://`, `gs://` and `az://`.
//!
//! Requests run on a thread of their own ([`runtime`]); readers are synchronous. A file is read as a
//! stream, with ranges fetched ahead, or at any offset, in blocks. All that is fetched is checked by its
//! length and by the tag of the version that was read first.

mod blocks;
mod listing;
mod object;
mod range;
mod runtime;
mod store;
mod stream;
mod upload;

use std::io;

pub(crate) use blocks::RemoteBlocks;
pub(crate) use listing::Listing;
pub(crate) use object::{Object, Version};
pub(crate) use range::AskedRange;
pub(crate) use store::help;
pub(crate) use stream::RemoteStream;
pub(crate) use upload::{Upload, check_writable, get, put, remove};

use store::Address;

/// Kind of what an address names.
pub(crate) enum Named {
    File(Version),
    /// A prefix of the names of objects.
    Folder,
}

/// Finds out what an address names. A file comes before a folder of the same name.
///
/// # Errors
/// If there is nothing at the address, or the server does not answer.
pub(crate) fn named(address: &str) -> io::Result<Named> {
    let parts = Address::parse(address)?;
    // A bucket alone, or an address with a slash at its end, can only be a folder.
    let is_folder = parts.can_be_folder() && (parts.path.is_empty() || parts.path.ends_with('/'));
    let missing = match is_folder {
        true => io::Error::new(io::ErrorKind::NotFound, "there is nothing below this address"),
        false => match Object::at(address)?.version() {
            Ok(version) => return Ok(Named::File(version)),
            // No object has this name, but it may be a prefix.
            Err(error) if error.kind() == io::ErrorKind::NotFound && parts.can_be_folder() => error,
            Err(error) => return Err(error),
        },
    };
    match Listing::start(address)?.next() {
        Some(Ok(_)) => Ok(Named::Folder),
        Some(Err(error)) => Err(error),
        None => Err(missing),
    }
}
