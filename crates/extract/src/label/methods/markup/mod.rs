//! `markup`: the body that the page itself marks.
//!
//! In the order of trust: `articleBody` of JSON-LD (schema.org), of microdata and of RDFa, then the elements `article`, `main` and
//! `role=main` of HTML, and last the state of the program that draws the page. A body is accepted only if it has [`MIN_CHARS`] characters
//! and at least half as many as `boilerpipe-article` finds, since many pages mark up a teaser. Of several `article` elements the largest
//! must be much longer than the others; otherwise the page is a list of articles. Inside a body `nav`, `aside`, `footer` and the labels
//! of controls are dropped.

mod elements;
mod script;
mod state;

use crate::label::extractor::{Extractor, PageView};
use crate::label::labels::Labels;
use crate::label::methods::boilerpipe_article::BoilerpipeArticle;

/// Minimum number of characters of a body.
const MIN_CHARS: usize = 200;

/// Minimum length of a body, as a share of the characters that `boilerpipe-article` finds.
const MIN_SHARE: f64 = 0.5;

/// The extractor `markup`.
#[derive(Debug)]
pub(crate) struct Markup;

impl Extractor for Markup {
    fn name(&self) -> &'static str {
        "markup"
    }

    fn summary(&self) -> &'static str {
        "the body that the page points out: JSON-LD, microdata, RDFa, article, main"
    }

    fn label(&self, view: &PageView<'_>) -> Labels {
        let article_chars = BoilerpipeArticle.label(view).kept_chars(view.table);
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a share of a number of characters, rounded up"
        )]
        // A body that is much shorter than the text found by another method is a teaser.
        let least = (MIN_SHARE * article_chars as f64).ceil().max(MIN_CHARS as f64) as usize;
        let mut longest = 0;
        for labels in bodies(view) {
            let chars = labels.kept_chars(view.table);
            if chars >= least {
                return labels;
            }
            longest = longest.max(chars);
        }
        let verdicts = elements::MarkupKind::dropped(view.table, "no-markup-to-trust");
        let mut labels = Labels::new(self.name(), verdicts);
        labels.abstained = Some(if longest == 0 {
            "nothing on the page is marked up as its body".to_owned()
        } else {
            format!("what is marked up as body has {longest} characters, {least} are needed")
        });
        labels
    }
}

impl Markup {
    /// Returns the article that only a script of the page contains; `None` if no such article has more than `shown` characters.
    pub(crate) fn body_of_script(&self, view: &PageView<'_>, shown: usize) -> Option<Labels> {
        let least = MIN_CHARS.max(shown + 1);
        if script::most_chars(view) < least {
            return None;
        }
        let labels = script::labels(view, self.name())?;
        (labels.body_chars() >= least).then_some(labels)
    }

    /// Returns the text that the program of the page would draw, if the page does not show it. This search costs more than the other
    /// methods together.
    pub(crate) fn body_of_state(&self, view: &PageView<'_>) -> Option<Labels> {
        let labels = script::state_labels(view, self.name())?;
        (labels.body_chars() >= state::MIN_CHARS).then_some(labels)
    }
}

/// Returns the bodies that each kind of markup marks, most trusted first, computed on demand.
fn bodies<'v>(view: &'v PageView<'v>) -> impl Iterator<Item = Labels> + 'v {
    let marked = elements::MARKUP_KINDS
        .iter()
        .filter_map(|source| source.labels(view, Markup.name()));
    let state = std::iter::once_with(|| script::state_labels(view, Markup.name())).flatten();
    script::labels(view, Markup.name())
        .into_iter()
        .chain(marked)
        .chain(state)
}

#[cfg(test)]
mod tests;
