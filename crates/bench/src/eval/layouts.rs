//! `cargo xtask eval --layouts`: the cost of layouts, and their effect on scores on labelled sites.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use dehusk_lab::metrics::main_text::Score;
use dehusk_pipeline::extract::label::{self, Extractor, Labels};
use dehusk_pipeline::extract::layout::{Layout, source_hash};
use dehusk_pipeline::extract::{self, Page, PageView};
use dehusk_pipeline::verbs::render::{Style, render};
use dehusk_pipeline::{Cancel, Job, Settings, browser};
use serde::Deserialize;
use serde_json::json;

use super::sites::labelled::{self, Site, parallel};
use super::sites::rewrite::Stress;
use crate::data;
use crate::result::Result;
use crate::root::target;

/// The rule that decides which blocks of a page are kept.
#[derive(Clone, Copy)]
enum Way {
    /// `default`, which does not use layouts.
    Default,
    /// `default`, but blocks that are not drawn are removed.
    Drawn,
    /// Like `Drawn`, but blocks with a probability of .3 to .7 are decided by `visual`.
    UnsureByColumn,
    /// `visual` alone.
    Visual,
}

impl Way {
    const ALL: [Way; 4] = [Way::Default, Way::Drawn, Way::UnsureByColumn, Way::Visual];

    fn name(self) -> &'static str {
        match self {
            Way::Default => "`default`",
            Way::Drawn => "`default`, drawn lines alone",
            Way::UnsureByColumn => "the same, unsure lines by `visual`",
            Way::Visual => "`visual`",
        }
    }
}

/// Scores the text of the blocks that are kept. The trees of `default` were trained on these sites. For
/// scores on unseen sites, run `cargo xtask train --leave-out sites-dev,sites-more` first, and restore the
/// models afterwards.
pub(super) fn run(file: Option<&Path>, no_sandbox: bool, by_site: bool) -> Result<()> {
    let Some(sites) = data::present("layouts", labelled::read_with_assets()?) else {
        return Ok(());
    };
    let file = match file {
        Some(file) => file.to_owned(),
        None => rendered(&sites, no_sandbox)?,
    };
    let layouts = read(&file)?;
    let method = |name| label::find(name).ok_or_else(|| format!("no method `{name}`"));
    let methods = [method("default")?, method("visual")?];
    let pages: usize = sites.iter().map(|site| site.html.len()).sum();
    println!(
        "{pages} pages, {} layouts of {:.1} KB on average",
        layouts.len(),
        fs::metadata(&file)?.len() as f64 / 1e3 / layouts.len().max(1) as f64
    );
    println!(
        "{:54} {:>5} {:>5} {:>5} {:>5}",
        "mean over sites", "P", "R", "F1", "F>.9"
    );
    // The pages as they are, then with meaningless names of classes, then without attributes.
    for stress in [Stress::Intact, Stress::Names, Stress::Bare] {
        let scores = parallel(sites.len(), |s| score_site(&sites[s], &layouts, stress, methods));
        let misfits: usize = scores.iter().map(|(_, misfits)| misfits).sum();
        for (w, way) in Way::ALL.into_iter().enumerate() {
            let of_sites: Vec<[f64; 4]> = scores.iter().map(|(ways, _)| mean(&ways[w])).collect();
            let what = format!("{}: {}", stress.name(), way.name());
            show(&what, &mean_of(&of_sites));
            if by_site {
                for (site, means) in sites.iter().zip(&of_sites) {
                    show(&format!("    {}", site.name), means);
                }
            }
        }
        if misfits > 0 {
            println!("{}: {misfits} pages without a layout that fits", stress.name());
        }
    }
    Ok(())
}

/// Renders the pages like `dehusk render`, prints the cost, and returns the path of the file of layouts.
fn rendered(sites: &[Site], no_sandbox: bool) -> Result<PathBuf> {
    let folder = target().join("eval-data");
    fs::create_dir_all(&folder)?;
    let (input, output) = (folder.join("layout-pages.jsonl"), folder.join("layouts.jsonl"));
    let mut to = BufWriter::new(File::create(&input)?);
    for site in sites {
        for ((id, url), html) in site.ids.iter().zip(&site.urls).zip(&site.html) {
            writeln!(to, "{}", json!({ "id": id, "url": url, "html": html }))?;
        }
    }
    to.flush()?;
    let assets = folder.join("layout-assets.warc");
    archive(&data::site_assets()?, &assets)?;
    let browser = browser::Settings {
        no_sandbox,
        ..browser::Settings::default()
    };
    let (inputs, settings, cancel) = (
        [input.display().to_string()],
        Settings::default(),
        Cancel::default(),
    );
    let started = Instant::now();
    let (done, taken) = render(
        &Job::new(&inputs, &settings, &cancel),
        &Style {
            assets: vec![assets],
            browser,
        },
        Some(&output),
        &mut io::sink(),
        &mut |lost| println!("lost: {} {}", lost.id, lost.message),
    )?;
    let counts = &done.summary.counts;
    println!(
        "{} pages in, {} layouts out, {} lost; {:.0} ms a page, {} browsers one after another, {} MiB at most",
        counts.read,
        counts.kept,
        counts.quarantined,
        started.elapsed().as_secs_f64() * 1e3 / (counts.read.max(1) as f64),
        taken.browsers,
        taken.memory >> 20
    );
    Ok(output)
}

/// A file of the data that is the response for an address. The name of the file may differ from the address.
#[derive(Deserialize)]
struct Asset {
    /// The address without scheme.
    url: String,
    file: String,
    #[serde(rename = "type")]
    media_type: String,
}

/// Writes the assets in `folder` as an archive of responses by address.
fn archive(folder: &Path, path: &Path) -> Result<()> {
    let mut to = BufWriter::new(File::create(path)?);
    for line in fs::read_to_string(folder.join("index.jsonl"))?.lines() {
        let asset: Asset = serde_json::from_str(line)?;
        let body = fs::read(folder.join(&asset.file))?;
        write!(
            to,
            "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://{}\r\nContent-Type: {}\r\nContent-Length: {}\r\n\r\n",
            asset.url,
            asset.media_type,
            body.len()
        )?;
        to.write_all(&body)?;
        to.write_all(b"\r\n\r\n")?;
    }
    to.flush()?;
    Ok(())
}

/// Reads a file of layouts, by id of the page.
fn read(path: &Path) -> Result<BTreeMap<String, Layout>> {
    let told = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let mut layouts = BTreeMap::new();
    for line in BufReader::new(File::open(path).map_err(|error| told(&error))?).lines() {
        let layout: Layout = serde_json::from_str(&line?).map_err(|error| told(&error))?;
        layouts.insert(layout.id.clone(), layout);
    }
    Ok(layouts)
}

/// Returns the scores of a site's pages for each rule, and the number of pages without a matching layout.
fn score_site(
    site: &Site,
    layouts: &BTreeMap<String, Layout>,
    stress: Stress,
    [default, visual]: [&dyn Extractor; 2],
) -> ([Vec<Score>; 4], usize) {
    let options = extract::Options::default();
    let mut scores: [Vec<Score>; 4] = Default::default();
    let mut misfits = 0;
    for (i, original) in site.html.iter().enumerate() {
        let html = stress.apply(original);
        // Changes of attributes do not change the elements, so the layout of the original page remains valid.
        let layout = layouts.get(&site.ids[i]).map(|layout| {
            let mut layout = layout.clone();
            // A layout of another source stays invalid, and is counted as a misfit below.
            if layout.source_hash == source_hash(original) {
                layout.source_hash = source_hash(&html);
            }
            layout
        });
        let page = Page::decoded(&html)
            .with_url(Some(&site.urls[i]))
            .with_layout(layout.as_ref());
        extract::inspect(&page, &options, |view| {
            misfits += usize::from(view.layout.is_none());
            let (default, visual) = (default.label(view), visual.label(view));
            for (way, scores) in Way::ALL.into_iter().zip(&mut scores) {
                scores.push(site.gold[i].score(&text(way, view, &default, &visual)));
            }
        });
    }
    (scores, misfits)
}

/// Returns the text of the blocks that a rule keeps.
fn text(way: Way, view: &PageView<'_>, default: &Labels, visual: &Labels) -> String {
    let drawn = |i: usize| {
        // Without a layout, or without a box for this block, nothing is known, and the block counts as
        // drawn.
        let layout = view.layout.and_then(|layout| layout.blocks[i]);
        layout.is_none_or(|block| block.drawn)
    };
    let unsure = |i: usize| {
        let chance = default.chances.as_ref().and_then(|chances| chances.get(i));
        view.layout.is_some() && chance.is_some_and(|chance| (0.3..=0.7).contains(chance))
    };
    let kept = |i: usize| match way {
        Way::Default => default.verdicts[i].kept,
        Way::Drawn => default.verdicts[i].kept && drawn(i),
        Way::UnsureByColumn if unsure(i) => visual.verdicts[i].kept,
        Way::UnsureByColumn => default.verdicts[i].kept && drawn(i),
        Way::Visual => visual.verdicts[i].kept,
    };
    let blocks = view.table.blocks().iter().enumerate();
    let texts = blocks
        .filter(|(i, _)| kept(*i))
        .map(|(_, block)| view.table.text(block));
    texts.collect::<Vec<_>>().join("\n")
}

/// Returns mean precision, recall and F1, and the share of pages with an F1 of at least .9.
fn mean(scores: &[Score]) -> [f64; 4] {
    let of = |score: &Score| {
        [
            score.precision,
            score.recall,
            score.f1,
            f64::from(u8::from(score.f1 >= 0.9)),
        ]
    };
    mean_of(&scores.iter().map(of).collect::<Vec<_>>())
}

/// Returns the means of columns.
fn mean_of(rows: &[[f64; 4]]) -> [f64; 4] {
    let mut sums = [0.0; 4];
    for row in rows {
        for (sum, value) in sums.iter_mut().zip(row) {
            *sum += value / rows.len() as f64;
        }
    }
    sums
}

fn show(what: &str, [precision, recall, f1, f90]: &[f64; 4]) {
    println!("{what:54} {precision:.3} {recall:.3} {f1:.3} {f90:.3}");
}
