//! Reads the archives of web crawls (WARC, ARC, MHTML): bytes are pushed in, records come out, even from damaged files.
//!
//! ```
//! use dehusk_archive::{Event, Limits, Reader, RecordKind, Start, http};
//!
//! let file = b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\nContent-Length: 47\r\n\r\n\
//!     HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n<p>hello\n\r\n\r\n";
//! let mut reader = Reader::new(Start::at(0), Limits::default());
//! let mut pages = Vec::new();
//! let mut visit = |event: Event<'_>| match event {
//!     Event::Record(record) if record.head.kind() == RecordKind::Response => {
//!         let message = http::message(record.block, Limits::default());
//!         pages.push((record.head.target_uri().unwrap().into_owned(), message.body.into_owned()));
//!     }
//!     _ => {}
//! };
//! for piece in file.chunks(20) {
//!     reader.push(piece, &mut visit); // pieces of any size
//! }
//! reader.finish(&mut visit);
//! assert_eq!(pages, [("http://a.example/".to_owned(), b"<p>hello\n".to_vec())]);
//! ```
//!
//! Reading an archive never fails. Damaged bytes are reported as a [`Damage`] with their [`Place`] and
//! [`Reason`], and all other records are still returned. Time is linear in the length of the input and
//! memory is bounded, see [`Limits`].
//!
//! # Map
//!
//! | to | use |
//! |---|---|
//! | read a WARC file: plain, gzip members, zstd frames, or any mixture | [`Reader`], which gives [`Event`]s with a [`Record`] each |
//! | read an ARC file, the format used before 2009 | [`Reader`] from [`Start::of`] with [`Form::Arc`]; records get the equivalent WARC field names |
//! | split a response into head and body, and undo its codings | [`http::message`] |
//! | read a page saved by a browser | [`mhtml::page`] |
//! | decompress a file without records | [`PlainStream`] |
//! | read one file on several threads | [`probable_starts`], [`Reader::between_members`] |
//! | find the answer to a request for an address | [`Answer`] |
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
mod narrow;
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
