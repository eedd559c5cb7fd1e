//! Parses one line as one record. Lines of strict JSON, which are by far the most frequent, are parsed in
//! place. Others are repaired first. The columns of the setting `column` are renamed.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use crate::read::chunk::{Found, Place};
use crate::read::columns::Columns;
use crate::record::mend::{LineNotes, MendedCount, MendedCounts, mend};
use crate::record::{DocumentRecord, PageRecord, Reason, Rejection, StringRoom, json};

/// Facts about the lines of all records of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct LineFacts {
    /// Number of repaired records and places, by kind of flaw: `invalid-utf8`, `lone-surrogate`,
    /// `control-character`, `nan`. These records were read and written nevertheless.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub mended: BTreeMap<&'static str, MendedCount>,
    /// Columns of the setting `column` that no record has, as `OURS=THEIRS`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing_columns: Vec<String>,
}

impl LineFacts {
    /// Adds counts of further repairs.
    pub(crate) fn add(&mut self, mended: &MendedCounts) {
        for (flaw, more) in mended.by_name() {
            let count = self.mended.entry(flaw).or_default();
            count.records += more.records;
            count.places += more.places;
        }
    }

    /// Returns the facts about `records` records that were read with these columns.
    pub(crate) fn of(columns: Option<&Columns>, notes: &LineNotes, records: u64) -> Self {
        let columns = columns.filter(|_| records > 0);
        LineFacts {
            mended: notes.mended.by_name(),
            missing_columns: columns.map_or_else(Vec::new, |columns| columns.missing(notes.columns)),
        }
    }
}

/// A parser of records from lines of strict JSON.
pub(crate) trait ReadLine {
    type Record<'l>;

    fn read<'l>(&self, line: &'l [u8], room: Option<&'l StringRoom>) -> Result<Self::Record<'l>, Rejection>;

    /// Parses the line in `place.raw` and visits the result. `cut` is set if the file may end within the line.
    fn visit<'v>(
        &self,
        (place, cut): (Place<'_>, bool),
        columns: &Columns,
        room: Option<&StringRoom>,
        visit: &'v mut dyn FnMut(Place<'_>, Found<Self::Record<'_>>),
    ) where
        Self: 'v,
    {
        let told = |rejection| Found::Rejected(tell_cut(rejection, cut));
        // The usual case: strict JSON without mapped columns is parsed in place.
        let refused = if columns.is_empty() {
            match self.read(place.raw, room) {
                Ok(record) => return visit(place, Found::Record(record)),
                Err(rejection) => rejection,
            }
        } else {
            match columns.renamed(place.raw) {
                Ok((line, found)) => {
                    let place = Place {
                        columns: place.columns | found,
                        ..place
                    };
                    // `renamed` accepts only strict JSON, so there is nothing to repair.
                    return visit(place, self.read(&line, None).map_or_else(told, Found::Record));
                }
                Err(rejection) => rejection,
            }
        };
        // Strict parsing failed: repair known flaws, and parse once more.
        let Some((line, mended)) = mend(place.raw) else {
            return visit(place, told(refused));
        };
        let place = Place {
            raw: &line,
            mended: place.mended.and(mended),
            ..place
        };
        let (renamed, found) = match columns.is_empty() {
            true => (Cow::Borrowed(&line), 0),
            false => match columns.renamed(&line) {
                Ok((renamed, found)) => (Cow::Owned(renamed), found),
                Err(rejection) => return visit(place, told(rejection)),
            },
        };
        let place = Place {
            columns: place.columns | found,
            ..place
        };
        visit(place, self.read(&renamed, None).map_or_else(told, Found::Record));
    }
}

/// Parser of pages.
pub(crate) struct Pages<'b> {
    /// Folder to which file names are relative; `None` is the current folder.
    pub(crate) base: Option<&'b Path>,
}

impl ReadLine for Pages<'_> {
    type Record<'l> = PageRecord<'l>;

    fn read<'l>(&self, line: &'l [u8], room: Option<&'l StringRoom>) -> Result<PageRecord<'l>, Rejection> {
        json::page(line, self.base, room)
    }
}

/// Parser of documents.
pub(crate) struct Documents;

impl ReadLine for Documents {
    type Record<'l> = DocumentRecord<'l>;

    fn read<'l>(
        &self,
        line: &'l [u8],
        room: Option<&'l StringRoom>,
    ) -> Result<DocumentRecord<'l>, Rejection> {
        json::document(line, room)
    }
}

/// Reports JSON that ends too early as truncated only at the end of the file, and as invalid elsewhere.
fn tell_cut(rejection: Rejection, cut: bool) -> Rejection {
    match rejection.reason {
        Reason::Truncated if !cut => Rejection {
            reason: Reason::BadJson,
            ..rejection
        },
        _ => rejection,
    }
}
