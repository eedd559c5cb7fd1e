//! The rows of documents that are kept until pairs are searched.

use crate::candidates::pair::ScoredPair;
use crate::engine::compiled::CompiledOptions;
use crate::numeric::rows::Rows;

/// Which comparisons a document takes part in.
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocumentKind {
    /// The document has no tokens. It is in no pair and no cluster.
    Empty,
    /// The document has few words. It is compared only with documents of equal content.
    Short,
    /// The document is compared with similar documents.
    Full,
    /// The document was [left out](crate::Deduper::leave_out). It is in no pair and no cluster.
    LeftOut,
}

impl DocumentKind {
    /// True if the document takes part in any comparison.
    pub(crate) fn takes_part(self) -> bool {
        matches!(self, Self::Short | Self::Full)
    }
}

/// The rows of each document, by its number.
#[derive(Default)]
pub(crate) struct DocumentRows {
    pub(crate) kinds: Vec<DocumentKind>,
    pub(crate) contents: Vec<u128>,
    /// Hash of the text of each document; equal for exact duplicates.
    pub(crate) exacts: Vec<u64>,
    /// Rows of the candidate method; empty if the features serve as such.
    pub(crate) index: Rows,
    /// Rows that the similarity compares; without verification, the signatures.
    pub(crate) features: Rows,
    /// Signatures, if estimates are computed from them; else empty.
    pub(crate) signatures: Rows,
}

impl DocumentRows {
    pub(crate) fn len(&self) -> usize {
        self.kinds.len()
    }

    /// An empty list with capacity for the number of rows of `self`.
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

    /// Memory in use, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let flat = self.kinds.capacity()
            + self.contents.capacity() * size_of::<u128>()
            + self.exacts.capacity() * size_of::<u64>();
        flat as u64 + self.index.bytes() + self.features.bytes() + self.signatures.bytes()
    }

    /// The rows of the candidate method.
    pub(crate) fn index_rows(&self, compiled: &CompiledOptions) -> &Rows {
        if compiled.shared {
            &self.features
        } else {
            &self.index
        }
    }

    /// The pair of two documents, or `None` if their similarity is below `at_least`. `a` is at most `b`. `equal` is the
    /// number of equal keys in their rows, or `None` if it is not known.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "estimates are stored with the precision of f32"
    )]
    pub(crate) fn compare(
        &self,
        compiled: &CompiledOptions,
        (a, b): (u32, u32),
        equal: Option<u32>,
        at_least: f64,
    ) -> Option<ScoredPair> {
        let rows = [a, b].map(|document| self.features.row(document as usize));
        let (similarity, contained) = compiled.similarity(rows[0], rows[1], at_least)?;
        // Without verification the similarity is itself the estimate.
        let estimate = if compiled.options.verify {
            self.estimate(compiled, (a, b), equal)
        } else {
            Some(similarity as f32)
        };
        debug_assert!(a <= b, "what is contained is told of `a` and `b` in this order");
        Some(ScoredPair::new(a, b, similarity, estimate).with_contained(contained))
    }

    /// Estimate of the similarity of two documents: from their signatures if these are kept, else from the index.
    /// `equal` is the number of equal keys in their rows, or `None` if it is not known.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "estimates are stored with the precision of f32"
    )]
    pub(crate) fn estimate(
        &self,
        compiled: &CompiledOptions,
        (a, b): (u32, u32),
        equal: Option<u32>,
    ) -> Option<f32> {
        let (a, b) = (a as usize, b as usize);
        // Estimates from signatures are finer than those from keys, and are used where signatures are kept.
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
