//! From tokens to what is kept of a document until pairs are sought.

use std::sync::Arc;

use crate::candidates::method::Index;
use crate::engine::error::TooManyDocuments;
use crate::engine::options::{Options, Short};
use crate::numeric::hash::content_hash;
use crate::numeric::rows::Rows;
use crate::sign::method::{Form, Signer};
use crate::strategy::build_error::BuildError;
use crate::text::document::{Context, Document};
use crate::text::tokens::Tokens;
use crate::verify::similarity::Comparer;

/// Settings that were checked, and the strategies made ready by them.
pub(crate) struct Chain {
    pub(crate) options: Options,
    pub(crate) signer: Box<dyn Signer>,
    pub(crate) index: Box<dyn Index>,
    pub(crate) comparer: Box<dyn Comparer>,
    /// Whether what the index keeps is the evidence.
    pub(crate) shared: bool,
    /// Whether documents can be signed without what verification needs of them, which is cheaper.
    pub(crate) parts: bool,
}

impl Chain {
    pub(crate) fn new(options: Options) -> Result<Self, BuildError> {
        options.check()?;
        let context = Context {
            threshold: options.threshold,
            statistics: options.statistics.clone(),
            descriptive_words: options.descriptive_words.clone(),
        };
        let signer = options.signature.signer(&context)?;
        let index = options.candidates()?.index(&*options.signature, &context)?;
        let comparer = options.similarity.comparer(&*options.signature, &context)?;
        // Whether what the similarity keeps is what the index keeps: then one copy of it serves both.
        let whole_set = options.signature.form() == Form::Set { whole: true };
        let same = !options.verify || whole_set && comparer.keeps_shingles();
        let shared = index.keeps_signature() && same;
        let parts = options.verify
            && !shared
            && !options.shingler.bag()
            && signer.takes_any_order()
            && index.columns().is_some()
            && comparer.keeps_shingles();
        Ok(Self {
            options,
            signer,
            index,
            comparer,
            shared,
            parts,
        })
    }
}

impl Chain {
    /// What the index keeps.
    pub(crate) fn index_rows<'a>(&self, sketches: &'a Sketches) -> &'a Rows {
        if self.shared {
            &sketches.evidence
        } else {
            &sketches.index
        }
    }

    /// What the signatures, or else the index, say of the similarity of two documents, whose rows have so many equal keys if
    /// that is known.
    pub(crate) fn estimate(&self, sketches: &Sketches, a: u32, b: u32, equal: Option<u32>) -> Option<f32> {
        let (a, b) = (a as usize, b as usize);
        let estimate = if self.options.estimates {
            Some(
                self.signer
                    .estimate(sketches.signatures.row(a), sketches.signatures.row(b)),
            )
        } else if let Some(equal) = equal {
            self.index.estimate_of(equal)
        } else {
            let rows = self.index_rows(sketches);
            self.index.estimate(rows.row(a), rows.row(b))
        };
        estimate.map(|estimate| estimate as f32)
    }
}

/// How a document takes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It has no tokens: it is in no pair and no cluster.
    Empty,
    /// It has few tokens: it is compared with identical documents only.
    Short,
    /// It is compared with similar documents.
    Full,
}

/// What is kept of each document, by its number.
#[derive(Default)]
pub(crate) struct Sketches {
    pub(crate) kinds: Vec<Kind>,
    pub(crate) contents: Vec<u128>,
    /// What the candidate method keeps, unless it is the evidence.
    pub(crate) index: Rows,
    /// What the similarity keeps; without verification, the signature.
    pub(crate) evidence: Rows,
    /// Signatures, if estimates are wanted from them.
    pub(crate) signatures: Rows,
}

impl Sketches {
    pub(crate) fn len(&self) -> usize {
        self.kinds.len()
    }

    pub(crate) fn append(&mut self, mut other: Self) {
        self.kinds.append(&mut other.kinds);
        self.contents.append(&mut other.contents);
        self.index.append(other.index);
        self.evidence.append(other.evidence);
        self.signatures.append(other.signatures);
    }
}

/// Documents that are being signed, for one thread. Batches are made by [`Deduper::batch`](crate::Deduper::batch) and
/// handed back with [`Deduper::append`](crate::Deduper::append), whose order numbers the documents; how documents are
/// split into batches changes nothing.
pub struct Batch {
    pub(crate) chain: Arc<Chain>,
    pub(crate) sketches: Sketches,
    tokens: Tokens,
    shingles: Vec<u64>,
    signature: Vec<u64>,
    row: Vec<u64>,
    index_row: Vec<u64>,
    /// In the place of evidence, its size in words or somewhat more.
    pub(crate) sizes: Option<Vec<u32>>,
    /// Content hashes that came lately, each at the place that its lowest bits say: identical documents that come in
    /// hot succession are not signed again.
    recent: Vec<u128>,
}

/// What was made of one document, for those who keep it themselves.
#[derive(Clone, Copy, Debug)]
pub struct Sketch<'a> {
    /// How the document takes part.
    pub kind: Kind,
    /// The hash of its content.
    pub content: u128,
    /// What candidates are found by. Empty unless the document takes part in full; it may also be empty if the content came
    /// in the batch before.
    pub keys: &'a [u64],
    /// What it is compared by; empty where `keys` are.
    pub evidence: &'a [u64],
}

/// Number of content hashes that are remembered, a power of two.
const RECENT: usize = 1024;

impl Batch {
    pub(crate) fn new(chain: Arc<Chain>) -> Self {
        Self {
            chain,
            sketches: Sketches::default(),
            tokens: Tokens::new(),
            shingles: Vec::new(),
            signature: Vec::new(),
            row: Vec::new(),
            index_row: Vec::new(),
            sizes: None,
            recent: Vec::new(),
        }
    }

    /// A batch that takes no evidence, if that is cheaper.
    pub(crate) fn without_evidence(mut self) -> Self {
        self.sizes = self.chain.parts.then(Vec::new);
        self
    }

    /// Number of documents in the batch.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sketches.len()
    }

    /// True if there is no document in the batch.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What was made of each document.
    pub fn sketches(&self) -> impl Iterator<Item = Sketch<'_>> {
        let rows = self.chain.index_rows(&self.sketches);
        (0..self.len()).map(move |number| Sketch {
            kind: self.sketches.kinds[number],
            content: self.sketches.contents[number],
            keys: rows.row(number),
            evidence: self.sketches.evidence.row(number),
        })
    }

    /// The number of the next document, if there is room for so many more.
    pub(crate) fn next(&self, more: usize) -> Result<u32, TooManyDocuments> {
        let after = self.len().checked_add(more).ok_or(TooManyDocuments)?;
        u32::try_from(after).map_err(|_| TooManyDocuments)?;
        u32::try_from(self.len()).map_err(|_| TooManyDocuments)
    }

    /// Adds the documents of another batch, and returns the number of the first of them.
    pub(crate) fn append(&mut self, other: Self) -> Result<u32, TooManyDocuments> {
        let number = self.next(other.len())?;
        self.sketches.append(other.sketches);
        Ok(number)
    }

    /// Adds a document of these tokens.
    pub fn add<'a>(&mut self, tokens: impl IntoIterator<Item = &'a str>) {
        self.fill(|document| {
            for token in tokens {
                document.push(token);
            }
        });
    }

    /// Adds a document of the tokens of a text that are separated by spaces: faster than token by token.
    pub fn add_joined(&mut self, text: &str) {
        self.fill(|document| document.push_joined(text));
    }

    /// Adds a document that `fill` writes to a buffer, with its sentences if methods need them.
    pub fn fill(&mut self, fill: impl FnOnce(&mut Tokens)) {
        let mut tokens = std::mem::take(&mut self.tokens);
        tokens.clear();
        fill(&mut tokens);
        self.add_tokens(&tokens);
        self.tokens = tokens;
    }

    /// Adds a document whose terms are its tokens.
    pub fn add_tokens(&mut self, tokens: &Tokens) {
        self.add_document(tokens, tokens);
    }

    /// Adds a document with the terms that lexical methods read instead of its tokens: without stop words, and stemmed.
    pub fn add_document(&mut self, tokens: &Tokens, terms: &Tokens) {
        let options = &self.chain.options;
        let kind = if tokens.is_empty() {
            Kind::Empty
        } else if options.short == Short::Exact && tokens.len() < options.min_tokens as usize {
            Kind::Short
        } else {
            Kind::Full
        };
        let content = content_hash(tokens.text());
        self.sketches.kinds.push(kind);
        self.sketches.contents.push(content);
        self.signature.clear();
        self.row.clear();
        self.index_row.clear();
        if kind != Kind::Full || self.came_lately(content) {
            // Nothing is kept: a copy is represented by the document that came first, which is in this batch or earlier.
            self.shingles.clear();
            self.push_rows();
            return;
        }
        let Chain {
            options,
            signer,
            index,
            comparer,
            ..
        } = &*self.chain;
        if self.sizes.is_some() {
            options.shingler.list(tokens, &mut self.shingles);
        } else {
            options.shingler.shingle(tokens, &mut self.shingles);
        }
        let document = Document {
            tokens,
            terms,
            shingles: &self.shingles,
        };
        signer.sign(&document, &mut self.signature);
        if self.sizes.is_some() {
            // The documents of candidate pairs are read again.
        } else if options.verify {
            comparer.row(&document, &self.signature, &mut self.row);
        } else {
            self.row.extend_from_slice(&self.signature);
        }
        if !self.chain.shared {
            index.row(&document, &self.signature, &mut self.index_row);
        }
        self.push_rows();
    }

    /// Keeps what was computed of a document.
    fn push_rows(&mut self) {
        let Chain { options, shared, .. } = &*self.chain;
        if !shared {
            self.sketches.index.push(&self.index_row);
        }
        match &mut self.sizes {
            Some(sizes) => sizes.push(u32::try_from(self.shingles.len()).unwrap_or(u32::MAX)),
            None => self.sketches.evidence.push(&self.row),
        }
        if options.estimates {
            self.sketches.signatures.push(&self.signature);
        }
    }

    /// True if the batch has a document of that content, and it came lately.
    fn came_lately(&mut self, content: u128) -> bool {
        if self.recent.is_empty() {
            self.recent.resize(RECENT, 0);
        }
        // 0 stands for no content; the one in 2^128 that has it is signed each time.
        let place = &mut self.recent[content as usize % RECENT];
        std::mem::replace(place, content) == content && content != 0
    }
}
