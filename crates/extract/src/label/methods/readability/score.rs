//! Steps 5 to 8: scores, the best candidate, and the siblings that belong to it.

use std::collections::BTreeSet;

use crate::label::methods::readability::attempt::Attempt;
use crate::label::methods::readability::constants::{
    ANCESTORS, CLOSE_CANDIDATE, MIN_CLOSE_CANDIDATES, MIN_PARAGRAPH, SIBLING_MIN, SIBLING_SHARE,
    TOP_CANDIDATES,
};
use crate::label::methods::readability::stats::Stats;
use crate::label::methods::readability::text_stat::TextStat;
use dehusk_html::tree::{NodeId, Tag};

/// Scores of the elements that received one.
pub(crate) struct Scores<'p> {
    /// Score by number of the node; NaN for nodes without a score.
    of: Vec<f64>,
    /// Elements with a score, in the order in which they first received one.
    pub(crate) candidates: Vec<NodeId>,
    pub(crate) stats: Stats<'p>,
}

impl Scores<'_> {
    /// Returns the score of an element; `None` if it received none.
    pub(crate) fn get(&self, id: NodeId) -> Option<f64> {
        self.of.get(id.index()).copied().filter(|score| !score.is_nan())
    }

    fn set(&mut self, id: NodeId, score: f64) {
        if self.of.len() <= id.index() {
            self.of.resize(id.index() + 1, f64::NAN);
        }
        self.of[id.index()] = score;
    }
}

/// Returns the score that a paragraph contributes to its parent; `None` if it is too short.
pub(crate) fn paragraph_score(text: TextStat) -> Option<f64> {
    let length = f64::from((text.chars / 100).min(3));
    (text.chars >= MIN_PARAGRAPH).then(|| 1.0 + f64::from(text.commas() + 1) + length)
}

impl<'p> Attempt<'p, '_> {
    /// Returns the score of an element before paragraphs contribute to it.
    fn base_score(&self, id: NodeId) -> f64 {
        let base = match self.tree.html_tag(id) {
            Some(Tag::DIV) => 5.0,
            Some(Tag::PRE | Tag::TD | Tag::BLOCKQUOTE) => 3.0,
            Some(Tag::ADDRESS | Tag::OL | Tag::UL | Tag::DL | Tag::DD | Tag::DT | Tag::LI | Tag::FORM) => {
                -3.0
            }
            Some(Tag::TH) => -5.0,
            Some(tag) if tag.heading_level().is_some() => -5.0,
            _ => 0.0,
        };
        base + self.class_weight(id)
    }

    /// Steps 5 and 6: paragraphs contribute to the scores of their ancestors, and links reduce the scores.
    pub(crate) fn score(&self, elements: &[NodeId]) -> Scores<'p> {
        let stats = self.stats(NodeId::DOCUMENT);
        let mut scores = Scores {
            of: vec![f64::NAN; self.tree.len()],
            candidates: Vec::new(),
            stats,
        };
        for &id in elements {
            let Some(given) = paragraph_score(scores.stats.get(id).text) else {
                continue;
            };
            if self.tree.parent(id).is_none() {
                continue;
            }
            for (level, ancestor) in self.tree.ancestors(id).take(ANCESTORS).enumerate() {
                // The root element and the document receive no score.
                if self.tree.parent(ancestor).is_none_or(|p| p == NodeId::DOCUMENT) {
                    break;
                }
                // Divisors as in Readability.js: 1 for the parent, 2 for the grandparent, then three times
                // the level.
                let share = match level {
                    0 => 1.0,
                    1 => 2.0,
                    _ => level as f64 * 3.0,
                };
                let old = scores.get(ancestor).unwrap_or_else(|| {
                    scores.candidates.push(ancestor);
                    self.base_score(ancestor)
                });
                scores.set(ancestor, old + given / share);
            }
        }
        // Links reduce the scores once all paragraphs have contributed.
        for id in std::mem::take(&mut scores.candidates) {
            let raw = scores.get(id).unwrap_or(0.0);
            let density = scores.stats.get(id).link_density();
            scores.set(id, raw * (1.0 - density));
            scores.candidates.push(id);
        }
        scores
    }

    /// Step 7: chooses the element that contains the article.
    pub(crate) fn choose(&mut self, body: NodeId, mut scores: Scores<'p>) -> (NodeId, Scores<'p>) {
        let mut top: Vec<(f64, NodeId)> = Vec::with_capacity(TOP_CANDIDATES + 1);
        for &id in &scores.candidates {
            let score = scores.get(id).unwrap_or(0.0);
            // Of equal scores, the earlier candidate stays ahead.
            if let Some(at) = (0..TOP_CANDIDATES).find(|&t| top.get(t).is_none_or(|&(s, _)| score > s)) {
                top.insert(at, (score, id));
                top.truncate(TOP_CANDIDATES);
            }
        }
        // Without a candidate, or with the body as the best one, the whole body is the article.
        let Some(&(best_score, mut best)) = top.first().filter(|(_, id)| *id != body) else {
            let all = self.tree.push_element(Tag::DIV);
            self.tree.reparent_children(body, all);
            self.tree.append(body, all);
            scores.set(all, self.base_score(all));
            return (all, scores);
        };
        let stop = |id: NodeId, tree: &dehusk_html::tree::Tree| {
            id == body || matches!(tree.html_tag(id), None | Some(Tag::BODY | Tag::HTML))
        };
        let close: Vec<BTreeSet<NodeId>> = top[1..]
            .iter()
            .filter(|(s, _)| s / best_score >= CLOSE_CANDIDATE)
            .map(|&(_, id)| self.tree.ancestors(id).collect())
            .collect();
        if close.len() >= MIN_CLOSE_CANDIDATES {
            let shared = self
                .tree
                .ancestors(best)
                .take_while(|&a| !stop(a, &self.tree))
                .find(|a| close.iter().filter(|set| set.contains(a)).count() >= MIN_CLOSE_CANDIDATES);
            best = shared.unwrap_or(best);
        }
        if scores.get(best).is_none() {
            scores.set(best, self.base_score(best));
        }
        // Scores fall on the way up, since ancestors get smaller shares. An ancestor with a higher score than
        // its child collects the text of several children; a drop below a third ends the search.
        let mut last = scores.get(best).unwrap_or(0.0);
        let floor = last / 3.0;
        for parent in self.tree.ancestors(best).take_while(|&a| !stop(a, &self.tree)) {
            let Some(score) = scores.get(parent) else { continue };
            if score < floor {
                break;
            }
            if score > last {
                best = parent;
                break;
            }
            last = score;
        }
        // An only child is replaced by its parent, whose siblings may belong to the article.
        while let Some(parent) = self.tree.parent(best).filter(|&p| !stop(p, &self.tree)) {
            let elements = self
                .tree
                .children(parent)
                .filter(|&c| self.tree.is_element(c))
                .take(2)
                .count();
            if elements != 1 {
                break;
            }
            best = parent;
        }
        if scores.get(best).is_none() {
            scores.set(best, self.base_score(best));
        }
        (best, scores)
    }

    /// Step 8: moves the best candidate and the siblings that belong to it into a new element.
    pub(crate) fn gather(&mut self, best: NodeId, scores: &Scores<'_>) {
        let article = self.tree.push_element(Tag::DIV);
        self.article = Some(article);
        let best_score = scores.get(best).unwrap_or(0.0);
        let threshold = SIBLING_MIN.max(best_score * SIBLING_SHARE);
        let class = self.page.names(best).class_hash;
        let Some(parent) = self.tree.parent(best) else {
            self.tree.append(article, best);
            return;
        };
        let siblings: Vec<NodeId> = self
            .tree
            .children(parent)
            .filter(|&c| self.tree.is_element(c))
            .collect();
        for id in siblings {
            // A sibling with the class of the best candidate needs a lower score.
            let bonus = if class != 0 && self.page.names(id).class_hash == class {
                best_score * SIBLING_SHARE
            } else {
                0.0
            };
            let goes = id == best
                || scores.get(id).is_some_and(|s| s + bonus >= threshold)
                || self.tree.html_tag(id) == Some(Tag::P) && self.reads_like_text(id, scores);
            if !goes {
                continue;
            }
            let keeps_name = matches!(
                self.tree.html_tag(id),
                Some(Tag::DIV | Tag::ARTICLE | Tag::SECTION | Tag::P | Tag::OL | Tag::UL)
            );
            // As in the original, all other elements become `div`.
            if !keeps_name {
                self.tree.set_tag(id, Tag::DIV);
            }
            self.tree.detach(id);
            self.tree.append(article, id);
        }
    }

    /// Returns whether a paragraph beside the best candidate reads like text: long with few links, or short
    /// with a sentence and no links.
    fn reads_like_text(&self, id: NodeId, scores: &Scores<'_>) -> bool {
        let counts = scores.stats.get(id);
        match counts.text.chars {
            0 => false,
            81.. => counts.link_density() < 0.25,
            _ if counts.linked > 0.0 => false,
            _ => {
                // A short paragraph counts only if a sentence ends in it.
                let mut text = String::new();
                for node in self.tree.preorder(id).filter(|&n| self.tree.is_text(n)) {
                    text.push_str(&self.page.dom.text(node));
                }
                let text = text.trim();
                text.ends_with('.') || text.contains(". ")
            }
        }
    }
}
