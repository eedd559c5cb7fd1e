//! Collects the words of documents, and finds the passages among them within a memory ceiling.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use dehusk_dedup::{FoundPassages, Passages, SpillError};
use dehusk_html::narrow;

use crate::error::Error;
use crate::job::Job;
use crate::search::duplicates::threads;
use crate::search::index::{Index, PassageWords};
use crate::search::memory::{base, too_little};
use crate::search::passages::making::Making;
use crate::search::spill_files::{SpillFiles, spill_error};
use crate::settings::table::Settings;

/// Bytes of words, and of hashes being sorted, that stay in memory without a memory ceiling. Further ones
/// go to temporary files.
const BUFFER: u64 = 512 << 20;
/// Minimum bytes of memory beyond those that the program needs in any case.
const LEAST: u64 = 16 << 20;

/// Number in place of an unknown host.
const NO_HOST: u32 = u32::MAX;

/// Facts of documents that outlive their words.
#[derive(Default)]
pub(crate) struct CollectedFacts {
    /// Names of the hosts, by their number.
    hosts: Vec<String>,
    /// By host, the number of its documents.
    documents_of: Vec<u32>,
    /// By document, the number of its host.
    host_of: Vec<u32>,
    /// By document, the number of its words.
    lengths: Vec<u32>,
    /// Ids of the documents of an index, which are numbered after the others; `None` without an index.
    known: Option<Vec<String>>,
}

impl CollectedFacts {
    /// Number of words of a document.
    pub(crate) fn length(&self, document: u32) -> u32 {
        debug_assert!(
            (document as usize) < self.lengths.len(),
            "there is no document {document}"
        );
        self.lengths.get(document as usize).copied().unwrap_or(0)
    }

    /// Number of the host of a document; `None` if it is unknown.
    pub(crate) fn host_of(&self, document: u32) -> Option<u32> {
        let host = self.host_of.get(document as usize).copied();
        host.filter(|host| *host != NO_HOST)
    }

    /// Number of documents of a host.
    pub(crate) fn documents_of(&self, host: u32) -> u32 {
        debug_assert!(
            (host as usize) < self.documents_of.len(),
            "there is no host {host}"
        );
        self.documents_of.get(host as usize).copied().unwrap_or(0)
    }

    /// Name of a host.
    pub(crate) fn host(&self, number: u32) -> &str {
        self.hosts.get(number as usize).map_or("", String::as_str)
    }

    /// Whether an index is searched, too.
    pub(crate) fn has_index(&self) -> bool {
        self.known.is_some()
    }

    /// Id of a document if it is one of the index.
    pub(crate) fn known_id(&self, document: u32) -> Option<&str> {
        let known = self.known.as_ref()?;
        // The documents of the index have the last numbers, one for each id.
        let place = (document as usize).checked_sub(self.lengths.len() - known.len())?;
        known.get(place).map(String::as_str)
    }

    /// Bytes of memory of the lists.
    pub(crate) fn bytes(&self) -> u64 {
        let ids = self
            .known
            .iter()
            .flatten()
            .map(|id| id.capacity() + size_of::<String>());
        let names = self.hosts.iter().map(String::capacity).sum::<usize>() + ids.sum::<usize>();
        let numbers = self.documents_of.capacity() + self.host_of.capacity() + self.lengths.capacity();
        let numbers = numbers * size_of::<u32>();
        (names + self.hosts.capacity() * size_of::<String>() + numbers) as u64
    }
}

/// The words of the documents so far.
pub(crate) struct Collector {
    making: Making,
    search: Passages,
    hosts: HashMap<String, u32>,
    facts: CollectedFacts,
    temporary: PathBuf,
    ceiling: Option<u64>,
    /// Bytes that the program takes in addition to data kept of documents.
    fixed: u64,
}

impl Collector {
    /// Writes temporary files to `folder`, unless the settings name another folder. `writers` is the memory in bytes that writing takes.
    ///
    /// # Errors
    /// If the memory ceiling is too low to begin with.
    pub(crate) fn new(
        settings: &Settings,
        making: Making,
        folder: &Path,
        writers: u64,
    ) -> Result<Self, Error> {
        let (fixed, ceiling) = (base(settings, writers), settings.memory_ceiling());
        if let Some(ceiling) = ceiling.filter(|ceiling| *ceiling < fixed + LEAST) {
            return Err(too_little(ceiling, fixed + LEAST, "to begin with"));
        }
        let temporary = settings.temp_dir.clone().unwrap_or_else(|| folder.to_owned());
        // No underflow: `ceiling` is at least `fixed + LEAST`.
        let buffer = ceiling.map_or(BUFFER, |ceiling| (ceiling - fixed) / 8);
        Ok(Collector {
            making,
            search: Passages::new(Box::new(SpillFiles::new(temporary.clone())), buffer),
            hosts: HashMap::new(),
            facts: CollectedFacts::default(),
            temporary,
            ceiling,
            fixed,
        })
    }

    /// The options of the search.
    pub(crate) fn making(&self) -> &Making {
        &self.making
    }

    /// Number of words so far.
    pub(crate) fn words(&self) -> u64 {
        self.search.words()
    }

    /// Adds the next document: its host, if known, and its words.
    pub(crate) fn add(&mut self, host: Option<String>, words: &[u64]) -> Result<(), Error> {
        // Hosts are numbered in the order of their first document.
        let next = narrow::to_u32(self.hosts.len());
        let host = host.map(|host| {
            *self.hosts.entry(host).or_insert_with_key(|host| {
                self.facts.hosts.push(host.clone());
                self.facts.documents_of.push(0);
                next
            })
        });
        let of_host = host.and_then(|host| self.facts.documents_of.get_mut(host as usize));
        if let Some(count) = of_host {
            *count += 1;
        }
        debug_assert!(
            u32::try_from(words.len()).is_ok(),
            "a document has fewer than 2^32 units"
        );
        self.facts.host_of.push(host.unwrap_or(NO_HOST));
        self.facts
            .lengths
            .push(u32::try_from(words.len()).unwrap_or(u32::MAX));
        self.search
            .add(host, words)
            .map_err(|error| spill_error(&self.temporary, error))
    }

    /// Adds the documents of an index after all others. Their places count, and no passages are returned for them. Returns their number.
    ///
    /// # Errors
    /// If the index cannot be read.
    pub(crate) fn add_index(&mut self, index: &Index) -> Result<u64, Error> {
        self.search.known_from_here();
        let mut ids = Vec::new();
        index.each_text(&mut |id, PassageWords { host, words }| {
            ids.push(id);
            self.add((!host.is_empty()).then_some(host), &words)
        })?;
        let count = ids.len() as u64;
        self.facts.known = Some(ids);
        Ok(count)
    }

    /// Finds all passages. `kept` is the memory in bytes that the caller keeps for documents.
    pub(crate) fn find(self, job: &Job<'_>, kept: u64) -> Result<(FoundPassages, CollectedFacts), Error> {
        let Self {
            making,
            search,
            temporary,
            ceiling,
            fixed,
            facts,
            hosts,
        } = self;
        // The table of host names is needed for adding only. It is freed before the search takes its
        // memory.
        drop(hosts);
        let kept = kept + facts.bytes();
        let documents = search.len();
        // A quarter is left for the next step, which adds byte ranges and hashes of texts to the result.
        let free = ceiling.map(|ceiling| (ceiling - fixed).saturating_sub(kept) / 4 * 3);
        let failed = |error: SpillError| match error {
            SpillError::Memory(needed) => {
                let what = format!("for what {documents} documents repeat");
                // The search had three quarters of the free memory, so the need as a whole is 4/3 of its
                // need.
                let needed = fixed
                    .saturating_add(kept)
                    .saturating_add(needed.saturating_mul(4) / 3);
                too_little(ceiling.unwrap_or_default(), needed, &what)
            }
            error => spill_error(&temporary, error),
        };
        job.progress.stage("comparing passages", None);
        let found = threads(job.settings)?
            .install(|| search.finish(making.rule(), free.unwrap_or(u64::MAX)))
            .map_err(failed)?;
        job.cancel.check()?;
        Ok((found, facts))
    }
}
