//! Templates that stay in files until a page of their host is extracted.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use dehusk_extract::site::Template;

use crate::error::Error;
use crate::site::folder;
use crate::site::key;
use crate::write::summary::LearntTemplate;

/// Bytes of memory of a template for each byte of its file: an estimate.
const BYTES_PER_BYTE: u64 = 3;

/// The templates of a folder. Those of the most recently used hosts are in memory.
#[derive(Debug)]
pub(crate) struct TemplateShelf {
    folder: PathBuf,
    /// File names by host.
    files: BTreeMap<String, Vec<String>>,
    /// Maximum bytes of templates in memory.
    most_bytes: u64,
    kept: Mutex<Kept>,
}

/// Cache of templates in memory, which evicts the least recently used host.
#[derive(Debug, Default)]
struct Kept {
    /// Time of the last use, templates, and their bytes of memory, by host.
    hosts: HashMap<String, (u64, Arc<Vec<Template>>, u64)>,
    /// Hosts by the time of their last use.
    oldest: BTreeMap<u64, String>,
    /// Number of requests so far, which serves as the time.
    asked: u64,
    bytes: u64,
}

impl TemplateShelf {
    /// The templates of a folder with these files.
    pub(crate) fn new(folder: &Path, templates: &[LearntTemplate], most_bytes: u64) -> Self {
        let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for template in templates {
            let host = key::host_key(&template.site).to_owned();
            files.entry(host).or_default().push(template.file.clone());
        }
        TemplateShelf {
            folder: folder.to_owned(),
            files,
            most_bytes,
            kept: Mutex::default(),
        }
    }

    /// Whether there are no templates.
    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The templates of a host, in the order of their files. Empty for a host without templates.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub(crate) fn of_host(&self, host: &str) -> Result<Arc<Vec<Template>>, Error> {
        let Some(files) = self.files.get(host) else {
            return Ok(Arc::default());
        };
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = kept.find(host) {
            return Ok(found);
        }
        // Files are read without the lock, so that other threads are not held up. Two threads may read one
        // host at the same time.
        drop(kept);
        let paths = files.iter().map(|file| self.folder.join(file));
        let bytes = paths
            .clone()
            .map(|path| path.metadata().map_or(0, |meta| meta.len()));
        let bytes = bytes.sum::<u64>() * BYTES_PER_BYTE;
        let read = paths
            .map(|path| folder::read(&path))
            .collect::<Result<Vec<_>, _>>()?;
        let read = Arc::new(read);
        kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.put(host, &read, bytes, self.most_bytes);
        Ok(read)
    }
}

impl Kept {
    /// The templates of a host in the cache, which count as used.
    fn find(&mut self, host: &str) -> Option<Arc<Vec<Template>>> {
        let (asked, templates, _) = self.hosts.get_mut(host)?;
        self.asked += 1;
        let name = self.oldest.remove(asked)?;
        *asked = self.asked;
        self.oldest.insert(self.asked, name);
        Some(Arc::clone(templates))
    }

    /// Adds the templates of a host, and evicts others until at most `most` bytes remain.
    fn put(&mut self, host: &str, templates: &Arc<Vec<Template>>, bytes: u64, most: u64) {
        if self.hosts.contains_key(host) {
            return; // another thread was faster
        }
        self.asked += 1;
        self.bytes += bytes;
        self.oldest.insert(self.asked, host.to_owned());
        let entry = (self.asked, Arc::clone(templates), bytes);
        self.hosts.insert(host.to_owned(), entry);
        // The host just added stays even if it alone exceeds the bound. It is the newest entry, so it is
        // never the oldest of two.
        while self.bytes > most && self.hosts.len() > 1 {
            let Some((_, oldest)) = self.oldest.pop_first() else {
                break;
            };
            self.bytes -= self.hosts.remove(&oldest).map_or(0, |(_, _, bytes)| bytes);
        }
    }
}
