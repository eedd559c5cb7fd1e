//! Which lines to keep, given the chance of each to be main text.

/// Least chance of a line that is kept, on pages where the trees are sure.
pub(crate) const DEFAULT_THRESHOLD: f32 = 0.5;

/// How far the threshold of a page lies below the mean chance of its likely tokens.
///
/// If the errors of lines were independent of one another, the set with the best F1 would hold all lines above half that F1 (Lipton,
/// Elkan and Naryanaswamy, 2014). But where the likely lines of a page are doubtful, its other lines are often main text, too, since
/// the trees do not know this kind of page. So the threshold falls faster. Against a fixed 0.5 (held out in ten
/// parts) wcxb goes from .863 to .868, daniel from .937 to .932, zh_news stays at .951.
const THRESHOLD_BELOW_MEAN: f32 = 0.35;

/// Thresholds of [`Focus::Precision`](crate::Focus::Precision) and [`Focus::Recall`](crate::Focus::Recall).
pub(crate) const PRECISION_THRESHOLD: f32 = 0.75;
pub(crate) const RECALL_THRESHOLD: f32 = 0.2;

/// Keeps lines whose chance is at least `least`.
pub fn at_least(chances: &[f32], least: f32) -> Vec<bool> {
    chances.iter().map(|&chance| chance >= least).collect()
}

/// F1 of the tokens of the lines in `kept` that is to be expected, 0 to 1, given the chance of each line to be main text.
///
/// Where chances promise little, they promise too little: of labelled pages of domains held out, those with a promise of .03 reached
/// .45, with .30 .70, with .45 .59, with .62 .65, and above they reached what was promised, to .02. So the promise is
/// raised below [`FAIR_PROMISE`].
pub fn confidence(chances: &[f32], tokens: &[u32], kept: &[bool]) -> f64 {
    let promised = promised_f1(chances, tokens, kept);
    let at_least = LEAST_F1 + (1.0 - LEAST_F1 / FAIR_PROMISE) * promised;
    promised.max(at_least)
}

/// Expected F1 from which pages reach it, and what pages reach of which nothing is expected.
const FAIR_PROMISE: f64 = 0.66;
const LEAST_F1: f64 = 0.45;

fn promised_f1(chances: &[f32], tokens: &[u32], kept: &[bool]) -> f64 {
    let (mut right, mut size, mut expected) = (0.0, 0.0, 0.0);
    for ((&chance, &tokens), &kept) in chances.iter().zip(tokens).zip(kept) {
        let (chance, tokens) = (f64::from(chance), f64::from(tokens));
        expected += chance * tokens;
        if kept {
            right += chance * tokens;
            size += tokens;
        }
    }
    if size > 0.0 {
        (2.0 * right / (size + expected)).clamp(0.0, 1.0)
    } else {
        0.0
    }
}

/// Which lines to keep, given the chance of each to be main text: none if the page is boilerplate alone; else those above a
/// threshold that is the lower, from 0.5 down to 0.2, the less sure the likely lines are; if no line is likely, the set with the
/// highest expected F1.
///
/// The expected F1 of a set is twice its expected tokens of main text, divided by the sum of its tokens and the expected tokens of
/// main text on the whole page. The set with the highest one holds all lines above some chance.
pub fn select(chances: &[f32], tokens: &[u32]) -> Vec<bool> {
    let least = if is_boilerplate(chances, tokens) {
        f32::INFINITY
    } else {
        let lines = chances
            .iter()
            .zip(tokens)
            .map(|(&chance, &tokens)| (chance, tokens as f32));
        threshold(lines).unwrap_or_else(|| best_threshold(chances, tokens))
    };
    at_least(chances, least)
}

/// The threshold of a page, given the chance and the tokens of each line, if any of them is likely.
pub(crate) fn threshold(lines: impl Iterator<Item = (f32, f32)>) -> Option<f32> {
    let (mut right, mut size) = (0.0, 0.0);
    for (chance, tokens) in lines {
        if chance >= DEFAULT_THRESHOLD {
            // Lines without words get a small weight.
            let tokens = tokens.max(0.01);
            right += chance * tokens;
            size += tokens;
        }
    }
    (size > 0.0).then(|| (right / size - THRESHOLD_BELOW_MEAN).clamp(RECALL_THRESHOLD, DEFAULT_THRESHOLD))
}

/// Whether a page shows menus and notes alone, as pages do that a script fills: few of its tokens are expected to be main text, and
/// no line is at all sure to be. Keeping nothing is then better than keeping the least unlikely menu.
pub(crate) fn is_boilerplate(chances: &[f32], tokens: &[u32]) -> bool {
    let (mut expected, mut all) = (0.0, 0.0);
    for (&chance, &tokens) in chances.iter().zip(tokens) {
        if chance >= BOILERPLATE.best {
            return false;
        }
        expected += chance * tokens as f32;
        all += tokens as f32;
    }
    all >= BOILERPLATE.tokens && expected < BOILERPLATE.expected && expected < BOILERPLATE.share * all
}

/// Bounds below which a page is boilerplate alone.
struct BoilerplateBounds {
    /// Tokens of the page, at least: a shorter one may be anything.
    tokens: f32,
    /// Chance of the best line.
    best: f32,
    /// Tokens expected to be main text, and their share of all.
    expected: f32,
    share: f32,
}

const BOILERPLATE: BoilerplateBounds = BoilerplateBounds {
    tokens: 10.0,
    best: 0.6,
    expected: 40.0,
    share: 0.2,
};

/// The threshold whose lines have the highest expected F1.
pub fn best_threshold(chances: &[f32], tokens: &[u32]) -> f32 {
    let mut order: Vec<usize> = (0..chances.len()).collect();
    order.sort_by(|&a, &b| chances[b].total_cmp(&chances[a]).then(a.cmp(&b)));
    let expected: f64 = chances
        .iter()
        .zip(tokens)
        .map(|(&p, &t)| f64::from(p) * f64::from(t))
        .sum();
    let (mut right, mut size, mut best, mut cut) = (0.0, 0.0, 0.0, 1.0_f32);
    for &i in &order {
        right += f64::from(chances[i]) * f64::from(tokens[i]);
        size += f64::from(tokens[i]);
        let f1 = right / (size + expected).max(1e-9);
        if f1 > best {
            (best, cut) = (f1, chances[i]);
        }
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which of some lines of ten tokens each are kept.
    fn kept(chances: &[f32]) -> Vec<bool> {
        select(chances, &vec![10; chances.len()])
    }

    #[test]
    fn the_threshold_falls_where_the_likely_lines_are_doubtful() {
        assert_eq!(kept(&[0.99, 0.95, 0.45, 0.1]), [true, true, false, false]);
        assert_eq!(kept(&[0.7, 0.65, 0.35, 0.3]), [true, true, true, false]);
        assert_eq!(kept(&[0.52, 0.5, 0.21, 0.15]), [true, true, true, false]);
        // Lines without a word are kept by the chance alone.
        assert_eq!(select(&[0.9, 0.45], &[0, 0]), [true, false]);
        assert_eq!(select(&[], &[]), [false; 0]);
    }

    #[test]
    fn where_none_is_likely_the_best_set_is_kept_unless_all_is_boilerplate() {
        let chances = [0.45, 0.4, 0.05];
        assert_eq!(select(&chances, &[100, 100, 100]), [true, true, false]);
        assert_eq!(select(&chances, &[10, 10, 300]), [false; 3]);
        assert_eq!(select(&[0.1], &[3]), [true]);
    }
}
