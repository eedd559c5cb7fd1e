//! Records of WARC files (ISO 28500): from the bytes of members to heads and blocks.

mod block;
pub(crate) mod buffer;
mod digest;
pub(crate) mod framer;
pub(crate) mod framing;
mod head;
mod record;
mod search;

pub use head::{Head, RecordKind};
pub use record::{Event, Integrity, Record};
