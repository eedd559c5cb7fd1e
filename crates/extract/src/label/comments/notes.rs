//! Lines of forum pages that no member wrote as a text: notes about changes, readers and thanks, columns about members, signatures below
//! a rule, and the subject repeated above each answer.
//!
//! With several posts, their common structure shows the text of each post (`body`). A topic of one or two
//! posts has too little to compare, so the names and phrases of the usual forum programs decide there.

use crate::analysis::blocks::block::Block;
use crate::label::comments::names::{NameClass, is_forum_note, names_beside_post};
use crate::label::comments::regions::any_around_kept;
use crate::label::extractor::PageView;
use crate::label::labels::{Labels, Verdict};

/// Maximum words of a line that may be a note, and of a line of a column about a member.
const MAX_NOTE: u32 = 40;
const MAX_LINE: u32 = 12;
/// Maximum words of a signature below a rule.
const MAX_SIGNATURE: u32 = 60;
/// Number of elements around a line whose names are read.
const LEVELS: usize = 6;
/// Minimum length of a rule of dashes or underscores.
const MIN_RULE: usize = 5;

/// Drops the notes of a forum page. Other pages stay as they are.
pub(crate) fn drop_notes(view: &PageView<'_>, labels: &mut Labels) {
    if !is_forum_page(view, labels) {
        return;
    }
    let beside: Vec<bool> = view.table.all_names().map(names_beside_post).collect();
    let contexts = view.table.contexts();
    let is_beside = |block: &Block| {
        let mut around = std::iter::successors(contexts.get(block.context as usize), |context| {
            contexts.get(context.parent? as usize)
        });
        around
            .by_ref()
            .take(LEVELS)
            .any(|context| beside[context.names()])
    };
    let titles = [view.title, view.metadata.title.as_deref()].map(Option::unwrap_or_default);
    let titles = titles.join("\n").to_lowercase();
    let (blocks, counts) = (view.table.blocks(), view.table.counts());
    // The element whose first line is a rule: what follows in it is a signature.
    let mut below_rule = None;
    for (i, block) in blocks.iter().enumerate() {
        let words = counts[i].tokens;
        let text = view.table.text(block);
        let is_rule = is_rule(text);
        // A rule counts only as the first line of its element: inside a text, it separates parts.
        if is_rule && (i == 0 || blocks[i - 1].context != block.context) {
            below_rule = Some(block.context);
        }
        if !labels.verdicts[i].kept || block.heading == 1 {
            continue;
        }
        let is_signature = below_rule == Some(block.context) && words <= MAX_SIGNATURE;
        let is_note = || words <= MAX_NOTE && is_forum_note(text, &titles);
        if is_signature || words <= MAX_LINE && is_beside(block) || is_note() {
            labels.verdicts[i] = Verdict::drop("beside-post");
        }
    }
}

/// Whether an element around a kept block is named as a post or a part of a forum.
fn is_forum_page(view: &PageView<'_>, labels: &Labels) -> bool {
    let traits = view.name_traits();
    any_around_kept(view, labels, |context| {
        traits[context.names()].may_be_post
            && view.table.names(context).split_ascii_whitespace().any(|name| {
                let class = NameClass::of(name);
                class.is_post() || class.is_forum()
            })
    })
}

/// Whether a line is a rule of dashes or underscores.
fn is_rule(text: &str) -> bool {
    let text = text.trim();
    text.len() >= MIN_RULE && text.bytes().all(|byte| matches!(byte, b'_' | b'-'))
}

#[cfg(test)]
mod tests {
    use crate::{Options, Page, extract};

    const ASKED: &str = "Has anybody here replaced the belt of the old pump in the cellar? Mine began to squeal last week, and now it \
        stops after ten minutes, while the motor runs well without the belt.";
    const ASKED_RU: &str = "Кто-нибудь менял ремень на старом насосе в подвале? Мой на прошлой неделе начал свистеть, а теперь \
        останавливается через десять минут, хотя мотор без ремня работает.";

    /// The first words of a text.
    fn start(text: &str) -> &str {
        let end = text.match_indices(' ').nth(3).map_or(text.len(), |(end, _)| end);
        &text[..end]
    }

    /// The text of a page with one post.
    fn text(title: &str, body: &str) -> String {
        let page =
            format!("<title>{title} - Board</title><body><div class=top><a href=/>Board</a></div>{body}");
        extract(&Page::decoded(&page), &Options::default()).text
    }

    #[test]
    fn notes_of_a_topic_of_one_post_go() {
        for (title, post, note) in [
            (
                "Pump",
                ASKED,
                "Last edited by Mortimer on 12 May 2019, 10:44; edited 2 times in total.",
            ),
            (
                "Насос",
                ASKED_RU,
                "Последний раз редактировалось Матвей 12 май 2019, 10:44, всего редактировалось 2 раза.",
            ),
            ("Pump", ASKED, "0 Members and 1 Guest are viewing this topic."),
            (
                "Насос",
                ASKED_RU,
                "0 Пользователей и 1 Гость просматривают эту тему.",
            ),
            (
                "Pump",
                ASKED,
                "The following users thank Mortimer for this post: Anneke, gardenfox",
            ),
            (
                "Насос",
                ASKED_RU,
                "За это сообщение автора поблагодарили: Аннушка, lisica",
            ),
        ] {
            for (before, between, after) in [
                (
                    "<div class='post bg2'><h3>S</h3><div class=content>",
                    "</div><div class=notice>",
                    "</div></div>",
                ),
                (
                    "<div id=forumposts><div class=windowbg><div class=inner>",
                    "</div><p>",
                    "</p></div></div>",
                ),
                (
                    "<article class=message><div class=message-body>",
                    "</div><div class=extra>",
                    "</div></article>",
                ),
            ] {
                let got = text(title, &format!("{before}{post}{between}{note}{after}"));
                assert!(got.contains(start(post)), "{before} {got}");
                assert!(!got.contains(start(note)), "{before} {got}");
            }
        }
    }

    #[test]
    fn columns_about_the_member_and_signatures_go() {
        let sign = "Measure twice, cut once, and keep the cellar dry in spring and autumn.";
        for (before, after) in [
            (
                "<div class=post><dl class=postprofile><dt>Mortimer<dd>Newcomer<dd>Posts: 12</dl><div class=content>",
                format!("</div><div>__________________<br>{sign}</div></div>"),
            ),
            (
                "<div class=topic><div class=poster><ul class=user_info><li>Full member<li>Posts: 12</ul></div><div class=inner>",
                format!("</div><div class=low>--------<br>{sign}</div></div>"),
            ),
            (
                "<article class=message><section class=message-user><dl><dt>Posts: 12</dt><dd>Newcomer</dd></dl></section><div class=body>",
                format!("</div><div class=line>_____<br>{sign}</div></article>"),
            ),
        ] {
            let got = text("Pump", &format!("{before}{ASKED}{after}"));
            assert!(got.contains(start(ASKED)), "{before} {got}");
            assert!(
                !got.contains("Posts: 12") && !got.contains("Measure"),
                "{before} {got}"
            );
        }
    }

    /// Lines of a forum in a text that is not a post.
    #[test]
    fn other_pages_stay() {
        let note = "Last edited by Mortimer on 12 May 2019, 10:44";
        let body = format!(
            "<main><p>{ASKED}</p><p>{ASKED} {ASKED}</p><p>{note}, says the wiki of the village about its oldest page.</p></main>"
        );
        assert!(text("Pump", &body).contains(note));
    }
}
