//! The words that occur more than once in a very large collection.

use crate::candidates::join::spill::{SpillError, WordSorter};
use crate::numeric::narrow;

/// Words that occur at least twice, ascending.
pub(crate) struct Repeated {
    words: Vec<u64>,
    /// By the upper bits of a word, the index in `words` where the words with these bits begin.
    starts: Vec<u32>,
    shift: u32,
}

/// Bit of a word that is set in known documents.
const KNOWN: u64 = 1;

/// A word marked by whether it is from a known document. The mark takes the place of one bit of the word,
/// so words are equal by chance twice as often.
pub(crate) fn marked(word: u64, is_known: bool) -> u64 {
    (word & !KNOWN) | u64::from(is_known)
}

/// Words for each entry of the table of upper bits, so that a search compares a few neighbors only.
const PER_START: usize = 8;

impl Repeated {
    /// Sorts the words that were fed to `sorter`. `most` is the limit of the result in bytes. If
    /// `has_known`, words are [marked](marked), and words that occur only in known documents are left out.
    ///
    /// # Errors
    /// If a temporary file cannot be used, or the memory is too little.
    pub(crate) fn of(sorter: WordSorter<'_>, most: u64, has_known: bool) -> Result<Self, SpillError> {
        let mut words: Vec<u64> = Vec::new();
        // The last word of new documents that occurs once so far: a known document may have it, too.
        let mut single = None;
        sorter.finish(|word, times| {
            let is_repeated = match has_known {
                false => times > 1,
                // A word sorts before the same word of known documents.
                true if word & KNOWN == 0 => {
                    single = (times == 1).then_some(word);
                    times > 1
                }
                true => single.take() == Some(word & !KNOWN),
            };
            let word = if has_known { word & !KNOWN } else { word };
            if is_repeated {
                // Memory while the vector grows: the old buffer and one of twice its size.
                if words.len() == words.capacity() && 3 * 8 * words.len() as u64 > most {
                    return Err(SpillError::Memory(3 * 8 * words.len() as u64));
                }
                words.push(word);
            }
            Ok(())
        })?;
        words.shrink_to_fit();
        let bits = (words.len() / PER_START).max(1).ilog2();
        // At least one bit, because a shift by 64 bits would overflow.
        let shift = u64::BITS - bits.max(1);
        let mut starts = vec![0_u32; (1 << bits.max(1)) + 1];
        for word in &words {
            // Counts are stored one place further, so that the sums below are starts.
            starts[narrow::to_usize(word >> shift) + 1] += 1;
        }
        for place in 1..starts.len() {
            starts[place] += starts[place - 1];
        }
        Ok(Self { words, starts, shift })
    }

    /// Returns the rank of a word among the repeated words; `None` if it is not repeated.
    pub(crate) fn number(&self, word: u64) -> Option<u32> {
        let bucket = narrow::to_usize(word >> self.shift);
        let (start, end) = (self.starts[bucket], self.starts[bucket + 1]);
        let found = self.words[start as usize..end as usize].binary_search(&word);
        found.ok().map(|place| start + narrow::to_u32(place))
    }

    pub(crate) fn bytes(&self) -> u64 {
        8 * self.words.capacity() as u64 + 4 * self.starts.len() as u64
    }
}
