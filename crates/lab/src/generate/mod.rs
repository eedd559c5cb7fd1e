//! Generators of sets with known truth.
//!
//! All generators are deterministic: inputs, options and seed determine every byte, on every platform. Random choices
//! use integers only ([`Random`](crate::Random)).

mod archives;
mod edits;
mod habits;
mod hostile;
mod mutations;
mod passages;
mod records;
mod romip;
mod sentences;

pub use archives::{Archives, archives};
pub use hostile::{Parts, Stars, parts, stars};
pub use mutations::{Mutations, mutations};
pub use passages::{Passages, passages};
pub use records::{PROFILES, Profile, Records, records};
pub use romip::{Romip, romip};
pub use sentences::{Language, Pool};

#[cfg(test)]
mod tests;
