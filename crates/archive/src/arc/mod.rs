//! ARC files, the crawl archives before WARC: versions 1.0 and 1.1 of the Internet Archive and Heritrix,
//! and 2.0, whose lines have more fields.
//!
//! A record is a line with URL, server, date, type and length, followed by `length` bytes. The length is
//! trusted if another such line or the end of the input follows. Otherwise the next such line is searched.

mod framer;
mod line;

pub(crate) use framer::ArcFramer;
