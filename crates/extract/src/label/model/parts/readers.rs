//! Readers' comments without a name, below a heading that counts or announces them.

use std::collections::BTreeMap;

use super::related::SHORT_TEXT;
use super::{COMMENTS, Page};
use crate::analysis::metadata::date;
use crate::analysis::metadata::kind::PageKind;
use crate::label::model::lines::Line;
use dehusk_html::narrow;
use dehusk_html::tree::Tag;

/// Words for comments.
const COMMENTS_OF: &[&str] = &[
    "comment",
    "comments",
    "комментарий",
    "комментарии",
    "комментария",
    "комментариев",
    "коментар",
    "коментарі",
    "коментарів",
    "kommentar",
    "kommentare",
    "kommentarer",
    "commentaire",
    "commentaires",
    "comentario",
    "comentarios",
    "comentário",
    "comentários",
    "komentarz",
    "komentarze",
    "komentarzy",
    "komentář",
    "komentáře",
    "komentářů",
    "commento",
    "commenti",
    "reactie",
    "reacties",
    "yorum",
    "yorumlar",
    "评论",
    "条评论",
    "評論",
    "則評論",
    "コメント",
    "件のコメント",
    "댓글",
    "تعليق",
    "تعليقات",
    "التعليقات",
];

/// Words for the reviews of a product.
const REVIEWS_OF: &[&str] = &[
    "review",
    "reviews",
    "bewertung",
    "bewertungen",
    "kundenbewertungen",
    "rezensionen",
    "kundenrezensionen",
    "avis",
    "opiniones",
    "reseñas",
    "recensioni",
    "recensies",
    "beoordelingen",
    "avaliações",
    "opinie",
    "recenze",
    "отзыв",
    "отзыва",
    "отзывы",
    "отзывов",
    "відгуки",
    "yorumları",
    "レビュー",
    "评价",
    "리뷰",
];

/// Beginnings of headings that count the answers to a post. The title of the post follows.
const ANSWERS_TO: &[&str] = &[
    "thought on",
    "thoughts on",
    "response to",
    "responses to",
    "comments on",
    "comment on",
    "gedanke zu",
    "gedanken zu",
    "kommentare zu",
    "réflexion sur",
    "réflexions sur",
    "réponses à",
    "comentarios en",
    "pensieri su",
    "комментариев к",
    "комментария к",
    "мысли о",
];

/// Maximum number of words of a heading that only counts comments.
const MAX_WORDS: usize = 3;

/// Maximum length of a line with the writer and the date of a comment, in tokens.
const MAX_SIGNATURE: u32 = 16;

/// Minimum number of dated lines in a section of comments. One is enough in a section with a field for a new
/// comment.
const MIN_DATES: usize = 2;

/// Maximum number of lines between the heading and the first dated line.
const MAX_BEFORE_DATE: usize = 6;

/// Maximum number of lines between the heading of reviews and the first dated line: the average rating comes
/// first.
const MAX_BEFORE_REVIEW: usize = 30;

/// Maximum number of headings that are tried. A page has few sections of comments, and each try reads the lines around it.
const MAX_TRIES: usize = 64;

impl Page<'_> {
    /// Marks the lines below a heading such as `4 comments`, or `Reviews` of a product, to the end of its
    /// element, if they are dated like comments and a text precedes them. The comments of a thread are its
    /// text.
    pub(super) fn add_comments(&self, of_lines: &mut Vec<u8>) {
        if self.view.metadata.stated.kind.is_some_and(PageKind::is_thread) {
            return;
        }
        let lines = &self.page.lines;
        let is_product = self.view.metadata.stated.kind == Some(PageKind::Product);
        let most_before = if is_product {
            MAX_BEFORE_REVIEW
        } else {
            MAX_BEFORE_DATE
        };
        let mut at = self.page.cores[1].start;
        let mut tries = 0;
        while let Some(i) = (at..lines.len()).find(|&i| self.counts_comments(&lines[i], is_product)) {
            at = i + 1;
            tries += 1;
            if tries > MAX_TRIES {
                return;
            }
            if !self.has_text_before(i, SHORT_TEXT) {
                continue;
            }
            let Some((end, around)) = self.section_below(i) else {
                continue;
            };
            // The first date has to be near the heading, so that it is that of a comment.
            let is_near = lines[i + 1..end]
                .iter()
                .take(most_before)
                .any(|line| self.is_dated(line));
            let dates = lines[i + 1..end].iter().filter(|line| self.is_dated(line));
            let dates = dates.take(MIN_DATES).count();
            let is_dated = is_near && (dates >= MIN_DATES || self.holds(around, &[Tag::TEXTAREA]));
            if is_dated || self.are_counted(i, end) {
                self.mark(of_lines, i..end, COMMENTS);
                at = end;
            }
        }
    }

    /// Returns whether the heading states a number and exactly this number of short lines of one style
    /// follows: the names of the writers.
    fn are_counted(&self, heading: usize, end: usize) -> bool {
        const MAX_NAME: u32 = 5;
        const COMMENTS: std::ops::RangeInclusive<usize> = 2..=500;
        let text = self.first_text(&self.page.lines[heading]);
        let digits = text
            .split(|c: char| !c.is_ascii_digit())
            .find(|part| !part.is_empty());
        let Some(count) = digits
            .and_then(|digits| digits.parse().ok())
            .filter(|count| COMMENTS.contains(count))
        else {
            return false;
        };
        // Counted in two ways per style: all short lines, since a name may end with a period, and only lines
        // that do not end like sentences, since a comment may be two words.
        let mut styles: BTreeMap<(u32, bool), usize> = BTreeMap::new();
        for line in &self.page.lines[heading + 1..end] {
            if (1..=MAX_NAME).contains(&line.counts.tokens) && !line.hidden {
                let style = self.page.elements[line.context as usize].style;
                *styles.entry((style, false)).or_default() += 1;
                *styles.entry((style, true)).or_default() += usize::from(!line.counts.ends);
            }
        }
        styles.values().any(|&lines| lines == count)
    }

    /// Returns the end of the lines after a heading inside its parent, and this element; if no line follows
    /// there, inside the grandparent, unless that holds the title. `None` if no line follows there either.
    fn section_below(&self, heading: usize) -> Option<(usize, usize)> {
        const LEVELS: usize = 2;
        let contexts = self.view.table.contexts();
        let lines = &self.page.lines;
        let parent = contexts[lines[heading].context as usize].parent;
        let above = std::iter::successors(parent, |&at| contexts[at as usize].parent);
        above.take(LEVELS).enumerate().find_map(|(level, at)| {
            let last = self.last_inside[at as usize];
            if level > 0 && self.holds_title[at as usize] {
                return None;
            }
            let behind = lines[heading + 1..]
                .iter()
                .take_while(|line| line.context <= last)
                .count();
            (behind > 0).then_some((heading + 1 + behind, at as usize))
        })
    }

    /// Returns whether a line counts or announces comments, or the reviews of a product.
    fn counts_comments(&self, line: &Line, is_product: bool) -> bool {
        const MAX_CHARS: u32 = 160;
        const MAX_TOKENS: u32 = 24;
        if line.heading == 1
            || line.hidden
            || line.chars > MAX_CHARS
            || line.counts.tokens > MAX_TOKENS
            // A link or a button with these words leads to the comments.
            || line.heading == 0 && (line.counts.tokens > narrow::to_u32(MAX_WORDS) + 1 || line.link_chars > 0)
        {
            return false;
        }
        let text = self.first_text(line).to_lowercase();
        // Numbers are left out, also before a word: `4 comments`, `4条评论`.
        let words = text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(|word| word.trim_start_matches(|c: char| c.is_ascii_digit()))
            .filter(|word| !word.is_empty());
        let words: Vec<&str> = words.take(MAX_TOKENS as usize).collect();
        let counts = words.len() <= MAX_WORDS
            && words.iter().any(|word| {
                COMMENTS_OF.contains(word) || is_product && line.heading > 0 && REVIEWS_OF.contains(word)
            });
        counts
            || line.heading > 0 && {
                let begun = text.trim_start_matches(|c: char| !c.is_alphabetic());
                ANSWERS_TO.iter().any(|answers| begun.starts_with(answers))
            }
    }

    /// Whether a short line names a date, as the line with the writer of a comment does.
    fn is_dated(&self, line: &Line) -> bool {
        line.counts.tokens <= MAX_SIGNATURE
            && line.counts.digits > 0
            && !line.hidden
            && date::iso(&self.short_text(line)).is_some()
    }
}
