//! Chooses the lines to keep, given the chance of each to be main text.

/// Minimum chance of a kept line, on pages where the trees are sure.
pub(crate) const DEFAULT_THRESHOLD: f32 = 0.5;

/// How far the threshold of a page lies below the mean chance of its likely tokens.
///
/// If the errors of lines were independent, the set with the best F1 would contain all lines above half that
/// F1 (Lipton, Elkan and Naryanaswamy, 2014). But where the likely lines of a page are doubtful, its other
/// lines are often main text, too, since the trees do not know this kind of page. So the threshold falls
/// faster. A second model that predicts the threshold of each page from its chances was no better
/// (docs/train.md). Compared with a fixed 0.5 (ten-fold cross-validation), wcxb goes from .863 to .868,
/// daniel from .937 to .932, and zh_news stays at .951.
const THRESHOLD_BELOW_MEAN: f32 = 0.35;

/// Thresholds of [`Focus::Precision`](crate::Focus::Precision) and [`Focus::Recall`](crate::Focus::Recall).
pub(crate) const PRECISION_THRESHOLD: f32 = 0.75;
pub(crate) const RECALL_THRESHOLD: f32 = 0.2;

/// Returns, per line, whether its chance is at least `least`.
pub fn at_least(chances: &[f32], least: f32) -> Vec<bool> {
    chances.iter().map(|&chance| chance >= least).collect()
}

/// Returns the expected F1 of the tokens of the lines in `kept`, 0 to 1, given the chance of each line to be main text.
///
/// Low expectations are too pessimistic. Labelled pages of held-out domains with an expected F1 of .03
/// reached .45; with .30, they reached .70; with .45, .59; with .62, .65. Higher expectations were accurate
/// to .02. So expectations below `FAIR_PROMISE` are raised.
pub fn confidence(chances: &[f32], tokens: &[u32], kept: &[bool]) -> f64 {
    let promised = promised_f1(chances, tokens, kept);
    // The line from (0, `MIN_F1`) to (`FAIR_PROMISE`, `FAIR_PROMISE`), where it meets the expectation.
    let at_least = MIN_F1 + (1.0 - MIN_F1 / FAIR_PROMISE) * promised;
    promised.max(at_least)
}

/// Returns the share of the tokens that may be main text (above [`RECALL_THRESHOLD`]) whose lines are sure (above
/// [`PRECISION_THRESHOLD`]), 0 to 1; `None` if fewer than 20 tokens may be main text.
pub(crate) fn sure_share(chances: &[f32], tokens: &[u32]) -> Option<f64> {
    const MIN_TOKENS: u64 = 20;
    let above = |least: f32| -> u64 {
        let lines = chances.iter().zip(tokens);
        lines
            .filter(|(chance, _)| **chance >= least)
            .map(|(_, &tokens)| u64::from(tokens))
            .sum()
    };
    let possible = above(RECALL_THRESHOLD);
    (possible >= MIN_TOKENS).then(|| above(PRECISION_THRESHOLD) as f64 / possible as f64)
}

/// Expected F1 at or above which expectations are accurate. `MIN_F1` is the F1 reached by pages with an expected
/// F1 of 0.
const FAIR_PROMISE: f64 = 0.66;
const MIN_F1: f64 = 0.45;

/// Returns the F1 of the kept lines that the chances predict, 0 to 1; 0 if no token is kept.
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
        // Twice the expected overlap, divided by the size of both sets.
        (2.0 * right / (size + expected)).clamp(0.0, 1.0)
    } else {
        0.0
    }
}

/// Returns which lines to keep, given the chance of each to be main text.
///
/// Nothing is kept of a page of boilerplate alone. Otherwise lines above a threshold are kept. The threshold falls from 0.5 to 0.2 the
/// less sure the likely lines are. If no line is likely, the set with the highest expected F1 is kept.
///
/// The expected F1 of a set is twice its expected tokens of main text, divided by the sum of its tokens and the expected tokens of main
/// text on the whole page. The best set consists of all lines above some chance.
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

/// Returns the threshold of a page, given the chance and the tokens of each line; `None` if no line is likely.
pub(crate) fn threshold(lines: impl Iterator<Item = (f32, f32)>) -> Option<f32> {
    let (mut right, mut size) = (0.0, 0.0);
    for (chance, tokens) in lines {
        if chance >= DEFAULT_THRESHOLD {
            // Lines without words get a small weight, so that they count if all likely lines are empty.
            let tokens = tokens.max(0.01);
            right += chance * tokens;
            size += tokens;
        }
    }
    (size > 0.0).then(|| (right / size - THRESHOLD_BELOW_MEAN).clamp(RECALL_THRESHOLD, DEFAULT_THRESHOLD))
}

/// Returns whether a page shows menus and notes alone, such as a page that is filled by a script: few of its tokens are expected to be
/// main text, and no line is at all sure. Keeping nothing is then better than keeping the least unlikely menu.
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

/// Bounds for a page of boilerplate alone.
struct BoilerplateBounds {
    /// Minimum number of tokens of the page: shorter pages may be anything.
    tokens: f32,
    /// All lines have lower chances.
    best: f32,
    /// Upper bound for the expected tokens of main text; `share`: for their share of all tokens.
    expected: f32,
    share: f32,
}

const BOILERPLATE: BoilerplateBounds = BoilerplateBounds {
    tokens: 10.0,
    best: 0.6,
    expected: 40.0,
    share: 0.2,
};

/// Returns the threshold whose lines have the highest expected F1.
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
        // Half the expected F1: the factor 2 does not change which set is best.
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

    /// Selects among lines of ten tokens each.
    fn kept(chances: &[f32]) -> Vec<bool> {
        select(chances, &vec![10; chances.len()])
    }

    #[test]
    fn the_threshold_falls_where_the_likely_lines_are_doubtful() {
        assert_eq!(kept(&[0.99, 0.95, 0.45, 0.1]), [true, true, false, false]);
        assert_eq!(kept(&[0.7, 0.65, 0.35, 0.3]), [true, true, true, false]);
        assert_eq!(kept(&[0.52, 0.5, 0.21, 0.15]), [true, true, true, false]);
        // Lines without words are kept by their chance alone.
        assert_eq!(select(&[0.9, 0.45], &[0, 0]), [true, false]);
        assert_eq!(select(&[], &[]), [false; 0]);
    }

    #[test]
    fn the_sure_share_is_of_the_tokens_that_may_be_main_text() {
        assert_eq!(sure_share(&[0.9, 0.3, 0.1], &[10, 30, 100]), Some(0.25));
        assert_eq!(sure_share(&[0.9, 0.3], &[10, 9]), None);
    }

    #[test]
    fn where_none_is_likely_the_best_set_is_kept_unless_all_is_boilerplate() {
        let chances = [0.45, 0.4, 0.05];
        assert_eq!(select(&chances, &[100, 100, 100]), [true, true, false]);
        assert_eq!(select(&chances, &[10, 10, 300]), [false; 3]);
        assert_eq!(select(&[0.1], &[3]), [true]);
    }
}
