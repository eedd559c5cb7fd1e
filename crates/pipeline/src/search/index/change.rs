//! Changes to an index: adding, removing, merging and compacting.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::path::Path;

use dehusk_dedup::candidates::KeyColumns;
use dehusk_html::narrow;
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use crate::error::Error;
use crate::exec::cancel::Cancel;
use crate::job::Job;
use crate::read::inputs::{Inputs, RecordKind};
use crate::read::line::LineFacts;
use crate::record::Rejected;
use crate::record::header::{TOOL, VERSION};
use crate::record::weight::Weight;
use crate::search::index::lookup::IncomingDocument;
use crate::search::index::query::incoming_documents;
use crate::search::index::segment::{IndexedDocument, PassageWords, TextHash};
use crate::search::index::store::{
    DOCUMENT_BYTES, Index, IndexPassages, KIND, Manifest, Methods, Writer, banding_pair, check_settings,
    effective, format_of,
};
use crate::search::index::weights::{self, Place};
use crate::search::memory::MemoryCeiling;
use crate::settings::table::Settings;
use crate::write::summary::Added;

/// Result of a merge.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Merged {
    /// Number of documents taken over.
    pub added: u64,
    /// Number of documents whose text or id the index already had.
    pub known: u64,
}

/// Bytes of documents in one segment, or fewer if memory is short. Answers do not depend on the limits of
/// segments.
const SEGMENT_BYTES: u64 = 256 << 20;

/// Opens the index in a folder for changes, or creates a new one.
fn open_or_create(folder: &Path, settings: &Settings) -> Result<Index, Error> {
    if Index::is_in(folder) {
        return Index::open(folder, settings);
    }
    let methods = Methods::new(settings)?;
    let passages = IndexPassages::of(settings);
    Ok(Index {
        folder: folder.to_owned(),
        manifest: Manifest {
            tool: TOOL.to_owned(),
            version: VERSION.to_owned(),
            kind: KIND.to_owned(),
            format_version: format_of(passages.as_ref()),
            settings: effective(settings)?,
            banding: methods.matcher.banding().map(banding_pair),
            columns: methods.columns.columns,
            segments: Vec::new(),
            removed: std::collections::BTreeMap::new(),
            weights: None,
            passages,
            next: 1,
            last_run: None,
            checksum: String::new(),
        },
        settings: settings.clone(),
        methods,
    })
}

/// Opens an existing index for changes.
fn open_to_change(folder: &Path) -> Result<(Writer, Index), Error> {
    Index::open(folder, &Settings::default())?; // without an index, fails before a lock file is created
    let writer = Writer::open(folder, &Cancel::new())?;
    Ok((writer, Index::open(folder, &Settings::default())?))
}

/// Texts and ids of the documents that an index already has, with their places.
struct IndexedTexts {
    /// Places by the two halves of the content hash and the hash of the text.
    texts: HashMap<[u64; 3], Place>,
    /// Places by the hash of the id.
    ids: HashMap<u64, Place>,
}

/// Segment of documents that are not written yet. Their document number is the index among the waiting documents.
const WAITING: u32 = u32::MAX;

/// The hashes of a document as three words: a tuple of the hashes would take a third more memory.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the halves of the hash are the first two words"
)]
fn words((content, exact): TextHash) -> [u64; 3] {
    [content as u64, (content >> 64) as u64, exact]
}

impl IndexedTexts {
    /// Reads all texts and ids of an index.
    fn of(index: &Index) -> Result<Self, Error> {
        let documents = narrow::to_usize(index.stats().documents);
        let mut texts = HashMap::with_capacity(documents);
        let mut ids = HashMap::with_capacity(documents);
        for (segment, mut reader) in (0..).zip(index.segments()?) {
            reader.texts(|document, text| {
                texts.insert(words(text), Place { segment, document });
            })?;
            reader.ids(|document, id| {
                ids.insert(xxh3_64(id.as_bytes()), Place { segment, document });
            })?;
        }
        Ok(Self { texts, ids })
    }

    /// Registers a document at a place, unless its text or id is already present.
    fn insert(&mut self, id: u64, text: TextHash, place: Place) -> Result<(), Met> {
        if let Some(&there) = self.texts.get(&words(text)) {
            return Err(Met::Text(there));
        }
        // The id is checked before the text is inserted, so that a refused document leaves no trace.
        match self.ids.entry(id) {
            Entry::Occupied(_) => return Err(Met::Id),
            Entry::Vacant(vacant) => vacant.insert(place),
        };
        self.texts.insert(words(text), place);
        Ok(())
    }

    /// Replaces the places of waiting documents by their places in the segment that was written.
    fn settle(&mut self, segment: u32, written: &[IndexedDocument]) {
        for (document, entry) in (0..).zip(written) {
            let place = Place { segment, document };
            self.texts.insert(words(entry.text()), place);
            self.ids.insert(xxh3_64(entry.id.as_bytes()), place);
        }
    }

    /// Minimum bytes of memory for this number of documents. A hash table has a power of two of slots, and
    /// fills at most seven eighths of them.
    fn least_bytes(documents: u64) -> u64 {
        (documents * 8 / 7).next_power_of_two() * (TEXT_BYTES + ID_BYTES)
    }

    /// Bytes of memory of the tables.
    fn bytes(&self) -> u64 {
        self.texts.capacity() as u64 * TEXT_BYTES + self.ids.capacity() as u64 * ID_BYTES
    }
}

/// Bytes of a slot in the table of texts: the entry, and one control byte of the hash table.
const TEXT_BYTES: u64 = (size_of::<([u64; 3], Place)>() + 1) as u64;
/// Bytes of a slot in the table of ids.
const ID_BYTES: u64 = (size_of::<(u64, Place)>() + 1) as u64;

/// Reason why a document is not added.
enum Met {
    /// Its text is present, at this place.
    Text(Place),
    /// Its id is present, with another text.
    Id,
}

/// Bytes of memory of a document until it is written.
fn size(entry: &IndexedDocument) -> u64 {
    let passages = entry.passages.as_ref();
    let passages = passages.map_or(0, |one| {
        size_of::<PassageWords>() + one.host.len() + 8 * one.words.len()
    });
    (entry.id.len() + 8 * (entry.keys.len() + entry.features.len()) + passages) as u64 + DOCUMENT_BYTES
}

/// Adds the documents of the job's inputs to the index in `folder`, which is created if missing.
///
/// A document whose text is in the index is an exact duplicate and is not added. A document whose id is in the index is not added either:
/// remove the old one first.
///
/// `rejected` is called with every rejected record.
///
/// # Errors
/// If an input cannot be read, the settings differ from those of the index, or the index cannot be written. Then nothing was changed.
pub fn add(job: &Job<'_>, folder: &Path, rejected: &mut dyn FnMut(&Rejected)) -> Result<Added, Error> {
    let inputs = job.open(RecordKind::Documents)?;
    let mut growth = Growth::open(folder, job)?;
    if let Some(passages) = IndexPassages::of(job.settings) {
        let profile = growth.index.settings().profile();
        growth
            .index
            .check_passages(&passages.unit, passages.min_unit, &profile)?;
    }
    let added = growth.add(job, &inputs, 0, &|_| Fate::Added(None), rejected)?;
    growth.commit(None)?;
    Ok(added)
}

/// Treatment of a document by an index that it is offered to.
pub(crate) enum Fate<'f> {
    /// It is added with this weight; with `None`, it has the weight of its record.
    Added(Option<Weight>),
    /// A document of the index represents it.
    Known {
        /// Id of that document.
        by: &'f str,
        /// Whether that document has the same text.
        exact: bool,
    },
    /// It is not added and its record does not count. Another new document may represent it.
    Apart,
}

/// An index to which documents are added. It is locked against changes by others.
pub(crate) struct Growth {
    writer: Writer,
    index: Index,
    /// Manifest of the index after the change.
    manifest: Manifest,
}

impl Growth {
    /// Opens the index in `folder`, or creates it.
    ///
    /// # Errors
    /// If the settings differ from those of the index, the index cannot be changed, or the job reads one of its files.
    pub(crate) fn open(folder: &Path, job: &Job<'_>) -> Result<Self, Error> {
        let writer = Writer::open(folder, job.cancel)?;
        let index = open_or_create(folder, job.settings)?;
        let manifest = index.manifest.clone();
        Ok(Growth {
            writer,
            index,
            manifest,
        })
    }

    /// The index before the change.
    pub(crate) fn index(&self) -> &Index {
        &self.index
    }

    /// Adds documents of inputs, or adds them to the weights of documents that represent them.
    ///
    /// `fate` is called with the number of each document. Documents become part of the index when it is [committed](Self::commit). `held`
    /// is the memory in bytes that the caller uses.
    ///
    /// # Errors
    /// If an input cannot be read, the index cannot be written, or there is not enough memory.
    pub(crate) fn add<'f>(
        &mut self,
        job: &Job<'_>,
        inputs: &Inputs,
        held: u64,
        fate: &dyn Fn(u32) -> Fate<'f>,
        rejected: &mut dyn FnMut(&Rejected),
    ) -> Result<Added, Error> {
        let Growth {
            writer,
            index,
            manifest,
        } = self;
        let memory = MemoryCeiling::of(job.settings);
        let documents = index.stats().documents;
        // Checked before the tables are allocated: reading the ids of an index that does not fit takes
        // minutes.
        let least = IndexedTexts::least_bytes(documents) + index.weights_bytes();
        memory.check(held + least, || format!("for an index of {documents} documents"))?;
        let mut growing = Growing {
            indexed: IndexedTexts::of(index)?,
            weights: index.weights()?,
            waiting: Vec::new(),
            waiting_bytes: 0,
            added: Added::default(),
        };
        let segment = memory.batch(SEGMENT_BYTES);
        let mut number = 0;
        let lines = incoming_documents(job, index, inputs, true, &mut |document| {
            let document = match document {
                Ok(document) => document,
                Err(row) => {
                    growing.added.read += 1;
                    growing.added.rejected += 1;
                    rejected(&row);
                    return Ok(());
                }
            };
            // Rejected records have no number.
            growing.take(document, &fate(number));
            number += 1;
            memory.check(held + growing.bytes(), || {
                format!("for an index of {} documents", growing.indexed.ids.len())
            })?;
            // The check follows the addition, so a segment exceeds the limit by up to one document.
            if growing.waiting_bytes > segment {
                growing.write(writer, manifest, index.methods.columns)?;
            }
            Ok(())
        })?;
        // The weights refer to segments by index, so they are written after the last segment.
        growing.write(writer, manifest, index.methods.columns)?;
        writer.weights(manifest, &growing.weights)?;
        let mut added = growing.added;
        let columns = Some(inputs.columns()).filter(|columns| !columns.is_empty());
        added.lines = LineFacts::of(columns, &lines, added.read);
        Ok(added)
    }

    /// Makes the added documents part of the index. If `run` is given, it is stored as the run that changed the index last.
    ///
    /// # Errors
    /// If the index cannot be written. Then nothing was changed.
    pub(crate) fn commit(mut self, run: Option<String>) -> Result<(), Error> {
        self.writer.commit(&mut self.manifest, run)
    }
}

/// Documents to be added to an index.
struct Growing {
    indexed: IndexedTexts,
    /// Weights added to documents in written segments.
    weights: weights::Added,
    /// Documents that are not written yet. Their places have the segment [`WAITING`].
    waiting: Vec<IndexedDocument>,
    waiting_bytes: u64,
    added: Added,
}

impl Growing {
    /// Adds a document, or adds to the weight of its representative.
    fn take(&mut self, document: IncomingDocument, fate: &Fate<'_>) {
        let own = document.weight.unwrap_or(Weight::ONE);
        let weight = match fate {
            Fate::Added(weight) => weight.unwrap_or(own),
            &Fate::Known { by, exact } => {
                let there = self.indexed.ids.get(&xxh3_64(by.as_bytes())).copied();
                debug_assert!(there.is_some(), "{by} is not in the index");
                if let Some(there) = there {
                    self.count(there, own.for_other(exact));
                    self.added.counted += 1;
                }
                return;
            }
            Fate::Apart => return,
        };
        self.added.read += 1;
        // A document without tokens has no content to compare and is not stored.
        let Some(text) = document.text else {
            self.added.empty += 1;
            return;
        };
        let place = Place {
            segment: WAITING,
            document: narrow::to_u32(self.waiting.len()), // segments have fewer than 2^32 documents
        };
        match self.indexed.insert(xxh3_64(document.id.as_bytes()), text, place) {
            Ok(()) => self.added.added += 1,
            Err(Met::Text(there)) => {
                self.added.copies += 1;
                return self.count(there, weight);
            }
            Err(Met::Id) => {
                self.added.known_ids += 1;
                return;
            }
        }
        let (content, exact) = text;
        let entry = IndexedDocument {
            id: document.id,
            content,
            exact,
            keys: document.keys,
            features: document.features,
            weight,
            passages: document.passages,
        };
        self.waiting_bytes += size(&entry);
        self.waiting.push(entry);
    }

    /// Adds to the weight of a written or waiting document.
    fn count(&mut self, place: Place, weight: Weight) {
        // The number alone does not identify a waiting document: documents of written segments have small
        // numbers, too.
        match self.waiting.get_mut(place.document as usize) {
            Some(entry) if place.segment == WAITING => entry.weight.add(weight),
            _ => self.weights.entry(place).or_insert(Weight::NONE).add(weight),
        }
    }

    /// Bytes of memory of the value.
    fn bytes(&self) -> u64 {
        let weights = self.weights.len() as u64 * 2 * weights::ADDED_BYTES;
        self.indexed.bytes() + self.waiting_bytes + weights
    }

    /// Writes the waiting documents as a segment.
    fn write(
        &mut self,
        writer: &mut Writer,
        manifest: &mut Manifest,
        columns: KeyColumns,
    ) -> Result<(), Error> {
        let place = narrow::to_u32(manifest.segments.len()); // fewer than 2^32 segments
        // Writing sorts the documents, which gives them their final numbers. `settle` must come after it.
        writer.segment(manifest, &mut self.waiting, columns)?;
        self.indexed.settle(place, &self.waiting);
        self.waiting.clear();
        self.waiting_bytes = 0;
        Ok(())
    }
}

/// Counts of a removal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Removed {
    /// Number of documents removed.
    pub documents: u64,
    /// Number of other documents that these represented. The index does not have their texts, so that it no longer knows them.
    pub stood_for: u64,
}

/// Removes the documents with these ids. Documents that they represented are no longer known either.
///
/// # Errors
/// If the index cannot be read or written. Then nothing was changed.
pub fn remove<'a>(folder: &Path, ids: impl IntoIterator<Item = &'a str>) -> Result<Removed, Error> {
    // Ids are compared by 64-bit hashes, here and when documents are added.
    let (writer, index) = open_to_change(folder)?;
    let weights = index.weights()?;
    let asked: HashSet<u64> = ids.into_iter().map(|id| xxh3_64(id.as_bytes())).collect();
    let mut manifest = index.manifest.clone();
    let mut removed = Removed::default();
    let segments = (0..).zip(&index.manifest.segments);
    for (mut reader, (number, segment)) in index.segments()?.into_iter().zip(segments) {
        let mut found = Vec::new();
        reader.ids(|document, id| {
            if asked.contains(&xxh3_64(id.as_bytes())) {
                found.push(document);
            }
        })?;
        removed.documents += found.len() as u64;
        for &document in &found {
            let place = Place {
                segment: number,
                document,
            };
            let mut weight = reader.weight(document)?;
            weight.add(weights.get(&place).copied().unwrap_or(Weight::NONE));
            removed.stood_for += weight.cluster_size.saturating_sub(1);
        }
        if !found.is_empty() {
            // A document is removed at most once: `ids` visits live documents only.
            let list = manifest.removed.entry(segment.file.clone()).or_default();
            list.extend(found);
            list.sort_unstable();
        }
    }
    writer.commit(&mut manifest, None)?;
    Ok(removed)
}

/// Adds the documents of other indexes with the same settings. Documents whose text or id is already present are not added.
///
/// # Errors
/// If settings differ, an index cannot be read or written, or the memory ceiling in `settings` is too low. Then nothing was changed. Other
/// settings are ignored.
pub fn merge(folder: &Path, others: &[&Path], settings: &Settings) -> Result<Merged, Error> {
    let (mut writer, index) = open_to_change(folder)?;
    let mut manifest = index.manifest.clone();
    let others = others.iter().map(|folder| {
        let other = Index::open(folder, &Settings::default())?;
        check_settings(folder, &other.manifest.settings, &index.manifest.settings)?;
        if other.manifest.passages != index.manifest.passages {
            return Err(Error::usage(format!(
                "the index `{}` does not hold the passages that `{}` holds",
                folder.display(),
                index.folder.display()
            ))
            .with_path(folder)
            .with_help("merge indexes that were made with the same `--passages`"));
        }
        Ok(other)
    });
    let others: Vec<Index> = others.collect::<Result<_, Error>>()?;
    let both = || others.iter().chain([&index]);
    let documents: u64 = both().map(|index| index.stats().documents).sum();
    let segments = others.iter().map(Index::longest_segment);
    let weights: u64 = both().map(Index::weights_bytes).sum();
    let needed = IndexedTexts::least_bytes(documents) + segments.max().unwrap_or(0) + weights;
    MemoryCeiling::of(settings).check(needed, || format!("for an index of {documents} documents"))?;
    let mut indexed = IndexedTexts::of(&index)?;
    let mut weights = index.weights()?;
    let mut merged = Merged::default();
    for other in &others {
        let theirs = other.weights()?;
        for (segment, mut reader) in (0..).zip(other.segments()?) {
            let later = |document| theirs.get(&Place { segment, document }).copied();
            let mut entries = reader.entries(index.methods.columns.layout, later)?;
            let (before, place) = (entries.len(), narrow::to_u32(manifest.segments.len())); // fewer than 2^32 segments
            entries.retain(|entry| {
                // Texts and ids are unique within an index, so that no entry is a duplicate of a waiting
                // one of this segment.
                let waiting = Place {
                    segment: WAITING,
                    document: 0,
                };
                match indexed.insert(xxh3_64(entry.id.as_bytes()), entry.text(), waiting) {
                    Ok(()) => return true,
                    // The document is a copy of a present one, which takes over its whole weight.
                    Err(Met::Text(there)) => {
                        debug_assert!(there.segment != WAITING, "a segment has a text twice");
                        weights.entry(there).or_insert(Weight::NONE).add(entry.weight);
                    }
                    Err(Met::Id) => {}
                }
                false
            });
            merged.added += entries.len() as u64;
            merged.known += (before - entries.len()) as u64;
            writer.segment(&mut manifest, &mut entries, index.methods.columns)?;
            indexed.settle(place, &entries);
        }
    }
    writer.weights(&mut manifest, &weights)?;
    writer.commit(&mut manifest, None)?;
    Ok(merged)
}

/// Merges small segments and drops removed documents. Answers do not change. An index that is compact is left as it is.
///
/// # Errors
/// If the index cannot be read or written, or the memory ceiling in `settings` is too low. Then nothing was changed. Other settings are
/// ignored.
pub fn compact(folder: &Path, settings: &Settings) -> Result<(), Error> {
    let (mut writer, index) = open_to_change(folder)?;
    let memory = MemoryCeiling::of(settings);
    let segment = memory.batch(SEGMENT_BYTES);
    memory.check(index.longest_segment() + segment + index.weights_bytes(), || {
        "for the longest segment of the index".to_owned()
    })?;
    if index.is_compact(segment) {
        // A run that was interrupted after its work may have left files.
        writer.clean(&index.manifest);
        return Ok(());
    }
    let mut manifest = index.manifest.clone();
    manifest.segments.clear();
    manifest.removed.clear();
    // The added weights become part of the documents in the new segments.
    manifest.weights = None;
    let weights = index.weights()?;
    let (mut entries, mut bytes) = (Vec::new(), 0);
    for (number, mut reader) in (0..).zip(index.segments()?) {
        let later = |document| {
            let place = Place {
                segment: number,
                document,
            };
            weights.get(&place).copied()
        };
        for entry in reader.entries(index.methods.columns.layout, later)? {
            bytes += size(&entry);
            entries.push(entry);
            if bytes > segment {
                writer.segment(&mut manifest, &mut entries, index.methods.columns)?;
                entries.clear();
                bytes = 0;
            }
        }
    }
    writer.segment(&mut manifest, &mut entries, index.methods.columns)?;
    writer.commit(&mut manifest, None)
}
