//! `boilerpipe-article`: word counts and link density of neighboring blocks.
//!
//! Kohlschütter, Fankhauser, Nejdl, *Boilerplate Detection using Shallow Text Features*, WSDM 2010: the decision tree on word counts, and
//! the filter chain of the article extractor in boilerpipe 1.x. Deviations, in addition to those of [`super::boilerpipe`]: the phrases
//! that end an article include Russian ones; only the first 1,000 characters of a title are read.

mod title;

use std::sync::LazyLock;

use crate::analysis::blocks::table::BlockTable;
use crate::analysis::word_lists::WordLists;
use crate::label::extractor::{Extractor, PageView};
use crate::label::labels::{Labels, Verdict};
use crate::label::methods::boilerpipe::rules::NumWordsRules;
use crate::label::methods::boilerpipe::{HEADING, LARGEST, LIST_ITEM, MIGHT_BE_CONTENT, Run, RunList, TITLE};
use dehusk_html::tree::{NodeId, Tag};

/// The extractor `boilerpipe-article`.
#[derive(Debug)]
pub(crate) struct BoilerpipeArticle;

impl Extractor for BoilerpipeArticle {
    fn name(&self) -> &'static str {
        "boilerpipe-article"
    }

    fn summary(&self) -> &'static str {
        "word counts and link density of neighboring blocks, tuned for articles (Kohlschütter et al., 2010)"
    }

    fn label(&self, view: &PageView<'_>) -> Labels {
        let mut runs = RunList::new(view.dom, view.table);
        let title = view
            .dom
            .find(NodeId::DOCUMENT, Tag::TITLE)
            .map(|t| view.dom.text_content(t));
        // The filters of `ArticleExtractor`, in its order.
        runs.mark_title(view.table, title.as_deref().unwrap_or(""));
        let tree = NumWordsRules::default();
        runs.classify(|prev, current, next| tree.decide(prev, current, next));
        runs.cut_after_end(view.table);
        runs.drop_trailing_headings();
        runs.fuse(false);
        runs.remove_boilerplate();
        runs.fuse(true);
        runs.keep_largest_and_similar();
        runs.expand_to_title();
        runs.add_large_blocks();
        runs.add_list_at_end();
        runs.labels(self.name(), |run| {
            Some(match () {
                () if run.has(LARGEST) => "largest-block",
                () if run.has(TITLE) => "title",
                () => "beside-largest-block",
            })
        })
    }
}

impl RunList {
    /// Step 2: marks the first block that repeats the page's title.
    fn mark_title(&mut self, table: &BlockTable, title: &str) {
        let parts = title::parts(title);
        if parts.is_empty() {
            return;
        }
        let starts: Vec<u64> = parts.iter().map(|part| title::prefix_hash(part)).collect();
        let first_letters = title::first_letters(&parts);
        // Long blocks cannot be the title.
        let longest = parts.iter().map(String::len).max().unwrap_or(0) * 2 + 16;
        for run in &mut self.runs {
            let text = table.text(&table.blocks()[run.first as usize]);
            if text.len() > longest || !title::may_begin(text, first_letters) {
                continue;
            }
            // The hashes reject almost all blocks before their texts are compared, which allocates.
            let start = title::prefix_hash(text);
            let mut alike = parts
                .iter()
                .zip(&starts)
                .filter(|(_, of_part)| **of_part == start);
            if alike.any(|(part, _)| title::letters_hash(part) == title::letters_hash(text))
                && title::matches(&parts, text)
            {
                run.labels |= TITLE;
                return;
            }
        }
    }

    /// Steps 1 and 4: drops everything from the first phrase on that marks the end of an article, after 60 words of running text. Phrases
    /// before that have no effect, so that they are not searched for.
    fn cut_after_end(&mut self, table: &BlockTable) {
        let (mut words, mut over) = (0, false);
        for i in 0..self.runs.len() {
            let run = &mut self.runs[i];
            over = over || words >= 60 && is_end(run, table);
            if over {
                run.content = false;
                self.set_verdict(i, Verdict::drop("after-end-of-article"));
            } else if run.content && run.text_density() >= 9.0 {
                words += run.words;
            }
        }
    }

    /// Step 5: drops content headings that no content follows.
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
            self.set_verdict(i, Verdict::drop("trailing-heading"));
        }
    }

    /// Step 7: removes runs that are neither content nor the title.
    fn remove_boilerplate(&mut self) {
        self.runs.retain(|run| run.content || run.has(TITLE));
    }

    /// Step 9: keeps the run with the most words, and its large neighbors at the same level.
    fn keep_largest_and_similar(&mut self) {
        let Some(largest) = self.keep_largest() else {
            return;
        };
        let level = self.runs[largest].level;
        let (before, after) = self.runs.split_at_mut(largest);
        let widen = |run: &mut Run| {
            // The minimum of 150 words is that of the original.
            if run.level == level && run.words >= 150 {
                run.content = true;
            }
        };
        // Up to the first run that lies less deep in the tree.
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

    /// Step 10: keeps runs between the title and the text.
    fn expand_to_title(&mut self) {
        let Some(prefix_hash) = self.runs.iter().position(|r| r.content) else {
            return;
        };
        let Some(title) = self.runs[..prefix_hash].iter().rposition(|r| r.has(TITLE)) else {
            return;
        };
        for run in &mut self.runs[title..prefix_hash] {
            run.content |= run.has(MIGHT_BE_CONTENT);
        }
    }

    /// Step 11: keeps other large runs at the level of the largest.
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

    /// Step 12: keeps a list at the end of the text.
    fn add_list_at_end(&mut self) {
        // Level of the largest run as long as only its list follows; otherwise a level that no run exceeds.
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
}

/// Returns whether a short run is a phrase that follows the end of an article.
fn is_end(run: &Run, table: &BlockTable) -> bool {
    if run.words >= 15 {
        return false;
    }
    let block = &table.blocks()[run.first as usize];
    let text = table.text(block);
    if block.chars >= 8 {
        may_end_article(text) && ends_article(&text.to_lowercase())
    } else {
        run.words > 0 && run.link_words == run.words && text == "Comment"
    }
}

/// Returns whether a short block, lower-cased, is a phrase that follows an article.
fn ends_article(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    STARTS.iter().any(|s| text.starts_with(s))
        || CONTAINS.iter().any(|s| text.contains(s))
        || (rest.len() < text.len() && AFTER_NUMBER.iter().any(|s| rest.starts_with(s)))
        || text == CLOSED
}

/// Returns whether one of the phrases occurs anywhere in a text, in any case. A cheap filter for [`ends_article`].
fn may_end_article(text: &str) -> bool {
    static PHRASES: LazyLock<WordLists> = LazyLock::new(|| {
        WordLists::new([STARTS, CONTAINS, AFTER_NUMBER, &[CLOSED]].map(|phrases| (1, phrases)))
    });
    PHRASES.find_in_any_case(text) != 0
}

/// Beginnings of lower-cased blocks that follow an article.
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
/// Phrases that may occur anywhere in such a block.
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
/// Phrases after a number at the beginning of such a block: `12 comments`.
const AFTER_NUMBER: &[&str] = &[" comments", " users responded in", " комментар"];
/// Text that is such a block as a whole.
const CLOSED: &str = "thanks for your comments - this feedback is now closed";

#[cfg(test)]
mod tests;
