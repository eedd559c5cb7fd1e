//! `readability`: paragraphs vote for their ancestors.
//!
//! Arc90's readability (2009) in the form of Mozilla's Readability.js: the ten steps, weights and word lists of that program. It rewrites
//! a copy of the tree's links as the original rewrites the page. Texts are not copied, so the result is a set of text nodes. Lengths and
//! counts are summed bottom-up once per pass instead of for each element, so the cost is linear. Deviations: lengths are in characters,
//! not in UTF-16 units; the test for a heading that repeats the title splits words by Unicode; lazily loaded images are not restored, and
//! images inside `noscript` are not moved out.

mod attempt;
mod clean;
mod constants;
mod names;
mod page_context;
mod precheck;
mod prepare;
mod score;
mod stats;
mod text_stat;

use crate::label::extractor::{Extractor, PageView};
use crate::label::labels::{Labels, Verdict};
use attempt::{Attempt, Flags};
use dehusk_html::tree::{Dom, NodeId, Tag};
use page_context::PageContext;

/// The extractor `readability`.
#[derive(Debug)]
pub(crate) struct Readability;

impl Extractor for Readability {
    fn name(&self) -> &'static str {
        "readability"
    }

    fn summary(&self) -> &'static str {
        "paragraphs vote for their ancestors, weighted by class and id (Arc90, Mozilla Readability.js)"
    }

    fn label(&self, view: &PageView<'_>) -> Labels {
        let page = PageContext::new(view);
        let mut flags = Flags {
            strip_unlikely: true,
            weight_classes: true,
            clean_conditionally: true,
        };
        // Only the verdicts of the longest attempt are stored: they take less memory than the attempt.
        let mut best: Option<(u32, Vec<Verdict>)> = None;
        let enough = loop {
            let attempt = run(&page, flags);
            let chars = attempt.chars();
            if best.as_ref().is_none_or(|(most, _)| chars > *most) {
                best = Some((chars, attempt.verdicts(view.table)));
            }
            if chars >= constants::CHAR_THRESHOLD {
                // An accepted attempt is always longer than the rejected ones.
                break true;
            }
            if !view.budget.charge("the retries of readability", view.dom.len()) || !flags.relax() {
                break false;
            }
        };
        let Some((chars, verdicts)) = best else {
            return Labels::new(self.name(), Vec::new());
        };
        let mut labels = Labels::new(self.name(), verdicts);
        if !enough {
            labels.abstained = Some(format!("{chars} characters after all retries"));
        }
        labels
    }
}

/// Runs all steps of one attempt.
fn run<'p, 'v>(page: &'p PageContext<'v>, flags: Flags) -> Attempt<'p, 'v> {
    let mut attempt = Attempt::new(page, flags);
    let Some(body) = page.dom.find(NodeId::DOCUMENT, Tag::BODY) else {
        return attempt;
    };
    attempt.prepare();
    let elements = attempt.strip();
    let scores = attempt.score(&elements);
    let (best, scores) = attempt.choose(body, scores);
    attempt.best = Some(best);
    attempt.gather(best, &scores);
    // Cleaning computes its own counts, so these are freed.
    drop(scores);
    attempt.clean();
    attempt
}

/// The pre-check of the method: see [`crate::is_article`].
pub(crate) fn reads_as_article(dom: &Dom<'_>) -> bool {
    precheck::is_article(&PageContext::of(dom, ""))
}

#[cfg(test)]
mod tests;
