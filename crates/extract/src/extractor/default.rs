//! `default`: Readability, else boilerpipe, else all text.

use super::all_text::AllText;
use super::boilerpipe_article::BoilerpipeArticle;
use super::readability::Readability;
use super::{Extractor, Labels, View};
use crate::warning::{Code, Warning};

/// The first method of the chain that does not abstain. `method` of the result names it.
pub(super) struct Default;

impl Extractor for Default {
    fn name(&self) -> &'static str {
        "default"
    }

    fn summary(&self) -> &'static str {
        "readability; where it abstains, boilerpipe-article; where that finds nothing, all-text"
    }

    fn label(&self, view: &View<'_>) -> Labels {
        if view.table.blocks().is_empty() {
            return AllText.label(view);
        }
        let article = BoilerpipeArticle.label(view);
        let mut labels = Readability.label(view);
        let mut fallbacks = Vec::new();
        let mut fall_back = |from: &Labels, to: &str| {
            let why = from.abstained.as_deref().unwrap_or("nothing was kept");
            fallbacks.push(Warning::new(
                Code::Fallback,
                format!("{} abstained ({why}); {to} answered", from.method),
            ));
        };
        if labels.abstained.is_some() {
            if article.abstained.is_none() {
                fall_back(&labels, article.method);
                labels = article.clone();
            } else if labels.kept_chars(view.table) == 0 {
                let last = AllText.label(view);
                fall_back(&labels, article.method);
                fall_back(&article, last.method);
                labels = last;
            }
        }
        labels.confidence = confidence(view, &labels, &article);
        labels.warnings.extend(fallbacks);
        labels
    }
}

/// Estimated F1 of the words kept, from what the method kept, how much of the page that is, how linked it is, and how far
/// boilerpipe agrees.
fn confidence(view: &View<'_>, labels: &Labels, article: &Labels) -> f64 {
    let (mut kept, mut linked, mut both, mut other) = (0_u64, 0_u64, 0_u64, 0_u64);
    for ((block, mine), theirs) in view
        .table
        .blocks()
        .iter()
        .zip(&labels.verdicts)
        .zip(&article.verdicts)
    {
        let chars = u64::from(block.chars);
        if mine.kept {
            kept += chars;
            linked += u64::from(block.link_chars);
            both += if theirs.kept { chars } else { 0 };
        }
        other += if theirs.kept { chars } else { 0 };
    }
    if kept == 0 {
        return 0.0;
    }
    let agreement = 2.0 * both as f64 / (kept + other) as f64;
    let share = kept as f64 / view.table.chars().max(1) as f64;
    let links = linked as f64 / kept as f64;
    let last = f64::from(u8::from(labels.method == "all-text"));
    let x =
        0.5 + 2.0 * agreement + 0.25 * ((kept as f64).ln() - 7.0) + 0.5 * share - 3.0 * links - 1.0 * last;
    1.0 / (1.0 + (-x).exp())
}
