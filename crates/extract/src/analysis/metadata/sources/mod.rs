//! Sources of metadata: each reads one part of the page and adds candidates.
//!
//! Those of the head come first ([`json_ld`], [`meta`], [`annotations`]), since their titles say which heading is the headline. The others read
//! the page as readers see it; they stand in [`ALL`], one file and one line each.

mod address;
pub(super) mod annotations;
mod heading;
pub(super) mod json_ld;
mod licence_link;
pub(super) mod meta;
mod text;
mod time;

use dehusk_html::tree::Dom;

use super::candidate::Candidates;
use super::date::Reading;
use super::elements::MetadataElements;
use super::surroundings::Surroundings;
use crate::analysis::blocks::table::BlockTable;

/// What sources of the page read.
#[derive(Clone, Copy)]
pub(super) struct Facts<'p, 'd> {
    pub(super) dom: &'p Dom<'d>,
    pub(super) table: &'p BlockTable,
    pub(super) elements: &'p MetadataElements,
    pub(super) surroundings: &'p Surroundings,
    /// The address of the page.
    pub(super) url: Option<&'p str>,
    pub(super) reading: Reading<'p>,
}

/// A source: adds what it finds.
type Source = fn(&Facts<'_, '_>, &mut Candidates);

/// Sources that read the page. Their order decides between candidates of the same confidence.
pub(super) const ALL: &[Source] = &[
    heading::headline,
    time::times,
    text::dates,
    text::bylines,
    address::dates,
    licence_link::licences,
];
