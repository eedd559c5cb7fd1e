//! The labelled sites, and samples of their pages.

use std::collections::BTreeMap;
use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use dehusk_html::decode::{CharsetHints, decode};
use dehusk_html::narrow;
use dehusk_pipeline::extract::site::Sample;
use dehusk_pipeline::extract::{self, Page};
use serde::Deserialize;

use super::forums::Made;
use super::rewrite::Stress;
use crate::data;
use crate::result::Result;
use dehusk_lab::metrics::main_text::{Gold, Label};

#[derive(Deserialize)]
struct Row {
    id: String,
    site: String,
    url: String,
    html: String,
    encoding: String,
    gold: String,
    neutral: String,
    wide: String,
    other: String,
}

/// One site with its pages.
pub(crate) struct Site {
    pub(crate) name: String,
    pub(crate) ids: Vec<String>,
    pub(crate) urls: Vec<String>,
    pub(crate) html: Vec<String>,
    pub(crate) labels: Vec<Label>,
    pub(crate) gold: Vec<Gold>,
}

/// Returns the labelled sites that floors are for: the first two parts. `Err` inside `Ok` holds the reason why
/// there are no data.
pub(crate) fn read_floored() -> Result<std::result::Result<Vec<Site>, String>> {
    let folder = match data::folder("sites-dev") {
        Ok(folder) if folder.is_dir() => folder,
        Ok(_) => return Ok(Err("no folder `sites-dev`".to_owned())),
        Err(why) => return Ok(Err(why)),
    };
    let mut sites = read(&folder)?;
    sites.extend(read(&data::sites_more()?)?);
    Ok(Ok(sites))
}

/// Returns all labelled sites, with the third part, on which templates are trained and judged by folds but
/// which has no floors. `Err` inside `Ok` holds the reason why there are no data.
pub(crate) fn read_all() -> Result<std::result::Result<Vec<Site>, String>> {
    let mut sites = match read_floored()? {
        Ok(sites) => sites,
        Err(why) => return Ok(Err(why)),
    };
    sites.extend(read(&data::sites_third()?)?);
    Ok(Ok(sites))
}

/// Returns the sites whose style sheets, fonts and images are available. `Err` inside `Ok` holds the reason why
/// there are no data.
pub(crate) fn read_with_assets() -> Result<std::result::Result<Vec<Site>, String>> {
    let folder = match data::folder("sites-dev") {
        Ok(folder) if folder.is_dir() => folder,
        Ok(_) => return Ok(Err("no folder `sites-dev`".to_owned())),
        Err(why) => return Ok(Err(why)),
    };
    read(&folder).map(Ok)
}

impl From<Made> for Site {
    fn from(made: Made) -> Site {
        Site {
            name: made.name.to_owned(),
            ids: (0..made.urls.len()).map(|page| page.to_string()).collect(),
            urls: made.urls,
            html: made.html,
            gold: Gold::of_site(&made.labels),
            labels: made.labels,
        }
    }
}

/// Reads the pages and labels of a folder, grouped by site in the order of names.
fn read(folder: &std::path::Path) -> Result<Vec<Site>> {
    let rows: Vec<Row> = fs::read_to_string(folder.join("pages.jsonl"))?
        .lines()
        .map(serde_json::from_str)
        .collect::<std::result::Result<_, _>>()?;
    let mut by_site: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    for row in rows {
        by_site.entry(row.site.clone()).or_default().push(row);
    }
    let mut out = Vec::new();
    for (name, rows) in by_site {
        let mut html = Vec::new();
        for row in &rows {
            let path = folder.join(&row.html);
            let bytes = data::plain_bytes(&path)?;
            let hints = CharsetHints {
                charset: Some(&row.encoding),
                ..CharsetHints::default()
            };
            html.push(decode(&bytes, hints, usize::MAX).text.into_owned());
        }
        let ids = rows.iter().map(|r| r.id.clone()).collect();
        let urls = rows.iter().map(|r| r.url.clone()).collect();
        let labels: Vec<Label> = rows
            .into_iter()
            .map(|r| Label {
                gold: r.gold,
                neutral: r.neutral,
                wide: r.wide,
                other: r.other,
            })
            .collect();
        out.push(Site {
            name,
            ids,
            urls,
            html,
            gold: Gold::of_site(&labels),
            labels,
        });
    }
    Ok(out)
}

/// Returns the samples of all pages by site, after a change by `stress`.
pub(crate) fn samples(sites: &[Site], stress: Stress, options: &extract::Options) -> Vec<Vec<Sample>> {
    parallel(sites.len(), |s| {
        let site = &sites[s];
        site.html
            .iter()
            .zip(&site.urls)
            .map(|(html, url)| {
                let html = stress.apply(html);
                Sample::new(&Page::decoded(&html).with_url(Some(url)), options)
            })
            .collect()
    })
}

/// Returns the results of `work` for 0 to `n - 1`, in this order, computed on all cores.
pub(crate) fn parallel<T: Send>(n: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let mut done: Vec<(usize, T)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..thread::available_parallelism().map_or(1, usize::from))
            .map(|_| {
                scope.spawn(|| {
                    let mut done = Vec::new();
                    loop {
                        // Each thread takes the next index that no thread has taken, since sites differ
                        // much in size.
                        let i = next.fetch_add(1, Ordering::Relaxed);
                        if i >= n {
                            return done;
                        }
                        done.push((i, work(i)));
                    }
                })
            })
            .collect();
        workers
            .into_iter()
            // A panic of a worker ends the evaluation: without its results the others would move to wrong sites.
            .flat_map(|w| w.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    done.sort_by_key(|d| d.0);
    done.into_iter().map(|d| d.1).collect()
}

/// Returns `times` random choices of `k` of `n` pages: the chosen pages, and the others.
pub(crate) fn drawn(n: usize, k: usize, times: u64) -> impl Iterator<Item = (Vec<usize>, Vec<usize>)> {
    let mut random = dehusk_pipeline::dedup::SplitMix64::new(k as u64);
    (0..times).map(move |_| {
        let mut order: Vec<usize> = (0..n).collect();
        // The first `k` steps of a Fisher-Yates shuffle: each choice of `k` pages is equally likely.
        for i in 0..k.min(n) {
            let j = i + narrow::to_usize(random.number() % (n - i) as u64);
            order.swap(i, j);
        }
        let rest = order.split_off(k.min(n));
        (order, rest)
    })
}
