//! ARC files, the archives of crawls before WARC: 1.0 and 1.1 of the Internet Archive and Heritrix, and 2.0, whose lines have more fields.
//!
//! A record is a line that names address, server, date, type and length, and so many bytes. Lengths are trusted where such a line or the
//! end follows; else the next line of that form is looked for.

mod framer;
mod line;

pub(crate) use framer::ArcFramer;
