//! Archives of crawls: bytes go in, records come out, whatever is broken in them.
//!
//! [`Reader`] takes the bytes of a WARC file, plain, in gzip members, in zstd frames or in any mixture of these, and hands out records. It reads
//! ARC files, which archives were before 2009, as well: their records come under the names that WARC has for the same things.
//! [`PlainStream`] does the same for compressed files without records. [`http`] takes the block of a response apart, [`mhtml`] a page that
//! a browser saved.
//!
//! An archive cannot fail: what is damaged costs what lies in it, is told as a [`Damage`] with its place, and every other record is handed
//! out. Time is linear in the length of the input and memory bounded, see [`Limits`].
//!
//! The crate opens no files and starts no threads: bytes are pushed.
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

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
