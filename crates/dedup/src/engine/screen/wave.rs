//! Documents that are read again, and what is read of them.

use std::fmt;
use std::sync::Arc;

use crate::candidates::pair::ScoredPair;
use crate::engine::batch::Chain;
use crate::numeric::hash::content_hash;
use crate::numeric::rows::Rows;
use crate::text::document::Document;
use crate::text::tokens::Tokens;

/// Some candidate pairs, and what was read again of their documents.
pub struct Wave {
    pub(super) chain: Arc<Chain>,
    /// The documents that are to be read again, ascending.
    pub(super) documents: Vec<u32>,
    pub(super) contents: Vec<u128>,
    pub(super) pairs: Vec<ScoredPair>,
    /// The places in `documents` of the documents of each pair.
    pub(super) places: Vec<[u32; 2]>,
    pub(super) evidence: Rows,
    /// By place in `documents`, the number of the row of evidence.
    pub(super) rows: Vec<Option<u32>>,
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
        Reader::new(Arc::clone(&self.chain))
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

    /// The evidence of the document at a place; empty if it was not read.
    pub(super) fn row(&self, place: u32) -> &[u64] {
        self.rows[place as usize].map_or(&[], |row| self.evidence.row(row as usize))
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
    /// Another reader of the same wave, for another thread.
    #[must_use]
    pub fn another(&self) -> Self {
        Self::new(Arc::clone(&self.chain))
    }

    fn new(chain: Arc<Chain>) -> Self {
        Self {
            chain,
            documents: Vec::new(),
            rows: Rows::new(),
            shingles: Vec::new(),
            signature: Vec::new(),
            row: Vec::new(),
        }
    }

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
    pub(super) document: u32,
    pub(super) changed: bool,
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
