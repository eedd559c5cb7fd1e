//! Sources of metadata: each reads one part of the page and adds candidates.
//!
//! Those of the head come first ([`json_ld`], [`meta`], [`annotations`]), since their titles say which heading is the headline. The others read
//! the page as readers see it; they stand in [`ALL`], one file and one line each.

mod address;
pub(super) mod annotations;
pub(super) mod facts;
mod heading;
pub(super) mod json_ld;
mod licence_link;
pub(super) mod meta;
mod text;
mod time;

use facts::Facts;

use super::candidate::Candidates;

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
