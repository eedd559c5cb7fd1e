//! `cargo xtask eval --sites --leave-one-out`: what rests on each number that templates are learnt by.
//!
//! Each number is varied alone, and all sites are scored with it. Then each site is left out in turn: the values are chosen by
//! the other sites, and the one left out is scored with them. If that figure is as good as that of the usual values, these
//! are no better fitted to the sites they were found on than to others.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use dehusk_pipeline::extract;
use dehusk_pipeline::extract::site::{Sample, Settings, Template};

use super::labelled::{Site, drawn, parallel, samples};
use super::rewrite::Stress;
use crate::result::Result;

/// By what a number is multiplied. Of shares of one half and more the distance from 1 is, so that they stay shares.
const FACTORS: [f64; 4] = [
    0.5,
    std::f64::consts::FRAC_1_SQRT_2,
    std::f64::consts::SQRT_2,
    2.0,
];
const STRESSES: [Stress; 3] = [Stress::Intact, Stress::Names, Stress::Bare];
/// Random choices of 5 and of 3 pages.
const DRAWS: u64 = 4;

/// A number and the values it is tried with.
struct Trial {
    name: &'static str,
    settings: [Settings; FACTORS.len()],
}

/// Prints what each number does, and what is reached with values chosen by other sites.
pub(super) fn run(sites: &[Site], options: &extract::Options) -> Result<()> {
    let pages: Vec<Vec<Vec<Sample>>> = STRESSES
        .iter()
        .map(|stress| samples(sites, *stress, options))
        .collect();
    let mut trials = Vec::new();
    for name in Settings::NAMES {
        let missing = || format!("no number `{name}`");
        let usual = Settings::USUAL.get(name).ok_or_else(missing)?;
        let mut settings = [Settings::USUAL; FACTORS.len()];
        for (of, factor) in settings.iter_mut().zip(FACTORS) {
            let value = if (0.5..1.0).contains(&usual) {
                1.0 - (1.0 - usual) * factor
            } else {
                usual * factor
            };
            *of = of.with(name, value).ok_or_else(missing)?;
        }
        trials.push(Trial { name, settings });
    }
    let scorers: Vec<Mutex<Scorer<'_>>> = (0..sites.len())
        .map(|s| {
            Mutex::new(Scorer::new(
                &sites[s],
                pages.iter().map(|of| &of[s][..]).collect(),
            ))
        })
        .collect();
    // Of each site: its figure with the usual values, and with each value of each number.
    let figures: Vec<Figures> = parallel(sites.len(), |s| {
        let mut scorer = scorers[s].lock().unwrap_or_else(PoisonError::into_inner);
        let usual = scorer.figure(Settings::USUAL);
        let each = trials
            .iter()
            .map(|t| t.settings.map(|settings| scorer.figure(settings)));
        (usual, each.collect())
    });
    let n = sites.len() as f64;
    let usual = figures.iter().map(|f| f.0).sum::<f64>() / n;
    println!(
        "mean over pages as they are, without names and without attributes, learnt from all pages, 5 and 3: {usual:.4}"
    );
    println!(
        "{:14} {:>7}  change of the mean, in ten-thousandths, with values from half to twice; site that loses most",
        "number", "usual"
    );
    for (t, trial) in trials.iter().enumerate() {
        let change = |f: usize| {
            figures
                .iter()
                .map(|(usual, each)| each[t][f] - usual)
                .sum::<f64>()
                / n
        };
        let worst = (0..FACTORS.len())
            .flat_map(|f| {
                figures
                    .iter()
                    .enumerate()
                    .map(move |(s, (usual, each))| (each[t][f] - usual, s))
            })
            .min_by(|a, b| a.0.total_cmp(&b.0));
        let worst = worst
            .filter(|w| w.0 < -0.0005)
            .map_or(String::new(), |(by, s)| format!("{} {by:+.3}", sites[s].name));
        let changes: Vec<String> = (0..FACTORS.len())
            .map(|f| format!("{:+6.0}", 1e4 * change(f)))
            .collect();
        println!(
            "{:14} {:>7}  {}  {worst}",
            trial.name,
            Settings::USUAL.get(trial.name).unwrap_or_default(),
            changes.join(" ")
        );
    }
    let nested = chosen_by_others(&trials, &figures, &scorers);
    println!(
        "values chosen by the other sites, scored on the site left out: {:.4}",
        nested.iter().map(|n| n.0).sum::<f64>() / n
    );
    for (site, (figure, (nested, changes))) in sites.iter().zip(figures.iter().zip(&nested)) {
        println!(
            "    {:18} usual {:.4}  chosen {nested:.4}  {}",
            site.name,
            figure.0,
            changes.join(" ")
        );
    }
    Ok(())
}

/// Numbers that may be changed for each site left out.
const MOST_CHANGES: usize = 12;

/// Figures of a site: with the usual values, and with each value of each number.
type Figures = (f64, Vec<[f64; FACTORS.len()]>);

/// Leaves out each site in turn and chooses values by the others: the numbers whose change helps most first, each kept if it
/// helps in addition to those before. Gives the figure of the site left out, and the changes.
fn chosen_by_others(
    trials: &[Trial],
    figures: &[Figures],
    scorers: &[Mutex<Scorer<'_>>],
) -> Vec<(f64, Vec<String>)> {
    let n = figures.len();
    let others = |out: usize, of: &dyn Fn(usize) -> f64| (0..n).filter(|s| *s != out).map(of).sum::<f64>();
    // Of each site left out: changes by what they gain, the values so far, and what all sites reach with them.
    let mut folds: Vec<_> = (0..n)
        .map(|out| {
            let mut best: Vec<(f64, usize, usize)> = (0..trials.len())
                .flat_map(|t| (0..FACTORS.len()).map(move |f| (t, f)))
                .map(|(t, f)| (others(out, &|s| figures[s].1[t][f] - figures[s].0), t, f))
                .filter(|c| c.0 > 0.0)
                .collect();
            best.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
            let mut seen = BTreeSet::new();
            best.retain(|c| seen.insert(c.1));
            let usual: Vec<f64> = figures.iter().map(|f| f.0).collect();
            (best, Settings::USUAL, usual, Vec::new())
        })
        .collect();
    for step in 0..MOST_CHANGES {
        // Many of the sites left out ask for the same.
        let mut asked: Vec<Settings> = Vec::new();
        let tries: Vec<Option<usize>> = folds
            .iter()
            .map(|(best, settings, ..)| {
                let (_, t, f) = *best.get(step)?;
                let name = trials[t].name;
                let next = settings.with(name, trials[t].settings[f].get(name)?)?;
                Some(asked.iter().position(|a| *a == next).unwrap_or_else(|| {
                    asked.push(next);
                    asked.len() - 1
                }))
            })
            .collect();
        let reached: Vec<Vec<f64>> = parallel(n, |s| {
            let mut scorer = scorers[s].lock().unwrap_or_else(PoisonError::into_inner);
            asked.iter().map(|settings| scorer.figure(*settings)).collect()
        });
        for (out, (fold, a)) in folds.iter_mut().zip(tries).enumerate() {
            let Some(a) = a else { continue };
            let now: Vec<f64> = reached.iter().map(|r| r[a]).collect();
            if others(out, &|s| now[s]) > others(out, &|s| fold.2[s]) {
                let (_, t, f) = fold.0[step];
                fold.3.push(format!("{} x{:.1}", trials[t].name, FACTORS[f]));
                (fold.1, fold.2) = (asked[a], now);
            }
        }
    }
    folds
        .into_iter()
        .enumerate()
        .map(|(out, fold)| (fold.2[out], fold.3))
        .collect()
}

/// Scores a site by any numbers. Pages of which the same is kept again are not scored again.
struct Scorer<'s> {
    site: &'s Site,
    /// By stress.
    pages: Vec<&'s [Sample]>,
    known: BTreeMap<(usize, usize, Vec<bool>), f64>,
}

impl<'s> Scorer<'s> {
    fn new(site: &'s Site, pages: Vec<&'s [Sample]>) -> Self {
        Scorer {
            site,
            pages,
            known: BTreeMap::new(),
        }
    }

    /// Mean F1 over stresses, and over learning from all pages, from 5 and from 3.
    fn figure(&mut self, settings: Settings) -> f64 {
        let mut rows = Vec::new();
        for stress in 0..self.pages.len() {
            let pages = self.pages[stress];
            let all: Vec<usize> = (0..pages.len()).collect();
            rows.push(self.row(stress, settings, &[(all.clone(), all)]));
            for k in [5, 3] {
                let draws: Vec<_> = drawn(pages.len(), k, DRAWS).collect();
                rows.push(self.row(stress, settings, &draws));
            }
        }
        rows.iter().sum::<f64>() / rows.len().max(1) as f64
    }

    /// Mean F1 of pages by templates learnt from others: pairs of what is learnt from and what is scored.
    fn row(&mut self, stress: usize, settings: Settings, draws: &[(Vec<usize>, Vec<usize>)]) -> f64 {
        let (mut sum, mut n) = (0.0, 0);
        for (learnt, scored) in draws {
            let pages = self.pages[stress];
            let learnt: Vec<&Sample> = learnt.iter().map(|&p| &pages[p]).collect();
            let template = Template::learn_by(&learnt, settings);
            for &p in scored {
                let kept = template.kept(&pages[p]);
                let site = self.site;
                let score = |kept: &[bool]| site.gold[p].score(&pages[p].text_of(kept)).f1;
                let key = (stress, p, kept);
                sum += match self.known.get(&key) {
                    Some(f1) => *f1,
                    None => {
                        let f1 = score(&key.2);
                        self.known.insert(key, f1);
                        f1
                    }
                };
                n += 1;
            }
        }
        sum / f64::from(n.max(1))
    }
}
