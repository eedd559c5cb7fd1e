//! Lines that occur on the page a second time: copies of the text for phones, and pull quotes.

use std::collections::BTreeMap;

use memchr::memmem;

use super::{OF_PULLED_QUOTES, OF_QUOTES, Page};
use crate::analysis::metadata::kind::PageKind;
use crate::label::model::lines::Line;
use dehusk_html::narrow;
use dehusk_html::tree::Tag;

/// Minimum length of a line that counts as a copy on its own, in tokens.
const MIN_COPY: u32 = 8;

/// Minimum number of lines of that length in a run of copies. `MIN_COPIES`: minimum number of tokens in them.
const MIN_COPIED_LINES: usize = 2;
const MIN_COPIES: u32 = 40;

impl Page<'_> {
    /// Returns pairs of lines: a copy, and its original in another element. Covers copies of a text for phones, and pull quotes.
    pub(super) fn copies(&self) -> Vec<(u32, u32)> {
        let mut out = self.repeated_runs();
        out.extend(self.pulled_quotes());
        out.extend(self.pulled_paragraphs());
        out.extend(self.doubled_headings());
        out.sort_unstable();
        out.dedup_by_key(|(copy, _)| *copy);
        out
    }

    /// Returns runs of lines that repeat earlier ones in another element. Forums are skipped, since their
    /// members quote one another, and so are quotations.
    fn repeated_runs(&self) -> Vec<(u32, u32)> {
        let (lines, texts) = (&self.page.lines, &self.page.texts);
        let is_thread = self.view.metadata.stated.kind.is_some_and(PageKind::is_thread);
        if is_thread || self.page.copies.len() == lines.len() {
            return Vec::new();
        }
        let mut first: Vec<Option<u32>> = vec![None; self.page.copies.len()];
        let mut originals: Vec<Option<u32>> = Vec::with_capacity(lines.len());
        for (line, (&text, i)) in lines.iter().zip(texts.iter().zip(0_u32..)) {
            let first = &mut first[text as usize];
            // A hidden line may be a copy, but not an original.
            originals.push(*first);
            if first.is_none() && !line.hidden {
                *first = Some(i);
            }
        }
        let mut out = Vec::new();
        let mut i = 0;
        // Takes maximal runs of lines that repeat earlier ones.
        while i < lines.len() {
            let run = originals[i..]
                .iter()
                .take_while(|original| original.is_some())
                .count();
            let range = i..i + run;
            let long = |line: usize| lines[line].counts.tokens >= MIN_COPY;
            let long: Vec<u32> = range
                .clone()
                .filter(|&i| long(i))
                .map(|i| lines[i].counts.tokens)
                .collect();
            let tokens: u32 = if long.len() >= MIN_COPIED_LINES {
                long.iter().sum()
            } else {
                0
            };
            // A refrain is repeated within its element and is not a copy. A text that is repeated right after
            // itself is a copy.
            let is_doubled = range
                .clone()
                .all(|i| originals[i].is_some_and(|original| original as usize + run == i));
            // Members of a forum quote each other. As copies, their quotations would be lost (F1 .924 instead
            // of .940 on threads).
            let elsewhere = range.clone().all(|i| {
                originals[i].is_some_and(|original| {
                    let (copy, original) = (lines[i].context, lines[original as usize].context);
                    self.are_apart(copy, original)
                        || is_doubled && copy != original && self.tag(copy as usize) != Some(Tag::P)
                }) && !self.is_quoted(lines[i].context)
            });
            if tokens >= MIN_COPIES && elsewhere {
                out.extend(range.filter_map(|i| originals[i].map(|original| (narrow::to_u32(i), original))));
            }
            i += run.max(1);
        }
        out
    }

    /// Returns paragraphs that occur on the page twice, once in a style that few other lines have: the copy
    /// is drawn large beside the text.
    fn pulled_paragraphs(&self) -> Vec<(u32, u32)> {
        const MIN_TOKENS: u32 = 12;
        // Adjacent copies may be short: a question that opens its answer is repeated as the heading of the
        // answer.
        const MIN_ADJACENT: u32 = 3;
        const MAX_DISTANCE: usize = 20;
        const TWICE: u32 = 2;
        let (lines, texts) = (&self.page.lines, &self.page.texts);
        if self.page.copies.len() == lines.len() {
            return Vec::new();
        }
        let title = self.title_of_text().map(|title| texts[title]);
        let contexts = self.view.table.contexts();
        // The parent of the original also contains the copy, at most two levels deeper.
        let is_near = |copy: usize, original: usize| {
            const LEVELS: usize = 3;
            let around = contexts[lines[original].context as usize].parent;
            let mut above =
                std::iter::successors(Some(lines[copy].context), |&at| contexts[at as usize].parent);
            above.by_ref().take(LEVELS).any(|at| Some(at) == around)
                && around.is_some_and(|at| self.tag(at as usize) != Some(Tag::BODY))
        };
        let mut first: BTreeMap<u32, usize> = BTreeMap::new();
        let mut out = Vec::new();
        for (i, (line, &text)) in lines.iter().zip(texts).enumerate() {
            if self.page.copies[text as usize] != TWICE
                || title == Some(text)
                || line.counts.tokens < MIN_ADJACENT
                || line.hidden
                || line.lists > 0
                || line.tables > 0
                || self.is_quoted(line.context)
            {
                continue;
            }
            let Some(&before) = first.get(&text) else {
                first.insert(text, i);
                continue;
            };
            // Of two adjacent lines, the heading stays, or else the first one.
            if i - before == 1 && self.are_apart(line.context, lines[before].context) {
                let is_heading = line.heading > lines[before].heading;
                out.push(if is_heading {
                    (narrow::to_u32(before), narrow::to_u32(i))
                } else {
                    (narrow::to_u32(i), narrow::to_u32(before))
                });
                continue;
            }
            if line.counts.tokens < MIN_TOKENS || line.heading > 0 || lines[before].heading > 0 {
                continue;
            }
            // The copy is the line whose style has fewer lines on the page.
            let style = |line: usize| self.page.elements[lines[line].context as usize].style;
            let count = |line: usize| self.page.by_style[style(line) as usize].lines;
            let (copy, original) = if count(i) <= count(before) {
                (i, before)
            } else {
                (before, i)
            };
            if i - before <= MAX_DISTANCE
                && style(i) != style(before)
                && count(copy) < count(original)
                && is_near(copy, original)
            {
                out.push((narrow::to_u32(copy), narrow::to_u32(original)));
            }
        }
        out
    }

    /// Returns lines that repeat the line before them, one of the two a heading: cards in shops contain the
    /// name of a product once for each layout.
    fn doubled_headings(&self) -> Vec<(u32, u32)> {
        let (lines, texts) = (&self.page.lines, &self.page.texts);
        if self.page.copies.len() == lines.len() {
            return Vec::new();
        }
        let title = self.title_of_text().map(|title| texts[title]);
        let mut out = Vec::new();
        let mut before: Option<usize> = None;
        for (i, line) in lines.iter().enumerate().filter(|(_, line)| !line.hidden) {
            let Some(first) = before.filter(|&first| texts[first] == texts[i]) else {
                before = Some(i);
                continue;
            };
            let is_doubled = line.heading.max(lines[first].heading) > 0
                && line.counts.tokens > 0
                && line.tables == 0
                && line.context != lines[first].context
                && title != Some(texts[i]);
            let (copy, original) = match line.heading > 0 && lines[first].heading == 0 {
                true => (first, i),
                false => (i, first),
            };
            if is_doubled {
                out.push((narrow::to_u32(copy), narrow::to_u32(original)));
            }
            // A third copy is compared with the line that stays.
            before = Some(original);
        }
        out
    }

    /// Returns whether an element is in a quotation, by tag or by name.
    fn is_quoted(&self, element: u32) -> bool {
        const LEVELS: usize = 8;
        let contexts = self.view.table.contexts();
        let above = std::iter::successors(Some(element), |&at| contexts[at as usize].parent);
        above
            .take(LEVELS)
            .any(|at| self.tag(at as usize) == Some(Tag::BLOCKQUOTE) || self.is_named(at as usize, OF_QUOTES))
    }

    /// Returns whether two elements have different parents.
    fn are_apart(&self, one: u32, other: u32) -> bool {
        let contexts = self.view.table.contexts();
        contexts[one as usize].parent != contexts[other as usize].parent
    }

    /// Returns quotations in a frame of their own whose words also occur in a paragraph of the text.
    fn pulled_quotes(&self) -> Vec<(u32, u32)> {
        const MAX_QUOTES: usize = 16;
        const MAX_DISTANCE: usize = 20;
        const MIN_TOKENS: u32 = 4;
        const MAX_TOKENS: u32 = 80;
        let contexts = self.view.table.contexts();
        const LEVELS: usize = 3;
        let above = |line: &Line| {
            let above = std::iter::successors(Some(line.context), |&at| contexts[at as usize].parent);
            above.take(LEVELS)
        };
        let is_frame = |at: u32| {
            // Forums quote in an `aside` of that name.
            let is_aside =
                self.tag(at as usize) == Some(Tag::ASIDE) && !self.is_named(at as usize, OF_QUOTES);
            is_aside
                || self.tag(at as usize) == Some(Tag::FIGURE)
                || self.is_named(at as usize, OF_PULLED_QUOTES)
        };
        // Any other quotation may be pulled out of the text as well.
        let is_quotation =
            |at: u32| self.tag(at as usize) == Some(Tag::BLOCKQUOTE) || self.is_named(at as usize, OF_QUOTES);
        let in_frame = |line: &Line| above(line).any(|at| is_frame(at) || is_quotation(at));
        // Members of a forum quote posts in an element of its own. A pulled quote stands beside the paragraph
        // that it repeats.
        let is_beside = |quote: &Line, original: &Line| {
            // An embedded post of another site links to its source and is not a pulled quote.
            let outermost = above(quote).filter(|&at| is_quotation(at)).last();
            let outermost = outermost.filter(|&at| !self.holds(at as usize, &[Tag::A]));
            let around = outermost.and_then(|at| contexts[at as usize].parent);
            above(quote).any(is_frame) || contexts[original.context as usize].parent == around
        };
        let lines = &self.page.lines;
        let is_quote =
            |line: &Line| (MIN_TOKENS..=MAX_TOKENS).contains(&line.counts.tokens) && in_frame(line);
        // Each quotation is compared with the paragraphs near it. The bound keeps the time linear in the
        // page.
        let quotes: Vec<usize> = (0..lines.len())
            .filter(|&i| is_quote(&lines[i]))
            .take(MAX_QUOTES)
            .collect();
        if quotes.is_empty() {
            return Vec::new();
        }
        // Compared by letters and digits alone, in lower case: quotation marks and white space may differ.
        let letters = |text: &str| {
            text.chars()
                .filter(|c| c.is_alphanumeric())
                .flat_map(char::to_lowercase)
                .collect::<String>()
        };
        let mut out = Vec::new();
        let paragraphs: Vec<(usize, String)> = lines
            .iter()
            .enumerate()
            .filter(|(i, line)| line.counts.tokens > MIN_TOKENS && !quotes.contains(i) && !line.hidden)
            .map(|(i, line)| (i, letters(&self.text(line))))
            .collect();
        for quote in quotes {
            let said = letters(&self.text(&lines[quote]));
            let holds = |(_, text): &&(usize, String)| {
                (text.len() > said.len()
                    || text.len() == said.len() && lines[quote].counts.tokens >= MIN_COPY)
                    && memmem::find(text.as_bytes(), said.as_bytes()).is_some()
            };
            // Only nearby paragraphs count: readers of a forum quote one another, too.
            let near = |(i, _): &&(usize, String)| {
                i.abs_diff(quote) <= MAX_DISTANCE && is_beside(&lines[quote], &lines[*i])
            };
            if let Some((original, _)) = paragraphs.iter().filter(near).find(holds) {
                out.push((narrow::to_u32(quote), narrow::to_u32(*original)));
            }
        }
        out
    }
}
