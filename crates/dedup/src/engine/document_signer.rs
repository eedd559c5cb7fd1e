//! From the tokens of a document to its signature, its keys, and the features that verification compares.

use std::sync::Arc;

use crate::engine::compiled::CompiledOptions;
use crate::engine::document_rows::DocumentKind;
use crate::engine::options::ShortDocuments;
use crate::numeric::hash::content_hash;
use crate::text::document::Document;
use crate::text::tokens::Tokens;

/// Signs documents one after the other, for one thread: a pure function of the settings and the tokens.
pub struct DocumentSigner {
    pub(crate) compiled: Arc<CompiledOptions>,
    pub(crate) shingles: Vec<u64>,
    pub(crate) signature: Vec<u64>,
    pub(crate) index_row: Vec<u64>,
    pub(crate) features: Vec<u64>,
}

/// The signature and the rows of one document.
#[derive(Clone, Copy, Debug)]
pub struct SignedDocument<'a> {
    /// How the document takes part.
    pub kind: DocumentKind,
    /// The hash of its content: documents with equal values have the same tokens.
    pub content: u128,
    /// The signature. This and the rows below are empty unless the document takes part in full.
    pub signature: &'a [u64],
    /// The row that finds candidates, as [`Index::row`](crate::candidates::Index::row) gives it.
    pub index_row: &'a [u64],
    /// The features that similarities compare.
    pub features: &'a [u64],
}

/// The rows to compute of a document beside its signature.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Parts {
    /// The row of the index and the features.
    All,
    /// The row of the index, and shingles in any order, of which features can be made. Only where the settings allow it.
    IndexOnly,
}

impl DocumentSigner {
    /// A signer by these settings.
    #[must_use]
    pub fn new(compiled: Arc<CompiledOptions>) -> Self {
        Self {
            compiled,
            shingles: Vec::new(),
            signature: Vec::new(),
            index_row: Vec::new(),
            features: Vec::new(),
        }
    }

    /// Signs a document of these tokens. Lexical methods read `terms` instead of them: without stop words, and
    /// stemmed; they may be the tokens.
    pub fn sign(&mut self, tokens: &Tokens, terms: &Tokens) -> SignedDocument<'_> {
        let (kind, content) = self.classify(tokens);
        if kind == DocumentKind::Full {
            self.fill(tokens, terms, Parts::All, true);
        } else {
            self.clear();
        }
        SignedDocument {
            kind,
            content,
            signature: &self.signature,
            index_row: if self.compiled.shared {
                &self.features
            } else {
                &self.index_row
            },
            features: &self.features,
        }
    }

    /// The signature alone, also of a short document; empty if the method finds too little in it.
    pub fn sign_only(&mut self, tokens: &Tokens, terms: &Tokens) -> &[u64] {
        self.clear();
        if !tokens.is_empty() {
            let CompiledOptions { options, signer, .. } = &*self.compiled;
            options.shingler.shingle(tokens, &mut self.shingles);
            let document = Document {
                tokens,
                terms,
                shingles: &self.shingles,
            };
            signer.sign(&document, &mut self.signature);
        }
        &self.signature
    }

    /// The features alone, of a document that takes part in full, and the hash of its content.
    pub(crate) fn features(&mut self, tokens: &Tokens, terms: &Tokens) -> (u128, &[u64]) {
        self.clear();
        let CompiledOptions {
            options,
            signer,
            comparer,
            ..
        } = &*self.compiled;
        options.shingler.shingle(tokens, &mut self.shingles);
        let document = Document {
            tokens,
            terms,
            shingles: &self.shingles,
        };
        if comparer.needs_signature() {
            signer.sign(&document, &mut self.signature);
        }
        comparer.row(&document, &self.signature, &mut self.features);
        (content_hash(tokens.text()), &self.features)
    }

    /// Writes the keys of the document that was signed last to `out`: documents are candidates if they share one. Returns
    /// false if candidates are not found by equal keys.
    pub fn keys(&self, out: &mut Vec<u64>) -> bool {
        out.clear();
        self.compiled.index.keys(&self.signature, out)
    }

    /// How a document of these tokens takes part, and the hash of its content.
    pub(crate) fn classify(&self, tokens: &Tokens) -> (DocumentKind, u128) {
        let options = &self.compiled.options;
        let kind = if tokens.is_empty() {
            DocumentKind::Empty
        } else if options.short == ShortDocuments::Exact && tokens.words() < options.min_tokens as usize {
            DocumentKind::Short
        } else {
            DocumentKind::Full
        };
        (kind, content_hash(tokens.text()))
    }

    /// Takes over the buffers of another signer, which needs them no more.
    pub(crate) fn take_buffers(&mut self, other: &mut Self) {
        self.shingles = std::mem::take(&mut other.shingles);
        self.signature = std::mem::take(&mut other.signature);
        self.index_row = std::mem::take(&mut other.index_row);
        self.features = std::mem::take(&mut other.features);
    }

    pub(crate) fn clear(&mut self) {
        self.shingles.clear();
        self.signature.clear();
        self.index_row.clear();
        self.features.clear();
    }

    /// Computes the parts of a document that takes part in full, and its signature if it is asked for.
    pub(crate) fn fill(&mut self, tokens: &Tokens, terms: &Tokens, parts: Parts, signature: bool) {
        self.clear();
        let CompiledOptions {
            options,
            signer,
            index,
            comparer,
            shared,
            ..
        } = &*self.compiled;
        match parts {
            Parts::All => options.shingler.shingle(tokens, &mut self.shingles),
            Parts::IndexOnly => options.shingler.list(tokens, &mut self.shingles),
        }
        let document = Document {
            tokens,
            terms,
            shingles: &self.shingles,
        };
        if signature {
            signer.sign(&document, &mut self.signature);
        }
        if parts == Parts::All && options.verify {
            comparer.row(&document, &self.signature, &mut self.features);
        } else if parts == Parts::All {
            self.features.extend_from_slice(&self.signature);
        }
        if !shared {
            index.row(&document, &self.signature, &mut self.index_row);
        }
    }
}
