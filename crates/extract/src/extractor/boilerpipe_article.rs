//! `boilerpipe-article`: word counts and link density of neighbouring blocks.
//!
//! Kohlschütter, Fankhauser, Nejdl, *Boilerplate Detection using Shallow Text Features*, WSDM 2010: the decision tree on
//! numbers of words, and the filter chain of the article extractor in boilerpipe 1.x. Deviations: hidden blocks are dropped
//! beforehand; the phrases that end an article are Russian too.

mod title;

use super::{Extractor, Labels, Verdict, View};
use crate::block::BlockTable;
use crate::dom::{Dom, Tag};

pub(super) struct BoilerpipeArticle;

impl Extractor for BoilerpipeArticle {
    fn name(&self) -> &'static str {
        "boilerpipe-article"
    }

    fn summary(&self) -> &'static str {
        "word counts and link density of neighbouring blocks, tuned for articles (Kohlschütter et al., 2010)"
    }

    fn label(&self, view: &View<'_>) -> Labels {
        let mut chain = Chain::new(view.dom, view.table);
        chain.mark_ends(view.table);
        let title = view
            .dom
            .find(crate::dom::NodeId::DOCUMENT, Tag::TITLE)
            .map(|t| view.dom.text_content(t));
        chain.mark_title(view.table, title.as_deref().unwrap_or(""));
        chain.classify();
        chain.cut_after_end();
        chain.drop_trailing_headings();
        chain.fuse(false);
        chain.remove_boilerplate();
        chain.fuse(true);
        chain.keep_largest();
        chain.expand_to_title();
        chain.add_large_blocks();
        chain.add_list_at_end();
        chain.labels(self.name())
    }
}

const END: u8 = 1;
const TITLE: u8 = 2;
const HEADING: u8 = 4;
const LIST_ITEM: u8 = 8;
const MIGHT_BE_CONTENT: u8 = 16;
const LARGEST: u8 = 32;

/// One or several blocks of the page, merged.
#[derive(Clone, Debug)]
struct Run {
    members: Vec<u32>,
    words: u32,
    link_words: u32,
    lines: u32,
    words_in_lines: u32,
    level: u32,
    labels: u8,
    content: bool,
}

impl Run {
    fn text_density(&self) -> f64 {
        f64::from(self.words_in_lines) / f64::from(self.lines.max(1))
    }

    fn link_density(&self) -> f64 {
        if self.words == 0 {
            0.0
        } else {
            f64::from(self.link_words) / f64::from(self.words)
        }
    }

    fn has(&self, label: u8) -> bool {
        self.labels & label != 0
    }

    fn absorb(&mut self, next: &Run) {
        self.members.extend_from_slice(&next.members);
        self.words += next.words;
        self.link_words += next.link_words;
        self.lines += next.lines;
        self.words_in_lines += next.words_in_lines;
        self.level = self.level.min(next.level);
        self.labels |= next.labels;
        self.content |= next.content;
    }

    /// Blocks of the page between this run and a later one.
    fn gap(&self, next: &Run) -> u32 {
        match (self.members.last(), next.members.first()) {
            (Some(end), Some(start)) => start.saturating_sub(*end + 1),
            _ => u32::MAX,
        }
    }
}

struct Chain {
    runs: Vec<Run>,
    verdicts: Vec<Verdict>,
}

impl Chain {
    fn new(dom: &Dom<'_>, table: &BlockTable) -> Self {
        let mut runs = Vec::with_capacity(table.blocks().len());
        let mut verdicts = Vec::with_capacity(table.blocks().len());
        for (i, block) in table.blocks().iter().enumerate() {
            let option = dom.html_tag(block.element) == Some(Tag::OPTION);
            verdicts.push(Verdict::drop(match () {
                () if block.hidden => "hidden",
                () if option => "form-control",
                () => "few-words-or-many-links",
            }));
            if block.hidden || option {
                continue;
            }
            let mut labels = 0;
            labels |= if (1..=3).contains(&block.heading) {
                HEADING
            } else {
                0
            };
            labels |= if block.lists > 0 { LIST_ITEM } else { 0 };
            runs.push(Run {
                members: vec![i as u32],
                words: block.words,
                link_words: block.link_words,
                lines: block.lines,
                words_in_lines: block.words_in_lines,
                level: block.level,
                labels,
                content: false,
            });
        }
        Chain { runs, verdicts }
    }

    fn reject(&mut self, run: usize, reason: &'static str) {
        for &i in &self.runs[run].members {
            self.verdicts[i as usize] = Verdict::drop(reason);
        }
    }

    /// Step 1: phrases behind which an article is over.
    fn mark_ends(&mut self, table: &BlockTable) {
        for run in self.runs.iter_mut().filter(|r| r.words < 15) {
            let block = &table.blocks()[run.members[0] as usize];
            let text = table.text(block);
            let ends = if block.chars >= 8 {
                ends_article(&text.to_lowercase())
            } else {
                run.words > 0 && run.link_words == run.words && text == "Comment"
            };
            if ends {
                run.labels |= END;
            }
        }
    }

    /// Step 2: the first block that repeats the page's title.
    fn mark_title(&mut self, table: &BlockTable, title: &str) {
        let parts = title::parts(title);
        if parts.is_empty() {
            return;
        }
        // A title is a line, so long blocks need not be looked at.
        let longest = parts.iter().map(String::len).max().unwrap_or(0) * 2 + 16;
        for run in &mut self.runs {
            let text = table.text(&table.blocks()[run.members[0] as usize]);
            if text.len() <= longest && title::matches(&parts, text) {
                run.labels |= TITLE;
                return;
            }
        }
    }

    /// Step 3: the decision tree.
    fn classify(&mut self) {
        let figures: Vec<(u32, f64)> = self.runs.iter().map(|r| (r.words, r.link_density())).collect();
        let at = |i: Option<usize>| i.and_then(|i| figures.get(i).copied()).unwrap_or((0, 0.0));
        for (i, run) in self.runs.iter_mut().enumerate() {
            run.content = is_content(at(i.checked_sub(1)), figures[i], at(Some(i + 1)));
        }
    }

    /// Step 4: nothing behind an end once there are 60 words of running text.
    fn cut_after_end(&mut self) {
        let (mut words, mut over) = (0, false);
        for i in 0..self.runs.len() {
            let run = &mut self.runs[i];
            over |= run.has(END) && words >= 60;
            if over {
                run.content = false;
                self.reject(i, "after-end-of-article");
            } else if run.content && run.text_density() >= 9.0 {
                words += run.words;
            }
        }
    }

    /// Step 5: headings that no text follows.
    fn drop_trailing_headings(&mut self) {
        for i in (0..self.runs.len())
            .rev()
            .filter(|&i| self.runs[i].content)
            .collect::<Vec<_>>()
        {
            if !self.runs[i].has(HEADING) {
                break;
            }
            self.runs[i].content = false;
            self.reject(i, "trailing-heading");
        }
    }

    /// Steps 6 and 8: a content run joins the one before it if at most one block of the page lies between; with
    /// `strict` only if both are content and at the same level.
    fn fuse(&mut self, strict: bool) {
        let mut out: Vec<Run> = Vec::with_capacity(self.runs.len());
        for run in self.runs.drain(..) {
            let joins = out.last().is_some_and(|prev| {
                run.content && prev.gap(&run) <= 1 && (!strict || (prev.content && prev.level == run.level))
            });
            match out.last_mut() {
                Some(prev) if joins => prev.absorb(&run),
                _ => out.push(run),
            }
        }
        self.runs = out;
    }

    /// Step 7.
    fn remove_boilerplate(&mut self) {
        self.runs.retain(|run| run.content || run.has(TITLE));
    }

    /// Step 9: the run with most words, and its large neighbours at the same level.
    fn keep_largest(&mut self) {
        if self.runs.len() < 2 {
            return;
        }
        let mut largest: Option<usize> = None;
        for (i, run) in self.runs.iter().enumerate() {
            if run.content && largest.is_none_or(|l| run.words > self.runs[l].words) {
                largest = Some(i);
            }
        }
        for (i, run) in self.runs.iter_mut().enumerate() {
            run.content = largest == Some(i);
            run.labels |= if run.content { LARGEST } else { MIGHT_BE_CONTENT };
        }
        let Some(largest) = largest else { return };
        for i in 0..self.runs.len() {
            if i != largest {
                self.reject(i, "not-the-largest-block");
            }
        }
        let level = self.runs[largest].level;
        let (before, after) = self.runs.split_at_mut(largest);
        let widen = |run: &mut Run| {
            if run.level == level && run.words >= 150 {
                run.content = true;
            }
        };
        before
            .iter_mut()
            .rev()
            .take_while(|r| r.level >= level)
            .for_each(widen);
        after
            .iter_mut()
            .skip(1)
            .take_while(|r| r.level >= level)
            .for_each(widen);
    }

    /// Step 10: what stands between the title and the text.
    fn expand_to_title(&mut self) {
        let Some(start) = self.runs.iter().position(|r| r.content) else {
            return;
        };
        let Some(title) = self.runs[..start].iter().rposition(|r| r.has(TITLE)) else {
            return;
        };
        for run in &mut self.runs[title..start] {
            run.content |= run.has(MIGHT_BE_CONTENT);
        }
    }

    /// Step 11: other large runs at the level of the largest.
    fn add_large_blocks(&mut self) {
        let Some(level) = self
            .runs
            .iter()
            .find(|r| r.content && r.has(LARGEST))
            .map(|r| r.level)
        else {
            return;
        };
        for run in &mut self.runs {
            run.content |= run.words >= 100 && run.level == level;
        }
    }

    /// Step 12: a list that ends the text.
    fn add_list_at_end(&mut self) {
        let mut level = u32::MAX;
        for run in &mut self.runs {
            if run.content && run.has(LARGEST) {
                level = run.level;
            } else if run.level > level
                && run.has(MIGHT_BE_CONTENT)
                && run.has(LIST_ITEM)
                && run.link_words == 0
            {
                run.content = true;
            } else {
                level = u32::MAX;
            }
        }
    }

    fn labels(mut self, method: &'static str) -> Labels {
        let mut kept = 0;
        for run in self.runs.iter().filter(|r| r.content) {
            let reason = match () {
                () if run.has(LARGEST) => "largest-block",
                () if run.has(TITLE) => "title",
                () => "beside-largest-block",
            };
            for &i in &run.members {
                self.verdicts[i as usize] = Verdict::keep(reason);
                kept += 1;
            }
        }
        let mut labels = Labels::new(method, self.verdicts);
        if kept == 0 {
            labels.abstained = Some("no block has enough words and few enough links".to_owned());
        }
        labels
    }
}

/// The published tree on words and link densities of the previous, the current and the next block.
pub(super) fn is_content(prev: (u32, f64), current: (u32, f64), next: (u32, f64)) -> bool {
    if current.1 > 0.333_333 {
        false
    } else if prev.1 <= 0.555_556 {
        current.0 > 16 || next.0 > 15 || prev.0 > 4
    } else {
        current.0 > 40 || next.0 > 17
    }
}

/// Whether a short block, lower-cased, announces what follows an article.
fn ends_article(text: &str) -> bool {
    const STARTS: &[&str] = &[
        "comments",
        "© reuters",
        "please rate this",
        "post a comment",
        "комментарии",
        "читайте также",
        "похожие материалы",
        "ссылки по теме",
        "поделиться",
        "теги:",
    ];
    const CONTAINS: &[&str] = &[
        "what you think...",
        "add your comment",
        "add comment",
        "reader views",
        "have your say",
        "reader comments",
        "rätta artikeln",
        "оставить комментарий",
        "добавить комментарий",
    ];
    const AFTER_NUMBER: &[&str] = &[" comments", " users responded in", " комментар"];
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    STARTS.iter().any(|s| text.starts_with(s))
        || CONTAINS.iter().any(|s| text.contains(s))
        || (rest.len() < text.len() && AFTER_NUMBER.iter().any(|s| rest.starts_with(s)))
        || text == "thanks for your comments - this feedback is now closed"
}

#[cfg(test)]
mod tests;
