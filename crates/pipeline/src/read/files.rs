//! Files, local or remote.
//!
//! A file is named by its path. An address, such as `s3://bucket/name`, is a path here too, so that
//! extensions and names are found in the same way.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

#[cfg(feature = "remote")]
use crate::read::remote;

/// Kind, length and modification time of a file or folder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct About {
    pub(crate) kind: Kind,
    /// Length in bytes. 0 for folders of objects.
    pub(crate) bytes: u64,
    pub(crate) modified: Option<SystemTime>,
}

/// Kind of what a name denotes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    File,
    Folder,
    /// A pipe, a device or a socket.
    Other,
}

impl From<fs::Metadata> for About {
    fn from(meta: fs::Metadata) -> Self {
        About {
            kind: match (meta.is_file(), meta.is_dir()) {
                (true, _) => Kind::File,
                (_, true) => Kind::Folder,
                _ => Kind::Other,
            },
            bytes: meta.len(),
            modified: meta.modified().ok(),
        }
    }
}

#[cfg(feature = "remote")]
impl From<remote::Version> for About {
    fn from(version: remote::Version) -> Self {
        About {
            kind: Kind::File,
            bytes: version.bytes,
            modified: version.modified,
        }
    }
}

/// Returns the address if a path is an address (`scheme://...`) and not a local name.
pub(crate) fn address(path: &Path) -> Option<&str> {
    let name = path.to_str()?;
    let (scheme, _) = name.split_once("://")?;
    // A scheme of one letter would be a drive of Windows.
    let is_scheme = scheme.len() > 1
        && scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    is_scheme.then_some(name)
}

/// Returns advice for a name that cannot be read.
pub(crate) fn help(path: &Path) -> &'static str {
    match address(path) {
        None => "check the name and the permissions",
        #[cfg(feature = "remote")]
        Some(address) => remote::help(address),
        #[cfg(not(feature = "remote"))]
        Some(_) => {
            "build it with the feature `remote`, or pipe the file in, as by `curl -s ADDRESS | dehusk extract -`"
        }
    }
}

#[cfg(not(feature = "remote"))]
pub(crate) fn unsupported() -> io::Error {
    let message = "this program was built without reading of other machines";
    io::Error::new(io::ErrorKind::Unsupported, message)
}

/// Returns kind, length and modification time of a file or folder.
///
/// # Errors
/// If it is missing or cannot be accessed.
pub(crate) fn about(path: &Path) -> io::Result<About> {
    match address(path) {
        None => fs::metadata(path).map(About::from),
        #[cfg(feature = "remote")]
        Some(address) => remote::named(address).map(|named| match named {
            remote::Named::File(version) => About::from(version),
            remote::Named::Folder => About {
                kind: Kind::Folder,
                bytes: 0,
                modified: None,
            },
        }),
        #[cfg(not(feature = "remote"))]
        Some(_) => Err(unsupported()),
    }
}

/// Opens a file for reading from the byte `at` on.
///
/// # Errors
/// If it cannot be opened. Errors of a server are returned by the first read.
pub(crate) fn open(path: &Path, at: u64) -> io::Result<Box<dyn Read + Send>> {
    match address(path) {
        None => {
            let mut file = File::open(path)?;
            if at > 0 {
                file.seek(SeekFrom::Start(at))?;
            }
            Ok(Box::new(file))
        }
        #[cfg(feature = "remote")]
        Some(address) => Ok(Box::new(remote::RemoteStream::new(
            remote::Object::at(address)?,
            at,
        ))),
        #[cfg(not(feature = "remote"))]
        Some(_) => Err(unsupported()),
    }
}

/// A regular file that is read at any offset, by several readers.
pub(crate) struct RandomAccess {
    path: PathBuf,
    #[cfg(feature = "parquet")]
    bytes: u64,
    /// The blocks of a remote file, shared by its readers.
    #[cfg(feature = "remote")]
    blocks: Option<remote::RemoteBlocks>,
}

impl RandomAccess {
    /// Opens a file. `None` if it cannot be read at any offset, such as a pipe.
    ///
    /// # Errors
    /// If the file is missing or cannot be opened.
    pub(crate) fn open(path: &Path) -> io::Result<Option<Self>> {
        let path = path.to_owned();
        match address(&path) {
            None => {
                // Opening reports missing permissions before any work.
                let about = About::from(File::open(&path)?.metadata()?);
                Ok((about.kind == Kind::File).then_some(RandomAccess {
                    path,
                    #[cfg(feature = "parquet")]
                    bytes: about.bytes,
                    #[cfg(feature = "remote")]
                    blocks: None,
                }))
            }
            #[cfg(feature = "remote")]
            Some(address) => {
                let blocks = remote::RemoteBlocks::open(remote::Object::at(address)?)?;
                Ok(Some(RandomAccess {
                    #[cfg(feature = "parquet")]
                    bytes: blocks.bytes(),
                    blocks: Some(blocks),
                    path,
                }))
            }
            #[cfg(not(feature = "remote"))]
            Some(_) => Err(unsupported()),
        }
    }

    /// Returns the length of the file in bytes.
    #[cfg(feature = "parquet")]
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns `true` if the file is remote. Each seek may then cost a request.
    #[cfg(feature = "parquet")]
    pub(crate) fn is_remote(&self) -> bool {
        address(&self.path).is_some()
    }

    /// Returns a reader with a position of its own.
    ///
    /// # Errors
    /// If the file cannot be opened again.
    pub(crate) fn reader(&self) -> io::Result<RandomReader> {
        #[cfg(feature = "remote")]
        if let Some(blocks) = &self.blocks {
            let blocks = blocks.clone();
            return Ok(RandomReader::There { blocks, at: 0 });
        }
        File::open(&self.path).map(RandomReader::Here)
    }
}

/// A reader of a file at any offset.
pub(crate) enum RandomReader {
    Here(File),
    #[cfg(feature = "remote")]
    There {
        blocks: remote::RemoteBlocks,
        at: u64,
    },
}

impl Read for RandomReader {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        match self {
            RandomReader::Here(file) => file.read(to),
            #[cfg(feature = "remote")]
            RandomReader::There { blocks, at } => {
                let bytes = blocks.read(*at, to.len())?;
                to[..bytes.len()].copy_from_slice(&bytes);
                *at += bytes.len() as u64;
                Ok(bytes.len())
            }
        }
    }
}

impl Seek for RandomReader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self {
            RandomReader::Here(file) => file.seek(to),
            #[cfg(feature = "remote")]
            RandomReader::There { blocks, at } => {
                let wanted = match to {
                    SeekFrom::Start(offset) => Some(offset),
                    SeekFrom::End(offset) => blocks.bytes().checked_add_signed(offset),
                    SeekFrom::Current(offset) => at.checked_add_signed(offset),
                };
                *at = wanted.ok_or(io::ErrorKind::InvalidInput)?;
                Ok(*at)
            }
        }
    }
}

#[cfg(feature = "parquet")]
mod chunks {
    use std::io::Read;

    use parquet::errors::Result;
    use parquet::file::reader::{ChunkReader, Length};

    use super::RandomReader;

    impl Length for RandomReader {
        fn len(&self) -> u64 {
            match self {
                RandomReader::Here(file) => file.len(),
                #[cfg(feature = "remote")]
                RandomReader::There { blocks, .. } => blocks.bytes(),
            }
        }
    }

    impl ChunkReader for RandomReader {
        type T = Box<dyn Read>;

        fn get_read(&self, start: u64) -> Result<Self::T> {
            match self {
                RandomReader::Here(file) => Ok(Box::new(file.get_read(start)?)),
                #[cfg(feature = "remote")]
                RandomReader::There { blocks, .. } => Ok(Box::new(RandomReader::There {
                    blocks: blocks.clone(),
                    at: start,
                })),
            }
        }

        fn get_bytes(&self, start: u64, length: usize) -> Result<bytes::Bytes> {
            match self {
                RandomReader::Here(file) => file.get_bytes(start, length),
                #[cfg(feature = "remote")]
                RandomReader::There { blocks, .. } => {
                    let bytes = blocks.read(start, length)?;
                    // The library expects exactly `length` bytes.
                    match bytes.len() == length {
                        true => Ok(bytes),
                        false => Err(std::io::Error::from(std::io::ErrorKind::UnexpectedEof).into()),
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_from_names() {
        for name in ["s3://bucket/a", "https://a.example/", "x-y+z.1://a"] {
            assert_eq!(address(Path::new(name)), Some(name));
        }
        for name in ["a.html", "c://x", "a/b://c", "1a://x", "s3:/bucket", "", "://"] {
            assert_eq!(address(Path::new(name)), None, "{name}");
        }
    }
}
