//! Decontamination: finds documents that contain items of a test set, and writes the documents without
//! them.

use std::path::{Path, PathBuf};

use dehusk_dedup::{ItemMatch, TestItems};
use dehusk_normalize::Profile;
use serde_json::{Value, json};

use crate::error::Error;
use crate::job::Job;
use crate::kernel::cut::{united, without, without_exactly};
use crate::kernel::document_table::{DocumentFacts, DocumentTable};
use crate::kernel::units::UnitCutter;
use crate::read::inputs::RecordKind;
use crate::read::lists::each_row;
use crate::record::header::{DOCUMENT_ID_FIELD, Header, ITEMS, KEPT, MATCHES, PASSAGES, REJECTED};
use crate::record::{ItemMatchRow, ItemRow, Row, RowKind, json};
use crate::search::memory::MemoryCeiling;
use crate::settings::{CutAt, CutBoundary, OnMatch, OnMatchPolicy, PassageUnit};
use crate::verbs::dedup::NOT_RESUMED;
use crate::write::file_form::FileForm;
use crate::write::folder::conclude;
use crate::write::format::EncodedRows;
use crate::write::place::Place;
use crate::write::row_folder::{FolderFormats, RowFolder};
use crate::write::summary::{ItemCounts, Outcome, Summary, Tally};

/// Default of the setting `min-run` for items of a test set.
pub const MIN_RUN: u32 = 13;

/// The options of [`against()`].
#[derive(Clone, Debug)]
pub struct Against {
    /// Files of the test set: JSON Lines, Parquet, or texts with an item on each line.
    pub files: Vec<PathBuf>,
    /// Fields of its rows that are items. Each field is an item of its own.
    pub fields: Vec<String>,
    /// Minimum number of consecutive tokens of an item that count as a match. A shorter item must be
    /// contained as a whole.
    pub min_run: u32,
    /// Minimum number of tokens of an item. Shorter items are not searched.
    pub min_item: u32,
    /// Normalization of texts and items before they are compared.
    pub profile: Profile,
    /// Treatment of documents that contain an item.
    pub on_match: OnMatch,
    /// The boundaries at which items are cut.
    pub cut: CutAt,
}

impl Against {
    /// Cuts texts into tokens. Each thread needs its own.
    fn cutter(&self) -> UnitCutter {
        UnitCutter::new(PassageUnit::Tokens, self.profile.clone())
    }

    /// The settings that decide the results, by name.
    fn effective(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("against", json!(self.files)),
            ("fields", json!(self.fields)),
            ("min-run", json!(self.min_run)),
            ("min-item", json!(self.min_item)),
            ("profile", json!(self.profile.name())),
            ("passes", json!(self.profile.fingerprint())),
            ("on-match", json!(OnMatchPolicy(self.on_match).to_string())),
            ("cut", json!(CutBoundary(self.cut).to_string())),
        ]
    }
}

/// An item of a test set.
struct Item {
    /// Its `id`, or its file and line if it has none.
    id: String,
    /// The field that it was read from.
    field: String,
    tokens: u32,
    /// Number of documents that contain it, or a part of it.
    documents: u64,
}

/// Number of items between checks of the memory ceiling.
const CHECKED: usize = 1024;

/// Reads the items of a test set: the items, their index, and the bytes of memory of both. `fits` returns
/// an error if this many bytes for this many items are too many.
fn read_items(
    making: &Against,
    cutter: &mut UnitCutter,
    fits: impl Fn(u64, usize) -> Result<(), Error>,
) -> Result<(Vec<Item>, TestItems, u64), Error> {
    let (mut items, mut index): (Vec<Item>, _) = (Vec::new(), TestItems::new(making.min_run));
    let (mut names, mut full) = (0_usize, None);
    for path in &making.files {
        let mut add = |id: String, field: &str, text: &str| {
            // The reader calls `add` for all rows. After an error, further rows are dropped, so memory
            // stays bounded.
            if full.is_some() {
                return;
            }
            let words = cutter.words(text);
            let tokens = u32::try_from(words.len()).unwrap_or(u32::MAX);
            // Items that are too short are added without words: they keep their number and match no document.
            index.add(if tokens < making.min_item { &[] } else { &words });
            names += id.len() + field.len();
            items.push(Item {
                id,
                field: field.to_owned(),
                tokens,
                documents: 0,
            });
            if items.len() % CHECKED == 0 {
                full = fits(held(&items, names, &index), items.len()).err();
            }
        };
        let extension = path.extension().map(|extension| extension.to_ascii_lowercase());
        if extension.is_some_and(|extension| extension == "txt") {
            let text = std::fs::read_to_string(path).map_err(|error| Error::input(path, error))?;
            for (number, line) in (1..)
                .zip(text.lines())
                .filter(|(_, line)| !line.trim().is_empty())
            {
                add(format!("{}:{number}", path.display()), "text", line);
            }
            continue;
        }
        let (mut number, mut wrong) = (0_u64, None);
        each_row(path, &mut |_, row| {
            number += 1;
            if row.trim_ascii().is_empty() {
                return;
            }
            let place = format!("{}:{number}", path.display());
            match serde_json::from_slice::<Value>(row) {
                Ok(Value::Object(fields)) => {
                    let texts = making
                        .fields
                        .iter()
                        .filter_map(|name| Some((name, fields.get(name)?.as_str()?)));
                    // Numbers are common as ids of test sets.
                    let id = match fields.get("id") {
                        Some(Value::String(id)) => id.clone(),
                        Some(Value::Number(id)) => id.to_string(),
                        _ => place.clone(),
                    };
                    let before = wrong.is_none();
                    let mut count = 0;
                    // After the first wrong row, items are no longer kept: the error is returned below.
                    for (name, text) in texts.filter(|_| before) {
                        count += 1;
                        add(id.clone(), name, text);
                    }
                    if count == 0 {
                        wrong.get_or_insert(format!(
                            "{place}: no field {} is a text",
                            making.fields.join(" or ")
                        ));
                    }
                }
                Ok(_) => drop(wrong.get_or_insert(format!("{place}: not a JSON object"))),
                Err(error) => drop(wrong.get_or_insert(format!("{place}: {error}"))),
            }
        })?;
        if let Some(wrong) = wrong {
            return Err(Error::usage(format!("the test set is wrong: {wrong}"))
                .with_path(path)
                .with_option("against")
                .with_help("each line is an object with an item in a field that `--item-field` names"));
        }
    }
    if let Some(full) = full {
        return Err(full);
    }
    if items.is_empty() {
        return Err(Error::usage("the test set has no item").with_option("against"));
    }
    let held = held(&items, names, &index);
    fits(held, items.len())?;
    Ok((items, index, held))
}

/// Bytes of memory of items. `names` is the number of bytes of their ids and fields.
fn held(items: &Vec<Item>, names: usize, index: &TestItems) -> u64 {
    index.bytes() + (items.capacity() * size_of::<Item>() + names) as u64
}

/// Result of a worker thread for a document.
struct Read {
    facts: DocumentFacts,
    /// Whether its line has the final id.
    named: bool,
    /// Its line with the remaining text; `None` if the document is dropped.
    line: Option<Vec<u8>>,
    /// Items that it contains, with their byte ranges in the text.
    matches: Vec<(ItemMatch, u64, u64)>,
    cut: u64,
}

/// Finds documents that contain items of a test set, and writes to the folder `out`: `matches.jsonl` (the
/// items of each document, with position and share), `items.jsonl` (the number of documents that contain
/// each item), `kept.jsonl`, `quarantine.jsonl` and `summary.json`.
///
/// A document matches if it has `min_run` consecutive tokens of an item, or all tokens of a shorter item.
/// Documents are read once.
///
/// # Errors
/// If an input is missing, the test set cannot be read, memory is too little, or the folder cannot be used.
/// An unusable record is not an error.
pub fn against(
    job: &Job<'_>,
    making: &Against,
    out: &Path,
    formats: FolderFormats,
) -> Result<Outcome, Error> {
    job.cancel.advise(NOT_RESUMED);
    let place = Place::of_folder(out, PASSAGES, job)?;
    let outcome = against_in(job, making, place.path(), formats)?;
    place.publish(job)?;
    Ok(outcome)
}

/// Writes to a folder of this machine.
fn against_in(job: &Job<'_>, making: &Against, out: &Path, formats: FolderFormats) -> Result<Outcome, Error> {
    let inputs = job.open(RecordKind::Documents)?;
    inputs.files().try_for_each(Header::check)?;
    making
        .files
        .iter()
        .for_each(|file| job.cancel.reads("the test set", file));
    let memory = MemoryCeiling::of(job.settings);
    let writers = FileForm::folder(job.settings, formats.format)?.held;
    let fits = |held: u64, items: usize| {
        memory.check(held + writers, || format!("for {items} items of the test set"))
    };
    let (mut items, index, held) = read_items(making, &mut making.cutter(), fits)?;
    let held = held + writers;
    // No items are added from here on; the index is sorted for look-ups.
    let index = index.indexed();
    let mut summary = Summary::new(PASSAGES, &inputs, making.effective());
    let folder = RowFolder::open(
        job,
        out,
        formats.format,
        &summary,
        (&inputs, RecordKind::Documents),
    )?;
    let mut match_rows = folder.rows(MATCHES, RowKind::ItemMatch)?;
    let mut kept = folder.rows(KEPT, RowKind::Document)?;
    let mut rejected_rows = folder.rows(REJECTED, RowKind::Rejected)?;
    let of_lines = kept.of_lines();
    let id_field = match folder.carries().1 || inputs.columns().of("id").is_some() {
        true => DOCUMENT_ID_FIELD,
        false => "id",
    };
    let text_column = inputs.columns().of("text");
    let (mut documents, mut tally, mut counts) =
        (DocumentTable::default(), Tally::default(), ItemCounts::default());
    let mut gone: Vec<u32> = Vec::new();
    let skipped = job.pass("reading documents", &inputs).documents(
        || making.cutter(),
        |cutter, item| {
            let record = &item.record;
            let (url, text): (_, &str) = (record.url.as_deref(), &record.text);
            let mut read = Read {
                facts: DocumentFacts::new(item.id.clone(), url, &record.ranking, text),
                named: record.id.as_deref() == Some(item.id.as_str()),
                line: Some(item.line().into_owned()),
                matches: Vec::new(),
                cut: 0,
            };
            let found = index.find(&cutter.words(text));
            if found.matches.is_empty() {
                return read;
            }
            // Byte ranges of tokens are computed only for the few documents with a match.
            let pieces = cutter.pieces(text);
            // An empty run gives an empty range: its end is not before its start.
            let bytes = |start: u32, end: u32| {
                let start = pieces.get(start as usize).map_or(0, |piece| piece.range.start);
                let last = (end as usize).checked_sub(1).and_then(|last| pieces.get(last));
                start..last.map_or(start, |piece| piece.range.end.max(start))
            };
            for one in found.matches {
                let span = bytes(one.start, one.end);
                read.matches.push((one, span.start as u64, span.end as u64));
            }
            // Runs of different items may overlap, so they are united before cutting.
            let spans = united(found.runs.iter().map(|run| bytes(run.0, run.1)).collect());
            match making.on_match {
                OnMatch::Mark => {
                    let marks: Vec<_> = spans.iter().map(|span| (span.start, span.end)).collect();
                    read.line = read
                        .line
                        .map(|line| json::with_values(&line, &[("repeated", json!(marks))]));
                }
                OnMatch::Cut => {
                    let (rest, cuts) = match making.cut {
                        CutAt::Token => (without_exactly(text, &spans), spans),
                        CutAt::Sentence => {
                            // Whole sentences are cut even if an item covers only a part of them: the rest
                            // of such a sentence would give the item away.
                            let cuts = around(&spans, &cutter.sentences(text));
                            (without(text, &cuts), cuts)
                        }
                    };
                    read.cut = cuts
                        .iter()
                        .map(|cut| text[cut.clone()].chars().count() as u64)
                        .sum();
                    let is_emptied = rest.trim().is_empty();
                    read.line = read.line.filter(|_| !is_emptied).map(|line| {
                        // A text in a nested field stays there; only a column of the top level can be
                        // replaced.
                        let has = |name: &&str| {
                            json::fields(&line).is_ok_and(|all| all.iter().any(|(field, _)| field == name))
                        };
                        json::with_text(&line, text_column.filter(has).unwrap_or("text"), &rest)
                    });
                }
                OnMatch::Drop => read.line = None,
            }
            read
        },
        |worked| {
            let of_documents = || format!("for {} documents and the test set", documents.len());
            memory.check(held + documents.bytes(), of_documents)?;
            let mut tally = tally.chunk(&worked.origin, &worked.skipped);
            for row in worked.rows {
                match tally.count(row) {
                    Ok(read) => {
                        let number = documents.len();
                        // `push` must run for every document, so it comes first in the condition.
                        let is_named = !documents.push(&read.facts) && read.named;
                        let id = documents.id(number);
                        counts.documents += u64::from(!read.matches.is_empty());
                        counts.cut_chars += read.cut;
                        for (one, start, end) in &read.matches {
                            let item = &mut items[one.item as usize];
                            item.documents += 1;
                            counts.matches += 1;
                            match_rows.row(Row::ItemMatch(&ItemMatchRow {
                                document: id,
                                item: &item.id,
                                field: &item.field,
                                start: *start,
                                end: *end,
                                tokens: one.words,
                                share: crate::record::document::round(one.share),
                            }))?;
                        }
                        let Some(mut line) = read.line else {
                            gone.push(number);
                            continue;
                        };
                        if !is_named {
                            line = json::with_text(&line, id_field, id);
                        }
                        let mut rows = EncodedRows::default();
                        of_lines.add(&line, &mut rows);
                        kept.rows(&rows)?;
                    }
                    Err(rejected) => rejected_rows.row(Row::Rejected(&rejected))?,
                }
            }
            Ok(())
        },
    )?;
    let mut item_rows = folder.rows(ITEMS, RowKind::Item)?;
    for item in &items {
        let is_short = item.tokens < making.min_item || item.tokens == 0;
        counts.items += 1;
        counts.too_short += u64::from(is_short);
        counts.found += u64::from(item.documents > 0);
        item_rows.row(Row::Item(&ItemRow {
            id: &item.id,
            field: &item.field,
            tokens: item.tokens,
            documents: item.documents,
            searched: !is_short,
        }))?;
    }
    summary.repeated_ids = documents.repeated();
    let rejected = tally.write_to(&mut summary, job.settings, &skipped);
    summary.counts.kept -= gone.len() as u64;
    summary.counts.dropped.insert(HOLDS_ITEM, gone.len() as u64);
    summary.settle_files(|document| match gone.binary_search(&document) {
        Ok(_) => Err(HOLDS_ITEM),
        Err(_) => Ok(()),
    });
    summary.items = Some(counts);
    let mut files = Vec::new();
    for sink in [match_rows, item_rows, kept, rejected_rows] {
        files.extend(sink.finish_files()?);
    }
    conclude(folder.folder, summary, files, rejected)
}

/// The reason of dropped documents.
const HOLDS_ITEM: &str = "holds-test-item";

/// The ranges, extended to the sentences that they overlap.
fn around(
    ranges: &[std::ops::Range<usize>],
    sentences: &[std::ops::Range<usize>],
) -> Vec<std::ops::Range<usize>> {
    let mut all = ranges.to_vec();
    for range in ranges {
        // Sentences ascend without overlaps.
        let from = sentences.partition_point(|sentence| sentence.end <= range.start);
        let parts = sentences[from..]
            .iter()
            .take_while(|sentence| sentence.start < range.end);
        all.extend(parts.cloned());
    }
    united(all)
}
