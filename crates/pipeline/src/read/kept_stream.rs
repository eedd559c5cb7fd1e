//! Copies of streams that can be read only once, such as standard input, for commands that read their inputs twice.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;
use zstd::bulk::Compressor;

use crate::exec::cancel::Cancel;

/// Bytes of the stream per zstd frame of a copy, which is also the amount held in memory.
const FRAME: usize = 1 << 20;

/// Compression level of zstd: the fastest of the usual levels.
const LEVEL: i32 = 1;

/// A complete copy of a stream.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct KeptStream {
    /// Name of the input, as the user typed it.
    pub(crate) name: String,
    /// File name or path of the copy.
    pub(crate) file: PathBuf,
    /// Size of the stream in bytes.
    pub(crate) bytes: u64,
    /// XXH3 hash of the stream (128 bits), in hexadecimal digits.
    pub(crate) hash: String,
}

impl KeptStream {
    /// Sets the folder that contains the copy.
    pub(crate) fn in_folder(self, folder: &Path) -> Self {
        let file = folder.join(&self.file);
        KeptStream { file, ..self }
    }

    /// Opens the copy for reading.
    ///
    /// # Errors
    /// If the copy cannot be opened.
    pub(crate) fn open(&self) -> io::Result<Box<dyn Read + Send>> {
        Ok(Box::new(zstd::stream::read::Decoder::new(File::open(
            &self.file,
        )?)?))
    }
}

/// The reason why a stream was not copied completely.
pub(crate) enum CopyError {
    Read(io::Error),
    Write(io::Error),
    Cancelled,
}

/// Copies a stream as consecutive zstd frames with checksums. Returns the size of the stream in bytes and its hash.
///
/// `advance` is called with the number of bytes of each frame.
pub(crate) fn copy(
    from: &mut dyn Read,
    to: &mut dyn Write,
    cancel: &Cancel,
    advance: &dyn Fn(u64),
) -> Result<(u64, String), CopyError> {
    let mut compressor = Compressor::new(LEVEL).map_err(CopyError::Write)?;
    compressor.include_checksum(true).map_err(CopyError::Write)?;
    let (mut frame, mut bytes, mut hash) = (Vec::with_capacity(FRAME), 0, Xxh3::new());
    loop {
        frame.clear();
        fill(from, &mut frame, cancel)?;
        // `fill` returns a short frame only at the end of the stream.
        let ended = frame.len() < FRAME;
        hash.update(&frame);
        bytes += frame.len() as u64;
        // An empty stream becomes one empty frame.
        if !frame.is_empty() || bytes == 0 {
            let packed = compressor.compress(&frame).map_err(CopyError::Write)?;
            to.write_all(&packed).map_err(CopyError::Write)?;
        }
        advance(frame.len() as u64);
        if ended {
            return Ok((bytes, format!("{:032x}", hash.digest128())));
        }
    }
}

/// Reads bytes for one full frame, or for a shorter last one.
fn fill(from: &mut dyn Read, frame: &mut Vec<u8>, cancel: &Cancel) -> Result<(), CopyError> {
    while frame.len() < FRAME {
        if cancel.requested().is_some() {
            return Err(CopyError::Cancelled);
        }
        // A read from a pipe returns the available bytes, so reads are repeated until the frame is full.
        let start = frame.len();
        frame.resize(FRAME, 0);
        let read = from.read(&mut frame[start..]);
        frame.truncate(start + *read.as_ref().unwrap_or(&0));
        match read {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(CopyError::Read(error)),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_copy_gives_back_its_stream() {
        let dir = tempfile::tempdir().unwrap();
        let all: Vec<u8> = (0..2 * FRAME as u32 + 17)
            .map(|at| (at.wrapping_mul(at) >> 9) as u8)
            .collect();
        let mut hashes = Vec::new();
        for length in [0, 1, FRAME, all.len()] {
            let (mut packed, told) = (Vec::new(), std::cell::Cell::new(0));
            let advance = |bytes| told.set(told.get() + bytes);
            let Ok((bytes, hash)) = copy(&mut &all[..length], &mut packed, &Cancel::new(), &advance) else {
                panic!("it can be copied")
            };
            fs::write(dir.path().join("copy"), packed).unwrap();
            let kept = KeptStream {
                name: "-".to_owned(),
                file: "copy".into(),
                bytes,
                hash: hash.clone(),
            };
            let mut back = Vec::new();
            let mut stream = kept.in_folder(dir.path()).open().unwrap();
            stream.read_to_end(&mut back).unwrap();
            assert!(back == all[..length] && bytes == length as u64 && told.get() == bytes);
            hashes.push(hash);
        }
        hashes.dedup();
        assert_eq!(hashes.len(), 4);
    }

    #[test]
    fn what_fails_is_told_apart() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::ErrorKind::ConnectionReset.into())
            }
        }
        impl Write for Broken {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::StorageFull.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let cancel = Cancel::new();
        let ended = copy(&mut Broken, &mut Vec::new(), &cancel, &|_| {});
        assert!(matches!(ended, Err(CopyError::Read(_))));
        let ended = copy(&mut &b"some"[..], &mut Broken, &cancel, &|_| {});
        assert!(matches!(ended, Err(CopyError::Write(_))));
        cancel.request(crate::error::Interrupt::Keyboard);
        let ended = copy(&mut &b"some"[..], &mut Vec::new(), &cancel, &|_| {});
        assert!(matches!(ended, Err(CopyError::Cancelled)));
    }
}
