//! Common parts of the extractors of boilerpipe: runs of blocks, and filters that several of them apply.
//!
//! Kohlschütter, Fankhauser, Nejdl, *Boilerplate Detection using Shallow Text Features*, WSDM 2010, in the form of boilerpipe 1.x. Each
//! block is a run at first. Filters label runs, merge neighbors and choose those with content. Deviation of all extractors: hidden blocks
//! and options of form controls are dropped beforehand.

pub(crate) mod rules;

use crate::analysis::blocks::table::BlockTable;
use crate::label::labels::{Labels, Verdict};
use dehusk_html::narrow;
use dehusk_html::tree::{Dom, Tag};
use rules::RunFeatures;

/// Label: repeats the page's title.
pub(crate) const TITLE: u8 = 1;
/// Label: in `h1` to `h3`.
pub(crate) const HEADING: u8 = 2;
/// Label: in a list.
pub(crate) const LIST_ITEM: u8 = 4;
/// Label: not the largest run, and may be added again.
pub(crate) const MIGHT_BE_CONTENT: u8 = 8;
/// Label: has the most words of all content runs.
pub(crate) const LARGEST: u8 = 16;

/// One or several blocks of the page, merged.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    /// Number of its first block. `last`: number of its last block. [`RunList::next`] links the blocks of a run.
    pub(crate) first: u32,
    last: u32,
    pub(crate) words: u32,
    pub(crate) link_words: u32,
    lines: u32,
    words_in_lines: u32,
    pub(crate) level: u32,
    pub(crate) labels: u8,
    pub(crate) content: bool,
}

impl Run {
    /// Returns the words per line of 80 columns.
    pub(crate) fn text_density(&self) -> f64 {
        f64::from(self.words_in_lines) / f64::from(self.lines.max(1))
    }

    pub(crate) fn features(&self) -> RunFeatures {
        RunFeatures {
            words: self.words,
            text_density: self.text_density(),
            link_density: if self.words == 0 {
                0.0
            } else {
                f64::from(self.link_words) / f64::from(self.words)
            },
        }
    }

    pub(crate) fn has(&self, label: u8) -> bool {
        self.labels & label != 0
    }

    /// Merges the next run into this one. `links` is the list [`RunList::next`].
    fn absorb(&mut self, next: &Run, links: &mut [u32]) {
        // The blocks of a run are a linked list, so that merging takes constant time.
        links[self.last as usize] = next.first;
        self.last = next.last;
        self.words += next.words;
        self.link_words += next.link_words;
        self.lines += next.lines;
        self.words_in_lines += next.words_in_lines;
        self.level = self.level.min(next.level);
        self.labels |= next.labels;
        self.content |= next.content;
    }

    /// Returns the number of blocks of the page between this run and a later one.
    fn gap(&self, next: &Run) -> u32 {
        next.first.saturating_sub(self.last + 1)
    }
}

/// The runs of a page, which the filters of an extractor modify.
#[derive(Debug)]
pub(crate) struct RunList {
    pub(crate) runs: Vec<Run>,
    /// A verdict for each block. In the end only the blocks of content runs are kept.
    pub(crate) verdicts: Vec<Verdict>,
    /// Per block: the next block of its run, or itself.
    next: Vec<u32>,
}

/// Returns the blocks of a run.
fn blocks_of<'n>(run: &Run, next: &'n [u32]) -> impl Iterator<Item = usize> + use<'n> {
    let last = run.last;
    std::iter::successors(Some(run.first), move |&i| (i != last).then(|| next[i as usize]))
        .map(|i| i as usize)
}

impl RunList {
    pub(crate) fn new(dom: &Dom<'_>, table: &BlockTable) -> Self {
        let mut runs = Vec::with_capacity(table.blocks().len());
        let mut verdicts = Vec::with_capacity(table.blocks().len());
        for (i, block) in table.blocks().iter().enumerate() {
            let option = dom.html_tag(block.element) == Some(Tag::OPTION);
            verdicts.push(Verdict::drop(match () {
                () if block.hidden => "hidden",
                () if option => "form-control",
                () => "not-looked-at",
            }));
            // These blocks are in no run, so that no filter keeps them.
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
                first: narrow::to_u32(i),
                last: narrow::to_u32(i),
                words: block.words,
                link_words: block.link_words,
                lines: block.lines,
                words_in_lines: block.words_in_lines,
                level: block.level,
                labels,
                content: false,
            });
        }
        let next = (0..narrow::to_u32(verdicts.len())).collect();
        RunList { runs, verdicts, next }
    }

    /// Sets the verdict of the blocks of a run.
    pub(crate) fn set_verdict(&mut self, run: usize, verdict: Verdict) {
        for i in blocks_of(&self.runs[run], &self.next) {
            self.verdicts[i] = verdict;
        }
    }

    /// Applies a decision tree to the previous, the current and the next run. Beyond the ends of the page all features are 0.
    pub(crate) fn classify(&mut self, tree: impl Fn(RunFeatures, RunFeatures, RunFeatures) -> Verdict) {
        let features: Vec<RunFeatures> = self.runs.iter().map(Run::features).collect();
        let at = |i: Option<usize>| i.and_then(|i| features.get(i).copied()).unwrap_or_default();
        for (i, &current) in features.iter().enumerate() {
            let verdict = tree(at(i.checked_sub(1)), current, at(Some(i + 1)));
            self.runs[i].content = verdict.kept;
            self.set_verdict(i, verdict);
        }
    }

    /// Merges neighbors of equal text density, from left to right.
    pub(crate) fn fuse_equal(&mut self) {
        let mut out: Vec<Run> = Vec::with_capacity(self.runs.len());
        for run in self.runs.drain(..) {
            match out.last_mut() {
                Some(prev) if prev.text_density() == run.text_density() => prev.absorb(&run, &mut self.next),
                _ => out.push(run),
            }
        }
        self.runs = out;
    }

    /// Proximity fusion: merges a content run into the previous run if at most one block of the page lies in between. With `strict`, both
    /// must be content and at the same level.
    pub(crate) fn fuse(&mut self, strict: bool) {
        let mut out: Vec<Run> = Vec::with_capacity(self.runs.len());
        for run in self.runs.drain(..) {
            // `gap` counts blocks of the page, including hidden ones.
            let joins = out.last().is_some_and(|prev| {
                run.content && prev.gap(&run) <= 1 && (!strict || (prev.content && prev.level == run.level))
            });
            match out.last_mut() {
                Some(prev) if joins => prev.absorb(&run, &mut self.next),
                _ => out.push(run),
            }
        }
        self.runs = out;
    }

    /// Makes the content run with the most words the only content, and returns its index. Of equal runs the first wins. Does nothing if
    /// there are fewer than two runs.
    pub(crate) fn keep_largest(&mut self) -> Option<usize> {
        if self.runs.len() < 2 {
            return None;
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
        // If no run has content, all keep the label of possible content.
        let largest = largest?;
        for i in (0..self.runs.len()).filter(|&i| i != largest) {
            self.set_verdict(i, Verdict::drop("not-the-largest-block"));
        }
        Some(largest)
    }

    /// Keeps the blocks of content runs. `reason` returns the reason for a run. If it returns `None`, the verdict of the decision tree
    /// stands, and blocks that the tree would have dropped count as merged with a neighbor.
    pub(crate) fn labels(
        mut self,
        method: &'static str,
        reason: impl Fn(&Run) -> Option<&'static str>,
    ) -> Labels {
        let mut kept = 0;
        for run in self.runs.iter().filter(|r| r.content) {
            let why = reason(run);
            for i in blocks_of(run, &self.next) {
                let verdict = &mut self.verdicts[i];
                *verdict = match why {
                    Some(why) => Verdict::keep(why),
                    None if verdict.kept => *verdict,
                    None => Verdict::keep("fused-with-neighbor"),
                };
                kept += 1;
            }
        }
        // The decision tree kept some of these blocks before a filter dropped their run.
        for run in self.runs.iter().filter(|r| !r.content) {
            for i in blocks_of(run, &self.next) {
                self.verdicts[i].kept = false;
            }
        }
        let mut labels = Labels::new(method, self.verdicts);
        if kept == 0 {
            labels.abstained = Some("no block has enough words and few enough links".to_owned());
        }
        labels
    }
}
