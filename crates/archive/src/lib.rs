//! Reads the archives of web crawls (WARC, ARC, MHTML): bytes are pushed in, records come out, even from damaged files.
//!
//! [`Reader`] takes the bytes of a WARC file and returns its records. The file may be plain, gzip members, zstd frames or any mixture. ARC files, the
//! format used before 2009, are read as well; their records get the equivalent WARC field names. [`PlainStream`] decompresses files without records.
//! [`http`] splits the block of a response into header and body. [`mhtml`] reads pages saved by a browser.
//!
//! Reading an archive never fails. Damaged bytes are reported as a [`Damage`] with their place, and all other records are still returned. Time is
//! linear in the length of the input and memory is bounded, see [`Limits`].
//!
//! The crate opens no files and starts no threads: the caller pushes the bytes.
//!
//! Features, both on by default: `zstd` (compiles a C library) and `brotli` (the content coding `br`).

#![forbid(unsafe_code)]

mod answer;
mod arc;
mod credit;
pub mod damage;
mod fields;
pub mod http;
mod inflate;
pub mod limits;
mod members;
pub mod mhtml;
mod reader;
pub mod stream;
pub mod warc;

pub use answer::Answer;
pub use damage::{Damage, Place, Reason};
pub use limits::Limits;
pub use members::probe::probable_starts;
pub use reader::{Form, Reader, Start};
pub use stream::{PlainStream, StreamEvent};
pub use warc::{Event, Head, Integrity, Record, RecordKind};

/// Compiles and runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
