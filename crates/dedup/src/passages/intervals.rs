//! The number of tokens that each suffix shares with others, and the number of documents that share them.
//!
//! In the sorted list of suffixes, those that share a prefix of some length are adjacent. These intervals
//! form a tree whose leaves are the suffixes. The number of documents of an interval is its number of
//! suffixes, minus the suffixes for which the interval has an earlier suffix of the same document (Hui
//! 1992). Each such suffix is counted at the innermost interval that contains both suffixes.

use crate::numeric::narrow;
use crate::passages::found::{DocumentFacts, Longest, PassageRule, Place};
use crate::passages::suffixes::Pieces;

/// The longest prefix that a suffix shares with enough others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reach {
    /// Length of the prefix in tokens.
    pub(crate) tokens: u32,
    /// The first position of the suffixes that share it.
    pub(crate) first: Place,
    pub(crate) longest: Longest,
    pub(crate) places: u32,
    pub(crate) documents: u32,
    pub(crate) hosts: u32,
    /// Number of positions in known documents.
    pub(crate) known: u32,
}

/// Computes reaches. Its buffers are used again for each list.
pub(crate) struct Reaches<'p> {
    pieces: &'p Pieces,
    rule: PassageRule,
    /// By document, the number of its host; `u32::MAX` if it is unknown.
    hosts: &'p [u32],
    /// By document, the number of its words.
    lengths: &'p [u32],
    known_from: u32,
    /// By document and by host: the number of the list that last had a suffix of it, and the index of its
    /// last suffix in that list.
    seen: [Vec<(u32, u32)>; 2],
    list: u32,
    nodes: Vec<Node>,
    /// Nodes that are still open, from the outermost to the innermost.
    open: Vec<u32>,
    closed: Vec<u32>,
    /// By gap between two neighbors, the innermost node that contains both.
    between_of: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Node {
    tokens: u32,
    left: u32,
    right: u32,
    parent: u32,
    /// For documents and for hosts: suffixes for which the node has an earlier suffix of the same document or host.
    again: [u32; 2],
    unknown_hosts: u32,
    /// Suffixes in known documents.
    known: u32,
    /// The first position of a suffix inside.
    first: Place,
    longest: Longest,
    /// The node itself if the rule counts it, else the innermost node around it that the rule counts;
    /// [`NONE`] if absent.
    counts: u32,
}

const NONE: u32 = u32::MAX;

impl<'p> Reaches<'p> {
    pub(crate) fn new(pieces: &'p Pieces, rule: PassageRule, facts: DocumentFacts<'p>) -> Self {
        let DocumentFacts {
            hosts,
            lengths,
            known_from,
        } = facts;
        let known = hosts.iter().filter(|host| **host != NONE).max();
        let most = known.map_or(0, |most| *most as usize + 1);
        Self {
            pieces,
            rule,
            hosts,
            lengths,
            known_from,
            // Tables by document and by host, each with the number of its last list: entries of earlier
            // lists need not be cleared.
            seen: [vec![(0, 0); hosts.len()], vec![(0, 0); most]],
            list: 0,
            nodes: Vec::new(),
            open: Vec::new(),
            closed: Vec::new(),
            between_of: Vec::new(),
        }
    }

    /// Returns the reach of each suffix of a list; `None` if too few others share any prefix. `between[i]`
    /// is the number of tokens that the suffixes `i` and `i + 1` share.
    pub(crate) fn of(&mut self, list: &[u32], between: &[u32]) -> Vec<Option<Reach>> {
        debug_assert_eq!(
            list.len(),
            between.len() + 1,
            "one number stands between two neighbours"
        );
        // Nodes first, then sums from the leaves up, then the decision from the root down.
        self.build(list, between);
        // A suffix is a leaf of the node of the gap, before or after it, across which more tokens are shared.
        let node_of = |place: usize| {
            let gaps = [
                place.checked_sub(1),
                Some(place).filter(|gap| *gap < between.len()),
            ];
            let closer = gaps.into_iter().flatten().max_by_key(|gap| between[*gap])?;
            self.between_of.get(closer).copied()
        };
        let leaves: Vec<Option<u32>> = (0..list.len()).map(node_of).collect();
        for (&suffix, leaf) in list.iter().zip(&leaves) {
            let at = self.pieces.place(suffix);
            if let Some(node) = leaf.and_then(|leaf| self.nodes.get_mut(leaf as usize)) {
                node.unknown_hosts += u32::from(self.hosts[at.document as usize] == NONE);
                node.known += u32::from(at.document >= self.known_from);
                node.first = node.first.min(at);
                node.longest.add(at, self.lengths);
            }
        }
        // Nodes close before their parents, so the sums of children are complete when they are added.
        for &number in &self.closed {
            let inner = self.nodes[number as usize];
            if let Some(around) = self.nodes.get_mut(inner.parent as usize) {
                around.again[0] += inner.again[0];
                around.again[1] += inner.again[1];
                around.unknown_hosts += inner.unknown_hosts;
                around.known += inner.known;
                around.first = around.first.min(inner.first);
                around.longest.add_all(inner.longest, self.lengths);
            }
        }
        // Parents close after their children, so in reverse order a parent is decided before its children.
        for &number in self.closed.iter().rev() {
            let node = self.nodes[number as usize];
            let around = self
                .nodes
                .get(node.parent as usize)
                .map_or(NONE, |around| around.counts);
            let is_enough = self.rule.counts(node.documents(), node.hosts());
            self.nodes[number as usize].counts = if is_enough { number } else { around };
        }
        let reach = |leaf: Option<u32>| {
            let counts = self.nodes.get(leaf? as usize)?.counts;
            let node = self.nodes.get(counts as usize)?;
            Some(Reach {
                tokens: node.tokens,
                first: node.first,
                longest: node.longest,
                places: node.places(),
                documents: node.documents(),
                hosts: node.hosts(),
                known: node.known,
            })
        };
        leaves.into_iter().map(reach).collect()
    }

    /// Builds the tree of a list: nodes with their ends and parents, and `again` without the sums of inner nodes.
    fn build(&mut self, list: &[u32], between: &[u32]) {
        self.nodes.clear();
        self.open.clear();
        self.closed.clear();
        self.between_of.clear();
        self.list = self.list.wrapping_add(1);
        if self.list == 0 {
            // The counter of lists has wrapped around: forget the entries of old lists, which could have
            // the same number.
            self.seen.iter_mut().flatten().for_each(|seen| *seen = (0, 0));
            self.list = 1;
        }
        // The suffixes are visited in sorted order; `open` is the path from the root to the gap before the
        // current suffix.
        for (place, &suffix) in (0_u32..).zip(list) {
            if let Some(gap) = place.checked_sub(1) {
                self.open_at(gap, between[gap as usize]);
            }
            let document = self.pieces.place(suffix).document;
            let keys = [document, self.hosts[document as usize]];
            for (kind, key) in keys.into_iter().enumerate() {
                // The table has no entry for an unknown host.
                let Some(seen) = self.seen[kind].get_mut(key as usize) else {
                    debug_assert!(
                        key == u32::MAX,
                        "every document and every known host has an entry"
                    );
                    continue;
                };
                // The table remembers the last suffix of each document and host in this list.
                let (last_list, last) = std::mem::replace(seen, (self.list, place));
                if last_list == self.list {
                    // Both suffixes meet in the innermost open node that begins at or before the earlier one.
                    let begins = |node: &u32| self.nodes[*node as usize].left <= last;
                    let meet = self.open.partition_point(begins).checked_sub(1);
                    debug_assert!(meet.is_some(), "the outermost node begins at the first suffix");
                    if let Some(meet) = meet {
                        self.nodes[self.open[meet] as usize].again[kind] += 1;
                    }
                }
            }
        }
        // All remaining nodes end at the last suffix.
        while let Some(node) = self.open.pop() {
            let around = self.open.last().copied();
            self.close(node, narrow::to_u32(list.len()) - 1, around.unwrap_or(NONE));
        }
    }

    /// Closes the nodes that do not reach across `gap`, whose neighbors share `tokens` tokens, and opens a
    /// node for it unless one is open.
    fn open_at(&mut self, gap: u32, tokens: u32) {
        let mut left = gap;
        let new = narrow::to_u32(self.nodes.len());
        // Nodes that share more tokens than this gap end before it.
        while let Some(top) = self.open.pop_if(|top| self.nodes[*top as usize].tokens > tokens) {
            left = self.nodes[top as usize].left;
            // The parent is the node below it on the stack, unless the new node comes between the two.
            let below = self.open.last().copied();
            let below = below.filter(|below| self.nodes[*below as usize].tokens >= tokens);
            self.close(top, gap, below.unwrap_or(new));
        }
        // A node with exactly this number of tokens continues across the gap.
        let top = self.open.last().copied();
        let top = top.filter(|top| self.nodes[*top as usize].tokens == tokens);
        let top = top.unwrap_or_else(|| {
            self.nodes.push(Node {
                tokens,
                left,
                right: left,
                parent: NONE,
                again: [0; 2],
                unknown_hosts: 0,
                known: 0,
                first: Place::NONE,
                longest: Longest::NONE,
                counts: NONE,
            });
            self.open.push(new);
            new
        });
        self.between_of.push(top);
    }

    fn close(&mut self, node: u32, right: u32, around: u32) {
        let closed = &mut self.nodes[node as usize];
        (closed.right, closed.parent) = (right, around);
        self.closed.push(node);
    }
}

impl Node {
    fn places(&self) -> u32 {
        self.right - self.left + 1
    }

    /// Number of distinct documents: every suffix but the first of its document is counted in `again`.
    fn documents(&self) -> u32 {
        self.places() - self.again[0]
    }

    fn hosts(&self) -> u32 {
        self.places() - self.again[1] - self.unknown_hosts
    }
}
