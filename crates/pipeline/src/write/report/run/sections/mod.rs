//! The sections of the page, one file each.

mod duplicates;
mod extraction;
mod flow;
mod inputs;
mod least_confident;
mod page;
mod passages;
mod run;
mod section;
mod sites;
mod warnings;

pub(super) use section::dropped;

use super::data::ReportData;
use section::Section;

/// The sections that have something to show, in the order of the page.
pub(super) fn shown(data: &ReportData) -> impl Iterator<Item = &'static Section> {
    ALL.iter().copied().filter(|section| (section.shown)(data))
}

/// All sections, in the order of the page.
static ALL: &[&Section] = &[
    &flow::SECTION,
    &inputs::SECTION,
    &extraction::SECTION,
    &sites::SECTION,
    &passages::SECTION,
    &duplicates::SECTION,
    &least_confident::SECTION,
    &warnings::SECTION,
    &run::SECTION,
];
