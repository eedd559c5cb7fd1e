//! `cargo xtask eval --sites`: scores of templates learnt from pages of the same site, on the labelled sites.

pub(crate) mod articles;
pub(crate) mod forums;
mod hash;
pub(crate) mod labelled;
mod lcs;
pub(crate) mod rewrite;

use std::collections::BTreeMap;
use std::time::Duration;

use dehusk_pipeline::extract::site::{self, Sample, Template};
use dehusk_pipeline::extract::{self, Page};

use crate::data;
use crate::result::Result;
use dehusk_lab::metrics::main_text::Score;
use labelled::{Site, drawn, parallel, samples};
use rewrite::Stress;

/// Number of random choices of pages to learn from.
const DRAWS: u64 = 10;

/// Prints the scores of templates whose page-level votes come from the extractor `method`. The trees of `default` were
/// trained on these sites, among others. For scores on unseen sites, run `cargo xtask train --leave-out sites-dev`
/// first, and restore the models afterwards.
///
/// Fails if a row is below its floor in `floors`. Floors apply only to the method `default`.
pub(super) fn run(method: &str, by_site: bool, floors: &BTreeMap<String, f64>) -> Result<()> {
    let sites = match labelled::read_floored()? {
        Ok(sites) => sites,
        Err(why) => {
            data::absent("templates of sites", &why);
            return Ok(());
        }
    };
    let options = extract::Options::default().with_extractor(method)?;
    // `leak` is the share of boilerplate shingles that were extracted.
    println!(
        "{:44} {:>5} {:>5} {:>5} {:>5} {:>5}  below page level",
        "mean over sites", "P", "R", "F1", "F>.9", "leak"
    );
    let mut table = Table {
        by_site,
        rows: BTreeMap::new(),
    };
    for stress in [Stress::Intact, Stress::Names, Stress::Bare] {
        let samples = samples(&sites, stress, &options);
        let alone = each(&sites, &samples, |s, samples| {
            let gold = sites[s].gold.iter().zip(samples);
            gold.map(|(gold, page)| gold.score(&page.text_of(&page.page_level())))
                .collect()
        });
        table.show(
            &format!("{}: `{method}` alone", stress.name()),
            &sites,
            &alone,
            None,
        );
        let mut report = |what: &str, scores: &[Vec<Score>]| {
            let what = format!("{}: `site`, {what}", stress.name());
            table.show(&what, &sites, scores, Some(&alone));
        };
        let all = each(&sites, &samples, |s, samples| {
            let template = Template::learn(&samples.iter().collect::<Vec<_>>());
            let gold = sites[s].gold.iter().zip(samples);
            gold.map(|(gold, page)| gold.score(&page.text_of(&template.kept(page))))
                .collect()
        });
        report("all pages", &all);
        if stress == Stress::Intact {
            report("exported as rules", &exported(&sites, &samples, &options));
        }
        for k in [5, 3] {
            let drawn = each(&sites, &samples, |s, samples| draws(&sites[s], samples, k));
            report(&format!("{k} random pages"), &drawn);
        }
        if stress == Stress::Intact {
            named(&sites, &options, &mut table);
        }
    }
    made(&options, &mut table);
    speed(&sites, &options);
    lcs::bench(&sites, &options)?;
    // A floor without a row, such as after a renaming, fails too.
    let low = |(what, floor): (&String, &f64)| {
        let f1 = table.rows.get(what).copied().unwrap_or(f64::NAN);
        (f1 < *floor || f1.is_nan()).then(|| format!("{what}: F1 {f1:.4} is below the floor of {floor}"))
    };
    let failed: Vec<String> = floors
        .iter()
        // The floors were fixed with the votes of `default`.
        .filter(|_| method == "default")
        .filter_map(low)
        .collect();
    if failed.is_empty() {
        Ok(())
    } else {
        Err(failed.join("; ").into())
    }
}

/// Scores templates that are exported as rules and applied as rules. As with templates, the text of the
/// kept blocks is scored: the labels lack what the renderer adds, such as the sources of formulas.
fn exported(sites: &[Site], samples: &[Vec<Sample>], options: &extract::Options) -> Vec<Vec<Score>> {
    let options = options.clone().with_blocks(true);
    each(sites, samples, |s, samples| {
        let mut template = Template::learn(&samples.iter().collect::<Vec<_>>());
        // Rules apply by host, and the pages of a site may come from several. All get the same address
        // below.
        template.origin.site = "http://site.example/".to_owned();
        let text = site::to_rules(&[&template]);
        let rules = match extract::rules::RuleSet::read([(sites[s].name.as_str(), text.as_str())]) {
            Ok(rules) => rules,
            Err(error) => {
                println!("{}: {error}", sites[s].name);
                return Vec::new();
            }
        };
        let pages = sites[s].html.iter().zip(&sites[s].gold);
        pages
            .map(|(html, gold)| {
                let page = Page::decoded(html).with_url(Some("http://site.example/page"));
                let blocks = extract::extract_with(
                    &page,
                    &options,
                    &extract::Overrides::default().with_rules(Some(&rules)),
                )
                .blocks;
                let kept = blocks.iter().flatten().filter(|block| block.kept);
                gold.score(
                    &kept
                        .map(|block| block.text.as_str())
                        .collect::<Vec<_>>()
                        .join("\n"),
                )
            })
            .collect()
    })
}

/// Scores the methods that process all pages of a site together.
fn named(sites: &[Site], options: &extract::Options, table: &mut Table) {
    for name in [
        "infholder",
        "infholder:form=progressive",
        "infholder:form=frequency",
        "style-inbreeding:option=dom",
        "style-inbreeding:option=size",
        "style-inbreeding:option=tags",
        "style-inbreeding:option=content",
        "style-inbreeding:option=content,weights=equal",
        "style-tree",
        "style-tree:threshold=0.2",
    ] {
        let Some(Ok(method)) = site::methods::find(name) else {
            println!("{name}: unknown");
            continue;
        };
        let scores = parallel(sites.len(), |s| {
            let pages: Vec<Page<'_>> = sites[s].html.iter().map(|html| Page::decoded(html)).collect();
            let texts = method.texts(&pages, options);
            let gold = sites[s].gold.iter().zip(texts);
            gold.map(|(gold, text)| gold.score(&text)).collect()
        });
        table.show(name, sites, &scores, None);
    }
}

/// Scores generated forum threads and records, which the labelled sites lack.
fn made(options: &extract::Options, table: &mut Table) {
    let sites: Vec<Site> = forums::sites().into_iter().map(Site::from).collect();
    let samples = samples(&sites, Stress::Intact, options);
    let alone = each(&sites, &samples, |s, samples| {
        let gold = sites[s].gold.iter().zip(samples);
        gold.map(|(gold, page)| gold.score(&page.text_of(&page.page_level())))
            .collect()
    });
    table.show("threads and records: page level alone", &sites, &alone, None);
    let all = each(&sites, &samples, |s, samples| {
        let template = Template::learn(&samples.iter().collect::<Vec<_>>());
        let gold = sites[s].gold.iter().zip(samples);
        gold.map(|(gold, page)| gold.score(&page.text_of(&template.kept(page))))
            .collect()
    });
    table.show(
        "threads and records: `site`, all pages",
        &sites,
        &all,
        Some(&alone),
    );
    let drawn = each(&sites, &samples, |s, samples| draws(&sites[s], samples, 5));
    table.show(
        "threads and records: `site`, 5 random pages",
        &sites,
        &drawn,
        Some(&alone),
    );
}

/// Number of rounds. The fastest round counts.
const ROUNDS: usize = 9;

/// Returns the processor time of several functions over all pages, on one thread: for each function, the
/// sum of the fastest round of each page. Rounds alternate between the functions page by page, so that load
/// on the machine affects all of them equally.
fn fastest<const N: usize>(pages: usize, ways: [&dyn Fn(usize); N]) -> [Duration; N] {
    let mut sums = [Duration::ZERO; N];
    for page in 0..pages {
        let mut least = [Duration::MAX; N];
        for _ in 0..ROUNDS {
            for (least, way) in least.iter_mut().zip(ways) {
                *least = crate::clock::timed(|| way(page)).1.min(*least);
            }
        }
        for (sum, least) in sums.iter_mut().zip(least) {
            *sum += least;
        }
    }
    sums
}

/// Prints the cost of learning and applying templates, in processor time of one thread.
fn speed(sites: &[Site], options: &extract::Options) {
    let samples: Vec<Vec<Sample>> = samples(sites, Stress::Intact, options);
    let learn = |samples: &Vec<Sample>| Template::learn(&samples.iter().collect::<Vec<_>>());
    let templates: Vec<Template> = samples.iter().map(learn).collect();
    let [learning] = fastest(sites.len(), [&|site| drop(learn(&samples[site]))]);
    // Templates are learnt before, so that only their application is measured.
    let pages: Vec<(Page<'_>, &Template)> = sites
        .iter()
        .zip(&templates)
        .flat_map(|(site, template)| site.html.iter().map(move |html| (Page::decoded(html), template)))
        .collect();
    let [alone, applying, taking] = fastest(
        pages.len(),
        [
            &|i| drop(extract::extract(&pages[i].0, options)),
            &|i| {
                drop(extract::extract_with(
                    &pages[i].0,
                    options,
                    &extract::Overrides::default().with_templates(&[pages[i].1]),
                ));
            },
            &|i| drop(Sample::new(&pages[i].0, options)),
        ],
    );
    let n = pages.len() as f64;
    let bytes = || samples.iter().flatten().map(Sample::bytes);
    println!(
        "a page taken apart: {:.0} KiB on average, {:.0} at most; of a group, 50 at most are held",
        bytes().sum::<usize>() as f64 / n / 1024.0,
        bytes().max().unwrap_or(0) as f64 / 1024.0
    );
    println!(
        "learning {:.0} pages/s beyond extraction; extraction {:.0} pages/s, with a template {:.0} ({:+.1} %), taking apart {:.0}",
        n / learning.as_secs_f64(),
        n / alone.as_secs_f64(),
        n / applying.as_secs_f64(),
        100.0 * (applying.as_secs_f64() / alone.as_secs_f64() - 1.0),
        n / taking.as_secs_f64()
    );
}

/// Returns the scores of all pages of all sites, by site, computed on all cores.
fn each(
    sites: &[Site],
    samples: &[Vec<Sample>],
    work: impl Fn(usize, &[Sample]) -> Vec<Score> + Sync,
) -> Vec<Vec<Score>> {
    parallel(sites.len(), |s| work(s, &samples[s]))
}

/// Learns templates from `k` random pages and scores the other pages. Returns a score for each choice and page.
fn draws(site: &Site, samples: &[Sample], k: usize) -> Vec<Score> {
    let mut out = Vec::new();
    for (learnt, rest) in drawn(samples.len(), k, DRAWS) {
        let refs: Vec<&Sample> = learnt.iter().map(|&p| &samples[p]).collect();
        let template = Template::learn(&refs);
        out.extend(
            rest.iter()
                .map(|&p| site.gold[p].score(&samples[p].text_of(&template.kept(&samples[p])))),
        );
    }
    out
}

struct Mean {
    precision: f64,
    recall: f64,
    f1: f64,
    f90: f64,
    leak: f64,
}

/// Returns the means of a site's pages.
fn mean(scores: &[Score]) -> Mean {
    let of = |get: &dyn Fn(&Score) -> f64| {
        // A value that does not exist for a page is NaN and is left out.
        let values: Vec<f64> = scores.iter().map(get).filter(|v| !v.is_nan()).collect();
        if values.is_empty() {
            f64::NAN
        } else {
            values.iter().sum::<f64>() / values.len() as f64
        }
    };
    Mean {
        precision: of(&|s| s.precision),
        recall: of(&|s| s.recall),
        f1: of(&|s| s.f1),
        f90: of(&|s| f64::from(u8::from(s.f1 >= 0.9))),
        leak: of(&|s| s.leak),
    }
}

/// The rows that were shown.
struct Table {
    by_site: bool,
    /// F1 of each row.
    rows: BTreeMap<String, f64>,
}

impl Table {
    /// Shows the means over sites, and the sites whose F1 is below that of the page level.
    fn show(&mut self, what: &str, sites: &[Site], scores: &[Vec<Score>], alone: Option<&[Vec<Score>]>) {
        let means: Vec<Mean> = scores.iter().map(|s| mean(s)).collect();
        let of = |get: &dyn Fn(&Mean) -> f64| {
            let values: Vec<f64> = means.iter().map(get).filter(|v| !v.is_nan()).collect();
            values.iter().sum::<f64>() / values.len().max(1) as f64
        };
        let mut below = Vec::new();
        for ((site, with), without) in sites.iter().zip(&means).zip(alone.unwrap_or_default()) {
            let without = mean(without).f1;
            // A smaller difference would not show in three decimals.
            if with.f1 < without - 0.0005 {
                below.push(format!("{} {:.3}<{without:.3}", site.name, with.f1));
            }
        }
        println!(
            "{what:44} {:.3} {:.3} {:.3} {:.3} {:.3}  {}",
            of(&|m| m.precision),
            of(&|m| m.recall),
            of(&|m| m.f1),
            of(&|m| m.f90),
            of(&|m| m.leak),
            below.join(", ")
        );
        self.rows.insert(what.to_owned(), of(&|m| m.f1));
        if let Some(alone) = alone.filter(|_| self.by_site) {
            by(sites, alone, scores);
        }
    }
}

/// Prints the scores of each site, alone and with templates.
fn by(sites: &[Site], alone: &[Vec<Score>], with: &[Vec<Score>]) {
    for ((site, alone), with) in sites.iter().zip(alone).zip(with) {
        let (a, w) = (mean(alone), mean(with));
        println!(
            "    {:18} alone {:.3} {:.3} {:.3} {:.3}   with {:.3} {:.3} {:.3} {:.3}",
            site.name, a.precision, a.recall, a.f1, a.leak, w.precision, w.recall, w.f1, w.leak
        );
    }
}
