//! Lines at the end of a text that announce something which is not kept: the heading above related pages, or
//! "See also:". Without this step, "Read also" is the last line on 51 of 1,417 development pages.

use std::ops::Range;

use crate::analysis::blocks::block::Block;
use crate::label::classes::phrases;
use crate::label::extractor::PageView;
use dehusk_html::narrow;
use dehusk_html::tree::Tag;

/// Reason given for lines that are dropped.
pub(crate) const REASON: &str = "announces-nothing";

/// Maximum number of headings in a row that are dropped. More of them are a list.
const MAX_HEADINGS: usize = 2;

/// Maximum length of an announcement, in characters.
const MAX_CHARS: u32 = 160;

/// Maximum length of an announcement that is not a heading, in characters: `Related:`, `Czytaj również`.
const MAX_LABEL: u32 = 60;

/// Maximum number of words of a phrase such as "Read also" without a colon at its end.
const MAX_PHRASE: u32 = 3;

/// Maximum number of words of a heading before an image that announces other pages.
const MAX_HEADING: u32 = 8;

/// Finds the last kept lines if they only announce lines that are not kept. `lines` holds the blocks of each
/// line. Returns nothing if all kept lines, or more than [`MAX_HEADINGS`] at the end, are announcements.
///
/// A line before an image or a player counts only if its words announce other pages, since the form of the
/// output decides whether images are shown.
pub(crate) fn lone_lines(view: &PageView<'_>, lines: &[Range<usize>], kept: &[bool]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut end = kept.len();
    while let Some(last) = kept[..end].iter().rposition(|kept| *kept) {
        if found.len() > MAX_HEADINGS {
            return Vec::new();
        }
        if !announces(view, &lines[last]) {
            return found;
        }
        found.push(last);
        end = last;
    }
    // Nothing else is kept.
    Vec::new()
}

/// Finds kept headings below which the page has only a list of choices, none of them kept: headings of the
/// filters of a shop, or of other subjects. A heading with an image below it, and a linked heading, may stand
/// for itself.
///
/// `lines` holds the blocks of each line. Linear in the lines: the end of a section is known from the headings after it.
pub(crate) fn empty_headings(view: &PageView<'_>, lines: &[Range<usize>], kept: &[bool]) -> Vec<usize> {
    const MIN_CHOICES: u32 = 2;
    const LEVELS: usize = 7;
    let (blocks, media) = (view.table.blocks(), view.table.media());
    let mut found = Vec::new();
    // `next`: per level, the next heading below the current line. `after`: per line, the counts from this
    // line to the end of the page.
    let mut next = [lines.len(); LEVELS];
    let mut after = vec![Section::default(); lines.len() + 1];
    for (i, line) in lines.iter().enumerate().rev() {
        let level = usize::from(blocks[line.start].heading);
        let mut stays = kept[i];
        if level > 0 {
            // The section ends at the nearest heading of the same or a higher level.
            let end = next[..=level].iter().copied().min().unwrap_or(lines.len());
            let section = after[i + 1].before(after[end]);
            let is_empty =
                section.kept == 0 && section.choices >= MIN_CHOICES && 2 * section.choices >= section.dropped;
            if level > 1 && stays && is_empty && is_plain_heading(view, line) {
                let last = lines.get(end).map_or(blocks.len(), |line| line.start);
                let from = media.partition_point(|media| (media.before as usize) < line.end);
                let mut shown = media[from..]
                    .iter()
                    .take_while(|media| media.before as usize <= last);
                if shown.all(|media| media.hidden) {
                    found.push(i);
                    // Headings above do not count this line as kept.
                    stays = false;
                }
            }
            next[level] = i;
        }
        let dropped = !stays && !blocks[line.start].hidden;
        let mut sums = after[i + 1];
        sums.kept += u32::from(stays);
        sums.dropped += u32::from(dropped);
        sums.choices += u32::from(dropped && is_choice(view, line));
        after[i] = sums;
    }
    found
}

/// Counts of lines, from one line to the end of the page or of a section.
#[derive(Clone, Copy, Default)]
struct Section {
    kept: u32,
    /// Lines that are shown and not kept. `choices`: the lines among them that are choices.
    dropped: u32,
    choices: u32,
}

impl Section {
    /// Subtracts the counts of `behind`, which are the last of these lines.
    fn before(self, behind: Section) -> Section {
        Section {
            kept: self.kept - behind.kept,
            dropped: self.dropped - behind.dropped,
            choices: self.choices - behind.choices,
        }
    }
}

/// Whether a line is a link, a label of a field or an item, and short.
fn is_choice(view: &PageView<'_>, line: &Range<usize>) -> bool {
    const MAX_WORDS: u32 = 6;
    let blocks = &view.table.blocks()[line.clone()];
    let sum = |of: fn(&Block) -> u32| blocks.iter().map(of).sum::<u32>();
    let tag = blocks.first().and_then(|block| view.dom.html_tag(block.element));
    sum(|block| block.words) <= MAX_WORDS
        && (2 * sum(|block| block.link_chars) > sum(|block| block.chars)
            || blocks.iter().any(|block| block.lists > 0)
            || matches!(tag, Some(Tag::LABEL | Tag::BUTTON | Tag::LEGEND)))
}

/// Whether a heading is a few words, and neither a link nor a sentence.
fn is_plain_heading(view: &PageView<'_>, line: &Range<usize>) -> bool {
    const MAX_WORDS: u32 = 4;
    let blocks = &view.table.blocks()[line.clone()];
    let words: u32 = blocks.iter().map(|block| block.words).sum();
    words <= MAX_WORDS
        && blocks.iter().all(|block| block.link_words == 0)
        && blocks.last().is_some_and(|block| {
            !view
                .table
                .text(block)
                .trim_end()
                .ends_with(['.', '!', '?', '。', '！', '？'])
        })
}

/// Returns whether a line announces something that would follow it: a heading below the first level, a label
/// that ends with a colon, or a phrase such as "Read also".
fn announces(view: &PageView<'_>, line: &Range<usize>) -> bool {
    let blocks = &view.table.blocks()[line.clone()];
    let Some(first) = blocks.first() else {
        return false;
    };
    let chars: u32 = blocks.iter().map(|block| block.chars).sum();
    let precedes_media = || {
        let media = view.table.media();
        let after = media.partition_point(|media| (media.before as usize) < line.end);
        media[after..]
            .iter()
            .take_while(|media| media.before as usize == line.end)
            .any(|media| !media.hidden)
    };
    if first.heading == 1 || chars > MAX_CHARS {
        return false;
    }
    let texts: Vec<&str> = blocks.iter().map(|block| view.table.text(block)).collect();
    let text = texts.join(" ");
    let text = text.trim_end();
    if precedes_media() {
        // The image may belong to the first of the announced pages.
        let words = narrow::to_u32(text.split_whitespace().count());
        return first.heading > 1
            && words <= MAX_HEADING
            && phrases::announces_related(&text.to_lowercase(), words);
    }
    if first.heading > 1 {
        // A heading that is a sentence may be the last word of the text.
        return !text.ends_with(['.', '!', '。', '！']) || text.ends_with("..");
    }
    let words = narrow::to_u32(text.split_whitespace().count());
    chars <= MAX_LABEL
        && (text.ends_with([':', '：'])
            || words <= MAX_PHRASE && phrases::announces_related(&text.to_lowercase(), words))
}

#[cfg(test)]
mod tests {
    use crate::{Options, Page, extract};

    const STORY: &str = "<p>The river rose in the night and by noon it had left its bed, so that the mill stood in the water.</p>\
        <p>By the evening the road was open again, and the miller carried his books back into the house by the weir.</p>";

    fn text(end: &str) -> String {
        let cards = "<div class=cards><a href=/a>Bridge closed</a><a href=/b>Apples are dearer</a><a href=/c>Old maps shown</a></div>";
        let page = format!(
            "<title>The river</title><article><h1>The river</h1>{STORY}{STORY}{end}</article>{cards}<footer>© Town News</footer>"
        );
        extract(&Page::decoded(&page), &Options::default()).text
    }

    #[test]
    fn announcements_of_nothing_go() {
        for end in [
            "<h2>Czytaj również</h2>",
            "<h3>What readers say</h3>",
            "<h2>More</h2><h2>Comments</h2>",
            "<p>See also:</p>",
        ] {
            let text = text(end);
            assert!(text.trim_end().ends_with("by the weir."), "{end}: {text}");
        }
    }

    #[test]
    fn last_words_and_titles_of_images_stay() {
        for (end, last) in [
            ("<h2>And so the mill still stands.</h2>", "still stands."),
            (
                "<h2>The mill</h2><p>It was built in 1840, and it has not been changed since, says the miller.</p>",
                "says the miller.",
            ),
            (
                "<h2>The mill in the water</h2><img src=/mill.jpg>",
                "The mill in the water",
            ),
        ] {
            let text = text(end);
            assert!(text.trim_end().ends_with(last), "{end}: {text}");
        }
    }
}
