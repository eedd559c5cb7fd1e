//! Sorting of hashes, and of words that contain a hash.

use crate::numeric::narrow;

/// Number of bits of a digit: one pass of a radix sort sorts by one digit. Three digits cover 32 bits.
const DIGIT: u32 = 11;
/// Number of values of a digit.
const BUCKETS: usize = 1 << DIGIT;

/// Sorts by the upper 32 bits. The sort is stable. `spare` is scratch memory.
pub(crate) fn sort_by_upper_half(words: &mut Vec<u64>, spare: &mut Vec<u64>) {
    sort_by_hash(words, spare, |word| (word >> 32) as u32);
}

/// Sorts by a hash of 32 bits. The sort is stable. `spare` is scratch memory.
pub(crate) fn sort_by_hash<W: Copy + Default>(
    words: &mut Vec<W>,
    spare: &mut Vec<W>,
    hash: impl Fn(W) -> u32,
) {
    sort_by_digits(words, spare, [0, DIGIT, 2 * DIGIT], hash);
}

/// Sorts by the upper [`FRONT`] bits of a hash of 32 bits. The sort is stable. `spare` is scratch memory.
pub(crate) fn sort_by_front<W: Copy + Default>(
    words: &mut Vec<W>,
    spare: &mut Vec<W>,
    hash: impl Fn(W) -> u32,
) {
    let lowest = u32::BITS - FRONT;
    sort_by_digits(words, spare, [lowest, lowest + DIGIT], |word| {
        // The bits below would move words with equal upper bits when a short list is sorted by comparison.
        hash(word) >> lowest << lowest
    });
}

/// Number of bits that two passes sort by.
pub(crate) const FRONT: u32 = 2 * DIGIT;

/// Sorts by digits of a hash. `shifts` holds the lowest bit of each digit, the least significant digit first.
fn sort_by_digits<W: Copy + Default, const PASSES: usize>(
    words: &mut Vec<W>,
    spare: &mut Vec<W>,
    shifts: [u32; PASSES],
    hash: impl Fn(W) -> u32,
) {
    // Below a few thousand words a comparison sort is faster.
    if words.len() < 4 * BUCKETS {
        // Stable, as the passes below are.
        words.sort_by_key(|&word| hash(word));
        return;
    }
    spare.clear();
    spare.resize(words.len(), W::default());
    // One scan counts the digits of all passes.
    let mut counts = vec![[0_usize; PASSES]; BUCKETS];
    for &word in words.iter() {
        for (pass, shift) in shifts.into_iter().enumerate() {
            counts[digit(hash(word), shift)][pass] += 1;
        }
    }
    // Each count becomes the place of the first word with that digit.
    let mut next = [0; PASSES];
    for count in &mut counts {
        for (count, next) in count.iter_mut().zip(&mut next) {
            *next += std::mem::replace(count, *next);
        }
    }
    for (pass, shift) in shifts.into_iter().enumerate() {
        // Words are taken in their present order and placed one after another, which keeps the sort stable
        // and lets the next pass rely on this one.
        for &word in words.iter() {
            let place = &mut counts[digit(hash(word), shift)][pass];
            spare[*place] = word;
            *place += 1;
        }
        std::mem::swap(words, spare);
    }
}

fn digit(hash: u32, shift: u32) -> usize {
    (hash >> shift) as usize & (BUCKETS - 1)
}

/// Sorts by the lower `bits` bits of `key`, up to 64. `spare` is scratch memory. Words with equal keys must be equal.
pub(crate) fn sort_by_key_bits(
    words: &mut Vec<u64>,
    spare: &mut Vec<u64>,
    bits: u32,
    key: impl Fn(u64) -> u64,
) {
    if words.len() < 2 * BUCKETS {
        words.sort_unstable_by_key(|&word| key(word));
        return;
    }
    spare.clear();
    spare.resize(words.len(), 0);
    let passes = bits.div_ceil(DIGIT);
    let mut places = [0_u32; BUCKETS];
    for pass in 0..passes {
        // Digits have nearly equal widths; the least significant digit comes first.
        let (low, high) = (bits * pass / passes, bits * (pass + 1) / passes);
        // The last mask changes no value, because digits are at most as wide as `DIGIT`; it lets the
        // compiler drop the bounds checks.
        let digit =
            |word: u64| narrow::low_bits(key(word) >> low) & ((1 << (high - low)) - 1) & (BUCKETS - 1);
        places.fill(0);
        for &word in words.iter() {
            places[digit(word)] += 1;
        }
        // Each count becomes the place of the first word with that digit.
        let mut next = 0;
        for place in &mut places {
            next += std::mem::replace(place, next);
        }
        for &word in words.iter() {
            let place = &mut places[digit(word)];
            spare[*place as usize] = word;
            *place += 1;
        }
        std::mem::swap(words, spare);
    }
}

/// [`sort_hashes`] is faster than a comparison sort for lists of at least `FEW` and fewer than `MOST`
/// words. Places below `MOST` also fit into the 16 bits of a bucket's start.
const FEW: usize = 16;
const MOST: usize = 1 << 14;
/// Binary logarithms of the sizes of the bucket arrays for short and for medium lists.
const FEW_BITS: u32 = 8;
const MANY_BITS: u32 = 11;

/// Sorts hashes. Hashes are spread evenly, so the upper bits give the approximate place of each. The remaining steps
/// are done without branches, or by insertion if a hash is farther from its place. If hashes repeat too often, a
/// comparison sort is used.
pub(crate) fn sort_hashes(words: &mut Vec<u64>) {
    let length = words.len();
    if !(FEW..MOST).contains(&length) {
        words.sort_unstable();
        return;
    }
    // One to two buckets per word, so that most nonempty buckets hold a single word.
    let bits = length.ilog2() + 1;
    let bucket = |word: u64| narrow::to_usize(word >> (64 - bits));
    // The smallest array that suffices, because clearing it costs time.
    let (mut few, mut many, mut most);
    let starts = if bits <= FEW_BITS {
        few = [0_u16; 1 << FEW_BITS];
        &mut few[..1 << bits]
    } else if bits <= MANY_BITS {
        many = [0_u16; 1 << MANY_BITS];
        &mut many[..1 << bits]
    } else {
        most = vec![0_u16; 1 << bits];
        &mut most
    };
    for &word in words.iter() {
        starts[bucket(word)] += 1;
    }
    // Each count becomes the start of its bucket. The largest count shows how far a word may be from its
    // place.
    let (mut next, mut largest) = (0, 0);
    for start in starts.iter_mut() {
        largest = largest.max(*start);
        next += std::mem::replace(start, next);
    }
    // Hashes repeat too often, so the final steps would be slow.
    if largest > 16 {
        words.sort_unstable();
        return;
    }
    // The second half is scratch memory.
    words.resize(2 * length, 0);
    let (from, to) = words.split_at_mut(length);
    for &word in from.iter() {
        let start = &mut starts[bucket(word)];
        to[usize::from(*start)] = word;
        *start += 1;
    }
    // Words of the same bucket are still unsorted. This pass sorts buckets of up to three words.
    if !bubble_twice(to, from) {
        insertion_sort(from);
    }
    // Drops the scratch half.
    words.truncate(length);
}

/// Copies words, moving each one before up to two larger words that preceded it. Returns true if the result is sorted.
/// Both slices have the same length.
fn bubble_twice(from: &[u64], to: &mut [u64]) -> bool {
    // The two largest words so far are carried along. All other words are written.
    let (mut large, mut larger, mut before) = (0, 0, 0);
    let mut sorted = true;
    let mut put = |place: &mut u64, word: u64| {
        sorted &= before <= word;
        before = word;
        *place = word;
    };
    let (first, rest) = from.split_at(from.len().min(2));
    for &word in first {
        (large, larger) = (larger.min(word), larger.max(word));
    }
    // Output lags two words behind input, because two words are carried.
    let (places, last) = to.split_at_mut(rest.len());
    for (place, &word) in places.iter_mut().zip(rest) {
        // The word and the two carried words are put in order without branches. The smallest is written.
        let smaller = word.min(larger);
        larger = word.max(larger);
        put(place, smaller.min(large));
        large = smaller.max(large);
    }
    // Written from the end, so that a list of one word gets the larger value, the only real one.
    let carried = [large, larger];
    for (place, &word) in last.iter_mut().rev().zip(carried.iter().rev()) {
        *place = word;
    }
    // The last words are in order by construction. Only the border between them and the written words is
    // open.
    sorted && before <= large
}

/// Costs one step for each pair of words in the wrong order, so it suits lists that are nearly sorted.
fn insertion_sort(words: &mut [u64]) {
    for place in 1..words.len() {
        let word = words[place];
        let mut hole = place;
        while hole > 0 && words[hole - 1] > word {
            words[hole] = words[hole - 1];
            hole -= 1;
        }
        words[hole] = word;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::random::SplitMix64;

    #[test]
    fn equals_a_stable_sort() {
        for (length, distinct) in [
            (0, 1),
            (1, 1),
            (100, 10),
            (8191, 1000),
            (8192, 5),
            (50_000, 100),
            (50_000, u64::MAX),
        ] {
            let mut random = SplitMix64::new(length ^ distinct);
            let mut words: Vec<u64> = (0..length)
                .map(|rank| (random.number() % distinct) << 32 | rank)
                .collect();
            let mut expected = words.clone();
            expected.sort_by_key(|word| word >> 32);
            let mut by_front = words.clone();
            sort_by_upper_half(&mut words, &mut Vec::new());
            assert_eq!(words, expected);
            sort_by_front(&mut by_front, &mut Vec::new(), |word| (word >> 32) as u32);
            assert!(by_front.is_sorted_by_key(|word| (word >> (u64::BITS - FRONT), *word as u32)));
        }
    }

    #[test]
    fn any_key_sorts() {
        for (length, bits) in [
            (100, 40),
            (4096, 0),
            (5000, 1),
            (20_000, 33),
            (20_000, 64),
            (9000, 11),
        ] {
            let mut random = SplitMix64::new(length ^ u64::from(bits));
            let mask = u64::MAX.checked_shr(64 - bits).unwrap_or(0);
            let mut words: Vec<u64> = (0..length).map(|_| random.number() & mask).collect();
            let mut expected = words.clone();
            expected.sort_unstable();
            sort_by_key_bits(&mut words, &mut Vec::new(), bits, |word| word);
            assert_eq!(words, expected, "{length} words of {bits} bits");
        }
    }

    #[test]
    fn hashes_are_sorted_whatever_they_are() {
        let mut random = SplitMix64::new(3);
        for length in (0..100).chain([1000, 2047, 2048, 5000, 16_383, 16_384]) {
            for spread in [u64::MAX, 1, u64::MAX >> 40, 1 << 63] {
                let mut words: Vec<u64> = (0..length).map(|_| random.number() & spread).collect();
                let mut expected = words.clone();
                expected.sort_unstable();
                sort_hashes(&mut words);
                assert_eq!(words, expected, "{length} words within {spread:#x}");
            }
        }
    }
}
