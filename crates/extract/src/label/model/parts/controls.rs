//! Controls: buttons, what opens and closes a part, links that lead nowhere.

use std::collections::BTreeMap;

use crate::analysis::blocks::block::BlockKind;
use crate::analysis::blocks::elements::is_in_sentence;
use crate::analysis::tables::is_grid;
use crate::label::model::lines::Line;
use dehusk_html::narrow;
use dehusk_html::tree::{NodeId, Tag};

use super::{CONTROL, NO_PART, Page};

impl Page<'_> {
    /// Returns whether an element is a button, but neither the heading of the section that it opens nor part
    /// of a sentence; or a `summary` that begins with a command.
    pub(super) fn is_control(&self, i: usize) -> bool {
        const MAX_TOKENS: f32 = 5.0;
        let element = &self.page.elements[i];
        if element.sums.tokens > MAX_TOKENS {
            return false;
        }
        match self.tag(i) {
            Some(Tag::BUTTON) => {
                // A heading may consist of a button, or contain one and nothing else.
                let is_heading = || {
                    let above =
                        std::iter::successors(element.parent(), |&at| self.page.elements[at].parent());
                    let heading = above
                        .take(3)
                        .find(|&at| self.tag(at).is_some_and(|tag| tag.heading_level().is_some()));
                    heading.is_some_and(|at| self.page.elements[at].sums.tokens <= element.sums.tokens)
                };
                !is_in_sentence(self.view.dom, self.element(i), Tag::BUTTON)
                    && !is_heading()
                    && self.panel_of(i).is_none()
            }
            Some(Tag::SUMMARY) => self
                .lines_in(i)
                .next()
                .is_some_and(|(_, line)| line.heading == 0 && begins_with_command(&self.short_text(line))),
            _ => false,
        }
    }

    /// Returns whether an element holds the choices of a filter: boxes to tick, each with a few words and the
    /// number of hits in brackets.
    pub(super) fn is_filter(&self, i: usize) -> bool {
        const LINES: std::ops::RangeInclusive<f32> = 2.0..=200.0;
        const MAX_TOKENS: u32 = 8;
        let is_box = matches!(
            self.tag(i),
            Some(Tag::UL | Tag::OL | Tag::DIV | Tag::FIELDSET | Tag::SECTION)
        );
        let counts_hits = |line: &Line| {
            line.counts.tokens <= MAX_TOKENS && line.heading == 0 && ends_in_count(&self.short_text(line))
        };
        is_box
            && LINES.contains(&self.page.elements[i].sums.lines)
            && self.lines_in(i).all(|(_, line)| counts_hits(line))
            && self.holds(i, &[Tag::INPUT])
    }

    /// Returns the buttons that are the heading of the part that they open, each with the first line of the part.
    pub(super) fn panel_headings(&self) -> Vec<(u32, u32)> {
        let all = 0..self.page.elements.len();
        let mut found: Vec<(u32, u32)> = all.filter_map(|i| self.panel_of(i)).collect();
        found.extend(self.questions());
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Returns lines that are questions, several of one style, each with the line of text right after it.
    fn questions(&self) -> Vec<(u32, u32)> {
        const TOKENS: std::ops::RangeInclusive<u32> = 3..=25;
        const MIN_TEXT: u32 = 8;
        const MIN_QUESTIONS: usize = 2;
        let lines = &self.page.lines;
        let style = |i: usize| self.page.elements[lines[i].context as usize].style;
        let is_question = |line: &Line| {
            let last = self.view.table.blocks()[line.blocks()].last();
            TOKENS.contains(&line.counts.tokens)
                && line.heading == 0
                && line.link_chars == 0
                && !line.hidden
                && last.is_some_and(|block| self.view.table.text(block).ends_with(['?', '？', '؟']))
        };
        // A question within a text has the style of the line after it.
        let found: Vec<usize> = (0..lines.len().saturating_sub(1))
            .filter(|&i| is_question(&lines[i]))
            .filter(|&i| lines[i + 1].counts.tokens >= MIN_TEXT && style(i) != style(i + 1))
            .collect();
        let mut styles: BTreeMap<u32, usize> = BTreeMap::new();
        found
            .iter()
            .for_each(|&i| *styles.entry(style(i)).or_default() += 1);
        let is_one_of_many = |i: &usize| {
            styles
                .get(&style(*i))
                .is_some_and(|&count| count >= MIN_QUESTIONS)
        };
        let found = found.into_iter().filter(is_one_of_many);
        found
            .map(|i| (narrow::to_u32(i), narrow::to_u32(i) + 1))
            .collect()
    }

    /// Returns the line of a button that is the heading of the part that it opens, such as a question with
    /// its answer, and the first line of that part. `None` for other elements.
    fn panel_of(&self, i: usize) -> Option<(u32, u32)> {
        const MAX_TOKENS: f32 = 30.0;
        const MIN_TOKENS: f32 = 3.0;
        const MIN_TEXT: u32 = 4;
        const MAX_LINKED: f32 = 0.5;
        const LEVELS: usize = 3;
        let element = &self.page.elements[i];
        if self.tag(i) != Some(Tag::BUTTON) || element.sums.tokens > MAX_TOKENS || element.sums.lines > 2.0 {
            return None;
        }
        // The button has to declare that it opens something.
        let opens = ["aria-expanded", "aria-controls"]
            .into_iter()
            .any(|name| self.view.dom.short_attr(self.element(i), name, 100).is_some());
        let (first, line) = self.lines_in(i).next().filter(|_| opens)?;
        let text = self.short_text(line);
        let is_question = text.trim_end().ends_with(['?', '？', '؟']);
        #[expect(
            clippy::cast_possible_truncation,
            reason = "an f32 counts lines exactly up to 2^24, eight times the usual limit of nodes"
        )]
        // The part begins right after the lines of the button.
        let next = first + element.sums.lines as usize;
        // A heading may be a single word, and its panel may begin with a short cell: `<h3><button>Care</button></h3>`.
        let is_in_heading = self.view.dom.ancestors(self.element(i)).take(LEVELS).any(|at| {
            matches!(
                self.view.dom.html_tag(at),
                Some(Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6)
            )
        });
        let is_text = |line: &Line| {
            (is_in_heading || line.counts.tokens >= MIN_TEXT)
                && line.link_density < MAX_LINKED
                && self.tag(line.context as usize) != Some(Tag::BUTTON)
        };
        let is_heading = (is_question || is_in_heading || element.sums.tokens >= MIN_TOKENS)
            && !begins_with_command(&text)
            && self.page.lines.get(next).is_some_and(is_text);
        is_heading.then_some((narrow::to_u32(first), narrow::to_u32(next)))
    }

    /// Returns whether an element is named like the declaration of a function or a class and is followed by a
    /// description.
    pub(super) fn is_signature(&self, i: usize) -> bool {
        const NAMES: &[&str] = &[
            "code-header",
            "member-signature",
            "membersignature",
            "method-signature",
            "methodsignature",
            "tsd-signature",
            "memproto",
            "sig-object",
            "api-signature",
        ];
        const MAX_TOKENS: f32 = 80.0;
        const MIN_TEXT: u32 = 2;
        const MAX_LINKED: f32 = 0.5;
        let sums = &self.page.elements[i].sums;
        sums.tokens <= MAX_TOKENS
            && self.has_part(i, NAMES)
            && self.may_be_beside(i, 0.5)
            && self.lines_in(i).last().is_some_and(|(last, _)| {
                let behind = self.page.lines.get(last + 1);
                behind.is_some_and(|line| {
                    line.counts.tokens >= MIN_TEXT && line.link_density < MAX_LINKED && line.heading == 0
                })
            })
    }

    /// Returns whether an element is the label of a tab whose panels hold code, such as the system that a
    /// command is for.
    pub(super) fn is_tab_of_code(&self, i: usize) -> bool {
        const MAX_TOKENS: f32 = 5.0;
        const LEVELS: usize = 3;
        let element = &self.page.elements[i];
        if element.sums.tokens > MAX_TOKENS {
            return false;
        }
        let is_named = |at: usize| {
            let mut words = self.names(at).split(|c: char| !c.is_alphanumeric());
            words.any(|word| word.starts_with("tab"))
        };
        let is_tab = match self.tag(i) {
            Some(Tag::LABEL) => is_named(i) || element.parent().is_some_and(is_named),
            _ => self.has_role(self.element(i), "tab"),
        };
        // The panels lie a few levels up, beside the row of tabs.
        let above = std::iter::successors(element.parent(), |&at| self.page.elements[at].parent());
        is_tab
            && above
                .take(LEVELS)
                .take_while(|&at| !matches!(self.tag(at), Some(Tag::BODY | Tag::MAIN | Tag::ARTICLE)))
                .any(|at| self.holds(at, &[Tag::PRE]))
    }

    /// Marks lines that consist of links that lead nowhere or to a place on the page, such as "Jump to
    /// recipe", and signs such as `[+]`. Items of lists are left out: a table of contents leads to places on
    /// the page as well.
    pub(super) fn add_control_lines(&self, of_lines: &mut Vec<u8>) {
        const MAX_TOKENS: u32 = 6;
        const MIN_CHARS: u32 = 6;
        const MAX_ADDRESS: usize = 200;
        const MAX_SIGN: u32 = 5;
        let (dom, table) = (self.view.dom, self.view.table);
        let leads_nowhere = |node: NodeId| {
            let link = dom
                .ancestors(node)
                .take(3)
                .find(|&at| dom.html_tag(at) == Some(Tag::A));
            let target = link.and_then(|link| dom.short_attr(link, "href", MAX_ADDRESS));
            target.is_some_and(|target| {
                let target = target.trim();
                target.starts_with('#') || target.ends_with('#') || target.starts_with("javascript:")
            })
        };
        let mut grids = BTreeMap::new();
        for (i, line) in self.page.lines.iter().enumerate() {
            // Such a sign opens and closes a part, such as a list of notes.
            let is_free = of_lines.get(i).is_none_or(|&part| part == NO_PART);
            if line.chars <= MAX_SIGN
                && is_free
                && matches!(&*self.text(line).replace(' ', ""), "[+]" | "[-]" | "[−]" | "[–]")
            {
                self.mark(of_lines, i..i + 1, CONTROL);
            }
            let may_be_one = line.heading == 0
                && line.link_chars > 0
                && (1..=MAX_TOKENS).contains(&line.counts.tokens)
                && line.chars >= MIN_CHARS
                && matches!(
                    line.kind,
                    BlockKind::Paragraph | BlockKind::Text | BlockKind::TableCell
                );
            let blocks = &table.blocks()[line.blocks()];
            if may_be_one
                && blocks.iter().all(|block| block.link_words == block.words)
                && blocks
                    .iter()
                    .flat_map(|block| table.nodes(block))
                    .all(|&node| leads_nowhere(node))
                && of_lines.get(i).is_none_or(|&part| part == NO_PART)
                // Tables name their rows by links to the sections below them.
                && !(line.tables > 0 && self.is_in_grid(line, &mut grids))
            {
                self.mark(of_lines, i..i + 1, CONTROL);
            }
        }
    }

    /// Returns whether the innermost table around a line is a data table. `grids` caches the answer by table.
    pub(super) fn is_in_grid(&self, line: &Line, grids: &mut BTreeMap<u32, bool>) -> bool {
        let contexts = self.view.table.contexts();
        let mut above = std::iter::successors(Some(line.context), |&at| contexts[at as usize].parent);
        let element = |at: u32| contexts[at as usize].element;
        let table = above.find(|&at| self.view.dom.acting_tag(element(at)) == Some(Tag::TABLE));
        table.is_some_and(|at| {
            *grids
                .entry(at)
                .or_insert_with(|| is_grid(self.view.dom, element(at)))
        })
    }
}

/// Whether a text ends in a number in brackets, such as `Blue (12)`.
fn ends_in_count(text: &str) -> bool {
    let count = text.trim_end().strip_suffix([')', ']']);
    count.is_some_and(|text| {
        let digits = text.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, ',' | '.'));
        digits.len() < text.len() && digits.ends_with(['(', '['])
    })
}

/// Returns whether a text begins with a command, such as `Show more`. The heading of a part names what the
/// button opens instead.
fn begins_with_command(text: &str) -> bool {
    let text = text.to_lowercase();
    let first = text.split_whitespace().next().unwrap_or("");
    matches!(
        first,
        "expand" | "collapse" | "show" | "hide" | "toggle" | "see" | "view" | "read" | "open" | "close"
    )
}
