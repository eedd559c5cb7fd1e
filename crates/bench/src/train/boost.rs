//! Gradient boosted trees for a target between 0 and 1 (Friedman, *Greedy Function Approximation: A
//! Gradient Boosting Machine*, 2001). Features are binned into histograms, and trees are grown leaf by
//! leaf, like in LightGBM (Ke et al., 2017).
//!
//! The result depends only on rows and settings. Columns are sampled by a seeded generator, ties go to the
//! smaller number, and the two threads divide the columns, so that no sum depends on the threads.

#![expect(
    clippy::cast_possible_truncation,
    reason = "sums are f64, and the trees that are written hold f32"
)]

use dehusk_html::narrow;
use dehusk_pipeline::dedup::SplitMix64;
use dehusk_pipeline::extract::training::EarlyExit;

/// Number of bins of a column. The last one holds the values at or above all edges.
const BINS: usize = 127;

/// Settings of training.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    pub(super) trees: usize,
    pub(super) leaves: usize,
    pub(super) rate: f64,
    /// Smallest number of rows in a leaf.
    pub(super) min_rows: usize,
    /// L2 penalty on the value of a leaf, in units of weight.
    pub(super) ridge: f64,
    /// Share of the columns that each tree may use, 0 to 1.
    pub(super) columns: f64,
    pub(super) seed: u64,
    /// Number of trees after which lines may skip the rest, 0 for never, and the absolute log odds above
    /// which they do.
    pub(super) exit_after: usize,
    pub(super) exit_odds: f32,
    /// Monotonic constraint of each column: 1 if larger values may only raise the prediction, -1 if they
    /// may only lower it, 0 for no constraint. Columns beyond the end have no constraint.
    pub(super) directions: &'static [i8],
}

/// Rows of features with their targets and weights. Features are binned once for all models.
pub(super) struct Table {
    pub(super) width: usize,
    edges: Vec<Vec<f32>>,
    /// The bin of each value, one column after another.
    bins: Vec<Vec<u8>>,
    /// The rows that trees may be trained on.
    trained: Vec<u32>,
    pub(super) targets: Vec<f32>,
    pub(super) weights: Vec<f32>,
}

impl Table {
    /// Bins the features. Edges are quantiles of the rows `trained`, so other rows do not affect the trees.
    pub(super) fn new(
        rows: &[f32],
        width: usize,
        trained: Vec<u32>,
        targets: Vec<f32>,
        weights: Vec<f32>,
    ) -> Table {
        let n = targets.len();
        let mut edges = Vec::with_capacity(width);
        let mut bins = Vec::with_capacity(width);
        for column in 0..width {
            let value = |row: usize| rows[row * width + column];
            // A quarter of the rows suffices for quantiles.
            let mut sample: Vec<f32> = trained
                .iter()
                .step_by(4)
                .map(|&row| value(row as usize))
                .collect();
            sample.sort_by(f32::total_cmp);
            let mut cuts: Vec<f32> = Vec::new();
            for k in 1..BINS {
                let at = sample.get(k * sample.len() / BINS).copied().unwrap_or(0.0);
                // Equal quantiles give one edge. An edge at the least value would leave the bin below it
                // empty.
                if cuts.last().is_none_or(|&last| at > last)
                    && sample.first().is_some_and(|&least| at > least)
                {
                    cuts.push(at);
                }
            }
            bins.push(
                (0..n)
                    // At most 126 edges, so the number of a bin fits into a byte.
                    .map(|row| narrow::to_u8(cuts.partition_point(|&cut| cut <= value(row))))
                    .collect(),
            );
            edges.push(cuts);
        }
        Table {
            width,
            edges,
            bins,
            trained,
            targets,
            weights,
        }
    }

    /// Returns a table of other features of the same rows.
    pub(super) fn of_same_rows(&self, rows: &[f32], width: usize) -> Table {
        let (trained, targets) = (self.trained.clone(), self.targets.clone());
        Table::new(rows, width, trained, targets, self.weights.clone())
    }
}

/// A node of a tree: a split or a leaf.
#[derive(Clone, Copy, Debug)]
pub(super) enum Node {
    /// Goes left if the value of the column is below the threshold.
    Split {
        column: u32,
        threshold: f32,
        bin: u8,
        left: u32,
        right: u32,
    },
    Leaf(f32),
}

/// Trees whose leaf values add up to log odds.
#[derive(Clone, Debug)]
pub(super) struct Forest {
    pub(super) base: f32,
    pub(super) trees: Vec<Vec<Node>>,
    pub(super) early_exit: EarlyExit,
}

impl Forest {
    /// Returns the value of the leaf that a row reaches. `below` receives column, bin and threshold of a
    /// split, and returns true to go left.
    fn leaf(tree: &[Node], below: impl Fn(usize, u8, f32) -> bool) -> f32 {
        let mut at = 0;
        loop {
            match tree[at] {
                Node::Leaf(value) => return value,
                Node::Split {
                    column,
                    threshold,
                    bin,
                    left,
                    right,
                } => {
                    let below = below(column as usize, bin, threshold);
                    at = if below { left } else { right } as usize;
                }
            }
        }
    }

    /// Returns the value of the leaf that a row of the table reaches.
    fn binned(tree: &[Node], table: &Table, row: usize) -> f32 {
        Self::leaf(tree, |column, bin, _| table.bins[column][row] < bin)
    }

    /// Returns the probability for a row of the table. With `fast` it uses only the trees before the early
    /// exit.
    pub(super) fn predict(&self, table: &Table, row: usize, fast: bool) -> f32 {
        let mut odds = self.base;
        for (i, tree) in self.trees.iter().enumerate() {
            if i == self.early_exit.after && (fast || odds.abs() > self.early_exit.odds) {
                // The factor stands in for the trees that are skipped.
                odds *= self.early_exit.factor;
                break;
            }
            odds += Self::binned(tree, table, row);
        }
        sigmoid(f64::from(odds)) as f32
    }

    /// Returns the probability for features that are in no table. Never exits early.
    pub(super) fn chance(&self, row: &[f32]) -> f32 {
        let leaf = |tree: &Vec<Node>| Self::leaf(tree, |column, _, threshold| row[column] < threshold);
        let odds = self.trees.iter().fold(self.base, |odds, tree| odds + leaf(tree));
        sigmoid(f64::from(odds)) as f32
    }

    /// Sets the early exit after `after` trees, for rows whose absolute log odds are above `odds`. Its
    /// factor is the mean ratio of the final log odds to those at the exit.
    fn set_early_exit(&mut self, table: &Table, rows: &[u32], after: usize, odds: f32) {
        let (first, rest) = self.trees.split_at(after.min(self.trees.len()));
        let (mut early, mut all, mut exited) = (0.0, 0.0, 0_usize);
        for &row in rows {
            let sum = |trees: &[Vec<Node>]| {
                trees
                    .iter()
                    .map(|t| Self::binned(t, table, row as usize))
                    .sum::<f32>()
            };
            let partial = self.base + sum(first);
            // Only rows that would exit count, since the factor is applied to no others.
            if partial.abs() > odds {
                exited += 1;
                early += f64::from(partial.abs());
                // Measured in the direction of the exit: a row whose sign the rest reverses lowers the
                // factor.
                all += f64::from((partial + sum(rest)) * partial.signum());
            }
        }
        eprintln!(
            "{:.3} of the lines exit after {after} trees",
            exited as f64 / rows.len() as f64
        );
        let factor = if exited > 0 { (all / early) as f32 } else { 1.0 };
        self.early_exit = EarlyExit { after, odds, factor };
    }
}

/// Returns the probability for log odds.
fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Sums over some rows of a leaf.
#[derive(Clone, Copy, Default)]
struct Cell {
    gradient: f64,
    curvature: f64,
    rows: u32,
}

/// Sums for every bin of every used column: `BINS + 1` cells a column, one column after another.
type Histogram = Vec<Cell>;

/// A leaf of a growing tree. `best` is the result of `best_split`.
struct Leaf {
    node: usize,
    rows: Vec<u32>,
    histogram: Histogram,
    total: Cell,
    best: Option<(f64, usize, usize)>,
}

/// Trains trees on some rows of the table.
pub(super) fn grow(table: &Table, rows: &[u32], settings: &Settings) -> Forest {
    let weight: f64 = rows.iter().map(|&r| f64::from(table.weights[r as usize])).sum();
    let mean: f64 = rows
        .iter()
        .map(|&r| f64::from(table.weights[r as usize] * table.targets[r as usize]))
        .sum::<f64>()
        / weight;
    // The log odds of the weighted mean: the best prediction without any tree.
    let base = (mean / (1.0 - mean)).ln();
    let mut forest = Forest {
        base: base as f32,
        trees: Vec::new(),
        early_exit: EarlyExit::NEVER,
    };
    let n = table.targets.len();
    let mut score = vec![base; n];
    let (mut gradient, mut curvature) = (vec![0.0_f32; n], vec![0.0_f32; n]);
    let mut random = SplitMix64::new(settings.seed);
    for _ in 0..settings.trees {
        for &r in rows {
            let r = r as usize;
            let p = sigmoid(score[r]);
            let w = f64::from(table.weights[r]);
            // First and second derivative of the weighted log loss by the log odds.
            gradient[r] = (w * (p - f64::from(table.targets[r]))) as f32;
            // Not 0, so that a leaf of sure rows has a finite value even without a penalty.
            curvature[r] = (w * p * (1.0 - p)).max(1e-12) as f32;
        }
        let columns: Vec<usize> = (0..table.width)
            .filter(|&c| {
                // A column without edges has one value on all rows and cannot be split.
                !table.edges[c].is_empty()
                    // 53 random bits as a fraction below 1.
                    && (random.number() >> 11) as f64 / (1_u64 << 53) as f64 <= settings.columns
            })
            .collect();
        let (tree, ends) = grow_tree(table, rows, &columns, &gradient, &curvature, settings);
        for (value, rows) in ends {
            for r in rows {
                // The leaves of a tree have all rows, each once, so this adds the tree to every score.
                score[r as usize] += f64::from(value);
            }
        }
        forest.trees.push(tree);
    }
    if settings.exit_after > 0 {
        forest.set_early_exit(table, rows, settings.exit_after, settings.exit_odds);
    }
    forest
}

/// Grows one tree. Returns its nodes, and for each leaf its value and rows.
fn grow_tree(
    table: &Table,
    rows: &[u32],
    columns: &[usize],
    gradient: &[f32],
    curvature: &[f32],
    settings: &Settings,
) -> (Vec<Node>, Vec<(f32, Vec<u32>)>) {
    let sum = |rows: &[u32]| {
        rows.iter().fold(Cell::default(), |sum, &r| Cell {
            gradient: sum.gradient + f64::from(gradient[r as usize]),
            curvature: sum.curvature + f64::from(curvature[r as usize]),
            rows: sum.rows + 1,
        })
    };
    let mut nodes = vec![Node::Leaf(0.0)];
    let histogram = histogram(table, rows, columns, gradient, curvature);
    let total = sum(rows);
    let best = best_split(&histogram, &total, columns, settings);
    let mut leaves = vec![Leaf {
        node: 0,
        rows: rows.to_vec(),
        histogram,
        total,
        best,
    }];
    while leaves.len() < settings.leaves {
        let gain = |l: &Leaf| l.best.map_or(0.0, |b| b.0);
        let mut pick = 0;
        // The largest gain; of equal gains the first in the list.
        for i in 1..leaves.len() {
            if gain(&leaves[i]) > gain(&leaves[pick]) {
                pick = i;
            }
        }
        // If the leaf with the largest gain has no split, no leaf has one.
        let Some((_, place, bin)) = leaves[pick].best else {
            break;
        };
        let leaf = leaves.swap_remove(pick);
        let column = columns[place];
        let (left, right): (Vec<u32>, Vec<u32>) = leaf
            .rows
            .iter()
            .partition(|&&r| usize::from(table.bins[column][r as usize]) < bin);
        let (left_node, right_node) = (nodes.len(), nodes.len() + 1);
        // Both places are reserved now; leaves get their values at the end.
        nodes.push(Node::Leaf(0.0));
        nodes.push(Node::Leaf(0.0));
        nodes[leaf.node] = Node::Split {
            column: narrow::to_u32(column),
            // Rows below this edge have bins below `bin`: both forms of the split agree.
            threshold: table.edges[column][bin - 1],
            bin: narrow::to_u8(bin),
            left: narrow::to_u32(left_node),
            right: narrow::to_u32(right_node),
        };
        // The histogram of the larger side is that of the parent minus that of the smaller side.
        let small_is_left = left.len() <= right.len();
        let small = if small_is_left { &left } else { &right };
        let small = self::histogram(table, small, columns, gradient, curvature);
        let mut large = leaf.histogram;
        for (a, b) in large.iter_mut().zip(&small) {
            a.gradient -= b.gradient;
            a.curvature -= b.curvature;
            a.rows -= b.rows;
        }
        let (left_histogram, right_histogram) = if small_is_left {
            (small, large)
        } else {
            (large, small)
        };
        for (node, rows, histogram) in [
            (left_node, left, left_histogram),
            (right_node, right, right_histogram),
        ] {
            // Summed again from the rows: the subtraction above leaves errors of rounding in the histogram.
            let total = sum(&rows);
            let best = best_split(&histogram, &total, columns, settings);
            leaves.push(Leaf {
                node,
                rows,
                histogram,
                total,
                best,
            });
        }
    }
    let mut ends = Vec::with_capacity(leaves.len());
    for leaf in leaves {
        // The Newton step of the second-order expansion, `-G / (H + ridge)`, shrunk by the rate.
        let value = (-leaf.total.gradient / (leaf.total.curvature + settings.ridge) * settings.rate) as f32;
        nodes[leaf.node] = Node::Leaf(value);
        ends.push((value, leaf.rows));
    }
    (nodes, ends)
}

/// Returns the sums of gradient, curvature and rows for every bin of the used columns.
fn histogram(
    table: &Table,
    rows: &[u32],
    columns: &[usize],
    gradient: &[f32],
    curvature: &[f32],
) -> Histogram {
    let mut out = vec![Cell::default(); columns.len() * (BINS + 1)];
    let half = columns.len().div_ceil(2);
    // Gathered once, so that in the loops below only the bins are read from random places.
    let pairs: Vec<(f32, f32)> = rows
        .iter()
        .map(|&r| (gradient[r as usize], curvature[r as usize]))
        .collect();
    let fill = |columns: &[usize], out: &mut [Cell]| {
        for (cells, &column) in out.chunks_mut(BINS + 1).zip(columns) {
            let bins = &table.bins[column];
            for (&r, &(gradient, curvature)) in rows.iter().zip(&pairs) {
                let cell = &mut cells[usize::from(bins[r as usize])];
                cell.gradient += f64::from(gradient);
                cell.curvature += f64::from(curvature);
                cell.rows += 1;
            }
        }
    };
    let (a, b) = out.split_at_mut(half * (BINS + 1));
    std::thread::scope(|scope| {
        scope.spawn(|| fill(&columns[..half], a));
        // Each thread fills columns of its own, so no sum is shared and the order of additions is fixed.
        fill(&columns[half..], b);
    });
    out
}

/// Returns the best split: its gain, the index of its column in `columns`, and the first bin of the right
/// side. `None` if no split is allowed and improves the fit.
fn best_split(
    histogram: &Histogram,
    total: &Cell,
    columns: &[usize],
    settings: &Settings,
) -> Option<(f64, usize, usize)> {
    // Half of this is the loss that a leaf saves: `G² / (H + ridge)`.
    let worth = |c: &Cell| c.gradient * c.gradient / (c.curvature + settings.ridge);
    let whole = worth(total);
    let mut best: Option<(f64, usize, usize)> = None;
    let value = |c: &Cell| -c.gradient / (c.curvature + settings.ridge);
    for (place, column) in columns.iter().enumerate() {
        let direction = f64::from(settings.directions.get(*column).copied().unwrap_or(0));
        let cells = &histogram[place * (BINS + 1)..(place + 1) * (BINS + 1)];
        let mut left = Cell::default();
        for (bin, cell) in cells.iter().enumerate().take(BINS) {
            left.gradient += cell.gradient;
            left.curvature += cell.curvature;
            left.rows += cell.rows;
            let right = Cell {
                gradient: total.gradient - left.gradient,
                curvature: total.curvature - left.curvature,
                rows: total.rows - left.rows,
            };
            if (left.rows as usize) < settings.min_rows {
                continue;
            }
            // Also ends after the last used bin, where no rows are left. So `bin` below always has an edge
            // before it.
            if (right.rows as usize) < settings.min_rows {
                break;
            }
            // The constraint forbids that the predictions of the two sides are in the wrong order.
            if direction * (value(&right) - value(&left)) < 0.0 {
                continue;
            }
            let gain = worth(&left) + worth(&right) - whole;
            // A gain must exceed the best by more than rounding, so that ties go to the smaller column and
            // bin.
            if gain > 1e-9 && best.is_none_or(|b| gain > b.0 * (1.0 + 1e-12)) {
                best = Some((gain, place, bin + 1));
            }
        }
    }
    best
}
