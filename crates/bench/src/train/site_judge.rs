//! Scores of templates on sites that their trees were not trained on: learnt from all pages and from few of
//! them, and how much they depend on which pages were drawn.

use std::cell::RefCell;
use std::collections::HashMap;

use dehusk_pipeline::extract::site::{Sample, SiteTrees, Template};

use super::site_source::{GROUPS, Source, Variants};
use crate::eval::sites::labelled::{Site, drawn, parallel};
use dehusk_lab::metrics::main_text::Score;

/// Numbers of pages that templates are learnt from, besides all pages.
const SIZES: [usize; 4] = [10, 5, 3, 2];
/// Number of random choices of pages for each of [`SIZES`].
const DRAWS: u64 = 5;
/// Difference to the page level that counts as below it.
const BELOW: f64 = 0.003;
/// Spread up to which a site counts as stable.
const STABLE: f64 = 0.02;

/// Mean scores of one template over the pages of its site.
#[derive(Clone, Copy)]
struct Mean {
    f1: f64,
    leak: f64,
    /// Share of leave-out samples that choose the same parts as the template.
    sure: Option<f64>,
}

/// The scores of one held-out site.
struct Judged {
    page: Mean,
    all: Mean,
    names: Mean,
    bare: Mean,
    /// For each of [`SIZES`], the scores of the templates of all choices.
    few: [Vec<Mean>; SIZES.len()],
}

impl Judged {
    /// Returns the mean F1 of the templates learnt from `SIZES[size]` pages.
    fn mean(&self, size: usize) -> f64 {
        mean(self.few[size].iter().map(|mean| mean.f1))
    }

    /// Returns the largest difference of F1 between two choices of `SIZES[size]` pages.
    fn spread(&self, size: usize) -> f64 {
        let f1 = || self.few[size].iter().map(|mean| mean.f1);
        f1().fold(0.0, f64::max) - f1().fold(1.0, f64::min)
    }

    /// Returns the number of choices of `SIZES[size]` pages whose template is below the page level.
    fn below(&self, size: usize) -> usize {
        let below = |mean: &&Mean| mean.f1 < self.page.f1 - BELOW;
        self.few[size].iter().filter(below).count()
    }
}

/// Prints the scores of each held-out site, and a summary of each group. Templates are scored on all pages
/// of the site, those learnt from among them, so that two choices of pages are scored on the same pages.
/// Labels are never learnt from.
pub(super) fn show<'t>(
    sites: &[Source],
    variants: &[Variants],
    trees: &(dyn Fn(usize) -> &'t SiteTrees + Sync),
) {
    let judged: Vec<Judged> = parallel(sites.len(), |s| {
        let [intact, names, bare] = &variants[s];
        let scorer = |samples| Scorer {
            site: &sites[s].site,
            samples,
            trees: trees(s),
            known: RefCell::default(),
        };
        let all: Vec<usize> = (0..intact.len()).collect();
        // Shared by all choices below, so that texts that several templates keep are scored once.
        let scorer_of_intact = scorer(intact);
        Judged {
            page: scorer_of_intact.mean(Sample::page_level),
            all: scorer_of_intact.template(&all),
            names: scorer(names).template(&all),
            bare: scorer(bare).template(&all),
            few: SIZES.map(|size| {
                // Draws depend on the numbers of pages only, so runs of different models use the same
                // choices.
                let draws = drawn(intact.len(), size, DRAWS);
                draws
                    .map(|(chosen, _)| scorer_of_intact.template(&chosen))
                    .collect()
            }),
        }
    });
    let head: String = SIZES.map(|size| format!("{size:>8} pages")).concat();
    println!(
        "F1 of sites held out; of few pages the mean of {DRAWS} choices, and the largest difference of two\n"
    );
    println!(
        "{:20}{:>6}{:>6}{:>6}{head}{:>7}{:>6}",
        "held out", "page", "all", "leak", "names", "bare"
    );
    for (source, site) in sites.iter().zip(&judged) {
        let few: String = (0..SIZES.len())
            .map(|size| format!("{:8.3} {:5.3}", site.mean(size), site.spread(size)))
            .collect();
        let below = match site.all.f1 < site.page.f1 - BELOW {
            true => "  below page level",
            false => "",
        };
        println!(
            "{:20}{:6.3}{:6.3}{:6.3}{few}{:7.3}{:6.3}{below}",
            source.site.name, site.page.f1, site.all.f1, site.all.leak, site.names.f1, site.bare.f1
        );
    }
    for group in GROUPS {
        let of_group = sites.iter().zip(&judged).filter(|(site, _)| site.group == group);
        let of_group: Vec<&Judged> = of_group.map(|(_, judged)| judged).collect();
        summarize(&format!("{group} ({})", of_group.len()), &of_group);
        summarize_sure(&of_group);
    }
}

/// Prints the summary of a group of sites.
fn summarize(group: &str, sites: &[&Judged]) {
    let over = |of: &dyn Fn(&Judged) -> f64| mean(sites.iter().map(|site| of(site)));
    let worst = |of: &dyn Fn(&Judged) -> f64| sites.iter().map(|site| of(site)).fold(1.0, f64::min);
    let count = |of: &dyn Fn(&Judged) -> bool| sites.iter().filter(|site| of(site)).count();
    println!(
        "\n{group}: page level {:.4}; meaningless names {:.4}; no attributes {:.4}",
        over(&|site| site.page.f1),
        over(&|site| site.names.f1),
        over(&|site| site.bare.f1)
    );
    println!("    pages     F1  worst   leak  spread  below {STABLE}  sites below page level  choices below");
    println!(
        "    {:>5} {:.4}  {:.3}  {:.4}                  {:22}",
        "all",
        over(&|site| site.all.f1),
        worst(&|site| site.all.f1),
        over(&|site| site.all.leak),
        count(&|site| site.all.f1 < site.page.f1 - BELOW),
    );
    for (size, pages) in SIZES.iter().enumerate() {
        let stable = count(&|site| site.spread(size) < STABLE);
        let below: usize = sites.iter().map(|site| site.below(size)).sum();
        println!(
            "    {pages:5} {:.4}  {:.3}  {:.4}  {:6.4}  {:8.0} %  {:22}  {:6.1} %",
            over(&|site| site.mean(size)),
            worst(&|site| site.few[size].iter().map(|mean| mean.f1).fold(1.0, f64::min)),
            over(&|site| mean(site.few[size].iter().map(|mean| mean.leak))),
            over(&|site| site.spread(size)),
            100.0 * stable as f64 / sites.len().max(1) as f64,
            count(&|site| site.mean(size) < site.page.f1 - BELOW),
            100.0 * below as f64 / (sites.len().max(1) as f64 * DRAWS as f64),
        );
    }
}

/// Prints the scores of the templates of a group of sites by how sure they are, beside those of the page
/// level of the same sites.
fn summarize_sure(sites: &[&Judged]) {
    // A template of two pages has no leave-out samples, so `sure` is `None`.
    let templates: Vec<(Mean, Mean)> = sites
        .iter()
        .flat_map(|site| {
            let few = site.few.iter().flatten().chain([&site.all]);
            few.map(|mean| (*mean, site.page))
        })
        .filter(|(mean, _)| mean.sure.is_some())
        .collect();
    println!("    samples that agree   templates     F1  page level");
    type Bucket = (&'static str, fn(f64) -> bool);
    let buckets: [Bucket; 4] = [
        ("all", |sure| sure >= 1.0),
        ("half or more", |sure| (0.5..1.0).contains(&sure)),
        ("some", |sure| 0.0 < sure && sure < 0.5),
        ("none", |sure| sure <= 0.0),
    ];
    for (name, holds) in buckets {
        let of = || templates.iter().filter(|(mean, _)| mean.sure.is_some_and(holds));
        println!(
            "    {name:18} {:10.1} % {:.4}  {:.4}",
            100.0 * of().count() as f64 / templates.len().max(1) as f64,
            mean(of().map(|(mean, _)| mean.f1)),
            mean(of().map(|(_, page)| page.f1)),
        );
    }
}

/// Returns the mean of the numbers other than NaN; NaN without such numbers.
fn mean(numbers: impl Iterator<Item = f64>) -> f64 {
    let known: Vec<f64> = numbers.filter(|number| !number.is_nan()).collect();
    known.iter().sum::<f64>() / known.len() as f64
}

/// The pages of a site, trees that were not trained on it, and the scores of texts that were met before.
/// Templates of different choices of pages mostly keep the same text.
struct Scorer<'s> {
    site: &'s Site,
    samples: &'s [Sample],
    trees: &'s SiteTrees,
    known: RefCell<HashMap<(usize, Vec<bool>), Score>>,
}

impl Scorer<'_> {
    /// Learns a template from some pages of the site and scores it on all pages.
    fn template(&self, chosen: &[usize]) -> Mean {
        let pages: Vec<&Sample> = chosen.iter().map(|&page| &self.samples[page]).collect();
        let template = Template::learn_by(&pages, self.trees);
        let mean = self.mean(|sample| template.kept(sample));
        Mean {
            sure: template.sure(),
            ..mean
        }
    }

    /// Returns the mean scores over all pages of the site, of the lines that `kept` selects.
    fn mean(&self, kept: impl Fn(&Sample) -> Vec<bool>) -> Mean {
        let mut known = self.known.borrow_mut();
        let pages = self.samples.iter().zip(&self.site.gold).enumerate();
        let scores: Vec<Score> = pages
            .map(|(page, (sample, gold))| {
                let kept = kept(sample);
                let score = || gold.score(&sample.text_of(&kept));
                *known.entry((page, kept.clone())).or_insert_with(score)
            })
            .collect();
        Mean {
            f1: mean(scores.iter().map(|score| score.f1)),
            leak: mean(scores.iter().map(|score| score.leak)),
            sure: None,
        }
    }
}
