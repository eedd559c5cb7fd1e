//! Columns read from an index: position of each capture, its address, time, status and type, and the
//! columns of the condition.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;

use super::condition::Condition;
use super::names::{SAME, names};
use crate::error::Error;

/// Numbers of the columns read from every index.
pub(super) const FILE: usize = 0;
pub(super) const OFFSET: usize = 1;
pub(super) const LENGTH: usize = 2;
pub(super) const URL: usize = 3;
pub(super) const TIME: usize = 4;
pub(super) const STATUS: usize = 5;
pub(super) const TYPE: usize = 6;
const FIXED: usize = 7;

/// The columns that are read. Columns of the condition follow the fixed ones.
pub(super) struct Wanted<'a> {
    of_condition: &'a [String],
    /// The columns that a name may denote, each with the rank of the name among the names of the column; 0 is preferred.
    by_name: HashMap<&'a str, Vec<(usize, usize)>>,
    /// For each column of the condition, `true` if some row had it.
    pub(super) was_found: Vec<bool>,
    /// Columns of the last table, or of the first row with named members, for messages.
    pub(super) there: Vec<String>,
}

/// Values of a row by column number. `None` for missing values.
pub(super) type Values<'r> = Vec<Option<Cow<'r, str>>>;

impl<'a> Wanted<'a> {
    pub(super) fn new(condition: Option<&'a Condition>) -> Self {
        let of_condition = condition.map_or(&[][..], Condition::columns);
        let mut by_name: HashMap<&str, Vec<(usize, usize)>> = HashMap::new();
        let fixed = SAME.iter().take(FIXED).map(|same| same[0]);
        for (column, name) in fixed.chain(of_condition.iter().map(String::as_str)).enumerate() {
            for (rank, name) in names(name).enumerate() {
                // A condition may test a fixed column, so a name may denote two columns.
                by_name.entry(name).or_default().push((column, rank));
            }
        }
        Wanted {
            of_condition,
            by_name,
            was_found: vec![false; of_condition.len()],
            there: Vec::new(),
        }
    }

    /// Returns the number of columns.
    pub(super) fn len(&self) -> usize {
        FIXED + self.of_condition.len()
    }

    /// Returns the number of a column of the condition.
    pub(super) fn of_condition(column: usize) -> usize {
        FIXED + column
    }

    /// Returns the names that a column may have, the preferred one first.
    pub(super) fn names_of(&self, column: usize) -> impl Iterator<Item = &str> {
        let name = match column.checked_sub(FIXED) {
            Some(column) => &self.of_condition[column],
            None => SAME[column][0],
        };
        names(name)
    }

    /// Notes that an index has this column.
    pub(super) fn found(&mut self, column: usize) {
        if let Some(column) = column.checked_sub(FIXED) {
            self.was_found[column] = true;
        }
    }

    /// Returns the place of each wanted column among the columns of a table; `None` for columns that it lacks.
    pub(super) fn places(&mut self, table: &[String]) -> Vec<Option<usize>> {
        self.there = table.to_vec();
        let places: Vec<Option<usize>> = (0..self.len())
            .map(|column| {
                // The names are in the order of preference.
                self.names_of(column)
                    .find_map(|name| table.iter().position(|there| there == name))
            })
            .collect();
        for (column, _) in places.iter().enumerate().filter(|(_, place)| place.is_some()) {
            self.found(column);
        }
        places
    }

    /// Returns the values of named members, such as those of a JSON object.
    pub(super) fn of_members<'r>(
        &mut self,
        members: impl IntoIterator<Item = (impl AsRef<str>, Option<Cow<'r, str>>)>,
    ) -> Values<'r> {
        let mut values: Values<'r> = vec![None; self.len()];
        // Rank of the name that gave each value: a preferred name (lower rank) replaces another one.
        let mut ranks = vec![usize::MAX; self.len()];
        // The first row stands for all rows in messages.
        let is_first = self.there.is_empty();
        for (name, value) in members {
            let name = name.as_ref();
            if is_first {
                self.there.push(name.to_owned());
            }
            for (column, rank) in self.by_name.get(name).into_iter().flatten() {
                if *rank < ranks[*column] {
                    ranks[*column] = *rank;
                    values[*column].clone_from(&value);
                    if let Some(column) = column.checked_sub(FIXED) {
                        self.was_found[column] = true;
                    }
                }
            }
        }
        values
    }

    /// Returns the first column of the condition that no row had.
    pub(super) fn never_found(&self) -> Option<&str> {
        let missing = self.was_found.iter().position(|found| !found)?;
        Some(&self.of_condition[missing])
    }
}

/// Checks that a table has the columns that locate captures: file, offset and length.
pub(super) fn check_columns(name: &str, places: &[Option<usize>], wanted: &Wanted<'_>) -> Result<(), Error> {
    match [FILE, OFFSET, LENGTH]
        .into_iter()
        .find(|column| places[*column].is_none())
    {
        None => Ok(()),
        Some(column) => {
            let names: Vec<&str> = wanted.names_of(column).collect();
            let why = format!(
                "it has no column {}; its columns are {}",
                names.join(" or "),
                wanted.there.join(", ")
            );
            Err(no_index(name, &why))
        }
    }
}

/// Returns the error for a file that is not an index.
pub(super) fn no_index(name: &str, why: &str) -> Error {
    Error::usage(format!("`{name}` is no index of captures: {why}"))
        .with_path(Path::new(name))
        .with_option("index")
        .with_help(
            "indexes are CDXJ, CDX, ZipNum (cluster.idx), and tables in JSON Lines, CSV or Parquet, each with filename, offset and length",
        )
}
