//! Whole archives: intact, cut into pieces, broken, and made to be large.

mod arc;
mod bombs;
mod broken;
mod build;
mod damage;
mod intact;
