//! `style-tree`: merges pages into one tree whose nodes are weighted by their variety.

use std::collections::BTreeMap;
use std::sync::Arc;

use dehusk_html::narrow;

use super::method::SiteMethod;
use super::tree::{ElementTree, Names, texts_without};
use crate::options::Options;
use crate::page::Page;
use crate::parameter::{Parameter, number};

/// Site Style Tree (Yi, Liu, Li, "Eliminating noisy information in web pages for data mining", KDD 2003; formulas as quoted elsewhere).
///
/// Pages are merged from the root. An element node holds the sequences of children that occur (style nodes) with their pages. Parts whose
/// presentations and words hardly vary are noise. Words are the only features of leaves.
///
/// Weakness: the sequences of children in content hardly repeat, so its nodes have few pages.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StyleTree {
    /// Importance below which a part is noise, with its whole content.
    pub threshold: f64,
    /// Weight of the children relative to the node's own variety, 0 to 1.
    pub gamma: f64,
}

impl StyleTree {
    /// The method with the default parameters.
    pub const USUAL: StyleTree = StyleTree {
        threshold: 0.4,
        gamma: 0.9,
    };
}

/// Returns the variety of the presentations of an element: the entropy of their shares of the pages, in units
/// of the logarithm of the number of pages; 1 for a single page.
pub fn node_importance(shares: &[f64], pages: usize) -> f64 {
    if pages <= 1 { 1.0 } else { entropy(shares, pages) }
}

/// Returns the entropy of shares, to the base of the number of pages. There must be at least two pages.
fn entropy(shares: &[f64], pages: usize) -> f64 {
    let base = (pages as f64).ln();
    -shares
        .iter()
        .filter(|p| **p > 0.0)
        .map(|p| p * p.ln() / base)
        .sum::<f64>()
}

/// Returns the variety of the features of a leaf, each given by its counts on the pages: one minus the mean
/// entropy; 1 for a single page, and for a leaf without features.
pub fn leaf_importance(features: impl IntoIterator<Item = Vec<u32>>, pages: usize) -> f64 {
    if pages <= 1 {
        return 1.0;
    }
    let (mut sum, mut number) = (0.0, 0_u32);
    for counts in features {
        let all = f64::from(counts.iter().sum::<u32>().max(1));
        let shares: Vec<f64> = counts.iter().map(|&c| f64::from(c) / all).collect();
        sum += entropy(&shares, pages);
        number += 1;
    }
    if number == 0 {
        1.0
    } else {
        1.0 - sum / f64::from(number)
    }
}

/// Returns the importance of an element with its content. `parts` are the shares of its presentations with the importance of each.
pub fn composite(own: f64, parts: &[(f64, f64)], gamma: f64) -> f64 {
    let below: f64 = parts.iter().map(|(share, importance)| share * importance).sum();
    // Weight `gamma^l` for `l` presentations.
    let weight = gamma.powi(i32::try_from(parts.len()).unwrap_or(i32::MAX));
    (1.0 - weight) * own + weight * below
}

/// An element of the merged tree.
struct Node {
    /// Number of the parent node, which is smaller than its own; 0 for the first node.
    parent: u32,
    /// Number of pages with the node. `pages_without_children`: number of pages on which it contains no elements.
    pages: u32,
    pages_without_children: u32,
}

/// A sequence of children that a node has on some pages.
struct Style {
    node: u32,
    pages: u32,
    /// Number of the first child's node. The nodes of the children are numbered consecutively.
    first_child: u32,
    children: u32,
}

/// A word in the own text of a node: numbers of the node, the word and the page.
type Word = (u32, u32, u32);

/// Pages merged from the root. Nodes and styles are in flat lists, because a page may consist almost entirely of tags.
#[derive(Default)]
struct Merged {
    nodes: Vec<Node>,
    /// Styles with children, sorted by node.
    styles: Vec<Style>,
    /// Words of the own texts, one entry per occurrence, sorted.
    words: Vec<Word>,
    /// Node of each element of each page.
    places: Vec<Vec<u32>>,
}

impl Merged {
    /// Merges the trees. Children of a node share nodes if their whole sequences of names are equal.
    fn of(trees: &[ElementTree]) -> Merged {
        let mut out = Merged::default();
        out.add_node(0);
        let mut names = Names::default();
        let mut sequences: BTreeMap<Box<[u32]>, u32> = BTreeMap::new();
        let mut known: BTreeMap<(u32, u32), u32> = BTreeMap::new();
        let mut sequence: Vec<u32> = Vec::new();
        for tree in trees {
            let names = tree.numbered(&mut names);
            let mut places = vec![0; tree.elements.len()];
            for element in 0..tree.elements.len() {
                // Set when its parent was visited; the root is node 0.
                let node: u32 = places[element];
                out.nodes[node as usize].pages += 1;
                sequence.clear();
                sequence.extend(tree.children(element).map(|child| names[child]));
                if sequence.is_empty() {
                    out.nodes[node as usize].pages_without_children += 1;
                    continue;
                }
                let next = narrow::to_u32(sequences.len());
                let number = match sequences.get(sequence.as_slice()) {
                    Some(number) => *number,
                    None => *sequences.entry(sequence.as_slice().into()).or_insert(next),
                };
                let style = match known.get(&(node, number)) {
                    Some(style) => *style as usize,
                    None => {
                        known.insert((node, number), narrow::to_u32(out.styles.len()));
                        out.add_style(node, narrow::to_u32(sequence.len()))
                    }
                };
                out.styles[style].pages += 1;
                // The nodes of the children of a style are numbered in sequence.
                let first = out.styles[style].first_child;
                for (child, place) in tree.children(element).zip(first..) {
                    places[child] = place;
                }
            }
            out.places.push(places);
        }
        // `take_last` expects the styles sorted by node.
        out.styles.sort_by_key(|style| style.node);
        out.words = words(trees, &out.places);
        out
    }

    fn add_node(&mut self, parent: u32) {
        self.nodes.push(Node {
            parent,
            pages: 0,
            pages_without_children: 0,
        });
    }

    /// Adds a style with nodes for its children. Returns its index.
    fn add_style(&mut self, node: u32, children: u32) -> usize {
        self.styles.push(Style {
            node,
            pages: 0,
            first_child: narrow::to_u32(self.nodes.len()),
            children,
        });
        for _ in 0..children {
            self.add_node(node);
        }
        self.styles.len() - 1
    }
}

/// Returns the words of own texts in lower case, sorted.
fn words(trees: &[ElementTree], places: &[Vec<u32>]) -> Vec<Word> {
    let (mut out, mut known) = (Vec::new(), Names::default());
    for (page, (tree, places)) in trees.iter().zip(places).enumerate() {
        for (element, text) in tree.texts() {
            for word in text.split_whitespace() {
                out.push((
                    places[element],
                    known.number(word.to_lowercase()),
                    narrow::to_u32(page),
                ));
            }
        }
    }
    out.sort_unstable();
    out
}

/// Returns the importance of a text, given the words of one node.
fn importance_of_words(words: &[Word], pages: usize) -> f64 {
    let counts = |word: &[Word]| -> Vec<u32> {
        word.chunk_by(|a, b| a.2 == b.2)
            .map(|on_page| narrow::to_u32(on_page.len()))
            .collect()
    };
    leaf_importance(words.chunk_by(|a, b| a.1 == b.1).map(counts), pages)
}

/// Removes the items of `node` from the end of a list and returns them. Items of later nodes must have been removed before.
fn take_last<'l, T>(list: &mut &'l [T], node: u32, of: impl Fn(&T) -> u32) -> &'l [T] {
    let from = list.partition_point(|item| of(item) < node);
    let (rest, taken) = list.split_at(from);
    *list = rest;
    taken
}

impl StyleTree {
    /// Returns, per page and element, whether it is noise.
    fn removed(&self, trees: &[ElementTree]) -> Vec<Vec<bool>> {
        let merged = Merged::of(trees);
        // A part is noise if nothing in it is important.
        let importance = self.importance(&merged);
        let mut noise: Vec<bool> = importance.iter().map(|&i| i < self.threshold).collect();
        for (i, node) in merged.nodes.iter().enumerate().rev() {
            if !noise[i] {
                // Iterates from the end, so that one important node clears all parts around it.
                noise[node.parent as usize] = false;
            }
        }
        let of = |places: &Vec<u32>| places.iter().map(|&node| noise[node as usize]).collect();
        merged.places.iter().map(of).collect()
    }

    /// Returns the importance of each node with its content.
    fn importance(&self, merged: &Merged) -> Vec<f64> {
        let mut out = vec![0.0; merged.nodes.len()];
        // Parts without words (pictures, rules) are neither noise nor content: they are skipped in the mean of their surroundings.
        let mut silent = vec![false; merged.nodes.len()];
        let (mut styles, mut words) = (merged.styles.as_slice(), merged.words.as_slice());
        for (i, node) in merged.nodes.iter().enumerate().rev() {
            let pages = node.pages as usize;
            let styles = take_last(&mut styles, narrow::to_u32(i), |style| style.node);
            let words = take_last(&mut words, narrow::to_u32(i), |word| word.0);
            let own = (!words.is_empty()).then(|| importance_of_words(words, pages));
            if styles.is_empty() {
                silent[i] = own.is_none();
                out[i] = own.unwrap_or(0.0);
                continue;
            }
            let children =
                |style: &Style| style.first_child as usize..(style.first_child + style.children) as usize;
            let share = |pages: u32| f64::from(pages) / f64::from(node.pages.max(1));
            let part = |style: &Style| {
                // Children have larger numbers than their node, so their importance is known.
                let heard = children(style).filter(|&c| !silent[c]).map(|c| out[c]);
                // Text beside child elements counts as a leaf among them.
                (share(style.pages), mean(heard.chain(own)))
            };
            let without = node.pages_without_children;
            let alone = (without > 0).then(|| (share(without), mean(own.into_iter())));
            let parts: Vec<(f64, f64)> = alone.into_iter().chain(styles.iter().map(part)).collect();
            let shares: Vec<f64> = parts.iter().map(|part| part.0).collect();
            silent[i] = own.is_none() && styles.iter().flat_map(children).all(|c| silent[c]);
            out[i] = composite(node_importance(&shares, pages), &parts, self.gamma);
        }
        out
    }
}

/// Returns the mean; 0 if there are no values.
fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut number) = (0.0, 0_u32);
    for value in values {
        sum += value;
        number += 1;
    }
    sum / f64::from(number.max(1))
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
