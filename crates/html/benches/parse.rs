//! Measures how fast pages are parsed: `cargo bench -p dehusk-html [-- FOLDER]`. With `--features
//! html5ever`, html5ever behind the same interface is measured too.
//!
//! The pages are all `.html` files of a folder, by default the crawled pages of `fixtures/crawl`. They are
//! decoded first and then parsed on one thread with warm caches. The result is in megabytes of text per
//! second, from the best of several rounds for each page. For comparison, html5ever also fills its own
//! tree, markup5ever_rcdom, which most of its users build.
//!
//! Pages on which a limit acts are left out: html5ever takes quadratic time on most of them, which would
//! dominate the result. Growth is measured by a test of the crate.
//!
//! Not measured: decoding, and reading the tree, which is when this crate resolves character references
//! (html5ever resolves them while parsing). Cold caches, several threads and other kinds of pages may
//! change the results. Numbers of different machines or profiles cannot be compared.

#![expect(clippy::print_stdout, reason = "a report on a terminal")]

use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

use dehusk_html::decode::{CharsetHints, decode};
use dehusk_html::{Limits, Parser, ParserKind};
use html5ever::tendril::TendrilSink;
use markup5ever_rcdom::RcDom;

/// How often each page is parsed; its fastest time counts.
const ROUNDS: usize = 15;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // Cargo passes `--bench`; as a test, one round shows that it runs.
    let rounds = if arguments.iter().any(|a| a == "--bench") {
        ROUNDS
    } else {
        1
    };
    let folder = arguments.iter().find(|a| !a.starts_with('-')).map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/crawl"),
        PathBuf::from,
    );
    let mut pages = Vec::new();
    if folder.exists() {
        read(&folder, &mut pages)?;
    }
    let bytes: usize = pages.iter().map(String::len).sum();
    println!(
        "{} pages, {:.1} MB in {}",
        pages.len(),
        bytes as f64 / 1e6,
        folder.display()
    );
    if pages.is_empty() {
        return Ok(());
    }
    let limits = Limits::default();
    for kind in ParserKind::ALL {
        let parser = Parser::default().with_kind(*kind).with_limits(limits);
        report(kind.name(), rounds, &pages, |page| {
            drop(black_box(parser.parse(page)));
        });
    }
    report("html5ever, its own tree", rounds, &pages, |page| {
        drop(black_box(
            html5ever::parse_document(RcDom::default(), html5ever::ParseOpts::default()).one(page),
        ));
    });
    Ok(())
}

/// Adds the text of all `.html` files below a folder.
fn read(folder: &Path, pages: &mut Vec<String>) -> Result<(), Box<dyn Error>> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(folder)? {
        paths.push(entry?.path());
    }
    paths.sort();
    for path in paths {
        if path.is_dir() {
            read(&path, pages)?;
        } else if path.extension().is_some_and(|end| end == "html") {
            let bytes = fs::read(&path)?;
            let page = decode(&bytes, CharsetHints::default(), usize::MAX).text;
            if Parser::default().parse(&page).1.is_empty() {
                pages.push(page.into_owned());
            }
        }
    }
    Ok(())
}

fn report(name: &str, rounds: usize, pages: &[String], parse: impl Fn(&str)) {
    // The best time of each page: on a busy machine a round over all of them is hardly ever left alone.
    let mut best = vec![f64::INFINITY; pages.len()];
    for _ in 0..rounds {
        for (page, best) in pages.iter().zip(&mut best) {
            let start = Instant::now();
            parse(page);
            *best = best.min(start.elapsed().as_secs_f64());
        }
    }
    let best: f64 = best.iter().sum();
    let bytes: usize = pages.iter().map(String::len).sum();
    println!("{name:24} {:7.0} MB/s", bytes as f64 / 1e6 / best);
}
