//! Computes the signature of a document, its keys, and the features that verification compares.

use std::sync::Arc;

use crate::engine::compiled::CompiledOptions;
use crate::engine::document_rows::DocumentKind;
use crate::engine::options::ShortDocuments;
use crate::numeric::hash::content_hash;
use crate::text::document::Document;
use crate::text::tokens::Tokens;

/// Signs documents in one thread. The result depends only on the settings and the document.
///
/// ```
/// use dehusk_dedup::{CompiledOptions, DocumentSigner, Matcher, Options, Shingler, Tokens};
/// use std::sync::Arc;
///
/// let options = Options::default().with_shingler(Shingler::words(1)).with_threshold(0.5).with_min_tokens(3);
/// let compiled = Arc::new(CompiledOptions::new(options)?);
/// let mut signer = DocumentSigner::new(Arc::clone(&compiled));
/// let mut features = |text: &str| {
///     let tokens: Tokens = text.split(' ').collect();
///     signer.sign(&tokens, &tokens).features.to_vec()
/// };
/// let (a, b) = (features("the old bridge was closed"), features("the old bridge was open"));
/// assert_eq!(Matcher::new(compiled).compare(&a, &b), Some(4.0 / 6.0));
/// # Ok::<(), dehusk_dedup::BuildError>(())
/// ```
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
    /// Which comparisons the document takes part in.
    pub kind: DocumentKind,
    /// The hash of its tokens: documents with equal hashes have equal tokens.
    pub content: u128,
    /// The signature. The signature and the rows below are empty unless `kind` is [`DocumentKind::Full`].
    pub signature: &'a [u64],
    /// The row by which candidates are found, made by [`Index::row`](crate::candidates::Index::row).
    pub index_row: &'a [u64],
    /// The features that similarities compare.
    pub features: &'a [u64],
}

/// The rows of a document to compute in addition to its signature.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Parts {
    /// The row of the index and the features.
    All,
    /// The row of the index, and shingles in document order, from which features can be made. Only if the settings are
    /// [separable](CompiledOptions::separable).
    IndexOnly,
}

impl DocumentSigner {
    /// A signer with these settings.
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

    /// Signs a document. Lexical methods read `terms` instead of `tokens`: best stemmed and without stop words. Both
    /// may be the same.
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

    /// The signature alone, for short documents too. Empty if the document has too little content for the method.
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

    /// The content hash and the features of a document of kind [`DocumentKind::Full`].
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

    /// Writes the keys of the document that was signed last to `out`. Documents that share a key are candidates.
    /// Returns false if the candidate method does not use equal keys.
    pub fn keys(&self, out: &mut Vec<u64>) -> bool {
        out.clear();
        self.compiled.index.keys(&self.signature, out)
    }

    /// The kind of a document, and the hash of its content.
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

    /// Takes the buffers of another signer that is no longer used.
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

    /// Computes the given parts of a document of kind [`DocumentKind::Full`], and its signature if `signature` is true.
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
            // Features are sorted sets; for files, shingles stay in document order and are sorted when they
            // are read.
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
        // Without verification, signatures are compared instead of features.
        } else if parts == Parts::All {
            self.features.extend_from_slice(&self.signature);
        }
        if !shared {
            index.row(&document, &self.signature, &mut self.index_row);
        }
    }
}
