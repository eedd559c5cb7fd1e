//! Parts that lead to other stories: boxes, sections and single lines.

use std::collections::BTreeMap;

use crate::analysis::blocks::block::BlockKind;
use crate::label::classes::phrases;
use crate::label::model::lines::Line;
use crate::label::model::name_groups::bit;
use crate::label::model::title_line::MIN_TITLE;
use dehusk_html::narrow;
use dehusk_html::tree::{NodeId, Tag};

use super::{FOOTER, MAX_HEADING, PARTS, Page, REFERENCES, RELATED};

/// Words in the names of parts that lead to other stories.
const OF_OTHERS: &[&str] = &[
    "related",
    "recommended",
    "recommendations",
    "outbrain",
    "taboola",
    "trending",
    "mostread",
];

/// Minimum length of each paragraph before other stories, and of all together, in tokens.
#[derive(Clone, Copy)]
pub(super) struct Paragraphs {
    line: u32,
    tokens: u32,
}

const LONG_TEXT: Paragraphs = Paragraphs { line: 20, tokens: 60 };

/// Lengths that suffice before stories that a heading announces.
pub(super) const SHORT_TEXT: Paragraphs = Paragraphs { line: 10, tokens: 20 };

/// Number of paragraphs in a row from which an element holds a text rather than teasers, even if it begins
/// with a box of other stories. Paragraphs of teasers have titles between them.
const PARAGRAPHS_IN_A_ROW: usize = 3;

/// Maximum length of an announcement, in characters.
const MAX_ANNOUNCEMENT: u32 = 100;

impl Page<'_> {
    /// Returns whether an element points to other stories, by its name or by its heading.
    pub(super) fn is_related(&self, i: usize) -> bool {
        const MOST: f32 = 0.4;
        let by_name = || {
            self.groups(i) & bit("related") != 0
                && (self.has_word(i, OF_OTHERS)
                    || self.has_part(i, &["more-on", "moreon", "read-next", "readnext", "also-like", "you-may"]))
                // Below a text, the element may be most of the page.
                && (self.share(i) <= MOST || self.follows_text(i))
        };
        // An announced list may be the only content of a page, such as the best posts of a forum: it must be
        // small or follow a text.
        let by_heading = || {
            matches!(self.tag(i), Some(Tag::SECTION | Tag::ASIDE | Tag::DIV | Tag::NAV))
                && self.begins_with_announcement(i)
                && self.is_led_by_heading_or_teasers(i)
                && !self.are_references(self.lines_in(i).map(|(_, line)| line))
                && (self.share(i) <= MOST || self.follows(i, SHORT_TEXT))
        };
        // Below a short text such an element is most of the page, so that a heading has to confirm its name.
        let below_short_text = || {
            self.groups(i) & bit("related") != 0
                && self.has_word(i, OF_OTHERS)
                && self
                    .page
                    .first_heading
                    .is_some_and(|title| title < self.first_line[i] as usize)
                && self
                    .lines_in(i)
                    .next()
                    .is_some_and(|(_, line)| line.heading > 1 && line.counts.tokens <= MAX_HEADING)
        };
        (self.may_be_beside(i, 0.9) && (by_name() || by_heading())
            || self.may_be_beside(i, 0.97) && below_short_text())
            && self.links_away(i)
            && !self.has_prose(i, PARAGRAPHS_IN_A_ROW)
            && !self.is_named_by_heading(i)
    }

    /// Whether at least `paragraphs` paragraphs follow each other in an element.
    pub(super) fn has_prose(&self, i: usize, paragraphs: usize) -> bool {
        const MIN_TOKENS: u32 = 12;
        const MAX_LINKED: f32 = 0.35;
        const MAX_LINES: usize = 200;
        let mut row = 0;
        self.lines_in(i).take(MAX_LINES).any(|(_, line)| {
            let is_paragraph = line.counts.tokens >= MIN_TOKENS
                && line.counts.ends
                && line.heading == 0
                && line.kind == BlockKind::Paragraph
                && line.link_density < MAX_LINKED
                && !line.hidden;
            row = if is_paragraph { row + 1 } else { 0 };
            row >= paragraphs
        })
    }

    /// Whether the first line of an element is a heading that announces other stories.
    fn begins_with_announcement(&self, i: usize) -> bool {
        let first = self.lines_in(i).next();
        first.is_some_and(|(_, line)| self.announces_others(line))
    }

    /// Returns whether lines are a list that the author made: a heading such as "See also", and links that
    /// are names of pages rather than titles of stories.
    fn are_references<'l>(&self, mut lines: impl Iterator<Item = &'l Line>) -> bool {
        const MAX_NAME: u32 = 3;
        const MAX_LINES: usize = 200;
        let is_own = lines.next().is_some_and(|line| {
            line.heading > 0 && phrases::is_of_author(&self.short_text(line).to_lowercase())
        });
        is_own && {
            let (mut links, mut words) = (0, 0);
            let table = self.view.table;
            for line in lines.take(MAX_LINES).filter(|line| line.link_chars > 0) {
                for block in &table.blocks()[line.blocks()] {
                    words += block.link_words;
                    let linked = table.nodes(block).iter().filter(|&&node| self.is_linked(node));
                    links += narrow::to_u32(linked.count());
                }
            }
            // Names of pages have at most three words on average, titles of stories more.
            links > 0 && words <= MAX_NAME * links
        }
    }

    /// Whether a link lies right around a text.
    fn is_linked(&self, node: NodeId) -> bool {
        const LEVELS: usize = 3;
        let dom = self.view.dom;
        dom.ancestors(node)
            .take(LEVELS)
            .any(|at| dom.html_tag(at) == Some(Tag::A))
    }

    /// Returns whether an element begins with a heading, or consists of teasers after its first line. After
    /// other announcing words, the text of the page may follow.
    fn is_led_by_heading_or_teasers(&self, i: usize) -> bool {
        let mut lines = self.lines_in(i).map(|(_, line)| line);
        lines.next().is_some_and(|line| line.heading > 0) || {
            let (titles, count) = teasers(lines);
            titles >= MIN_TITLES && (count + 1) as f32 >= self.page.elements[i].sums.lines
        }
    }

    /// Returns whether paragraphs occur between the title of the page and an element.
    pub(super) fn follows_text(&self, i: usize) -> bool {
        self.follows(i, LONG_TEXT)
    }

    /// Returns the line of the title.
    pub(super) fn title_of_text(&self) -> Option<usize> {
        let (line, alike) = self.page.title_line;
        self.page.first_heading.or((alike >= MIN_TITLE).then_some(line))
    }

    /// Returns whether paragraphs of at least this length occur between the title of the page and an element.
    fn follows(&self, i: usize, least: Paragraphs) -> bool {
        self.has_text_before(self.first_line[i] as usize, least)
    }

    /// Returns whether paragraphs of at least this length occur between the title of the page and a line.
    pub(super) fn has_text_before(&self, first: usize, least: Paragraphs) -> bool {
        const MAX_LINKED: f32 = 0.35;
        let Some(before) = self
            .title_of_text()
            .and_then(|title| self.page.lines.get(title..first))
        else {
            return false;
        };
        let is_text =
            |line: &&Line| line.counts.tokens >= least.line && line.link_density < MAX_LINKED && !line.hidden;
        before
            .iter()
            .filter(is_text)
            .map(|line| line.counts.tokens)
            .sum::<u32>()
            >= least.tokens
    }

    /// Returns whether a line is a heading that announces other stories, or such words alone.
    pub(super) fn announces_others(&self, line: &Line) -> bool {
        let may_be_one = line.heading > 1 || line.heading == 0 && line.link_chars == 0;
        may_be_one && line.counts.tokens <= MAX_HEADING && line.chars <= MAX_ANNOUNCEMENT && {
            let text = self.short_text(line).to_lowercase();
            if line.heading > 1 {
                phrases::announces_related(&text, line.counts.tokens)
            } else {
                phrases::is_related_label(&text, line.counts.tokens)
            }
        }
    }

    /// Returns whether an element contains several links to other pages.
    pub(super) fn links_away(&self, i: usize) -> bool {
        const MIN_LINKS: usize = 2;
        let dom = self.view.dom;
        const MAX_NODES: usize = 400;
        let links = dom.preorder(self.element(i)).take(MAX_NODES).filter(|&node| {
            dom.html_tag(node) == Some(Tag::A)
                && dom
                    .short_attr(node, "href", 2000)
                    .is_some_and(|target| !target.trim_start().starts_with('#'))
        });
        links.take(MIN_LINKS).count() == MIN_LINKS
    }

    /// Marks lines that are one link to another story and begin with words such as "Read also", which may
    /// stand before the link with a colon. A line with further words beside its link, or with "see also", may
    /// be written by the author.
    pub(super) fn add_related_lines(&self, of_lines: &mut Vec<u8>) {
        const MAX_TOKENS: u32 = 30;
        let mut grids = BTreeMap::new();
        for (i, line) in self.page.lines.iter().enumerate().skip(self.page.cores[1].start) {
            let blocks = &self.view.table.blocks()[line.blocks()];
            const MAX_BEFORE: u32 = 4;
            let (words, linked) = blocks.iter().fold((0, 0), |sum, block| {
                (sum.0 + block.words, sum.1 + block.link_words)
            });
            // Words of the line that are not linked.
            let before = words - linked.min(words);
            let may_be_one = line.heading == 0
                && linked > 0
                && before <= MAX_BEFORE
                && line.counts.tokens <= MAX_TOKENS
                && matches!(
                    line.kind,
                    BlockKind::Paragraph | BlockKind::Text | BlockKind::TableCell
                );
            // Old pages are laid out by tables, so a cell counts unless its table holds data.
            if may_be_one
                && !(line.kind == BlockKind::TableCell && self.is_in_grid(line, &mut grids))
                && phrases::announces_related_link(
                    &self.text(line).to_lowercase(),
                    line.counts.tokens,
                    before as usize,
                )
            {
                self.mark(of_lines, i..i + 1, RELATED);
            }
        }
    }

    /// Marks the lines after a heading that announces other stories, up to the next heading of the same or a higher level, if they are
    /// teasers: linked lines, or cards with links. Covers sections that have no element of their own.
    pub(super) fn add_related_sections(&self, of_lines: &mut Vec<u8>) {
        let lines = &self.page.lines;
        let mut i = self.page.cores[1].start;
        while let Some(line) = lines.get(i) {
            i += 1;
            if !self.announces_others(line) {
                continue;
            }
            // Announcing words that are not a heading rank like a heading of level 2.
            let level = if line.heading == 0 { 2 } else { line.heading };
            let contexts = self.view.table.contexts();
            let Some(around) = contexts[line.context as usize].parent else {
                continue;
            };
            let range = around..=self.last_inside[around as usize];
            let section = lines[i..]
                .iter()
                .take_while(|next| {
                    range.contains(&next.context) && !(next.heading > 0 && next.heading <= level)
                })
                .count();
            // The last section of a text may be followed by the footer, in the same element.
            let is_foot = |part: &u8| {
                PARTS
                    .get(usize::from(*part))
                    .is_some_and(|part| part.reason == FOOTER)
            };
            let foot = of_lines.iter().skip(i).take(section).position(is_foot);
            let section = foot.unwrap_or(section);
            let inside = &lines[i..i + section];
            if self.are_references(std::iter::once(line).chain(inside)) {
                // A section of the text has a heading of the same level as an earlier line.
                const MAX_BEFORE: usize = 400;
                let mut before = lines[..i - 1].iter().rev().take(MAX_BEFORE);
                if before.any(|before| before.heading == line.heading) {
                    self.mark(of_lines, i - 1..i + section, REFERENCES);
                }
                i += section;
                continue;
            }
            let (chars, linked) = inside
                .iter()
                .fold((0, 0), |sum, line| (sum.0 + line.chars, sum.1 + line.link_chars));
            let cards = inside.iter().filter(|line| line.link_chars > 0).count();
            let (titles, count) = teasers(inside.iter());
            // Announcing words that are not a heading cover only the teasers right after them: the text may
            // go on below.
            let section = if line.heading == 0 { count } else { section };
            let are_teasers = titles >= MIN_TITLES && (count == inside.len() || line.heading == 0);
            if are_teasers || line.heading > 0 && cards >= 2 && 3 * linked >= chars {
                // Includes the heading, which is line `i - 1`.
                self.mark(of_lines, i - 1..i + section, RELATED);
            }
            i += section;
        }
    }

    /// Marks a line such as "Read also:" and the lines after it in the same element, if they are links and nothing else.
    pub(super) fn add_labelled_links(&self, of_lines: &mut Vec<u8>) {
        const MAX_LABEL: u32 = 40;
        const MIN_LINES: usize = 2;
        // White space counts as not linked.
        const LINKED: f32 = 0.7;
        let contexts = self.view.table.contexts();
        let lines = &self.page.lines;
        for (i, line) in lines.iter().enumerate().skip(self.page.cores[1].start) {
            let may_be_one = line.heading == 0
                && line.link_chars == 0
                && line.chars <= MAX_LABEL
                && line.counts.tokens <= MAX_HEADING
                && lines.get(i + 1).is_some_and(|next| next.link_density >= LINKED);
            if !may_be_one || !phrases::is_related_label(&self.text(line).to_lowercase(), line.counts.tokens)
            {
                continue;
            }
            // The label may be a paragraph of its own, so that the links may lie anywhere in its parent.
            let around = contexts[line.context as usize].parent.unwrap_or(line.context);
            let range = around..=self.last_inside[around as usize];
            let links = lines[i + 1..]
                .iter()
                .take_while(|next| {
                    range.contains(&next.context) && next.heading == 0 && next.link_density >= LINKED
                })
                .count();
            if links >= MIN_LINES {
                self.mark(of_lines, i..i + 1 + links, RELATED);
            }
        }
    }
}

/// Minimum number of linked titles in a row of teasers.
const MIN_TITLES: usize = 2;

/// Returns the number of teasers at the beginning of `lines`, and the number of their lines. The title of a
/// teaser is a linked line. At most two short lines without a link follow a title, or precede the first one.
/// The last teaser gets no more such lines than the shortest of the others, since the next lines may belong
/// to something else.
fn teasers<'a>(lines: impl Iterator<Item = &'a Line>) -> (usize, usize) {
    const LINKED: f32 = 0.7;
    const MAX_TOKENS: u32 = 60;
    const MAX_BEHIND: usize = 2;
    // `behind`: unlinked lines after the last title. `least`: the fewest of them between two titles.
    let (mut titles, mut last, mut behind, mut least) = (0, 0, 0, MAX_BEHIND);
    for (i, line) in lines.enumerate() {
        if line.counts.tokens > MAX_TOKENS {
            break;
        }
        if line.link_density >= LINKED {
            least = if titles > 0 { least.min(behind) } else { least };
            titles += 1;
            behind = 0;
            last = i + 1;
        } else {
            behind += 1;
            if behind > MAX_BEHIND || titles > 0 && line.heading > 0 {
                behind -= 1;
                break;
            }
        }
    }
    (
        titles,
        if titles > 1 {
            last + least.min(behind)
        } else {
            last
        },
    )
}

#[cfg(test)]
mod tests {
    use crate::{Options, Page, extract};

    #[test]
    fn a_text_that_begins_with_other_stories_stays() {
        let says = "The river rose in the night and by noon it had left its bed, so that the mill stood in the water";
        let text: String = (1..=4)
            .map(|i| format!("<p>{says} for the time number {i}.</p>"))
            .collect();
        let stories: String = (1..=3)
            .map(|i| format!("<li><a href=/{i}>Bridge number {i} is closed</a></li>"))
            .collect();
        for (around, heading) in [
            ("div class=article-body", "<h2>Read also</h2>"),
            ("section id=more-on-rivers-text", "<h3>More on this story</h3>"),
            (
                "div class='related-articles-text body'",
                "<h4>Related articles</h4>",
            ),
        ] {
            let end = around.split(' ').next().unwrap_or("");
            let page = format!(
                "<title>The river</title><body><main><h1>The river</h1><p>{says}.</p>\
                 <{around}><div class=box>{heading}<ul>{stories}</ul></div>{text}</{end}></main>"
            );
            let found = extract(&Page::decoded(&page), &Options::default()).text;
            assert_eq!(found.matches("The river rose").count(), 5, "{around}: {found}");
        }
    }
}
