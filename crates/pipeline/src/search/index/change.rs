//! What changes an index.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::path::Path;

use dehusk_dedup::candidates::KeyColumns;
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
use crate::search::index::segment::{IndexedDocument, TextHash};
use crate::search::index::store::{
    DOCUMENT_BYTES, FORMAT, Index, KIND, Manifest, Methods, Writer, banding_pair, check_settings, effective,
};
use crate::search::index::weights::{self, Place};
use crate::search::memory::MemoryCeiling;
use crate::settings::table::Settings;
use crate::write::summary::Added;

/// What came of a merge.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Merged {
    /// Documents taken over.
    pub added: u64,
    /// Documents whose text or id the index had already.
    pub known: u64,
}

/// Bytes of documents that go into one segment, unless memory is short. Answers do not depend on it.
const SEGMENT_BYTES: u64 = 256 << 20;

/// Starts an index, or opens the one that is there to change it.
fn open_or_create(folder: &Path, settings: &Settings) -> Result<Index, Error> {
    if Index::is_in(folder) {
        return Index::open(folder, settings);
    }
    let methods = Methods::new(settings)?;
    Ok(Index {
        folder: folder.to_owned(),
        manifest: Manifest {
            tool: TOOL.to_owned(),
            version: VERSION.to_owned(),
            kind: KIND.to_owned(),
            format_version: FORMAT,
            settings: effective(settings)?,
            banding: methods.matcher.banding().map(banding_pair),
            columns: methods.columns.columns,
            segments: Vec::new(),
            removed: std::collections::BTreeMap::new(),
            weights: None,
            next: 1,
            last_run: None,
            checksum: String::new(),
        },
        settings: settings.clone(),
        methods,
    })
}

/// The index that is there, to be changed.
fn open_to_change(folder: &Path) -> Result<(Writer, Index), Error> {
    Index::open(folder, &Settings::default())?; // fails before a lock file is made where there is no index
    let writer = Writer::open(folder, &Cancel::new())?;
    Ok((writer, Index::open(folder, &Settings::default())?))
}

/// Texts and ids of the documents that an index holds already, and where these are.
struct IndexedTexts {
    /// By the halves of the content hash and the hash of the text.
    texts: HashMap<[u64; 3], Place>,
    /// By hash of the id.
    ids: HashMap<u64, Place>,
}

/// The segment of documents that are not written yet: the place of such a document is that among those that wait.
const WAITING: u32 = u32::MAX;

/// The three words of the hashes of a document: a tuple of them would take a third more room.
fn words((content, exact): TextHash) -> [u64; 3] {
    [content as u64, (content >> 64) as u64, exact]
}

impl IndexedTexts {
    fn of(index: &Index) -> Result<Self, Error> {
        let documents = index.stats().documents as usize;
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

    /// Takes up a document that is put at this place, unless its text or its id is there.
    fn insert(&mut self, id: u64, text: TextHash, place: Place) -> Result<(), Met> {
        if let Some(&there) = self.texts.get(&words(text)) {
            return Err(Met::Text(there));
        }
        match self.ids.entry(id) {
            Entry::Occupied(_) => return Err(Met::Id),
            Entry::Vacant(vacant) => vacant.insert(place),
        };
        self.texts.insert(words(text), place);
        Ok(())
    }

    /// Moves documents that waited to where they were written.
    fn settle(&mut self, segment: u32, written: &[IndexedDocument]) {
        for (document, entry) in (0..).zip(written) {
            let place = Place { segment, document };
            self.texts.insert(words(entry.text()), place);
            self.ids.insert(xxh3_64(entry.id.as_bytes()), place);
        }
    }

    /// Bytes of memory that those of so many documents take: of the places of a hash table, which are a power of two, at most seven in
    /// eight are taken.
    fn least_bytes(documents: u64) -> u64 {
        (documents * 8 / 7).next_power_of_two() * (TEXT_BYTES + ID_BYTES)
    }

    /// Bytes of memory that this takes.
    fn bytes(&self) -> u64 {
        self.texts.capacity() as u64 * TEXT_BYTES + self.ids.capacity() as u64 * ID_BYTES
    }
}

/// Bytes that a place of the tables of texts and of ids takes.
const TEXT_BYTES: u64 = (size_of::<([u64; 3], Place)>() + 1) as u64;
const ID_BYTES: u64 = (size_of::<(u64, Place)>() + 1) as u64;

/// Why a document is not taken up.
enum Met {
    /// Its text is there.
    Text(Place),
    /// Its id is there, with another text.
    Id,
}

fn size(entry: &IndexedDocument) -> u64 {
    (entry.id.len() + 8 * (entry.keys.len() + entry.features.len())) as u64 + DOCUMENT_BYTES
}

/// Adds the documents of the job's inputs to the index in `folder`, which is made if there is none.
///
/// A document whose text the index has already is an exact duplicate and is not added; one whose id it has is not added either:
/// remove the old one first. `rejected` is called with every rejected record.
///
/// # Errors
/// If an input cannot be read, settings are not those of the index, or it cannot be written. Then nothing was changed.
pub fn add(job: &Job<'_>, folder: &Path, rejected: &mut dyn FnMut(&Rejected)) -> Result<Added, Error> {
    let inputs = job.open(RecordKind::Documents)?;
    let mut growth = Growth::open(folder, job)?;
    let added = growth.add(job, &inputs, 0, &|_| Fate::Added(None), rejected)?;
    growth.commit(None)?;
    Ok(added)
}

/// What a document is to an index that grows.
pub(crate) enum Fate<'f> {
    /// It is added with this weight, or with the weight of its record if it is `None`.
    Added(Option<Weight>),
    /// A document of the index, of this id, stands for it; `exact` if that has its text.
    Known {
        /// The id of that document.
        by: &'f str,
        /// Whether it has the same text.
        exact: bool,
    },
    /// Another new document stands for it, if any does.
    Apart,
}

/// An index that documents are added to. Nobody else can change it meanwhile.
pub(crate) struct Growth {
    writer: Writer,
    index: Index,
    /// What the index will be.
    manifest: Manifest,
}

impl Growth {
    /// Opens the index in `folder`, or begins one.
    ///
    /// # Errors
    /// If settings are not those of the index, it cannot be changed, or one of its files is read by the job.
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

    /// The index as it was when it was opened.
    pub(crate) fn index(&self) -> &Index {
        &self.index
    }

    /// Adds documents of inputs, or counts them for those that are there, as `fate` says by their numbers. They are part of the index once it is
    /// [committed](Self::commit). `held` are the bytes that the caller keeps meanwhile.
    ///
    /// # Errors
    /// If an input cannot be read, the index cannot be written, or the memory is too little.
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
            growing.take(document, &fate(number));
            number += 1;
            memory.check(held + growing.bytes(), || {
                format!("for an index of {} documents", growing.indexed.ids.len())
            })?;
            if growing.waiting_bytes > segment {
                growing.write(writer, manifest, index.methods.columns)?;
            }
            Ok(())
        })?;
        growing.write(writer, manifest, index.methods.columns)?;
        writer.weights(manifest, &growing.weights)?;
        let mut added = growing.added;
        let columns = Some(inputs.columns()).filter(|columns| !columns.is_empty());
        added.lines = LineFacts::of(columns, &lines, added.read);
        Ok(added)
    }

    /// Makes the documents part of the index, which remembers the run that added them, if it has a name.
    ///
    /// # Errors
    /// If the index cannot be written. Then nothing was changed.
    pub(crate) fn commit(mut self, run: Option<String>) -> Result<(), Error> {
        self.writer.commit(&mut self.manifest, run)
    }
}

/// Documents on their way into an index.
struct Growing {
    indexed: IndexedTexts,
    /// Weights that are added to documents of the segments that are written.
    weights: weights::Added,
    /// Documents that are not written yet. Their places have the segment [`WAITING`].
    waiting: Vec<IndexedDocument>,
    waiting_bytes: u64,
    added: Added,
}

impl Growing {
    /// Adds a document, or counts it for the one that stands for it.
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
        let Some(text) = document.text else {
            self.added.empty += 1;
            return;
        };
        let place = Place {
            segment: WAITING,
            document: self.waiting.len() as u32, // a segment has fewer
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
        };
        self.waiting_bytes += size(&entry);
        self.waiting.push(entry);
    }

    /// Adds to the weight of a document that is written or waits.
    fn count(&mut self, place: Place, weight: Weight) {
        match self.waiting.get_mut(place.document as usize) {
            Some(entry) if place.segment == WAITING => entry.weight.add(weight),
            _ => self.weights.entry(place).or_insert(Weight::NONE).add(weight),
        }
    }

    /// Bytes of memory that this takes.
    fn bytes(&self) -> u64 {
        let weights = self.weights.len() as u64 * 2 * weights::ADDED_BYTES;
        self.indexed.bytes() + self.waiting_bytes + weights
    }

    /// Writes the documents that wait as a segment.
    fn write(
        &mut self,
        writer: &mut Writer,
        manifest: &mut Manifest,
        columns: KeyColumns,
    ) -> Result<(), Error> {
        let place = manifest.segments.len() as u32; // segments are few
        // Writing sorts them, which gives the numbers that they have from then on.
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
    /// Documents removed.
    pub documents: u64,
    /// Other documents that they stood for. The index has no text of these, so that it knows them no longer.
    pub stood_for: u64,
}

/// Removes the documents of these ids. Documents that they stood for are new to the index from then on, too.
///
/// # Errors
/// If the index cannot be read or written. Then nothing was changed.
pub fn remove<'a>(folder: &Path, ids: impl IntoIterator<Item = &'a str>) -> Result<Removed, Error> {
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
            let list = manifest.removed.entry(segment.file.clone()).or_default();
            list.extend(found);
            list.sort_unstable();
        }
    }
    writer.commit(&mut manifest, None)?;
    Ok(removed)
}

/// Takes over the documents of other indexes, which must be of the same settings; texts and ids that are there already
/// stay as they are.
///
/// # Errors
/// If settings differ, an index cannot be read or written, or the memory of `settings`, of which nothing else counts, is too little. Then
/// nothing was changed.
pub fn merge(folder: &Path, others: &[&Path], settings: &Settings) -> Result<Merged, Error> {
    let (mut writer, index) = open_to_change(folder)?;
    let mut manifest = index.manifest.clone();
    let others = others.iter().map(|folder| {
        let other = Index::open(folder, &Settings::default())?;
        check_settings(folder, &other.manifest.settings, &index.manifest.settings)?;
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
            let (before, place) = (entries.len(), manifest.segments.len() as u32); // segments are few
            entries.retain(|entry| {
                // No two documents of a segment have the same text or id, so that none is counted for one that waits.
                let waiting = Place {
                    segment: WAITING,
                    document: 0,
                };
                match indexed.insert(xxh3_64(entry.id.as_bytes()), entry.text(), waiting) {
                    Ok(()) => return true,
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

/// Writes small segments together and leaves removed documents out. Answers stay the same.
///
/// # Errors
/// If the index cannot be read or written, or the memory of `settings`, of which nothing else counts, is too little. Then nothing was
/// changed.
pub fn compact(folder: &Path, settings: &Settings) -> Result<(), Error> {
    let (mut writer, index) = open_to_change(folder)?;
    let memory = MemoryCeiling::of(settings);
    let segment = memory.batch(SEGMENT_BYTES);
    memory.check(index.longest_segment() + segment + index.weights_bytes(), || {
        "for the longest segment of the index".to_owned()
    })?;
    let mut manifest = index.manifest.clone();
    manifest.segments.clear();
    manifest.removed.clear();
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
