//! The columns of each kind of row: the one place that says what a field of a row is in a table.
//!
//! Names are those of the fields of JSON rows, and a value that a row does not have is null. A test compares both.

use std::sync::Arc;

use arrow_schema::{DataType, Field, Fields, Schema};

use crate::record::RowKind;

/// What a column holds.
#[derive(Clone, Copy, Debug)]
pub(super) enum Type {
    Text,
    /// Any value, as the text of its JSON: what is nested without a bound, or unknown to us.
    Json,
    Bool,
    Integer,
    Real,
    /// A day, which JSON has as `YYYY-MM-DD`.
    Date,
    List(&'static Type),
    Struct(&'static [Column]),
    /// Values of one type by name.
    Map(&'static Type),
}

/// A column, or a member of a struct.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    pub(super) name: &'static str,
    pub(super) of: Type,
}

const fn text(name: &'static str) -> Column {
    column(name, Type::Text)
}

const fn integer(name: &'static str) -> Column {
    column(name, Type::Integer)
}

const fn column(name: &'static str, of: Type) -> Column {
    Column { name, of }
}

/// The column for fields that have none of their own.
pub(super) const EXTRA: &str = "extra";

/// `date` is a text: the date that came with a page stays as it was given, be it a year or a time of day.
const DOCUMENT: &[Column] = &[
    text("id"),
    text("url"),
    text("text"),
    text("title"),
    text("author"),
    text("date"),
    text("language"),
    text("site_name"),
    text("description"),
    column("modified", Type::Date),
    text("canonical_url"),
    text("image"),
    column("tags", Type::List(&Type::Text)),
    text("kind"),
    text("charset"),
    text("method"),
    column("confidence", Type::Real),
    integer("kept_chars"),
    integer("all_chars"),
    column("warnings", Type::List(&Type::Struct(WARNING))),
    text("markdown"),
    text("html"),
    column("content", Type::Json),
    column("tables", Type::List(&Type::Struct(TABLE))),
    column("comments", Type::List(&Type::Struct(COMMENT))),
    column("blocks", Type::List(&Type::Struct(BLOCK))),
    integer("us"),
    column("popularity", Type::Real),
    column(EXTRA, Type::Json),
];

const WARNING: &[Column] = &[text("code"), text("message")];

const TABLE: &[Column] = &[
    text("caption"),
    column(
        "rows",
        Type::List(&Type::Struct(&[column("cells", Type::List(&Type::Struct(CELL)))])),
    ),
];

const CELL: &[Column] = &[
    text("text"),
    column("header", Type::Bool),
    integer("colspan"),
    integer("rowspan"),
    column("elements", Type::Json),
];

const COMMENT: &[Column] = &[
    text("author"),
    column("date", Type::Date),
    integer("depth"),
    text("text"),
];

const BLOCK: &[Column] = &[
    integer("i"),
    text("kind"),
    text("path"),
    integer("start"),
    integer("end"),
    text("text"),
    column("kept", Type::Bool),
    text("reason"),
    column("scores", Type::Map(&Type::Real)),
    column("votes", Type::Map(&Type::Bool)),
];

const NORMALIZED: &[Column] = &[
    text("id"),
    text("text"),
    column("tokens", Type::List(&Type::Text)),
    column("offsets", Type::List(&Type::List(&Type::Integer))),
    column("sentences", Type::List(&Type::Struct(SENTENCE))),
];

const SENTENCE: &[Column] = &[integer("start"), integer("end"), text("text")];

const SIGNATURE: &[Column] = &[text("id"), text("signature")];

const PAIR: &[Column] = &[
    text("a"),
    text("b"),
    column("similarity", Type::Real),
    column("estimate", Type::Real),
    text("method"),
    integer("link"),
];

const DECISION: &[Column] = &[
    text("id"),
    text("cluster"),
    text("representative"),
    column("kept", Type::Bool),
    text("reason"),
];

const MATCH: &[Column] = &[
    text("a"),
    text("b"),
    column("similarity", Type::Real),
    column("estimate", Type::Real),
    integer("shared_shingles"),
    text("method"),
];

const REJECTED: &[Column] = &[
    text("input"),
    integer("offset"),
    integer("plain_offset"),
    text("record"),
    text("id"),
    text("url"),
    text("reason"),
    text("message"),
];

/// The columns of rows of this kind; of kinds that are not written, none.
pub(super) fn columns(kind: RowKind) -> &'static [Column] {
    match kind {
        RowKind::Document => DOCUMENT,
        RowKind::Normalized => NORMALIZED,
        RowKind::Signature => SIGNATURE,
        RowKind::Pair => PAIR,
        RowKind::Decision => DECISION,
        RowKind::Match => MATCH,
        RowKind::Rejected => REJECTED,
        RowKind::Failure | RowKind::Matches | RowKind::SiteText => &[],
    }
}

/// The same for Arrow. Every value may be missing.
pub(super) fn schema(columns: &[Column]) -> Schema {
    Schema::new(fields(columns))
}

pub(super) fn fields(columns: &[Column]) -> Fields {
    let field = |column: &Column| Field::new(column.name, data_type(column.of), true);
    columns.iter().map(field).collect()
}

/// Lists and maps name their parts as the Parquet format does.
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

pub(super) fn element(item: Type) -> Arc<Field> {
    Arc::new(Field::new("element", data_type(item), true))
}

pub(super) fn entries(value: Type) -> Arc<Field> {
    Arc::new(Field::new("key_value", DataType::Struct(entry(value)), false))
}

pub(super) fn entry(value: Type) -> Fields {
    Fields::from(vec![
        Field::new("key", DataType::Utf8, false),
        Field::new("value", data_type(value), true),
    ])
}
