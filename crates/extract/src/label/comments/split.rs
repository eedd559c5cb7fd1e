//! Splits readers' comments from the main text.

use crate::label::comments::comment::Comment;
use crate::label::comments::item;
use crate::label::comments::regions::{self, Regions};
use crate::label::comments::thread::Evidence;
use crate::label::extractor::PageView;
use crate::label::labels::{Labels, Verdict};

/// Most words of a line around comments that goes with them, such as "37 comments" or "Leave a reply".
const MAX_NOTE: u32 = 8;

/// Splits readers' comments from the main text, and returns them if `read` is set.
///
/// From the answers of the extractor `default` and of templates, comments are dropped unless the page is a thread, which is about them; with
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
    let is_inside = |i: usize| regions.item_of(view, i).is_some();
    if drops && labels.kept(view.table).any(|(i, _)| is_inside(i)) {
        let evidence = Evidence::of(view, labels, &regions);
        let is_thread = evidence.is_thread();
        if leave_out || !is_thread {
            for (i, verdict) in labels.verdicts.iter_mut().enumerate().filter(|(_, v)| v.kept) {
                let is_note = || regions.is_around(view, i) && view.table.counts()[i].tokens <= MAX_NOTE;
                if is_inside(i) || is_note() {
                    *verdict = Verdict::drop("comment");
                }
            }
            if !is_thread {
                evidence.keep_body(labels);
            }
        }
    }
    read.then(|| item::read(view, &regions))
}
