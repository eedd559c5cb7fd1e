//! Pages are worked on in processes of their own: a page that kills its process costs that page, and the run goes on.
//!
//! The program starts itself again with the same command line, once for each thread, and hands every page to one of these processes.
//! What comes back is what the page was made into. Pages in lines of JSON are read there, a chunk of lines at a time: the lines go there as
//! they are, or, of a plain file, only where they lie; if a process dies over them, those of which nothing came back are handed out one by one. If a process dies instead, a fresh one gets the page once more, since the first
//! may have been killed for a reason of the machine's; if that one dies too, the page is rejected.
//!
//! A page's process may take memory in proportion to the page, so that a page that takes more is refused it, instead of all others.

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
