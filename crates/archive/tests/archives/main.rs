//! Whole archives: intact, cut into pieces, broken, and made to be large.

#![allow(
    clippy::cast_possible_truncation,
    reason = "tests choose their numbers, which are small"
)]

mod arc;
mod bombs;
mod broken;
mod build;
mod damage;
mod intact;
