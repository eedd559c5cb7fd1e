//! Renders archived pages in a real browser that reaches nothing, and tells where their texts and boxes are drawn.
//!
//! [`Chromium`] is driven over two pipes by the DevTools protocol (`pipe`). Every request of a page is held at the browser's door and
//! answered from [`Assets`], under the page's own address; what these do not hold is missing, as on a machine without a network. That
//! nothing gets out is not left to this alone: see [`isolation`]. A page that crashes, hangs or floods the browser costs itself.
//!
//! This crate knows pages, assets and the browser. It knows neither main text nor formats of records.

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
