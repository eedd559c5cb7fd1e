//! Measurements taken once per page.

pub mod address;
pub mod blocks;
pub(crate) mod json;
pub(crate) mod key_numbers;
pub(crate) mod language;
pub mod metadata;
pub(crate) mod noscript;
pub(crate) mod shadow;
pub(crate) mod streamed;
pub(crate) mod table_parts;
pub(crate) mod tables;
pub(crate) mod visible;
pub(crate) mod word_lists;
