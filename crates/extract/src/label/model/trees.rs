//! Gradient boosted trees of `lines.model` and `refinement.model`, and the chances that they yield.

use std::sync::LazyLock;

use crate::label::model::row::{KeyRow, STRIDE};
use crate::label::model::tree_file::{EarlyExit, TreeFile};
use crate::label::model::tree_walk::{self, Part, WalkBuffers};

/// The models that the build script compiled from `lines.model` and `refinement.model`.
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
    /// Trees that are applied to every line.
    first: Vec<Part>,
    /// Trees for lines that do not take the early exit.
    rest: Vec<Part>,
}

/// Returns the trees of the first pass and of the refinement, loading them on first use.
pub(crate) fn trees() -> (&'static Trees, &'static Trees) {
    static TREES: LazyLock<[Trees; 2]> = LazyLock::new(|| {
        MODELS.map(|model| Trees::compiled(model).unwrap_or_else(|| panic!("a model, which tests read too")))
    });
    (&TREES[0], &TREES[1])
}

impl Trees {
    /// Parses the text of a model.
    pub(crate) fn parse(text: &str) -> Result<Trees, String> {
        let file = TreeFile::parse(text)?;
        if file.columns.len() > STRIDE {
            return Err(format!("{} columns, {STRIDE} at most", file.columns.len()));
        }
        Ok(Trees::of(file))
    }

    /// Loads a model that the build script compiled; `None` if it is malformed.
    pub(crate) fn compiled(model: &[u8]) -> Option<Trees> {
        let file = TreeFile::from_bytes(model)?;
        (file.columns.len() <= STRIDE).then(|| Trees::of(file))
    }

    fn of(file: TreeFile) -> Trees {
        let (first, rest) = file.trees.split_at(file.early_exit.after.min(file.trees.len()));
        Trees {
            first: Part::all(first),
            rest: Part::all(rest),
            columns: file.columns,
            base: file.base,
            early_exit: file.early_exit,
        }
    }

    /// Appends the chance of each row to be main text, 0 to 1. With `fast`, every line takes the early exit.
    pub(crate) fn chances(&self, rows: &[KeyRow], fast: bool, buffers: &mut WalkBuffers, out: &mut Vec<f32>) {
        let (start, width) = (out.len(), self.columns.len());
        out.resize(start + rows.len(), 0.0);
        let out = &mut out[start..];
        let exit = &self.early_exit;
        let mut odds = vec![self.base; rows.len()];
        let mut open: Vec<usize> = (0..rows.len()).collect();
        tree_walk::add(&self.first, width, rows, &open, buffers, &mut odds);
        // Most lines are sure after the first trees and skip the others.
        open.retain(|&line| {
            let exits = fast || odds[line].abs() > exit.odds;
            if exits {
                out[line] = chance(odds[line] * exit.factor);
            }
            !exits
        });
        // Moves the odds of open lines to the front. `open` is ascending, so `line >= at` and no value is overwritten before it is read.
        for (at, &line) in open.iter().enumerate() {
            odds[at] = odds[line];
        }
        let open_odds = &mut odds[..open.len()];
        tree_walk::add(&self.rest, width, rows, &open, buffers, open_odds);
        for (line, odds) in open.into_iter().zip(odds) {
            out[line] = chance(odds);
        }
    }
}

/// Converts log odds to a probability.
fn chance(odds: f32) -> f32 {
    1.0 / (1.0 + (-odds).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::model::refinement::LineContext;
    use crate::label::model::row::{FeatureRow, key_of};
    use crate::label::model::tree_walk::LANES;

    fn keys(rows: &[FeatureRow]) -> Vec<KeyRow> {
        rows.iter().map(|row| row.map(key_of)).collect()
    }

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
            1e-30,
            f32::INFINITY,
            f32::NEG_INFINITY,
        ];
        let mut rows = vec![[0.0; STRIDE]; 3 * LANES + 1];
        for (i, row) in rows.iter_mut().enumerate() {
            for (j, place) in row.iter_mut().enumerate() {
                // Some columns are equal in all rows, most in neighboring rows, and few in none.
                let step = if j % 3 == 0 { 0 } else { i / (1 + j % 5) };
                *place = special[(step + j * j) % special.len()];
            }
        }
        let (mut together, mut alone) = (Vec::new(), Vec::new());
        let rows = keys(&rows);
        first.chances(&rows, false, &mut WalkBuffers::default(), &mut together);
        for row in &rows {
            first.chances(
                std::slice::from_ref(row),
                false,
                &mut WalkBuffers::default(),
                &mut alone,
            );
        }
        assert_eq!(together, alone);
    }

    #[test]
    fn splits_lead_left_and_right() {
        let text = "format 3\ncolumns a b\nbase 0\ntree 5\ns 1 0.5 1 2\nl -2\ns 0 3 3 4\nl 1\nl 2\n";
        let trees = Trees::parse(text).unwrap();
        let mut rows = vec![[0.0; STRIDE]; LANES + 1];
        (rows[0][0], rows[0][1]) = (9.0, 0.4);
        rows[1][1] = 0.5;
        rows[2][1] = f32::INFINITY;
        rows[LANES][0] = f32::INFINITY;
        rows[LANES][1] = 1.0;
        let mut chances = Vec::new();
        let rows = keys(&rows);
        trees.chances(&rows, false, &mut WalkBuffers::default(), &mut chances);
        let round: Vec<f32> = chances.iter().map(|c| (c * 1000.0).round()).collect();
        assert_eq!(round[..4], [119.0, 731.0, 731.0, 119.0]);
        assert_eq!(round[LANES - 1..], [119.0, 881.0]);
        let leaf = Trees::parse("format 3\ncolumns a\nbase 1\ntree 1\nl -1\n").unwrap();
        chances.clear();
        leaf.chances(&rows[..1], true, &mut WalkBuffers::default(), &mut chances);
        assert_eq!(chances, [0.5]);
    }

    #[test]
    fn lines_at_the_early_exit_skip_the_other_trees() {
        let text =
            "format 3\ncolumns a\nbase 0\nearly-exit 1 1.5 2\ntree 3\ns 0 1 1 2\nl 1\nl -2\ntree 1\nl 10\n";
        let trees = Trees::parse(text).unwrap();
        let rows: [FeatureRow; 20] = std::array::from_fn(|i| [f32::from(u8::from(i % 3 == 0)); STRIDE]);
        let rows = keys(&rows);
        let mut chances = Vec::new();
        trees.chances(&rows, false, &mut WalkBuffers::default(), &mut chances);
        for (i, chance) in chances.into_iter().enumerate() {
            assert_eq!(chance < 0.02, i % 3 == 0);
            assert_eq!(chance > 0.99, i % 3 != 0);
        }
    }
}
