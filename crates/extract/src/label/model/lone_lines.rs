//! Lines at the end of a text that announce something which is not kept: the heading above related pages, or "See also:".

use std::ops::Range;

use crate::label::classes::phrases;
use crate::label::extractor::PageView;

/// Reason given for lines that are dropped.
pub(crate) const REASON: &str = "announces-nothing";

/// Most headings in a row that are dropped; more of them are a list.
const MAX_HEADINGS: usize = 2;

/// Longest announcement, in characters.
const MAX_CHARS: u32 = 160;

/// Longest line that is no heading, in characters: `Related:`, `Czytaj również`.
const MAX_LABEL: u32 = 60;

/// Most words of a phrase such as "Read also" that has no colon behind it.
const MAX_PHRASE: u32 = 3;

/// Most words of a heading before an image that announces other pages.
const MAX_HEADING: u32 = 8;

/// Finds the last kept lines if these are only an announcement of what is not kept. `lines` holds the blocks of each line.
///
/// A line before an image or a player is not counted as one, since the form of the output decides whether these are shown.
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
        // The image belongs to the first of the other pages.
        let words = text.split_whitespace().count() as u32;
        return first.heading > 1
            && words <= MAX_HEADING
            && phrases::announces_related(&text.to_lowercase(), words);
    }
    if first.heading > 1 {
        // A heading that is a sentence may be the last word of the text.
        return !text.ends_with(['.', '!', '。', '！']) || text.ends_with("..");
    }
    let words = text.split_whitespace().count() as u32;
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
