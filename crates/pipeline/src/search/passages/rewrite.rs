//! Reads documents again, and cuts passages from their texts.

use std::collections::BTreeMap;

use crate::error::Error;
use crate::exec::progress::Total;
use crate::job::Job;
use crate::kernel::units::UnitCutter;
use crate::read::reread::{DocumentLines, Pick};
use crate::record::json;
use crate::record::mend::MendedCounts;
use crate::search::passages::collection::Collection;
use crate::search::passages::collector::CollectedFacts;
use crate::search::passages::making::Making;
use crate::search::passages::prove::ProvenPassages;
use crate::search::passages::treatment::{PlaceInText, Treatment, is_of_site};
use crate::settings::Repeat;
use crate::write::summary::PassageCounts;

/// A document that is read again, with the decision on it.
pub(crate) struct Rewritten<'t> {
    pub(crate) document: u32,
    /// The line of the input.
    pub(crate) line: &'t [u8],
    pub(crate) text: &'t str,
    pub(crate) treatment: Treatment,
}

/// A document that is read again.
#[derive(Clone, Copy)]
struct LineOfDocument<'t> {
    number: u32,
    line: &'t [u8],
    text: &'t str,
}

impl<'t> Rewritten<'t> {
    /// Treats the passages of a document by the options.
    fn of(
        making: &Making,
        cutter: &UnitCutter,
        document: LineOfDocument<'t>,
        passages: ProvenPassages<'_>,
        facts: &CollectedFacts,
    ) -> Self {
        let LineOfDocument { number, line, text } = document;
        let places = places_of(passages, facts, number);
        Rewritten {
            document: number,
            line,
            text,
            treatment: Treatment::of(making, cutter, text, places),
        }
    }

    /// The line of the input with the text that is left. Its id is added or replaced if the table has
    /// another one.
    pub(crate) fn line_of_rest(&self, making: &Making, collection: Collection<'_>) -> Vec<u8> {
        let mut line = self.line.to_vec();
        if let Some(rest) = &self.treatment.rest {
            // A text in a nested field stays there, and the remaining text becomes the field `text`. Only a
            // column of the top level can be replaced.
            let has =
                |name: &&str| json::fields(&line).is_ok_and(|all| all.iter().any(|(field, _)| field == name));
            let field = collection.text_column.filter(has).unwrap_or("text");
            line = json::with_text(&line, field, rest);
        }
        if making.repeat == Repeat::Mark {
            line = json::with_values(&line, &[("repeated", serde_json::json!(self.treatment.repeated))]);
        }
        // `to_name` ascends.
        if collection.to_name.binary_search(&self.document).is_ok() {
            line = json::with_text(&line, collection.id_field, collection.table.id(self.document));
        }
        line
    }
}

/// Number of bins of [`Written::shares`].
pub(crate) const SHARE_BINS: usize = 20;

/// Result of [`rewrite`].
#[derive(Default)]
pub(crate) struct Written {
    /// Documents that go, ascending.
    pub(crate) gone: Vec<u32>,
    /// Flaws that were mended in columns not read before.
    pub(crate) late: MendedCounts,
    /// Hosts with passages of their own, by number.
    pub(crate) sites: Vec<(u32, SiteTally)>,
    /// Documents with passages, by the share of characters that is cut from them, or repeated if nothing is cut.
    pub(crate) shares: [u64; SHARE_BINS],
}

/// Counts of a host.
#[derive(Clone, Copy, Default)]
pub(crate) struct SiteTally {
    pub(crate) documents: u64,
    /// Documents with a passage of the site.
    pub(crate) with: u64,
    /// Characters of all documents.
    pub(crate) chars: u64,
    /// Characters in passages of the site.
    pub(crate) of_site: u64,
}

/// The decision on a document, and its numbers of characters: all, repeated, cut, and in passages of its
/// site.
struct Fate {
    document: u32,
    stays: bool,
    chars: u64,
    repeated: u64,
    cut: u64,
    of_site: u64,
}

/// The stages that worker threads run on rewritten documents.
pub(crate) struct Stages<N, E, D> {
    /// Makes the state of a thread.
    pub(crate) new: N,
    /// Processes a document.
    pub(crate) each: E,
    /// Returns the result for the documents of a chunk.
    pub(crate) done: D,
}

/// Reads all documents again, cuts their passages, and hands each to the stages on a worker thread. `take`
/// receives the results of successive chunks, in order.
pub(crate) fn rewrite<W, R: Send>(
    job: &Job<'_>,
    making: &Making,
    collection: Collection<'_>,
    passages: ProvenPassages<'_>,
    counts: &mut PassageCounts,
    stages: Stages<
        impl Fn() -> W + Sync,
        impl Fn(&mut W, &Rewritten<'_>) + Sync,
        impl Fn(&mut W) -> R + Sync,
    >,
    mut take: impl FnMut(R) -> Result<(), Error>,
) -> Result<Written, Error> {
    let Stages {
        new: worker,
        each,
        done,
    } = stages;
    job.progress
        .stage("writing", Some(Total::Documents(collection.table.len().into())));
    let work = |(cutter, state): &mut (UnitCutter, W), lines: DocumentLines| {
        let (mut fates, mut raw) = (Vec::new(), lines.iter());
        lines.each_record(&mut |document, record| {
            // Records and raw lines of a chunk are parallel.
            let line = raw.next().map_or(&[][..], |(_, line)| line);
            let text: &str = &record.text;
            let of_document = LineOfDocument {
                number: document,
                line,
                text,
            };
            let rewritten = Rewritten::of(making, cutter, of_document, passages, collection.facts);
            each(state, &rewritten);
            fates.push(Fate {
                document,
                stays: rewritten.treatment.stays,
                chars: rewritten.treatment.chars,
                repeated: rewritten.treatment.repeated_chars,
                cut: rewritten.treatment.cut_chars,
                of_site: rewritten.treatment.site_chars,
            });
            Ok(())
        })?;
        Ok((done(state), fates, lines.late))
    };
    let mut written = Written::default();
    let mut sites: BTreeMap<u32, SiteTally> = BTreeMap::new();
    collection.reread.each(
        &job.plan(),
        |_| Pick::Take,
        || (making.cutter(), worker()),
        work,
        |(result, fates, mended): (R, Vec<Fate>, MendedCounts)| {
            take(result)?;
            written.late.add(&mended);
            job.progress.advance(fates.len() as u64, 0);
            for fate in fates {
                written.gone.extend((!fate.stays).then_some(fate.document));
                counts.chars += fate.chars;
                counts.repeated_chars += fate.repeated;
                counts.cut_chars += if fate.stays { fate.cut } else { 0 };
                counts.site_chars += fate.of_site;
                let part = if making.cuts() { fate.cut } else { fate.repeated };
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "the fraction is dropped: a bin begins at a whole number"
                )]
                // A share of 1 would be bin `SHARE_BINS`; it belongs to the last bin.
                let bin = (SHARE_BINS as f64 * part as f64 / fate.chars.max(1) as f64) as usize;
                written.shares[bin.min(SHARE_BINS - 1)] += u64::from(part > 0);
                if let Some(host) = collection.facts.host_of(fate.document) {
                    let site = sites.entry(host).or_default();
                    site.documents += 1;
                    site.with += u64::from(fate.of_site > 0);
                    site.chars += fate.chars;
                    site.of_site += fate.of_site;
                }
            }
            Ok(())
        },
    )?;
    written.sites = sites.into_iter().filter(|(_, site)| site.with > 0).collect();
    Ok(written)
}

/// The passages of a document at their places in its text. Leaves out places whose text is not that of
/// their passage.
pub(super) fn places_of<'f>(
    passages: ProvenPassages<'f>,
    facts: &CollectedFacts,
    document: u32,
) -> impl Iterator<Item = PlaceInText> + 'f {
    let ProvenPassages { found, proven } = passages;
    // `spans` has one entry for each occurrence, in the same order.
    let before = found.occurrences.partition_point(|one| one.document < document);
    let occurrences = found.of_document(document);
    let spans = &proven.spans[before..before + occurrences.len()];
    let host = facts.host_of(document);
    let of_host = host.map_or(0, |host| facts.documents_of(host));
    let places = occurrences.iter().zip(spans).map(move |(one, &(start, end))| {
        let passage = &found.passages[one.passage as usize];
        PlaceInText {
            range: start as usize..end as usize,
            // If the index has the passage, no document of this run has it first.
            is_first: passage.known == 0 && (passage.document, passage.start) == (one.document, one.start),
            is_of_site: is_of_site(passage.documents, passage.hosts),
            host_share: match passage.hosts == 1 && of_host > 0 {
                true => f64::from(passage.documents) / f64::from(of_host),
                false => 0.0,
            },
        }
    });
    places.filter(|place| !place.range.is_empty())
}
