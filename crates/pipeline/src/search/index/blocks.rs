//! A file that is read in blocks. Each block is verified by its checksum before its content is used.
//!
//! The checksums of all blocks follow the data. The checksum of these checksums, stored in the manifest of an index, identifies the whole
//! file, so that only the needed blocks have to be read. For a file of 1 GiB the checksums take 512 KiB.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

use dehusk_html::narrow;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Size of a block in bytes.
pub(super) const BLOCK: usize = 16 << 10;

/// Size of a checksum in bytes.
const SUM: u64 = 8;

/// Number of blocks that are cached.
const KEPT: usize = 8;

/// The checksum of a block, seeded with its number.
fn checksum(block: &[u8], number: u64) -> u64 {
    xxh3_64_with_seed(block, number)
}

/// Size of a file with `data` bytes of data; `None` on overflow.
pub(super) fn file_bytes(data: u64) -> Option<u64> {
    let sums = data.div_ceil(BLOCK as u64).checked_mul(SUM)?;
    data.checked_add(sums)
}

/// Writes data, followed by the checksums of its blocks.
pub(super) struct BlockWriter<'w, W> {
    out: &'w mut W,
    block: Vec<u8>,
    sums: Vec<u8>,
    data: u64,
}

impl<'w, W: Write> BlockWriter<'w, W> {
    /// A writer of data that begins at the current place of `out`.
    pub(super) fn new(out: &'w mut W) -> Self {
        Self {
            out,
            block: Vec::with_capacity(BLOCK),
            sums: Vec::new(),
            data: 0,
        }
    }

    /// Appends bytes to the data.
    pub(super) fn write(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        self.data += bytes.len() as u64;
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(BLOCK - self.block.len()));
            self.block.extend_from_slice(now);
            bytes = later;
            if self.block.len() == BLOCK {
                self.write_block()?;
            }
        }
        Ok(())
    }

    /// Writes the gathered block, and notes its checksum.
    fn write_block(&mut self) -> io::Result<()> {
        // Each block so far has one checksum.
        let number = self.sums.len() as u64 / SUM;
        self.sums.extend(checksum(&self.block, number).to_le_bytes());
        self.out.write_all(&self.block)?;
        self.block.clear();
        Ok(())
    }

    /// Writes the checksums. Returns the size of the file, and the checksum of all checksums.
    pub(super) fn finish(mut self) -> io::Result<(u64, u64)> {
        if !self.block.is_empty() {
            self.write_block()?;
        }
        self.out.write_all(&self.sums)?;
        Ok((
            self.data + self.sums.len() as u64,
            checksum(&self.sums, self.data),
        ))
    }
}

/// Reads data written by a [`BlockWriter`].
pub(super) struct BlockReader {
    file: File,
    data: u64,
    sums: Vec<u64>,
    /// Cached blocks with their numbers.
    kept: Vec<(u64, Vec<u8>)>,
    /// Index of the cached block to be replaced next.
    oldest: usize,
    #[cfg(test)]
    pub(super) blocks_read: u64,
}

impl BlockReader {
    /// A reader of `data` bytes of data. `total` is the checksum of all checksums.
    pub(super) fn new(mut file: File, data: u64, total: u64) -> io::Result<Self> {
        let bytes = file.metadata()?.len();
        let expected = file_bytes(data).ok_or_else(|| wrong("its size cannot be right"))?;
        if bytes != expected {
            return Err(wrong(&format!("it has {bytes} bytes instead of {expected}")));
        }
        let mut sums = vec![0; usize::try_from(bytes - data).map_err(io::Error::other)?];
        // The checksums follow the data.
        file.seek(SeekFrom::Start(data))?;
        file.read_exact(&mut sums)?;
        if checksum(&sums, data) != total {
            return Err(wrong(
                "its checksums are not those that the index knows it by: it was damaged, or is another file",
            ));
        }
        let (sums, _) = sums.as_chunks::<8>();
        Ok(Self {
            file,
            data,
            sums: sums.iter().map(|sum| u64::from_le_bytes(*sum)).collect(),
            kept: Vec::new(),
            oldest: 0,
            #[cfg(test)]
            blocks_read: 0,
        })
    }

    /// Fills `buffer` with the data from offset `at` on.
    pub(super) fn read(&mut self, mut at: u64, mut buffer: &mut [u8]) -> io::Result<()> {
        while !buffer.is_empty() {
            let (number, start) = (at / BLOCK as u64, narrow::to_usize(at % BLOCK as u64));
            // A place beyond the end of a file that was cut gives no bytes, which is an error below.
            let rest = self.block(number)?.get(start..).unwrap_or_default();
            let length = rest.len().min(buffer.len());
            if length == 0 {
                return Err(wrong("a place outside of it is asked for"));
            }
            let (now, later) = buffer.split_at_mut(length);
            now.copy_from_slice(&rest[..length]);
            (buffer, at) = (later, at + length as u64);
        }
        Ok(())
    }

    /// The `length` bytes of data from offset `at` on.
    pub(super) fn bytes(&mut self, at: u64, length: u64) -> io::Result<Vec<u8>> {
        if at.checked_add(length).is_none_or(|end| end > self.data) {
            return Err(wrong("a place outside of it is asked for"));
        }
        let mut bytes = vec![0; usize::try_from(length).map_err(io::Error::other)?];
        self.read(at, &mut bytes)?;
        Ok(bytes)
    }

    /// A block with a valid checksum, from the cache or the file.
    fn block(&mut self, number: u64) -> io::Result<&[u8]> {
        if let Some(place) = self.kept.iter().position(|(kept, _)| *kept == number) {
            return Ok(&self.kept[place].1);
        }
        let sum = usize::try_from(number)
            .ok()
            .and_then(|place| self.sums.get(place).copied())
            .ok_or_else(|| wrong("a place outside of it is asked for"))?;
        let start = number * BLOCK as u64;
        // The memory of the oldest block is reused.
        let mut block = if self.kept.len() < KEPT {
            Vec::new()
        } else {
            std::mem::take(&mut self.kept[self.oldest].1)
        };
        // The last block is shorter.
        block.resize(narrow::to_usize((self.data - start).min(BLOCK as u64)), 0);
        self.file.seek(SeekFrom::Start(start))?;
        self.file.read_exact(&mut block)?;
        #[cfg(test)]
        {
            self.blocks_read += 1;
        }
        if checksum(&block, number) != sum {
            return Err(wrong(&format!(
                "what stands from byte {start} on is not what was written there: its checksum is another"
            )));
        }
        let place = if self.kept.len() < KEPT {
            self.kept.push((number, block));
            self.kept.len() - 1
        } else {
            let place = self.oldest;
            self.kept[place] = (number, block);
            self.oldest = (place + 1) % KEPT;
            place
        };
        Ok(&self.kept[place].1)
    }

    /// Frees the cached blocks.
    pub(super) fn forget(&mut self) {
        self.kept = Vec::new();
        self.oldest = 0;
    }
}

/// Error for a file that was changed since it was written.
pub(super) fn wrong(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(data: &[u8]) -> (File, u64) {
        let mut file = tempfile::tempfile().unwrap();
        let mut writer = BlockWriter::new(&mut file);
        data.chunks(777).for_each(|part| writer.write(part).unwrap());
        let (bytes, total) = writer.finish().unwrap();
        assert_eq!(Some(bytes), file_bytes(data.len() as u64));
        (file, total)
    }

    #[test]
    fn whatever_is_read_is_what_was_written() {
        for length in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 20 * BLOCK + 5] {
            let data: Vec<u8> = (0..length).map(|at| (at * 7 / 3) as u8).collect();
            let (file, total) = written(&data);
            let mut reader = BlockReader::new(file, length as u64, total).unwrap();
            for start in (0..length).step_by(4567) {
                let end = (start + 40_000).min(length);
                let found = reader.bytes(start as u64, (end - start) as u64).unwrap();
                assert!(found == data[start..end], "{start}..{end}");
            }
            assert!(reader.bytes(length as u64, 1).is_err());
            assert!(reader.bytes(1, u64::MAX).is_err());
            assert!(reader.read(length as u64, &mut [0]).is_err());
        }
    }

    #[test]
    fn blocks_that_change_places_are_noticed() {
        let data: Vec<u8> = (0..2 * BLOCK).map(|at| u8::from(at < BLOCK)).collect();
        let (mut file, total) = written(&data);
        let swapped: Vec<u8> = data.iter().rev().copied().collect();
        file.seek(SeekFrom::Start(0)).unwrap();
        file.write_all(&swapped).unwrap();
        let mut reader = BlockReader::new(file, data.len() as u64, total).unwrap();
        let error = reader.bytes(BLOCK as u64, 1).unwrap_err();
        assert!(error.to_string().contains("from byte 16384 on"), "{error}");
    }
}
