//! Leave-out samples: choices of a site's pages from which the evidence is measured again.
//!
//! The pages of a site are a random sample. A result that holds for all of their subsets is a property of the
//! site; one that changes from subset to subset is an accident of the pages, and more pages of the same kind
//! would not settle it.

use crate::site::hash::{SEED, mix};

/// Number of times the pages are divided into halves. Each division gives two samples.
const DIVISIONS: u64 = 3;
/// Minimum number of pages for halves: nothing repeats on fewer than two pages.
const MIN_PAGES: usize = 4;

/// Returns samples of the pages 0 to `pages - 1`: both halves of several random divisions. Three pages give
/// three samples of two. Fewer pages give none.
pub(crate) fn samples(pages: usize) -> Vec<Vec<usize>> {
    if pages < MIN_PAGES {
        let all_but = |left_out| (0..pages).filter(|page| *page != left_out).collect();
        return (0..pages)
            .filter(|_| pages + 1 == MIN_PAGES)
            .map(all_but)
            .collect();
    }
    let divide = |division| {
        let mut order: Vec<usize> = (0..pages).collect();
        order.sort_by_key(|&page| scrambled(mix(mix(SEED, division), page as u64)));
        let second = order.split_off(pages / 2);
        [order, second]
    };
    // Numbered from 1: with these numbers, the divisions differ for any number of pages from 4 to 50.
    (1..=DIVISIONS).flat_map(divide).collect()
}

/// Returns a number all of whose bits depend on all bits of another (the finalizer of SplitMix64; Steele, Lea
/// and Flood, 2014). Hashes of small numbers differ in few bits: sorted by them, the pages would be divided
/// the same way every time.
fn scrambled(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_is_in_half_of_the_samples() {
        for pages in [4, 5, 10, 50] {
            let samples = samples(pages);
            assert_eq!(samples.len(), 2 * DIVISIONS as usize);
            for page in 0..pages {
                let with = samples.iter().filter(|sample| sample.contains(&page));
                assert_eq!(with.count(), DIVISIONS as usize, "page {page} of {pages}");
            }
            assert!(samples.iter().all(|sample| sample.len() >= 2));
        }
    }

    #[test]
    fn divisions_differ() {
        for pages in 4..=50 {
            let mut samples = samples(pages);
            for sample in &mut samples {
                sample.sort_unstable();
            }
            let all = samples.len();
            samples.sort();
            samples.dedup();
            assert_eq!(samples.len(), all, "{pages} pages");
        }
    }

    #[test]
    fn three_pages_are_left_out_in_turn_and_two_never() {
        assert_eq!(samples(3), [vec![1, 2], vec![0, 2], vec![0, 1]]);
        assert!(samples(2).is_empty());
        assert!(samples(0).is_empty());
    }
}
