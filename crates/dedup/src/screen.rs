//! Duplicates in little memory: documents are read again for verification instead of being kept.

use std::fmt;
use std::sync::Arc;

use rayon::prelude::*;

use crate::batch::{Batch, Chain};
use crate::deduper::join;
use crate::document::{Document, ScoredPair};
use crate::error::{BuildError, TooManyDocuments};
use crate::hash::content_hash;
use crate::options::Options;
use crate::outcome::{Counts, Joined};
use crate::rows::Rows;
use crate::tokens::Tokens;
use crate::union_find::UnionFind;

/// A [`Deduper`](crate::Deduper) that keeps nothing of a document but what finds candidates: about 150 bytes with the
/// defaults, however long documents are. The documents of candidate pairs are then read again, in waves of a chosen size.
///
/// The result is that of a deduper with the same settings.
///
/// ```
/// use dedup::{Options, Screen};
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
/// let mut suspects = screen.suspects();
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
}

impl Screen {
    /// Checks the settings and starts an empty collection.
    ///
    /// # Errors
    /// If a setting is out of its range, if two do not fit together, or if verification is off: then there is nothing to
    /// read again.
    pub fn new(options: Options) -> Result<Self, BuildError> {
        if !options.verify {
            return Err(BuildError::value(
                "verify",
                false,
                "possible where documents are read again to verify pairs",
            ));
        }
        Ok(Self {
            batch: Batch::new(Arc::new(Chain::new(options, false)?)),
        })
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

    /// An empty batch of the same settings. It is for this screen only.
    #[must_use]
    pub fn batch(&self) -> Batch {
        Batch::new(Arc::clone(&self.batch.chain))
    }

    /// Adds the documents of a batch, and returns the number of the first of them.
    ///
    /// # Errors
    /// If there would be more than 2^32 - 1 documents.
    pub fn append(&mut self, batch: Batch) -> Result<u32, TooManyDocuments> {
        self.batch.append(batch)
    }

    /// Finds the candidate pairs, in the threads of the current rayon pool.
    #[must_use]
    pub fn suspects(self) -> Suspects {
        let Batch { chain, sketches, .. } = self.batch;
        let joined = join(chain, sketches, |chain, sketches, a, b| {
            let estimate = chain.estimate(sketches, a, b);
            Some(ScoredPair {
                a,
                b,
                similarity: 0.0,
                estimate,
            })
        });
        Suspects::new(joined)
    }
}

/// Candidate pairs that wait for verification.
pub struct Suspects {
    joined: Joined,
    /// The pairs that wait, those of a group of documents that hang together side by side; the next one last.
    waiting: Vec<ScoredPair>,
    verified: Vec<ScoredPair>,
    /// Number of waves so far, and the last one that each document was in, or 0.
    waves: u32,
    wave_of: Vec<u32>,
}

/// Bytes that a document in a wave takes beside its evidence.
const OVERHEAD: u64 = 48;

impl Suspects {
    fn new(mut joined: Joined) -> Self {
        let mut waiting = std::mem::take(&mut joined.pairs);
        let mut sets = UnionFind::new(joined.kinds.len() as u32);
        for pair in &waiting {
            sets.unite(pair.a, pair.b);
        }
        let labels = sets.labels();
        waiting.par_sort_unstable_by_key(|pair| std::cmp::Reverse((labels[pair.a as usize], pair.a, pair.b)));
        let wave_of = vec![0; joined.kinds.len()];
        Self {
            joined,
            waiting,
            verified: Vec::new(),
            waves: 0,
            wave_of,
        }
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
        self.waves += 1;
        let mut documents: Vec<u32> = Vec::new();
        let (mut bytes, mut count) = (0_u64, 0);
        for pair in self.waiting.iter().rev() {
            let mut more = 0;
            for document in [pair.a, pair.b] {
                if self.wave_of[document as usize] != self.waves {
                    more += 8 * u64::from(self.joined.evidence_sizes[document as usize]) + OVERHEAD;
                }
            }
            if count > 0 && bytes + more > max_bytes {
                break;
            }
            for document in [pair.a, pair.b] {
                if std::mem::replace(&mut self.wave_of[document as usize], self.waves) != self.waves {
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
        let contents = documents
            .iter()
            .map(|&document| self.joined.contents[document as usize])
            .collect();
        let pairs = self.waiting.split_off(self.waiting.len() - count);
        let rows = vec![None; documents.len()];
        Some(Wave {
            chain: Arc::clone(&self.joined.chain),
            documents,
            contents,
            pairs,
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
        let verify = |pair: &ScoredPair| {
            let similarity = wave
                .chain
                .comparer
                .compare(wave.row(pair.a), wave.row(pair.b), threshold)?;
            Some(ScoredPair { similarity, ..*pair })
        };
        let verified: Vec<ScoredPair> = wave.pairs.par_iter().filter_map(verify).collect();
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

/// Some candidate pairs, and what was read again of their documents.
pub struct Wave {
    chain: Arc<Chain>,
    /// The documents that are to be read again, ascending.
    documents: Vec<u32>,
    contents: Vec<u128>,
    pairs: Vec<ScoredPair>,
    evidence: Rows,
    /// By place in `documents`, the number of the row of evidence.
    rows: Vec<Option<u32>>,
}

impl Wave {
    /// The numbers of the documents that are to be read again, ascending.
    #[must_use]
    pub fn documents(&self) -> &[u32] {
        &self.documents
    }

    /// True if the document of that number is to be read again.
    #[must_use]
    pub fn needs(&self, document: u32) -> bool {
        self.documents.binary_search(&document).is_ok()
    }

    /// A reader for one thread.
    #[must_use]
    pub fn reader(&self) -> Reader {
        let chain = Arc::clone(&self.chain);
        Reader {
            chain,
            documents: Vec::new(),
            rows: Rows::new(),
            shingles: Vec::new(),
            signature: Vec::new(),
            row: Vec::new(),
        }
    }

    /// Takes over what a thread has read. Documents that are not needed are passed over.
    ///
    /// # Errors
    /// If a document has another content than when it was read first.
    pub fn append(&mut self, reader: Reader) -> Result<(), Unread> {
        let before = self.evidence.len() as u32;
        for (number, (document, content)) in (before..).zip(reader.documents) {
            if let Ok(place) = self.documents.binary_search(&document) {
                if self.contents[place] != content {
                    return Err(Unread {
                        document,
                        changed: true,
                    });
                }
                self.rows[place] = Some(number);
            }
        }
        self.evidence.append(reader.rows);
        Ok(())
    }

    fn row(&self, document: u32) -> &[u64] {
        let row = self
            .documents
            .binary_search(&document)
            .ok()
            .and_then(|place| self.rows[place]);
        row.map_or(&[], |row| self.evidence.row(row as usize))
    }
}

/// Reads documents again, for one thread.
pub struct Reader {
    chain: Arc<Chain>,
    /// Numbers and content hashes.
    documents: Vec<(u32, u128)>,
    rows: Rows,
    shingles: Vec<u64>,
    signature: Vec<u64>,
    row: Vec<u64>,
}

impl Reader {
    /// Reads a document whose terms are its tokens.
    pub fn add(&mut self, document: u32, tokens: &Tokens) {
        self.add_document(document, tokens, tokens);
    }

    /// Reads a document with its terms.
    pub fn add_document(&mut self, document: u32, tokens: &Tokens, terms: &Tokens) {
        let Chain {
            options,
            signer,
            comparer,
            ..
        } = &*self.chain;
        options.shingler.shingle(tokens, &mut self.shingles);
        let view = Document {
            tokens,
            terms,
            shingles: &self.shingles,
        };
        self.signature.clear();
        if comparer.needs_signature() {
            signer.sign(&view, &mut self.signature);
        }
        self.row.clear();
        comparer.row(&view, &self.signature, &mut self.row);
        self.rows.push(&self.row);
        self.documents.push((document, content_hash(tokens.text())));
    }
}

/// A document that a wave needs was not read again, or not as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unread {
    document: u32,
    changed: bool,
}

impl Unread {
    /// The document's number.
    #[must_use]
    pub fn document(&self) -> u32 {
        self.document
    }

    /// True if it was read, but has another content than before.
    #[must_use]
    pub fn changed(&self) -> bool {
        self.changed
    }
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.changed {
            write!(
                f,
                "document {} has changed since it was read first",
                self.document
            )
        } else {
            write!(f, "document {} was not read again", self.document)
        }
    }
}

impl std::error::Error for Unread {}

#[cfg(test)]
mod tests;
