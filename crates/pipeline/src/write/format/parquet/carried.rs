//! The columns of the user's tables, as described by their footers.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_schema::{DataType, Field, FieldRef};

use super::cells::Cells;
use super::columns::{Column, DOCUMENT_ID, EXTRA, FileColumn, OTHER_FIELDS, columns, is_ours};
use crate::read::chunk::Bounds;
use crate::read::columns::FIELDS;
use crate::read::format::parquet::table::Table;
use crate::read::inputs::{Inputs, RecordKind};
use crate::record::RowKind;
use crate::record::header::DOCUMENT_ID_FIELD;

/// Columns of the user's tables that output documents repeat.
#[derive(Clone, Debug)]
pub(crate) struct Carried {
    /// The columns with their types in Parquet.
    fields: Vec<FieldRef>,
    /// The columns with their types in Arrow memory.
    hints: Vec<FieldRef>,
}

impl Carried {
    /// The columns of all inputs that are tables, in the order of first occurrence. A column that has
    /// different types in several tables is not carried; its values go to `extra`. Returns `None` if no
    /// column is carried.
    pub(crate) fn of(inputs: &Inputs, kind: RecordKind) -> Option<Self> {
        let mut found: Vec<(FieldRef, FieldRef)> = Vec::new();
        // Columns by name: their index in `found`, or `None` for a column that is not carried.
        let mut numbers: HashMap<String, Option<usize>> = HashMap::new();
        for source in inputs.reader(Bounds::NONE, false).files() {
            let tables = source
                .path
                .as_deref()
                .filter(|_| source.format.name() == "parquet");
            let Some(table) = tables.and_then(|path| Table::open(path, &source.columns).ok()) else {
                continue;
            };
            for (field, hint) in table.columns_with_hints() {
                let name = field.name();
                let ours = is_ours(name);
                // The fields of a page become fields of its document. In a file of this program, our
                // columns keep our types.
                let is_taken = match kind {
                    RecordKind::Pages => {
                        name != "id" && (ours || FIELDS.contains(&name.as_str()))
                            || inputs.columns().iter().any(|(_, theirs)| theirs == name)
                    }
                    RecordKind::Documents => table.own && ours && name != "id",
                };
                let field = as_written(&field, kind);
                let is_ours = [OTHER_FIELDS, DOCUMENT_ID_FIELD].contains(&name.as_str())
                    || is_taken
                    || name == "id" && *field.data_type() == DataType::Utf8;
                // `Cells::new` also refuses types that are not supported, such as unions. Their values go
                // to `extra`.
                if is_ours || Cells::new(field.data_type()).is_none() {
                    continue;
                }
                match numbers.get(name) {
                    None => {
                        numbers.insert(name.clone(), Some(found.len()));
                        found.push((field, hint));
                    }
                    Some(Some(number)) if found[*number].0.data_type() == field.data_type() => {}
                    // A second type: the column stays known, so that a third table cannot bring it back.
                    Some(_) => drop(numbers.insert(name.clone(), None)),
                }
            }
        }
        found.retain(|(field, _)| numbers.get(field.name()).is_some_and(Option::is_some));
        let (fields, hints) = found.into_iter().unzip();
        let carried = Carried { fields, hints };
        (!carried.fields.is_empty()).then_some(carried)
    }

    /// The columns, with their types in Parquet.
    pub(crate) fn fields(&self) -> &[FieldRef] {
        &self.fields
    }

    /// The column of this name, with its type in Arrow memory.
    pub(crate) fn hint(&self, name: &str) -> Option<&FieldRef> {
        self.hints.iter().find(|hint| hint.name() == name)
    }

    /// Whether the tables have ids of a type other than text.
    pub(crate) fn has_other_ids(&self) -> bool {
        self.fields.iter().any(|field| field.name() == "id")
    }
}

/// The column as it is written: any value may be null. Our texts that a table stores as bytes become texts.
fn as_written(field: &Field, kind: RecordKind) -> FieldRef {
    let of = match field.data_type() {
        DataType::Binary | DataType::FixedSizeBinary(_)
            if kind == RecordKind::Documents && FIELDS.contains(&field.name().as_str()) =>
        {
            DataType::Utf8
        }
        of => nullable(of),
    };
    Arc::new(Field::new(field.name(), of, true))
}

/// The type with every part nullable, except keys of maps. Recursion is as deep as the types that are read,
/// whose depth is bounded.
fn nullable(of: &DataType) -> DataType {
    let part = |field: &FieldRef, nulls: bool| {
        let of = nullable(field.data_type());
        Arc::new(field.as_ref().clone().with_data_type(of).with_nullable(nulls))
    };
    match of {
        DataType::List(item) => DataType::List(part(item, true)),
        DataType::LargeList(item) => DataType::LargeList(part(item, true)),
        DataType::Struct(members) => {
            DataType::Struct(members.iter().map(|member| part(member, true)).collect())
        }
        DataType::Map(entries, sorted) => {
            let DataType::Struct(parts) = entries.data_type() else {
                return of.clone();
            };
            let parts = parts
                .iter()
                .enumerate()
                // The key is the first of the two fields.
                .map(|(number, field)| part(field, number > 0));
            let entries = entries
                .as_ref()
                .clone()
                .with_data_type(DataType::Struct(parts.collect()));
            DataType::Map(Arc::new(entries.with_nullable(false)), *sorted)
        }
        of => of.clone(),
    }
}

/// The columns of a file with rows of this kind: first the carried columns of the user's tables, then our own columns.
pub(crate) fn file_columns(kind: RowKind, carried: Option<&Carried>) -> Vec<FileColumn> {
    let carried = carried.filter(|_| kind == RowKind::Document);
    let theirs = carried.map_or(&[][..], Carried::fields);
    let has = |name: &str| theirs.iter().any(|field| field.name() == name);
    let mut all: Vec<FileColumn> = theirs.iter().cloned().map(FileColumn::Theirs).collect();
    if carried.is_some_and(Carried::has_other_ids) {
        all.push(FileColumn::Ours(DOCUMENT_ID));
    }
    let ours = columns(kind)
        .iter()
        .copied()
        .filter_map(|column| match has(column.name) {
            true if column.name == EXTRA => Some(Column {
                name: OTHER_FIELDS,
                ..column
            }),
            true => None,
            false => Some(column),
        });
    all.extend(ours.map(FileColumn::Ours));
    all
}
