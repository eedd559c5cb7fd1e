//! Sorting of hashes, and of words that hold one.

/// Bits of a digit: what one pass of a radix sort looks at.
const DIGIT: u32 = 11;
/// Values of a digit.
const BUCKETS: usize = 1 << DIGIT;

/// Sorts by the upper 32 bits; words with equal upper halves keep their order. `spare` is scratch memory.
pub(crate) fn sort_by_upper_half(words: &mut Vec<u64>, spare: &mut Vec<u64>) {
    sort_by_hash(words, spare, |word| (word >> 32) as u32);
}

/// Sorts by a hash of 32 bits; what has equal hashes keeps its order. `spare` is scratch memory.
pub(crate) fn sort_by_hash<W: Copy + Default>(
    words: &mut Vec<W>,
    spare: &mut Vec<W>,
    hash: impl Fn(W) -> u32,
) {
    sort_by_digits(words, spare, [0, DIGIT, 2 * DIGIT], hash);
}

/// Sorts by the upper [`FRONT`] bits of a hash of 32 bits; what has them equal keeps its order. `spare` is scratch memory.
pub(crate) fn sort_by_front<W: Copy + Default>(
    words: &mut Vec<W>,
    spare: &mut Vec<W>,
    hash: impl Fn(W) -> u32,
) {
    let lowest = u32::BITS - FRONT;
    sort_by_digits(words, spare, [lowest, lowest + DIGIT], |word| {
        hash(word) >> lowest << lowest
    });
}

/// Bits of a hash that two passes sort by.
pub(crate) const FRONT: u32 = 2 * DIGIT;

/// Sorts by a hash, whose digits begin at the bits `shifts`, the least significant one first.
fn sort_by_digits<W: Copy + Default, const PASSES: usize>(
    words: &mut Vec<W>,
    spare: &mut Vec<W>,
    shifts: [u32; PASSES],
    hash: impl Fn(W) -> u32,
) {
    // Below a few thousand words a comparison sort is faster.
    if words.len() < 4 * BUCKETS {
        words.sort_by_key(|&word| hash(word));
        return;
    }
    spare.clear();
    spare.resize(words.len(), W::default());
    // The counts of all passes are taken in one scan.
    let mut counts = vec![[0_usize; PASSES]; BUCKETS];
    for &word in words.iter() {
        for (pass, shift) in shifts.into_iter().enumerate() {
            counts[digit(hash(word), shift)][pass] += 1;
        }
    }
    let mut next = [0; PASSES];
    for count in &mut counts {
        for (count, next) in count.iter_mut().zip(&mut next) {
            *next += std::mem::replace(count, *next);
        }
    }
    for (pass, shift) in shifts.into_iter().enumerate() {
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

/// Sorts by the lower `bits` bits of `key`, 64 or fewer; `spare` is scratch memory. Words with equal keys must be equal.
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
        // Digits of about equal width, the least significant one first.
        let (low, high) = (bits * pass / passes, bits * (pass + 1) / passes);
        let digit = |word: u64| (key(word) >> low) as usize & ((1 << (high - low)) - 1) & (BUCKETS - 1);
        places.fill(0);
        for &word in words.iter() {
            places[digit(word)] += 1;
        }
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

/// [`sort_hashes`] pays for lists of at least `FEW` and fewer than `MOST` words.
const FEW: usize = 16;
const MOST: usize = 1 << 14;
/// Bits of the number of buckets of a short list, and of one that is not long.
const FEW_BITS: u32 = 8;
const MANY_BITS: u32 = 11;

/// Sorts hashes. As they are spread evenly, their upper bits say about where each belongs; the few steps that are left are
/// done without branches, or, where some hash has to go further, by insertion. Where hashes repeat too much for that, a comparison
/// sort does it.
pub(crate) fn sort_hashes(words: &mut Vec<u64>) {
    let length = words.len();
    if !(FEW..MOST).contains(&length) {
        words.sort_unstable();
        return;
    }
    // Two buckets for each word: most that are not empty hold one.
    let bits = length.ilog2() + 1;
    let bucket = |word: u64| (word >> (64 - bits)) as usize;
    // Of the buckets not many more are cleared than the list needs.
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
    let (mut next, mut largest) = (0, 0);
    for start in starts.iter_mut() {
        largest = largest.max(*start);
        next += std::mem::replace(start, next);
    }
    if largest > 16 {
        words.sort_unstable();
        return;
    }
    words.resize(2 * length, 0);
    let (from, to) = words.split_at_mut(length);
    for &word in from.iter() {
        let start = &mut starts[bucket(word)];
        to[usize::from(*start)] = word;
        *start += 1;
    }
    if !bubble_twice(to, from) {
        insertion_sort(from);
    }
    words.truncate(length);
}

/// Copies words so that each comes before up to two larger ones that stood before it; returns whether all are sorted then. Both lists
/// are of the same length.
fn bubble_twice(from: &[u64], to: &mut [u64]) -> bool {
    // The two largest so far are carried along. All others are in their places.
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
    let (places, last) = to.split_at_mut(rest.len());
    for (place, &word) in places.iter_mut().zip(rest) {
        let smaller = word.min(larger);
        larger = word.max(larger);
        put(place, smaller.min(large));
        large = smaller.max(large);
    }
    let carried = [large, larger];
    for (place, &word) in last.iter_mut().rev().zip(carried.iter().rev()) {
        *place = word;
    }
    sorted && before <= large
}

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
