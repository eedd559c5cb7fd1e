//! Documents that are being signed by one thread.

use std::sync::Arc;

use crate::engine::compiled::CompiledOptions;
use crate::engine::document_rows::{DocumentKind, DocumentRows};
use crate::engine::document_signer::{DocumentSigner, Parts};
use crate::engine::stored_features::{FeatureFlow, FeaturePlace, encode};
use crate::text::tokens::Tokens;

/// Documents that are being signed by one thread. A [`BatchMaker`] makes batches, and
/// [`Deduper::append`](crate::Deduper::append) takes them back, in an order that numbers the documents; how documents are
/// split into batches changes nothing.
pub struct Batch {
    signer: DocumentSigner,
    parts: Parts,
    /// Of parts without features, shingles stand for these, as they were listed.
    pub(crate) rows: DocumentRows,
    tokens: Tokens,
    /// In the place of features, about as many words as they have: never too few.
    pub(crate) sizes: Option<Vec<u32>>,
    /// The shingles of which these are the sizes, encoded for files, if there are some.
    pub(crate) encoded: Option<Vec<u8>>,
    /// Content hashes of recent documents, each at the place that its lowest bits name: identical documents in close
    /// succession are signed once, unless every copy is to be signed.
    recent: Vec<u128>,
    every_copy: bool,
}

/// Makes batches of equal settings, on any thread.
#[derive(Clone)]
pub struct BatchMaker {
    pub(crate) compiled: Arc<CompiledOptions>,
    /// Where the features of batches go.
    pub(crate) flow: Arc<FeatureFlow>,
    /// Whether every copy of a document is signed.
    pub(crate) every_copy: bool,
}

impl BatchMaker {
    /// Makes batches by these settings, for those who keep documents themselves.
    #[must_use]
    pub fn new(compiled: Arc<CompiledOptions>) -> Self {
        Self {
            compiled,
            flow: Arc::default(),
            every_copy: false,
        }
    }

    /// An empty batch.
    #[must_use]
    pub fn batch(&self) -> Batch {
        let mut batch = Batch::new(Arc::clone(&self.compiled));
        batch.every_copy = self.every_copy;
        let place = self.flow.place();
        if self.compiled.separable && place != FeaturePlace::Caller {
            batch.parts = Parts::IndexOnly;
            batch.sizes = (place != FeaturePlace::Memory).then(Vec::new);
            batch.encoded = (place == FeaturePlace::Files).then(|| self.flow.buffer());
        }
        batch
    }

    /// Takes a batch, and leaves an empty one with the same buffers and with room for as many documents as were in it.
    #[must_use]
    pub fn take(&self, batch: &mut Batch) -> Batch {
        let mut next = self.batch();
        next.rows = batch.rows.room();
        next.signer.take_buffers(&mut batch.signer);
        next.tokens = std::mem::take(&mut batch.tokens);
        std::mem::replace(batch, next)
    }
}

/// The rows of one document of a batch.
#[derive(Clone, Copy, Debug)]
pub struct BatchRow<'a> {
    /// How the document takes part.
    pub kind: DocumentKind,
    /// The hash of its content: its tokens.
    pub content: u128,
    /// The hash of its text, which exact duplicates have in common.
    pub exact: u64,
    /// The row of the index, which finds candidates. Empty unless the document takes part in full; it may also be empty if an
    /// earlier document of the batch has the same content.
    pub index_row: &'a [u64],
    /// The features that similarities compare; empty where `index_row` is. In a batch for a [`Deduper`](crate::Deduper) they may be
    /// shingles that are not sorted, or missing.
    pub features: &'a [u64],
}

/// Number of content hashes that are remembered, a power of two.
const RECENT: usize = 1024;

impl Batch {
    /// An empty batch.
    #[must_use]
    pub fn new(compiled: Arc<CompiledOptions>) -> Self {
        Self {
            signer: DocumentSigner::new(compiled),
            parts: Parts::All,
            rows: DocumentRows::default(),
            tokens: Tokens::new(),
            sizes: None,
            encoded: None,
            recent: Vec::new(),
            every_copy: false,
        }
    }

    /// Number of documents in the batch.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// True if there is no document in the batch.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The rows of each document.
    pub fn rows(&self) -> impl Iterator<Item = BatchRow<'_>> {
        let index = self.rows.index_rows(&self.signer.compiled);
        (0..self.len()).map(move |number| BatchRow {
            kind: self.rows.kinds[number],
            content: self.rows.contents[number],
            exact: self.rows.exacts[number],
            index_row: index.row(number),
            features: self.rows.features.row(number),
        })
    }

    /// Adds a document of these tokens.
    pub fn add<'a>(&mut self, tokens: impl IntoIterator<Item = &'a str>) {
        self.add_with(|document| {
            for token in tokens {
                document.push(token);
            }
        });
    }

    /// Adds a document of the tokens of a text that are separated by spaces: faster than token by token.
    pub fn add_joined(&mut self, text: &str) {
        self.add_with(|document| document.push_joined(text));
    }

    /// Adds a document that `fill` writes to a buffer, with its sentences if methods need them.
    pub fn add_with(&mut self, fill: impl FnOnce(&mut Tokens)) {
        let mut tokens = std::mem::take(&mut self.tokens);
        tokens.clear();
        fill(&mut tokens);
        self.add_document(&tokens, &tokens);
        self.tokens = tokens;
    }

    /// Adds a document with the terms that lexical methods read instead of its tokens: without stop words, and stemmed. They
    /// may be the tokens. Documents of equal tokens are exact duplicates.
    pub fn add_document(&mut self, tokens: &Tokens, terms: &Tokens) {
        self.add_text(tokens, terms, None);
    }

    /// Adds a document as [`add_document`](Self::add_document) does. `exact` is a hash of its text: documents of equal tokens are exact duplicates
    /// only if their hashes are equal, too, and near-duplicates of similarity 1 otherwise.
    pub fn add_hashed(&mut self, tokens: &Tokens, terms: &Tokens, exact: u64) {
        self.add_text(tokens, terms, Some(exact));
    }

    fn add_text(&mut self, tokens: &Tokens, terms: &Tokens, exact: Option<u64>) {
        let (kind, content) = self.signer.classify(tokens);
        if kind != DocumentKind::Full || self.is_recent(content) {
            // The first document of a content stands for its copies.
            self.signer.clear();
        } else {
            let signature = self.signer.compiled.reads_signatures;
            self.signer.fill(tokens, terms, self.parts, signature);
        }
        let DocumentSigner {
            compiled,
            shingles,
            signature,
            index_row,
            features,
        } = &self.signer;
        // A panic above leaves the batch as it was.
        self.rows.kinds.push(kind);
        self.rows.contents.push(content);
        self.rows.exacts.push(exact.unwrap_or(content as u64));
        if kind == DocumentKind::Full && !self.every_copy {
            self.recent.resize(RECENT, 0);
            self.recent[content as usize % RECENT] = content;
        }
        if !compiled.shared {
            self.rows.index.push(index_row);
        }
        match (&mut self.sizes, self.parts) {
            // No document has 2^32 words.
            (Some(sizes), _) => sizes.push(u32::try_from(shingles.len()).unwrap_or(u32::MAX)),
            (None, Parts::IndexOnly) => self.rows.features.push(shingles),
            (None, Parts::All) => self.rows.features.push(features),
        }
        if let Some(encoded) = &mut self.encoded {
            encode(shingles, encoded);
        }
        if compiled.options.estimates {
            self.rows.signatures.push(signature);
        }
    }

    /// True if a recent document of the batch has that content.
    fn is_recent(&self, content: u128) -> bool {
        // 0 stands for no content; the one in 2^128 that has it is signed each time.
        self.recent.get(content as usize % RECENT) == Some(&content) && content != 0
    }
}
