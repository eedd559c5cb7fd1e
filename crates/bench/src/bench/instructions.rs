//! Instructions of the parser and of extraction, counted by valgrind's callgrind: a measure that no other program on the machine disturbs.
//!
//! This program runs again inside valgrind and calls [`counted_parse`] once for each measurement; callgrind counts inside
//! that function alone and writes a file whenever [`counted_end`] is called.

use std::fs;
use std::hint::black_box;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use clap::ValueEnum;
use dehusk_html::Parser;
#[cfg(feature = "reference")]
use dehusk_html::parser::{growth::exponent, shapes::SHAPES};
#[cfg(feature = "reference")]
use dehusk_pipeline::extract::PAGE_SHAPES;
use dehusk_pipeline::extract::analysis::blocks::BlockTable;
use dehusk_pipeline::extract::{Options, Page, extract};
use serde::Deserialize;

use super::products::{self, Products};
use crate::result::Result;
use crate::root::{files, root, target};

/// What is done inside valgrind.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(super) enum Work {
    /// Parses all pages of the fixture crawl, then does so with block tables, then extracts them.
    Pages,
    /// Takes products of shapes every way that a page can go.
    Products,
    /// Parses each shape of the linear-time table at each size, then extracts each of those and of the shapes of pages.
    #[cfg(feature = "reference")]
    Growth,
}

/// How much of the way is measured.
enum Way {
    Parse,
    Blocks,
    /// All of it, with these options.
    Extract(Options),
}

impl Way {
    /// Extraction by this method, which has read once what it reads on first use: that is no work of a page.
    fn extract(method: &str) -> Result<Way> {
        let options = Options::default().with_extractor(method)?;
        black_box(extract(&Page::decoded("<p class=x>First words."), &options));
        Ok(Way::Extract(options))
    }
}

/// One measurement: nodes, blocks or bytes of text. Valgrind knows this function by its name.
#[inline(never)]
fn counted_parse(sources: &[String], way: &Way) -> usize {
    let parser = Parser::default();
    let one = |source: &String| match way {
        Way::Parse => parser.parse(source).0.len(),
        Way::Blocks => BlockTable::fill(&parser.parse(source).0).blocks().len(),
        Way::Extract(options) => extract(&Page::decoded(source), options).text.len(),
    };
    sources.iter().map(one).sum()
}

/// Ends a measurement, by its name too.
#[inline(never)]
fn counted_end(nodes: usize) -> usize {
    black_box(nodes)
}

/// Measures other work.
pub(super) fn counted(work: impl FnOnce() -> usize) {
    counted_end(counted_parse_of(Box::new(work)));
}

/// Other work than [`counted_parse`], under a name that valgrind takes for the same.
#[inline(never)]
fn counted_parse_of<'w>(work: Box<dyn FnOnce() -> usize + 'w>) -> usize {
    work()
}

/// Does what is counted. Called inside valgrind.
pub(super) fn work(what: Work, products: &Products) -> Result<()> {
    match what {
        Work::Products => products::work(products)?,
        Work::Pages => {
            let (pages, _) = fixtures()?;
            for way in [Way::Parse, Way::Blocks, Way::extract("default")?] {
                counted_end(counted_parse(&pages, &way));
            }
        }
        #[cfg(feature = "reference")]
        Work::Growth => {
            for (_, shape) in SHAPES {
                for size in SIZES {
                    let nodes = counted_end(counted_parse(&[shape(size)], &Way::Parse));
                    println!("{nodes}");
                }
            }
            for method in METHODS {
                let way = Way::extract(method)?;
                for (_, shape) in SHAPES.iter().chain(PAGE_SHAPES) {
                    for size in SIZES {
                        counted_end(counted_parse(&[shape(size)], &way));
                    }
                }
            }
        }
    }
    Ok(())
}

/// Pages of the fixture crawl as text, and their bytes.
fn fixtures() -> Result<(Vec<String>, usize)> {
    let folder = root().join("fixtures/crawl");
    let mut pages = Vec::new();
    for file in files(&folder)?.iter().filter(|file| file.ends_with(".html")) {
        let bytes = fs::read(folder.join(file))?;
        pages.push(String::from_utf8_lossy(&bytes).into_owned());
    }
    let bytes = pages.iter().map(String::len).sum();
    Ok((pages, bytes))
}

/// Instructions of each of so many calls of [`counted_parse`] by this program with `more` arguments, and what was printed; `Err` inside `Ok` says why nothing was counted.
pub(super) fn count(
    what: &Work,
    more: &[&str],
    wanted: usize,
) -> Result<std::result::Result<(Vec<u64>, String), String>> {
    let present = Command::new("valgrind").arg("--version").output();
    if !present.is_ok_and(|output| output.status.success()) {
        return Ok(Err("valgrind is not installed".to_owned()));
    }
    let place = Place(target().join(format!("instructions-{}", std::process::id())));
    fs::create_dir_all(&place.0)?;
    let name = what
        .to_possible_value()
        .map_or_else(String::new, |value| value.get_name().to_owned());
    let mut valgrind = Command::new("valgrind");
    valgrind
        .args(["--tool=callgrind", "--error-exitcode=9"])
        .args(["--toggle-collect=*counted_parse*", "--dump-before=*counted_end*"])
        .arg(format!("--callgrind-out-file={}", place.0.join("out").display()))
        .arg(std::env::current_exe()?)
        .args(["bench", "--count", &name])
        .args(more)
        .stdin(Stdio::null());
    let out = |i: usize| place.0.join(format!("out.{i}"));
    let output = thread::scope(|scope| {
        let (done, end) = mpsc::channel::<()>();
        if std::io::stderr().is_terminal() {
            scope.spawn(move || {
                let mut at = 0;
                while end.recv_timeout(Duration::from_millis(200)) == Err(mpsc::RecvTimeoutError::Timeout) {
                    while out(at + 1).is_file() {
                        at += 1;
                    }
                    eprint!("\rcounting instructions: {at} of {wanted}");
                }
                eprint!("\r{:60}\r", "");
            });
        }
        let output = valgrind.output();
        drop(done);
        output
    })?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let last = said.lines().rev().take(5).collect::<Vec<_>>().join("; ");
        return Err(format!("valgrind: {}: {last}", output.status).into());
    }
    let mut counts = Vec::new();
    while let Some(count) = totals(&out(counts.len() + 1))? {
        counts.push(count);
    }
    if counts.len() != wanted {
        return Err(format!("valgrind counted {} calls instead of {wanted}", counts.len()).into());
    }
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(Ok((counts, printed)))
}

/// A folder that is removed in the end.
struct Place(PathBuf);

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The sum that a file of callgrind holds; `None` if there is no such file.
fn totals(path: &Path) -> Result<Option<u64>> {
    if !path.is_file() {
        return Ok(None);
    }
    let text = fs::read_to_string(path)?;
    let line = text.lines().find_map(|line| line.strip_prefix("totals:"));
    let count = line.and_then(|rest| rest.trim().parse().ok());
    count
        .map(Some)
        .ok_or_else(|| format!("{}: callgrind wrote no totals", path.display()).into())
}

/// Instructions for a byte of page that must not be passed.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Ceilings {
    parse: f64,
    parse_and_blocks: f64,
    extraction: f64,
}

fn ceilings() -> Result<Ceilings> {
    let path = root().join("tests/instructions.toml");
    let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(toml::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))?)
}

/// Compares the instructions of the parser and of extraction on the fixture crawl with `tests/instructions.toml`.
pub(super) fn check() -> Result<()> {
    let (counts, _) = match count(&Work::Pages, &[], 3)? {
        Ok(counted) => counted,
        Err(why) => {
            eprintln!("SKIPPED: instructions were not compared with tests/instructions.toml: {why}");
            return Ok(());
        }
    };
    let (pages, bytes) = fixtures()?;
    let ceilings = ceilings()?;
    println!(
        "\ninstructions on fixtures/crawl ({} pages, {bytes} bytes), by callgrind",
        pages.len()
    );
    let mut failed = Vec::new();
    let named = [
        ("parse", ceilings.parse),
        ("parse and block table", ceilings.parse_and_blocks),
        ("extraction", ceilings.extraction),
    ];
    for ((name, ceiling), count) in named.into_iter().zip(counts) {
        let of_byte = count as f64 / bytes as f64;
        let mark = if of_byte <= ceiling { "ok  " } else { "FAIL" };
        let line = format!("{name}: {of_byte:.2} a byte, {count} in all; ceiling {ceiling}");
        println!("{mark} {line}");
        if of_byte > ceiling {
            failed.push(line);
        }
    }
    if failed.is_empty() {
        Ok(())
    } else {
        Err(failed.join("; ").into())
    }
}

/// Lengths of the documents of one shape, in bytes: about so many.
#[cfg(feature = "reference")]
const SIZES: [usize; 4] = [16_000, 32_000, 64_000, 128_000];

/// Methods whose whole way is measured.
#[cfg(feature = "reference")]
const METHODS: [&str; 2] = ["default", "readability"];

/// Largest exponent of the line through instructions over bytes, and through nodes over bytes: of the parser, and of extraction.
#[cfg(feature = "reference")]
const STEEPEST: f64 = 1.1;
#[cfg(feature = "reference")]
const STEEPEST_EXTRACTION: f64 = 1.15;

/// Shows how instructions and nodes grow with the bytes of each shape, for the parser and for whole extractions; fails if
/// something grows faster than it may.
#[cfg(feature = "reference")]
pub(super) fn growth() -> Result<()> {
    let of_parser = SHAPES.len() * SIZES.len();
    let of_method = (SHAPES.len() + PAGE_SHAPES.len()) * SIZES.len();
    let (counts, printed) = match count(&Work::Growth, &[], of_parser + METHODS.len() * of_method)? {
        Ok(counted) => counted,
        Err(why) => {
            eprintln!("SKIPPED: growth of the work was not measured: {why}");
            return Ok(());
        }
    };
    let nodes: Vec<f64> = printed.lines().filter_map(|line| line.parse().ok()).collect();
    if nodes.len() != of_parser {
        return Err(format!("{} numbers of nodes instead of {of_parser}", nodes.len()).into());
    }
    let (parser, methods) = counts.split_at(of_parser);
    let mut failed = Vec::new();
    println!(
        "{:12} {:40} {:>12} {:>19}",
        "", "shape", "instructions", "instructions a byte"
    );
    let rows = parser.chunks(SIZES.len()).zip(nodes.chunks(SIZES.len()));
    for ((name, shape), (work, nodes)) in SHAPES.iter().zip(rows) {
        let (steps, bytes) = row("parser", name, *shape, work);
        // Below a thousand nodes the limits' own numbers show.
        let nodes: Vec<_> = bytes
            .into_iter()
            .zip(nodes.iter().map(|nodes| nodes.max(1000.0)))
            .collect();
        let nodes = exponent(&nodes);
        if steps > STEEPEST || nodes > STEEPEST {
            failed.push(format!(
                "parser, {name}: instructions n^{steps:.2}, nodes n^{nodes:.2}"
            ));
        }
    }
    for (method, counts) in METHODS.iter().zip(methods.chunks(of_method)) {
        let shapes = SHAPES.iter().chain(PAGE_SHAPES);
        for ((name, shape), work) in shapes.zip(counts.chunks(SIZES.len())) {
            let (steps, _) = row(method, name, *shape, work);
            if steps > STEEPEST_EXTRACTION {
                failed.push(format!("{method}, {name}: instructions n^{steps:.2}"));
            }
        }
    }
    if failed.is_empty() {
        println!(
            "{} shapes for the parser, {} for {}, {SIZES:?} bytes: none grows faster than n^{STEEPEST} and n^{STEEPEST_EXTRACTION}",
            SHAPES.len(),
            SHAPES.len() + PAGE_SHAPES.len(),
            METHODS.join(" and "),
        );
        Ok(())
    } else {
        Err(format!("too fast: {}", failed.join("; ")).into())
    }
}

/// Prints how instructions grow with the bytes of a shape; returns their exponent, and the bytes.
#[cfg(feature = "reference")]
fn row(who: &str, name: &str, shape: fn(usize) -> String, work: &[u64]) -> (f64, Vec<f64>) {
    let bytes: Vec<f64> = SIZES.iter().map(|size| shape(*size).len() as f64).collect();
    let counts = work.iter().map(|&count| count as f64);
    let points: Vec<_> = bytes.iter().copied().zip(counts).collect();
    let steps = exponent(&points);
    let (longest, most) = points[SIZES.len() - 1];
    let last = most / longest;
    println!("{who:12} {name:40} {:>12} {last:>19.1}", format!("n^{steps:.2}"));
    (steps, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ceilings_are_sound() {
        let ceilings = ceilings().unwrap();
        assert!(0.0 < ceilings.parse && ceilings.parse < ceilings.parse_and_blocks);
        assert!(ceilings.parse_and_blocks < ceilings.extraction);
    }
}
