//! The walk of many rows down many trees at once.
//!
//! A split is not asked for one row after another but once for a group of them: vector instructions tell which rows are below its
//! threshold, and those that have come to the split move on. A queue holds the splits that some row has come to, of all trees of a part,
//! so that no step waits for the one before, and nothing depends on a branch that the processor would have to guess.

use bytemuck::cast;
use wide::{f32x4, i8x16, i16x8, i32x4, u8x16, u32x4};

use crate::label::model::row::{FeatureRow, STRIDE};
use crate::label::model::tree_file::{FileNode, MAX_NODES};

/// Number of rows that are walked down the trees together.
pub(super) const LANES: usize = 32;

/// Rows in a vector of bytes.
const HALF: usize = 16;

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
    left_splits: u16,
    right_splits: u16,
    column: u8,
    /// Number of the tree in its part.
    tree: u8,
    /// Its number in the tree, four times.
    number: [u8; 4],
    /// How many nodes after it the right child is, four times.
    right_after: [u8; 4],
}

/// Memory for a walk. It need not be empty.
#[derive(Debug, Default)]
pub(crate) struct WalkBuffers {
    /// A group of rows, column by column, each in halves of as many as it takes.
    halves: Vec<Half>,
    /// The splits that some row has come to.
    queue: Vec<u16>,
}

/// Entries of a column, in the order of the rows.
type Half = [f32x4; HALF / 4];

/// Adds the leaves of trees, in their order, to the log odds of all rows, of which the first `width` columns are read.
pub(super) fn add(
    parts: &[Part],
    width: usize,
    rows: &[FeatureRow],
    buffers: &mut WalkBuffers,
    odds: &mut [f32],
) {
    for (rows, odds) in rows.chunks(LANES).zip(odds.chunks_mut(LANES)) {
        if rows.len() > HALF {
            add_to_group::<{ LANES / HALF }>(parts, width, rows, buffers, odds);
        } else {
            add_to_group::<1>(parts, width, rows, buffers, odds);
        }
    }
}

/// As [`add`], for at most `N` times [`HALF`] rows.
fn add_to_group<const N: usize>(
    parts: &[Part],
    width: usize,
    rows: &[FeatureRow],
    buffers: &mut WalkBuffers,
    odds: &mut [f32],
) {
    transpose::<N>(rows, width, &mut buffers.halves);
    for part in parts {
        part.add::<N>(buffers, odds);
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
                    let right = left.saturating_add(1);
                    let [left, of_right] = [left, right].map(|child| places[usize::from(child)]);
                    let mask = |child: Option<u16>| child.map_or(0, |_| u16::MAX);
                    self.splits.push(Split {
                        most: threshold.next_down(),
                        left: left.unwrap_or_default(),
                        right: of_right.unwrap_or_default(),
                        left_splits: mask(left),
                        right_splits: mask(of_right),
                        column,
                        tree,
                        number: [number; 4],
                        right_after: [right.saturating_sub(number); 4],
                    });
                    0.0
                }
            });
        }
    }

    /// Adds leaves to the log odds of a group of at most `N` times [`HALF`] rows.
    fn add<const N: usize>(&self, buffers: &mut WalkBuffers, odds: &mut [f32]) {
        let WalkBuffers { halves, queue } = buffers;
        // Each split is in the queue once at most, and one more may be written behind the last.
        if queue.len() <= self.splits.len() {
            queue.resize(self.splits.len() + 1, 0);
        }
        let mut places = [at_root::<N>(odds.len()); TREES];
        queue[..self.roots.len()].copy_from_slice(&self.roots);
        let (splits, queue, columns) = (&self.splits[..], &mut queue[..], halves.as_chunks::<N>().0);
        let (mut at, mut end) = (0, self.roots.len());
        while at < end {
            let split = &splits[usize::from(queue[at])];
            at += 1;
            let places = &mut places[usize::from(split.tree) % TREES];
            let (left, right) = split.pass(&columns[usize::from(split.column)], places);
            // Written whether or not it stays.
            queue[end] = split.left;
            end += usize::from(left & split.left_splits != 0);
            queue[end] = split.right;
            end += usize::from(right & split.right_splits != 0);
        }
        let mut sums = [0.0; LANES];
        sums[..odds.len()].copy_from_slice(odds);
        for (start, places) in self.starts.iter().zip(&places) {
            let Some(of_tree) = self.odds[*start..].first_chunk::<MAX_NODES>() else {
                break;
            };
            for (places, sums) in places.iter().zip(sums.as_chunks_mut::<HALF>().0) {
                for (place, sum) in places.to_array().into_iter().zip(sums) {
                    *sum += of_tree[usize::from(place)];
                }
            }
        }
        odds.copy_from_slice(&sums[..odds.len()]);
    }
}

impl Split {
    /// Moves the rows that have come to this split to one of its children. Of what is returned some bit is set if a row went left, and if
    /// one went right.
    #[inline(always)]
    fn pass<const N: usize>(&self, column: &[Half; N], places: &mut [u8x16; N]) -> (u16, u16) {
        let most = f32x4::splat(self.most);
        let splat = |byte| cast::<_, u8x16>(u32x4::splat(u32::from_ne_bytes(byte)));
        let (number, right_after) = (splat(self.number), splat(self.right_after));
        let (mut left, mut right) = (u8x16::ZERO, u8x16::ZERO);
        for (places, column) in places.iter_mut().zip(column) {
            let below = at_most(column, most);
            let here = places.simd_eq(number);
            let here_below = here & below;
            left |= here_below;
            right |= here ^ here_below;
            // As a byte, what is true is -1.
            *places += here & (right_after + below);
        }
        let bits = |bytes: u8x16| cast::<_, i8x16>(bytes).to_bitmask() as u16;
        (bits(left), bits(right))
    }
}

/// Which entries are at most so much, a byte each. NaN is not.
#[inline(always)]
fn at_most(column: &Half, most: f32x4) -> u8x16 {
    let fours: [i32x4; HALF / 4] = column.map(|four| cast(four.simd_le(most)));
    let narrow = |a: i32x4, b: i32x4| i16x8::from_i32x8_saturate(cast([a, b]));
    let eights = [narrow(fours[0], fours[1]), narrow(fours[2], fours[3])];
    cast(i8x16::from_i16x16_saturate(cast(eights)))
}

/// All rows at the root; those past the last nowhere.
fn at_root<const N: usize>(rows: usize) -> [u8x16; N] {
    std::array::from_fn(|half| {
        let place = |lane| if half * HALF + lane < rows { 0 } else { NOWHERE };
        u8x16::new(std::array::from_fn(place))
    })
}

/// Lays the first `width` columns of at most `N` times [`HALF`] rows side by side.
fn transpose<const N: usize>(rows: &[FeatureRow], width: usize, halves: &mut Vec<Half>) {
    static NONE: FeatureRow = [0.0; STRIDE];
    halves.clear();
    halves.reserve(width.div_ceil(4) * 4 * N);
    for j in 0..width.div_ceil(4) {
        let mut columns = [[Half::default(); N]; 4];
        for (i, rows) in rows.chunks(4).take(N * HALF / 4).enumerate() {
            let rows = std::array::from_fn(|i| rows.get(i).unwrap_or(&NONE).as_chunks::<4>().0[j]);
            let entries = f32x4::transpose(rows.map(f32x4::new));
            for (column, entries) in columns.iter_mut().zip(entries) {
                column.as_flattened_mut()[i] = entries;
            }
        }
        halves.extend_from_slice(columns.as_flattened());
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
