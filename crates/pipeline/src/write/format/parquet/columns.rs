//! The columns of each kind of row. The type of each field in a table is defined only here.
//!
//! Column names are the names of the fields of JSON rows, and a missing value is null. A test compares the two.

use std::sync::Arc;

use arrow_schema::{DataType, Field, FieldRef, Fields, Schema};

use crate::record::RowKind;
use crate::record::header::DOCUMENT_ID_FIELD;
use Type::{Bool, Date, Integer, Json, List, Map, Real, Struct, Text};

/// Type of a column.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Type {
    Text,
    /// Any value, as JSON text: for values that are nested without a bound or of unknown form.
    Json,
    Bool,
    Integer,
    Real,
    /// A day, in JSON `YYYY-MM-DD`.
    Date,
    List(&'static Type),
    Struct(&'static [Column]),
    /// Values of one type by key.
    Map(&'static Type),
}

/// A column, or a member of a struct.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    pub(super) name: &'static str,
    pub(super) of: Type,
}

/// Declares lists of columns, with their names and types.
macro_rules! columns {
    ($($(#[$doc:meta])* $list:ident { $($name:tt: $of:expr),+ $(,)? })+) => {$(
        $(#[$doc])*
        const $list: &[Column] = &[$(Column { name: $name, of: $of }),+];
    )+};
}

/// Name of the column for fields without a column of their own.
pub(super) const EXTRA: &str = "extra";
/// Name used instead of [`EXTRA`] if the user's tables have a column `extra`.
pub(super) const OTHER_FIELDS: &str = "other_fields";

/// A list of texts.
const TEXTS: Type = List(&Text);

columns! {
    /// `date` and `modified` are texts: they may be only a year, or have a time of day, and a date given with a page is kept unchanged.
    DOCUMENT {
        "id": Text, "url": Text, "url_source": Text, "text": Text, "title": Text, "author": Text, "authors": TEXTS, "date": Text,
        "date_precision": Text, "language": Text, "site_name": Text, "description": Text, "modified": Text, "canonical_url": Text, "image": Text, "tags": TEXTS,
        "categories": TEXTS, "publisher": Text, "licence": Text, "kind": Text,
        "metadata_sources": Map(&Text), "metadata_candidates": List(&Struct(CANDIDATE)), "structured": Json, "charset": Text, "method": Text,
        "confidence": Real, "kept_chars": Integer, "all_chars": Integer, "warnings": List(&Struct(WARNING)), "markdown": Text, "html": Text, "content": Json,
        "tables": List(&Struct(TABLE)), "comments": List(&Struct(COMMENT)), "blocks": List(&Struct(BLOCK)),
        "repeated_share": Real, "repetition": Struct(REPETITION), "repeated": List(&List(&Integer)), "cut": List(&List(&Integer)),
        "us": Integer, "source": Text, "offset": Integer, "plain_offset": Integer, "popularity": Real, "cluster_size": Integer, "copies": Integer, EXTRA: Json,
    }
    CANDIDATE {
        "field": Text, "values": TEXTS, "source": Text, "told": Text, "path": Text, "distance": Integer, "confidence": Real,
        "chosen": Bool,
    }
    WARNING { "code": Text, "message": Text }
    TABLE { "caption": Text, "rows": List(&Struct(TABLE_ROW)) }
    TABLE_ROW { "cells": List(&Struct(CELL)) }
    CELL { "text": Text, "header": Bool, "colspan": Integer, "rowspan": Integer, "elements": Json }
    COMMENT { "author": Text, "date": Date, "depth": Integer, "reply_to": Integer, "first": Bool, "text": Text }
    BLOCK {
        "i": Integer, "kind": Text, "class": Text, "path": Text, "start": Integer, "end": Integer, "text": Text, "kept": Bool,
        "reason": Text, "scores": Map(&Real), "votes": Map(&Bool),
    }
    NORMALIZED {
        "id": Text, "text": Text, "tokens": TEXTS, "offsets": List(&List(&Integer)), "sentences": List(&Struct(SENTENCE)),
    }
    SENTENCE { "start": Integer, "end": Integer, "text": Text }
    SIGNATURE { "id": Text, "signature": Text }
    PAIR { "a": Text, "b": Text, "similarity": Real, "estimate": Real, "method": Text, "contained": Text, "link": Integer }
    DECISION {
        "id": Text, "cluster": Text, "representative": Text, "similarity": Real, "cluster_size": Integer, "kept": Bool,
        "reason": Text,
    }
    MATCH {
        "a": Text, "b": Text, "similarity": Real, "estimate": Real, "shared_shingles": Integer, "method": Text,
        "contained": Text,
    }
    PASSAGE {
        "id": Text, "unit": Text, "text": Text, "tokens": Integer, "places": Integer, "documents": Integer, "hosts": Integer,
        "scope": Text, "document": Text, "start": Integer, "end": Integer, "within": Text, "known": Integer,
    }
    OCCURRENCE { "document": Text, "start": Integer, "end": Integer, "passage": Text }
    CONTAINED { "document": Text, "within": Text, "tokens": Integer, "share": Real }
    REPEATED {
        "id": Text, "chars": Integer, "repeated_share": Real, "repetition": Struct(REPETITION),
        "repeated": List(&List(&Integer)), "cut": List(&List(&Integer)), "kept": Bool, "reason": Text,
    }
    REPETITION {
        "duplicate_lines": Real, "duplicate_paragraphs": Real, "top_2_grams": Real, "top_3_grams": Real, "top_4_grams": Real,
        "duplicate_5_grams": Real, "duplicate_6_grams": Real, "duplicate_7_grams": Real, "duplicate_8_grams": Real,
        "duplicate_9_grams": Real, "duplicate_10_grams": Real,
    }
    ITEM_MATCH {
        "document": Text, "item": Text, "field": Text, "start": Integer, "end": Integer, "tokens": Integer, "share": Real,
    }
    ITEM { "id": Text, "field": Text, "tokens": Integer, "documents": Integer, "searched": Bool }
    REJECTED {
        "input": Text, "offset": Integer, "plain_offset": Integer, "record": Text, "id": Text, "url": Text, "reason": Text,
        "message": Text,
    }
}

/// Whether documents have a column of ours with this name.
pub(super) fn is_ours(name: &str) -> bool {
    DOCUMENT.iter().any(|column| column.name == name)
}

/// The column for document ids as texts. Used if the user's tables have ids of another type.
pub(super) const DOCUMENT_ID: Column = Column {
    name: DOCUMENT_ID_FIELD,
    of: Text,
};

/// Our columns that every file has, even if no row has a value for them.
const ALWAYS: &[&str] = &["id", "text"];

/// A column of a file.
#[derive(Clone, Debug)]
pub(crate) enum FileColumn {
    Ours(Column),
    /// A column of the user's tables, with its type.
    Theirs(FieldRef),
}

impl FileColumn {
    /// Name of the column.
    pub(crate) fn name(&self) -> &str {
        match self {
            FileColumn::Ours(column) => column.name,
            FileColumn::Theirs(field) => field.name(),
        }
    }

    /// The column in a schema. Every column may have nulls.
    pub(super) fn field(&self) -> FieldRef {
        match self {
            FileColumn::Ours(column) => Arc::new(Field::new(column.name, data_type(column.of), true)),
            FileColumn::Theirs(field) => Arc::clone(field),
        }
    }

    /// Whether it is the column for fields without a column of their own.
    pub(super) fn is_for_others(&self) -> bool {
        matches!(self, FileColumn::Ours(column) if [EXTRA, OTHER_FIELDS].contains(&column.name))
    }

    /// Whether the column is omitted from a file in which no row has a value for it.
    pub(super) fn is_left_out_empty(&self) -> bool {
        matches!(self, FileColumn::Ours(column) if !ALWAYS.contains(&column.name))
    }
}

/// The columns of rows of this kind; empty for kinds that are not written as tables.
pub(super) fn columns(kind: RowKind) -> &'static [Column] {
    match kind {
        RowKind::Document => DOCUMENT,
        RowKind::Normalized => NORMALIZED,
        RowKind::Signature => SIGNATURE,
        RowKind::Pair => PAIR,
        RowKind::Decision => DECISION,
        RowKind::Match => MATCH,
        RowKind::Passage => PASSAGE,
        RowKind::Occurrence => OCCURRENCE,
        RowKind::Contained => CONTAINED,
        RowKind::Repeated => REPEATED,
        RowKind::ItemMatch => ITEM_MATCH,
        RowKind::Item => ITEM,
        RowKind::Rejected => REJECTED,
        RowKind::Failure | RowKind::Layout | RowKind::Matches | RowKind::SiteText => &[],
    }
}

/// The schema of rows of this kind.
pub(crate) fn schema_of(kind: RowKind) -> Schema {
    Schema::new(fields(columns(kind)))
}

/// Our columns for rows of this kind.
pub(super) fn our_columns(kind: RowKind) -> Arc<[FileColumn]> {
    columns(kind).iter().copied().map(FileColumn::Ours).collect()
}

/// The fields of these columns in Arrow. Each may have nulls.
pub(super) fn fields(columns: &[Column]) -> Fields {
    let field = |column: &Column| Field::new(column.name, data_type(column.of), true);
    columns.iter().map(field).collect()
}

/// The Arrow type of a column. Parts of lists and maps have the names that the Parquet format specifies
/// (LogicalTypes.md, "Nested Types").
pub(super) fn data_type(of: Type) -> DataType {
    match of {
        Type::Text | Type::Json => DataType::Utf8,
        Type::Bool => DataType::Boolean,
        Type::Integer => DataType::Int64,
        Type::Real => DataType::Float64,
        Type::Date => DataType::Date32,
        Type::List(item) => DataType::List(element(*item)),
        Type::Struct(members) => DataType::Struct(fields(members)),
        Type::Map(value) => DataType::Map(entries(*value), false),
    }
}

/// The field of the items of a list.
pub(super) fn element(item: Type) -> Arc<Field> {
    Arc::new(Field::new("element", data_type(item), true))
}

/// The field of the entries of a map.
pub(super) fn entries(value: Type) -> Arc<Field> {
    Arc::new(Field::new("key_value", DataType::Struct(entry(value)), false))
}

/// The key and the value of an entry of a map. Keys are never null.
pub(super) fn entry(value: Type) -> Fields {
    Fields::from(vec![
        Field::new("key", DataType::Utf8, false),
        Field::new("value", data_type(value), true),
    ])
}
