//! Identical documents.

use rayon::prelude::*;

use crate::cluster::clusters::Clusters;
use crate::engine::document_rows::DocumentKind;
use crate::numeric::radix::sort_by_upper_half;

/// Documents of equal content, of which the first stands for all.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExactGroups {
    groups: Clusters,
    /// By document number, the number of its group.
    numbers: Vec<u32>,
}

/// The number of no group.
const ALONE: u32 = u32::MAX;

/// Upper bits of a content hash by which documents are parted, so that threads share the work.
const PART_BITS: u32 = 2;

/// Groups of documents with equal contents, of those whose content hash begins with these bits.
fn groups_of(part: u128, kinds: &[DocumentKind], contents: &[u128]) -> Vec<Vec<u32>> {
    let content = |word: u64| contents[word as u32 as usize];
    let is_of = |content: u128| content >> (u128::BITS - PART_BITS) == part;
    let mut words: Vec<u64> = (0_u64..)
        .zip(kinds)
        .zip(contents)
        .filter(|((_, kind), content)| is_of(**content) && kind.takes_part())
        .map(|((document, _), content)| ((content >> 96) as u64) << 32 | document)
        .collect();
    sort_by_upper_half(&mut words, &mut Vec::new());
    let mut groups = Vec::new();
    for words in words
        .chunk_by_mut(|a, b| *a >> 32 == *b >> 32)
        .filter(|words| words.len() > 1)
    {
        words.sort_by_key(|&word| content(word)); // stable: documents with equal contents still ascend
        let equal = words
            .chunk_by(|&a, &b| content(a) == content(b))
            .filter(|group| group.len() > 1);
        groups.extend(equal.map(|group| group.iter().map(|&word| word as u32).collect()));
    }
    groups
}

impl ExactGroups {
    /// Groups the documents that take part by content hash, in the threads of the current rayon pool.
    pub(crate) fn find(kinds: &[DocumentKind], contents: &[u128]) -> Self {
        let parts: Vec<Vec<Vec<u32>>> = (0..1 << PART_BITS)
            .into_par_iter()
            .map(|part| groups_of(part, kinds, contents))
            .collect();
        let groups = parts.into_iter().flatten().collect();
        let groups = Clusters::from_groups(groups);
        let mut numbers = vec![ALONE; kinds.len()];
        for (number, group) in (0..).zip(groups.iter()) {
            for &document in group {
                numbers[document as usize] = number;
            }
        }
        Self { groups, numbers }
    }

    /// The groups of two or more identical documents.
    #[must_use]
    pub fn groups(&self) -> &Clusters {
        &self.groups
    }

    /// The smallest number of a document with the same content; the document's own if there is no smaller one.
    #[must_use]
    pub fn first(&self, document: u32) -> u32 {
        self.copies(document).map_or(document, |copies| copies[0])
    }

    /// All documents with the content of `document`, ascending; none if it is alone.
    #[must_use]
    #[inline]
    pub fn copies(&self, document: u32) -> Option<&[u32]> {
        let number = self.numbers.get(document as usize).copied().unwrap_or(ALONE);
        (number != ALONE).then(|| self.groups.group(number as usize))
    }
}
