//! `cargo xtask eval`: scores and speed of extraction on labelled pages. With `--records`, scores of
//! clusterings of records; with `--parsers`, a comparison of our parser's trees with those of html5ever.

pub(crate) mod floors;
mod layouts;
mod lcs;
pub(crate) mod metrics;
mod options;
#[cfg(feature = "reference")]
mod parsers;
mod records;
pub(crate) mod sites;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use dehusk_lab::metrics::words;
use dehusk_pipeline::extract::{self, Page, extract};
use serde_json::{Value, json};

use crate::data::{self, Doc, Set};
use crate::result::Result;
use crate::{clock, machine};
use floors::Floor;
use metrics::{Metric, PageScore, Summary, score, summarize};
use options::Field;

pub(crate) use options::Options;

/// Smallest number of pages of a group that is shown.
const MIN_GROUP: usize = 20;

/// Scores extraction, or what the options ask for instead.
pub(crate) fn run(options: &Options) -> Result<()> {
    if options.parsers {
        #[cfg(feature = "reference")]
        return parsers::run(options);
        #[cfg(not(feature = "reference"))]
        return Err("this build has no html5ever: run `cargo xtask eval --parsers`".into());
    }
    scores(options)
}

/// Scores extraction. Fails if a score is below a regression floor of `tests/floors.toml`.
fn scores(options: &Options) -> Result<()> {
    if let Some(files) = &options.records {
        return records::run(files);
    }
    if let Some(file) = &options.layouts {
        return layouts::run(
            file.as_deref(),
            options.no_sandbox,
            // Other fields have no meaning for sites, and are ignored.
            options.by.is_some_and(|by| matches!(by, Field::Host)),
        );
    }
    if options.sites {
        return sites::run(
            &options.method,
            options.by.is_some_and(|by| matches!(by, Field::Host)),
            &floors::read()?.sites,
        );
    }
    let extraction = extract::Options::default().with_extractor(&options.method)?;
    let floors = floors::read()?.regression;
    let Some(sets) = data::present("scores of extraction", data::sets(&options.sets)?) else {
        return Ok(());
    };
    println!("`{}` on {}", options.method, machine::processor());
    let mut results = Vec::new();
    let mut failed = Vec::new();
    let mut checked = Vec::new();
    for set in &sets {
        // A sample is scored but not compared with floors, which hold for whole sets.
        let docs: Vec<&Doc> = set.docs.iter().step_by(options.every as usize).collect();
        let (texts, speed) = extract_all(set, &docs, &extraction)?;
        if let Some(folder) = &options.save {
            save(&folder.join(&set.name), &options.method, &docs, &texts)?;
        }
        let scores = score_all(&docs, &texts);
        let pages: Vec<_> = docs.into_iter().zip(&scores).collect();
        println!("\n{}: {speed}", set.name);
        // `min_reach` only affects the table. The floors have their own value, applied in `check`.
        let shown: Vec<_> = pages
            .iter()
            .copied()
            .filter(|(doc, _)| doc.reach >= options.min_reach)
            .collect();
        let tables = groups(&shown, options.by)
            .into_iter()
            .map(|(group, scores)| table(&group, &scores))
            .collect::<Vec<_>>();
        println!(
            "{:24} {:>5}  {:8} {:>5}  {:13}  {:>5} {:>5} {:>5}",
            "", "pages", "", "F1", "95 %", "P", "R", "acc"
        );
        for table in &tables {
            table.print();
        }
        results.push(json!({
            "set": set.name,
            "digest": set.digest,
            "speed": speed.json(),
            "groups": tables.iter().map(Table::json).collect::<Vec<_>>(),
        }));
        if let Some(floor) = floors.get(&set.name)
            && options.every == 1
            && options.method == "default"
        {
            check(set, floor, &pages, &mut checked, &mut failed);
        }
    }
    if let Some(path) = &options.json {
        let all = json!({
            "method": options.method,
            "every": options.every,
            "min_reach": options.min_reach,
            "machine": machine::processor(),
            "commit": machine::commit(),
            "sets": results,
        });
        fs::write(path, format!("{all:#}\n")).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    println!();
    if checked.is_empty() && failed.is_empty() {
        println!(
            "regression floors hold for all pages of a set and for the method `default`: none was checked"
        );
    }
    for line in checked {
        println!("{line}");
    }
    if failed.is_empty() {
        Ok(())
    } else {
        Err(failed.join("; ").into())
    }
}

/// The speed of extraction on the pages of a set, one page after another on one thread, without reading and
/// decoding.
struct Speed {
    pages: usize,
    bytes: usize,
    total: Duration,
    slowest: Duration,
    slowest_page: String,
    empty: usize,
}

impl std::fmt::Display for Speed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let seconds = self.total.as_secs_f64().max(1e-9);
        let (pages, mb) = (self.pages as f64, self.bytes as f64 / 1e6);
        write!(
            f,
            "{} pages, {mb:.1} MB in {seconds:.2} s of processor time on one thread: ",
            self.pages
        )?;
        write!(f, "{:.0} pages/s, {:.1} MB/s; ", pages / seconds, mb / seconds)?;
        write!(
            f,
            "slowest {:.3} s ({}); ",
            self.slowest.as_secs_f64(),
            self.slowest_page
        )?;
        write!(f, "without text {}", self.empty)
    }
}

impl Speed {
    fn json(&self) -> Value {
        json!({
            "pages": self.pages,
            "bytes": self.bytes,
            "cpu_seconds": self.total.as_secs_f64(),
            "slowest_seconds": self.slowest.as_secs_f64(),
            "slowest_page": self.slowest_page,
            "without_text": self.empty,
        })
    }
}

/// Extracts the pages of a set on one thread. Returns their texts, and the speed.
fn extract_all(set: &Set, docs: &[&Doc], options: &extract::Options) -> Result<(Vec<String>, Speed)> {
    let mut speed = Speed {
        pages: docs.len(),
        bytes: 0,
        total: Duration::ZERO,
        slowest: Duration::ZERO,
        slowest_page: String::new(),
        empty: 0,
    };
    let mut texts = Vec::with_capacity(docs.len());
    for doc in docs {
        let html = set.text(doc)?;
        let page = Page::decoded(&html).with_url(doc.url.as_deref());
        // Reading and decoding are outside of the measured time.
        let (found, took) = clock::timed(|| extract(&page, options));
        speed.bytes += html.len();
        speed.total += took;
        if took > speed.slowest {
            (speed.slowest, speed.slowest_page) = (took, doc.id.clone());
        }
        speed.empty += usize::from(words::is_blank(&found.text));
        texts.push(found.text);
    }
    Ok((texts, speed))
}

/// Writes one line per page, in the format that the reference scorer reads.
fn save(folder: &std::path::Path, method: &str, docs: &[&Doc], texts: &[String]) -> Result<()> {
    fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let path = folder.join(format!("{method}.jsonl"));
    let mut file = BufWriter::new(File::create(&path).map_err(|e| format!("{}: {e}", path.display()))?);
    for (doc, text) in docs.iter().zip(texts) {
        writeln!(file, "{}", json!({ "id": doc.id, "text": text }))?;
    }
    file.flush()?;
    Ok(())
}

/// Returns the scores of all pages, in their order, computed on all cores.
fn score_all(docs: &[&Doc], texts: &[String]) -> Vec<PageScore> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        // Each thread takes the next page that no thread has taken, since pages differ much in length.
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let (Some(doc), Some(text)) = (docs.get(i), texts.get(i)) else {
                return done;
            };
            done.push((i, score(doc, text)));
        }
    };
    let cores = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let mut all: Vec<(usize, PageScore)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        // A panic of a thread is raised here again, so that no page is left out silently.
        let results = workers.into_iter().map(|worker| {
            worker
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        results.flatten().collect()
    });
    all.sort_unstable_by_key(|(i, _)| *i);
    all.into_iter().map(|(_, score)| score).collect()
}

type Scored<'s> = (&'s Doc, &'s PageScore);

/// Returns all pages, then the groups by a field, sorted by name. Groups of fewer than 20 pages are left
/// out.
fn groups<'s>(pages: &[Scored<'s>], by: Option<Field>) -> Vec<(String, Vec<&'s PageScore>)> {
    let mut groups: BTreeMap<&str, Vec<&PageScore>> = BTreeMap::new();
    if let Some(field) = by {
        for (doc, score) in pages {
            groups.entry(field.of(doc)).or_default().push(score);
        }
    }
    let all = ("all".to_owned(), pages.iter().map(|(_, score)| *score).collect());
    let large = groups.into_iter().filter(|(_, pages)| pages.len() >= MIN_GROUP);
    std::iter::once(all)
        .chain(large.map(|(name, pages)| (name.to_owned(), pages)))
        .collect()
}

/// The scores of one group by all metrics.
struct Table {
    group: String,
    pages: usize,
    rows: Vec<(Metric, Summary)>,
}

fn table(group: &str, pages: &[&PageScore]) -> Table {
    let rows = Metric::ALL
        .into_iter()
        .filter_map(|metric| Some((metric, summarize(metric, pages)?)));
    Table {
        group: group.to_owned(),
        pages: pages.len(),
        rows: rows.collect(),
    }
}

impl Table {
    fn print(&self) {
        for (i, (metric, Summary { figures, interval })) in self.rows.iter().enumerate() {
            let (group, pages) = if i == 0 {
                (self.group.as_str(), self.pages.to_string())
            } else {
                ("", String::new())
            };
            let accuracy = figures
                .accuracy
                .map_or(String::new(), |accuracy| format!("{accuracy:.3}"));
            println!(
                "{group:24} {pages:>5}  {:8} {:.3}  [{:.3} {:.3}]  {:.3} {:.3} {accuracy}",
                metric.name(),
                figures.f1,
                interval.0,
                interval.1,
                figures.precision,
                figures.recall,
            );
        }
    }

    fn json(&self) -> Value {
        let rows = self.rows.iter().map(|(metric, Summary { figures, interval })| {
            json!({
                "metric": metric.name(),
                "f1": figures.f1,
                "low": interval.0,
                "high": interval.1,
                "precision": figures.precision,
                "recall": figures.recall,
                "accuracy": figures.accuracy,
            })
        });
        json!({ "group": self.group, "pages": self.pages, "scores": rows.collect::<Vec<_>>() })
    }
}

/// Compares the scores of a set with its floors. Adds a line for each floor to `lines`, and the lines of
/// scores below their floors to `failed`.
fn check(set: &Set, floor: &Floor, pages: &[Scored<'_>], lines: &mut Vec<String>, failed: &mut Vec<String>) {
    let name = &set.name;
    if floor.digest != set.digest {
        failed.push(format!(
            "{name}: the labels are not those that the floors were fixed on (digest {}, tests/floors.toml has {})",
            set.digest, floor.digest
        ));
        return;
    }
    let reached = pages.iter().filter(|(doc, _)| doc.reach >= floor.min_reach);
    let scores: Vec<_> = reached.map(|(_, score)| *score).collect();
    for metric in Metric::ALL {
        let Some(least) = floor.of(metric) else { continue };
        // A set without any page for the metric has the score 0 and fails.
        let f1 = summarize(metric, &scores).map_or(0.0, |summary| summary.figures.f1);
        let of = if floor.min_reach > 0.0 {
            format!(", reach >= {}", floor.min_reach)
        } else {
            String::new()
        };
        let line = format!(
            "{name}: {} F1 {f1:.3} ({} pages{of}), floor {least}",
            metric.name(),
            scores.len()
        );
        lines.push(format!("{} {line}", if f1 >= least { "ok  " } else { "FAIL" }));
        if f1 < least {
            failed.push(line);
        }
    }
}
