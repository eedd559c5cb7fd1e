//! The documents among which passages are searched, and how they are read again.

use crate::kernel::document_table::DocumentTable;
use crate::read::reread::Reread;
use crate::search::passages::collector::CollectedFacts;

/// The documents among which passages are searched.
#[derive(Clone, Copy)]
pub(crate) struct Collection<'a> {
    pub(crate) table: &'a DocumentTable,
    pub(crate) reread: &'a Reread<'a>,
    pub(crate) facts: &'a CollectedFacts,
    /// Documents whose line has no id or another id than the table, ascending.
    pub(crate) to_name: &'a [u32],
    /// Field for their ids.
    pub(crate) id_field: &'a str,
    /// Field of the lines that is read as the text, if it is not `text`.
    pub(crate) text_column: Option<&'a str>,
}
