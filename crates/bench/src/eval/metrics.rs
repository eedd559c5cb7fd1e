//! Scores of extracted texts.
//!
//! They equal those of the reference scorer of the development data, so that published scores of other
//! tools remain comparable:
//!
//! - `lcs`: longest common subsequence of words; F1 per page, averaged over pages. Order matters, and every word of the
//!   label counts once. This is the main score.
//! - `word`: like `lcs`, but with bags of words.
//! - `shingle`: bags of runs of four words. Precision and recall per page are averaged over the pages that have them;
//!   F1 is that of the two averages. Accuracy is the share of pages whose words equal the label's.
//! - `segment`: strings that must and must not occur, counted over all pages together.
//!
//! `lcs` and `word` fold case, and treat each character of Chinese, Japanese, Thai and similar scripts as a
//! word. Precision and recall are shown next to them as averages over the pages that have them, like for
//! `shingle`. The reference does not compute them, and their F1 differs from the F1 shown.

use dehusk_lab::metrics::Prf;
use dehusk_pipeline::dedup::SplitMix64;

use super::lcs;
use crate::data::Doc;
use dehusk_lab::metrics::words::{Vocabulary, fine, lower, plain, squeeze};

/// A way of scoring.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Metric {
    Lcs,
    Word,
    Shingle,
    Segment,
}

impl Metric {
    pub(crate) const ALL: [Metric; 4] = [Metric::Lcs, Metric::Word, Metric::Shingle, Metric::Segment];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Metric::Lcs => "lcs",
            Metric::Word => "word",
            Metric::Shingle => "shingle",
            Metric::Segment => "segment",
        }
    }
}

/// The contribution of one page to the averages of one metric. The meaning of the elements depends on the
/// metric; see [`fold`].
type Row = [f64; 5];

/// The scores of one page.
#[derive(Clone, Debug)]
pub(crate) struct PageScore {
    lcs: Row,
    word: Row,
    shingle: Row,
    /// `None` if the page has no segments.
    segment: Option<Row>,
    /// Number of words in the label.
    gold_words: usize,
}

impl PageScore {
    /// F1 of the longest common subsequence of words.
    pub(crate) fn lcs_f1(&self) -> f64 {
        self.lcs[0]
    }

    /// Returns the F1 of the page: by the longest common subsequence of words, or by strings if the page is
    /// labelled only by strings.
    pub(crate) fn page_f1(&self) -> f64 {
        match self.segment {
            Some([right, wrong, missing, ..]) if self.gold_words == 0 && right + missing > 0.0 => {
                2.0 * right / (2.0 * right + wrong + missing)
            }
            _ => self.lcs_f1(),
        }
    }

    /// Returns the row of a metric; `None` for segments of a page without them.
    fn row(&self, metric: Metric) -> Option<Row> {
        match metric {
            Metric::Lcs => Some(self.lcs),
            Metric::Word => Some(self.word),
            Metric::Shingle => Some(self.shingle),
            Metric::Segment => self.segment,
        }
    }
}

/// Scores the text that was extracted from a page.
pub(crate) fn score(doc: &Doc, text: &str) -> PageScore {
    let (gold_lower, text_lower) = (lower(&doc.gold), lower(text));
    // One vocabulary for both texts gives equal words equal numbers.
    let mut vocabulary = Vocabulary::default();
    let mut gold = vocabulary.numbers(&fine(&gold_lower));
    let mut ours = vocabulary.numbers(&fine(&text_lower));
    let lcs = overlap(lcs::length(&gold, &ours), gold.len(), ours.len());
    let gold_words = gold.len();
    // The order of words is needed above only. Sorted, the two are bags for `common`.
    gold.sort_unstable();
    ours.sort_unstable();
    let word = overlap(common(&gold, &ours), gold.len(), ours.len());
    let segments = !(doc.with.is_empty() && doc.without.is_empty());
    PageScore {
        lcs,
        word,
        shingle: shingle(&doc.gold, text),
        segment: segments.then(|| segment(doc, text)),
        gold_words,
    }
}

/// Returns the number of common elements of two sorted bags.
fn common<T: Ord>(a: &[T], b: &[T]) -> usize {
    let (mut i, mut j, mut both) = (0, 0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        // Equal elements advance both sides, so each occurrence is counted once.
        both += usize::from(x == y);
        (i, j) = (i + usize::from(x <= y), j + usize::from(y <= x));
    }
    both
}

fn f1(precision: f64, recall: f64) -> f64 {
    Prf::of(precision, recall).f1
}

/// `[part / whole, 1]`, or `[0, 0]` if `whole` is 0. The second element counts the pages that have the ratio.
fn share(part: usize, whole: usize) -> [f64; 2] {
    if whole > 0 {
        [part as f64 / whole as f64, 1.0]
    } else {
        [0.0, 0.0]
    }
}

/// Returns F1, precision and recall of a page with `both` common words. Precision and recall are each
/// followed by whether they exist.
fn overlap(both: usize, gold: usize, ours: usize) -> Row {
    let ([precision, has_precision], [recall, has_recall]) = (share(both, ours), share(both, gold));
    // Nothing was expected and nothing was extracted: the page is right.
    let f1 = if gold == 0 && ours == 0 {
        1.0
    } else {
        f1(precision, recall)
    };
    [f1, precision, has_precision, recall, has_recall]
}

/// Returns the runs of four words as a sorted bag. A text of fewer words is one run.
fn runs(words: &[u32]) -> Vec<[u32; 4]> {
    const ABSENT: u32 = u32::MAX;
    let mut runs: Vec<[u32; 4]> = match words {
        [] => Vec::new(),
        [a] => vec![[*a, ABSENT, ABSENT, ABSENT]],
        [a, b] => vec![[*a, *b, ABSENT, ABSENT]],
        [a, b, c] => vec![[*a, *b, *c, ABSENT]],
        words => words
            .windows(4)
            .map(|run| [run[0], run[1], run[2], run[3]])
            .collect(),
    };
    runs.sort_unstable();
    runs
}

/// Returns precision and recall by runs of words, each followed by whether it exists, and whether all words
/// are equal.
fn shingle(gold: &str, text: &str) -> Row {
    let mut vocabulary = Vocabulary::default();
    let (gold, ours) = (vocabulary.numbers(&plain(gold)), vocabulary.numbers(&plain(text)));
    // Compared before `runs`, since equal bags of runs may come from different texts.
    let same = f64::from(u8::from(gold == ours));
    let (gold, ours) = (runs(&gold), runs(&ours));
    let both = common(&gold, &ours);
    let ([precision, has_precision], [recall, has_recall]) =
        (share(both, ours.len()), share(both, gold.len()));
    [precision, has_precision, recall, has_recall, same]
}

/// Returns the numbers of segments: required and found, forbidden and found, required and missing,
/// forbidden and missing.
fn segment(doc: &Doc, text: &str) -> Row {
    let text = squeeze(text);
    let found = |segments: &[String]| segments.iter().filter(|s| text.contains(&squeeze(s))).count() as f64;
    let (right, wrong) = (found(&doc.with), found(&doc.without));
    [
        right,
        wrong,
        doc.with.len() as f64 - right,
        doc.without.len() as f64 - wrong,
        0.0,
    ]
}

/// The scores of a group of pages by one metric.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Figures {
    pub(crate) f1: f64,
    pub(crate) precision: f64,
    pub(crate) recall: f64,
    pub(crate) accuracy: Option<f64>,
}

fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

/// Returns the scores of a group, from the means of its pages' rows.
fn fold(metric: Metric, means: Row) -> Figures {
    match metric {
        Metric::Lcs | Metric::Word => {
            let [f1, precision, has_precision, recall, has_recall] = means;
            // The mean over all pages divided by the share of pages that have the value is the mean over
            // those pages.
            let (precision, recall) = (ratio(precision, has_precision), ratio(recall, has_recall));
            Figures {
                f1,
                precision,
                recall,
                accuracy: None,
            }
        }
        Metric::Shingle => {
            let [precision, has_precision, recall, has_recall, same] = means;
            let (precision, recall) = (ratio(precision, has_precision), ratio(recall, has_recall));
            Figures {
                // F1 of the two averages, as the reference computes it, not the average of F1.
                f1: f1(precision, recall),
                precision,
                recall,
                accuracy: Some(same),
            }
        }
        Metric::Segment => {
            // Ratios of means equal ratios of sums: all pages have the same weight.
            let [right, wrong, missed, absent, _] = means;
            let (precision, recall) = (ratio(right, right + wrong), ratio(right, right + missed));
            let accuracy = ratio(right + absent, right + wrong + missed + absent);
            Figures {
                f1: f1(precision, recall),
                precision,
                recall,
                accuracy: Some(accuracy),
            }
        }
    }
}

/// Returns the means of the columns. `rows` must not be empty.
fn means<'r>(rows: impl ExactSizeIterator<Item = &'r Row>) -> Row {
    let count = rows.len() as f64;
    let mut sums = Row::default();
    for row in rows {
        for (sum, value) in sums.iter_mut().zip(row) {
            *sum += value;
        }
    }
    sums.map(|sum| sum / count)
}

/// The scores of a group, with a confidence interval of F1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Summary {
    pub(crate) figures: Figures,
    /// The interval that contains 95 % of the F1 of resampled groups.
    pub(crate) interval: (f64, f64),
}

/// Number of resampled groups for an interval.
const RESAMPLES: usize = 1000;

/// Returns the scores of these pages by `metric`; `None` if no page has a row for the metric.
///
/// The interval comes from a bootstrap over pages (Efron 1979, percentile method) with a fixed seed, so
/// equal scores give equal intervals on every machine. With another generator its ends would differ by some
/// thousandths.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the place is below the number of rows"
)]
pub(crate) fn summarize(metric: Metric, pages: &[&PageScore]) -> Option<Summary> {
    let rows: Vec<Row> = pages.iter().filter_map(|page| page.row(metric)).collect();
    if rows.is_empty() {
        return None;
    }
    let mut random = SplitMix64::new(1);
    let mut draw = || {
        let at = (u128::from(random.number()) * rows.len() as u128) >> 64; // below the number of rows
        &rows[at as usize]
    };
    let mut sample = Vec::with_capacity(rows.len());
    let mut draws: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            sample.clear();
            sample.extend((0..rows.len()).map(|_| draw()));
            fold(metric, means(sample.iter().copied())).f1
        })
        .collect();
    draws.sort_unstable_by(f64::total_cmp);
    let figures = fold(metric, means(rows.iter()));
    Some(Summary {
        figures,
        // The 2.5th and the 97.5th percentile.
        interval: (draws[RESAMPLES / 40], draws[RESAMPLES - RESAMPLES / 40]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doc(gold: &str, with: &[&str], without: &[&str]) -> Doc {
        let strings = |list: &[&str]| list.iter().map(|s| (*s).to_owned()).collect();
        let mut doc = Doc::default();
        doc.gold = gold.to_owned();
        (doc.with, doc.without) = (strings(with), strings(without));
        doc
    }

    fn near(metric: Metric, pages: &[PageScore], expected: [f64; 4]) {
        let summary = summarize(metric, &pages.iter().collect::<Vec<_>>()).unwrap();
        let Figures {
            f1,
            precision,
            recall,
            accuracy,
        } = summary.figures;
        for (got, expected) in [f1, precision, recall, accuracy.unwrap_or(-1.0)]
            .into_iter()
            .zip(expected)
        {
            assert!((got - expected).abs() < 5e-4, "{metric:?}: {summary:?}");
        }
        let (low, high) = summary.interval;
        assert!(low <= f1 && f1 <= high, "{metric:?}: {summary:?}");
    }

    #[test]
    fn figures_equal_those_of_the_reference() {
        // F1 of every metric; also precision, recall and accuracy of `shingle` and `segment`.
        let pages = [
            score(
                &doc(
                    "The river rose overnight. Two bridges are closed.",
                    &["river rose"],
                    &["Menu", "Home"],
                ),
                "Menu The river  rose\n overnight. Bridges are closed.",
            ),
            score(&doc("one two", &[], &[]), "One two"),
            score(&doc("", &["x"], &[]), ""),
            score(&doc("猫が好き", &["猫"], &["犬"]), "猫が 好き 犬"),
        ];
        near(Metric::Shingle, &pages, [0.0667, 0.0667, 0.0667, 0.25]);
        near(Metric::Segment, &pages, [0.5714, 0.5, 0.6667, 0.5]);
        // Precision and recall as defined here: (7/8 + 1 + 4/5) / 3, (7/8 + 1 + 1) / 3.
        near(Metric::Lcs, &pages, [0.9410, 0.8917, 0.9583, -1.0]);
        near(Metric::Word, &pages, [0.9410, 0.8917, 0.9583, -1.0]);
    }

    #[test]
    fn nothing_of_nothing_is_right() {
        let empty = score(&doc("", &[], &[]), "");
        assert_eq!(empty.lcs[0], 1.0);
        assert_eq!(empty.shingle, [0.0, 0.0, 0.0, 0.0, 1.0]);
        assert!(empty.segment.is_none());
        let silent = score(&doc("some words", &[], &[]), "");
        assert_eq!(silent.lcs, [0.0, 0.0, 0.0, 0.0, 1.0]);
        assert!(summarize(Metric::Segment, &[&empty, &silent]).is_none());
    }
}
