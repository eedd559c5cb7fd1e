//! `cargo xtask train --sites`: trains the trees by which the learner of templates decides about roles.
//!
//! They are trained on labelled sites, and on generated forums and shops. All scores are on sites that the trees were
//! not trained on: each fold holds out whole sites. The page-level extractor labels the pages, and its own trees may
//! have been trained on them. To exclude this, run `cargo xtask train --leave-out sites-dev` first, and restore the
//! page-level models afterwards.

use std::collections::BTreeMap;

use dehusk_pipeline::extract::site::{Sample, SiteTrees, Template};
use dehusk_pipeline::extract::training::{site_columns, site_evidence};
use dehusk_pipeline::extract::{Options, Page};

use super::boost::{self, Forest, Settings, Table};
use super::site_labels::{LineLabel, label_lines};
use super::write;
use crate::data;
use crate::eval::sites::forums;
use crate::eval::sites::labelled::{self, Site, drawn, parallel};
use crate::eval::sites::rewrite::Stress;
use crate::result::Result;
use dehusk_lab::metrics::main_text::{Gold, Label, Score};

/// The sources of the training data, for the head of the file.
const SOURCES: &str = "# Trained on labels of: forty-two sites of static pages labelled by hand (licences per site); news of ten sites; forums\n# and records made up.\n";

/// Settings of training: small trees, because there are few sites.
const SETTINGS: Settings = Settings {
    trees: 100,
    leaves: 8,
    rate: 0.1,
    min_rows: 20,
    ridge: 5.0,
    columns: 1.0,
    seed: 1,
    exit_after: 0,
    exit_odds: 0.0,
    // Log odds of the page level may only raise the prediction; repetition may only lower it.
    directions: &[1, 0, -1, -1, -1],
};

/// The set of pages whose hosts are used as sites, and the largest number of pages per host.
const NEWS: &str = "zh_news";
const MAX_PAGES: usize = 40;

/// Weight of neutral lines, which count as text to be removed: kept neutral text is rarely wanted.
const NEUTRAL: f64 = 0.3;
/// Weight of a site learnt from few of its pages, and of a site with changed or missing names.
const FEW: f64 = 0.2;
const HARDER: f64 = 0.3;

/// Rows of features of roles, with their targets and weights.
#[derive(Default)]
struct Rows {
    features: Vec<f32>,
    targets: Vec<f32>,
    weights: Vec<f32>,
}

/// The pages of a site as samples: unchanged, with meaningless names, and without attributes.
type Variants = [Vec<Sample>; 3];

/// Number of random choices of pages that a score is averaged over.
const DRAWS: u64 = 10;

/// Trains the trees without the features whose names begin with a prefix in `without`, and prints their scores on
/// held-out sites. Writes the model unless `dry` is true.
pub(super) fn run(folds: usize, without: &[String], dry: bool) -> Result<()> {
    let sites = match read()? {
        Ok(sites) => sites,
        Err(why) => {
            data::absent("templates of sites", &why);
            return Ok(());
        }
    };
    let options = Options::default();
    let variants: Vec<Variants> = parallel(sites.len(), |s| {
        [Stress::Intact, Stress::Names, Stress::Bare].map(|stress| samples(&sites[s].site, stress, &options))
    });
    let mut rows: Vec<Rows> = parallel(sites.len(), |s| rows(&sites[s].site, &variants[s]));
    let columns = site_columns();
    let left_out = |column: &String| without.iter().any(|prefix| column.starts_with(prefix.as_str()));
    for row in rows
        .iter_mut()
        .flat_map(|rows| rows.features.chunks_exact_mut(columns.len()))
    {
        // A constant feature is never used for a split.
        for (figure, _) in row
            .iter_mut()
            .zip(&columns)
            .filter(|(_, column)| left_out(column))
        {
            *figure = 0.0;
        }
    }
    let names: Vec<&str> = columns.iter().map(String::as_str).collect();
    let model = |wanted: &dyn Fn(usize) -> bool| -> Result<(Forest, String)> {
        let chosen: Vec<&Rows> = (0..rows.len()).filter(|s| wanted(*s)).map(|s| &rows[s]).collect();
        let forest = grow(&chosen, columns.len());
        let about = "Trees by which the learner of templates judges the parts of a site";
        let text = write::text(about, SOURCES, &forest, &names)?;
        Ok((forest, text))
    };
    let folds = folds.clamp(2, sites.len());
    let held_out = (0..folds)
        .map(|fold| Ok(SiteTrees::parse(&model(&|s| s % folds != fold)?.1)?))
        .collect::<Result<Vec<SiteTrees>>>()?;
    show(&sites, &variants, &|site| &held_out[site % folds]);
    if !dry {
        let (forest, text) = model(&|_| true)?;
        write::write_text("sites.model", &forest, &text)?;
    }
    Ok(())
}

/// A site and its group.
struct Source {
    group: &'static str,
    site: Site,
}

/// The groups of sites, in the order of the report: labelled by hand, hosts of news, generated.
const GROUPS: [&str; 3] = ["labelled", "news", "made up"];

/// All sites. `Err` inside `Ok` holds the reason why there are no data.
fn read() -> Result<std::result::Result<Vec<Source>, String>> {
    let sites = match labelled::read_all()? {
        Ok(sites) => sites,
        Err(why) => return Ok(Err(why)),
    };
    let made = forums::sites().into_iter().map(Site::from);
    let groups = [sites, news()?, made.collect()];
    let sources = GROUPS.into_iter().zip(groups).flat_map(|(group, sites)| {
        let source = move |site| Source { group, site };
        sites.into_iter().map(source)
    });
    Ok(Ok(sources.collect()))
}

/// The hosts of the news pages as sites.
fn news() -> Result<Vec<Site>> {
    let mut sites = Vec::new();
    let Ok(sets) = data::sets(&[NEWS.to_owned()])? else {
        return Ok(sites);
    };
    for set in &sets {
        let mut hosts: BTreeMap<&str, Vec<&data::Doc>> = BTreeMap::new();
        for doc in set
            .docs
            .iter()
            .filter(|doc| doc.reach >= 0.6 && !doc.gold.is_empty())
        {
            let docs = hosts.entry(doc.host.as_deref().unwrap_or_default()).or_default();
            if docs.len() < MAX_PAGES {
                docs.push(doc);
            }
        }
        for (host, docs) in hosts {
            let html = docs.iter().map(|doc| set.text(doc)).collect::<Result<Vec<_>>>()?;
            let label = |doc: &&data::Doc| Label {
                gold: doc.gold.clone(),
                neutral: String::new(),
                wide: doc.gold.clone(),
                other: String::new(),
            };
            let labels: Vec<Label> = docs.iter().map(label).collect();
            sites.push(Site {
                name: host.to_owned(),
                ids: docs.iter().map(|doc| doc.id.clone()).collect(),
                urls: docs
                    .iter()
                    .map(|doc| doc.url.clone().unwrap_or_default())
                    .collect(),
                html,
                gold: Gold::of_site(&labels),
                labels,
            });
        }
    }
    Ok(sites)
}

fn samples(site: &Site, stress: Stress, options: &Options) -> Vec<Sample> {
    let pages = site.html.iter().zip(&site.urls);
    let sample = |(html, url): (&String, &String)| {
        let html = stress.apply(html);
        Sample::new(&Page::decoded(&html).with_url(Some(url)), options)
    };
    pages.map(sample).collect()
}

/// The roles of a site, learnt from all pages and from a few of them, for all variants of the site.
fn rows(site: &Site, variants: &Variants) -> Rows {
    let mut out = Rows::default();
    let n = site.labels.len();
    let few = |k| drawn(n, k, 2).map(|(chosen, _)| (chosen, FEW));
    let groups = [((0..n).collect(), 1.0)].into_iter().chain(few(5)).chain(few(3));
    let groups: Vec<(Vec<usize>, f64)> = groups.collect();
    for (samples, harder) in variants.iter().zip([1.0, HARDER, HARDER]) {
        for (group, share) in &groups {
            let pages: Vec<&Sample> = group.iter().map(|&page| &samples[page]).collect();
            let labels: Vec<&Label> = group.iter().map(|&page| &site.labels[page]).collect();
            out.add(&pages, &labels, 100.0 * share * harder);
        }
    }
    out
}

impl Rows {
    /// Adds the roles of some pages of a site. Their total weight is `weight`.
    fn add(&mut self, pages: &[&Sample], labels: &[&Label], weight: f64) {
        let evidence = site_evidence(pages);
        // For each role, the weights of main text and of other text.
        let mut sums = vec![[0.0; 2]; evidence.rows.len()];
        for (lines, label) in evidence.lines.iter().zip(labels) {
            for (line, label) in lines.iter().zip(label_lines(lines, label)) {
                let Some(role) = line.role else { continue };
                let sums = &mut sums[role as usize];
                match label {
                    LineLabel::Main => sums[0] += line.weight,
                    LineLabel::Neutral => sums[1] += NEUTRAL * line.weight,
                    LineLabel::Other => sums[1] += line.weight,
                    LineLabel::Unknown => {}
                }
            }
        }
        let known: Vec<(usize, f64)> = sums
            .iter()
            .enumerate()
            .map(|(role, [main, rest])| (role, ((main + rest) / pages.len() as f64).sqrt()))
            .filter(|(_, weight)| *weight > 0.0)
            .collect();
        let all: f64 = known.iter().map(|(_, weight)| weight).sum();
        for (role, own) in known {
            let [main, rest] = sums[role];
            self.features.extend(&evidence.rows[role]);
            self.targets.push((main / (main + rest)) as f32);
            self.weights.push((weight * own / all) as f32);
        }
    }
}

fn grow(rows: &[&Rows], width: usize) -> Forest {
    let features: Vec<f32> = rows
        .iter()
        .flat_map(|rows| rows.features.iter().copied())
        .collect();
    let targets: Vec<f32> = rows
        .iter()
        .flat_map(|rows| rows.targets.iter().copied())
        .collect();
    let weights = rows
        .iter()
        .flat_map(|rows| rows.weights.iter().copied())
        .collect();
    let all: Vec<u32> = (0..targets.len() as u32).collect();
    let table = Table::new(&features, width, all.clone(), targets, weights);
    boost::grow(&table, &all, &SETTINGS)
}

/// Prints F1 and template leak of each held-out site, and the means of each group.
fn show<'t>(sites: &[Source], variants: &[Variants], trees: &(dyn Fn(usize) -> &'t SiteTrees + Sync)) {
    let ways = ["page", "all", "leak", "5", "3", "2", "names", "bare"];
    println!(
        "{:20} {}",
        "held out",
        ways.map(|way| format!("{way:>6}")).concat()
    );
    let figures: Vec<Vec<f64>> = parallel(sites.len(), |s| {
        let [intact, names, bare] = &variants[s];
        let site = Held {
            site: &sites[s].site,
            trees: trees(s),
        };
        let page: Vec<Score> = site.score(intact, |sample| sample.page_level());
        let all = site.all(intact);
        vec![
            mean(&page, |s| s.f1),
            mean(&all, |s| s.f1),
            mean(&all, |s| s.leak),
            mean(&site.few(intact, 5), |s| s.f1),
            mean(&site.few(intact, 3), |s| s.f1),
            mean(&site.few(intact, 2), |s| s.f1),
            mean(&site.all(names), |s| s.f1),
            mean(&site.all(bare), |s| s.f1),
        ]
    });
    let line = |name: &str, row: &[f64]| {
        let row: String = row.iter().map(|figure| format!("{figure:6.3}")).collect();
        println!("{name:20} {row}");
    };
    for (site, row) in sites.iter().zip(&figures) {
        let below = if row[1] < row[0] - 0.003 {
            "  below page level"
        } else {
            ""
        };
        let row: String = row.iter().map(|figure| format!("{figure:6.3}")).collect();
        println!("{:20} {row}{below}", site.site.name);
    }
    for group in GROUPS {
        let of_group = sites.iter().zip(&figures).filter(|(site, _)| site.group == group);
        let chosen: Vec<&Vec<f64>> = of_group.map(|(_, row)| row).collect();
        let mean = |way: usize| {
            let known: Vec<f64> = chosen
                .iter()
                .map(|row| row[way])
                .filter(|f| !f.is_nan())
                .collect();
            known.iter().sum::<f64>() / known.len().max(1) as f64
        };
        let means: Vec<f64> = (0..ways.len()).map(mean).collect();
        line(&format!("{group} ({})", chosen.len()), &means);
    }
}

fn mean(scores: &[Score], of: impl Fn(&Score) -> f64) -> f64 {
    let known: Vec<f64> = scores.iter().map(of).filter(|figure| !figure.is_nan()).collect();
    if known.is_empty() {
        return f64::NAN;
    }
    known.iter().sum::<f64>() / known.len() as f64
}

/// A site, and trees that were not trained on it.
struct Held<'t> {
    site: &'t Site,
    trees: &'t SiteTrees,
}

impl Held<'_> {
    fn score(&self, samples: &[Sample], kept: impl Fn(&Sample) -> Vec<bool>) -> Vec<Score> {
        let pages = samples.iter().zip(&self.site.gold);
        pages
            .map(|(sample, gold)| gold.score(&sample.text_of(&kept(sample))))
            .collect()
    }

    fn all(&self, samples: &[Sample]) -> Vec<Score> {
        let template = Template::learn_by(&samples.iter().collect::<Vec<_>>(), self.trees);
        self.score(samples, |sample| template.kept(sample))
    }

    /// Learns templates from `k` random pages and scores the other pages.
    fn few(&self, samples: &[Sample], k: usize) -> Vec<Score> {
        let mut out = Vec::new();
        for (learnt, rest) in drawn(samples.len(), k, DRAWS) {
            let pages: Vec<&Sample> = learnt.iter().map(|&page| &samples[page]).collect();
            let template = Template::learn_by(&pages, self.trees);
            out.extend(rest.iter().map(|&page| {
                let kept = template.kept(&samples[page]);
                self.site.gold[page].score(&samples[page].text_of(&kept))
            }));
        }
        out
    }
}
