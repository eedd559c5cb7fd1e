//! Pages that show their text only to clients without scripts.
//!
//! Many forums send an empty shell to browsers that run scripts, and put the whole page into `noscript`. A
//! tree built with scripting on holds the content of `noscript` as one text. If that text is more than
//! twice as long as everything the shell shows, the page is parsed again with scripting off.

use crate::analysis::blocks::elements::is_skipped;
use crate::analysis::shadow::attach_shadow_roots;
use crate::analysis::streamed::place_streamed_parts;
use crate::analysis::table_parts::mark_table_parts;
use dehusk_html::Warning;
use dehusk_html::budget::Budget;
use dehusk_html::parser::Parser;
use dehusk_html::tree::{Dom, Tag, TreeBuffers};

/// Minimum number of bytes of `noscript` content that matter; less is a hint that the site needs scripts, or an image.
const MIN_NOSCRIPT_BYTES: usize = 512;

/// Smallest ratio of the text inside `noscript` to the other visible text.
const MIN_RATIO: usize = 2;

/// Parses the page again without scripting, if `shell` shows very little; `None` otherwise.
///
/// Each `noscript` outside of `head` becomes a `div`. Lengths are compared in bytes without white space.
pub(crate) fn parse_without_scripts<'s>(
    parser: &Parser,
    shell: &Dom<'s>,
    budget: &Budget,
) -> Option<(Dom<'s>, Vec<Warning>)> {
    if !is_shell(shell) {
        return None;
    }
    let parser = parser.clone().with_scripting(false);
    let (mut dom, limits_hit) = parser.parse_until(shell.source(), budget);
    for id in dom.tree().ids() {
        let parent = dom.parent(id).and_then(|parent| dom.html_tag(parent));
        if dom.tag(id) == Some(Tag::NOSCRIPT) && parent != Some(Tag::HEAD) {
            dom.tree_mut().set_tag(id, Tag::DIV);
        }
    }
    Some((dom, limits_hit))
}

/// Whether a page shows far less text than its `noscript` elements hold.
fn is_shell(dom: &Dom<'_>) -> bool {
    if dom.noscript_bytes() < MIN_NOSCRIPT_BYTES {
        return false;
    }
    let tree = dom.tree();
    let contents = || {
        tree.ids_of(Tag::NOSCRIPT)
            .filter_map(|id| tree.first_child(id))
            .map(|id| dom.raw_text(id))
    };
    if contents().map(str::len).sum::<usize>() < MIN_NOSCRIPT_BYTES {
        return false;
    }
    // Without tags: a tracking image has long markup and no text.
    let inside: usize = contents().map(solid_bytes_outside_tags).sum();
    let texts = tree.ids().filter(|&id| tree.is_text(id));
    let shown = texts.filter(|&id| {
        tree.parent(id)
            .is_some_and(|parent| !tree.tag(parent).is_some_and(is_skipped))
    });
    // Most pages show enough text at their start for this loop to end early.
    let mut sum = 0;
    shown.map(|id| solid_bytes(dom.raw_text(id))).all(|shown| {
        sum += shown;
        inside > MIN_RATIO * sum
    })
}

/// Number of bytes that are not white space.
fn solid_bytes(text: &str) -> usize {
    text.bytes().filter(|&b| b > b' ').count()
}

/// Number of bytes that are neither white space nor part of a tag.
fn solid_bytes_outside_tags(markup: &str) -> usize {
    let parts = markup.split('<').enumerate();
    let texts = parts.map(|(i, part)| match i {
        0 => part,
        _ => part.split_once('>').map_or("", |(_, text)| text),
    });
    texts.map(solid_bytes).sum()
}

/// Parses a page as its readers see it.
///
/// Scripting is on, unless the result shows very little and `noscript` holds the text. The tree reuses the
/// memory of `buffers`, except when the page is parsed twice. Streamed parts are put in their places,
/// declarative shadow roots are attached, and tables made of elements other than those of HTML tables are
/// marked.
pub(crate) fn parse_visible<'s>(
    parser: &Parser,
    source: &'s str,
    budget: &Budget,
    buffers: TreeBuffers,
) -> (Dom<'s>, Vec<Warning>) {
    let (dom, limits_hit) = parser.parse_with_buffers(buffers, source, budget);
    let (mut dom, limits_hit) = parse_without_scripts(parser, &dom, budget).unwrap_or((dom, limits_hit));
    place_streamed_parts(&mut dom);
    attach_shadow_roots(&mut dom);
    mark_table_parts(&mut dom);
    (dom, limits_hit)
}

#[cfg(test)]
mod tests {
    use crate::{Options, Page, extract};

    fn text(html: &str) -> String {
        extract(&Page::decoded(html), &Options::default()).text
    }

    #[test]
    fn text_for_readers_without_scripts_counts_where_next_to_nothing_else_is_there() {
        let night = |i| {
            format!(
                "<p>On night {i} the weir was closed, and nobody in the town knew why it had been so.</p>"
            )
        };
        let post: String = (1..=12).map(night).collect();
        let page = |shown: &str| format!("<body><div id=app>{shown}</div><noscript>{post}</noscript>");
        let nights = |html: &str| text(html).matches("nobody in the town").count();
        assert_eq!(nights(&page("Loading")), 12);
        assert_eq!(nights(&page(&post)), 12, "the copy in noscript stays closed");
    }

    #[test]
    fn notes_about_scripts_stay_closed() {
        let html =
            "<p>The weir was closed in the night.</p><noscript><p>Please switch scripts on.</p></noscript>";
        assert!(!text(html).contains("switch"));
    }
}
