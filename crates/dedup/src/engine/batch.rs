//! A batch of documents that one thread signs.

use std::sync::Arc;

use crate::engine::compiled::CompiledOptions;
use crate::engine::document_rows::{DocumentKind, DocumentRows};
use crate::engine::document_signer::{DocumentSigner, Parts};
use crate::engine::stored_features::{FeatureFlow, FeaturePlace, encode};
use crate::numeric::narrow;
use crate::text::tokens::Tokens;

/// Documents that one thread signs. A [`BatchMaker`] makes batches, and [`Deduper::append`](crate::Deduper::append)
/// takes them back. The order of appending numbers the documents; the sizes of batches do not change the result.
pub struct Batch {
    signer: DocumentSigner,
    parts: Parts,
    /// The rows of the documents. With [`Parts::IndexOnly`], the features are shingles in document order.
    pub(crate) rows: DocumentRows,
    tokens: Tokens,
    /// If features are not kept in memory: an upper bound of the number of words of each document's features.
    pub(crate) sizes: Option<Vec<u32>>,
    /// If features go to files: the shingles counted by `sizes`, encoded for files.
    pub(crate) encoded: Option<Vec<u8>>,
    /// Content hashes of recent documents, each at the index given by its lowest bits. They let identical documents in
    /// close succession be signed once. Empty if every copy is to be signed.
    recent: Vec<u128>,
    every_copy: bool,
}

/// Makes batches with equal settings, on any thread.
///
/// ```
/// use dehusk_dedup::{Deduper, Options};
///
/// let mut deduper = Deduper::new(Options::default().with_min_tokens(3))?;
/// let maker = deduper.batch_maker();
/// let sign = |texts: [&'static str; 2]| {
///     let mut batch = maker.batch();
///     texts.map(|text| batch.add_joined(text));
///     batch
/// };
/// let [first, second] = std::thread::scope(|scope| {
///     let threads = [["one two three", "four five six"], ["seven eight nine", "one two three"]]
///         .map(|texts| scope.spawn(move || sign(texts)));
///     threads.map(|thread| thread.join().unwrap())
/// });
/// deduper.append(first)?;
/// deduper.append(second)?;
/// assert_eq!(deduper.finish(&())?.clusters.group(0), [0, 3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct BatchMaker {
    pub(crate) compiled: Arc<CompiledOptions>,
    /// The destination of the features of batches.
    pub(crate) flow: Arc<FeatureFlow>,
    /// True if every copy of a document is signed.
    pub(crate) every_copy: bool,
}

impl BatchMaker {
    /// Makes batches with these settings, for callers that store documents themselves.
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
        // The destination is fixed when the batch is made. Batches made before it changed are still taken
        // back.
        if self.compiled.separable && place != FeaturePlace::Caller {
            batch.parts = Parts::IndexOnly;
            batch.sizes = (place != FeaturePlace::Memory).then(Vec::new);
            batch.encoded = (place == FeaturePlace::Files).then(|| self.flow.buffer());
        }
        batch
    }

    /// Takes a batch and leaves an empty one in its place, with the same buffers and with room for the same number of
    /// documents.
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
    /// Which comparisons the document takes part in.
    pub kind: DocumentKind,
    /// The hash of its tokens.
    pub content: u128,
    /// The hash of its text, which is equal for exact duplicates.
    pub exact: u64,
    /// The row of the index, by which candidates are found. Empty unless `kind` is [`DocumentKind::Full`]. It may also
    /// be empty if an earlier document of the batch has the same content.
    pub index_row: &'a [u64],
    /// The features that similarities compare; empty if `index_row` is. In a batch for a [`Deduper`](crate::Deduper)
    /// they may be unsorted shingles, or missing.
    pub features: &'a [u64],
}

/// Number of content hashes that are remembered, a power of two.
const RECENT: usize = 1024;

impl Batch {
    /// An empty batch with these settings.
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

    /// True if there are no documents in the batch.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The rows of each document, in the order of adding.
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

    /// Adds a document with these tokens.
    pub fn add<'a>(&mut self, tokens: impl IntoIterator<Item = &'a str>) {
        self.add_with(|document| {
            for token in tokens {
                document.push(token);
            }
        });
    }

    /// Adds a document with the tokens of a text, which spaces separate. Faster than token by token.
    pub fn add_joined(&mut self, text: &str) {
        self.add_with(|document| document.push_joined(text));
    }

    /// Adds a document that `fill` writes to a buffer: tokens, and sentence ends if methods need them.
    pub fn add_with(&mut self, fill: impl FnOnce(&mut Tokens)) {
        let mut tokens = std::mem::take(&mut self.tokens);
        tokens.clear();
        fill(&mut tokens);
        self.add_document(&tokens, &tokens);
        self.tokens = tokens;
    }

    /// Adds a document with separate terms for lexical methods: stemmed and without stop words. `terms` may be the same
    /// as `tokens`. Documents with equal tokens are exact duplicates.
    pub fn add_document(&mut self, tokens: &Tokens, terms: &Tokens) {
        self.add_text(tokens, terms, None);
    }

    /// Adds a document like [`add_document`](Self::add_document). `exact` is a hash of its text. Documents with equal
    /// tokens are exact duplicates only if these hashes are equal too; otherwise they are near-duplicates of similarity
    /// 1.
    pub fn add_hashed(&mut self, tokens: &Tokens, terms: &Tokens, exact: u64) {
        self.add_text(tokens, terms, Some(exact));
    }

    fn add_text(&mut self, tokens: &Tokens, terms: &Tokens, exact: Option<u64>) {
        let (kind, content) = self.signer.classify(tokens);
        if kind != DocumentKind::Full || self.is_recent(content) {
            // A copy of a recent document needs no rows: the first document of the content represents it.
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
        // Rows are changed only from here on, so a panic above leaves the batch unchanged.
        self.rows.kinds.push(kind);
        self.rows.contents.push(content);
        self.rows.exacts.push(exact.unwrap_or(narrow::low_word(content)));
        if kind == DocumentKind::Full && !self.every_copy {
            self.recent.resize(RECENT, 0);
            self.recent[content as usize % RECENT] = content;
        }
        if !compiled.shared {
            self.rows.index.push(index_row);
        }
        debug_assert!(
            u32::try_from(shingles.len()).is_ok(),
            "a document has fewer than 2^32 words"
        );
        // Shingles are an upper bound of the features, which have no repetitions.
        match (&mut self.sizes, self.parts) {
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

    /// True if a recent document of the batch has this content hash.
    fn is_recent(&self, content: u128) -> bool {
        // 0 marks an empty slot. A content whose hash is 0 is signed each time.
        self.recent.get(content as usize % RECENT) == Some(&content) && content != 0
    }
}
