//! Pages are processed in child processes: a page that kills its process costs that page only, and the run continues.
//!
//! The program starts itself again with the same command line, once for each thread, hands every page to one of these processes, and reads
//! back the result. If a process dies, a fresh one gets the page again, since the first may have been killed for an unrelated reason. If
//! that one dies too, the page is rejected.
//!
//! Pages in JSON Lines are parsed in the page process, one chunk of lines at a time. The process gets the lines, or, for a plain file, only
//! their position. If it dies over them, the lines without a result are handed out one by one.
//!
//! A page process may take memory in proportion to its page. A page that needs more is refused the memory, without harm to other pages.

mod content;
mod fingerprint;
mod frame;
mod lifeline;
mod memory;
mod parent;
mod request;
mod serve;
pub(crate) mod stored;

pub(crate) use fingerprint::Fingerprint;
pub use parent::Launch;
pub(crate) use parent::PageProcesses;
pub(crate) use request::Told;
pub(crate) use serve::{PageLines, serve};
