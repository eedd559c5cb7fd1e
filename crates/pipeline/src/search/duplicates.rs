//! The search for duplicates, within the memory that it may take.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use dehusk_dedup::{AppendError, Batch, Joined, Screen, Spill, SpillError, SpillFile, Suspects};
use rayon::ThreadPool;

use crate::Job;
use crate::error::Error;
use crate::search::reread::Again;
use crate::settings::table::Settings;
use crate::verbs::run::wrong_settings;

const MIB: u64 = 1 << 20;

/// Bytes of shingles that are kept for verification, if no ceiling is set. More documents than that are read again.
const KEEP: u64 = 128 * MIB;
/// Bytes of shingles that are read again at once.
const WAVE: u64 = 128 * MIB;

/// What a program takes before it has read anything, and what each thread takes for the records that it works on.
const BASE: u64 = 12 * MIB;
const PER_THREAD: u64 = 5 * MIB;
/// What clustering and writing take for each document beside what was gathered of it, and for each pair.
const PER_DOCUMENT: u64 = 52;
const PER_PAIR: u64 = 80;
/// What verification takes for each document and each pair.
const VERIFIED_DOCUMENT: u64 = 20;
const VERIFIED_PAIR: u64 = 56;
/// Least memory for buffers.
const LEAST: u64 = 6 * MIB;

/// Documents that are brought together, and duplicates found among them.
pub(crate) struct Search {
    screen: Screen,
    ceiling: Option<u64>,
    spills: bool,
    /// Where temporary files go.
    folder: PathBuf,
    base: u64,
}

/// Files without a name, which are gone when they are closed, however the program ends.
struct Files(PathBuf);

impl Spill for Files {
    fn file(&self) -> Result<Box<dyn SpillFile>, SpillError> {
        Ok(Box::new(Nameless(tempfile::tempfile_in(&self.0).map_err(wrong)?)))
    }
}

struct Nameless(File);

fn wrong(error: io::Error) -> SpillError {
    SpillError::File(error.into())
}

impl SpillFile for Nameless {
    fn write(&mut self, bytes: &[u8]) -> Result<(), SpillError> {
        self.0.write_all(bytes).map_err(wrong)
    }

    fn rewind(&mut self) -> Result<(), SpillError> {
        self.0.rewind().map_err(wrong)
    }

    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, SpillError> {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.0.read(&mut buffer[filled..]) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(wrong(error)),
            }
        }
        Ok(filled)
    }
}

/// What is said of a search that failed for want of room in `folder`.
fn spilled(folder: &Path, error: SpillError) -> Error {
    match error {
        SpillError::File(error) => match error.downcast::<io::Error>() {
            Ok(error) => Error::write(folder, *error).with_option("temp-dir"),
            Err(error) => Error::failed(format!("a temporary file cannot be used: {error}")),
        },
        error => Error::failed(error.to_string()),
    }
}

impl Search {
    /// Temporary files go to `folder`, unless the settings name another.
    pub(crate) fn new(
        settings: &Settings,
        options: dehusk_dedup::Options,
        folder: &Path,
    ) -> Result<Self, Error> {
        let ceiling = settings.memory_ceiling();
        let keep = ceiling.map_or(KEEP, |ceiling| ceiling / 8);
        let screen = Screen::new(options).map_err(|error| wrong_settings(&error))?;
        let base = BASE + PER_THREAD * settings.threads() as u64;
        if let Some(ceiling) = ceiling.filter(|ceiling| *ceiling < base + LEAST) {
            return Err(too_little(ceiling, base + LEAST, "to begin with"));
        }
        Ok(Self {
            screen: screen.keeping(keep),
            ceiling,
            spills: false,
            folder: settings.temp_dir.clone().unwrap_or_else(|| folder.to_owned()),
            base,
        })
    }

    /// A search of the same settings that makes batches on worker threads.
    pub(crate) fn factory(&self) -> Screen {
        self.screen.factory()
    }

    /// Adds the documents of a batch, and returns the number of the first of them. `other` is what else is kept of
    /// documents, in bytes.
    pub(crate) fn append(&mut self, batch: Batch, other: u64) -> Result<u32, Error> {
        let first = self.screen.append(batch).map_err(|error| match error {
            AppendError::Spill(error) => spilled(&self.folder, error),
            error => Error::failed(error.to_string()),
        })?;
        let Some(ceiling) = self.ceiling else {
            return Ok(first);
        };
        if !self.spills && self.screen.bytes() > ceiling / 16 {
            let files = Files(self.folder.clone());
            self.screen
                .spill(Box::new(files))
                .map_err(|e| spilled(&self.folder, e))?;
            self.spills = true;
        }
        let needed = self.needed(other);
        if needed > ceiling {
            return Err(too_little(ceiling, needed, &self.documents()));
        }
        Ok(first)
    }

    /// Bytes that are needed for the documents so far, with buffers.
    fn needed(&self, other: u64) -> u64 {
        self.base + self.screen.bytes() + other + self.screen.len() as u64 * PER_DOCUMENT + LEAST
    }

    fn documents(&self) -> String {
        format!("for {} documents", self.screen.len())
    }

    /// Finds all pairs of duplicates. Documents that are not kept are read `again`. `other` is what else is kept of
    /// documents, in bytes.
    pub(crate) fn join(
        self,
        job: &Job<'_>,
        pool: &ThreadPool,
        other: u64,
        again: &Again<'_>,
    ) -> Result<Joined, Error> {
        let later = self.needed(other) - LEAST;
        let fixed = later - self.screen.len() as u64 * (PER_DOCUMENT - VERIFIED_DOCUMENT);
        let (ceiling, documents, folder) = (self.ceiling, self.documents(), self.folder);
        let free = ceiling.map_or(u64::MAX, |ceiling| ceiling - fixed);
        let screen = self.screen;
        let found = pool.install(|| screen.suspects(free));
        let mut suspects = found.map_err(|error| match error {
            SpillError::Memory(more) => too_little(
                ceiling.unwrap_or_default(),
                fixed.saturating_add(more),
                &documents,
            ),
            error => spilled(&folder, error),
        })?;
        job.cancel.check()?;
        let wave = match ceiling {
            None => WAVE,
            Some(ceiling) => {
                let pairs = suspects.len() as u64;
                let needed = fixed + pairs * VERIFIED_PAIR + LEAST;
                if needed > ceiling {
                    let what = format!("{documents} and {pairs} candidate pairs");
                    return Err(too_little(ceiling, needed, &what));
                }
                // What is read is on its way twice for a moment.
                ((free - pairs * VERIFIED_PAIR) / 2).min(WAVE)
            }
        };
        verify(job, &mut suspects, pool, wave, again)?;
        let joined = suspects.finish();
        let pairs = joined.pairs().len() as u64;
        if let Some(ceiling) = ceiling.filter(|ceiling| later + pairs * PER_PAIR > *ceiling) {
            let what = format!("{documents} and {pairs} pairs");
            return Err(too_little(ceiling, later + pairs * PER_PAIR, &what));
        }
        Ok(joined)
    }
}

/// Reads again what candidate pairs need, as much at once as may be.
fn verify(
    job: &Job<'_>,
    suspects: &mut Suspects,
    pool: &ThreadPool,
    bytes: u64,
    again: &Again<'_>,
) -> Result<(), Error> {
    while let Some(mut wave) = suspects.wave(bytes) {
        again.read(job, &mut wave)?;
        pool.install(|| suspects.verify(&wave))
            .map_err(|error| changed().with_help(error.to_string()))?;
        job.cancel.check()?;
    }
    Ok(())
}

/// An input is not what it was when it was read first.
pub(crate) fn changed() -> Error {
    Error::failed("an input was changed while it was read").with_help("run the command again")
}

/// The threads that compare documents.
pub(crate) fn threads(settings: &Settings) -> Result<ThreadPool, Error> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(settings.threads())
        .build()
        .map_err(|e| Error::failed(format!("cannot start threads: {e}")).with_option("threads"))
}

fn too_little(ceiling: u64, needed: u64, what: &str) -> Error {
    let mib = |bytes: u64| bytes.div_ceil(MIB);
    Error::failed(format!(
        "`--memory {}MiB` is too little: at least {} MiB are needed {what}",
        mib(ceiling),
        mib(needed)
    ))
    .with_option("memory")
    .with_help("allow more with --memory, or search in parts of the collection")
}
