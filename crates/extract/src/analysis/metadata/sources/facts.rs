//! The input of the sources of a page.

use dehusk_html::tree::Dom;

use super::super::date::{self, Reading};
use super::super::elements::MetadataElements;
use super::super::surroundings::Surroundings;
use crate::analysis::blocks::table::BlockTable;

/// The input of the sources that read the page.
#[derive(Clone, Copy)]
pub(in crate::analysis::metadata) struct Facts<'p, 'd> {
    pub(in crate::analysis::metadata) dom: &'p Dom<'d>,
    pub(in crate::analysis::metadata) table: &'p BlockTable,
    pub(in crate::analysis::metadata) elements: &'p MetadataElements,
    pub(in crate::analysis::metadata) surroundings: &'p Surroundings,
    /// The address of the page, if it is known.
    pub(in crate::analysis::metadata) url: Option<&'p str>,
    pub(in crate::analysis::metadata) reading: Reading<'p>,
    pub(in crate::analysis::metadata) received: &'p Received,
    /// The titles that the head of the page states.
    pub(in crate::analysis::metadata) titles: &'p [&'p str],
}

/// Dates that came with the page, outside of it, as ISO 8601 writes them.
#[derive(Clone, Debug, Default)]
pub(in crate::analysis::metadata) struct Received {
    /// When the page was fetched.
    pub(in crate::analysis::metadata) captured: Option<String>,
    /// The HTTP header `Last-Modified`.
    pub(in crate::analysis::metadata) last_modified: Option<String>,
}

impl Received {
    /// Reads both dates; a text that does not name a day counts as missing.
    pub(in crate::analysis::metadata) fn of(captured: Option<&str>, last_modified: Option<&str>) -> Received {
        let read = |text: Option<&str>| {
            let stamp = date::stamp(text?, Reading::default())?;
            date::day_number(&stamp).map(|_| stamp)
        };
        Received {
            captured: read(captured),
            last_modified: read(last_modified),
        }
    }
}
