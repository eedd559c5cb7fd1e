//! Readers' comments, and the replies of forums: who wrote what, and when.
//!
//! Where a page marks its comments up as such (schema.org), or names the elements that hold them as pages name them, they are
//! told from the main text: they come in a field of their own, and stand in the text only where they are what the page is
//! about, as in the thread of a forum.

mod item;
mod names;
mod regions;

use serde::Serialize;

use crate::analysis::metadata::PageKind;
use crate::label::extractor::PageView;
use crate::label::labels::{Labels, Verdict};
use regions::Regions;

/// What one reader wrote.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Comment {
    /// Name of the writer, if the page marks it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// Day of writing as `YYYY-MM-DD`, if the page marks it so that it can be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// Comments that this one stands in: 0 for those that answer the page itself.
    #[serde(skip_serializing_if = "is_zero")]
    pub depth: usize,
    /// Its text, one line a paragraph.
    pub text: String,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over references")]
fn is_zero(value: &usize) -> bool {
    *value == 0
}

/// Share of the kept characters, in comments and in elements named as those of forums, from which a page is about them.
const SUBJECT: f64 = 0.4;

/// Splits readers' comments from the main text, and reads them if they are `wanted`.
///
/// The extractor `default` and templates lose comments below a text of another kind; with `leave_out` every extractor loses
/// those of every page. The reason of their blocks is `comment`.
pub(crate) fn split_comments(
    view: &PageView<'_>,
    labels: &mut Labels,
    wanted: bool,
    leave_out: bool,
) -> Option<Vec<Comment>> {
    let takes_out = leave_out || matches!(labels.method, "default" | "site");
    let may_matter = wanted || takes_out && regions::may_hold(view, labels);
    if !may_matter {
        return None;
    }
    let regions = Regions::find(view);
    let (mut inside, mut all, mut thread) = (0, 0, 0);
    for (i, block) in labels.kept(view.table) {
        all += block.chars;
        if regions.item_of(view, i).is_some() {
            inside += block.chars;
        } else if regions.in_thread(view, i) {
            thread += block.chars;
        }
    }
    let declared = matches!(view.metadata.kind, Some(PageKind::Forum | PageKind::Question));
    let subject = declared || f64::from(inside + thread) >= SUBJECT * f64::from(all);
    if takes_out && inside > 0 && (leave_out || !subject) {
        for (i, verdict) in labels.verdicts.iter_mut().enumerate().filter(|(_, v)| v.kept) {
            if regions.item_of(view, i).is_some() {
                *verdict = Verdict::drop("comment");
            }
        }
    }
    wanted.then(|| item::read(view, &regions))
}

#[cfg(test)]
mod tests;
