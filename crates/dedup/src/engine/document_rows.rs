//! The rows of documents that are kept until pairs are sought.

use crate::candidates::pair::ScoredPair;
use crate::engine::compiled::CompiledOptions;
use crate::numeric::rows::Rows;

/// How a document takes part.
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocumentKind {
    /// It has no tokens: it is in no pair and no cluster.
    Empty,
    /// It has few words: it is compared with documents of equal content only.
    Short,
    /// It is compared with similar documents.
    Full,
    /// It was [taken out](crate::Deduper::leave_out): it is in no pair and no cluster.
    LeftOut,
}

impl DocumentKind {
    /// Whether it is compared with anything.
    pub(crate) fn takes_part(self) -> bool {
        matches!(self, Self::Short | Self::Full)
    }
}

/// The rows of each document, by its number.
#[derive(Default)]
pub(crate) struct DocumentRows {
    pub(crate) kinds: Vec<DocumentKind>,
    pub(crate) contents: Vec<u128>,
    /// Hash of the text of each document, equal for exact duplicates.
    pub(crate) exacts: Vec<u64>,
    /// Rows of the candidate method, unless the features serve it too.
    pub(crate) index: Rows,
    /// Rows of the similarity; without verification, the signatures.
    pub(crate) features: Rows,
    /// Signatures, if estimates are wanted from them.
    pub(crate) signatures: Rows,
}

impl DocumentRows {
    pub(crate) fn len(&self) -> usize {
        self.kinds.len()
    }

    /// No rows, and room for as many as these.
    pub(crate) fn room(&self) -> Self {
        Self {
            kinds: Vec::with_capacity(self.kinds.len()),
            contents: Vec::with_capacity(self.contents.len()),
            exacts: Vec::with_capacity(self.exacts.len()),
            index: Rows::with_room_of(&self.index),
            features: Rows::with_room_of(&self.features),
            signatures: Rows::with_room_of(&self.signatures),
        }
    }

    pub(crate) fn append(&mut self, mut other: Self) {
        self.kinds.append(&mut other.kinds);
        self.contents.append(&mut other.contents);
        self.exacts.append(&mut other.exacts);
        self.index.append(other.index);
        self.features.append(other.features);
        self.signatures.append(other.signatures);
    }

    /// Bytes of memory that this takes.
    pub(crate) fn bytes(&self) -> u64 {
        let flat = self.kinds.capacity()
            + self.contents.capacity() * size_of::<u128>()
            + self.exacts.capacity() * size_of::<u64>();
        flat as u64 + self.index.bytes() + self.features.bytes() + self.signatures.bytes()
    }

    /// Rows of the candidate method.
    pub(crate) fn index_rows(&self, compiled: &CompiledOptions) -> &Rows {
        if compiled.shared {
            &self.features
        } else {
            &self.index
        }
    }

    /// The pair of two documents, the smaller number first, if their similarity is at least `at_least`. `equal` is the number of equal
    /// keys in their rows, if it is known.
    pub(crate) fn compare(
        &self,
        compiled: &CompiledOptions,
        (a, b): (u32, u32),
        equal: Option<u32>,
        at_least: f64,
    ) -> Option<ScoredPair> {
        let rows = [a, b].map(|document| self.features.row(document as usize));
        let (similarity, contained) = compiled.similarity(rows[0], rows[1], at_least)?;
        let estimate = if compiled.options.verify {
            self.estimate(compiled, (a, b), equal)
        } else {
            Some(similarity as f32)
        };
        debug_assert!(a <= b, "what is contained is told of `a` and `b` in this order");
        Some(ScoredPair::new(a, b, similarity, estimate).with_contained(contained))
    }

    /// An estimate of the similarity of two documents from their signatures, or else from the index. `equal` is the number of
    /// equal keys in their rows, if it is known.
    pub(crate) fn estimate(
        &self,
        compiled: &CompiledOptions,
        (a, b): (u32, u32),
        equal: Option<u32>,
    ) -> Option<f32> {
        let (a, b) = (a as usize, b as usize);
        let estimate = if compiled.options.estimates {
            let (a, b) = (self.signatures.row(a), self.signatures.row(b));
            Some(compiled.signer.estimate(a, b))
        } else if let Some(equal) = equal {
            compiled.index.estimate_of(equal)
        } else {
            let rows = self.index_rows(compiled);
            compiled.index.estimate(rows.row(a), rows.row(b))
        };
        estimate.map(|estimate| estimate as f32)
    }
}
