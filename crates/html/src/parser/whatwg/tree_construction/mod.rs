//! Tree construction (section 13.2.6).

mod adoption;
mod characters;
mod depth;
mod dispatcher;
pub(super) mod foreign;
mod formatting;
mod insertion;
mod modes;
mod reset;
