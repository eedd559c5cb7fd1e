//! Duplicates in little memory: documents are read again for verification instead of being kept.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use crate::candidates::join::files::KeyFiles;
use crate::candidates::join::spill::{Spill, SpillError};
use crate::candidates::pair::ScoredPair;
use crate::cluster::union_find::UnionFind;
use crate::engine::batch::{Batch, Chain};
use crate::engine::deduper::{compare, counts, join, participants};
use crate::engine::error::TooManyDocuments;
use crate::engine::exact_groups::Identical;
use crate::engine::matcher::Matcher;
use crate::engine::options::Options;
use crate::engine::outcome::{Counts, Joined};
use crate::numeric::rows::Rows;
use crate::strategy::build_error::BuildError;

/// A [`Deduper`](crate::Deduper) in little memory. Of a document it may keep nothing but what finds candidates: about 150
/// bytes with the defaults, however long documents are. The documents of candidate pairs are then read again, in waves of a
/// chosen size. With [`spill`](Self::spill), what finds candidates goes to files, and 30 bytes stay.
///
/// The result is that of a deduper with the same settings.
///
/// ```
/// use dehusk_dedup::{Options, Screen};
///
/// let texts = ["a rose is a rose", "the sea is calm", "a rose is a rose indeed", "a rose is a rose"];
/// let options = Options::default().with_threshold(0.5).with_min_tokens(3);
/// let mut screen = Screen::new(options)?;
/// let mut batch = screen.batch();
/// for text in texts {
///     batch.add_joined(text);
/// }
/// screen.append(batch)?;
///
/// let mut suspects = screen.suspects(u64::MAX)?;
/// while let Some(mut wave) = suspects.wave(1 << 20) {
///     let mut reader = wave.reader();
///     for (document, text) in (0..).zip(texts) {
///         if wave.needs(document) {
///             reader.add(document, &text.split(' ').collect());
///         }
///     }
///     wave.append(reader)?;
///     suspects.verify(&wave)?;
/// }
/// let outcome = suspects.finish().cluster(&());
/// assert_eq!(outcome.clusters.group(0), [0, 2, 3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Screen {
    batch: Batch,
    /// Bytes of evidence that are kept; beyond them, none is.
    keep: u64,
    evidence: Evidence,
    /// Whether evidence is kept no more.
    dropped: Arc<AtomicBool>,
    /// The same of the screen that this one makes batches for.
    of_other: Option<Arc<AtomicBool>>,
    spilled: Option<Spilled>,
}

/// What verification needs of each document.
enum Evidence {
    Kept,
    /// Words of each.
    Sizes(Vec<u32>),
}

struct Spilled {
    files: KeyFiles,
    spill: Box<dyn Spill>,
}

impl Screen {
    /// Checks the settings and starts an empty collection. Documents will have to be read again.
    ///
    /// # Errors
    /// If a setting is out of its range, or if two do not fit together.
    pub fn new(options: Options) -> Result<Self, BuildError> {
        let mut screen = Self {
            batch: Batch::new(Arc::new(Chain::new(options)?)),
            keep: 0,
            evidence: Evidence::Kept,
            dropped: Arc::default(),
            of_other: None,
            spilled: None,
        };
        screen.drop_evidence();
        Ok(screen)
    }

    /// Keeps what verification needs of documents as long as it is within so many bytes, so that small collections need not
    /// be read again.
    #[must_use]
    pub fn keeping(mut self, bytes: u64) -> Self {
        self.keep = bytes;
        if self.is_empty() {
            self.evidence = Evidence::Kept;
            self.dropped.store(false, Ordering::Relaxed);
            self.drop_evidence();
        }
        self
    }

    /// Moves what finds candidates to files, if the candidate method can work from there, as `lsh` and `exact-key` can; tells
    /// whether it can.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn spill(&mut self, spill: Box<dyn Spill>) -> Result<bool, SpillError> {
        let chain = &self.batch.chain;
        let Some(layout) = chain.index.columns().filter(|_| !chain.options.estimates) else {
            return Ok(false);
        };
        let mut files = KeyFiles::new(layout, &*spill)?;
        files.append(&std::mem::take(&mut self.batch.sketches.index))?;
        self.spilled = Some(Spilled { files, spill });
        Ok(true)
    }

    /// Number of documents.
    #[must_use]
    pub fn len(&self) -> usize {
        self.batch.len()
    }

    /// True if there is no document.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.batch.is_empty()
    }

    /// The settings.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.batch.chain.options
    }

    /// Bytes of memory that documents take so far.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let sketches = &self.batch.sketches;
        let sizes = match &self.evidence {
            Evidence::Kept => 0,
            Evidence::Sizes(sizes) => sizes.capacity() * size_of::<u32>(),
        };
        let flat = sketches.kinds.capacity() + sketches.contents.capacity() * size_of::<u128>() + sizes;
        let rows = sketches.index.bytes() + sketches.evidence.bytes() + sketches.signatures.bytes();
        flat as u64 + rows + self.spilled.as_ref().map_or(0, |spilled| spilled.files.bytes())
    }

    /// Compares documents that are kept elsewhere, if the settings allow that: candidates by `lsh` or `exact-key`, and verification.
    #[must_use]
    pub fn matcher(&self) -> Option<Matcher> {
        Matcher::new(&self.batch.chain)
    }

    /// An empty batch of the same settings. It is for this screen only, or for the one that this is a [`factory`](Self::factory)
    /// of.
    #[must_use]
    pub fn batch(&self) -> Batch {
        let batch = Batch::new(Arc::clone(&self.batch.chain));
        match &self.of_other {
            Some(dropped) if dropped.load(Ordering::Relaxed) => batch.without_evidence(),
            _ => batch,
        }
    }

    /// An empty screen that makes batches for this one on other threads. Once this one keeps no evidence, they do without.
    #[must_use]
    pub fn factory(&self) -> Self {
        Self {
            batch: Batch::new(Arc::clone(&self.batch.chain)),
            keep: 0,
            evidence: Evidence::Kept,
            dropped: Arc::default(),
            of_other: Some(Arc::clone(&self.dropped)),
            spilled: None,
        }
    }

    /// Adds the documents of a batch, and returns the number of the first of them.
    ///
    /// # Errors
    /// If there would be more than 2^32 - 1 documents, or a file cannot be written.
    pub fn append(&mut self, mut batch: Batch) -> Result<u32, AppendError> {
        self.batch.next(batch.len()).map_err(AppendError::TooMany)?;
        if let Evidence::Sizes(sizes) = &mut self.evidence {
            let evidence = std::mem::take(&mut batch.sketches.evidence);
            match batch.sizes.take() {
                Some(known) => sizes.extend(known),
                None => sizes.extend(evidence.iter().map(size)),
            }
        }
        if let Some(spilled) = &mut self.spilled {
            let index = std::mem::take(&mut batch.sketches.index);
            spilled.files.append(&index).map_err(AppendError::Spill)?;
        }
        let first = self.batch.append(batch).map_err(AppendError::TooMany)?;
        self.drop_evidence();
        Ok(first)
    }

    /// Stops to keep evidence if it is too much. What candidates are found by always stays.
    fn drop_evidence(&mut self) {
        let Chain { options, shared, .. } = &*self.batch.chain;
        let sketches = &mut self.batch.sketches;
        let kept = matches!(self.evidence, Evidence::Kept) && !shared && options.verify;
        if kept && (self.keep == 0 || sketches.evidence.bytes() > self.keep) {
            self.evidence = Evidence::Sizes(sketches.evidence.iter().map(size).collect());
            sketches.evidence = Rows::new();
            self.dropped.store(true, Ordering::Relaxed);
        }
    }

    /// Finds the candidate pairs, in the threads of the current rayon pool. Where keys are in files, buffers and pairs take
    /// up to about `memory` bytes; else it does not matter.
    ///
    /// # Errors
    /// If a file cannot be used, or if there are more pairs than fit into the memory.
    pub fn suspects(self, memory: u64) -> Result<Suspects, SpillError> {
        let Batch {
            chain, mut sketches, ..
        } = self.batch;
        let sizes = match self.evidence {
            Evidence::Kept => None,
            Evidence::Sizes(sizes) => Some(sizes),
        };
        let Some(Spilled { files, spill }) = self.spilled else {
            let Some(sizes) = sizes else {
                return Ok(Suspects::new(join(chain, sketches, compare), None));
            };
            let joined = join(chain, sketches, |chain, sketches, (a, b), equal| {
                let estimate = chain.estimate(sketches, a, b, equal);
                Some(ScoredPair {
                    a,
                    b,
                    similarity: 0.0,
                    estimate,
                })
            });
            return Ok(Suspects::new(joined, Some(sizes)));
        };
        let identical = Identical::find(&sketches);
        let documents = participants(&sketches, &identical);
        let (mut pairs, found) =
            files.join(&documents, &sketches.contents, &*chain.index, &*spill, memory)?;
        drop(spill);
        if sizes.is_none() {
            let verified = chain.options.verify;
            let check = |pair: &ScoredPair| {
                let mut found = compare(&chain, &sketches, (pair.a, pair.b), None)?;
                if verified {
                    found.estimate = pair.estimate;
                }
                Some(found)
            };
            pairs = pairs.par_iter().filter_map(check).collect();
        }
        let counts = counts(&sketches, &identical, documents.len(), found, pairs.len());
        let joined = Joined {
            chain,
            kinds: std::mem::take(&mut sketches.kinds),
            contents: sketches.contents,
            identical,
            pairs,
            counts,
        };
        Ok(Suspects::new(joined, sizes))
    }
}

fn size(row: &[u64]) -> u32 {
    u32::try_from(row.len()).unwrap_or(u32::MAX)
}

/// Why documents could not be added.
#[derive(Debug)]
#[non_exhaustive]
pub enum AppendError {
    /// There are as many as can be numbered.
    TooMany(TooManyDocuments),
    /// A file could not be written.
    Spill(SpillError),
}

impl fmt::Display for AppendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooMany(error) => error.fmt(f),
            Self::Spill(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for AppendError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::TooMany(error) => Some(error),
            Self::Spill(error) => Some(error),
        }
    }
}

/// Candidate pairs that wait for verification.
pub struct Suspects {
    joined: Joined,
    /// The pairs that wait, those of a group of documents that hang together side by side; the next one last.
    waiting: Vec<ScoredPair>,
    verified: Vec<ScoredPair>,
    /// Words that verification needs of each document; none if all is verified.
    sizes: Option<Vec<u32>>,
    /// The documents of the last wave, and for each document its place among them.
    last: Vec<u32>,
    places: Vec<u32>,
}

/// The place of a document that is not in the last wave.
const ELSEWHERE: u32 = u32::MAX;

/// Bytes that a document in a wave takes beside its evidence.
const OVERHEAD: u64 = 48;

impl Suspects {
    fn new(mut joined: Joined, sizes: Option<Vec<u32>>) -> Self {
        let (mut waiting, mut places, mut verified) = (Vec::new(), Vec::new(), Vec::new());
        if sizes.is_some() {
            waiting = std::mem::take(&mut joined.pairs);
            let mut sets = UnionFind::new(joined.kinds.len() as u32);
            for pair in &waiting {
                sets.unite(pair.a, pair.b);
            }
            let labels = sets.labels();
            waiting.par_sort_unstable_by_key(|pair| {
                std::cmp::Reverse((labels[pair.a as usize], pair.a, pair.b))
            });
            places = vec![ELSEWHERE; joined.kinds.len()];
        } else {
            verified = std::mem::take(&mut joined.pairs);
        }
        Self {
            joined,
            waiting,
            verified,
            sizes,
            last: Vec::new(),
            places,
        }
    }

    /// The settings.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.joined.chain.options
    }

    /// Number of pairs that wait.
    #[must_use]
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// True if no pair waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Counts so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.joined.counts
    }

    /// The next pairs to verify: as many as `max_bytes` of what is to be read for them allow, but at least one. None if no
    /// pair waits.
    pub fn wave(&mut self, max_bytes: u64) -> Option<Wave> {
        let sizes = self.sizes.as_ref()?;
        let mut documents = std::mem::take(&mut self.last);
        for document in documents.drain(..) {
            self.places[document as usize] = ELSEWHERE;
        }
        let (mut bytes, mut count) = (0_u64, 0);
        for pair in self.waiting.iter().rev() {
            let mut more = 0;
            for document in [pair.a, pair.b] {
                if self.places[document as usize] == ELSEWHERE {
                    more += 8 * u64::from(sizes[document as usize]) + OVERHEAD;
                }
            }
            if count > 0 && bytes + more > max_bytes {
                break;
            }
            for document in [pair.a, pair.b] {
                if std::mem::replace(&mut self.places[document as usize], 0) == ELSEWHERE {
                    documents.push(document);
                }
            }
            bytes += more;
            count += 1;
        }
        if count == 0 {
            return None;
        }
        documents.sort_unstable();
        for (place, &document) in (0..).zip(&documents) {
            self.places[document as usize] = place;
        }
        self.last.clone_from(&documents);
        let contents = documents
            .iter()
            .map(|&document| self.joined.contents[document as usize])
            .collect();
        let pairs = self.waiting.split_off(self.waiting.len() - count);
        let rows = vec![None; documents.len()];
        let place = |document: u32| self.places[document as usize];
        let places = pairs.iter().map(|pair| [place(pair.a), place(pair.b)]).collect();
        Some(Wave {
            chain: Arc::clone(&self.joined.chain),
            documents,
            contents,
            pairs,
            places,
            evidence: Rows::new(),
            rows,
        })
    }

    /// Verifies the pairs of a wave, in the threads of the current rayon pool.
    ///
    /// # Errors
    /// If a document that the wave needs was not read.
    pub fn verify(&mut self, wave: &Wave) -> Result<(), Unread> {
        if let Some(place) = wave.rows.iter().position(Option::is_none) {
            return Err(Unread {
                document: wave.documents[place],
                changed: false,
            });
        }
        let threshold = wave.chain.options.threshold;
        let verify = |(pair, places): (&ScoredPair, &[u32; 2])| {
            let [a, b] = places.map(|place| wave.row(place));
            let similarity = wave.chain.comparer.compare(a, b, threshold)?;
            Some(ScoredPair { similarity, ..*pair })
        };
        let pairs = wave.pairs.par_iter().zip(&wave.places);
        let verified: Vec<ScoredPair> = pairs.filter_map(verify).collect();
        self.verified.extend(verified);
        Ok(())
    }

    /// The pairs that were verified.
    #[must_use]
    pub fn finish(self) -> Joined {
        let Self {
            mut joined, verified, ..
        } = self;
        joined.pairs = verified;
        joined.pairs.par_sort_unstable_by_key(|pair| (pair.a, pair.b));
        joined.pairs.dedup_by_key(|pair| (pair.a, pair.b)); // a wave may be verified twice
        joined.counts.verified = joined.pairs.len() as u64;
        joined
    }
}

mod wave;

pub use wave::{Reader, Unread, Wave};

#[cfg(test)]
mod tests;
