//! Records of WARC files (ISO 28500): from the bytes of members to heads and blocks.

mod block;
mod buffer;
mod digest;
mod framer;
mod head;
mod reader;
mod record;
mod search;

pub use head::{Head, RecordKind};
pub use reader::{Reader, Start};
pub use record::{Event, Integrity, Record};
