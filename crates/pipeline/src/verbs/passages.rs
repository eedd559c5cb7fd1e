//! Finds passages that occur at several positions of the documents, and writes the documents without them.

pub mod against;

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

use dehusk_dedup::{FoundPassages, Occurrence, PassageRule, Passages, SpillError};
use dehusk_normalize::Profile;
use serde_json::{Value, json};

use crate::error::Error;
use crate::exec::progress::Total;
use crate::job::Job;
use crate::kernel::cut::{united, whole_sentences, without, without_exactly};
use crate::kernel::document_table::{DocumentFacts, DocumentTable};
use crate::kernel::own_repeats::duplicates;
use crate::kernel::units::{Piece, UnitCutter, hash_of};
use crate::read::chunk::Bounds;
use crate::read::inputs::{Inputs, RecordKind};
use crate::read::reread::{Accepted, DocumentLines, Pick, Reread, Stamps};
use crate::record::header::{DOCUMENT_ID_FIELD, DOCUMENTS, Header, KEPT, OCCURRENCES, PASSAGES, REJECTED};
use crate::record::mend::MendedCounts;
use crate::record::{OccurrenceRow, PassageRow, Rejected, RepeatedRow, Row, RowKind, json};
use crate::search::duplicates::threads;
use crate::search::memory::{base, too_little};
use crate::search::spill_files::{SpillFiles, spill_error};
use crate::site::key::host_of;
use crate::verbs::dedup::NOT_RESUMED;
use crate::write::file::{Finished, OutFile};
use crate::write::file_form::FileForm;
use crate::write::folder::conclude;
use crate::write::format::{EncodedRows, RowEncoder};
use crate::write::row_folder::{FolderFormats, RowFolder};
use crate::write::summary::{Outcome, PassageCounts, Summary, Tally};

pub use crate::kernel::units::PassageUnit;

/// Treatment of passages in the texts of documents.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Repeat {
    /// They stay, and no documents are written: the lists have their positions.
    #[default]
    Keep,
    /// They stay at their first position, and are cut elsewhere.
    First,
    /// They are cut everywhere.
    Drop,
    /// They stay, and a field `repeated` of each document has their positions.
    Mark,
}

/// The boundaries at which runs of tokens are cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CutAt {
    /// The ends of the sentences and lines that lie wholly inside.
    #[default]
    Sentence,
    /// The ends of the run.
    Token,
}

/// The options of [`passages()`].
#[derive(Clone, Debug)]
pub struct Making {
    /// The unit of passages.
    pub unit: PassageUnit,
    /// Least number of tokens of a run, 1 or more. Used for the unit of tokens only.
    pub min_run: u32,
    /// Normalization of texts before they are compared.
    pub profile: Profile,
    /// Least number of documents that have a passage.
    pub min_documents: u32,
    /// Least number of known hosts that have a passage.
    pub min_hosts: u32,
    /// Treatment of passages.
    pub repeat: Repeat,
    /// The boundaries at which runs of tokens are cut.
    pub cut: CutAt,
    /// Largest share of its characters that a document may lose and still be kept, 0 to 1. A document that has lost all is always
    /// dropped.
    pub max_share: f64,
}

impl CutAt {
    fn name(self) -> &'static str {
        match self {
            CutAt::Sentence => "sentence",
            CutAt::Token => "token",
        }
    }
}

impl Making {
    fn rule(&self) -> PassageRule {
        PassageRule {
            least_run: (self.unit == PassageUnit::Tokens).then_some(self.min_run),
            min_documents: self.min_documents,
            min_hosts: self.min_hosts,
        }
    }

    fn cutter(&self) -> UnitCutter {
        UnitCutter::new(self.unit, self.profile.clone())
    }

    fn unit_name(&self) -> &'static str {
        match self.unit {
            PassageUnit::Line => "line",
            PassageUnit::Sentence => "sentence",
            PassageUnit::Paragraph => "paragraph",
            PassageUnit::Tokens => "tokens",
        }
    }

    fn effective(&self) -> Vec<(&'static str, Value)> {
        let repeat = match self.repeat {
            Repeat::Keep => "keep",
            Repeat::First => "first",
            Repeat::Drop => "drop",
            Repeat::Mark => "mark",
        };
        vec![
            ("unit", json!(self.unit_name())),
            ("min-run", json!(self.rule().least_run)),
            ("profile", json!(self.profile.name())),
            ("passes", json!(self.profile.fingerprint())),
            ("min-documents", json!(self.min_documents)),
            ("min-hosts", json!(self.min_hosts)),
            ("repeat", json!(repeat)),
            ("cut", json!(self.cut.name())),
            ("max-share", json!(self.max_share)),
        ]
    }

    /// Whether passages are cut from texts.
    fn cuts(&self) -> bool {
        matches!(self.repeat, Repeat::First | Repeat::Drop)
    }
}

/// Maximum characters of a passage in its row.
const MOST_CHARS: usize = 10_000;
/// Bytes of words, and of hashes being sorted, that stay in memory if it has no ceiling. Further ones go to temporary files.
const BUFFER: u64 = 512 << 20;
/// Minimum bytes of memory beyond those that the program needs in any case.
const LEAST: u64 = 16 << 20;

/// Finds passages that occur at several positions of the documents, and writes to the folder `out`: `passages.jsonl`,
/// `occurrences.jsonl`, `documents.jsonl` with a row for each document, `quarantine.jsonl` and `summary.json`. Unless passages
/// are kept, it also writes `kept.jsonl`: the lines of the input, with the passages cut or marked.
///
/// Inputs that cannot be read twice, such as standard input, are copied to the output folder for the time of the run.
///
/// # Errors
/// If an input is missing, the settings do not fit together, the memory does not suffice, or the folder cannot be used. A bad
/// record is not an error.
pub fn passages(
    job: &Job<'_>,
    making: &Making,
    out: &Path,
    formats: FolderFormats,
) -> Result<Outcome, Error> {
    job.cancel.advise(NOT_RESUMED);
    let settings = job.settings;
    if making.max_share < 1.0 && !making.cuts() {
        let message = "a document loses nothing while passages stay in the texts";
        return Err(
            Error::value("max-share", message).with_help("cut them with `--repeat first` or `--repeat drop`")
        );
    }
    let inputs = job.open(RecordKind::Documents)?;
    inputs.files().try_for_each(Header::check)?;
    let stamps = Stamps::of(&inputs);
    let writers = FileForm::folder(settings, formats.format)?.held;
    let fixed = base(settings, writers);
    if let Some(ceiling) = settings
        .memory_ceiling()
        .filter(|ceiling| *ceiling < fixed + LEAST)
    {
        return Err(too_little(ceiling, fixed + LEAST, "to begin with"));
    }
    let mut summary = Summary::new(PASSAGES, &inputs, making.effective());
    let kind = RecordKind::Documents;
    let folder = RowFolder::open(job, out, formats.format, &summary, (&inputs, kind))?;
    let temporary = settings.temp_dir.clone().unwrap_or_else(|| out.to_owned());
    let free = settings.memory_ceiling().map(|ceiling| ceiling - fixed);
    let buffer = free.map_or(BUFFER, |free| free / 8);
    let search = Passages::new(Box::new(SpillFiles::new(temporary.clone())), buffer);

    let (gathered, search) = gather(job, &inputs, making, &folder, search, &mut summary)?;
    let kept = gathered.documents.bytes() + gathered.accepted.capacity() as u64;
    // A quarter is left for the next step, which adds byte ranges and hashes of texts to the result.
    let memory = free.map_or(u64::MAX, |free| free.saturating_sub(kept) / 4 * 3);
    let failed = |error: SpillError| match error {
        SpillError::Memory(needed) => {
            let what = format!("for what {} documents repeat", gathered.documents.len());
            let needed = fixed
                .saturating_add(kept)
                .saturating_add(needed.saturating_mul(4) / 3);
            too_little(settings.memory_ceiling().unwrap_or_default(), needed, &what)
        }
        error => spill_error(&temporary, error),
    };
    let mut counts = PassageCounts {
        units: search.words(),
        ..PassageCounts::default()
    };
    job.progress.stage("comparing passages", None);
    let found = threads(settings)?
        .install(|| search.finish(making.rule(), memory))
        .map_err(failed)?;
    job.cancel.check()?;
    let reread = gathered.reread(job, &inputs, folder.carries().0);
    let (proven, mut files) = prove(job, making, &folder, (&gathered, &reread), &found, &mut counts)?;
    let (fates, late, written) = write(
        job,
        making,
        &folder,
        (&gathered, &reread, &inputs),
        (&found, &proven),
        &mut counts,
    )?;
    files.extend(written);
    let gone = fates.iter().filter(|stays| !**stays).count() as u64;
    summary.counts.kept -= gone;
    if making.cuts() {
        summary.counts.dropped.insert(TOO_MUCH, gone);
    }
    summary.settle_files(|document| match fates.get(document as usize) {
        Some(false) => Err(TOO_MUCH),
        _ => Ok(()),
    });
    summary.passages = Some(counts);
    summary.lines.add(&late);
    stamps.check(&inputs)?;
    files.extend(gathered.rejected_files);
    conclude(folder.folder, summary, files, gathered.rejected)
}

/// The reasons in the rows of documents.
const UNIQUE: &str = "unique";
const REPEATED: &str = "repeated";
const CUT: &str = "cut";
const TOO_MUCH: &str = "too-much-repeated";

/// The data gathered in the first pass over the documents.
struct Gathered {
    documents: DocumentTable,
    /// For each record of the inputs, whether and how it was accepted.
    accepted: Vec<Accepted>,
    /// Documents whose line lacks their id or has another one, ascending.
    to_name: Vec<u32>,
    /// The lines of the documents, if the inputs cannot be read again.
    spool: Option<Finished>,
    rejected_files: Vec<Finished>,
    rejected: Vec<Rejected>,
}

impl Gathered {
    /// Returns the source to read the documents from again. `exact` says whether rows of tables are written as rows of tables.
    fn reread<'a>(&'a self, job: &Job<'_>, inputs: &'a Inputs, exact: bool) -> Reread<'a> {
        match &self.spool {
            Some(spool) => Reread::File {
                path: spool.path(),
                columns: inputs.columns(),
            },
            None => Reread::Inputs {
                inputs,
                bounds: Bounds {
                    exact,
                    ..job.settings.bounds()
                },
                accepted: &self.accepted,
            },
        }
    }
}

/// A document as a worker thread returns it.
struct Read {
    facts: DocumentFacts,
    host: Option<String>,
    words: Vec<u64>,
    /// Whether the id comes from the line itself.
    named: bool,
    accepted: Accepted,
    /// Its line, if lines are to be copied.
    line: Option<Vec<u8>>,
}

/// Reads every document and cuts it into words.
fn gather(
    job: &Job<'_>,
    inputs: &Inputs,
    making: &Making,
    folder: &RowFolder,
    mut search: Passages,
    summary: &mut Summary,
) -> Result<(Gathered, Passages), Error> {
    let mut rejected_rows = folder.rows(REJECTED, RowKind::Rejected)?;
    let mut spool: Option<OutFile> = match inputs.rereadable() {
        true => None,
        false => Some(folder.folder.file("input.jsonl")?),
    };
    let copies = spool.is_some();
    let (mut documents, mut tally) = (DocumentTable::default(), Tally::default());
    let (mut accepted, mut to_name) = (Vec::new(), Vec::new());
    let mut hosts: HashMap<String, u32> = HashMap::new();
    let pass = job.pass("reading documents", inputs);
    let skipped = pass.documents(
        || making.cutter(),
        |cutter, item| {
            let record = &item.record;
            let url = record.url.as_deref();
            Read {
                facts: DocumentFacts::new(item.id.clone(), url, &record.ranking, &record.text),
                host: url.and_then(host_of),
                words: cutter.words(&record.text),
                named: record.id.as_deref() == Some(item.id.as_str()),
                accepted: Accepted::of(item),
                line: copies.then(|| item.line().into_owned()),
            }
        },
        |worked| {
            let mut tally = tally.chunk(&worked.origin, &worked.skipped);
            for row in worked.rows {
                accepted.push(row.as_ref().map_or(Accepted::No, |read| read.accepted));
                match tally.count(row) {
                    Ok(read) => {
                        let number = documents.len();
                        if documents.push(&read.facts) || !read.named {
                            to_name.push(number);
                        }
                        let next = hosts.len() as u32;
                        let host = read.host.map(|host| *hosts.entry(host).or_insert(next));
                        search
                            .add(host, &read.words)
                            .map_err(|error| spill_error(folder.folder.path(), error))?;
                        if let (Some(spool), Some(line)) = (&mut spool, read.line) {
                            spool.line(&line)?;
                        }
                    }
                    Err(rejected) => rejected_rows.row(Row::Rejected(&rejected))?,
                }
            }
            Ok(())
        },
    )?;
    summary.repeated_ids = documents.repeated();
    documents.close();
    let gathered = Gathered {
        documents,
        accepted,
        to_name,
        spool: spool.map(OutFile::finish).transpose()?,
        rejected_files: rejected_rows.finish_files()?,
        rejected: tally.write_to(summary, job.settings, &skipped),
    };
    Ok((gathered, search))
}

/// The result of reading the documents again: byte ranges of passages whose texts are equal.
struct Proven {
    /// By occurrence, its byte range in the text. Empty if its text is not that of its passage.
    spans: Vec<(u32, u32)>,
}

/// The passages of a document, as a worker thread returns them.
struct Evidence {
    document: u32,
    /// For each occurrence, its byte range and the hash of its tokens.
    occurrences: Vec<(Range<usize>, u128)>,
    /// Passages whose first position is in this document: index, byte range, hash and text.
    firsts: Vec<(u32, Range<usize>, u128, String)>,
}

/// Reads the documents with passages again, compares the texts of each passage at all its positions, and writes passages and
/// occurrences.
fn prove(
    job: &Job<'_>,
    making: &Making,
    folder: &RowFolder,
    (gathered, reread): (&Gathered, &Reread<'_>),
    found: &FoundPassages,
    counts: &mut PassageCounts,
) -> Result<(Proven, Vec<Finished>), Error> {
    let table = &gathered.documents;
    let mut by_first: Vec<u32> = (0..found.passages.len() as u32).collect();
    let first = |number: &u32| {
        let passage = &found.passages[*number as usize];
        (passage.document, passage.start, passage.length)
    };
    by_first.sort_unstable_by_key(first);
    job.progress
        .stage("comparing texts", Some(Total::Documents(table.len().into())));
    let mut passage_rows = folder.rows(PASSAGES, RowKind::Passage)?;
    let mut occurrence_rows = folder.rows(OCCURRENCES, RowKind::Occurrence)?;
    let mut hashes = vec![0_u128; found.passages.len()];
    let mut spans = vec![(0_u32, 0_u32); found.occurrences.len()];
    let pick = |document| match found.of_document(document).is_empty() {
        true => Pick::Leave,
        false => Pick::Take,
    };
    let work = |cutter: &mut UnitCutter, lines: DocumentLines| {
        let mut all = Vec::new();
        lines.each_record(&mut |document, record| {
            let pieces = cutter.pieces(&record.text);
            let at = |start: u32, end: u32| {
                let run = pieces.get(start as usize..end as usize).unwrap_or_default();
                (bytes_of(run), hash_of(run))
            };
            let from = by_first.partition_point(|number| first(number).0 < document);
            let firsts = by_first[from..]
                .iter()
                .take_while(|number| first(number).0 == document);
            all.push(Evidence {
                document,
                occurrences: found
                    .of_document(document)
                    .iter()
                    .map(|one| at(one.start, one.end))
                    .collect(),
                firsts: firsts
                    .map(|&number| {
                        let (_, start, length) = first(&number);
                        let (span, hash) = at(start, start + length);
                        let text = record.text.get(span.clone()).unwrap_or_default();
                        (number, span, hash, text.chars().take(MOST_CHARS).collect())
                    })
                    .collect(),
            });
            Ok(())
        })?;
        Ok(all)
    };
    let take = |all: Vec<Evidence>| {
        for evidence in all {
            let id = table.id(evidence.document);
            for (number, _, hash, _) in &evidence.firsts {
                hashes[*number as usize] = *hash;
            }
            for (number, span, hash, text) in &evidence.firsts {
                let passage = &found.passages[*number as usize];
                let scope = match (passage.documents, passage.hosts) {
                    (1, _) => "document",
                    (_, 0) => "unknown",
                    (_, 1) => "host",
                    _ => "hosts",
                };
                *match scope {
                    "document" => &mut counts.of_document,
                    "host" => &mut counts.of_host,
                    "hosts" => &mut counts.of_hosts,
                    _ => &mut counts.of_unknown,
                } += 1;
                counts.passages += 1;
                let within = passage.within.map(|around| id_of(hashes[around as usize]));
                passage_rows.row(Row::Passage(&PassageRow {
                    id: &id_of(*hash),
                    unit: making.unit_name(),
                    text,
                    tokens: passage.length,
                    places: passage.places,
                    documents: passage.documents,
                    hosts: passage.hosts,
                    scope,
                    document: id,
                    start: span.start as u64,
                    end: span.end as u64,
                    within: within.as_deref(),
                }))?;
            }
            let before = found
                .occurrences
                .partition_point(|one| one.document < evidence.document);
            counts.documents += 1;
            for (number, (span, hash)) in (before..).zip(&evidence.occurrences) {
                // The first position of a passage is in this document or in an earlier one, so its hash is known here.
                let passage = found.occurrences[number].passage;
                if hashes[passage as usize] != *hash {
                    counts.unverified += 1;
                    continue;
                }
                counts.occurrences += 1;
                // Fits into 32 bits: a text has 1 GiB at most.
                spans[number] = (span.start as u32, span.end as u32);
                occurrence_rows.row(Row::Occurrence(&OccurrenceRow {
                    document: id,
                    start: span.start as u64,
                    end: span.end as u64,
                    passage: &id_of(*hash),
                }))?;
            }
            job.progress.advance(1, 0);
        }
        Ok(())
    };
    reread.each(&job.plan(), pick, || making.cutter(), work, take)?;
    let mut files = passage_rows.finish_files()?;
    files.extend(occurrence_rows.finish_files()?);
    Ok((Proven { spans }, files))
}

/// Returns the byte range of a run of pieces; empty for an empty run.
fn bytes_of(run: &[Piece]) -> Range<usize> {
    match run {
        [] => 0..0,
        [first, .., last] => first.range.start..last.range.end.max(first.range.start),
        [only] => only.range.clone(),
    }
}

/// Returns the id of a passage: the upper 64 bits of its hash, in hexadecimal.
fn id_of(hash: u128) -> String {
    format!("{:016x}", (hash >> 64) as u64)
}

/// The decision on a document, and its counts of characters: all, repeated, and cut.
struct Fate {
    stays: bool,
    chars: u64,
    repeated: u64,
    cut: u64,
}

/// Writes a row for each document, and the lines of those that stay. Returns for each document whether it stays, and the counts
/// of flaws that were mended in columns not read before.
fn write(
    job: &Job<'_>,
    making: &Making,
    folder: &RowFolder,
    (gathered, reread, inputs): (&Gathered, &Reread<'_>, &Inputs),
    (found, proven): (&FoundPassages, &Proven),
    counts: &mut PassageCounts,
) -> Result<(Vec<bool>, MendedCounts, Vec<Finished>), Error> {
    let table = &gathered.documents;
    job.progress
        .stage("writing", Some(Total::Documents(table.len().into())));
    let mut facts = folder.rows(DOCUMENTS, RowKind::Repeated)?;
    let mut kept = match making.repeat {
        Repeat::Keep => None,
        _ => Some(folder.rows(KEPT, RowKind::Document)?),
    };
    let (format, of_lines) = (facts.format(), kept.as_ref().map(|kept| kept.of_lines()));
    let id_field = match folder.carries().1 || inputs.columns().of("id").is_some() {
        true => DOCUMENT_ID_FIELD,
        false => "id",
    };
    let text_column = inputs.columns().of("text");
    let work = |cutter: &mut UnitCutter, lines: DocumentLines| {
        let (mut rows, mut kept, mut fates) = (RowEncoder::new(format), EncodedRows::default(), Vec::new());
        let mut raw = lines.iter();
        lines.each_record(&mut |document, record| {
            let line = raw.next().map_or(&[][..], |(_, line)| line);
            let text: &str = &record.text;
            let before = found.occurrences.partition_point(|one| one.document < document);
            let occurrences = found.of_document(document);
            let spans = &proven.spans[before..before + occurrences.len()];
            let done = Cuts::of(making, cutter, text, found, (occurrences, spans));
            let chars = |ranges: &[Range<usize>]| -> u64 {
                let ranges = ranges.iter().filter_map(|range| text.get(range.clone()));
                ranges.map(|part| part.chars().count() as u64).sum()
            };
            let all = text.chars().count() as u64;
            let (repeated, cut) = (chars(&done.repeated), chars(&done.cut));
            let share = |part: u64| crate::record::document::round(part as f64 / all.max(1) as f64);
            let rest = making.cuts().then(|| match (making.unit, making.cut) {
                (PassageUnit::Tokens, CutAt::Token) => without_exactly(text, &done.cut),
                _ => without(text, &done.cut),
            });
            let is_emptied = cut > 0 && rest.as_ref().is_some_and(|rest| rest.trim().is_empty());
            let stays = !is_emptied && (cut as f64) <= making.max_share * all as f64;
            let reason = match (stays, cut > 0, repeated > 0) {
                (false, ..) => TOO_MUCH,
                (true, true, _) => CUT,
                (true, false, true) => REPEATED,
                (true, false, false) => UNIQUE,
            };
            let pairs = |ranges: &[Range<usize>]| -> Vec<(u64, u64)> {
                ranges
                    .iter()
                    .map(|range| (range.start as u64, range.end as u64))
                    .collect()
            };
            let marks = pairs(&done.repeated);
            let [duplicate_lines, duplicate_paragraphs] = duplicates(text, all);
            rows.add(Row::Repeated(&RepeatedRow {
                id: table.id(document),
                chars: all,
                repeated_share: share(repeated),
                duplicate_lines,
                duplicate_paragraphs,
                repeated: &marks,
                cut: &pairs(&done.cut),
                kept: stays,
                reason,
            }));
            fates.push(Fate {
                stays,
                chars: all,
                repeated,
                cut: if stays { cut } else { 0 },
            });
            let Some(of_lines) = of_lines.filter(|_| stays) else {
                return Ok(());
            };
            let mut line = line.to_vec();
            if cut > 0
                && let Some(rest) = rest
            {
                // A text in a nested field stays there, and the remaining text becomes the field `text`.
                let has = |name: &&str| {
                    json::fields(&line).is_ok_and(|all| all.iter().any(|(field, _)| field == name))
                };
                let field = text_column.filter(has).unwrap_or("text");
                line = json::with_text(&line, field, &rest);
            }
            if making.repeat == Repeat::Mark {
                line = json::with_value(&line, "repeated", &json!(marks));
            }
            if gathered.to_name.binary_search(&document).is_ok() {
                line = json::with_text(&line, id_field, table.id(document));
            }
            of_lines.add(&line, &mut kept);
            Ok(())
        })?;
        Ok((rows.take(), kept, fates, lines.late))
    };
    let (mut stay, mut late) = (Vec::new(), MendedCounts::default());
    reread.each(
        &job.plan(),
        |_| Pick::Take,
        || making.cutter(),
        work,
        |(rows, lines, fates, mended): (EncodedRows, EncodedRows, Vec<Fate>, MendedCounts)| {
            facts.rows(&rows)?;
            if let Some(kept) = &mut kept {
                kept.rows(&lines)?;
            }
            late.add(&mended);
            job.progress.advance(fates.len() as u64, 0);
            for fate in fates {
                stay.push(fate.stays);
                counts.chars += fate.chars;
                counts.repeated_chars += fate.repeated;
                counts.cut_chars += fate.cut;
            }
            Ok(())
        },
    )?;
    let mut files = facts.finish_files()?;
    if let Some(kept) = kept {
        files.extend(kept.finish_files()?);
    }
    Ok((stay, late, files))
}

/// Byte ranges of a text that are repeated elsewhere, and those to cut.
struct Cuts {
    repeated: Vec<Range<usize>>,
    cut: Vec<Range<usize>>,
}

impl Cuts {
    fn of(
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
        let (mut repeated, mut goes) = (Vec::new(), Vec::new());
        for (one, &(start, end)) in occurrences.iter().zip(spans) {
            let span = start as usize..end as usize;
            if span.is_empty() {
                continue;
            }
            if making.repeat == Repeat::Drop || making.repeat == Repeat::First && !is_first(one) {
                goes.push(span.clone());
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
        Cuts { repeated, cut }
    }
}
