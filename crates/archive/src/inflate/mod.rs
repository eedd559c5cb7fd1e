//! Decoders of one compressed member: bytes are pushed in, plain bytes come out.
//!
//! A decoder is fed in slices whose borders lie at fixed places of the member, so that neither what comes out nor where it fails depends
//! on how the bytes arrive.

pub(crate) mod deflate;
pub(crate) mod gzip;
#[cfg(feature = "zstd")]
pub(crate) mod zstd;
pub(crate) mod zstd_frame;

use crate::damage::Reason;

/// How far a decoder came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Progress {
    /// All bytes are taken, and more are needed.
    More,
    /// The member ends after so many of the bytes.
    End(usize),
    /// The member is broken, which shows within so many bytes, counted from the first of them and perhaps beyond the last: the end of
    /// the slice. Whether bytes behind that still belong to the member is not known.
    Failed(usize, Reason),
}
