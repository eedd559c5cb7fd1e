//! Whole archives: intact, cut into pieces, broken, and made to be large.

mod broken;
mod build;
mod intact;
