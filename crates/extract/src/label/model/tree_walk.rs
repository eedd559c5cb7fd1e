//! The walk of many rows down many trees at once.
//!
//! A split is not asked for one row after another but once for a group of them: vector instructions tell which rows are below its
//! threshold, and those that have come to the split move on. A queue holds the splits that some row has come to, of all trees of a part,
//! so that no step waits for the one before, and nothing depends on a branch that the processor would have to guess.

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, f32x4, f32x8, f64x2, mask8x32, u8x32};

use crate::label::model::row::{FeatureRow, STRIDE};
use crate::label::model::tree_file::{FileNode, MAX_NODES};

/// Number of rows that are walked down the trees together: the bytes of the widest vector that most processors have.
pub(super) const LANES: usize = 32;

/// Trees of a part, whose splits are in the queue at the same time.
const TREES: usize = 32;

/// The place of rows that no row of the page fills: no split has this number, as its children would have none.
const NOWHERE: u8 = u8::MAX;

/// Trees that rows go down together.
#[derive(Debug, Default)]
pub(super) struct Part {
    splits: Vec<Split>,
    /// The splits that trees begin with. A tree of one leaf has none.
    roots: Vec<u16>,
    /// Log odds of each node of one tree after another, 0 for splits. [`MAX_NODES`] entries follow, so that every byte is the number of an
    /// entry of a tree.
    odds: Vec<f32>,
    /// Where in `odds` each tree begins.
    starts: Vec<usize>,
}

/// A split. Rows below the threshold go to the left child, whose number is one below that of the right child.
#[derive(Clone, Copy, Debug)]
struct Split {
    /// The largest number below the threshold: a comparison with it tells NaN, a missing value, from what is below.
    most: f32,
    /// The children among the splits, if they are splits.
    left: u16,
    right: u16,
    /// All bits set if the child is a split, otherwise none.
    left_splits: u32,
    right_splits: u32,
    column: u8,
    /// Number of the tree in its part.
    tree: u8,
    /// Its number in the tree, and that of its right child.
    number: u8,
    right_number: u8,
}

/// Memory for a walk. It need not be empty.
#[derive(Debug, Default)]
pub(crate) struct WalkBuffers {
    /// A group of rows, column by column: as many columns as a row has entries.
    columns: Vec<Column>,
    /// The splits that some row has come to.
    queue: Vec<u16>,
}

/// Entries of a column, in the order of the rows.
type Column = [f32; LANES];

/// The node of a tree that each row has come to, by number.
type Places = [u8; LANES];

/// Adds the leaves of trees, in their order, to the log odds of all rows, of which the first `width` columns are read.
pub(super) fn add(
    parts: &[Part],
    width: usize,
    rows: &[FeatureRow],
    buffers: &mut WalkBuffers,
    odds: &mut [f32],
) {
    dispatch!(Level::new(), simd => add_to_groups(simd, parts, width, rows, buffers, odds));
}

/// As [`add`], with the vectors of a processor.
#[inline(always)]
fn add_to_groups<S: Simd>(
    simd: S,
    parts: &[Part],
    width: usize,
    rows: &[FeatureRow],
    buffers: &mut WalkBuffers,
    odds: &mut [f32],
) {
    for (rows, odds) in rows.chunks(LANES).zip(odds.chunks_mut(LANES)) {
        transpose(simd, rows, width, &mut buffers.columns);
        for part in parts {
            part.add(simd, buffers, odds);
        }
    }
}

impl Part {
    /// All parts of some trees.
    pub(super) fn all(trees: &[Vec<FileNode>]) -> Vec<Part> {
        trees.chunks(TREES).map(Part::of).collect()
    }

    fn of(trees: &[Vec<FileNode>]) -> Part {
        let mut out = Part::default();
        for (tree, nodes) in (0..).zip(trees) {
            out.push(tree, nodes);
        }
        out.odds.extend([0.0; MAX_NODES]);
        out
    }

    fn push(&mut self, tree: u8, nodes: &[FileNode]) {
        // Which place among the splits each node has, if it is one.
        let mut next = self.splits.len() as u16;
        let places: Vec<Option<u16>> = nodes
            .iter()
            .map(|node| match node {
                FileNode::Leaf(_) => None,
                FileNode::Split { .. } => {
                    next += 1;
                    Some(next - 1)
                }
            })
            .collect();
        self.roots.extend(places.first().copied().flatten());
        self.starts.push(self.odds.len());
        for (number, node) in (0..=u8::MAX).zip(nodes) {
            self.odds.push(match *node {
                FileNode::Leaf(odds) => odds,
                FileNode::Split {
                    column,
                    threshold,
                    left,
                } => {
                    let right_number = left.saturating_add(1);
                    let [left, right] = [left, right_number].map(|child| places[usize::from(child)]);
                    let mask = |child: Option<u16>| child.map_or(0, |_| u32::MAX);
                    self.splits.push(Split {
                        most: threshold.next_down(),
                        left: left.unwrap_or_default(),
                        right: right.unwrap_or_default(),
                        left_splits: mask(left),
                        right_splits: mask(right),
                        column,
                        tree,
                        number,
                        right_number,
                    });
                    0.0
                }
            });
        }
    }

    /// Adds leaves to the log odds of a group of at most [`LANES`] rows.
    #[inline(always)]
    fn add<S: Simd>(&self, simd: S, buffers: &mut WalkBuffers, odds: &mut [f32]) {
        let WalkBuffers { columns, queue } = buffers;
        let Some(columns) = columns.first_chunk::<STRIDE>() else {
            return;
        };
        // Each split is in the queue once at most, and two more may be written behind the last.
        if queue.len() < self.splits.len() + 2 {
            queue.resize(self.splits.len() + 2, 0);
        }
        let mut places = [at_root(odds.len()); TREES];
        queue[..self.roots.len()].copy_from_slice(&self.roots);
        let (splits, queue) = (&self.splits[..], &mut queue[..]);
        let (mut at, mut end) = (0, self.roots.len());
        while at < end {
            let split = &splits[usize::from(queue[at])];
            at += 1;
            let places = &mut places[usize::from(split.tree) % TREES];
            let (left, right) = split.pass(simd, &columns[usize::from(split.column)], places);
            let Some(next) = queue.get_mut(end..).and_then(|rest| rest.first_chunk_mut::<2>()) else {
                break;
            };
            // Written whether or not they stay.
            let left = usize::from(left & split.left_splits != 0);
            next[0] = split.left;
            next[left] = split.right;
            end += left + usize::from(right & split.right_splits != 0);
        }
        let mut sums = [0.0; LANES];
        sums[..odds.len()].copy_from_slice(odds);
        self.add_leaves(&places, &mut sums, odds.len());
        odds.copy_from_slice(&sums[..odds.len()]);
    }

    /// Adds the leaf of each tree to the log odds of at least so many rows, one tree after another. It is compiled by itself, as the
    /// compiler would gather the leaves by instructions of AVX-512 that take twice as long as single loads.
    #[inline(never)]
    fn add_leaves(&self, places: &[Places; TREES], odds: &mut [f32; LANES], rows: usize) {
        /// Rows whose sums stay in registers.
        const ROWS: usize = 8;
        let groups = odds.as_chunks_mut::<ROWS>().0;
        for (i, odds) in groups.iter_mut().take(rows.div_ceil(ROWS)).enumerate() {
            let mut sums = *odds;
            for (start, places) in self.starts.iter().zip(places) {
                let Some(of_tree) = self.odds[*start..].first_chunk::<MAX_NODES>() else {
                    break;
                };
                for (sum, place) in sums.iter_mut().zip(&places.as_chunks::<ROWS>().0[i]) {
                    *sum += of_tree[usize::from(*place)];
                }
            }
            *odds = sums;
        }
    }
}

impl Split {
    /// Moves the rows that have come to this split to one of its children. What is returned has a bit for each row that went left, and for
    /// each that went right.
    #[inline(always)]
    fn pass<S: Simd>(&self, simd: S, column: &Column, places: &mut Places) -> (u32, u32) {
        let below = at_most(simd, column, self.most);
        let at = u8x32::load_array_ref(simd, places);
        let here = at.simd_eq(u8x32::splat(simd, self.number));
        let right = u8x32::splat(simd, self.right_number);
        // As a byte, what is true is -1.
        let child = right + below.to_vector().bitcast::<u8x32<S>>();
        here.select(child, at).store_array(places);
        let here_below = here & below;
        let bits = |mask: mask8x32<S>| mask.to_bitmask() as u32;
        (bits(here_below), bits(here ^ here_below))
    }
}

/// Which entries are at most so much. NaN is not.
#[inline(always)]
fn at_most<S: Simd>(simd: S, column: &Column, most: f32) -> mask8x32<S> {
    let most = f32x8::splat(simd, most);
    let eights: [f32x8<S>; LANES / 8] =
        [0, 1, 2, 3].map(|i| f32x8::from_slice(simd, &column[8 * i..8 * i + 8]));
    let [a, b, c, d] = eights.map(|eight| most.simd_ge(eight));
    a.narrow(b).narrow(c.narrow(d))
}

/// All rows at the root; those past the last nowhere.
#[inline(always)]
fn at_root(rows: usize) -> Places {
    let mut places = [NOWHERE; LANES];
    places[..rows.min(LANES)].fill(0);
    places
}

/// Lays the first `width` columns of at most [`LANES`] rows side by side. Entries of rows past the last are any.
#[inline(always)]
fn transpose<S: Simd>(simd: S, rows: &[FeatureRow], width: usize, columns: &mut Vec<Column>) {
    static NONE: FeatureRow = [0.0; STRIDE];
    columns.resize(STRIDE, [0.0; LANES]);
    let columns = &mut columns[..width.next_multiple_of(4)];
    for (i, rows) in rows.chunks(4).enumerate() {
        let row = |k: usize| rows.get(k).unwrap_or(&NONE).as_chunks::<4>().0.iter();
        let fours = row(0).zip(row(1)).zip(row(2).zip(row(3)));
        for (((a, b), (c, d)), columns) in fours.zip(columns.as_chunks_mut::<4>().0) {
            let [a, b, c, d] = [a, b, c, d].map(|entries| f32x4::load_array_ref(simd, entries));
            let pairs = |vector: f32x4<S>| vector.bitcast::<f64x2<S>>();
            let (first, second) = (pairs(a.zip_low(b)), pairs(c.zip_low(d)));
            let (third, fourth) = (pairs(a.zip_high(b)), pairs(c.zip_high(d)));
            let entries = [
                first.zip_low(second),
                first.zip_high(second),
                third.zip_low(fourth),
                third.zip_high(fourth),
            ];
            for (column, entries) in columns.iter_mut().zip(entries) {
                entries
                    .bitcast::<f32x4<S>>()
                    .store_array(&mut column.as_chunks_mut().0[i]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// Columns of the rows.
    const WIDTH: usize = 6;

    /// A tree out of one split for each entry: which leaf it takes the place of, its column, and its threshold.
    fn tree(splits: &[(usize, u8, f32)]) -> Vec<FileNode> {
        let mut out = vec![FileNode::Leaf(0.5)];
        for (leaf, column, threshold) in splits {
            let leaves: Vec<usize> = (0..out.len())
                .filter(|&i| matches!(out[i], FileNode::Leaf(_)))
                .collect();
            let (at, left) = (leaves[leaf % leaves.len()], out.len());
            out[at] = FileNode::Split {
                column: *column,
                threshold: *threshold,
                left: left as u8,
            };
            out.extend([left, left + 1].map(|i| FileNode::Leaf(1.0 / (i + at) as f32)));
        }
        out
    }

    /// The leaf that a row comes to, one split after another.
    fn leaf_of(tree: &[FileNode], row: &FeatureRow) -> f32 {
        let mut at = 0;
        loop {
            match tree[at] {
                FileNode::Leaf(odds) => return odds,
                FileNode::Split {
                    column,
                    threshold,
                    left,
                } => {
                    // NaN, a missing value, is not below.
                    let below = row[usize::from(column)] < threshold;
                    at = usize::from(left) + usize::from(!below);
                }
            }
        }
    }

    fn number() -> impl Strategy<Value = f32> {
        prop_oneof![
            (-3_i8..4).prop_map(f32::from),
            -1.0_f32..1.0,
            Just(f32::NAN),
            Just(f32::INFINITY),
            Just(f32::NEG_INFINITY),
            Just(-0.0),
        ]
    }

    proptest! {
        #[test]
        fn every_row_comes_to_its_leaf(
            trees in vec(vec((0..99_usize, 0..WIDTH as u8, (-2_i8..3).prop_map(f32::from)), 0..40), 0..TREES + 3),
            entries in vec(vec(number(), WIDTH), 0..3 * LANES),
        ) {
            let trees: Vec<Vec<FileNode>> = trees.iter().map(|splits| tree(splits)).collect();
            let rows: Vec<FeatureRow> = entries
                .iter()
                .map(|entries| {
                    let mut row = [7.0; STRIDE];
                    row[..WIDTH].copy_from_slice(entries);
                    row
                })
                .collect();
            let parts = Part::all(&trees);
            let mut buffers = WalkBuffers::default();
            for rows in [&rows[..], &rows[..rows.len() / 2]] {
                let mut odds = vec![0.25; rows.len()];
                add(&parts, WIDTH, rows, &mut buffers, &mut odds);
                let plain = rows.iter().map(|row| trees.iter().fold(0.25, |sum, tree| sum + leaf_of(tree, row)));
                prop_assert_eq!(odds, plain.collect::<Vec<f32>>());
            }
        }

        #[test]
        fn trees_may_have_as_many_nodes_as_a_byte_counts(leaves in vec(0..999_usize, MAX_NODES / 2 - 1), entry in number()) {
            let splits: Vec<(usize, u8, f32)> = leaves.iter().map(|&leaf| (leaf, 0, (leaf % 7) as f32 - 3.0)).collect();
            let tree = tree(&splits);
            prop_assert_eq!(tree.len(), MAX_NODES - 1);
            let rows = [[entry; STRIDE]; 3];
            let mut odds = [0.0; 3];
            add(&Part::all(std::slice::from_ref(&tree)), 1, &rows, &mut WalkBuffers::default(), &mut odds);
            prop_assert_eq!(odds, [leaf_of(&tree, &rows[0]); 3]);
        }
    }
}
