//! Renders archived pages in a real browser without network access, and returns the positions of their
//! texts and boxes.
//!
//! [`Chromium`] is driven over two pipes by the DevTools protocol (`pipe`). Every request of a page is
//! intercepted and answered from [`Assets`], under the page's own address. Requests without an asset fail,
//! as on a machine without a network. Further layers ensure that no data leaves the browser: see
//! [`isolation`]. A page that crashes, hangs or floods the browser affects only itself.
//!
//! This crate depends on pages, assets and the browser. It is independent of main text and of record formats.

#![forbid(unsafe_code)]

pub mod assets;
mod chromium;
mod error;
mod group;
pub mod isolation;
mod limits;
mod pipe;
mod process;
mod visit;
mod watch;

pub use assets::Assets;
pub use chromium::{Browser, Chromium, Settings};
pub use error::{Error, LostPage, LostReason};
pub use limits::Limits;
pub use visit::{PageSource, Rendered};
