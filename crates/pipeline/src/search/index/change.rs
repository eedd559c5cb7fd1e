//! What changes an index.

use std::collections::HashSet;
use std::path::Path;

use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use crate::error::Error;
use crate::exec::cancel::Cancel;
use crate::job::Job;
use crate::read::inputs::{Inputs, RecordKind};
use crate::read::line::LineFacts;
use crate::record::Rejected;
use crate::record::header::{TOOL, VERSION};
use crate::search::index::lookup::IncomingDocument;
use crate::search::index::query::incoming_documents;
use crate::search::index::segment::{IndexedDocument, TextHash};
use crate::search::index::store::{
    DOCUMENT_BYTES, FORMAT, Index, KIND, Manifest, Methods, Writer, banding_pair, check_settings, effective,
};
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

/// Texts and ids of the documents that an index holds already.
struct IndexedTexts {
    /// The halves of the content hash and the hash of the text.
    texts: HashSet<[u64; 3]>,
    ids: HashSet<u64>,
}

/// The three words of the hashes of a document: a tuple of them would take a third more room.
fn words((content, exact): TextHash) -> [u64; 3] {
    [content as u64, (content >> 64) as u64, exact]
}

impl IndexedTexts {
    fn of(index: &Index) -> Result<Self, Error> {
        let documents = index.stats().documents as usize;
        let mut texts = HashSet::with_capacity(documents);
        let mut ids = HashSet::with_capacity(documents);
        for mut reader in index.segments()? {
            reader.texts(|text| {
                texts.insert(words(text));
            })?;
            reader.ids(|_, id| {
                ids.insert(xxh3_64(id.as_bytes()));
            })?;
        }
        Ok(Self { texts, ids })
    }

    /// Bytes of memory that those of so many documents take: of the places of a hash table, which are a power of two, at most seven in
    /// eight are taken.
    fn least_bytes(documents: u64) -> u64 {
        (documents * 8 / 7).next_power_of_two() * (size_of::<[u64; 3]>() + size_of::<u64>() + 2) as u64
    }

    /// Bytes of memory that this takes.
    fn bytes(&self) -> u64 {
        (self.texts.capacity() * (size_of::<[u64; 3]>() + 1) + self.ids.capacity() * (size_of::<u64>() + 1))
            as u64
    }
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
    let added = growth.add(job, &inputs, 0, &|_| true, rejected)?;
    growth.commit(None)?;
    Ok(added)
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

    /// Adds those documents of inputs that `wanted` says by their numbers. They are part of the index once it is
    /// [committed](Self::commit). `held` are the bytes that the caller keeps meanwhile.
    ///
    /// # Errors
    /// If an input cannot be read, the index cannot be written, or the memory is too little.
    pub(crate) fn add(
        &mut self,
        job: &Job<'_>,
        inputs: &Inputs,
        held: u64,
        wanted: &dyn Fn(u32) -> bool,
        rejected: &mut dyn FnMut(&Rejected),
    ) -> Result<Added, Error> {
        let Growth {
            writer,
            index,
            manifest,
        } = self;
        let memory = MemoryCeiling::of(job.settings);
        let documents = index.stats().documents;
        memory.check(held + IndexedTexts::least_bytes(documents), || {
            format!("for an index of {documents} documents")
        })?;
        let mut indexed = IndexedTexts::of(index)?;
        let segment = memory.batch(SEGMENT_BYTES);
        let (mut added, mut entries, mut bytes) = (Added::default(), Vec::new(), 0);
        let mut number = 0;
        let lines = incoming_documents(job, index, inputs, &mut |incoming_document| {
            let IncomingDocument {
                id,
                text,
                keys,
                features,
            } = match incoming_document {
                Ok(incoming_document) => incoming_document,
                Err(row) => {
                    added.read += 1;
                    added.rejected += 1;
                    rejected(&row);
                    return Ok(());
                }
            };
            number += 1;
            if !wanted(number - 1) {
                return Ok(());
            }
            added.read += 1;
            let Some(text) = text else {
                added.empty += 1;
                return Ok(());
            };
            if indexed.texts.contains(&words(text)) {
                added.copies += 1;
            } else if !indexed.ids.insert(xxh3_64(id.as_bytes())) {
                added.known_ids += 1;
            } else {
                indexed.texts.insert(words(text));
                added.added += 1;
                let (content, exact) = text;
                let entry = IndexedDocument {
                    id,
                    content,
                    exact,
                    keys,
                    features,
                };
                bytes += size(&entry);
                entries.push(entry);
                memory.check(held + indexed.bytes() + bytes, || {
                    format!("for an index of {} documents", indexed.ids.len())
                })?;
                if bytes > segment {
                    writer.segment(manifest, &mut entries, index.methods.columns)?;
                    entries.clear();
                    bytes = 0;
                }
            }
            Ok(())
        })?;
        writer.segment(manifest, &mut entries, index.methods.columns)?;
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

/// Removes the documents of these ids; returns how many there were.
///
/// # Errors
/// If the index cannot be read or written. Then nothing was changed.
pub fn remove<'a>(folder: &Path, ids: impl IntoIterator<Item = &'a str>) -> Result<u64, Error> {
    let (writer, index) = open_to_change(folder)?;
    let asked: HashSet<u64> = ids.into_iter().map(|id| xxh3_64(id.as_bytes())).collect();
    let mut manifest = index.manifest.clone();
    let mut removed = 0;
    for (mut reader, segment) in index.segments()?.into_iter().zip(&index.manifest.segments) {
        let mut found = Vec::new();
        reader.ids(|document, id| {
            if asked.contains(&xxh3_64(id.as_bytes())) {
                found.push(document);
            }
        })?;
        removed += found.len() as u64;
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
    let needed = IndexedTexts::least_bytes(documents) + segments.max().unwrap_or(0);
    MemoryCeiling::of(settings).check(needed, || format!("for an index of {documents} documents"))?;
    let mut indexed = IndexedTexts::of(&index)?;
    let mut merged = Merged::default();
    for other in &others {
        for mut reader in other.segments()? {
            let mut entries = reader.entries(index.methods.columns.layout)?;
            let before = entries.len();
            entries.retain(|entry| {
                let id = xxh3_64(entry.id.as_bytes());
                let new = !indexed.texts.contains(&words(entry.text())) && !indexed.ids.contains(&id);
                if new {
                    indexed.texts.insert(words(entry.text()));
                    indexed.ids.insert(id);
                }
                new
            });
            merged.added += entries.len() as u64;
            merged.known += (before - entries.len()) as u64;
            writer.segment(&mut manifest, &mut entries, index.methods.columns)?;
        }
    }
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
    memory.check(index.longest_segment() + segment, || {
        "for the longest segment of the index".to_owned()
    })?;
    let mut manifest = index.manifest.clone();
    manifest.segments.clear();
    manifest.removed.clear();
    let (mut entries, mut bytes) = (Vec::new(), 0);
    for mut reader in index.segments()? {
        for entry in reader.entries(index.methods.columns.layout)? {
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
