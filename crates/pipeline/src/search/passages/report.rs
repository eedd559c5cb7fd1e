//! What the report shows of passages: the most frequent ones, documents with their passages marked, and sites with passages of their own.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use dehusk_dedup::{FoundPassages, Passage};
use dehusk_html::narrow;

use crate::error::Error;
use crate::job::Job;
use crate::kernel::units::{UnitCutter, bytes_of};
use crate::read::reread::{DocumentLines, Pick};
use crate::search::passages::collection::Collection;
use crate::search::passages::making::Making;
use crate::search::passages::prove::ProvenPassages;
use crate::search::passages::rewrite::{SiteTally, Written, places_of};
use crate::search::passages::treatment::{Cuts, is_of_site};
use crate::write::report::run::data::{
    Count, PassageReport, PassageSeen, REPEATED_DOCUMENTS, REPEATING_SITES, RepeatedSeen, SEEN_HOSTS,
    SEEN_PASSAGES, SiteRepeats, TextPart,
};
use crate::write::report::run::stats::excerpt;
use crate::write::summary::PassageCounts;

/// Characters shown of a passage.
const TEXT_CHARS: usize = 300;
/// Characters shown at the beginning and at the end of a longer part of a document.
const PART_CHARS: usize = 160;
/// Parts shown of a document.
const PARTS: usize = 24;

/// The texts of a document that the report needs.
#[derive(Default)]
struct Wanted {
    /// Passages whose text is wanted.
    passages: Vec<u32>,
    /// Whether its parts are wanted.
    marked: bool,
}

/// The texts of a document, as a worker thread returns them.
struct Seen {
    document: u32,
    passages: Vec<(u32, String)>,
    parts: Vec<TextPart>,
    share: f64,
}

/// Makes the report, for which it reads a few documents again.
pub(crate) fn report(
    job: &Job<'_>,
    making: &Making,
    collection: Collection<'_>,
    passages: ProvenPassages<'_>,
    written: &Written,
    counts: &PassageCounts,
) -> Result<PassageReport, Error> {
    let found = passages.found;
    let mut frequent: Vec<u32> = (0..narrow::to_u32(found.passages.len())).collect();
    let rank = |number: &u32| {
        let passage = &found.passages[*number as usize];
        (
            Reverse((passage.documents, passage.hosts, passage.length)),
            *number,
        )
    };
    // A partial selection: there may be millions of passages, and few are shown.
    if frequent.len() > SEEN_PASSAGES {
        frequent.select_nth_unstable_by_key(SEEN_PASSAGES, rank);
        frequent.truncate(SEEN_PASSAGES);
    }
    frequent.sort_by_key(rank);
    // By number of repeated characters, then by name, since numbers of hosts depend on the order of
    // documents.
    let mut sites = written.sites.clone();
    sites.sort_by_key(|(host, site)| (Reverse(site.of_site), collection.facts.host(*host)));
    let more_sites = sites.len().saturating_sub(REPEATING_SITES) as u64;
    sites.truncate(REPEATING_SITES);
    let examples = examples(found, collection, &sites.iter().map(|(host, _)| *host).collect());

    // All texts that the report shows are gathered by document, so that the inputs are read once more and
    // not three times.
    let mut wanted: BTreeMap<u32, Wanted> = BTreeMap::new();
    for &number in frequent.iter().chain(examples.values()) {
        let document = found.passages[number as usize].document;
        wanted.entry(document).or_default().passages.push(number);
    }
    for document in sample(found) {
        wanted.entry(document).or_default().marked = true;
    }
    let (texts, documents) = read(job, making, collection, passages, &wanted)?;
    let text = |number: u32| texts.get(&number).cloned().unwrap_or_default();
    let by_host = hosts_of(found, collection, &frequent);
    let seen = frequent.iter().map(|number| {
        let Passage {
            length,
            documents,
            hosts,
            ..
        } = found.passages[*number as usize];
        PassageSeen {
            text: text(*number),
            tokens: length.into(),
            documents: documents.into(),
            hosts: hosts.into(),
            by_host: by_host.get(number).cloned().unwrap_or_default(),
        }
    });
    let site = |(host, tally): &(u32, SiteTally)| {
        let example = examples.get(host).copied();
        SiteRepeats {
            host: collection.facts.host(*host).to_owned(),
            documents: tally.documents,
            with: tally.with,
            chars: tally.chars,
            repeated_chars: tally.of_site,
            example: example.map(text).unwrap_or_default(),
            example_documents: example.map_or(0, |number| found.passages[number as usize].documents.into()),
        }
    };
    Ok(PassageReport {
        unit: making.unit_name(),
        cuts: making.cuts(),
        passages: counts.passages,
        places: counts.occurrences,
        documents: counts.documents,
        of_document: counts.of_document,
        of_host: counts.of_host,
        of_hosts: counts.of_hosts,
        of_unknown: counts.of_unknown,
        chars: counts.chars,
        repeated_chars: counts.repeated_chars,
        cut_chars: counts.cut_chars,
        site_chars: counts.site_chars,
        contained: counts.contained,
        shares: written.shares.to_vec(),
        most_frequent: seen.collect(),
        marked: documents,
        sites: sites.iter().map(site).collect(),
        more_sites,
    })
}

/// For each of these hosts, the passage of its own that most documents have.
fn examples(found: &FoundPassages, collection: Collection<'_>, hosts: &BTreeSet<u32>) -> BTreeMap<u32, u32> {
    let mut best: BTreeMap<u32, u32> = BTreeMap::new();
    let rank = |number: u32| {
        let passage = &found.passages[number as usize];
        (passage.documents, passage.length)
    };
    for (number, passage) in (0_u32..).zip(&found.passages) {
        let host = collection.facts.host_of(passage.document);
        if let Some(host) =
            host.filter(|host| is_of_site(passage.documents, passage.hosts) && hosts.contains(host))
        {
            let known = best.entry(host).or_insert(number);
            if rank(number) > rank(*known) {
                *known = number;
            }
        }
    }
    best
}

/// Documents with passages, at equal distances over the collection.
fn sample(found: &FoundPassages) -> Vec<u32> {
    let mut documents: Vec<u32> = found.occurrences.iter().map(|one| one.document).collect();
    documents.dedup();
    // Steps in floating point spread the sample to the end of the list. An integer step would leave out up
    // to half of it.
    let step = (documents.len() as f64 / REPEATED_DOCUMENTS as f64).max(1.0);
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the fraction of a place is dropped"
    )]
    let places = (0..REPEATED_DOCUMENTS).map(|number| (number as f64 * step) as usize);
    places.filter_map(|place| documents.get(place).copied()).collect()
}

/// For each of these passages, the hosts whose documents have most of its places outside of longer passages.
fn hosts_of(
    found: &FoundPassages,
    collection: Collection<'_>,
    passages: &[u32],
) -> BTreeMap<u32, Vec<Count>> {
    let mut counts: BTreeMap<u32, BTreeMap<u32, u64>> =
        passages.iter().map(|number| (*number, BTreeMap::new())).collect();
    for one in &found.occurrences {
        if let Some(counts) = counts.get_mut(&one.passage)
            && let Some(host) = collection.facts.host_of(one.document)
        {
            *counts.entry(host).or_default() += 1;
        }
    }
    let named = |counts: BTreeMap<u32, u64>| {
        let mut hosts: Vec<(u64, &str)> = counts
            .into_iter()
            .map(|(host, places)| (places, collection.facts.host(host)))
            .collect();
        hosts.sort_by_key(|(places, name)| (Reverse(*places), *name));
        hosts.truncate(SEEN_HOSTS);
        let named = hosts.into_iter().map(|(count, name)| Count {
            name: name.to_owned(),
            count,
        });
        named.collect()
    };
    counts
        .into_iter()
        .map(|(number, counts)| (number, named(counts)))
        .collect()
}

/// Texts of passages by number, and the documents with their parts.
type Texts = (BTreeMap<u32, String>, Vec<RepeatedSeen>);

/// Reads the texts that are wanted.
fn read(
    job: &Job<'_>,
    making: &Making,
    collection: Collection<'_>,
    proven: ProvenPassages<'_>,
    wanted: &BTreeMap<u32, Wanted>,
) -> Result<Texts, Error> {
    let found = proven.found;
    // Nothing after the last wanted document is read. An empty map wants nothing: `None < Some(_)` ends at
    // once.
    let last = wanted.keys().next_back().copied();
    let pick = |document| match (wanted.contains_key(&document), last < Some(document)) {
        (true, _) => Pick::Take,
        (_, true) => Pick::End,
        _ => Pick::Leave,
    };
    let work = |cutter: &mut UnitCutter, lines: DocumentLines| {
        let mut all = Vec::new();
        lines.each_record(&mut |document, record| {
            let Some(wanted) = wanted.get(&document) else {
                return Ok(());
            };
            let text: &str = &record.text;
            let pieces = cutter.pieces(text);
            let passages = wanted.passages.iter().map(|&number| {
                let passage = &found.passages[number as usize];
                let run = passage.start as usize..(passage.start + passage.length) as usize;
                let part = text.get(bytes_of(pieces.get(run).unwrap_or_default()));
                (number, excerpt(part.unwrap_or_default(), TEXT_CHARS))
            });
            let cuts = Cuts::of(
                making,
                cutter,
                text,
                places_of(proven, collection.facts, document),
            );
            let chars = |part: &str| part.chars().count() as f64;
            let shown: f64 = match making.cuts() {
                true => cuts.cut.iter(),
                false => cuts.repeated.iter(),
            }
            .filter_map(|range| text.get(range.clone()))
            .map(chars)
            .sum();
            all.push(Seen {
                document,
                passages: passages.collect(),
                parts: match wanted.marked {
                    true => parts(text, &cuts.repeated, &cuts.cut),
                    false => Vec::new(),
                },
                share: shown / chars(text).max(1.0),
            });
            Ok(())
        })?;
        Ok(all)
    };
    let (mut texts, mut documents) = (BTreeMap::new(), Vec::new());
    let take = |all: Vec<Seen>| {
        for seen in all {
            texts.extend(seen.passages);
            if !seen.parts.is_empty() {
                let url = collection.table.url(seen.document);
                documents.push(RepeatedSeen {
                    id: collection.table.id(seen.document).to_owned(),
                    url: Some(url).filter(|url| !url.is_empty()).map(str::to_owned),
                    share: seen.share,
                    parts: seen.parts,
                });
            }
        }
        Ok(())
    };
    collection
        .reread
        .each(&job.plan(), pick, || making.cutter(), work, take)?;
    Ok((texts, documents))
}

/// The parts of a text: plain, repeated, and cut. Long parts are shortened in their middle.
fn parts(text: &str, repeated: &[Range<usize>], cut: &[Range<usize>]) -> Vec<TextPart> {
    // Between two successive edges, a text is wholly inside or wholly outside of each range.
    let mut edges: BTreeSet<usize> = [0, text.len()].into();
    edges.extend(
        repeated
            .iter()
            .chain(cut)
            .flat_map(|range| [range.start, range.end]),
    );
    let edges: Vec<usize> = edges.into_iter().collect();
    let is_in = |ranges: &[Range<usize>], at: usize| {
        // Ranges ascend without overlaps, so only the first range that ends after `at` can contain it.
        let next = ranges.partition_point(|range| range.end <= at);
        ranges.get(next).is_some_and(|range| range.start <= at)
    };
    let mut parts: Vec<TextPart> = Vec::new();
    for pair in edges.windows(2) {
        let Some(part) = text.get(pair[0]..pair[1]) else {
            debug_assert!(false, "edges lie between characters of the text");
            continue;
        };
        if part.trim().is_empty() {
            continue;
        }
        if parts.len() == PARTS {
            break;
        }
        // Cut parts are repeated, too. The stronger mark is shown.
        let kind = match (is_in(cut, pair[0]), is_in(repeated, pair[0])) {
            (true, _) => "cut",
            (false, true) => "repeated",
            (false, false) => "",
        };
        parts.push(TextPart {
            kind: kind.to_owned(),
            text: shortened(part),
        });
    }
    parts
}

/// A part on one line, without its middle if it is long.
fn shortened(part: &str) -> String {
    let words: Vec<&str> = part.split_whitespace().collect();
    let line = words.join(" ");
    let count = line.chars().count();
    // 20 characters more than both ends: otherwise the mark for the gap would hide less than it takes.
    if count <= 2 * PART_CHARS + 20 {
        return line;
    }
    let start: String = line.chars().take(PART_CHARS).collect();
    let end: String = line.chars().skip(count - PART_CHARS).collect();
    format!("{start} […] {end}")
}
