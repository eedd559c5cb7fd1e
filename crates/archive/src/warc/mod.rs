//! Records of WARC files (ISO 28500): finds headers and blocks in the plain bytes of members.

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
