//! Labels of lines: which lines of a labelled page are main text.
//!
//! The label of a page is a text, not a selection of lines, so lines are matched with it. A word of the
//! page is covered if a run of four words that includes it occurs in the label. So the match of a short
//! line depends on its neighbors.

use std::collections::{BTreeMap, HashMap, HashSet};

use dehusk_lab::metrics::words::{Vocabulary, fine, lower, squeeze};

/// Number of words in a run.
const RUN: usize = 4;

/// For each line, the share of its words that are covered, 0 to 1, and its weight in training.
pub(super) struct Targets {
    pub(super) covered: Vec<f32>,
    pub(super) weights: Vec<f32>,
}

/// Labels the lines of a page. Lines in `neutral` but not in `gold` may be extracted or not, so their
/// weight is 0.
pub(super) fn label(lines: &[String], gold: &str, neutral: Option<&str>) -> Targets {
    let lowered: Vec<_> = lines.iter().map(|l| lower(l)).collect();
    let (gold_lower, neutral_lower) = (lower(gold), neutral.map(lower));
    let mut vocabulary = Vocabulary::default();
    // One vocabulary for lines and label gives equal words equal numbers.
    let words: Vec<Vec<u32>> = lowered.iter().map(|l| vocabulary.numbers(&fine(l))).collect();
    let gold_words = vocabulary.numbers(&fine(&gold_lower));
    // Runs may cross lines, so the words of all lines are one sequence.
    let page: Vec<u32> = words.concat();
    let mut covered = by_line(&words, &cover(&page, &gold_words));
    let gold_lines: HashSet<Vec<u32>> = gold_lower.lines().map(|l| vocabulary.numbers(&fine(l))).collect();
    for (share, line) in covered.iter_mut().zip(&words) {
        // A line of one to three words has no run of its own. It counts if it is a whole line of the label.
        if (1..RUN).contains(&line.len()) && gold_lines.contains(line) {
            *share = share.max(0.6);
        }
    }
    // After the lines above have their shares: it compares the neighbors of copies.
    drop_copies(&words, &gold_words, &mut covered);
    let ignored = neutral_lower
        .as_ref()
        .map(|neutral| by_line(&words, &cover(&page, &vocabulary.numbers(&fine(neutral)))));
    let mut weights: Vec<f32> = words
        .iter()
        .enumerate()
        .map(|(i, line)| {
            // In the neutral text, and not in the main text: either decision is right.
            let free = ignored.as_ref().is_some_and(|n| n[i] > 0.5) && covered[i] < 0.5;
            if free { 0.0 } else { weight(line.len()) }
        })
        .collect();
    // All pages have the same total weight, except pages whose label is mostly not found on the page.
    let found: f32 = covered
        .iter()
        .zip(&words)
        .map(|(share, line)| share * line.len() as f32)
        .sum();
    let worth = if gold_words.is_empty() || found > 0.5 * gold_words.len() as f32 {
        1.0
    } else {
        0.2
    };
    let sum: f32 = weights.iter().sum();
    for weight in &mut weights {
        *weight *= worth / sum.max(1e-9);
    }
    Targets { covered, weights }
}

/// Labels the lines of a page whose label consists of strings in and outside of the main text. Lines that
/// contain strings of neither or of both kinds get weight 0. The total weight of the page is half of that
/// of a completely labelled page.
pub(super) fn label_strings(lines: &[String], with: &[String], without: &[String]) -> Targets {
    // White space differs between a page and its label, so both are squeezed before strings are searched.
    let [with, without] = [with, without].map(|strings| {
        let squeezed = strings.iter().map(|s| squeeze(s));
        squeezed.filter(|s| !s.is_empty()).collect::<Vec<String>>()
    });
    let (mut covered, mut weights) = (Vec::new(), Vec::new());
    for line in lines {
        let line = squeeze(line);
        let holds = |strings: &[String]| strings.iter().any(|s| line.contains(s.as_str()));
        let (is_main, is_other) = (holds(&with), holds(&without));
        covered.push(if is_main { 1.0 } else { 0.0 });
        // Contains both kinds, or neither: the label says nothing about this line.
        weights.push(if is_main == is_other {
            0.0
        } else {
            weight(fine(&lower(&line)).len())
        });
    }
    let sum: f32 = weights.iter().sum();
    for weight in &mut weights {
        *weight *= 0.5 / sum.max(1e-9);
    }
    Targets { covered, weights }
}

/// Weight of a line of `words` words: `words^(5/8)`. It is computed by square roots, which are exact on
/// every machine.
fn weight(words: usize) -> f32 {
    let root = (words as f32).sqrt();
    root * root.sqrt().sqrt()
}

/// Returns for each word of a page whether it is in a run of four words that the label contains.
fn cover(page: &[u32], gold: &[u32]) -> Vec<bool> {
    let mut out = vec![false; page.len()];
    // A label of fewer than four words is searched as a whole.
    let run = RUN.min(gold.len());
    if run == 0 {
        return out;
    }
    let known: HashSet<&[u32]> = gold.windows(run).collect();
    for (i, window) in page.windows(run).enumerate() {
        if known.contains(window) {
            out[i..i + run].fill(true);
        }
    }
    out
}

/// Returns the share of covered words of each line; 0 for a line without words.
fn by_line(words: &[Vec<u32>], covered: &[bool]) -> Vec<f32> {
    let mut at = 0;
    words
        .iter()
        .map(|line| {
            let hits = covered[at..at + line.len()].iter().filter(|c| **c).count();
            at += line.len();
            hits as f32 / line.len().max(1) as f32
        })
        .collect()
}

/// If a line occurs on the page more often than in the label, keeps the occurrences whose neighbors are
/// covered best, and sets the others to 0. Teasers and copies for small screens repeat titles.
fn drop_copies(words: &[Vec<u32>], gold: &[u32], covered: &mut [f32]) {
    let mut places: BTreeMap<&[u32], Vec<usize>> = BTreeMap::new();
    for (i, line) in words.iter().enumerate().filter(|(_, l)| !l.is_empty()) {
        places.entry(line).or_default().push(i);
    }
    // If no copy of a line is covered, the line is not main text anyway.
    places.retain(|_, at| at.len() > 1 && at.iter().any(|&i| covered[i] > 0.4));
    if places.is_empty() {
        return;
    }
    let mut starts: HashMap<u32, Vec<usize>> = HashMap::new();
    for (i, &word) in gold.iter().enumerate() {
        starts.entry(word).or_default().push(i);
    }
    let before = covered.to_vec();
    for (line, at) in places {
        let begins = starts.get(&line[0]).map_or(&[][..], Vec::as_slice);
        // The number of places in the label is the number of copies that stay.
        let wanted = begins.iter().filter(|&&i| gold[i..].starts_with(line)).count();
        if wanted == 0 || wanted >= at.len() {
            continue;
        }
        // Mean share of up to four lines on either side.
        let density = |i: usize| {
            // Shares before any change, so that the result does not depend on the order of lines.
            let range = i.saturating_sub(4)..(i + 5).min(before.len());
            let others = range.clone().filter(|&j| j != i);
            others.map(|j| before[j]).sum::<f32>() / (range.len() - 1).max(1) as f32
        };
        let mut order = at;
        // Of equal neighborhoods the first copy stays.
        order.sort_by(|&a, &b| density(b).total_cmp(&density(a)).then(a.cmp(&b)));
        for &i in &order[wanted..] {
            covered[i] = 0.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(all: &[&str]) -> Vec<String> {
        all.iter().map(|&l| l.to_owned()).collect()
    }

    #[test]
    fn lines_are_found_in_the_label() {
        let page = lines(&[
            "Home",
            "The river rose in the night",
            "Map",
            "and fell again by noon",
            "The river rose in",
        ]);
        let got = label(
            &page,
            "The river rose in the night\nMap\nand fell again by noon",
            None,
        );
        assert_eq!(got.covered, [0.0, 1.0, 1.0, 1.0, 1.0]);
        assert!((got.weights.iter().sum::<f32>() - 1.0).abs() < 1e-5);
    }

    #[test]
    fn copies_count_where_their_surroundings_do() {
        let page = lines(&[
            "Rivers and their towns today",
            "Home",
            "News",
            "Forum",
            "Search",
            "Rivers and their towns today",
            "long text of the page here",
        ]);
        let got = label(
            &page,
            "Rivers and their towns today\nlong text of the page here",
            None,
        );
        assert_eq!(got.covered, [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0]);
    }

    #[test]
    fn strings_label_the_lines_that_hold_them() {
        let page = lines(&["The river  rose", "Menu", "and fell", "Menu of the river rose"]);
        let strings = |all: &[&str]| all.iter().map(|s| (*s).to_owned()).collect::<Vec<String>>();
        let got = label_strings(&page, &strings(&["river rose"]), &strings(&["Menu"]));
        assert_eq!(got.covered, [1.0, 0.0, 0.0, 1.0]);
        assert!(
            got.weights[0] > got.weights[1] && got.weights[1] > 0.0,
            "{:?}",
            got.weights
        );
        assert_eq!(got.weights[2..], [0.0, 0.0]);
    }

    #[test]
    fn neutral_lines_have_no_weight() {
        let page = lines(&["Written by the water desk", "The river rose in the night"]);
        let got = label(
            &page,
            "The river rose in the night",
            Some("Written by the water desk"),
        );
        assert_eq!((got.weights[0], got.weights[1] > 0.0), (0.0, true));
    }
}
