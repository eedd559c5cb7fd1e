//! Gradient boosted trees, read from `lines.model` and `refinement.model`.

use std::sync::LazyLock;

use crate::label::model::row::{FeatureRow, STRIDE};

/// The models, compiled in.
const MODELS: [&str; 2] = [
    include_str!("../../../data/lines.model"),
    include_str!("../../../data/refinement.model"),
];

/// Trees whose leaves add up to the log odds of a line.
#[derive(Debug)]
pub(crate) struct Trees {
    /// Names of the columns that the trees read.
    pub(crate) columns: Vec<String>,
    base: f32,
    early_exit: EarlyExit,
    trees: Vec<Tree>,
}

/// When a line skips the remaining trees. For most lines these would only raise the absolute log odds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EarlyExit {
    /// Number of trees that are applied to every line.
    pub after: usize,
    /// Absolute log odds above which a line skips the other trees.
    pub odds: f32,
    /// Factor for log odds at the early exit: about what the skipped trees would have added.
    pub factor: f32,
}

impl EarlyExit {
    /// All trees are applied to every line.
    pub const NEVER: EarlyExit = EarlyExit {
        after: usize::MAX,
        odds: f32::INFINITY,
        factor: 1.0,
    };
}

/// Nodes of a tree, the root first. Entries after its last node are never reached.
#[derive(Debug)]
struct Tree {
    nodes: Box<[Node; MAX_NODES]>,
    /// Log odds that each node adds, if it is a leaf.
    values: Box<[f32; MAX_NODES]>,
    /// Splits on the longest path.
    depth: usize,
}

/// A split: its children are `left`, if the feature is below the threshold, and the node after `left`. A leaf is its own child, so
/// that all walks can have the same length.
#[derive(Clone, Copy, Debug)]
struct Node {
    threshold: f32,
    column: u8,
    left: u8,
}

/// Nodes of a tree at most, as a node's number is one byte.
const MAX_NODES: usize = 256;

/// Number of rows that are walked down a tree at the same time, so that their memory accesses overlap.
const LANES: usize = 8;

/// The trees of the first pass and of the refinement, read on first use.
pub(crate) fn trees() -> (&'static Trees, &'static Trees) {
    static TREES: LazyLock<[Trees; 2]> = LazyLock::new(|| {
        MODELS.map(|model| {
            Trees::parse(model).unwrap_or_else(|why| panic!("a model, which tests read too: {why}"))
        })
    });
    (&TREES[0], &TREES[1])
}

/// A node as the file has it.
enum NodeText {
    /// Threshold, column, left child, right child.
    Split(f32, u8, usize, usize),
    /// Log odds.
    Leaf(f32),
}

impl Trees {
    /// Reads a model.
    pub(crate) fn parse(text: &str) -> Result<Trees, String> {
        let mut out = Trees {
            columns: Vec::new(),
            base: 0.0,
            early_exit: EarlyExit::NEVER,
            trees: Vec::new(),
        };
        let mut format = 0;
        let mut tree: Option<Vec<NodeText>> = None;
        for (number, line) in text.lines().enumerate() {
            let fail = |what: &str| format!("line {}: {what}: `{line}`", number + 1);
            let mut words = line.split(' ');
            let kind = words.next().unwrap_or("");
            let mut next = || words.next().ok_or_else(|| fail("too short"));
            let index = |word: &str| word.parse::<usize>().map_err(|_| fail("no number"));
            let value = |word: &str| word.parse::<f32>().map_err(|_| fail("no number"));
            match kind {
                "#" | "" => {}
                "format" => format = index(next()?)?,
                "columns" => out.columns = line.split(' ').skip(1).map(str::to_owned).collect(),
                "base" => out.base = value(next()?)?,
                "early-exit" => {
                    let (after, odds, factor) = (index(next()?)?, value(next()?)?, value(next()?)?);
                    out.early_exit = EarlyExit { after, odds, factor };
                }
                "tree" => out
                    .trees
                    .extend(tree.replace(Vec::new()).map(|t| Tree::new(&t)).transpose()?),
                "s" => {
                    let column = index(next()?)?;
                    let threshold = value(next()?)?;
                    let (left, right) = (index(next()?)?, index(next()?)?);
                    if column >= out.columns.len() {
                        return Err(fail("no such column"));
                    }
                    let column = u8::try_from(column).map_err(|_| fail("too many columns"))?;
                    let tree = tree.as_mut().ok_or_else(|| fail("no tree"))?;
                    tree.push(NodeText::Split(threshold, column, left, right));
                }
                "l" => {
                    let value = value(next()?)?;
                    tree.as_mut()
                        .ok_or_else(|| fail("no tree"))?
                        .push(NodeText::Leaf(value));
                }
                _ => return Err(fail("unknown")),
            }
        }
        out.trees.extend(tree.map(|t| Tree::new(&t)).transpose()?);
        if format != 2 {
            return Err(format!("format {format}, not 2"));
        }
        if out.columns.len() > STRIDE {
            return Err(format!("{} columns, {STRIDE} at most", out.columns.len()));
        }
        Ok(out)
    }

    /// Chances of lines to be main text, 0 to 1, in the order of their rows. With `fast` every line takes the early exit.
    pub(crate) fn chances(&self, rows: &[FeatureRow], fast: bool, out: &mut Vec<f32>) {
        let mut odds: Vec<f32> = vec![self.base; rows.len()];
        let (first, rest) = self.trees.split_at(self.early_exit.after.min(self.trees.len()));
        let mut open: Vec<usize> = (0..rows.len()).collect();
        add(first, rows, &open, &mut odds);
        open.retain(|&row| !fast && odds[row].abs() <= self.early_exit.odds);
        add(rest, rows, &open, &mut odds);
        let mut open = open.into_iter().peekable();
        out.extend(odds.into_iter().enumerate().map(|(row, odds)| {
            let exited = open.next_if_eq(&row).is_none();
            let odds = if exited {
                odds * self.early_exit.factor
            } else {
                odds
            };
            1.0 / (1.0 + (-odds).exp())
        }));
    }
}

/// Adds the leaves of trees to the log odds of some rows.
fn add(trees: &[Tree], rows: &[FeatureRow], which: &[usize], odds: &mut [f32]) {
    for which in which.chunks(LANES) {
        // The last chunk may be short: its last row fills the missing places.
        let Some(last) = which.last() else { continue };
        let row = |i| *which.get(i).unwrap_or(last);
        let side: [&FeatureRow; LANES] = std::array::from_fn(|i| &rows[row(i)]);
        let mut sums: [f32; LANES] = std::array::from_fn(|i| odds[row(i)]);
        for tree in trees {
            tree.add(&side, &mut sums);
        }
        for (row, sum) in which.iter().zip(sums) {
            odds[*row] = sum;
        }
    }
}

impl Tree {
    fn new(lines: &[NodeText]) -> Result<Tree, String> {
        let mut nodes = Box::new(
            [Node {
                threshold: f32::NAN,
                column: 0,
                left: 0,
            }; MAX_NODES],
        );
        let mut values = Box::new([0.0; MAX_NODES]);
        if lines.is_empty() || lines.len() > MAX_NODES {
            return Err(format!("a tree of {} nodes, not 1 to {MAX_NODES}", lines.len()));
        }
        let mut depths = vec![0; lines.len()];
        for (i, line) in lines.iter().enumerate() {
            match *line {
                NodeText::Split(threshold, column, left, right) => {
                    if left <= i || right != left + 1 || right >= lines.len() {
                        return Err("a split whose children do not follow it".to_owned());
                    }
                    depths[left] = depths[i] + 1;
                    depths[right] = depths[i] + 1;
                    nodes[i] = Node {
                        threshold,
                        column,
                        left: left as u8,
                    };
                }
                NodeText::Leaf(value) => {
                    values[i] = value;
                    // NaN compares false, so the walk goes on at the node after `left`, which is this one.
                    nodes[i].left = (i as u8).wrapping_sub(1);
                }
            }
        }
        let depth = depths.iter().copied().max().unwrap_or(0);
        Ok(Tree { nodes, values, depth })
    }

    fn add(&self, rows: &[&FeatureRow; LANES], odds: &mut [f32; LANES]) {
        // Eight variables instead of an array, so that each stays in a register.
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = [0_u8; LANES];
        let is_leaf = |at: u8| self.nodes[usize::from(at)].threshold.is_nan();
        let mut left = self.depth;
        while left > 0 {
            self.step(rows[0], &mut a);
            self.step(rows[1], &mut b);
            self.step(rows[2], &mut c);
            self.step(rows[3], &mut d);
            self.step(rows[4], &mut e);
            self.step(rows[5], &mut f);
            self.step(rows[6], &mut g);
            self.step(rows[7], &mut h);
            left -= 1;
            // Most rows reach a leaf long before the end of the longest path.
            if 2 * left < self.depth && [a, b, c, d, e, f, g, h].into_iter().all(is_leaf) {
                break;
            }
        }
        for (odds, at) in odds.iter_mut().zip([a, b, c, d, e, f, g, h]) {
            *odds += self.values[usize::from(at)];
        }
    }

    /// One split of one row.
    #[inline(always)]
    fn step(&self, row: &FeatureRow, at: &mut u8) {
        let node = self.nodes[usize::from(*at)];
        // NaN compares false, so a missing value goes to the right child.
        let below = row[usize::from(node.column)] < node.threshold;
        *at = node.left.wrapping_add(u8::from(!below));
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
        let bytes = MODELS.map(str::len).iter().sum::<usize>();
        assert!(bytes < 1 << 20, "the models are to stay below 1 MB");
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
        trees.chances(&rows, false, &mut chances);
        let round: Vec<f32> = chances.iter().map(|c| (c * 1000.0).round()).collect();
        assert_eq!(
            round,
            [119.0, 731.0, 731.0, 119.0, 119.0, 119.0, 119.0, 119.0, 881.0]
        );
        let leaf = Trees::parse("format 2\ncolumns a\nbase 1\ntree 1\nl -1\n").unwrap();
        chances.clear();
        leaf.chances(&rows[..1], true, &mut chances);
        assert_eq!(chances, [0.5]);
    }

    #[test]
    fn lines_at_the_early_exit_skip_the_other_trees() {
        let text =
            "format 2\ncolumns a\nbase 0\nearly-exit 1 1.5 2\ntree 3\ns 0 1 1 2\nl 1\nl -2\ntree 1\nl 10\n";
        let trees = Trees::parse(text).unwrap();
        let rows: [FeatureRow; 20] = std::array::from_fn(|i| [f32::from(u8::from(i % 3 == 0)); STRIDE]);
        let mut chances = Vec::new();
        trees.chances(&rows, false, &mut chances);
        for (i, chance) in chances.into_iter().enumerate() {
            assert_eq!(chance < 0.02, i % 3 == 0);
            assert_eq!(chance > 0.99, i % 3 != 0);
        }
    }

    #[test]
    fn broken_models_are_refused() {
        for text in [
            "",
            "format 1\ncolumns a\nbase 1\ntree 1\nl -1\n",
            "format 2\ncolumns a\nbase 0\ntree 3\ns 1 0.5 1 2\nl 1\nl 2\n",
            "format 2\ncolumns a\nbase 0\ntree 3\ns 0 0.5 1 2\nl 1\n",
            "format 2\ncolumns a\nbase 0\ntree 3\ns 0 0.5 0 1\nl 1\nl 2\n",
            "format 2\ncolumns a\nbase 0\ntree 0\ntree 1\nl 1\n",
            "format 2\ncolumns a\nbase 0\nl 1\n",
            "format 2\ncolumns a\nbase x\n",
            "format 2\nwhat\n",
        ] {
            assert!(Trees::parse(text).is_err(), "{text}");
        }
    }
}
