//! The hardest errors, with both texts side by side.

use dehusk_pipeline::dedup::ScoredPair;

use super::methods::{Comparison, MeasuredRow, TruePair};
use super::results::{Example, Mode};

/// Largest number of words of a document that are compared and shown.
const WORDS: usize = 160;

/// Largest number of examples with the same text, so that an unusual text does not fill the list.
const PER_DOCUMENT: usize = 1;

impl Comparison<'_> {
    /// The most similar pairs that are not true pairs. `pairs` are all pairs at or above the lowest threshold.
    pub(super) fn false_positives(&self, pairs: &[ScoredPair], rows: &[MeasuredRow]) -> Vec<Example> {
        let gold = &self.golds[0];
        let mut wrong: Vec<(f64, u32, u32)> = pairs
            .iter()
            .filter(|pair| !gold.same(pair.a, pair.b))
            .map(|pair| (pair.similarity, pair.a, pair.b))
            .collect();
        wrong.sort_by(|x, y| y.0.total_cmp(&x.0).then((x.1, x.2).cmp(&(y.1, y.2))));
        self.examples(&wrong, rows, true)
    }

    /// The most similar true pairs that the best row missed.
    pub(super) fn false_negatives(&self, true_pairs: &[TruePair], rows: &[MeasuredRow]) -> Vec<Example> {
        let Some(best) = rows.first() else {
            return Vec::new();
        };
        let mut missed: Vec<(f64, u32, u32)> = true_pairs
            .iter()
            .filter(|pair| !best.found.holds(pair.a, pair.b))
            .map(|pair| (pair.similarity, pair.a, pair.b))
            .collect();
        missed.sort_by(|x, y| y.0.total_cmp(&x.0).then((x.1, x.2).cmp(&(y.1, y.2))));
        self.examples(&missed, rows, false)
    }

    /// The first pairs as examples. Each names the verified rows that found the pair (with `found`) or
    /// missed it.
    fn examples(&self, pairs: &[(f64, u32, u32)], rows: &[MeasuredRow], found: bool) -> Vec<Example> {
        let collection = self.collection;
        let mut used: Vec<u32> = Vec::new();
        let mut examples = Vec::new();
        for &(similarity, a, b) in pairs {
            if examples.len() >= self.options.examples {
                break;
            }
            let often =
                |distinct: u32| used.iter().filter(|other| **other == distinct).count() >= PER_DOCUMENT;
            if often(a) || often(b) {
                continue;
            }
            used.extend([a, b]);
            let id = |distinct: u32| {
                let first = collection.members[distinct as usize].first();
                first.map_or_else(String::new, |&document| collection.ids[document as usize].clone())
            };
            let wrong = rows
                .iter()
                .filter(|row| row.row.mode == Mode::Verified)
                .filter(|row| row.found.holds(a, b) == found)
                .map(|row| row.row.name.clone());
            examples.push(Example {
                ids: [id(a), id(b)],
                similarity,
                texts: side_by_side(collection.text(a), collection.text(b)),
                wrong: wrong.collect(),
            });
        }
        examples
    }
}

/// The words of two texts in runs. A run is marked `true` if both texts have its words in the same order.
fn side_by_side(a: &str, b: &str) -> [Vec<(String, bool)>; 2] {
    let words = |text: &str| -> Vec<String> { text.split(' ').take(WORDS).map(str::to_owned).collect() };
    let (words_a, words_b) = (words(a), words(b));
    // Lengths of the longest common subsequences of all suffixes (Wagner, Fischer 1974). At most 161 × 161
    // numbers.
    let width = words_b.len() + 1;
    let mut lengths = vec![0_u32; (words_a.len() + 1) * width];
    for i in (0..words_a.len()).rev() {
        for j in (0..words_b.len()).rev() {
            lengths[i * width + j] = if words_a[i] == words_b[j] {
                lengths[(i + 1) * width + j + 1] + 1
            } else {
                lengths[(i + 1) * width + j].max(lengths[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    // The table is walked from the front: each step takes a common word, or drops the word whose loss costs
    // no length.
    let mut common = [vec![false; words_a.len()], vec![false; words_b.len()]];
    while i < words_a.len() && j < words_b.len() {
        if words_a[i] == words_b[j] {
            common[0][i] = true;
            common[1][j] = true;
            i += 1;
            j += 1;
        } else if lengths[(i + 1) * width + j] >= lengths[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    let [common_a, common_b] = common;
    [runs(&words_a, &common_a, a), runs(&words_b, &common_b, b)]
}

/// Joins successive words with equal marks. An ellipsis stands for words that are not shown.
fn runs(words: &[String], common: &[bool], text: &str) -> Vec<(String, bool)> {
    let mut runs: Vec<(String, bool)> = Vec::new();
    for (word, &shared) in words.iter().zip(common) {
        match runs.last_mut() {
            Some((run, same)) if *same == shared => {
                run.push(' ');
                run.push_str(word);
            }
            _ => runs.push((word.clone(), shared)),
        }
    }
    if text.split(' ').nth(WORDS).is_some() {
        runs.push(("…".to_owned(), true));
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_marked() {
        let [a, b] = side_by_side("the old cat sat on the mat", "the cat sat down on a mat");
        let shown = |runs: &[(String, bool)]| -> String {
            let mark = |(run, same): &(String, bool)| if *same { run.clone() } else { format!("[{run}]") };
            runs.iter().map(mark).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(shown(&a), "the [old] cat sat on [the] mat");
        assert_eq!(shown(&b), "the cat sat [down] on [a] mat");
        let long = "w ".repeat(400);
        assert_eq!(
            side_by_side(long.trim(), "")[0].last(),
            Some(&("…".to_owned(), true))
        );
    }
}
