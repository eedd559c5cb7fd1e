//! HTML bytes to a tree: character encodings, the WHATWG parser, one flat arena, addresses, limits.
//!
//! ```
//! use dehusk_html::Parser;
//! use dehusk_html::tree::NodeId;
//!
//! let (dom, warnings) = Parser::default().parse("<title>Rivers</title><p>one<p>two &amp; three");
//! assert_eq!(dom.text_content(NodeId::DOCUMENT), "Riversonetwo & three");
//! assert!(warnings.is_empty());
//! ```
//!
//! The crate knows nothing of main text, of files or of threads. A page cannot fail: whatever the bytes are, the answer is a
//! tree and a list of [`Warning`]s.

#![forbid(unsafe_code)]

pub mod decode;
pub mod limits;
pub mod parser;
pub mod tree;
pub mod url;
pub mod warning;

pub use decode::decode;
pub use limits::Limits;
pub use parser::{Parser, ParserKind, UnknownParser};
#[cfg(feature = "reference")]
pub use parser::{TreeDifference, reference_check};
pub use tree::{Dom, NodeId, Tag};
pub use warning::{Warning, WarningKind};
