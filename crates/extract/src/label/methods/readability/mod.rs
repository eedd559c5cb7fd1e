//! `readability`: paragraphs vote for their ancestors.
//!
//! Arc90's readability (2009) in the form of Mozilla's Readability.js: the ten steps, weights and word lists of that
//! program. It works on a copy of the tree's links, which it rewrites as the original rewrites the page; texts are never
//! copied, so the answer is a set of text nodes. Text lengths and counts are folded bottom-up once per pass instead of
//! being summed again for each element, so the cost is linear. Deviations: lengths are in characters, not in UTF-16 units;
//! the test for a heading that repeats the title splits words by Unicode; images are not looked at for lazy loading, and
//! those inside `noscript` are not taken out.

mod clean;
pub(crate) mod names;
mod precheck;
mod prepare;
mod score;
mod stats;

use crate::analysis::blocks::BlockTable;
use crate::label::extractor::{Extractor, PageView};
use crate::label::labels::{Labels, Verdict};
use dehusk_html::tree::{Dom, NodeId, Tag, Tree};
use names::Names;
use stats::TextStat;

/// Every number of the method in one place.
mod constants {
    /// Characters a result must have to be accepted.
    pub(crate) const CHAR_THRESHOLD: u32 = 500;
    /// Candidates compared with the best one.
    pub(crate) const TOP_CANDIDATES: usize = 5;
    /// Characters below which an element scores nothing.
    pub(crate) const MIN_PARAGRAPH: u32 = 25;
    /// Levels of ancestors that receive a share of a score.
    pub(crate) const ANCESTORS: usize = 5;
    /// Share of a `#fragment` link's characters that counts as linked.
    pub(crate) const FRAGMENT_LINK: f64 = 0.3;
    /// Score of a close candidate, as a share of the best one's.
    pub(crate) const CLOSE_CANDIDATE: f64 = 0.75;
    /// Close candidates it takes to move up to their common ancestor.
    pub(crate) const MIN_CLOSE_CANDIDATES: usize = 3;
    /// Score a sibling needs, as a share of the best one's, and at least.
    pub(crate) const SIBLING_SHARE: f64 = 0.2;
    pub(crate) const SIBLING_MIN: f64 = 10.0;
    /// Characters up to which an element named `share` is thought to be a bar of buttons.
    pub(crate) const SHARE_CHARS: u32 = 500;
    /// Word similarity above which a heading repeats the title.
    pub(crate) const TITLE_SIMILARITY: f64 = 0.75;
}

#[derive(Debug)]
pub(crate) struct Readability;

impl Extractor for Readability {
    fn name(&self) -> &'static str {
        "readability"
    }

    fn summary(&self) -> &'static str {
        "paragraphs vote for their ancestors, weighted by class and id (Arc90, Mozilla Readability.js)"
    }

    fn label(&self, view: &PageView<'_>) -> Labels {
        let page = PageFacts::new(view);
        let mut flags = Flags {
            strip_unlikely: true,
            weight_classes: true,
            clean_conditionally: true,
        };
        let mut best: Option<(u32, Attempt)> = None;
        let enough = loop {
            let attempt = Attempt::run(&page, flags);
            let chars = attempt.chars();
            if best.as_ref().is_none_or(|(most, _)| chars > *most) {
                best = Some((chars, attempt));
            }
            if chars >= constants::CHAR_THRESHOLD {
                // An accepted attempt is the answer even if an earlier, rejected one was not shorter: it cannot be.
                break true;
            }
            if view.deadline.passed() || !flags.relax() {
                break false;
            }
        };
        let Some((chars, attempt)) = best else {
            return Labels::new(self.name(), Vec::new());
        };
        let mut labels = Labels::new(self.name(), attempt.verdicts(view.table));
        if !enough {
            labels.abstained = Some(format!("{chars} characters after all retries"));
        }
        labels
    }
}

/// The pre-check of the method: see [`crate::is_article`].
pub(crate) fn reads_as_article(dom: &Dom<'_>) -> bool {
    precheck::is_article(&PageFacts::of(dom, ""))
}

/// What the attempts try; switched off one after another.
#[derive(Clone, Copy, Debug)]
struct Flags {
    strip_unlikely: bool,
    weight_classes: bool,
    clean_conditionally: bool,
}

impl Flags {
    /// Switches off the first flag still on; false if none was.
    fn relax(&mut self) -> bool {
        for flag in [
            &mut self.strip_unlikely,
            &mut self.weight_classes,
            &mut self.clean_conditionally,
        ] {
            if std::mem::take(flag) {
                return true;
            }
        }
        false
    }
}

/// What stays the same in all attempts at a page.
struct PageFacts<'v> {
    dom: &'v Dom<'v>,
    title: &'v str,
    /// What class and id say, a node each.
    names: Vec<Names>,
    /// Length and commas of text nodes, a node each.
    texts: Vec<TextStat>,
}

impl<'v> PageFacts<'v> {
    fn new(view: &PageView<'v>) -> Self {
        PageFacts::of(view.dom, view.title.unwrap_or(""))
    }

    fn of(dom: &'v Dom<'v>, title: &'v str) -> Self {
        let mut names = vec![Names::default(); dom.len()];
        let mut texts = vec![TextStat::default(); dom.len()];
        for id in dom.preorder(NodeId::DOCUMENT) {
            if dom.is_text(id) {
                // Scripts and styles, the bulk of many pages, are taken out before anything is counted.
                let parent = dom.parent(id).and_then(|p| dom.html_tag(p));
                if !matches!(parent, Some(Tag::SCRIPT | Tag::STYLE | Tag::NOSCRIPT)) {
                    texts[id.index()] = TextStat::of(&dom.text(id));
                }
            } else {
                names[id.index()] = Names::of(dom, id);
            }
        }
        PageFacts {
            dom,
            title,
            names,
            texts,
        }
    }

    fn names(&self, id: NodeId) -> Names {
        self.names.get(id.index()).copied().unwrap_or_default()
    }

    fn text(&self, id: NodeId) -> TextStat {
        self.texts.get(id.index()).copied().unwrap_or_default()
    }
}

/// Why something left the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Removed {
    Hidden,
    Byline,
    RepeatsTitle,
    Unlikely,
    Role,
    Control,
    Share,
    Cleaned,
    Heading,
}

impl Removed {
    fn reason(self) -> &'static str {
        match self {
            Removed::Hidden => "hidden",
            Removed::Byline => "byline",
            Removed::RepeatsTitle => "repeats-title",
            Removed::Unlikely => "unlikely-class-or-id",
            Removed::Role => "role-of-a-husk",
            Removed::Control => "form-control-or-embed",
            Removed::Share => "share-bar",
            Removed::Cleaned => "cleaned-conditionally",
            Removed::Heading => "heading-with-negative-class",
        }
    }
}

/// One attempt: a tree of its own and what was done to it.
struct Attempt<'p, 'v> {
    page: &'p PageFacts<'v>,
    flags: Flags,
    tree: Tree,
    removed: Vec<(NodeId, Removed)>,
    /// The article: a new element that holds the best candidate and the siblings that go with it.
    article: Option<NodeId>,
    best: Option<NodeId>,
}

impl<'p, 'v> Attempt<'p, 'v> {
    fn run(page: &'p PageFacts<'v>, flags: Flags) -> Self {
        // A few elements are added.
        let tree = page.dom.tree();
        let tree = tree.with_room(tree.len() / 16 + 16);
        let mut attempt = Attempt {
            page,
            flags,
            tree,
            removed: Vec::new(),
            article: None,
            best: None,
        };
        attempt.grab();
        attempt
    }

    fn grab(&mut self) {
        let Some(body) = self.page.dom.find(NodeId::DOCUMENT, Tag::BODY) else {
            return;
        };
        self.prepare();
        let elements = self.strip();
        let scores = self.score(&elements);
        let (best, score) = self.choose(body, scores);
        self.best = Some(best);
        self.gather(best, &score);
        // Cleaning folds figures of its own.
        drop(score);
        self.clean();
    }

    fn remove(&mut self, id: NodeId, why: Removed) {
        self.tree.detach(id);
        self.removed.push((id, why));
    }

    fn class_weight(&self, id: NodeId) -> f64 {
        if self.flags.weight_classes {
            self.page.names(id).weight()
        } else {
            0.0
        }
    }

    /// Characters of the article.
    fn chars(&self) -> u32 {
        let Some(article) = self.article else { return 0 };
        let mut all = TextStat::default();
        for id in self.tree.preorder(article) {
            if self.tree.is_text(id) {
                all = all.then(self.page.text(id));
            }
        }
        all.chars
    }

    /// A verdict for each block: it goes with the larger part of its characters.
    fn verdicts(&self, table: &BlockTable) -> Vec<Verdict> {
        const OUTSIDE: Verdict = Verdict {
            kept: false,
            reason: "outside-best-candidate",
        };
        let nodes = self.page.dom.len();
        let mut fate = vec![OUTSIDE; nodes];
        for &(root, why) in &self.removed {
            for id in self.tree.preorder(root).filter(|id| id.index() < nodes) {
                fate[id.index()] = Verdict::drop(why.reason());
            }
        }
        for child in self.article.into_iter().flat_map(|a| self.tree.children(a)) {
            let verdict = Verdict::keep(if Some(child) == self.best {
                "in-best-candidate"
            } else {
                "sibling-of-best"
            });
            for id in self.tree.preorder(child).filter(|id| id.index() < nodes) {
                fate[id.index()] = verdict;
            }
        }
        let decide = |block| {
            let (mut kept, mut dropped) = (None, OUTSIDE);
            let mut balance = 0_i64;
            for &node in table.nodes(block) {
                let verdict = fate[node.index()];
                let chars = i64::from(self.page.text(node).chars);
                balance += if verdict.kept { chars } else { -chars };
                if verdict.kept {
                    kept = Some(verdict);
                } else {
                    dropped = verdict;
                }
            }
            kept.filter(|_| balance >= 0).unwrap_or(dropped)
        };
        table.blocks().iter().map(decide).collect()
    }
}

#[cfg(test)]
mod tests;
