//! `cargo xtask train --sites`: trains the trees by which the learner of templates decides about roles.
//!
//! They are trained on labelled sites, and on generated forums, records and articles. All scores are on
//! sites that the trees were not trained on: each fold holds out whole sites. The page-level extractor
//! labels the pages, and its own trees may have been trained on them. To exclude this, run `cargo xtask
//! train --leave-out sites-dev` first, and restore the page-level models afterwards.

use std::collections::BTreeMap;
use std::path::Path;

use dehusk_html::narrow;
use dehusk_pipeline::extract::site::{Sample, SiteTrees};
use dehusk_pipeline::extract::training::{site_columns, site_evidence};

use super::boost::{self, Forest, Settings, Table};
use super::site_judge;
use super::site_labels::{LineLabel, label_lines};
use super::site_samples;
use super::site_source::{GROUPS, Source, Variants};
use super::write;
use crate::data;
use crate::eval::sites::labelled::{self, Site, drawn, parallel};
use crate::eval::sites::{articles, forums};
use crate::result::Result;
use dehusk_lab::metrics::main_text::{Gold, Label};

/// The sources of the training data, for the head of the file.
const SOURCES: &str = "# Trained on labels of: fifty-eight sites of static pages labelled by hand (licences per site); news of ten sites; forums,\n# records and articles made up.\n";

/// Settings of training: small trees, because there are few sites. Each tree reads half of the columns, so
/// that none decides alone.
const SETTINGS: Settings = Settings {
    trees: 500,
    leaves: 8,
    rate: 0.025,
    min_rows: 20,
    ridge: 5.0,
    columns: 0.5,
    seed: 1,
    exit_after: 0,
    exit_odds: 0.0,
    // Log odds of the page level may only raise the prediction; repetition may only lower it.
    directions: &[1, 0, -1, -1, -1],
};

/// The set of pages whose hosts are used as sites.
const NEWS: &str = "zh_news";
const MAX_PAGES: usize = 40;

/// Weight of neutral lines, which count as text to be removed: kept neutral text is rarely wanted.
const NEUTRAL: f64 = 0.3;
/// Numbers of pages that sites are learnt from besides all pages. `CHOICES` is the number of random choices
/// of each.
const SIZES: [usize; 4] = [5, 3, 10, 2];
const CHOICES: u64 = 3;
/// Weight of a site learnt from few of its pages. `HARDER` is the weight of a site with changed or missing
/// names.
const FEW: f64 = 0.2;
const HARDER: f64 = 0.3;

/// Rows of features of roles, with their targets and weights.
#[derive(Default)]
struct Rows {
    features: Vec<f32>,
    targets: Vec<f32>,
    weights: Vec<f32>,
}

/// Trains the trees without the features whose names begin with a prefix in `without`, and prints their
/// scores on held-out sites. Reads the samples of pages from the folder `cache` if it has them, and writes
/// them there otherwise. Writes the model unless `dry` is true.
pub(super) fn run(folds: usize, without: &[String], cache: Option<&Path>, dry: bool) -> Result<()> {
    let sites = match read()? {
        Ok(sites) => sites,
        Err(why) => {
            data::absent("templates of sites", &why);
            return Ok(());
        }
    };
    let variants: Vec<Variants> = parallel(sites.len(), |s| site_samples::of(&sites[s].site, cache))
        .into_iter()
        .collect::<std::result::Result<_, String>>()?;
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
    // Parsed from its own text below, so that the judged trees are rounded as the shipped ones are.
    let model = |wanted: &dyn Fn(usize) -> bool| -> Result<(Forest, String)> {
        let chosen: Vec<&Rows> = (0..rows.len()).filter(|s| wanted(*s)).map(|s| &rows[s]).collect();
        let forest = grow(&chosen, columns.len());
        let about = "Trees by which the learner of templates judges the parts of a site";
        let text = write::text(about, SOURCES, &forest, &names)?;
        Ok((forest, text))
    };
    // More folds than sites would leave some folds empty.
    let folds = folds.clamp(2, sites.len());
    let held_out = (0..folds)
        .map(|fold| Ok(SiteTrees::parse(&model(&|s| s % folds != fold)?.1)?))
        .collect::<Result<Vec<SiteTrees>>>()?;
    // The trees of a fold were trained without the sites of the fold: every `folds`-th site.
    site_judge::show(&sites, &variants, &|site| &held_out[site % folds]);
    if !dry {
        let (forest, text) = model(&|_| true)?;
        write::write_text("sites.model", &forest, &text)?;
    }
    Ok(())
}

/// Returns all sites. `Err` inside `Ok` holds the reason why there are no data.
fn read() -> Result<std::result::Result<Vec<Source>, String>> {
    let sites = match labelled::read_all()? {
        Ok(sites) => sites,
        Err(why) => return Ok(Err(why)),
    };
    let made = forums::sites()
        .into_iter()
        .chain(articles::sites())
        .map(Site::from);
    let groups = [sites, news()?, made.collect()];
    let sources = GROUPS.into_iter().zip(groups).flat_map(|(group, sites)| {
        let source = move |site| Source { group, site };
        sites.into_iter().map(source)
    });
    Ok(Ok(sources.collect()))
}

/// Returns the hosts of the news pages as sites.
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
            // Pages without a host are one site, with the empty name.
            let docs = hosts.entry(doc.host.as_deref().unwrap_or_default()).or_default();
            if docs.len() < MAX_PAGES {
                docs.push(doc);
            }
        }
        for (host, docs) in hosts {
            let html = docs.iter().map(|doc| set.text(doc)).collect::<Result<Vec<_>>>()?;
            // This set labels only main text. An empty `other` means that all the rest is other text.
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

/// Returns the roles of a site, learnt from all pages and from a few of them, for all variants of the site.
fn rows(site: &Site, variants: &Variants) -> Rows {
    let mut out = Rows::default();
    let n = site.labels.len();
    let few = |k| drawn(n, k, CHOICES).map(|(chosen, _)| (chosen, FEW));
    // All pages with full weight, then each random choice of a few pages.
    let groups = [((0..n).collect(), 1.0)].into_iter();
    let groups: Vec<(Vec<usize>, f64)> = groups.chain(SIZES.into_iter().flat_map(few)).collect();
    for (samples, harder) in variants.iter().zip([1.0, HARDER, HARDER]) {
        for (group, share) in &groups {
            let pages: Vec<&Sample> = group.iter().map(|&page| &samples[page]).collect();
            let labels: Vec<&Label> = group.iter().map(|&page| &site.labels[page]).collect();
            // The scale matters, since the penalty `ridge` is in units of weight.
            out.add(&pages, &labels, 100.0 * share * harder);
        }
    }
    out
}

impl Rows {
    /// Adds the roles of some pages of a site. Their total weight is `weight`.
    #[expect(clippy::cast_possible_truncation, reason = "the trees are fitted to f32")]
    fn add(&mut self, pages: &[&Sample], labels: &[&Label], weight: f64) {
        let evidence = site_evidence(pages);
        // For each role, the weights of main text and of other text.
        let mut sums = vec![[0.0; 2]; evidence.rows.len()];
        for (lines, label) in evidence.lines.iter().zip(labels) {
            for (line, label) in lines.iter().zip(label_lines(lines, label)) {
                // Lines without a role belong to no row.
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
            // The square root keeps a few large roles from outweighing all others.
            .map(|(role, [main, rest])| (role, ((main + rest) / pages.len() as f64).sqrt()))
            .filter(|(_, weight)| *weight > 0.0)
            .collect();
        let all: f64 = known.iter().map(|(_, weight)| weight).sum();
        // Weights are divided so that all roles of this call add up to `weight`.
        for (role, own) in known {
            let [main, rest] = sums[role];
            self.features.extend(&evidence.rows[role]);
            self.targets.push((main / (main + rest)) as f32);
            self.weights.push((weight * own / all) as f32);
        }
    }
}

/// Trains the trees on the roles of some sites.
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
    let all: Vec<u32> = (0..narrow::to_u32(targets.len())).collect();
    let table = Table::new(&features, width, all.clone(), targets, weights);
    boost::grow(&table, &all, &SETTINGS)
}
