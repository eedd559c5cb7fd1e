//! Teasers of other stories below the text, in a row of cards without a name or a heading that announces them.

use std::collections::BTreeMap;
use std::ops::Range;

use super::{Page, TEASERS};
use crate::analysis::metadata::kind::PageKind;
use crate::label::model::lines::Line;
use crate::label::model::page_table::NONE;
use dehusk_html::tree::Tag;

/// Number of cards in a row. Longer rows are the content of a page that lists stories.
const CARDS: std::ops::RangeInclusive<usize> = 3..=16;

/// Maximum length of a card, in lines and in tokens.
const MAX_LINES: usize = 8;
const MAX_TOKENS: u32 = 60;

/// Length of the linked title of a card, in tokens. A shorter link may be the name of a writer.
const TITLE: std::ops::RangeInclusive<u32> = 3..=25;

/// Link density at or above which a line is a link: white space counts as not linked.
const LINKED: f32 = 0.7;

/// Minimum length of a paragraph of the text before the cards, in tokens, the minimum number of such paragraphs, and their minimum sum.
const MIN_PARAGRAPH: u32 = 12;
const MIN_PARAGRAPHS: usize = 2;
const MIN_TEXT: u32 = 60;

impl Page<'_> {
    /// Marks rows of cards that follow a text under the title, outside of the element around the text, and that are no longer than it.
    ///
    /// The cards of a page that lists stories or products are its content: on such pages they are longer than the text before them.
    pub(super) fn add_teasers(&self, of_lines: &mut Vec<u8>) {
        let is_thread = self.view.metadata.stated.kind.is_some_and(PageKind::is_thread);
        let Some(title) = self.title_of_text().filter(|_| !is_thread) else {
            return;
        };
        for cards in self.rows_of_siblings() {
            let first = self.first_line[cards[0]] as usize;
            if first <= title || !cards.iter().all(|&card| self.is_card(card)) {
                continue;
            }
            let Some(text) = self.text_between(title, first) else {
                continue;
            };
            let lines = self.range_of(&cards);
            let tokens: u32 = self.page.lines[lines.clone()]
                .iter()
                .map(|line| line.counts.tokens)
                .sum();
            // Cards inside the element around the text belong to the text.
            let is_outside =
                |card: usize| !(text.element..=self.last_inside[text.element] as usize).contains(&card);
            if tokens <= text.tokens && self.is_last(lines.end) && cards.iter().all(|&card| is_outside(card))
            {
                self.mark(of_lines, lines, TEASERS);
            }
        }
    }

    /// Returns rows of siblings of one style, all of them short and with links.
    fn rows_of_siblings(&self) -> Vec<Vec<usize>> {
        let elements = &self.page.elements;
        let mut rows: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (i, element) in elements.iter().enumerate() {
            let is_short = element.sums.tokens <= MAX_TOKENS as f32 && element.sums.lines <= MAX_LINES as f32;
            let group = element.siblings.group;
            if group != NONE
                && self.page.siblings(element.siblings).is_some()
                && is_short
                && element.sums.linked > 0.0
            {
                rows.entry(group).or_default().push(i);
            }
        }
        let is_row = |row: &Vec<usize>| {
            let group = self.page.siblings(elements[row[0]].siblings);
            // All siblings are in the row: none is too long or without a link.
            CARDS.contains(&row.len()) && group.is_some_and(|group| group.members == row.len() as f32)
        };
        rows.into_values().filter(is_row).collect()
    }

    /// Returns whether an element is a card: one of its first lines is a link and not a sentence, and its
    /// first link leads away.
    fn is_card(&self, i: usize) -> bool {
        const FIRST: usize = 3;
        let is_title = |line: &Line| {
            line.link_density >= LINKED
                && TITLE.contains(&line.counts.tokens)
                && !line.hidden
                && !line.counts.ends
        };
        // A heading may end like a sentence: questions are titles, too.
        let is_question = |line: &Line| {
            line.heading > 0 && line.link_density >= LINKED && TITLE.contains(&line.counts.tokens)
        };
        let mut lines = self.lines_in(i).map(|(_, line)| line).take(FIRST);
        lines.any(|line| is_title(line) || is_question(line)) && self.leads_away(i)
    }

    /// Whether the first link of a card leads to another page. Those of a table of contents do not.
    fn leads_away(&self, i: usize) -> bool {
        const MAX_NODES: usize = 40;
        let dom = self.view.dom;
        let mut nodes = dom.preorder(self.element(i)).take(MAX_NODES);
        let link = nodes.find(|&node| dom.html_tag(node) == Some(Tag::A));
        let target = link.and_then(|link| dom.short_attr(link, "href", 2000));
        target.is_some_and(|target| !target.trim_start().starts_with('#'))
    }

    /// Returns whether at most two paragraphs follow a row of cards. On a page of several sections, the text
    /// goes on.
    fn is_last(&self, end: usize) -> bool {
        const MAX_BEHIND: usize = 2;
        let behind = &self.page.lines[end.min(self.page.lines.len())..];
        behind.iter().filter(is_paragraph).take(MAX_BEHIND + 1).count() <= MAX_BEHIND
    }

    /// Returns the lines of a row of siblings, from the first line of the first sibling to the last line in
    /// the last one.
    fn range_of(&self, row: &[usize]) -> Range<usize> {
        let first = self.first_line[row[0]] as usize;
        let last = self.last_inside[row[row.len() - 1]];
        let count = self.page.lines[first..]
            .iter()
            .take_while(|line| line.context <= last)
            .count();
        first..first + count
    }

    /// Returns the paragraphs between the title and a line; `None` if they are few or short.
    fn text_between(&self, title: usize, end: usize) -> Option<Text> {
        let lines = self.page.lines[title..end].iter().filter(is_paragraph);
        let (mut count, mut tokens, mut element) = (0, 0, None);
        for line in lines {
            count += 1;
            tokens += line.counts.tokens;
            // The innermost element around all paragraphs so far.
            element = match element {
                None => Some(line.context as usize),
                Some(element) => self.around_both(element, line.context as usize),
            };
        }
        let element = element?;
        (count >= MIN_PARAGRAPHS && tokens >= MIN_TEXT).then_some(Text { tokens, element })
    }

    /// Returns the innermost element that contains both `element` and `later`, which follows it. `None` if
    /// they share no ancestor.
    fn around_both(&self, element: usize, later: usize) -> Option<usize> {
        let elements = &self.page.elements;
        let mut above = std::iter::successors(Some(element), |&at| elements[at].parent());
        above.find(|&at| (at..=self.last_inside[at] as usize).contains(&later))
    }
}

/// Paragraphs of a text.
struct Text {
    tokens: u32,
    /// The innermost element around them.
    element: usize,
}

/// Returns whether a line is a paragraph of text.
fn is_paragraph(line: &&Line) -> bool {
    const MAX_LINKED: f32 = 0.35;
    line.counts.tokens >= MIN_PARAGRAPH && line.link_density < MAX_LINKED && !line.hidden
}
