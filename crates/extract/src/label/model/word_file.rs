//! Words and short lines with their log odds: the text format written by `cargo xtask train` and the binary format in the program.
//!
//! The build script includes this file to convert the one into the other.

use crate::label::model::line_tokens::LineTokens;

/// Binary logarithm of the number of buckets: about two words per bucket.
const BUCKET_BITS: u32 = 13;

/// Number of buckets. The highest bits of a hash are the number of its bucket.
pub(crate) const BUCKETS: usize = 1 << BUCKET_BITS;

/// Number of places: some 6 % more than there are words in the model, so that a place can be found for every word.
pub(crate) const PLACES: usize = 20_992;

/// Number of distinct odds. Entry 0 is 0, the odds of unknown words.
pub(crate) const ODDS: usize = 1 << u8::BITS;

/// Size of the table in bytes.
pub(crate) const TABLE_BYTES: usize = 4 * BUCKETS + 4 * ODDS + 8 * PLACES;

/// Returns the entry of a word: its hash without the highest byte, which the bucket implies, and the index of its odds as the lowest byte.
#[inline]
pub(crate) fn entry(hash: u64, odds: u8) -> u64 {
    hash << u8::BITS | u64::from(odds)
}

/// Returns the bucket of a hash.
#[inline]
pub(crate) fn bucket(hash: u64) -> usize {
    (hash >> (64 - BUCKET_BITS)) as usize
}

/// Returns the mark of a hash in its bucket: one of 16 bits.
#[inline]
pub(crate) fn mark(hash: u64) -> u16 {
    1 << (hash >> 25 & 15)
}

/// Returns the place of a hash, given the seed of its bucket.
#[inline]
pub(crate) fn place(hash: u64, seed: u16) -> usize {
    let mixed = (hash ^ u64::from(seed)).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
    ((mixed * PLACES as u64) >> 32) as usize
}

/// Parses lines of log odds with the words or phrases that have them. Returns hashes and odds, sorted by hash. Errors name the line.
#[cfg_attr(
    not(test),
    allow(dead_code, reason = "what the build script calls, and tests")
)]
pub(crate) fn parse(text: &str) -> Result<Vec<(u64, f32)>, String> {
    let mut out = Vec::new();
    let mut format = None;
    for (number, line) in text.lines().enumerate() {
        let fail = |what: &str| format!("line {}: {what}: `{line}`", number + 1);
        let (kind, rest) = line.split_once(' ').unwrap_or((line, ""));
        if kind == "format" {
            format = Some(rest);
            continue;
        }
        if matches!(kind, "#" | "") {
            continue;
        }
        let (odds, entries) = rest.split_once(' ').ok_or_else(|| fail("too short"))?;
        let odds: f32 = odds.parse().map_err(|_| fail("no number"))?;
        let (separator, phrases) = match kind {
            "w" => (" ", false),
            "p" => (" | ", true),
            _ => return Err(fail("neither words nor phrases")),
        };
        for entry in entries.split(separator) {
            let tokens = LineTokens::of([entry]);
            let word = tokens.words.first().copied();
            let key = if phrases { tokens.phrase } else { word };
            out.push((key.ok_or_else(|| fail("an empty entry"))?, odds, number + 1));
        }
    }
    if format != Some("1") {
        return Err(format!("format {}, not 1", format.unwrap_or("none")));
    }
    // By line as well, so that an error names the later of two equal entries.
    out.sort_unstable_by_key(|&(key, _, line)| (key, line));
    let twice = out.iter().zip(out.iter().skip(1)).find(|(a, b)| a.0 == b.0);
    if let Some((_, (_, _, line))) = twice {
        return Err(format!("line {line}: an entry stands twice"));
    }
    Ok(out.into_iter().map(|(key, odds, _)| (key, odds)).collect())
}

/// Builds a hash table without collisions, so that a lookup reads a single place (hash and displace; Pagh, 1999). Returns `None` if there
/// are too many words or odds.
///
/// The table consists of three parts, all little-endian. First, for each bucket, the seed that gives its words distinct places, and the
/// marks of its words, by which most unknown words are rejected. Second, the distinct odds. Third, the places, each with the [`entry`] of
/// a word. Free places repeat a word that belongs elsewhere, so that it is never found there.
#[cfg_attr(
    not(test),
    allow(dead_code, reason = "what the build script calls, and tests")
)]
pub(crate) fn to_bytes(words: &[(u64, f32)]) -> Option<Vec<u8>> {
    let (seeds, table) = displaced(words)?;
    let mut all_odds = vec![0.0];
    for (_, odds) in words {
        if !all_odds.contains(odds) {
            all_odds.push(*odds);
        }
    }
    let number_of = |odds: f32| u8::try_from(all_odds.iter().position(|&other| other == odds)?).ok();
    let padded = all_odds.iter().copied().chain(std::iter::repeat(0.0)).take(ODDS);
    let mut marks = vec![0; BUCKETS];
    words
        .iter()
        .for_each(|(hash, _)| marks[bucket(*hash)] |= mark(*hash));
    let mut out = Vec::with_capacity(TABLE_BYTES);
    for both in seeds.iter().zip(&marks) {
        out.extend([both.0, both.1].into_iter().flat_map(|half| half.to_le_bytes()));
    }
    out.extend(padded.flat_map(f32::to_le_bytes));
    for (place, word) in table.into_iter().enumerate() {
        let elsewhere = |(hash, _): &&(u64, f32)| self::place(*hash, seeds[bucket(*hash)]) != place;
        // A free place repeats a word whose own place is elsewhere, so no lookup of that word reads this place.
        let (hash, odds) = word.or_else(|| words.iter().find(elsewhere).copied())?;
        out.extend(entry(hash, number_of(odds)?).to_le_bytes());
    }
    Some(out)
}

/// Hash and odds of the word at a place; `None` if the place is free.
type Place = Option<(u64, f32)>;

/// Finds a seed for each bucket such that every word has a place of its own. Returns the seeds and the word at each place; `None` if no
/// such seeds exist.
fn displaced(words: &[(u64, f32)]) -> Option<(Vec<u16>, Vec<Place>)> {
    let mut buckets: Vec<Vec<(u64, f32)>> = vec![Vec::new(); BUCKETS];
    for word in words {
        buckets[bucket(word.0)].push(*word);
    }
    // Large buckets come first, while many places are free.
    let mut order: Vec<usize> = (0..BUCKETS).collect();
    order.sort_by_key(|&bucket| std::cmp::Reverse(buckets[bucket].len()));
    let (mut seeds, mut table) = (vec![0; BUCKETS], vec![None; PLACES]);
    for number in order {
        let bucket = &buckets[number];
        let fits = |&seed: &u16| {
            let mut taken: Vec<usize> = bucket.iter().map(|word| place(word.0, seed)).collect();
            let free = taken.iter().all(|&place| table[place].is_none());
            taken.sort_unstable();
            // Strictly ascending: no two words of the bucket share a place.
            free && taken.is_sorted_by(|a, b| a < b)
        };
        let seed = (0..=u16::MAX).find(fits)?;
        seeds[number] = seed;
        for word in bucket {
            table[place(word.0, seed)] = Some(*word);
        }
    }
    Some((seeds, table))
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn each_word_has_a_place_of_its_own(hashes in proptest::collection::btree_set(
            proptest::prelude::prop_oneof![0..40_u64, proptest::prelude::any::<u64>()], 2..200,
        )) {
            let words: Vec<(u64, f32)> = hashes.iter().zip(1_u16..).map(|(&hash, i)| (hash, f32::from(i))).collect();
            let bytes = to_bytes(&words).unwrap();
            proptest::prop_assert_eq!(bytes.len(), TABLE_BYTES);
            let (seeds, table) = bytes.split_at(4 * BUCKETS);
            let (all_odds, places) = table.split_at(4 * ODDS);
            let (all_odds, places) = (all_odds.as_chunks::<4>().0, places.as_chunks::<8>().0);
            for hash in (0..40).chain(hashes.iter().copied()) {
                let [a, b, c, d] = seeds.as_chunks::<4>().0[bucket(hash)];
                let at = places[place(hash, u16::from_le_bytes([a, b]))];
                let is_marked = u16::from_le_bytes([c, d]) & mark(hash) != 0;
                let number = u64::from_le_bytes(at) ^ entry(hash, 0);
                let found = all_odds.get(number as usize).map(|odds| f32::from_le_bytes(*odds));
                let odds = words.iter().find(|word| word.0 == hash).map(|word| word.1);
                proptest::prop_assert_eq!(found, odds);
                proptest::prop_assert!(is_marked || found.is_none());
            }
        }
    }

    #[test]
    fn broken_files_are_told() {
        for (text, why) in [
            ("w 1.0 river", "format none"),
            ("format 2", "format 2"),
            ("format 1\nw 1.0", "line 2: too short"),
            ("format 1\nw x river", "line 2: no number"),
            ("format 1\nx 1.0 river", "line 2: neither"),
            ("format 1\nw 1.0 river  sea", "line 2: an empty entry"),
            (
                "format 1\nw 1.0 river\nw 2.0 sea River",
                "line 3: an entry stands twice",
            ),
        ] {
            let told = parse(text).unwrap_err();
            assert!(told.starts_with(why), "{text:?}: {told}");
        }
    }
}
