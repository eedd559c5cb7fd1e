//! Splits readers' comments from the main text.

use std::collections::BTreeSet;

use crate::analysis::blocks::block::Block;
use crate::analysis::metadata::kind::PageKind;
use crate::label::comments::comment::Comment;
use crate::label::comments::found::{self, Found};
use crate::label::comments::names::{has_time, names_guest_book};
use crate::label::comments::notes;
use crate::label::comments::regions::{self, Regions};
use crate::label::comments::thread::Evidence;
use crate::label::extractor::{Focus, PageView};
use crate::label::labels::{Labels, UNLIKELY, Verdict};

/// Maximum words of a line around comments that is dropped with them, such as "37 comments" or "Leave a reply".
const MAX_NOTE: u32 = 8;

/// Minimum number of comments, and of their writers, that structure alone identifies.
const MIN_UNNAMED: usize = 3;

/// Splits readers' comments from the main text, and returns them if `read` is set.
///
/// From the results of the extractor `default` and of templates, comments are dropped unless the page is a thread, whose subject
/// they are. With `leave_out` they are dropped from every result. The reason of their blocks is `comment`. The posts of a thread are
/// kept whole.
pub(crate) fn split_comments(
    view: &PageView<'_>,
    labels: &mut Labels,
    read: bool,
    leave_out: bool,
) -> Option<Vec<Comment>> {
    let drops = leave_out || matches!(labels.method, "default" | "site");
    if drops {
        // Notes of the forum program are dropped first and are no evidence for what follows.
        notes::drop_notes(view, labels);
    }
    let may_be_thread = drops && regions::may_be_thread(view, labels);
    let may_be_named = drops && regions::may_hold(view, labels);
    let may_be_unnamed =
        drops && !(leave_out || may_be_thread || may_be_named) && may_hold_unnamed(view, labels);
    // The cheap tests above found nothing, so the structure of the page is not read.
    if !(read || leave_out || may_be_thread || may_be_named || may_be_unnamed) {
        return None;
    }
    // Without time left, the labels stay as they are.
    if !view.budget.charge("reading comments", view.dom.len()) {
        return read.then(Vec::new);
    }
    let regions = Regions::find(view);
    let is_inside = |i: usize| regions.item_of(view, i).is_some();
    let is_note = |i: usize| regions.is_around(view, i) && view.table.counts()[i].tokens <= MAX_NOTE;
    let mut is_post = false;
    if drops && labels.kept(view.table).any(|(i, _)| is_inside(i)) {
        let evidence = Evidence::of(view, labels, &regions, &is_inside);
        is_post = !evidence.is_thread();
        if is_post {
            drop_blocks(labels, |i| is_inside(i) || is_note(i));
            evidence.keep_body(labels);
        }
    }
    if may_be_unnamed && !is_post {
        drop_unnamed(view, labels, &regions);
    }
    if may_be_thread {
        let parts = found::post_parts(view, &regions);
        for i in parts.beside {
            if labels.verdicts[i].kept {
                labels.verdicts[i] = Verdict::drop("beside-post");
            }
        }
        if !is_post && view.focus != Focus::Precision {
            keep_posts_whole(view, labels, &parts.texts);
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

/// Whether several lines between kept ones may sign comments: short lines with a time, on a page that is not
/// a forum by its title, address or kind.
fn may_hold_unnamed(view: &PageView<'_>, labels: &Labels) -> bool {
    let (mut kept, kept_last) = (
        labels.kept(view.table),
        labels.verdicts.iter().rposition(|v| v.kept),
    );
    let (Some((first, _)), Some(last)) = (kept.next(), kept_last) else {
        return false;
    };
    let lines = view.table.blocks()[first..=last].iter();
    let signatures = lines.filter(|block| is_signature(view, block));
    signatures.take(MIN_UNNAMED).count() == MIN_UNNAMED
        && !view.metadata.kind.is_some_and(PageKind::is_thread)
        && !names_guest_book(view.title.unwrap_or(""), view.url.unwrap_or(""))
}

/// Whether a line may sign a comment: it is short and has a time.
fn is_signature(view: &PageView<'_>, block: &Block) -> bool {
    const MAX_CHARS: u32 = 120;
    block.chars <= MAX_CHARS && block.heading == 0 && !block.hidden && has_time(view.table.text(block))
}

/// Drops comments that are found by structure alone, below a text that is longer than a note. They are signed
/// and dated, with at most three per writer on average, unlike the entries of a live report.
fn drop_unnamed(view: &PageView<'_>, labels: &mut Labels, regions: &Regions) {
    const MIN_TEXT: u32 = 40;
    const MAX_OF_ONE: usize = 3;
    let found = found::find(view, labels, regions);
    // Entries of a diary have the same structure as comments, but mostly one writer.
    let writers: BTreeSet<&str> = found
        .comments
        .iter()
        .filter_map(|comment| comment.author.as_deref())
        .collect();
    let count = found.comments.len();
    if count < MIN_UNNAMED || writers.len() < MIN_UNNAMED || MAX_OF_ONE * writers.len() < count {
        return;
    }
    // Posts of several writers on one page have titles, and the rows of a plan have days without times.
    let headed = found.count_with(view, |block| block.heading > 0);
    let timed = found.count_with(view, |block| is_signature(view, block));
    if 2 * headed > count || 4 * timed < 3 * count {
        return;
    }
    // The first text may be an item like the others, as on the front page of a blog.
    let is_like_others = found.comments.first().is_some_and(|comment| comment.first);
    if is_like_others || announces_answers(view, &found) {
        return;
    }
    let evidence = Evidence::of(view, labels, regions, &|i| found.is_reply(view, i));
    if !evidence.is_thread() && evidence.words() >= MIN_TEXT {
        drop_blocks(labels, |i| found.is_reply(view, i));
    }
}

/// Whether a short line right above the comments calls them answers, as on pages of questions: `Showing replies 1 to 3`.
fn announces_answers(view: &PageView<'_>, found: &Found) -> bool {
    const NEAR: usize = 4;
    const ANSWERS: &[&str] = &[
        "replies",
        "answers",
        "antworten",
        "réponses",
        "respuestas",
        "respostas",
        "risposte",
        "antwoorden",
        "odpowiedzi",
        "ответы",
        "ответов",
        "відповіді",
        "回答",
        "回复",
        "답변",
    ];
    let blocks = view.table.blocks();
    let Some(first) = (0..blocks.len()).find(|&i| found.is_reply(view, i)) else {
        return false;
    };
    blocks[first.saturating_sub(NEAR)..first]
        .iter()
        .filter(|block| !block.hidden && block.words <= MAX_NOTE)
        .any(|block| {
            let text = view.table.text(block).to_lowercase();
            ANSWERS.iter().any(|word| text.contains(word))
        })
}

/// Drops the kept blocks that `is_comment` accepts.
fn drop_blocks(labels: &mut Labels, is_comment: impl Fn(usize) -> bool) {
    for (i, verdict) in labels.verdicts.iter_mut().enumerate().filter(|(_, v)| v.kept) {
        if is_comment(i) {
            *verdict = Verdict::drop("comment");
        }
    }
}

/// Keeps the posts of a thread whole: lines that are not much less likely than kept lines, in posts that are likely on average.
///
/// A thread whose posts are mostly dropped is left as it is: its posts belong to a box beside the text. Lines below `MIN_CHANCE` are
/// mostly signatures, notes of changes and the names of quoted writers. On labelled threads F1 rises from .937 to .946 (docs/train.md).
fn keep_posts_whole(view: &PageView<'_>, labels: &mut Labels, texts: &[Vec<usize>]) {
    const MIN_KEPT: f64 = 0.2;
    const MIN_MEAN: f64 = 0.3;
    const MIN_CHANCE: f32 = 0.3;
    // Single lines can be weighed only if the method computes chances.
    let Some(chances) = &labels.chances else { return };
    let counts = view.table.counts();
    let verdicts = &mut labels.verdicts;
    let tokens = |lines: &mut dyn Iterator<Item = usize>| -> u32 { lines.map(|i| counts[i].tokens).sum() };
    let all = tokens(&mut texts.iter().flatten().copied());
    let kept = tokens(&mut texts.iter().flatten().copied().filter(|&i| verdicts[i].kept));
    if f64::from(kept) < MIN_KEPT * f64::from(all) {
        return;
    }
    for text in texts {
        // Lines that a rule is about are decided by that rule.
        let is_open = |i: &usize| verdicts[*i].kept || verdicts[*i].reason == UNLIKELY;
        let lines: Vec<usize> = text.iter().copied().filter(is_open).collect();
        let expected: f64 = lines
            .iter()
            .map(|&i| f64::from(counts[i].tokens) * f64::from(chances[i]))
            .sum();
        if expected < MIN_MEAN * f64::from(tokens(&mut lines.iter().copied())) {
            continue;
        }
        for i in lines {
            if !verdicts[i].kept
                && chances[i] >= MIN_CHANCE
                && !is_label(view.table.text(&view.table.blocks()[i]))
            {
                verdicts[i] = Verdict::keep("text-of-post");
            }
        }
    }
}

/// Whether a line is not text of its own: a rule of dashes, or a short line before a quotation, such as
/// "Quote:" or "Ann wrote:".
fn is_label(text: &str) -> bool {
    const MAX_CHARS: usize = 60;
    let text = text.trim_end();
    !text.contains(char::is_alphanumeric) || text.ends_with([':', '：']) && text.len() <= MAX_CHARS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::inspect;
    use crate::{Options, Page};

    /// The texts that are kept of a thread of three posts, whose lines have these chances. The first post ends with a quotation and the
    /// rest of it.
    fn kept(tag: &str, name: &str, body: &str, chances: &[(&str, f32)]) -> Vec<String> {
        let post = |i: usize, who: &str, text: &str| {
            format!(
                "<{tag} class='{name}' id='{name}-{i}'><div class=username><a href=/members/{who}>{who}</a></div>\
                 <time datetime=2014-03-0{i}T10:00>March {i}, 2014</time><div class='{body}'>{text}</div></{tag}>"
            )
        };
        let posts = [
            post(
                1,
                "Vera",
                "<p>How do I dry a cellar after the river was in it for a whole week?</p><p>Thanks!</p>",
            ),
            post(
                2,
                "Ivan",
                "<blockquote>The walls are made of stone, says the owner of it.</blockquote><p>Ivan wrote:</p><p>Open all windows, and do not heat it before June.</p><p>Good luck.</p>",
            ),
            post(
                3,
                "Olga",
                "<p>We rented a machine for it, which took a day for every room.</p><p>It was loud.</p>",
            ),
        ];
        let html = format!(
            "<script type=application/ld+json>{{\"@type\":\"DiscussionForumPosting\",\"headline\":\"Wet cellar\"}}</script>\
             <title>Wet cellar</title><body><h1>Wet cellar</h1><div class=thread>{}</div>",
            posts.join("")
        );
        inspect(&Page::decoded(&html), &Options::default(), |view| {
            let texts: Vec<&str> = view.table.blocks().iter().map(|b| view.table.text(b)).collect();
            let chance = |text: &&str| {
                let found = chances.iter().find(|(start, _)| text.starts_with(start));
                found.map_or(0.01, |found| found.1)
            };
            let chances: Vec<f32> = texts.iter().map(chance).collect();
            let verdict = |&chance: &f32| match chance {
                0.5.. => Verdict::keep("likely-main-text"),
                _ => Verdict::drop(UNLIKELY),
            };
            let mut labels = Labels::new("default", chances.iter().map(verdict).collect());
            labels.chances = Some(chances);
            split_comments(view, &mut labels, false, false);
            let texts = texts.iter().zip(&labels.verdicts);
            texts
                .filter(|(_, verdict)| verdict.kept)
                .map(|(text, _)| (*text).to_owned())
                .collect()
        })
    }

    #[test]
    fn posts_of_a_thread_are_kept_whole() {
        for (tag, name, body) in [
            ("div", "post", "body"),
            ("li", "message", "content"),
            ("article", "reply", "text"),
        ] {
            let chances = [
                ("How do I", 0.9),
                ("Thanks", 0.35),
                ("The walls", 0.4),
                ("Ivan wrote", 0.4),
                ("Open all", 0.45),
                ("Good luck", 0.31),
                ("We rented", 0.45),
                ("It was", 0.2),
            ];
            let want = [
                "How do I dry a cellar after the river was in it for a whole week?",
                "Thanks!",
                "Open all windows, and do not heat it before June.",
                "Good luck.",
                "We rented a machine for it, which took a day for every room.",
            ];
            assert_eq!(kept(tag, name, body, &chances), want, "{name}");
            // A box of posts beside a text: next to none of it is kept.
            let chances = [("Thanks", 0.9), ("Open all", 0.45), ("We rented", 0.45)];
            assert_eq!(kept(tag, name, body, &chances), ["Thanks!"], "{name}");
            // A post that is unlikely on average.
            let chances = [
                ("How do I", 0.9),
                ("Open all", 0.1),
                ("Good luck", 0.4),
                ("We rented", 0.45),
                ("It was", 0.45),
            ];
            let want = [
                "How do I dry a cellar after the river was in it for a whole week?",
                "We rented a machine for it, which took a day for every room.",
                "It was loud.",
            ];
            assert_eq!(kept(tag, name, body, &chances), want, "{name}");
        }
    }
}
