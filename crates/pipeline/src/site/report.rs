//! Templates in the report of a run: how often the templates of each site were used, and the parts that they cut most.

use std::cmp::Reverse;

use dehusk_extract::site::Template;

use crate::error::Error;
use crate::site::store::Store;
use crate::site::usage::{SiteTally, SiteUsage};
use crate::write::report::run::data::{CUTS, CutRow, SITES, SiteRow, SiteRows};

/// Rows of the sites whose templates were tried, by descending number of pages, then by address. Further
/// sites are only counted.
///
/// # Errors
/// If a learnt template cannot be read.
pub(crate) fn rows(store: &Store, tally: &SiteTally) -> Result<SiteRows, Error> {
    // The map is ordered by address and the sort is stable, hence the second key.
    let mut sites: Vec<_> = tally.sites().iter().collect();
    sites.sort_by_key(|(_, usage)| Reverse(usage.fired + usage.unknown));
    let row = |(site, usage): &(&String, &SiteUsage)| {
        let templates = store.of_site(site)?;
        Ok(SiteRow {
            site: (*site).clone(),
            layouts: templates.len() as u64,
            fired: usage.fired,
            unknown: usage.unknown,
            cuts: cuts(&templates, usage),
        })
    };
    Ok(SiteRows {
        rows: sites.iter().take(SITES).map(row).collect::<Result<_, Error>>()?,
        more: sites.len().saturating_sub(SITES) as u64,
    })
}

/// The [`CUTS`] parts of a site with the most words cut.
fn cuts(templates: &[Template], usage: &SiteUsage) -> Vec<CutRow> {
    let mut removed: Vec<_> = usage.removed.iter().collect();
    removed.sort_by_key(|(part, removed)| (Reverse((removed.words, removed.pages)), **part));
    let mut cuts = Vec::new();
    // Numbers of parts come from page processes. Parts that no template has are skipped.
    for ((layout, number), removed) in removed {
        let Some(template) = templates.iter().find(|t| t.origin.layout == *layout) else {
            continue;
        };
        let parts = template.parts();
        let Some(part) = parts.get(*number) else { continue };
        let repeated = part.lines.first().map(|(line, _)| *line);
        let example = repeated.or(Some(part.example).filter(|example| !example.is_empty()));
        cuts.push(CutRow {
            part: part.path.clone(),
            reason: removed.reason.clone(),
            pages: removed.pages,
            words: removed.words,
            example: example.map(str::to_owned),
        });
        if cuts.len() == CUTS {
            break;
        }
    }
    cuts
}
