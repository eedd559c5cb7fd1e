//! Splits readers' comments from the main text.

use crate::label::comments::comment::Comment;
use crate::label::comments::found;
use crate::label::comments::regions::{self, Regions};
use crate::label::comments::thread::Evidence;
use crate::label::extractor::PageView;
use crate::label::labels::{Labels, Verdict};

/// Maximum words of a line around comments that is dropped with them, such as "37 comments" or "Leave a reply".
const MAX_NOTE: u32 = 8;

/// Splits readers' comments from the main text, and returns them if `read` is set.
///
/// From the results of the extractor `default` and of templates, comments are dropped unless the page is a thread, whose subject
/// they are. With `leave_out` they are dropped from every result. The reason of their blocks is `comment`.
pub(crate) fn split_comments(
    view: &PageView<'_>,
    labels: &mut Labels,
    read: bool,
    leave_out: bool,
) -> Option<Vec<Comment>> {
    let drops = leave_out || matches!(labels.method, "default" | "site");
    let may_be_thread = drops && regions::may_be_thread(view, labels);
    if !(read || leave_out || may_be_thread || drops && regions::may_hold(view, labels)) {
        return None;
    }
    if !view.budget.charge("reading comments", view.dom.len()) {
        return read.then(Vec::new);
    }
    let regions = Regions::find(view);
    let is_inside = |i: usize| regions.item_of(view, i).is_some();
    let is_note = |i: usize| regions.is_around(view, i) && view.table.counts()[i].tokens <= MAX_NOTE;
    if drops && labels.kept(view.table).any(|(i, _)| is_inside(i)) {
        let evidence = Evidence::of(view, labels, &regions, &is_inside);
        if !evidence.is_thread() {
            drop_blocks(labels, |i| is_inside(i) || is_note(i));
            evidence.keep_body(labels);
        }
    }
    if may_be_thread {
        for i in found::beside_texts(view, &regions) {
            if labels.verdicts[i].kept {
                labels.verdicts[i] = Verdict::drop("beside-post");
            }
        }
    }
    if !read && !leave_out {
        return None;
    }
    let found = found::find(view, labels, &regions);
    if leave_out {
        drop_blocks(labels, |i| found.is_reply(view, i) || is_note(i));
    }
    read.then_some(found.comments)
}

fn drop_blocks(labels: &mut Labels, is_comment: impl Fn(usize) -> bool) {
    for (i, verdict) in labels.verdicts.iter_mut().enumerate().filter(|(_, v)| v.kept) {
        if is_comment(i) {
            *verdict = Verdict::drop("comment");
        }
    }
}
