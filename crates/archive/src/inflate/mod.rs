//! Decoders of one compressed member: bytes are pushed in, plain bytes come out.
//!
//! Decoders process slices whose borders lie at fixed offsets of the member. Output and the place of a
//! failure are therefore independent of how the bytes arrive.

pub(crate) mod deflate;
pub(crate) mod gzip;
#[cfg(feature = "zstd")]
pub(crate) mod zstd;
pub(crate) mod zstd_frame;

use crate::damage::Reason;

/// Progress of a decoder after a push.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Progress {
    /// All bytes are consumed, and more are needed.
    More,
    /// The member ends after this many of the pushed bytes.
    End(usize),
    /// The member is broken. The number counts bytes from the start of the push to the end of the slice
    /// that holds the error, which may lie beyond the pushed bytes. Whether later bytes belong to the
    /// member is unknown.
    Failed(usize, Reason),
}
