//! Documents that are removed before the search for duplicates, and take no part in it.

use crate::kernel::document_table::DocumentTable;
use crate::kernel::same_url::Folded;
use crate::settings::SameUrl;

/// Reason of documents that have lost too much of their text to repeated passages.
pub(crate) const TOO_MUCH_REPEATED: &str = "too-much-repeated";
/// Reason of documents that are contained in one that is kept.
pub(crate) const CONTAINED_IN: &str = "contained";
/// Reason of documents that are kept although a setting demotes them.
pub(crate) const DEMOTED: &str = "demoted";
/// Reason of documents that were folded into another document with their URL.
pub(crate) const SAME_URL: &str = "same-url";

/// Documents that take no part in the search for duplicates.
#[derive(Default)]
pub(crate) struct Apart {
    /// `None` if documents are not folded.
    folded: Option<Folded>,
    /// Documents that have lost too much, ascending; `None` if nothing is cut from documents.
    cut_away: Option<Vec<u32>>,
}

impl Apart {
    /// Folds the documents of a table by URL, apart from those in `cut_away`, whose text is gone.
    pub(crate) fn of(table: &DocumentTable, rule: SameUrl, cut_away: Option<Vec<u32>>) -> Self {
        let stays = |document: &u32| !is_in(cut_away.as_ref(), *document);
        Apart {
            folded: Folded::of(table, rule, stays),
            cut_away,
        }
    }

    /// Returns the reason why a document takes no part. `None` if it does.
    pub(crate) fn reason(&self, document: u32) -> Option<&'static str> {
        match is_in(self.cut_away.as_ref(), document) {
            true => Some(TOO_MUCH_REPEATED),
            false => self.stays_for(document).map(|_| SAME_URL),
        }
    }

    /// Returns the reasons that documents may have.
    pub(crate) fn reasons(&self) -> impl Iterator<Item = &'static str> {
        let cut_away = self.cut_away.as_ref().map(|_| TOO_MUCH_REPEATED);
        let folded = self.folded.as_ref().map(|_| SAME_URL);
        cut_away.into_iter().chain(folded)
    }

    /// Returns the document that takes part instead of this one because of an equal URL, or `None`.
    pub(crate) fn stays_for(&self, document: u32) -> Option<u32> {
        self.folded.as_ref()?.stays_for(document)
    }

    /// Returns the documents in ascending order.
    pub(crate) fn documents(&self) -> Vec<u32> {
        let folded = self.folded.iter().flat_map(Folded::documents);
        let mut all: Vec<u32> = folded.chain(self.cut_away.iter().flatten().copied()).collect();
        all.sort_unstable();
        all
    }

    /// Returns the bytes of memory of the lists.
    pub(crate) fn bytes(&self) -> u64 {
        let cut_away = self.cut_away.as_ref().map_or(0, Vec::capacity) * size_of::<u32>();
        self.folded.as_ref().map_or(0, Folded::bytes) + cut_away as u64
    }
}

/// Returns `true` if a sorted list has this document.
fn is_in(documents: Option<&Vec<u32>>, document: u32) -> bool {
    documents.is_some_and(|documents| documents.binary_search(&document).is_ok())
}
