//! Converts rows, given as lines of JSON, to arrays: one for each column of their file.

use std::borrow::Cow;
use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_schema::ArrowError;
use serde_json::value::RawValue;

use super::cells::Cells;
use super::columns::{EXTRA, FileColumn, our_columns};
use super::values::Values;
use crate::record::header::DOCUMENT_ID_FIELD;
use crate::record::{RowKind, json};

/// The values of some rows, by column.
pub(crate) struct ColumnValues {
    columns: Arc<[FileColumn]>,
    values: Vec<FileValues>,
    /// Whether each column has a value in any of the rows.
    used: Vec<bool>,
}

/// The values of a column.
enum FileValues {
    Ours(Values),
    Theirs(Cells),
}

impl FileValues {
    /// No values yet, for this column.
    fn new(column: &FileColumn) -> Self {
        match column {
            FileColumn::Ours(column) => FileValues::Ours(Values::new(column.of)),
            // `Carried` has only columns with a supported type.
            FileColumn::Theirs(field) => {
                FileValues::Theirs(Cells::new(field.data_type()).unwrap_or(Cells::Null(0)))
            }
        }
    }

    /// Appends the value of a field. Returns `false`, and appends nothing, if it is not of the type of the
    /// column.
    fn add(&mut self, column: &FileColumn, value: &RawValue) -> bool {
        match (self, column) {
            (FileValues::Ours(values), FileColumn::Ours(column)) => values.add(column.of, value),
            (FileValues::Theirs(cells), _) => cells.add(value),
            (FileValues::Ours(_), _) => false,
        }
    }

    /// Appends a null.
    fn add_null(&mut self) {
        match self {
            FileValues::Ours(values) => values.add_null(),
            FileValues::Theirs(cells) => cells.add_null(),
        }
    }
}

/// Names and values of the members of an object.
type Members<'l> = Vec<(Cow<'l, str>, &'l RawValue)>;

impl ColumnValues {
    /// No rows yet, with these columns.
    pub(super) fn new(columns: Arc<[FileColumn]>) -> Self {
        ColumnValues {
            values: columns.iter().map(FileValues::new).collect(),
            used: vec![false; columns.len()],
            columns,
        }
    }

    /// No rows yet, with our columns of rows of this kind.
    pub(crate) fn of_kind(kind: RowKind) -> Self {
        ColumnValues::new(our_columns(kind))
    }

    /// Whether each column has a value, in the order of the columns.
    pub(super) fn used(&self) -> &[bool] {
        &self.used
    }

    /// The arrays, in the order of the columns.
    pub(crate) fn finish(self) -> Result<Vec<ArrayRef>, ArrowError> {
        let columns = self.columns.iter().zip(self.values);
        columns
            .map(|(column, values)| match (values, column) {
                (FileValues::Ours(values), FileColumn::Ours(column)) => values.finish(column.of),
                (FileValues::Theirs(cells), _) => cells.finish(),
                (FileValues::Ours(_), _) => Err(ArrowError::SchemaError("columns are mixed up".to_owned())),
            })
            .collect()
    }

    /// Index of the column of this name.
    fn place(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name() == name)
    }

    /// Whether the column with this index is one of the user's tables.
    fn is_theirs(&self, place: usize) -> bool {
        matches!(self.columns[place], FileColumn::Theirs(_))
    }

    /// Adds the row of a line. Fields without a column, or of another type than their column, go to the column `extra`.
    pub(crate) fn add(&mut self, line: &[u8]) -> Result<(), String> {
        let fields = json::fields(line.trim_ascii_end()).map_err(|rejection| rejection.message)?;
        // The value of each column in this row. Of repeated fields, the last one counts.
        let mut found: Vec<Option<&RawValue>> = vec![None; self.columns.len()];
        let (mut others, mut extra): (Members<'_>, Option<&RawValue>) = (Vec::new(), None);
        let for_others = self.columns.iter().position(FileColumn::is_for_others);
        for (name, value) in fields {
            match self.place(&name) {
                _ if value.get() == "null" => {}
                Some(place) if Some(place) == for_others => extra = Some(value),
                Some(place) => found[place] = Some(value),
                None => others.push((name, value)),
            }
        }
        // Members of `extra` that are left: those with columns of their own in the user's tables are moved
        // to these columns.
        let mut rest: Option<Members<'_>> = None;
        if self
            .columns
            .iter()
            .any(|column| matches!(column, FileColumn::Theirs(_)))
            && let Some(Ok(members)) = extra.map(|extra| json::fields(extra.get().as_bytes()))
        {
            let mut left = Vec::new();
            for (name, value) in members {
                match self
                    .place(&name)
                    .filter(|place| self.is_theirs(*place) && found[*place].is_none())
                {
                    Some(_) if value.get() == "null" => {}
                    Some(place) => found[place] = Some(value),
                    None => left.push((name, value)),
                }
            }
            rest = Some(left);
        }
        let (typed, text): (Option<Box<RawValue>>, Option<Box<RawValue>>);
        if let Some(place) = self.place("id")
            && let Some(value) = found[place]
            && let FileValues::Theirs(cells) = &mut self.values[place]
            && !cells.fits(value)
        {
            // Ids of documents made of pages are texts, even if the ids in the user's table are numbers:
            // `"7"` becomes 7 in a column of numbers.
            let id = json::scalar_text(value).unwrap_or_default();
            let number = RawValue::from_string(id.clone().into_owned()).ok();
            typed = number.filter(|number| cells.fits(number));
            text = serde_json::value::to_raw_value(&id).ok();
            found[place] = typed.as_deref();
            if found[place].is_none()
                && let Some(place) = self.place(DOCUMENT_ID_FIELD)
            {
                found[place] = text.as_deref();
            }
        }
        // From here on, every column gets exactly one value or null, so that all arrays have equal lengths.
        for (place, (column, values)) in self.columns.iter().zip(&mut self.values).enumerate() {
            match found[place].filter(|_| Some(place) != for_others) {
                Some(value) if values.add(column, value) => {
                    self.used[place] = true;
                    continue;
                }
                // A value of another type is not lost: it goes to the column for other fields.
                Some(value) => others.push((Cow::Owned(column.name().to_owned()), value)),
                None if Some(place) == for_others => continue,
                None => {}
            }
            values.add_null();
        }
        match for_others {
            Some(place) => self.add_extra(place, extra, rest, others),
            None if others.is_empty() => Ok(()),
            None => Err(format!(
                "a row has a field `{}`, which has no column",
                others[0].0
            )),
        }
    }

    /// Adds the field `extra` of a row together with `others`, which have no column. `rest` has the
    /// remaining members of `extra` if some were moved to columns; else it is `None`.
    fn add_extra(
        &mut self,
        place: usize,
        given: Option<&RawValue>,
        rest: Option<Members<'_>>,
        others: Members<'_>,
    ) -> Result<(), String> {
        let (column, values) = (&self.columns[place], &mut self.values[place]);
        if others.is_empty() && rest.is_none() {
            match given {
                Some(given) => self.used[place] |= values.add(column, given),
                None => values.add_null(),
            }
            return Ok(());
        }
        let mut members = match (rest, given) {
            (Some(rest), _) => rest,
            (None, None) => Vec::new(),
            (None, Some(given)) => match json::fields(given.get().as_bytes()) {
                Ok(fields) => fields,
                // A field `extra` that is not an object becomes a member of the new object.
                Err(_) => vec![(Cow::Borrowed(EXTRA), given)],
            },
        };
        members.extend(others);
        if members.is_empty() {
            values.add_null();
            return Ok(());
        }
        let object = json::object_of(&members);
        let object = RawValue::from_string(object).map_err(|error| error.to_string())?;
        self.used[place] |= values.add(column, &object);
        Ok(())
    }
}
