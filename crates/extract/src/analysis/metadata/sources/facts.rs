//! The input of the sources of a page.

use dehusk_html::tree::Dom;

use super::super::date::Reading;
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
}
