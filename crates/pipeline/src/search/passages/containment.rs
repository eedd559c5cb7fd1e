//! Documents that are contained in another document, found by the runs that both share.

use std::collections::BTreeMap;

use dehusk_dedup::FoundPassages;

use crate::error::Error;
use crate::record::document::round;
use crate::record::header::CONTAINED;
use crate::record::{ContainedRow, Row, RowKind};
use crate::search::passages::collection::Collection;
use crate::search::passages::collector::CollectedFacts;
use crate::search::passages::prove::Proven;
use crate::write::file::Finished;
use crate::write::row_folder::RowFolder;
use crate::write::summary::PassageCounts;

/// A document that lies mostly inside another document.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Containment {
    /// The document that is contained.
    pub(crate) document: u32,
    /// The document that contains it: longer, or earlier and of the same length.
    pub(crate) within: u32,
    /// Units of `document` that are certainly in `within`: a lower bound.
    pub(crate) units: u32,
    /// Their share of all units of `document`, above 0, up to 1.
    pub(crate) share: f64,
}

/// Returns the documents whose share inside another document is `least` or more, by document, then by descending share.
///
/// A passage names the two longest documents that have it. A document is compared only with documents that
/// its passages name. So the list is linear in the number of occurrences, and the share is a lower bound. A
/// document that is contained as a whole in a longer one is always found: it is a single run, and one of
/// the two longest documents that have it is another document.
pub(crate) fn contained(
    found: &FoundPassages,
    proven: &Proven,
    facts: &CollectedFacts,
    least: f64,
) -> Vec<Containment> {
    let mut all = Vec::new();
    // Occurrences are sorted by document, and `spans` has one entry for each, in the same order.
    let mut begin = 0;
    for occurrences in found.occurrences.chunk_by(|a, b| a.document == b.document) {
        let spans = &proven.spans[begin..begin + occurrences.len()];
        begin += occurrences.len();
        let document = occurrences[0].document;
        let length = facts.length(document);
        // By container: units so far, and the end of the last run, since runs may overlap.
        let mut shared: BTreeMap<u32, (u32, u32)> = BTreeMap::new();
        for (one, span) in occurrences.iter().zip(spans) {
            // An empty span marks a place whose text is not that of its passage.
            if span.0 == span.1 {
                continue;
            }
            let passage = &found.passages[one.passage as usize];
            let proven = proven.longest[one.passage as usize];
            let witnesses = passage
                .longest
                .iter()
                .zip(proven)
                .filter(|(_, is_equal)| *is_equal);
            let witnesses = witnesses.filter_map(|(place, _)| Some((*place)?.0));
            for other in witnesses.filter(|other| *other != document) {
                // Occurrences ascend by start, so subtracting the part before `end` counts no unit twice.
                let (units, end) = shared.entry(other).or_default();
                *units += one.end.saturating_sub(one.start.max(*end));
                *end = one.end.max(*end);
            }
        }
        let from = all.len();
        for (within, (units, _)) in shared {
            let share = f64::from(units) / f64::from(length.max(1));
            // Documents of an index were there before the others.
            let is_before = facts.known_id(within).is_some() || within < document;
            // A strict order by length, then age: two equal documents never contain each other both ways.
            let is_larger = (facts.length(within), is_before) > (length, false);
            if share >= least && is_larger {
                all.push(Containment {
                    document,
                    within,
                    units,
                    share: round(share),
                });
            }
        }
        all[from..].sort_by(|a, b| b.units.cmp(&a.units).then(a.within.cmp(&b.within)));
    }
    all
}

/// Writes a row for each document and each document that contains it.
pub(crate) fn write_contained(
    folder: &RowFolder,
    collection: Collection<'_>,
    all: &[Containment],
    counts: &mut PassageCounts,
) -> Result<Vec<Finished>, Error> {
    let mut rows = folder.rows(CONTAINED, RowKind::Contained)?;
    for one in all {
        rows.row(Row::Contained(&ContainedRow {
            document: collection.table.id(one.document),
            within: collection
                .facts
                .known_id(one.within)
                .unwrap_or_else(|| collection.table.id(one.within)),
            tokens: one.units,
            share: one.share,
        }))?;
    }
    counts.contained = all.chunk_by(|a, b| a.document == b.document).count() as u64;
    rows.finish_files()
}

/// Returns the documents that are removed because another document contains them, each with that document,
/// in ascending order. The containing documents stay. `stays` is true for documents that are otherwise
/// kept, and `may_go` for documents that may be removed.
///
/// Longer documents are decided first. So a container is decided before the documents inside it, and the
/// tokens of each removed document are in a document that stays.
pub(crate) fn settled(
    all: &[Containment],
    facts: &CollectedFacts,
    stays: impl Fn(u32) -> bool,
    may_go: impl Fn(u32) -> bool,
) -> Vec<(u32, u32)> {
    let mut groups: Vec<&[Containment]> = all.chunk_by(|a, b| a.document == b.document).collect();
    groups.sort_by_key(|group| {
        let document = group[0].document;
        (std::cmp::Reverse(facts.length(document)), document)
    });
    let mut gone: BTreeMap<u32, u32> = BTreeMap::new();
    for group in groups {
        let document = group[0].document;
        if !stays(document) || !may_go(document) {
            continue;
        }
        let mut within = group.iter().map(|one| one.within);
        // Documents of an index always stay. Within a group, containers come by descending share.
        if let Some(container) = within
            .find(|other| facts.known_id(*other).is_some() || stays(*other) && !gone.contains_key(other))
        {
            gone.insert(document, container);
        }
    }
    gone.into_iter().collect()
}
