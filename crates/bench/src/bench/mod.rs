//! `cargo xtask bench`: the cost of each step of the program, in MB/s and documents/s.
//!
//! Measured is the processor time of this process, for one page or document after another on one thread,
//! with inputs in memory and warm buffers. The result is the median of several rounds. Each round runs all
//! steps in turn, so that load on the machine affects all steps. Pages are a sample of the development
//! data, or the fixtures if these are missing. Documents for the search for duplicates are composed of
//! running text with a fixed seed ([`corpus`]).
//!
//! Afterwards the instructions of parsing, extraction and signing are compared with `tests/instructions.toml`
//! ([`instructions`]).
//!
//! Other measurements replace these: `--growth` measures how the work of parsing and extraction grows on
//! hostile documents, `--parsers` compares our parser with others, `--reader` measures how many cores the
//! reading of inputs can feed ([`reader`]), `--runs` compares complete runs with the extraction of the same
//! pages ([`runs`]).
//!
//! Not measured: reading and writing of files; memory; the slowdown of threads that share caches and
//! memory; the search for duplicates among millions of documents. Results of different machines, or of one
//! machine under different load, are not comparable. Compare two commits in one session, or ratios within
//! one table.

mod callgrind;
mod corpus;
mod instructions;
mod options;
mod parsers;
mod products;
mod reader;
mod runs;

use std::fs;
use std::hint::black_box;
use std::io::IsTerminal;
use std::time::Duration;

use dehusk_html::Parser;
use dehusk_html::decode::{CharsetHints, decode};
use dehusk_pipeline::Settings;
use dehusk_pipeline::dedup::{Deduper, Tokens};
use dehusk_pipeline::extract::{self, Page, extract};
use dehusk_pipeline::normalize::{Normalizer, near_tokens};
use serde_json::{Value, json};

use crate::result::Result;
use crate::{clock, machine};
use callgrind::Work;
use corpus::RawPage;

pub(crate) use options::Options;

/// One step, ready to be run on all its input.
struct Stage<'w> {
    name: &'static str,
    /// The unit of `documents`, and what `bytes` counts.
    what: &'static str,
    documents: usize,
    bytes: usize,
    work: Box<dyn FnMut() + 'w>,
    times: Vec<Duration>,
}

impl<'w> Stage<'w> {
    fn new(
        name: &'static str,
        what: &'static str,
        lengths: impl ExactSizeIterator<Item = usize>,
        work: impl FnMut() + 'w,
    ) -> Stage<'w> {
        let documents = lengths.len();
        Stage {
            name,
            what,
            documents,
            bytes: lengths.sum(),
            work: Box::new(work),
            times: Vec::new(),
        }
    }

    /// Returns the fastest, median and slowest round, in seconds.
    fn seconds(&self) -> [f64; 3] {
        let mut times: Vec<f64> = self
            .times
            .iter()
            // Prevents a division by zero for work below the resolution of the clock.
            .map(|time| time.as_secs_f64().max(1e-9))
            .collect();
        times.sort_unstable_by(f64::total_cmp);
        let at = |i: usize| times.get(i).copied().unwrap_or(f64::NAN);
        [at(0), at(times.len() / 2), at(times.len().saturating_sub(1))]
    }

    fn print(&self) {
        let [fastest, median, slowest] = self.seconds();
        let (documents, mb) = (self.documents as f64, self.bytes as f64 / 1e6);
        println!(
            "{:20} {:9} {:>8} {mb:>8.1} {:>9.1} {:>11.0}   {:.3}..{:.3} s",
            self.name,
            self.what,
            self.documents,
            mb / median,
            documents / median,
            fastest,
            slowest,
        );
    }

    fn json(&self) -> Value {
        let [fastest, median, slowest] = self.seconds();
        json!({
            "stage": self.name,
            "bytes_of": self.what,
            "documents": self.documents,
            "bytes": self.bytes,
            "median_seconds": median,
            "fastest_seconds": fastest,
            "slowest_seconds": slowest,
            "mb_per_second": self.bytes as f64 / 1e6 / median,
            "documents_per_second": self.documents as f64 / median,
        })
    }
}

/// Runs the measurement that the options choose.
pub(crate) fn run(options: &Options) -> Result<()> {
    // Inside valgrind, this program does only the counted work.
    if let Some(what) = options.count {
        return match what {
            Work::Pages => instructions::count_pages(),
            Work::Products => products::work(&options.products),
            #[cfg(feature = "reference")]
            Work::Growth => instructions::count_growth(),
        };
    }
    // In a process of its own, only one product is measured.
    if let [product, way] = options.products.memory_of[..] {
        return products::memory_of(product, way);
    }
    if options.products.products {
        return products::run(&options.products);
    }
    if options.growth {
        #[cfg(feature = "reference")]
        return instructions::growth();
        #[cfg(not(feature = "reference"))]
        return Err("this build has no html5ever: run `cargo xtask bench --growth`".into());
    }
    if options.parsers {
        return parsers::compare(options);
    }
    // The measurements above count instructions or start other programs. All below measure time.
    if cfg!(debug_assertions) {
        return Err(
            "this build is not optimized, and its figures say nothing: run `cargo xtask bench`".into(),
        );
    }
    if options.reader {
        return reader::run(options);
    }
    if options.runs {
        return runs::run(options);
    }
    steps(options)?;
    instructions::check()
}

/// Measures all steps and prints the table.
fn steps(options: &Options) -> Result<()> {
    let settings = Settings::default();
    let (pages, pages_from) = corpus::pages(options.every as usize)?;
    let (documents, documents_from) = corpus::documents(options.documents as usize)?;
    // Texts of pages, and enough further text for a measurable time.
    let mut texts: Vec<String> = pages
        .iter()
        .map(|page| extract(&page.get(), &extract::Options::default()).text)
        .collect();
    texts.extend_from_slice(&documents);
    // Normalized once here, so that later steps have the input that they get in a run.
    let normal = normalized(&settings, &texts);
    let tokens: Vec<Tokens> = normal[pages.len()..].iter().map(|text| cut(text)).collect();
    // A complete search before the measurement gives the number of pairs and fails on settings that do not
    // work.
    let pairs = search(&settings, &tokens)?.finish(&())?.counts.verified;

    let sources: Vec<String> = pages
        .iter()
        .map(|page| {
            decode(&page.bytes, CharsetHints::default(), usize::MAX)
                .text
                .into_owned()
        })
        .collect();
    let parser = Parser::default();
    let mut stages = Vec::new();
    stages.push(Stage::new(
        "parse",
        "text",
        sources.iter().map(String::len),
        || {
            for source in &sources {
                black_box(parser.parse(source));
            }
        },
    ));
    for method in ["all-text", "default"] {
        let options = extract::Options::default().with_extractor(method)?;
        let name = if method == "default" {
            "extract default"
        } else {
            "extract all-text"
        };
        stages.push(Stage::new(
            name,
            "HTML",
            pages.iter().map(|page| page.bytes.len()),
            {
                let pages = &pages;
                move || {
                    for page in pages {
                        black_box(extract(&page.get(), &options));
                    }
                }
            },
        ));
    }
    let mut normalizer = Normalizer::new(settings.profile());
    stages.push(Stage::new(
        "normalize near",
        "text",
        texts.iter().map(String::len),
        {
            let texts = &texts;
            move || {
                for text in texts {
                    black_box(normalizer.normalize_text(text));
                }
            }
        },
    ));
    stages.push(Stage::new(
        "tokens",
        "text",
        normal.iter().map(String::len),
        || {
            for text in &normal {
                black_box(cut(text));
            }
        },
    ));
    // Both steps of `dedup` begin with signing, so the cost of the search itself is the difference.
    let lengths = || tokens.iter().map(|tokens| tokens.text().len());
    // The same settings worked above, so errors cannot occur here.
    stages.push(Stage::new("dedup: sign", "tokens", lengths(), || {
        drop(black_box(search(&settings, &tokens)));
    }));
    stages.push(Stage::new("dedup: all", "tokens", lengths(), || {
        drop(black_box(
            search(&settings, &tokens).map(|deduper| deduper.finish(&())),
        ));
    }));

    let terminal = std::io::stderr().is_terminal();
    // All steps run in each round, so that a change of the machine's load affects all of them.
    for round in 0..options.rounds {
        for stage in &mut stages {
            if terminal {
                eprint!("\rround {} of {}: {:20}", round + 1, options.rounds, stage.name);
            }
            let ((), time) = clock::timed(|| (stage.work)());
            stage.times.push(time);
        }
    }
    if terminal {
        eprint!("\r{:60}\r", "");
    }

    println!(
        "Processor time on one thread, inputs in memory; median of {} rounds.",
        options.rounds
    );
    println!("pages      {pages_from}");
    println!("documents  {documents_from}; {pairs} pairs of duplicates");
    println!("machine    {}", machine::processor());
    println!(
        "build      release profile, {}, commit {}",
        machine::compiler(),
        machine::commit()
    );
    println!("not shown  files, memory, threads beside each other\n");
    println!(
        "{:20} {:9} {:>8} {:>8} {:>9} {:>11}   fastest..slowest",
        "step", "bytes of", "number", "MB", "MB/s", "number/s"
    );
    for stage in &stages {
        stage.print();
    }
    if let Some(path) = &options.json {
        let all = json!({
            "machine": machine::processor(),
            "compiler": machine::compiler(),
            "profile": "release",
            "commit": machine::commit(),
            "pages": pages_from,
            "documents": documents_from,
            "rounds": options.rounds,
            "stages": stages.iter().map(Stage::json).collect::<Vec<_>>(),
        });
        fs::write(path, format!("{all:#}\n")).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    Ok(())
}

/// Returns the normalized texts.
fn normalized(settings: &Settings, texts: &[String]) -> Vec<String> {
    let mut normalizer = Normalizer::new(settings.profile());
    texts
        .iter()
        .map(|text| normalizer.normalize_text(text).to_owned())
        .collect()
}

/// Returns the tokens of a normalized text, as the program cuts it.
fn cut(text: &str) -> Tokens {
    let mut tokens = Tokens::new();
    for range in near_tokens(text) {
        tokens.push(&text[range]);
    }
    tokens
}

/// Returns a deduper to which all documents were added, with the default settings of `dehusk run`.
fn search(settings: &Settings, documents: &[Tokens]) -> Result<Deduper> {
    let mut deduper = Deduper::new(settings.duplicates()?)?;
    for document in documents {
        deduper.add_document(document, document)?;
    }
    Ok(deduper)
}

impl RawPage {
    fn get(&self) -> Page<'_> {
        Page::new(&self.bytes).with_url(self.url.as_deref())
    }
}
