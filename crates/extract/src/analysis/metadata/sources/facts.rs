//! What the sources of a page read.

use dehusk_html::tree::Dom;

use super::super::date::Reading;
use super::super::elements::MetadataElements;
use super::super::surroundings::Surroundings;
use crate::analysis::blocks::table::BlockTable;

/// What sources of the page read.
#[derive(Clone, Copy)]
pub(in crate::analysis::metadata) struct Facts<'p, 'd> {
    pub(in crate::analysis::metadata) dom: &'p Dom<'d>,
    pub(in crate::analysis::metadata) table: &'p BlockTable,
    pub(in crate::analysis::metadata) elements: &'p MetadataElements,
    pub(in crate::analysis::metadata) surroundings: &'p Surroundings,
    /// The address of the page.
    pub(in crate::analysis::metadata) url: Option<&'p str>,
    pub(in crate::analysis::metadata) reading: Reading<'p>,
}
