//! Sources of metadata: each reads one part of the page and adds candidates.
//!
//! The sources of the head come first ([`json_ld`], [`meta`], [`annotations`]), since their titles identify
//! the headline. The other sources read the visible page; they are listed in [`ALL`], and each has its own
//! file.

mod address;
pub(super) mod annotations;
pub(super) mod facts;
mod heading;
pub(super) mod json_ld;
mod licence_link;
pub(super) mod meta;
mod received;
mod relative;
mod rule;
mod template;
pub(super) mod text;
mod time;

use facts::Facts;

use super::candidate::Candidates;
use super::page_fields::PageFields;

/// A source: adds the candidates that it finds.
type Source = fn(&Facts<'_, '_>, &mut Candidates);

/// Sources that read the page. Their order decides between candidates of the same confidence.
pub(super) const ALL: &[Source] = &[
    heading::headline,
    time::times,
    text::dates,
    text::bylines,
    relative::dates,
    address::dates,
    licence_link::licences,
    received::dates,
];

/// A source that needs the rules or the template of the site.
type SiteSource = fn(&PageFields, &mut Candidates);

/// Sources that need the rules or the template of the site. They are read after these have found the main text.
pub(super) const OF_SITE: &[SiteSource] = &[template::places, rule::values];
