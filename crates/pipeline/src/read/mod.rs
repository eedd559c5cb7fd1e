//! Reading: inputs, their formats, the records in them, one pass over all records, and records that are read again.

pub(crate) mod address;
pub(crate) mod ahead;
pub(crate) mod asset_list;
pub(crate) mod catalog;
pub(crate) mod chunk;
pub(crate) mod columns;
pub(crate) mod compression;
pub(crate) mod entry;
pub mod format;
pub(crate) mod input;
pub(crate) mod input_folder;
pub(crate) mod input_state;
pub(crate) mod inputs;
pub(crate) mod kept_stream;
pub(crate) mod layouts;
pub(crate) mod lists;
pub(crate) mod mirror;
pub(crate) mod pass;
pub(crate) mod percent;
pub(crate) mod piece;
pub(crate) mod plain_text;
pub(crate) mod reader;
pub(crate) mod records;
pub(crate) mod reread;
pub(crate) mod rows;
pub(crate) mod walk;
