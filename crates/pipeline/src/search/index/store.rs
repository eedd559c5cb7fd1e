//! Storage of an index: its manifest, its segments, and the writer that changes them.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dehusk_dedup::candidates::KeyColumns;
use dehusk_dedup::{Banding, BatchMaker, CompiledOptions, Matcher};
use dehusk_normalize::Profile;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use xxhash_rust::xxh3::xxh3_64;

use crate::error::Error;
use crate::exec::cancel::Cancel;
use crate::exec::disk;
use crate::kernel::sign::SignerMaker;
use crate::kernel::units::UnitCutter;
use crate::record::header::{MARKER, TOOL, VERSION};
use crate::search::index::segment::{self, Segment, SegmentReader};
use crate::search::index::weights::{self, WeightsFile, weights_name};
use crate::settings::PassageUnitName;
use crate::settings::table::Settings;
use crate::write::file::{Finished, OutFile, remove_partial, sync_folder};
use crate::write::lock::{FolderLock, LockError};

/// File name of the manifest.
pub(super) const MANIFEST: &str = "index.json";
/// Value of the field `kind` of the manifest.
pub(super) const KIND: &str = "index";
/// Format version, raised when a reader of old files would misread new ones.
///
/// Version 2 added checksums, keys of 48 bits, and documents sorted by content. Version 3 added hashes of
/// texts (equal for exact duplicates) and the weights of documents.
pub(super) const FORMAT: u32 = 3;
/// Format version of an index with passages.
const FORMAT_PASSAGES: u32 = 4;

/// Remedy for an index that cannot be used.
const MAKE_AGAIN: &str =
    "put back a copy of the whole index, or make one in a new folder from its documents with `index add`";

/// Settings that must be equal for all documents of an index, in the order of the manifest.
const IDENTITY_SETTINGS: [&str; 13] = [
    "profile",
    "passes",
    "exact-profile",
    "symbol-share",
    "threshold",
    "shingle",
    "unit",
    "signature",
    "terms",
    "candidates",
    "similarity",
    "min-tokens",
    "short-docs",
];

/// The manifest of an index: its settings, and the files that belong to it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Manifest {
    pub(super) tool: String,
    pub(super) version: String,
    pub(super) kind: String,
    pub(super) format_version: u32,
    pub(super) settings: Map<String, Value>,
    /// Number of bands of signatures, and number of values in a band; `None` unless candidates come from banding.
    pub(super) banding: Option<(u32, u32)>,
    /// Number of keys of a document.
    pub(super) columns: u32,
    pub(super) segments: Vec<Segment>,
    /// Numbers of removed documents in ascending order, by segment.
    pub(super) removed: BTreeMap<String, Vec<u32>>,
    /// File of the weights added to documents after they were added; `None` if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) weights: Option<WeightsFile>,
    /// How documents are cut into passages; `None` in an index without them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) passages: Option<IndexPassages>,
    /// Number of the next file.
    pub(super) next: u64,
    /// The run that changed the index last; `None` if it cannot be resumed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) last_run: Option<String>,
    /// Checksum of all other fields, in hexadecimal digits.
    pub(super) checksum: String,
}

/// Fields that all versions of a manifest have.
#[derive(Deserialize)]
struct ManifestHead {
    tool: String,
    version: String,
    kind: String,
    format_version: u32,
}

impl Manifest {
    /// The checksum of all other fields.
    pub(super) fn expected_checksum(&self) -> Option<String> {
        // The checksum cannot cover itself, so the field is empty while it is computed.
        let rest = Self {
            checksum: String::new(),
            ..self.clone()
        };
        let text = serde_json::to_vec(&rest).ok()?;
        Some(format!("{:016x}", xxh3_64(&text)))
    }

    /// Parses the manifest of the index in a folder.
    fn read(folder: &Path, text: &[u8]) -> Result<Self, Error> {
        let (path, shown) = (folder.join(MANIFEST), folder.display());
        let damaged = || {
            Error::usage(format!("`{}` is damaged or was changed", path.display()))
                .with_path(&path)
                .with_help(MAKE_AGAIN)
        };
        // Two steps: a file of another program or version gets a precise error before fields are required
        // that it might not have.
        let object: Value = serde_json::from_slice(text).map_err(|_| damaged())?;
        let head = ManifestHead::deserialize(&object)
            .ok()
            .filter(|head| head.tool == TOOL && head.kind == KIND)
            .ok_or_else(|| Error::usage(format!("`{shown}` holds no index of {TOOL}")).with_path(folder))?;
        if ![FORMAT, FORMAT_PASSAGES].contains(&head.format_version) {
            return Err(Error::usage(format!(
                "`{shown}` has format version {}, written by {TOOL} {}; this is {TOOL} {VERSION} with format versions {FORMAT} and {FORMAT_PASSAGES}",
                head.format_version, head.version
            ))
            .with_path(folder)
            .with_help("make the index again in a new folder from its documents with `index add`"));
        }
        Self::deserialize(&object)
            .ok()
            .filter(|manifest| manifest.expected_checksum().as_ref() == Some(&manifest.checksum))
            .ok_or_else(damaged)
    }
}

/// How an index cuts documents into passages. Their profile is that of the index.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct IndexPassages {
    /// `line`, `sentence`, `paragraph` or `tokens`.
    pub unit: String,
    /// Minimum number of tokens of a line, sentence or paragraph.
    pub min_unit: u32,
}

impl IndexPassages {
    /// The passages that settings ask for; `None` if they ask for none.
    pub(super) fn of(settings: &Settings) -> Option<Self> {
        Some(Self {
            unit: settings.passages?.to_string(),
            min_unit: settings.min_unit.map_or(1, |least| least.0),
        })
    }
}

/// The format version of an index that cuts documents into `passages`, or holds none.
pub(super) fn format_of(passages: Option<&IndexPassages>) -> u32 {
    if passages.is_some() {
        FORMAT_PASSAGES
    } else {
        FORMAT
    }
}

/// Name of the segment file with this number.
fn segment_name(number: u64) -> String {
    format!("{number:06}.segment")
}

impl Manifest {
    /// Whether the figures are consistent.
    ///
    /// Each segment has a unique file name with a number below `next`, and a size that matches its contents; removed documents belong to
    /// segments. All code that reads or changes the index relies on this.
    fn is_sound(&self) -> bool {
        let mut documents: BTreeMap<&str, u64> = BTreeMap::new();
        let mut bytes = Some(0_u64);
        for segment in &self.segments {
            bytes = bytes.and_then(|bytes| bytes.checked_add(segment.bytes));
            let number = segment.file.strip_suffix(".segment").and_then(|n| n.parse().ok());
            // A name such as `../x.segment` or `7.segment` fails here: only `segment_name` writes names.
            let ours = number.is_some_and(|n| n < self.next && segment.file == segment_name(n));
            let sized = segment.expected_bytes(self.columns) == Some(segment.bytes);
            let first = documents.insert(&segment.file, segment.documents).is_none();
            let passages = segment.passages.is_some() == self.passages.is_some();
            if !(ours && sized && first && passages && segment.documents <= u64::from(u32::MAX)) {
                return false;
            }
        }
        let removed = |(file, list): (&String, &Vec<u32>)| {
            let ascend = list.is_sorted_by(|a, b| a < b);
            let last = list.last().map_or(0, |last| u64::from(*last) + 1);
            ascend && documents.get(file.as_str()).is_some_and(|count| last <= *count)
        };
        let weights = self
            .weights
            .as_ref()
            .is_none_or(|weights| weights.is_sound(self.next));
        let version = format_of(self.passages.as_ref()) == self.format_version;
        // Half of the range leaves room for every file that a change adds, so `next += 1` cannot overflow.
        version && bytes.is_some() && self.next <= u64::MAX / 2 && self.removed.iter().all(removed) && weights
    }
}

/// Figures of an index.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct IndexStats {
    /// Number of documents in the index.
    pub documents: u64,
    /// Number of removed documents that still take space, until the index is compacted.
    pub removed: u64,
    /// Number of files with documents.
    pub segments: u64,
    /// Total size of these files in bytes.
    pub bytes: u64,
    /// Number of feature values; for Jaccard similarity these are shingles.
    pub feature_words: u64,
    /// Number of bands of signatures, and number of values in a band; `None` unless candidates come from banding.
    pub banding: Option<(u32, u32)>,
    /// Settings with which documents were signed.
    pub settings: Map<String, Value>,
    /// How documents are cut into passages; left out in an index without them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passages: Option<IndexPassages>,
}

/// An index opened for reading.
///
/// ```
/// use dehusk_pipeline::index::{self, Index};
/// use dehusk_pipeline::{Cancel, Job, Settings};
///
/// let folder = tempfile::tempdir()?;
/// let (documents, of_index) = (folder.path().join("documents.jsonl"), folder.path().join("index"));
/// std::fs::write(&documents, "{\"id\":\"a\",\"text\":\"The river rose overnight.\"}\n")?;
/// let (inputs, settings, cancel) = ([documents.display().to_string()], Settings::default(), Cancel::new());
/// let job = Job::new(&inputs, &settings, &cancel);
/// index::add(&job, &of_index, &mut |_| ())?;
///
/// let mut answers = Vec::new();
/// let index = Index::open(&of_index, &settings)?;
/// index::query(&job, &index, &mut answers, &mut |_| ())?;
/// assert!(String::from_utf8(answers)?.contains(r#""method":"exact""#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Index {
    pub(super) folder: PathBuf,
    pub(super) manifest: Manifest,
    pub(super) settings: Settings,
    pub(super) methods: Methods,
}

/// The methods of an index, by which documents are signed, found and compared.
pub(super) struct Methods {
    pub(super) signers: SignerMaker,
    pub(super) maker: BatchMaker,
    pub(super) matcher: Matcher,
    pub(super) columns: KeyColumns,
    /// Name of the similarity.
    pub(super) similarity: &'static str,
}

/// Bytes of memory of a document of a segment, besides its id, keys and features.
pub(super) const DOCUMENT_BYTES: u64 = 152;

impl Index {
    /// Opens the index in a folder.
    ///
    /// Given settings must equal those of the index. Missing settings are taken from the index.
    ///
    /// # Errors
    /// If the folder has no index of this program, or a setting differs. The error shows both values.
    pub fn open(folder: &Path, given: &Settings) -> Result<Self, Error> {
        let path = folder.join(MANIFEST);
        let text = fs::read(&path).map_err(|error| {
            let missing = error.kind() == io::ErrorKind::NotFound;
            let wrong = Error::input(&path, error);
            if missing {
                let folder = folder.display();
                wrong.with_help(format!(
                    "there is no index in `{folder}`: make one with `{TOOL} index add {folder} DOCUMENTS`"
                ))
            } else {
                wrong
            }
        })?;
        let shown = folder.display();
        let manifest = Manifest::read(folder, &text)?;
        if !manifest.is_sound() {
            return Err(
                Error::usage(format!("the figures of `{shown}` contradict each other"))
                    .with_path(&path)
                    .with_help(MAKE_AGAIN),
            );
        }
        let stored = settings_of(&manifest.settings).ok_or_else(|| {
            Error::usage(format!("`{shown}` has settings that cannot be read")).with_path(folder)
        })?;
        let settings = given.clone().or(stored);
        // The given settings come first in `or`, so a setting that differs from the stored one is found
        // here.
        check_settings(folder, &manifest.settings, &effective(&settings)?)?;
        let methods = Methods::new(&settings)?;
        // The number of bands follows from the threshold and the signature width. A version that derives it
        // in another way would look up other keys.
        let banding = methods.matcher.banding().map(banding_pair);
        if banding != manifest.banding || methods.columns.columns != manifest.columns {
            let tell = |banding: Option<(u32, u32)>| {
                banding.map_or("none".to_owned(), |(bands, rows)| {
                    format!("{bands} bands of {rows} rows")
                })
            };
            return Err(Error::usage(format!(
                "`{shown}` was made with {}, but these settings give {}",
                tell(manifest.banding),
                tell(banding)
            ))
            .with_path(folder)
            .with_help("make the index again with this version"));
        }
        Ok(Self {
            folder: folder.to_owned(),
            manifest,
            settings,
            methods,
        })
    }

    /// Whether a folder has an index.
    pub(crate) fn is_in(folder: &Path) -> bool {
        folder.join(MANIFEST).exists()
    }

    /// The settings of the index.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// A text that changes with every change of the index: the checksum of the manifest.
    pub(crate) fn state(&self) -> &str {
        &self.manifest.checksum
    }

    /// The run that changed the index last; `None` if it cannot be resumed.
    pub(crate) fn last_run(&self) -> Option<&str> {
        self.manifest.last_run.as_deref()
    }

    /// The figures of the index.
    #[must_use]
    pub fn stats(&self) -> IndexStats {
        let sum = |of: fn(&Segment) -> u64| self.manifest.segments.iter().map(of).sum::<u64>();
        let removed = self.manifest.removed.values().map(|list| list.len() as u64).sum();
        IndexStats {
            documents: sum(|segment| segment.documents).saturating_sub(removed),
            removed,
            segments: self.manifest.segments.len() as u64,
            bytes: sum(|segment| segment.bytes),
            feature_words: sum(|segment| segment.feature_words),
            banding: self.manifest.banding,
            settings: self.manifest.settings.clone(),
            passages: self.manifest.passages.clone(),
        }
    }

    /// Cuts documents into the passages that the index holds; `None` if it holds none.
    pub(super) fn cutter(&self) -> Option<UnitCutter> {
        let passages = self.manifest.passages.as_ref()?;
        let unit: PassageUnitName = passages.unit.parse().ok()?;
        Some(UnitCutter::new(unit.0, self.settings.profile()).with_least(passages.min_unit))
    }

    /// Whether the index holds passages.
    pub(crate) fn has_passages(&self) -> bool {
        self.manifest.passages.is_some()
    }

    /// Checks that the index holds passages of this unit and normalization.
    ///
    /// # Errors
    /// If it holds none or others. The error shows both.
    pub(crate) fn check_passages(&self, unit: &str, min_unit: u32, profile: &Profile) -> Result<(), Error> {
        let shown = self.folder.display();
        let wrong = |option: &'static str, message: String| {
            Error::usage(message)
                .with_path(&self.folder)
                .with_option(option)
                .with_help("use the settings of the index, or make another index with `index add --passages`")
        };
        let Some(passages) = &self.manifest.passages else {
            return Err(wrong("against", format!("the index `{shown}` holds no passages")));
        };
        let ours = self.settings.profile();
        if ours.fingerprint() != profile.fingerprint() {
            let message = format!(
                "the index `{shown}` was made with profile {}, but these settings have {}",
                ours.name(),
                profile.name()
            );
            return Err(wrong("profile", message));
        }
        if (passages.unit.as_str(), passages.min_unit) != (unit, min_unit) {
            let shown_unit = |unit: &str, least: u32| match least {
                1 => unit.to_owned(),
                _ => format!("{unit} of {least} and more tokens"),
            };
            let message = format!(
                "the index `{shown}` holds passages by {}, but these settings ask for {}",
                shown_unit(&passages.unit, passages.min_unit),
                shown_unit(unit, min_unit)
            );
            return Err(wrong("unit", message));
        }
        Ok(())
    }

    /// Bytes of memory that the documents of the longest segment take when they are read as a whole.
    pub(super) fn longest_segment(&self) -> u64 {
        let bytes = |segment: &Segment| segment.bytes + segment.documents * DOCUMENT_BYTES;
        self.manifest.segments.iter().map(bytes).max().unwrap_or(0)
    }

    /// True if all documents are there, with their weights, and no two adjacent segments fit into one of `bytes` bytes.
    pub(super) fn is_compact(&self, bytes: u64) -> bool {
        let Manifest {
            segments,
            removed,
            weights,
            ..
        } = &self.manifest;
        let fits = |two: &[Segment]| two[0].bytes + two[1].bytes <= bytes;
        removed.is_empty() && weights.is_none() && !segments.windows(2).any(fits)
    }

    /// Weights added to documents after they were added. Empty if no file has any.
    pub(super) fn weights(&self) -> Result<weights::Added, Error> {
        let Some(file) = &self.manifest.weights else {
            return Ok(weights::Added::new());
        };
        file.read(&self.folder, &self.manifest.segments)
    }

    /// Bytes of memory of the [`weights`](Self::weights). A hash table that has just grown is half empty,
    /// hence the factor 2.
    pub(super) fn weights_bytes(&self) -> u64 {
        let documents = self.manifest.weights.as_ref().map_or(0, |file| file.documents);
        documents.saturating_mul(2 * weights::ADDED_BYTES)
    }

    /// Opens all segments.
    pub(super) fn segments(&self) -> Result<Vec<SegmentReader>, Error> {
        let open = |segment: &Segment| {
            let removed = self.manifest.removed.get(&segment.file);
            let path = self.folder.join(&segment.file);
            SegmentReader::new(
                path,
                segment,
                self.manifest.columns,
                removed.cloned().unwrap_or_default(),
            )
        };
        self.manifest.segments.iter().map(open).collect()
    }
}

/// The banding in the form of a manifest: bands, and rows of a band.
pub(super) fn banding_pair(banding: Banding) -> (u32, u32) {
    (banding.bands, banding.rows)
}

/// The effective [`IDENTITY_SETTINGS`], in the form of a manifest.
pub(super) fn effective(settings: &Settings) -> Result<Map<String, Value>, Error> {
    let all = settings.effective_duplicates()?;
    let decide = all
        .into_iter()
        .filter(|(name, _)| IDENTITY_SETTINGS.contains(name));
    Ok(decide.map(|(name, value)| (name.to_owned(), value)).collect())
}

/// The settings of a manifest; `None` if one of them cannot be parsed.
pub(super) fn settings_of(settings: &Map<String, Value>) -> Option<Settings> {
    let mut stored = Settings::default();
    // `passes` describes the profile. It is not a setting.
    for (name, value) in settings.iter().filter(|(name, _)| *name != "passes") {
        let text = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        stored.set(name, &text).ok()?;
    }
    Some(stored)
}

/// Refuses an index whose settings differ from `ours`. The error shows both values.
pub(super) fn check_settings(
    folder: &Path,
    theirs: &Map<String, Value>,
    ours: &Map<String, Value>,
) -> Result<(), Error> {
    for name in IDENTITY_SETTINGS {
        let (theirs, ours) = (theirs.get(name), ours.get(name));
        if theirs != ours {
            let tell = |value: Option<&Value>| value.map_or("nothing".to_owned(), Value::to_string);
            return Err(Error::usage(format!(
                "the index `{}` was made with {name} {}, but these settings have {}",
                folder.display(),
                tell(theirs),
                tell(ours)
            ))
            .with_path(folder)
            .with_option(name)
            .with_help("use the settings of the index, or make another index"));
        }
    }
    Ok(())
}

impl Methods {
    /// The methods that these settings choose, if they do not depend on the whole collection.
    pub(super) fn new(settings: &Settings) -> Result<Self, Error> {
        if settings.needs_statistics()? {
            return Err(Error::usage(format!(
                "an index cannot hold `{}`: it compares documents with their collection, which changes",
                settings.signature()?.name()
            ))
            .with_option("signature"));
        }
        let compiled =
            CompiledOptions::new(settings.duplicates()?).map_err(|error| Error::settings(&error))?;
        let similarity = compiled.options().similarity().name();
        let compiled = Arc::new(compiled);
        let matcher = Matcher::new(Arc::clone(&compiled));
        // Other ways of finding candidates have no keys that could be stored by document.
        let columns = matcher.columns().ok_or_else(|| {
            Error::usage("an index finds documents by `lsh`, `exact-key` or `containment` only")
                .with_option("candidates")
                .with_help(
                    "choose a signature of values that are compared place by place, such as minhash, or of keys",
                )
        })?;
        Ok(Self {
            signers: SignerMaker::new(settings, Arc::clone(&compiled))?,
            maker: BatchMaker::new(compiled),
            matcher,
            columns,
            similarity,
        })
    }
}

/// Changes an index. Holds the lock of the folder. New segments are written before the manifest that lists
/// them.
pub(super) struct Writer {
    folder: PathBuf,
    _lock: FolderLock,
    /// Registers files that are written but not yet part of the index, so that they are removed if they never become part of it.
    cancel: Cancel,
    written: Vec<Finished>,
}

impl Writer {
    /// Takes the lock. The folder is created if missing.
    pub(super) fn open(folder: &Path, cancel: &Cancel) -> Result<Self, Error> {
        let wrong = |error: io::Error| Error::create(folder, error);
        if !folder.join(MANIFEST).exists() && !folder.join(MARKER).exists() {
            let foreign = match fs::read_dir(folder) {
                Ok(mut entries) => entries.next().is_some(),
                Err(error) if error.kind() == io::ErrorKind::NotFound => false,
                Err(error) => return Err(Error::input(folder, error)),
            };
            if foreign {
                return Err(Error::usage(format!(
                    "`{}` is not empty and no index of {TOOL}",
                    folder.display()
                ))
                .with_path(folder)
                .with_help("name a new or an empty folder; nothing was changed"));
            }
        }
        // A change replaces the manifest and removes segments, so the job must read none of these files. A
        // folder that does not exist yet has no entries.
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            cancel.refuse_read(&entry.path())?;
        }
        disk::create_folder(folder).map_err(wrong)?;
        let lock = FolderLock::take(folder, &format!("{TOOL} index")).map_err(|error| match error {
            LockError::Held(_) => Error::output(format!(
                "`{}` is being changed by another process",
                folder.display()
            ))
            .with_path(folder)
            .with_help("wait until it ends"),
            LockError::Failed(error) => wrong(error),
        })?;
        Ok(Self {
            folder: folder.to_owned(),
            _lock: lock,
            cancel: cancel.clone(),
            written: Vec::new(),
        })
    }

    /// Writes documents to the next file, and adds it to the manifest.
    pub(super) fn segment(
        &mut self,
        manifest: &mut Manifest,
        entries: &mut [segment::IndexedDocument],
        columns: KeyColumns,
    ) -> Result<(), Error> {
        if entries.is_empty() {
            return Ok(());
        }
        let name = segment_name(manifest.next);
        let mut file = self.file(&name)?;
        let path = self.folder.join(&name);
        let segment = segment::write(&mut file, &name, entries, columns, manifest.passages.is_some())
            .map_err(|e| Error::write(&path, e))?;
        self.written.push(file.finish()?);
        manifest.next += 1;
        manifest.segments.push(segment);
        Ok(())
    }

    /// Writes weights added to documents to the next file, which replaces an earlier one in the manifest.
    pub(super) fn weights(&mut self, manifest: &mut Manifest, added: &weights::Added) -> Result<(), Error> {
        // The old file stays on disk until `clean`: readers of the old manifest may still open it.
        manifest.weights = None;
        if added.is_empty() {
            return Ok(());
        }
        let name = weights_name(manifest.next);
        let mut file = self.file(&name)?;
        let path = self.folder.join(&name);
        let written = weights::write(&mut file, name, added).map_err(|e| Error::write(&path, e))?;
        self.written.push(file.finish()?);
        manifest.next += 1;
        manifest.weights = Some(written);
        Ok(())
    }

    /// Begins a file of the folder.
    fn file(&self, name: &str) -> Result<OutFile, Error> {
        OutFile::create(&self.folder.join(name), &self.cancel)
    }

    /// Makes `manifest` the manifest of the index, with `run` as its last run, and removes files that are no longer part of the index.
    pub(super) fn commit(mut self, manifest: &mut Manifest, run: Option<String>) -> Result<(), Error> {
        manifest.last_run = run;
        let checksum = manifest.expected_checksum();
        debug_assert!(checksum.is_some(), "maps with string keys always serialize");
        manifest.checksum = checksum.unwrap_or_default();
        let text = serde_json::to_vec_pretty(manifest)
            .map_err(|e| Error::failed(format!("cannot write `{MANIFEST}`: {e}")))?;
        let mut file = self.file(MANIFEST)?;
        file.line(&text)?;
        let file = file.finish()?;
        // New files must have their names on disk before the manifest does: a crash between the steps
        // leaves either the old index, or the new one with all its files.
        std::mem::take(&mut self.written)
            .into_iter()
            .try_for_each(Finished::rename)?;
        sync_folder(&self.folder)?;
        file.rename()?;
        sync_folder(&self.folder)?;
        self.clean(manifest);
        Ok(())
    }

    /// Removes files that are not part of the index, left by interrupted or completed changes.
    ///
    /// Readers that have such files open keep them. Files that cannot be removed are removed by the next
    /// change.
    pub(super) fn clean(&self, manifest: &Manifest) {
        remove_partial(&self.folder, None);
        let Ok(entries) = fs::read_dir(&self.folder) else {
            return;
        };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let weights = manifest.weights.iter().map(|weights| &weights.file);
            let mut parts = manifest
                .segments
                .iter()
                .map(|segment| &segment.file)
                .chain(weights);
            let ours = name.ends_with(".segment") || name.ends_with(".weights");
            if ours && parts.all(|part| *part != name) {
                let _ = disk::remove(&entry.path());
            }
        }
    }
}
