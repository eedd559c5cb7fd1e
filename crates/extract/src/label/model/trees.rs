//! Gradient boosted trees: those of `lines.model` and `refinement.model`, and the walk down them.

use std::sync::LazyLock;

use crate::label::model::row::{FeatureRow, ReadColumns, STRIDE};
use crate::label::model::tree_file::{EarlyExit, FileNode, MAX_NODES, TreeFile};

/// The models, as the build script compiled `lines.model` and `refinement.model`.
const MODELS: [&[u8]; 2] = [
    include_bytes!(concat!(env!("OUT_DIR"), "/lines.trees")),
    include_bytes!(concat!(env!("OUT_DIR"), "/refinement.trees")),
];

/// Trees whose leaves add up to the log odds of a line.
#[derive(Debug)]
pub(crate) struct Trees {
    /// Names of the columns that the trees read.
    pub(crate) columns: Vec<String>,
    base: f32,
    early_exit: EarlyExit,
    trees: Vec<Tree>,
    /// The columns that some split reads.
    pub(crate) read: ReadColumns,
}

/// Nodes of a tree, the root first. Entries after its last node are never reached.
#[derive(Debug)]
struct Tree {
    nodes: Box<[Node; PLACES]>,
    /// Log odds that each node adds, if it is a leaf.
    values: Box<[f32; PLACES]>,
    /// Splits on the longest path.
    depth: usize,
}

/// A split: its children are `left`, if the feature is below the threshold, and the node after `left`. A leaf is its own child, so
/// that all walks can have the same length.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// The largest number below the threshold; NaN in a leaf. A comparison with it is one addition with carry, one with the threshold
    /// three instructions.
    most: f32,
    column: u8,
    left: u8,
}

/// One place more, so that no sum of a byte and 1 lies outside.
const PLACES: usize = MAX_NODES + 1;

/// Number of rows that are walked down a tree at the same time, so that their memory accesses overlap. They lie side by side, so that one
/// address leads to all of them, which leaves registers for the places in the tree.
const LANES: usize = 8;

/// The trees of the first pass and of the refinement, read on first use.
pub(crate) fn trees() -> (&'static Trees, &'static Trees) {
    static TREES: LazyLock<[Trees; 2]> = LazyLock::new(|| {
        MODELS.map(|model| Trees::compiled(model).unwrap_or_else(|| panic!("a model, which tests read too")))
    });
    (&TREES[0], &TREES[1])
}

impl Trees {
    /// Reads the text of a model.
    pub(crate) fn parse(text: &str) -> Result<Trees, String> {
        let file = TreeFile::parse(text)?;
        if file.columns.len() > STRIDE {
            return Err(format!("{} columns, {STRIDE} at most", file.columns.len()));
        }
        Ok(Trees::of(file))
    }

    /// Reads a model that the build script compiled.
    pub(crate) fn compiled(model: &[u8]) -> Option<Trees> {
        let file = TreeFile::from_bytes(model)?;
        (file.columns.len() <= STRIDE).then(|| Trees::of(file))
    }

    fn of(file: TreeFile) -> Trees {
        let mut read = [false; STRIDE];
        for node in file.trees.iter().flatten() {
            if let FileNode::Split { column, .. } = *node {
                read[usize::from(column)] = true;
            }
        }
        Trees {
            read,
            columns: file.columns,
            base: file.base,
            early_exit: file.early_exit,
            trees: file.trees.iter().map(|nodes| Tree::new(nodes)).collect(),
        }
    }

    /// Chances of lines to be main text, 0 to 1, in the order of their rows, which are out of order afterwards. With `fast` every line
    /// takes the early exit.
    pub(crate) fn chances(&self, rows: &mut [FeatureRow], fast: bool, out: &mut Vec<f32>) {
        let (start, width) = (out.len(), self.columns.len());
        out.resize(start + rows.len(), 0.0);
        let out = &mut out[start..];
        let exit = &self.early_exit;
        let (first, rest) = self.trees.split_at(exit.after.min(self.trees.len()));
        let mut odds = vec![self.base; rows.len()];
        add(first, width, rows, &mut odds);
        // The rows and the odds of lines that do not take the exit are moved to the front, so that groups of rows stay full.
        let mut open: Vec<usize> = Vec::with_capacity(rows.len());
        for line in 0..rows.len() {
            if fast || odds[line].abs() > exit.odds {
                out[line] = chance(odds[line] * exit.factor);
                continue;
            }
            if open.len() < line {
                rows[open.len()] = rows[line];
            }
            odds[open.len()] = odds[line];
            open.push(line);
        }
        add(rest, width, &rows[..open.len()], &mut odds[..open.len()]);
        for (line, odds) in open.into_iter().zip(odds) {
            out[line] = chance(odds);
        }
    }
}

/// The chance that log odds stand for.
fn chance(odds: f32) -> f32 {
    1.0 / (1.0 + (-odds).exp())
}

/// Adds the leaves of trees to the log odds of all rows, of which the first `width` columns are read.
fn add(trees: &[Tree], width: usize, rows: &[FeatureRow], odds: &mut [f32]) {
    let whole = rows.len() / LANES * LANES;
    add_in_groups::<LANES>(trees, width, &rows[..whole], &mut odds[..whole]);
    let (last, last_odds) = (&rows[whole..], &mut odds[whole..]);
    match last.len() {
        0 => {}
        len if len <= LANES / 2 => add_last::<{ LANES / 2 }>(trees, width, last, last_odds),
        _ => add_last::<LANES>(trees, width, last, last_odds),
    }
}

/// As [`add`], for at most `N` rows: copies of one of them take the places that they leave empty.
fn add_last<const N: usize>(trees: &[Tree], width: usize, rows: &[FeatureRow], odds: &mut [f32]) {
    let side: [FeatureRow; N] = std::array::from_fn(|i| rows[i.min(rows.len() - 1)]);
    let mut sums = [0.0; N];
    sums[..rows.len()].copy_from_slice(odds);
    add_in_groups::<N>(trees, width, &side, &mut sums);
    odds.copy_from_slice(&sums[..rows.len()]);
}

/// As [`add`], for rows whose number is a multiple of `N`.
fn add_in_groups<const N: usize>(trees: &[Tree], width: usize, rows: &[FeatureRow], odds: &mut [f32]) {
    let mut bounds = Bounds {
        least: [f32::NEG_INFINITY; STRIDE],
        greatest: [f32::INFINITY; STRIDE],
    };
    for (rows, odds) in rows.as_chunks::<N>().0.iter().zip(odds.as_chunks_mut().0) {
        bounds.set(rows, width);
        for tree in trees {
            tree.add(rows, &bounds, odds);
        }
    }
}

/// The least and the greatest entry of each column in a group of rows. Neighboring lines have much in common: where both lie on one side
/// of a threshold, one comparison decides for the whole group.
struct Bounds {
    least: FeatureRow,
    greatest: FeatureRow,
}

/// Columns whose bounds are found at the same time, by vector instructions.
const COLUMNS: usize = 8;

impl Bounds {
    /// Finds the bounds of the first `width` columns.
    fn set<const N: usize>(&mut self, rows: &[FeatureRow; N], width: usize) {
        let least = self.least.as_chunks_mut::<COLUMNS>().0;
        let greatest = self.greatest.as_chunks_mut::<COLUMNS>().0;
        for (i, (least, greatest)) in least.iter_mut().zip(greatest).enumerate() {
            if i * COLUMNS >= width {
                break;
            }
            let (mut low, mut high) = ([f32::INFINITY; COLUMNS], [f32::NEG_INFINITY; COLUMNS]);
            for row in rows {
                let part = &row.as_chunks::<COLUMNS>().0[i];
                for j in 0..COLUMNS {
                    // A missing value, NaN, goes to the right child, as the largest number does.
                    let value = if part[j] < f32::MAX { part[j] } else { f32::MAX };
                    low[j] = if value < low[j] { value } else { low[j] };
                    high[j] = if value > high[j] { value } else { high[j] };
                }
            }
            (*least, *greatest) = (low, high);
        }
    }
}

impl Tree {
    fn new(file: &[FileNode]) -> Tree {
        let mut nodes = Box::new(
            [Node {
                most: f32::NAN,
                column: 0,
                left: 0,
            }; PLACES],
        );
        let mut values = Box::new([0.0; PLACES]);
        let mut depths = [0; PLACES];
        for (i, node) in file.iter().enumerate().take(MAX_NODES) {
            match *node {
                FileNode::Split {
                    column,
                    threshold,
                    left,
                } => {
                    depths[usize::from(left)] = depths[i] + 1;
                    depths[usize::from(left) + 1] = depths[i] + 1;
                    nodes[i] = Node {
                        most: threshold.next_down(),
                        column,
                        left,
                    };
                }
                FileNode::Leaf(odds) => {
                    values[i] = odds;
                    // NaN compares false, so the walk goes on at the node after `left`, which is this one. If it is the root, there is no
                    // step to take.
                    nodes[i].left = (i as u8).saturating_sub(1);
                }
            }
        }
        let depth = depths.into_iter().max().unwrap_or(0);
        Tree { nodes, values, depth }
    }

    fn add<const N: usize>(&self, rows: &[FeatureRow; N], bounds: &Bounds, odds: &mut [f32; N]) {
        // All rows go down together for as long as none takes another way; no bound is above or below the NaN of a leaf.
        let (mut together, mut left) = (0_usize, self.depth);
        loop {
            let node = self.nodes[together];
            let column = usize::from(node.column);
            let right = if bounds.greatest[column] <= node.most {
                0
            } else if bounds.least[column] > node.most {
                1
            } else {
                break;
            };
            together = usize::from(node.left) + right;
            left -= 1;
        }
        let is_leaf = |at: usize| self.nodes[at].most.is_nan();
        if is_leaf(together) {
            let value = self.values[together];
            odds.iter_mut().for_each(|odds| *odds += value);
            return;
        }
        let mut at = [together; N];
        while left > 0 {
            at = std::array::from_fn(|i| self.step(&rows[i], at[i]));
            left -= 1;
            // Most rows reach a leaf long before the end of the longest path.
            if 2 * left < self.depth && at.into_iter().all(is_leaf) {
                break;
            }
        }
        for (odds, at) in odds.iter_mut().zip(at) {
            *odds += self.values[at];
        }
    }

    /// One split of one row.
    #[inline(always)]
    fn step(&self, row: &FeatureRow, at: usize) -> usize {
        let node = self.nodes[at];
        // NaN compares false, so a missing value goes to the right child.
        let below = row[usize::from(node.column)] <= node.most;
        usize::from(node.left) + usize::from(!below)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::model::refinement::LineContext;

    #[test]
    fn the_model_fits_the_features() {
        let lines = crate::training::page_lines("<p>One line of text.", None);
        let (first, refinement) = trees();
        assert_eq!(first.columns, lines.features.names, "run `cargo xtask train`");
        assert_eq!(
            refinement.columns,
            LineContext::names(),
            "run `cargo xtask train`"
        );
        let files = [
            include_str!("../../../data/lines.model"),
            include_str!("../../../data/refinement.model"),
        ];
        let bytes = files.map(str::len).iter().sum::<usize>();
        assert!(bytes < 1 << 20, "the models are to stay below 1 MB");
        for (model, text) in MODELS.into_iter().zip(files) {
            assert_eq!(TreeFile::from_bytes(model), TreeFile::parse(text).ok());
        }
    }

    #[test]
    fn rows_go_their_own_ways_in_any_company() {
        let (first, _) = trees();
        let special = [
            0.0,
            -1.0,
            0.3,
            7.0,
            1000.0,
            f32::NAN,
            f32::INFINITY,
            f32::NEG_INFINITY,
        ];
        let mut rows = vec![[0.0; STRIDE]; 3 * LANES + 1];
        for (i, row) in rows.iter_mut().enumerate() {
            for (j, place) in row.iter_mut().enumerate() {
                // Some columns agree in all rows, most in neighbors, and few in none.
                let step = if j % 3 == 0 { 0 } else { i / (1 + j % 5) };
                *place = special[(step + j * j) % special.len()];
            }
        }
        let (mut together, mut alone) = (Vec::new(), Vec::new());
        let mut copies = rows.clone();
        first.chances(&mut rows, false, &mut together);
        for row in &mut copies {
            first.chances(std::slice::from_mut(row), false, &mut alone);
        }
        assert_eq!(together, alone);
    }

    #[test]
    fn splits_lead_left_and_right() {
        let text = "format 2\ncolumns a b\nbase 0\ntree 5\ns 1 0.5 1 2\nl -2\ns 0 3 3 4\nl 1\nl 2\n";
        let trees = Trees::parse(text).unwrap();
        let mut rows = [[0.0; STRIDE]; LANES + 1];
        (rows[0][0], rows[0][1]) = (9.0, 0.4);
        rows[1][1] = 0.5;
        rows[2][1] = f32::NAN;
        rows[8][0] = f32::INFINITY;
        rows[8][1] = 1.0;
        let mut chances = Vec::new();
        trees.chances(&mut rows, false, &mut chances);
        let round: Vec<f32> = chances.iter().map(|c| (c * 1000.0).round()).collect();
        assert_eq!(
            round,
            [119.0, 731.0, 731.0, 119.0, 119.0, 119.0, 119.0, 119.0, 881.0]
        );
        let leaf = Trees::parse("format 2\ncolumns a\nbase 1\ntree 1\nl -1\n").unwrap();
        chances.clear();
        leaf.chances(&mut rows[..1], true, &mut chances);
        assert_eq!(chances, [0.5]);
    }

    #[test]
    fn lines_at_the_early_exit_skip_the_other_trees() {
        let text =
            "format 2\ncolumns a\nbase 0\nearly-exit 1 1.5 2\ntree 3\ns 0 1 1 2\nl 1\nl -2\ntree 1\nl 10\n";
        let trees = Trees::parse(text).unwrap();
        let mut rows: [FeatureRow; 20] = std::array::from_fn(|i| [f32::from(u8::from(i % 3 == 0)); STRIDE]);
        let mut chances = Vec::new();
        trees.chances(&mut rows, false, &mut chances);
        for (i, chance) in chances.into_iter().enumerate() {
            assert_eq!(chance < 0.02, i % 3 == 0);
            assert_eq!(chance > 0.99, i % 3 != 0);
        }
    }
}
