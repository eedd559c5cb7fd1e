//! The sections of the page, one file each.

mod duplicates;
mod extraction;
mod flow;
mod least_confident;
mod page;
mod run;
mod section;
mod warnings;

pub(super) use section::dropped;

use section::Section;

/// All sections, in the order of the page.
pub(super) static ALL: &[&Section] = &[
    &flow::SECTION,
    &extraction::SECTION,
    &duplicates::SECTION,
    &least_confident::SECTION,
    &warnings::SECTION,
    &run::SECTION,
];
