//! Labels of lines for the learner of templates: the labels of pages are texts, the learner needs lines.

use std::collections::HashSet;

use dehusk_pipeline::extract::training::SiteLine;

use dehusk_lab::metrics::main_text::{Label, tokens};

/// Largest number of tokens in a shingle.
const N: usize = 4;

/// The label of a line.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum LineLabel {
    Main,
    /// The line may be extracted or not, for example a date or a comment.
    Neutral,
    Other,
    /// The label of the page is contradictory about the line, or does not contain it.
    Unknown,
}

/// The shingles of one to four tokens of a text, and the hashes of its lines.
struct Texts {
    shingles: [HashSet<u64>; N],
    lines: HashSet<u64>,
}

/// Returns a hash of tokens that depends on their order.
fn hash(tokens: &[u64]) -> u64 {
    tokens.iter().fold(7, |hash: u64, token| {
        (hash ^ token).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
    })
}

impl Texts {
    fn of(text: &str) -> Texts {
        let all = tokens(&text.to_lowercase());
        // All lengths up to four, since a line of fewer tokens is compared by shingles of its own length.
        let shingles = std::array::from_fn(|n| all.windows(n + 1).map(hash).collect());
        let lines = text.lines().map(|line| hash(&tokens(&line.to_lowercase())));
        Texts {
            shingles,
            lines: lines.collect(),
        }
    }

    /// Returns the share of the line's shingles that are in the text. The line must have a token.
    fn share(&self, line: &[u64]) -> f64 {
        let n = line.len().min(N);
        let all = line.windows(n).count();
        let found = line
            .windows(n)
            .filter(|s| self.shingles[n - 1].contains(&hash(s)));
        found.count() as f64 / all as f64
    }
}

/// Returns the labels of the lines of a page.
pub(super) fn label_lines(lines: &[SiteLine<'_>], label: &Label) -> Vec<LineLabel> {
    let [gold, neutral, other] = [&label.gold, &label.neutral, &label.other].map(|text| Texts::of(text));
    // The set labels only the main text, so all other text is not main text.
    let only_gold = label.other.is_empty();
    let one = |line: &SiteLine<'_>| {
        let line_tokens = tokens(&line.text.to_lowercase());
        // Without tokens there are no shingles, and the share would be 0 / 0.
        if line_tokens.is_empty() {
            return LineLabel::Unknown;
        }
        let shares = [&gold, &neutral, &other].map(|texts| texts.share(&line_tokens));
        let [in_gold, in_neutral, in_other] = if line_tokens.len() >= N {
            // Long enough for shingles of four tokens, which seldom occur elsewhere by chance.
            shares.map(|share| share >= 0.5)
        } else {
            // A few tokens may occur anywhere, so the whole line must be a line of the label.
            [&gold, &neutral, &other].map(|texts| texts.lines.contains(&hash(&line_tokens)))
        };
        match (in_gold, in_neutral, in_other) {
            // A linked line may be an entry in a table of contents that repeats a heading.
            (true, true, _) if line.linked => LineLabel::Unknown,
            (true, _, false) | (true, true, true) => LineLabel::Main,
            (false, true, _) => LineLabel::Neutral,
            (true, false, true) => LineLabel::Unknown,
            (false, false, true) => LineLabel::Other,
            // A short line that partly occurs in the main text may belong there.
            (false, false, false) if only_gold => match line_tokens.len() < N && shares[0] >= 0.5 {
                true => LineLabel::Unknown,
                false => LineLabel::Other,
            },
            // Below the threshold, but in one text only: that text decides.
            (false, false, false) if shares[0] > 0.0 && shares[1] + shares[2] == 0.0 => LineLabel::Main,
            (false, false, false) if shares[2] > 0.0 && shares[0] + shares[1] == 0.0 => LineLabel::Other,
            (false, false, false) => LineLabel::Unknown,
        }
    };
    lines.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found_in_the_texts_of_the_label() {
        let label = Label {
            gold: "Rivers\nThe river rose after days of rain\nSources".into(),
            neutral: "12 May 2020\nRivers".into(),
            wide: String::new(),
            other: "Home News\nAll rights reserved by the valley press\nSources".into(),
        };
        let line = |text, linked| SiteLine {
            text,
            weight: 1.0,
            linked,
            role: None,
        };
        let lines = [
            line("The river rose after days of rain", false),
            line("12 May 2020", false),
            line("All rights reserved by the valley press", false),
            line("Rivers", false),
            line("Rivers", true),
            line("Sources", false),
            line("rain", false),
            line("Something that no label has at all", false),
        ];
        use LineLabel::{Main, Neutral, Other, Unknown};
        assert_eq!(
            label_lines(&lines, &label),
            [Main, Neutral, Other, Main, Unknown, Unknown, Main, Unknown]
        );
        let only_gold = Label {
            neutral: String::new(),
            other: String::new(),
            ..label
        };
        assert_eq!(
            label_lines(&lines, &only_gold),
            [Main, Other, Other, Main, Main, Main, Unknown, Other]
        );
    }
}
