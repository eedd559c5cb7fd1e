//! Reads the documents of an index for the search for passages.

use crate::error::Error;
use crate::search::index::segment::{PassageWords, TextHash};
use crate::search::index::store::Index;

impl Index {
    /// Visits the id and the words of every document, in an order that depends on the texts alone: not on segments, nor on when documents
    /// were added. Visits none if the index holds no passages.
    ///
    /// # Errors
    /// If the index cannot be read. Also the first error of `visit`.
    pub(crate) fn each_text(
        &self,
        visit: &mut dyn FnMut(String, PassageWords) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut readers = self.segments()?;
        // A merge of sorted lists: the next live document of each segment, with its hashes. Segments are
        // sorted by these hashes.
        let mut heads: Vec<Option<(TextHash, u32)>> = Vec::with_capacity(readers.len());
        for reader in &mut readers {
            heads.push(reader.next_live(0)?);
        }
        // Linear in the number of segments, which is small compared with the work on a document.
        let first = |heads: &[Option<(TextHash, u32)>]| {
            let heads = heads.iter().enumerate();
            let live = heads.filter_map(|(segment, head)| Some(((*head)?, segment)));
            live.min()
        };
        while let Some(((_, document), segment)) = first(&heads) {
            let reader = &mut readers[segment];
            if let Some(passages) = reader.passages(document)? {
                visit(reader.id(document)?, passages)?;
            }
            heads[segment] = reader.next_live(document + 1)?;
        }
        Ok(())
    }
}
