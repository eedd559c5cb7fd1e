//! Common runs of tokens by equal keys, for engines that join rows on many machines and never see two
//! documents in one place.
//!
//! A maximal run has no key that is equal at all of its places: at some of them, it is a part of a longer
//! run. But the texts where it can begin and end are known from short windows alone. A run begins where the
//! token before differs between the places of its first window, and ends where the token after differs
//! between the places of its last window. So a document asks, by the hash of a run, in how many documents
//! the runs between such places occur, and the answer is one aggregation of equal keys.

use std::ops::Range;

use crate::numeric::narrow;
use crate::numeric::random::mix;
use crate::passages::winnow::Winnowing;

/// The prime 2^61 - 1, modulo which runs are hashed.
const PRIME: u64 = (1 << 61) - 1;
/// Arbitrary bases of the two polynomials.
const BASES: [u64; 2] = [0x0f32_1c5b_a94d_7e63, 0x1b87_55e2_0d3c_4f19];
/// Number of starts of a span, and number of its ends, whose counts are asked for in one step.
const PIVOTS: usize = 6;

/// Hashes of all runs of the words of a document. The hash of a run depends on its words alone.
///
/// ```
/// use dehusk_dedup::RunKeys;
///
/// let keys = RunKeys::of(&[5, 7, 8, 5, 7]);
/// assert_eq!(keys.key(0..2), keys.key(3..5));
/// assert_ne!(keys.key(0..2), keys.key(1..3));
/// ```
pub struct RunKeys {
    /// Hash of the first words, for each number of words, by both polynomials.
    prefixes: Vec<[u64; 2]>,
    powers: Vec<[u64; 2]>,
}

impl RunKeys {
    /// Hashes the words of a document.
    #[must_use]
    pub fn of(words: &[u64]) -> Self {
        let (mut prefixes, mut powers) = (vec![[0; 2]], vec![[1; 2]]);
        prefixes.reserve(words.len());
        powers.reserve(words.len());
        let (mut sum, mut power) = ([0; 2], [1; 2]);
        // Two polynomials, because hashes of 61 bits would be equal by chance in a large collection.
        for &word in words {
            // Words that are equal modulo the prime have different residues once they are mixed.
            let residues = [word % PRIME, mix(word) % PRIME];
            for which in 0..2 {
                // One is added so that words with residue 0 at the start of a run count.
                sum[which] = (times(sum[which], BASES[which]) + residues[which] + 1) % PRIME;
                power[which] = times(power[which], BASES[which]);
            }
            prefixes.push(sum);
            powers.push(power);
        }
        Self { prefixes, powers }
    }

    /// Number of words.
    #[must_use]
    pub fn len(&self) -> usize {
        self.prefixes.len() - 1
    }

    /// True if there are no words.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the hash of a run, which has 122 bits. Among 2^61 different runs about one pair has equal
    /// hashes by chance. A range beyond the words is cut off at their end.
    #[must_use]
    pub fn key(&self, run: Range<usize>) -> u128 {
        let end = run.end.min(self.len());
        let start = run.start.min(end);
        let (from, to, power) = (self.prefixes[start], self.prefixes[end], self.powers[end - start]);
        // The hash of a run: the prefix up to its end, less the prefix before it, shifted by the length of
        // the run.
        let hash = |which: usize| (to[which] + PRIME - times(from[which], power[which])) % PRIME;
        (u128::from(hash(0)) << 64) | u128::from(hash(1))
    }
}

/// Returns the product modulo the prime.
fn times(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    // 2^61 is 1 modulo the prime, so the upper part is added to the lower part. The result may equal the
    // prime; `%` reduces it later.
    let sum = (narrow::low_word(product) & PRIME) + narrow::low_word(product >> 61);
    (sum & PRIME) + (sum >> 61)
}

/// A window of the least length of a run, in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunWindow {
    /// Index of its first word.
    pub start: u32,
    /// Hash of its words.
    pub key: u128,
    /// The word before it; `None` at the beginning of the document.
    pub before: Option<u64>,
    /// The word after it; `None` at the end of the document.
    pub after: Option<u64>,
}

/// A window that enough documents have, at one of its places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountedWindow {
    /// Index of its first word.
    pub start: u32,
    /// Whether the word before the window differs between its places in the collection, or one place begins
    /// a document.
    pub opens: bool,
    /// Whether the word after the window differs between its places in the collection, or one place ends a
    /// document.
    pub closes: bool,
}

/// A run of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyedRun {
    /// Index of its first word.
    pub start: u32,
    /// Index after its last word.
    pub end: u32,
    /// Hash of its words.
    pub key: u128,
}

/// The state of the search in a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyedSearch {
    /// Runs whose counts the search asks for. Empty when the search is done.
    pub asked: Vec<KeyedRun>,
    /// When the search is done: the occurrences of passages in the document, by their starts.
    pub occurrences: Vec<KeyedRun>,
}

/// The search for common runs in steps. Each step sees one document. Together with counts of equal keys, they find the
/// same runs as [`Passages`](crate::Passages).
///
/// 1. [`samples`](Self::samples) of all documents are counted. Each document gets back its samples that are
///    frequent enough.
/// 2. [`windows`](Self::windows) around these are counted, and the words around their places are compared.
/// 3. [`search`](Self::search) asks for the counts of runs, until it has all counts that it needs. To count
///    a run, look at the places of its first window: a place counts if the run has the same
///    [key](RunKeys::key) there.
#[derive(Clone, Copy, Debug)]
pub struct KeyedRuns {
    winnowing: Winnowing,
}

impl KeyedRuns {
    /// The search for runs of at least `least` words, 1 or more.
    #[must_use]
    pub fn new(least: u32) -> Self {
        Self {
            winnowing: Winnowing::for_runs(least),
        }
    }

    /// Minimum number of words of a run.
    #[must_use]
    pub fn least_run(self) -> usize {
        self.winnowing.least_run()
    }

    /// Calls `visit` with hashes of parts of the words, at places that equal runs have in common,
    /// ascending: about 2 of 35 places for runs of 50 words.
    pub fn samples(self, words: &[u64], mut visit: impl FnMut(u64)) {
        self.winnowing.each(words, &mut Vec::new(), |_, hash| visit(hash));
    }

    /// Returns all windows that contain a sample with a frequent hash, by their starts.
    pub fn windows(self, words: &[u64], keys: &RunKeys, is_frequent: impl Fn(u64) -> bool) -> Vec<RunWindow> {
        let least = self.least_run();
        let mut windows: Vec<RunWindow> = Vec::new();
        let mut next = 0;
        self.winnowing.each(words, &mut Vec::new(), |place, hash| {
            if !is_frequent(hash) {
                return;
            }
            // A window contains the whole hash if it begins at most `window - 1` words before it.
            let from = (place + 1).saturating_sub(self.winnowing.window).max(next);
            // The last window begins early enough to have all its words.
            let until = (place + 1).min((words.len() + 1).saturating_sub(least));
            windows.extend((from..until).map(|start| RunWindow {
                start: narrow::to_u32(start),
                key: keys.key(start..start + least),
                before: start.checked_sub(1).map(|before| words[before]),
                after: words.get(start + least).copied(),
            }));
            // Windows of neighboring samples overlap; each window is returned once.
            next = until.max(next);
        });
        windows
    }

    /// Finds the occurrences in a document by its windows that count, ascending. `counts` returns true if a
    /// run with this key counts, and `None` if that is not known yet.
    ///
    /// Each call repeats the steps of the call before it, and continues with the counts that have become
    /// known. The number of calls grows with the logarithm of the length of runs; a document whose runs do
    /// not overlap takes two or three.
    pub fn search(
        self,
        keys: &RunKeys,
        windows: &[CountedWindow],
        counts: impl Fn(u128) -> Option<bool>,
    ) -> KeyedSearch {
        let mut search = KeyedSearch::default();
        // Consecutive windows form a region; runs never cross a window that does not count.
        for region in windows.chunk_by(|a, b| a.start + 1 == b.start) {
            let mut region = Region::new(keys, region, self.least_run());
            while region.narrow(&counts, &mut search.asked) {}
            region.occurrences(&mut search.occurrences);
        }
        // The counts of occurrences that were not asked for: runs that no other run continues, and that
        // begin where the run before ends.
        let unknown = search.occurrences.iter().filter(|run| counts(run.key).is_none());
        search.asked.extend(unknown);
        // Occurrences are returned only if all their counts are known.
        match search.asked.is_empty() {
            true => search.occurrences.retain(|run| counts(run.key) == Some(true)),
            false => search.occurrences.clear(),
        }
        search
    }
}

/// A stretch of a document in which every window counts. Runs do not extend beyond it.
struct Region<'k> {
    keys: &'k RunKeys,
    /// Where a run can begin.
    starts: Vec<u32>,
    /// Where a run can end.
    ends: Vec<u32>,
    /// For each start, the index of the furthest end that is known to count. Ascends.
    reached: Vec<usize>,
    /// For each start, the index of the first end that is known not to count. Ascends.
    beyond: Vec<usize>,
    is_first_step: bool,
}

impl<'k> Region<'k> {
    fn new(keys: &'k RunKeys, windows: &[CountedWindow], least: usize) -> Self {
        let last = windows.len().saturating_sub(1);
        // The first window opens and the last one closes in any case.
        let numbered = || windows.iter().enumerate();
        let starts: Vec<u32> = numbered()
            .filter(|(place, window)| window.opens || *place == 0)
            .map(|(_, window)| window.start)
            .collect();
        let ends: Vec<u32> = numbered()
            .filter(|(place, window)| window.closes || *place == last)
            .map(|(_, window)| window.start + narrow::to_u32(least))
            .collect();
        // Up to the first place where its end closes, a window continues equally at all places: that run
        // counts as the window does.
        let reached = starts
            .iter()
            .map(|start| ends.partition_point(|end| *end < start + narrow::to_u32(least)))
            .collect();
        // At first nothing is known not to count.
        let beyond = vec![ends.len(); starts.len()];
        Self {
            keys,
            starts,
            ends,
            reached,
            beyond,
            is_first_step: true,
        }
    }

    fn run(&self, start: usize, end: usize) -> KeyedRun {
        let (start, end) = (self.starts[start], self.ends[end]);
        KeyedRun {
            start,
            end,
            key: self.keys.key(start as usize..end as usize),
        }
    }

    /// Applies the counts of some runs, and returns whether the search in the region goes on. Adds the runs
    /// whose counts are not known to `asked`, and stops then.
    fn narrow(&mut self, counts: &impl Fn(u128) -> Option<bool>, asked: &mut Vec<KeyedRun>) -> bool {
        let pairs = match std::mem::take(&mut self.is_first_step) {
            // In most regions, the run from the first start to the last end is the only one.
            true if self.ends.len() > 1 && self.reached[0] + 1 < self.ends.len() => {
                vec![(0, self.ends.len() - 1)]
            }
            _ => self.pivots(),
        };
        // Every start is decided.
        if pairs.is_empty() {
            return false;
        }
        let known = asked.len();
        for (start, end) in pairs {
            let run = self.run(start, end);
            match counts(run.key) {
                Some(true) => self.reached[start] = self.reached[start].max(end),
                Some(false) => self.beyond[start] = self.beyond[start].min(end),
                None => asked.push(run),
            }
        }
        // A part of a run that counts also counts, so later starts reach at least as far. If a run does not
        // count, neither does a longer one that begins earlier.
        for start in 1..self.starts.len() {
            self.reached[start] = self.reached[start].max(self.reached[start - 1]);
        }
        for start in (1..self.starts.len()).rev() {
            self.beyond[start - 1] = self.beyond[start - 1].min(self.beyond[start]);
        }
        // All counts were known, so the next step can follow in the same call.
        asked.len() == known
    }

    /// Runs whose counts narrow down how far each start reaches. Neighboring starts with equal known bounds
    /// form a span. For each span, some starts are combined with some ends, both at equal distances.
    fn pivots(&self) -> Vec<(usize, usize)> {
        let open: Vec<usize> = (0..self.starts.len())
            // Starts with an undecided end between the two bounds.
            .filter(|start| self.reached[*start] + 1 < self.beyond[*start])
            .collect();
        let known = |start: usize| (self.reached[start], self.beyond[start]);
        let mut pairs = Vec::new();
        // Neighboring starts with equal bounds share their questions.
        for span in open.chunk_by(|a, b| a + 1 == *b && known(*a) == known(*b)) {
            let (reached, beyond) = known(span[0]);
            for start in spread(span.len()) {
                pairs.extend(spread(beyond - reached - 1).map(|end| (span[start], reached + 1 + end)));
            }
        }
        pairs
    }

    /// Adds the runs from each start that reaches further than the one before it.
    fn occurrences(&self, found: &mut Vec<KeyedRun>) {
        let mut covered = None;
        for (start, &end) in self.reached.iter().enumerate() {
            // A start that reaches no further than the one before begins inside its run.
            if covered < Some(end) && end < self.ends.len() {
                covered = Some(end);
                found.push(self.run(start, end));
            }
        }
    }
}

/// Some of `count` indices in about equal distances, the first and the last among them.
fn spread(count: usize) -> impl Iterator<Item = usize> {
    let chosen = count.min(PIVOTS);
    (0..chosen).map(move |which| match chosen {
        0 | 1 => 0,
        _ => which * (count - 1) / (chosen - 1),
    })
}
