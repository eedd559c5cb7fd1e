//! What the report of a run tells of templates: for each site how often they answered, and what they cut most.

use std::cmp::Reverse;

use crate::site::store::Store;
use crate::site::usage::{SiteTally, SiteUsage};
use crate::write::report::run::data::{CUTS, CutRow, SITES, SiteRow, SiteRows};

/// A row for each site whose templates were asked, most pages first, then by address.
pub(crate) fn rows(store: &Store, tally: &SiteTally) -> SiteRows {
    let mut sites: Vec<_> = tally.sites().iter().collect();
    sites.sort_by_key(|(_, usage)| Reverse(usage.fired + usage.unknown));
    let row = |(site, usage): &(&String, &SiteUsage)| SiteRow {
        site: (*site).clone(),
        layouts: store.of_site(site).len() as u64,
        fired: usage.fired,
        unknown: usage.unknown,
        cuts: cuts(store, site, usage),
    };
    SiteRows {
        rows: sites.iter().take(SITES).map(row).collect(),
        more: sites.len().saturating_sub(SITES) as u64,
    }
}

/// The parts of a site that were cut most, by words.
fn cuts(store: &Store, site: &str, usage: &SiteUsage) -> Vec<CutRow> {
    let mut removed: Vec<_> = usage.removed.iter().collect();
    removed.sort_by_key(|(part, removed)| (Reverse((removed.words, removed.pages)), **part));
    let mut cuts = Vec::new();
    for ((layout, number), removed) in removed {
        let templates = store.of_site(site).iter();
        let Some(template) = templates.into_iter().find(|t| t.origin.layout == *layout) else {
            continue;
        };
        let parts = template.parts();
        let Some(part) = parts.get(*number) else { continue };
        // Which lines go of a part that is kept differs from page to page.
        let example = part.lines.first().filter(|_| !part.kept);
        cuts.push(CutRow {
            part: part.path.clone(),
            reason: removed.reason.clone(),
            pages: removed.pages,
            words: removed.words,
            example: example.map(|(line, _)| line.to_string()),
        });
        if cuts.len() == CUTS {
            break;
        }
    }
    cuts
}
