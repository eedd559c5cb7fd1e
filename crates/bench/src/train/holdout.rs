//! Training of both passes, and their predictions on held-out pages.

use std::collections::BTreeSet;

use dehusk_html::narrow;
use dehusk_pipeline::extract::training;

use super::boost::{self, Forest, Settings, Table};
use super::judge::judge;
use super::lexicon::Lexicon;
use super::pages::{Labelled, Pages};
use super::sets::SetInfo;
use crate::result::Result;

/// Settings of the refinement: few and small trees, because the first pass decides most lines.
const REFINEMENT: Settings = Settings {
    trees: 100,
    leaves: 7,
    rate: 0.1,
    min_rows: 100,
    ridge: 5.0,
    columns: 0.3,
    seed: 1,
    exit_after: 0,
    exit_odds: 0.0,
    directions: &[],
};

/// Probabilities of all rows: by all trees, and by the trees before the early exit.
pub(super) type Odds = (Vec<f32>, Vec<f32>);

/// The labelled pages and the rows of their lines.
pub(super) struct Corpus {
    pub(super) pages: Vec<Labelled>,
    table: Table,
    pub(super) settings: Settings,
    /// Names of sets that are not trained on in this run.
    pub(super) left_out: Vec<String>,
}

/// The first pass.
pub(super) struct FirstPass {
    /// Trained on all training pages.
    pub(super) forest: Forest,
    /// Probabilities by trees that were not trained on the page's domain.
    pub(super) held_out: Odds,
}

/// The refinement of the first pass.
pub(super) struct Refined {
    pub(super) forest: Forest,
    pub(super) lexicon: Lexicon,
    /// Probabilities by trees and words that were not trained on the page's domain.
    pub(super) held_out: Odds,
}

/// Whether the set of a page is one that models are trained on.
fn is_trained_on(page: &Labelled) -> bool {
    SetInfo::find(&page.set).is_some()
}

/// A condition on pages.
type Wanted<'a> = &'a dyn Fn(&Labelled) -> bool;

impl Corpus {
    /// Makes a corpus of these pages, with these columns of their features.
    pub(super) fn new(pages: Pages, columns: &[usize], settings: Settings, left_out: &[String]) -> Corpus {
        let width = columns.len();
        // All columns: the rows are taken without a copy.
        let rows: Vec<f32> = if width == pages.names.len() {
            pages.rows
        } else {
            let rows = pages.rows.chunks_exact(pages.names.len());
            rows.flat_map(|row| columns.iter().map(|&c| row[c])).collect()
        };
        let is_trained = |p: &&Labelled| is_trained_on(p) && !left_out.contains(&p.set);
        let trained = pages.pages.iter().filter(is_trained);
        // Only these rows give the edges of the bins, so pages that are not trained on do not affect the
        // trees.
        let trained = trained.flat_map(|p| p.rows.clone()).map(narrow::to_u32).collect();
        Corpus {
            table: Table::new(&rows, width, trained, pages.targets, pages.weights),
            pages: pages.pages,
            settings,
            left_out: left_out.to_vec(),
        }
    }

    /// Whether a page is trained on in this run.
    fn is_trained(&self, page: &Labelled) -> bool {
        is_trained_on(page) && !self.left_out.contains(&page.set)
    }

    /// Returns all pages, also those that are not trained on.
    pub(super) fn all(&self) -> Vec<&Labelled> {
        self.pages.iter().collect()
    }

    /// Returns the pages that are trained on in this run.
    pub(super) fn trained(&self) -> impl Iterator<Item = &Labelled> {
        self.pages.iter().filter(|p| self.is_trained(p))
    }

    /// Returns the rows with a positive weight, of the training pages in the subset.
    fn rows_of(&self, wanted: Wanted<'_>) -> Vec<u32> {
        let rows = self.trained().filter(|p| wanted(p)).flat_map(|p| p.rows.clone());
        rows.filter(|&r| self.table.weights[r] > 0.0)
            .map(narrow::to_u32)
            .collect()
    }

    /// Returns the fold of a page, or `None` if the page is not trained on.
    fn part(&self, page: &Labelled, folds: u64) -> Option<u64> {
        // By domain, so that pages of one site are never in training and test together.
        self.is_trained(page).then_some(page.domain % folds)
    }

    /// Returns probabilities of 0 for all rows, to be overwritten.
    fn no_odds(&self) -> Odds {
        let rows = self.table.targets.len();
        (vec![0.0; rows], vec![0.0; rows])
    }

    /// Writes the first pass's probabilities of the pages in the subset to `out`.
    fn predict(&self, forest: &Forest, out: &mut Odds, wanted: Wanted<'_>) {
        for row in self
            .pages
            .iter()
            .filter(|p| wanted(p))
            .flat_map(|p| p.rows.clone())
        {
            out.0[row] = forest.predict(&self.table, row, false);
            out.1[row] = forest.predict(&self.table, row, true);
        }
    }

    /// Trains the first pass: on all pages, and once without each fold of domains.
    pub(super) fn first_pass(&self, folds: u64) -> FirstPass {
        let mut held_out = self.no_odds();
        for fold in 0..folds {
            let rows = self.rows_of(&|p| self.part(p, folds) != Some(fold));
            let forest = boost::grow(&self.table, &rows, &self.settings);
            self.predict(&forest, &mut held_out, &|p| self.part(p, folds) == Some(fold));
            eprintln!("part {} of {folds} done", fold + 1);
        }
        let forest = boost::grow(&self.table, &self.rows_of(&|_| true), &self.settings);
        // Pages that no fold contains were never trained on, so the model of all folds is fair to them.
        self.predict(&forest, &mut held_out, &|p| self.part(p, folds).is_none());
        FirstPass { forest, held_out }
    }

    /// Trains the refinement: on all pages, and once without each fold of domains.
    pub(super) fn refine(&self, first: &FirstPass, folds: u64) -> Refined {
        // The lexicon leaves out a page's own domain when it is asked, so one lexicon serves all folds.
        let lexicon = Lexicon::new(self.trained(), &self.table);
        let refinement = self.refinement(&first.held_out.0, &lexicon);
        let mut held_out = first.held_out.clone();
        for fold in 0..folds {
            // The folds of the first pass, so that a page is held out in both passes at once.
            let rows = self.rows_of(&|p| self.part(p, folds) != Some(fold));
            let forest = boost::grow(&refinement, &rows, &self.refinement_settings());
            for page in self.pages.iter().filter(|p| self.part(p, folds) == Some(fold)) {
                correct(&forest, page, &lexicon, &mut held_out);
            }
        }
        let forest = boost::grow(&refinement, &self.rows_of(&|_| true), &self.refinement_settings());
        for page in self.pages.iter().filter(|p| self.part(p, folds).is_none()) {
            correct(&forest, page, &lexicon, &mut held_out);
        }
        Refined {
            forest,
            lexicon,
            held_out,
        }
    }

    /// Returns the settings of the refinement, with no more trees than the first pass has.
    fn refinement_settings(&self) -> Settings {
        Settings {
            trees: self.settings.trees.min(REFINEMENT.trees),
            ..REFINEMENT
        }
    }

    /// Returns the rows that the refinement is trained on. They use probabilities by trees that were not
    /// trained on the page's own domain. For pages outside a fold these trees were trained on the fold,
    /// which changes the figures by less than .002 compared with probabilities that no page of the fold
    /// affects.
    fn refinement(&self, chances: &[f32], lexicon: &Lexicon) -> Table {
        let rows = self.pages.iter().flat_map(|p| {
            let words = lexicon.odds_in_training(p);
            p.line_context.rows(&chances[p.rows.clone()], &words)
        });
        let width = training::LineContext::names().len();
        self.table.of_same_rows(&rows.collect::<Vec<f32>>(), width)
    }

    /// Prints the scores of each group of pages if neither trees nor words are trained on it. `first` holds
    /// the probabilities of the first pass. `group` returns the name of a page's group, or `None` if the
    /// page is not held out.
    pub(super) fn without_each(
        &self,
        first: &[f32],
        group: &dyn Fn(&Labelled) -> Option<&str>,
    ) -> Result<()> {
        let groups: BTreeSet<&str> = self.trained().filter_map(group).collect();
        let mut odds = self.no_odds();
        for name in &groups {
            let held = |page: &Labelled| group(page) == Some(name);
            let rows = self.rows_of(&|p| !held(p));
            let forest = boost::grow(&self.table, &rows, &self.settings);
            self.predict(&forest, &mut odds, &held);
            let lexicon = Lexicon::new(self.trained().filter(|p| !held(p)), &self.table);
            let refinement = self.refinement(first, &lexicon);
            let forest = boost::grow(&refinement, &rows, &self.refinement_settings());
            for page in self.pages.iter().filter(|p| held(p)) {
                correct(&forest, page, &lexicon, &mut odds);
            }
            eprintln!("without {name} done");
        }
        let held: Vec<&Labelled> = self.trained().filter(|p| group(p).is_some()).collect();
        judge(&held, &odds.0, None)?;
        Ok(())
    }
}

/// Refines the probabilities of a page.
fn correct(forest: &Forest, page: &Labelled, lexicon: &Lexicon, odds: &mut Odds) {
    let width = training::LineContext::names().len();
    let words = lexicon.odds_of_lines(page);
    // Both kinds of probabilities: by all trees, and by those before the early exit.
    for chances in [&mut odds.0, &mut odds.1] {
        let chances = &mut chances[page.rows.clone()];
        // All rows are computed before any probability changes, since a row contains those of the lines
        // around.
        let rows = page.line_context.rows(chances, &words);
        let open = chances.iter_mut().zip(rows.chunks_exact(width));
        // The program refines only uncertain lines, so only those are refined here.
        for (chance, row) in open.filter(|(chance, _)| training::LineContext::is_uncertain(**chance)) {
            *chance = forest.chance(row);
        }
        page.line_context
            .settle(chances, |line| training::begins_as_promotion(&page.lines[line]));
    }
}
