//! Files of keys, with or without document numbers.

use crate::candidates::columns::KEY_BYTES;
use crate::candidates::join::spill::{BLOCK, SpillError, SpillFile, cut_off};
use crate::numeric::narrow;

/// The little-endian bytes of a key in a file.
pub(crate) fn key_bytes(key: u64) -> [u8; KEY_BYTES] {
    let [a, b, c, d, e, f, ..] = key.to_le_bytes();
    [a, b, c, d, e, f]
}

/// The key with these bytes: the inverse of [`key_bytes`].
pub(crate) fn key_of([a, b, c, d, e, f]: [u8; KEY_BYTES]) -> u64 {
    u64::from_le_bytes([a, b, c, d, e, f, 0, 0])
}

/// Calls `visit` with each document and key of a column whose entries hold both.
pub(crate) fn each_pair(
    file: &mut dyn SpillFile,
    keys: u64,
    mut visit: impl FnMut(u32, u64) -> Result<(), SpillError>,
) -> Result<(), SpillError> {
    each_piece(file, keys, |[a, b, c, d, key @ ..]: &[u8; 4 + KEY_BYTES]| {
        visit(u32::from_le_bytes([*a, *b, *c, *d]), key_of(*key))
    })
}

/// Calls `visit` with the first `pieces` pieces of `N` bytes of a file.
pub(crate) fn each_piece<const N: usize>(
    file: &mut dyn SpillFile,
    pieces: u64,
    mut visit: impl FnMut(&[u8; N]) -> Result<(), SpillError>,
) -> Result<(), SpillError> {
    // A file may have been read before, in an earlier pass or scan.
    file.rewind()?;
    let mut block = vec![0_u8; BLOCK / N * N];
    let mut left = pieces;
    while left > 0 {
        let now = left.min((block.len() / N) as u64);
        let block = &mut block[..narrow::to_usize(now) * N];
        // The number of entries is known, so a short read is an error, not the end.
        if file.read(block)? < block.len() {
            return Err(cut_off());
        }
        left -= now;
        block.as_chunks::<N>().0.iter().try_for_each(&mut visit)?;
    }
    Ok(())
}
