//! Pages to documents, documents to tokens and facts: functions of their input, without threads or output files.

pub(crate) mod document_table;
pub(crate) mod extract;
pub(crate) mod tokens;
