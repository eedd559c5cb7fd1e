//! Cuts passages from texts, and decides which documents have lost too much.

use std::collections::BTreeMap;
use std::ops::Range;

use dehusk_dedup::{FoundPassages, Occurrence, Passage};

use crate::error::Error;
use crate::exec::progress::Total;
use crate::job::Job;
use crate::kernel::apart::TOO_MUCH_REPEATED;
use crate::kernel::cut::{united, whole_sentences, without, without_exactly};
use crate::kernel::repetition::repetition;
use crate::kernel::units::UnitCutter;
use crate::read::reread::{DocumentLines, Pick};
use crate::record::Repetition;
use crate::record::document::round;
use crate::record::json;
use crate::record::mend::MendedCounts;
use crate::search::passages::collection::Collection;
use crate::search::passages::making::Making;
use crate::search::passages::prove::Proven;
use crate::settings::{CutAt, PassageUnit, Repeat};
use crate::write::summary::PassageCounts;

/// Reasons in the rows of documents.
const UNIQUE: &str = "unique";
const REPEATED: &str = "repeated";
const CUT: &str = "cut";

/// A document with its passages, and the decision on it.
pub(crate) struct Rewritten<'t> {
    pub(crate) document: u32,
    /// The line of the input.
    pub(crate) line: &'t [u8],
    pub(crate) text: &'t str,
    /// The text that is left; `None` if nothing was cut.
    pub(crate) rest: Option<String>,
    /// Parts of passages: first byte and the one after the last, ascending, without overlaps.
    pub(crate) repeated: Vec<(u64, u64)>,
    /// Parts that are cut.
    pub(crate) cut: Vec<(u64, u64)>,
    /// Characters of the text.
    pub(crate) chars: u64,
    /// Share of them that are part of a passage.
    pub(crate) repeated_share: f64,
    pub(crate) repetition: Repetition,
    /// Whether the document stays.
    pub(crate) stays: bool,
    pub(crate) reason: &'static str,
    repeated_chars: u64,
    cut_chars: u64,
    site_chars: u64,
}

impl<'t> Rewritten<'t> {
    fn of(
        making: &Making,
        cutter: &UnitCutter,
        (document, line, text): (u32, &'t [u8], &'t str),
        found: &FoundPassages,
        proven: &Proven,
    ) -> Self {
        let before = found.occurrences.partition_point(|one| one.document < document);
        let occurrences = found.of_document(document);
        let spans = &proven.spans[before..before + occurrences.len()];
        let Cuts {
            repeated,
            cut,
            of_site,
        } = Cuts::of(making, cutter, text, found, (occurrences, spans));
        let chars = |ranges: &[Range<usize>]| -> u64 {
            let ranges = ranges.iter().filter_map(|range| text.get(range.clone()));
            ranges.map(|part| part.chars().count() as u64).sum()
        };
        let pairs = |ranges: &[Range<usize>]| -> Vec<(u64, u64)> {
            ranges
                .iter()
                .map(|range| (range.start as u64, range.end as u64))
                .collect()
        };
        let all = text.chars().count() as u64;
        let (repeated_chars, cut_chars) = (chars(&repeated), chars(&cut));
        let rest = (cut_chars > 0).then(|| match (making.unit, making.cut) {
            (PassageUnit::Tokens, CutAt::Token) => without_exactly(text, &cut),
            _ => without(text, &cut),
        });
        let is_emptied = rest.as_ref().is_some_and(|rest| rest.trim().is_empty());
        let stays = !is_emptied && (cut_chars as f64) <= making.max_share * all as f64;
        let reason = match (stays, cut_chars > 0, repeated_chars > 0) {
            (false, ..) => TOO_MUCH_REPEATED,
            (true, true, _) => CUT,
            (true, false, true) => REPEATED,
            (true, false, false) => UNIQUE,
        };
        Rewritten {
            document,
            line,
            text,
            rest,
            repeated: pairs(&repeated),
            cut: pairs(&cut),
            chars: all,
            repeated_share: round(repeated_chars as f64 / all.max(1) as f64),
            repetition: repetition(text, all),
            stays,
            reason,
            repeated_chars,
            cut_chars,
            site_chars: chars(&of_site),
        }
    }

    /// The line with the text that is left, and with its id if it has another one.
    pub(crate) fn line_of_rest(&self, making: &Making, collection: Collection<'_>) -> Vec<u8> {
        let mut line = self.line.to_vec();
        if let Some(rest) = &self.rest {
            // A text in a nested field stays there, and the remaining text becomes the field `text`.
            let has =
                |name: &&str| json::fields(&line).is_ok_and(|all| all.iter().any(|(field, _)| field == name));
            let field = collection.text_column.filter(has).unwrap_or("text");
            line = json::with_text(&line, field, rest);
        }
        if making.repeat == Repeat::Mark {
            line = json::with_values(&line, &[("repeated", serde_json::json!(self.repeated))]);
        }
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

/// Number of documents from which on a passage of one host counts as a part of the site.
pub(super) const SITE_DOCUMENTS: u32 = 3;

/// The decision on a document, and its counts of characters: all, repeated, cut, and in passages of its site.
struct Fate {
    document: u32,
    stays: bool,
    chars: u64,
    repeated: u64,
    cut: u64,
    of_site: u64,
}

/// Reads all documents again, cuts their passages, and passes each to `each` on a worker thread. The results of `done` for successive chunks
/// go to `take`.
pub(crate) fn rewrite<W, R: Send>(
    job: &Job<'_>,
    making: &Making,
    collection: Collection<'_>,
    (found, proven): (&FoundPassages, &Proven),
    counts: &mut PassageCounts,
    (worker, each, done): (
        impl Fn() -> W + Sync,
        impl Fn(&mut W, &Rewritten<'_>) + Sync,
        impl Fn(&mut W) -> R + Sync,
    ),
    mut take: impl FnMut(R) -> Result<(), Error>,
) -> Result<Written, Error> {
    job.progress
        .stage("writing", Some(Total::Documents(collection.table.len().into())));
    let work = |(cutter, state): &mut (UnitCutter, W), lines: DocumentLines| {
        let (mut fates, mut raw) = (Vec::new(), lines.iter());
        lines.each_record(&mut |document, record| {
            let line = raw.next().map_or(&[][..], |(_, line)| line);
            let text: &str = &record.text;
            let rewritten = Rewritten::of(making, cutter, (document, line, text), found, proven);
            each(state, &rewritten);
            fates.push(Fate {
                document,
                stays: rewritten.stays,
                chars: rewritten.chars,
                repeated: rewritten.repeated_chars,
                cut: rewritten.cut_chars,
                of_site: rewritten.site_chars,
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

/// Whether a passage is a part of one site: a hint that extraction has left something.
pub(super) fn is_of_site(passage: &Passage) -> bool {
    passage.hosts == 1 && passage.documents >= SITE_DOCUMENTS
}

/// Byte ranges of a text that are repeated elsewhere, and those to cut.
pub(super) struct Cuts {
    pub(super) repeated: Vec<Range<usize>>,
    pub(super) cut: Vec<Range<usize>>,
    /// Passages of several documents of one host.
    of_site: Vec<Range<usize>>,
}

impl Cuts {
    pub(super) fn of(
        making: &Making,
        cutter: &UnitCutter,
        text: &str,
        found: &FoundPassages,
        (occurrences, spans): (&[Occurrence], &[(u32, u32)]),
    ) -> Cuts {
        let is_first = |one: &Occurrence| {
            let passage = &found.passages[one.passage as usize];
            (passage.document, passage.start) == (one.document, one.start)
        };
        let (mut repeated, mut goes, mut of_site) = (Vec::new(), Vec::new(), Vec::new());
        for (one, &(start, end)) in occurrences.iter().zip(spans) {
            let span = start as usize..end as usize;
            if span.is_empty() {
                continue;
            }
            if making.repeat == Repeat::Drop || making.repeat == Repeat::First && !is_first(one) {
                goes.push(span.clone());
            }
            if is_of_site(&found.passages[one.passage as usize]) {
                of_site.push(span.clone());
            }
            repeated.push(span);
        }
        let (repeated, goes) = (united(repeated), united(goes));
        let cut = match (making.unit, making.cut) {
            (PassageUnit::Tokens, CutAt::Sentence) if !goes.is_empty() => {
                whole_sentences(text, &goes, &cutter.sentences(text))
            }
            _ => goes,
        };
        Cuts {
            repeated,
            cut,
            of_site: united(of_site),
        }
    }
}
