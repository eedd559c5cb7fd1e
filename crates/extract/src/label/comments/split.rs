//! Splits readers' comments from the main text.

use crate::analysis::metadata::kind::PageKind;
use crate::label::comments::comment::Comment;
use crate::label::comments::item;
use crate::label::comments::regions::{self, Regions};
use crate::label::extractor::PageView;
use crate::label::labels::{Labels, Verdict};

/// Share of the kept characters in comments and in elements of forums from which these are the subject of the page.
const SUBJECT: f64 = 0.4;

/// Splits readers' comments from the main text, and returns them if `read` is set.
///
/// From the answers of the extractor `default` and of templates, comments are dropped unless they are the subject of the page; with
/// `leave_out` they are dropped from every answer. The reason of their blocks is `comment`.
pub(crate) fn split_comments(
    view: &PageView<'_>,
    labels: &mut Labels,
    read: bool,
    leave_out: bool,
) -> Option<Vec<Comment>> {
    let drops = leave_out || matches!(labels.method, "default" | "site");
    if !(read || drops && regions::may_hold(view, labels)) {
        return None;
    }
    if !view.budget.charge("reading comments", view.dom.len()) {
        return read.then(Vec::new);
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
    let declared = matches!(
        view.metadata.stated.kind,
        Some(PageKind::Forum | PageKind::Question)
    );
    let subject = declared || f64::from(inside + thread) >= SUBJECT * f64::from(all);
    if drops && inside > 0 && (leave_out || !subject) {
        for (i, verdict) in labels.verdicts.iter_mut().enumerate().filter(|(_, v)| v.kept) {
            if regions.item_of(view, i).is_some() {
                *verdict = Verdict::drop("comment");
            }
        }
    }
    read.then(|| item::read(view, &regions))
}
