//! The parts of the page, one file each.

mod duplicates;
mod extraction;
mod flow;
mod page;
mod run;
mod section;
mod warnings;
mod weakest;

pub(super) use section::dropped;

use section::Section;

/// All parts, in the order of the page.
pub(super) static ALL: &[&Section] = &[
    &flow::SECTION,
    &extraction::SECTION,
    &duplicates::SECTION,
    &weakest::SECTION,
    &warnings::SECTION,
    &run::SECTION,
];
