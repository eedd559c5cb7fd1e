//! A remote file read at any offset, in blocks that are kept for a while.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex};

use bytes::{Bytes, BytesMut};
use dehusk_html::narrow;

use super::object::{Object, Version};
use super::runtime::{lock, wait};

/// Size of a block in bytes.
const BLOCK: u64 = 1 << 20;
/// Largest number of blocks per request.
const AT_ONCE: u64 = 4;
/// Largest number of blocks kept.
const KEPT: usize = 32;

/// A remote file for readers that need its end first, or parts of it. Clones share their blocks.
#[derive(Clone)]
pub(crate) struct RemoteBlocks(Arc<Inner>);

struct Inner {
    object: Object,
    version: Version,
    /// Numbers and bytes of blocks. The most recently used block is last.
    kept: Mutex<VecDeque<(u64, Bytes)>>,
}

impl RemoteBlocks {
    /// Opens an object: requests its length and version.
    ///
    /// # Errors
    /// If the object is missing or the server does not answer.
    pub(crate) fn open(object: Object) -> io::Result<Self> {
        let version = object.version()?;
        Ok(RemoteBlocks(Arc::new(Inner {
            object,
            version,
            kept: Mutex::default(),
        })))
    }

    /// Returns the length of the file in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.0.version.bytes
    }

    /// Returns up to `length` bytes from the byte `at` on: fewer only at the end of the file.
    ///
    /// # Errors
    /// If the server does not send them.
    pub(crate) fn read(&self, at: u64, length: usize) -> io::Result<Bytes> {
        let end = self.bytes().min(at.saturating_add(length as u64));
        if at >= end {
            return Ok(Bytes::new());
        }
        let mut joined: Option<BytesMut> = None;
        let mut from = at;
        loop {
            let number = from / BLOCK;
            let block = self.block(number)?;
            let start = usize::try_from(from - number * BLOCK).unwrap_or(usize::MAX);
            let until = block
                .len()
                .min(start + usize::try_from(end - from).unwrap_or(usize::MAX));
            let Some(part) = (start < until).then(|| block.slice(start..until)) else {
                return Err(io::ErrorKind::UnexpectedEof.into());
            };
            from += part.len() as u64;
            match &mut joined {
                // Within one block nothing is copied.
                None if from == end => return Ok(part),
                None => {
                    // The length comes from data, so it reserves no more than the file has.
                    let mut all = BytesMut::with_capacity(usize::try_from(end - at).unwrap_or(0));
                    all.extend_from_slice(&part);
                    joined = Some(all);
                }
                Some(all) => all.extend_from_slice(&part),
            }
            if from == end {
                return Ok(joined.unwrap_or_default().freeze());
            }
        }
    }

    /// Returns a block, from memory or from the server.
    fn block(&self, number: u64) -> io::Result<Bytes> {
        // The lock is released before the request, so that other readers can use their blocks.
        let follows = {
            let mut kept = lock(&self.0.kept);
            if let Some(at) = kept.iter().position(|(known, _)| *known == number) {
                let block = kept.remove(at);
                debug_assert!(block.is_some(), "the block was found at this place");
                let block = block.unwrap_or_default();
                let bytes = block.1.clone();
                kept.push_back(block);
                return Ok(bytes);
            }
            number > 0 && kept.iter().any(|(known, _)| *known == number - 1)
        };
        // Sequential readers get several blocks per request.
        let count = if follows { AT_ONCE } else { 1 };
        let start = number * BLOCK;
        let end = self.bytes().min(start.saturating_add(count * BLOCK));
        let (object, version) = (self.0.object.clone(), self.0.version.clone());
        let bytes = wait(async move {
            let (bytes, _) = object.fetch(start..end, Some(&version)).await?;
            Ok(bytes)
        })?;
        let mut kept = lock(&self.0.kept);
        // In reverse order, so that the requested block ends up as the most recently used.
        for (place, from) in (0..bytes.len())
            .step_by(narrow::to_usize(BLOCK))
            .enumerate()
            .rev()
        {
            let part = bytes.slice(from..bytes.len().min(from + narrow::to_usize(BLOCK)));
            let of = number + place as u64;
            // Another reader may have fetched the same block.
            kept.retain(|(known, _)| *known != of);
            kept.push_back((of, part));
        }
        while kept.len() > KEPT {
            kept.pop_front();
        }
        Ok(bytes.slice(..bytes.len().min(narrow::to_usize(BLOCK))))
    }
}
