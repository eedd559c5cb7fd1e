//! `style-tree`: merges pages into one tree whose nodes are weighted by how much they vary.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::method::SiteMethod;
use super::tree::{ElementTree, texts_without};
use crate::options::Options;
use crate::page::Page;
use crate::parameter::{Parameter, number};

/// Site Style Tree (Yi, Liu, Li, "Eliminating noisy information in web pages for data mining", KDD 2003; formulas as quoted
/// elsewhere). Pages are merged from the root; an element node holds the sequences of children that occur (style nodes) with
/// their pages. Parts whose presentations and words hardly vary are noise. Words are the only features of leaves.
///
/// Weakness: the sequences of children in content hardly repeat, so its nodes have few pages.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StyleTree {
    /// Importance below which a part, with all that is in it, is noise.
    pub threshold: f64,
    /// Weight of the children against the node's own variety, 0 to 1.
    pub gamma: f64,
}

impl StyleTree {
    /// With the usual parameters.
    pub const USUAL: StyleTree = StyleTree {
        threshold: 0.4,
        gamma: 0.9,
    };
}

/// How much the presentations of an element vary: entropy of their shares of the pages, in units of the logarithm of the
/// number of pages; 1 for a single page.
pub fn node_importance(shares: &[f64], pages: usize) -> f64 {
    if pages <= 1 { 1.0 } else { entropy(shares, pages) }
}

fn entropy(shares: &[f64], pages: usize) -> f64 {
    let base = (pages as f64).ln();
    -shares
        .iter()
        .filter(|p| **p > 0.0)
        .map(|p| p * p.ln() / base)
        .sum::<f64>()
}

/// How much the features of a leaf vary, each given by its counts on the pages: one less the mean entropy; 1 for a single page,
/// and for a leaf without features.
pub fn leaf_importance(features: &[Vec<u32>], pages: usize) -> f64 {
    if pages <= 1 || features.is_empty() {
        return 1.0;
    }
    let of = |counts: &Vec<u32>| {
        let all = f64::from(counts.iter().sum::<u32>().max(1));
        let shares: Vec<f64> = counts.iter().map(|&c| f64::from(c) / all).collect();
        entropy(&shares, pages)
    };
    1.0 - features.iter().map(of).sum::<f64>() / features.len() as f64
}

/// Importance of an element with what is in it: `parts` are the shares of its presentations with the importance of each.
pub fn composite(own: f64, parts: &[(f64, f64)], gamma: f64) -> f64 {
    let below: f64 = parts.iter().map(|(share, importance)| share * importance).sum();
    let weight = gamma.powi(i32::try_from(parts.len()).unwrap_or(i32::MAX));
    (1.0 - weight) * own + weight * below
}

/// An element of the merged tree.
#[derive(Default)]
struct Node {
    parent: Option<usize>,
    pages: usize,
    /// Sequences of child tags: pages, and the nodes of the children.
    styles: BTreeMap<Vec<String>, (usize, Vec<usize>)>,
    /// Words of the own text: counts by page.
    words: BTreeMap<String, BTreeMap<usize, u32>>,
}

impl StyleTree {
    fn removed(&self, trees: &[ElementTree]) -> Vec<Vec<bool>> {
        let mut nodes: Vec<Node> = vec![Node::default()];
        // Node of each element of each page.
        let mut places: Vec<Vec<usize>> = trees.iter().map(|t| vec![0; t.elements.len()]).collect();
        for (p, tree) in trees.iter().enumerate() {
            for i in 0..tree.elements.len() {
                let (element, node) = (&tree.elements[i], places[p][i]);
                nodes[node].pages += 1;
                for word in element.text.split_whitespace() {
                    *nodes[node]
                        .words
                        .entry(word.to_lowercase())
                        .or_default()
                        .entry(p)
                        .or_default() += 1;
                }
                let tags: Vec<String> = element
                    .children
                    .iter()
                    .map(|&c| tree.elements[c].tag.clone())
                    .collect();
                let next = nodes.len();
                let (pages, children) = nodes[node]
                    .styles
                    .entry(tags)
                    .or_insert_with(|| (0, (next..next + element.children.len()).collect()));
                *pages += 1;
                let children = children.clone();
                for (&child, &place) in element.children.iter().zip(&children) {
                    places[p][child] = place;
                    while nodes.len() <= place {
                        nodes.push(Node {
                            parent: Some(node),
                            ..Node::default()
                        });
                    }
                }
            }
        }
        let importance = self.importance(&nodes);
        // Noise, if nothing in it is important.
        let mut noise: Vec<bool> = importance.iter().map(|&i| i < self.threshold).collect();
        for i in (0..nodes.len()).rev() {
            if let Some(parent) = nodes[i].parent.filter(|_| !noise[i]) {
                noise[parent] = false;
            }
        }
        places
            .iter()
            .map(|place| place.iter().map(|&node| noise[node]).collect())
            .collect()
    }

    fn importance(&self, nodes: &[Node]) -> Vec<f64> {
        let mut out = vec![0.0; nodes.len()];
        // Parts without words (pictures, rules) are neither noise nor content: they do not count in the mean of what is around them.
        let mut silent = vec![false; nodes.len()];
        for (i, node) in nodes.iter().enumerate().rev() {
            let m = node.pages;
            let leaf = node.styles.keys().all(Vec::is_empty);
            let words = || -> f64 {
                let counts: Vec<Vec<u32>> = node
                    .words
                    .values()
                    .map(|w| w.values().copied().collect())
                    .collect();
                leaf_importance(&counts, m)
            };
            if leaf {
                silent[i] = node.words.is_empty();
                out[i] = if silent[i] { 0.0 } else { words() };
                continue;
            }
            let shares: Vec<f64> = node
                .styles
                .values()
                .map(|(pages, _)| *pages as f64 / m.max(1) as f64)
                .collect();
            // Text beside child elements counts as a leaf among them.
            let beside = (!node.words.is_empty()).then(words);
            let parts: Vec<(f64, f64)> = node
                .styles
                .values()
                .zip(&shares)
                .map(|((_, children), share)| {
                    let heard = children.iter().filter(|&&c| !silent[c]).map(|&c| out[c]);
                    let heard: Vec<f64> = heard.chain(beside).collect();
                    (*share, heard.iter().sum::<f64>() / heard.len().max(1) as f64)
                })
                .collect();
            let children = || node.styles.values().flat_map(|(_, children)| children);
            silent[i] = node.words.is_empty() && children().all(|&c| silent[c]);
            out[i] = composite(node_importance(&shares, m), &parts, self.gamma);
        }
        out
    }
}

impl SiteMethod for StyleTree {
    fn name(&self) -> &'static str {
        "style-tree"
    }

    fn summary(&self) -> &'static str {
        "merges pages into one tree and drops parts whose presentations and words hardly vary"
    }

    fn parameters(&self) -> &'static [Parameter] {
        &[
            Parameter {
                name: "threshold",
                default: "0.4",
                help: "importance below which a part with all that is in it is noise, 0 to 1",
            },
            Parameter {
                name: "gamma",
                default: "0.9",
                help: "weight of what lies below against the node's own variety, 0 to 1",
            },
        ]
    }

    fn with(&self, parameter: &str, value: &str) -> Result<Arc<dyn SiteMethod>, String> {
        let mut out = *self;
        match parameter {
            "threshold" => out.threshold = number(value, 0.0..=1.0)?,
            _ => out.gamma = number(value, 0.0..=1.0)?,
        }
        Ok(Arc::new(out))
    }

    fn texts(&self, pages: &[Page<'_>], options: &Options) -> Vec<String> {
        texts_without(pages, options, |trees| self.removed(trees))
    }
}
