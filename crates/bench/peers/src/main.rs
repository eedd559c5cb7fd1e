//! `cargo xtask bench --parsers`: our parser beside scraper (html5ever) and, where Python has it, turbohtml.
//!
//! Usage: `dehusk-bench-peers FOLDER ROUNDS PYTHON [hold PARSER SET]`. FOLDER holds a folder of UTF-8 pages
//! for each set. Measured is processor time on one thread, pages in memory as text; all parsers take their
//! turn in each round, and medians of rounds are compared. Memory is what the process grows by while it
//! holds the trees of all pages of a set, in a process of its own for each parser and set; the text of the
//! page itself, which our tree borrows, is not counted.

use std::collections::BTreeMap;
use std::error::Error;
use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::{env, fs};

use dehusk_extract::analysis::blocks::BlockTable;
use dehusk_html::Parser;
use scraper::Html;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The measured parsers. Ours come first.
const PARSERS: [&str; 4] = ["dehusk", "dehusk + blocks", "scraper", "turbohtml"];

struct Set {
    name: String,
    files: Vec<PathBuf>,
    pages: Vec<String>,
}

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [folder, rounds, python, rest @ ..] = arguments.as_slice() else {
        return Err("usage: dehusk-bench-peers FOLDER ROUNDS PYTHON [hold PARSER SET]".into());
    };
    let sets = sets(Path::new(folder))?;
    // A process of its own for this parser and set, started below: memory that was freed before would
    // distort the figure.
    if let [_, parser, set] = rest {
        for set in sets.iter().filter(|known| known.name == *set) {
            println!("{}", hold(parser, &set.pages)?);
        }
        return Ok(());
    }
    let rounds: usize = rounds.parse()?;
    let mut turbohtml = Turbohtml::start(python, &sets);
    if let Err(why) = &turbohtml {
        eprintln!(
            "SKIPPED: turbohtml: {why}; install it with `pip install turbohtml` and name that Python by --python"
        );
    }
    println!(
        "Processor time on one thread, median of {rounds} rounds; ratios are pages/s of ours over theirs."
    );
    let mut medians: BTreeMap<&str, [f64; 4]> = BTreeMap::new();
    for set in &sets {
        let mut times: [Vec<f64>; 4] = Default::default();
        // Parsers take turns, so that a change of the machine's load affects all of them.
        for _ in 0..rounds {
            for (parser, times) in PARSERS.iter().zip(&mut times) {
                let seconds = match (*parser, &mut turbohtml) {
                    ("turbohtml", Ok(turbohtml)) => turbohtml.ask("run", &set.name)?,
                    ("turbohtml", Err(_)) => f64::NAN,
                    _ => timed(|| set.pages.iter().for_each(|page| parse(parser, page))),
                };
                times.push(seconds);
            }
        }
        // The middle one of an odd number of rounds, or the upper one of the two in the middle.
        let median = times.map(|mut times| {
            times.sort_by(f64::total_cmp);
            times[times.len() / 2]
        });
        medians.insert(&set.name, median);
    }
    let mut memory: BTreeMap<&str, BTreeMap<String, f64>> = BTreeMap::new();
    // Only trees are compared here: a block table is freed with its page.
    for parser in ["dehusk", "scraper"] {
        for set in &sets {
            let output = Command::new(env::current_exe()?)
                .args([folder, "1", python, "hold", parser, &set.name])
                .output()?;
            let bytes = String::from_utf8(output.stdout)?.trim().parse()?;
            memory.entry(parser).or_default().insert(set.name.clone(), bytes);
        }
    }
    if turbohtml.is_ok() {
        for set in &sets {
            // A Python that has parsed nothing else, and that loads only this set.
            let mut fresh = Turbohtml::start(python, std::slice::from_ref(set))?;
            let bytes = fresh.ask("hold", &set.name)?;
            memory
                .entry("turbohtml")
                .or_default()
                .insert(set.name.clone(), bytes);
        }
    }
    println!(
        "{:14} {:>6} {:>8}  {:>10} {:>10} {:>10} {:>10}  {:>8} {:>8} {:>9} {:>9}   {}",
        "set",
        "pages",
        "MB",
        "dehusk/s",
        "+blocks/s",
        "scraper/s",
        "turbo/s",
        "/scraper",
        "/turbo",
        "b/scraper",
        "b/turbo",
        "KB a page: source, dehusk, scraper, turbohtml"
    );
    for set in &sets {
        let bytes: usize = set.pages.iter().map(String::len).sum();
        let pages = set.pages.len() as f64;
        // NaN stands for a parser that is not installed.
        let [own, blocks, scraper, turbo] = medians[set.name.as_str()];
        let kb = |parser| {
            let bytes = memory.get(parser).and_then(|sets| sets.get(&set.name));
            bytes.map_or(f64::NAN, |bytes| bytes / pages / 1e3)
        };
        println!(
            "{:14} {:>6} {:>8.1}  {:>10.0} {:>10.0} {:>10.0} {:>10.0}  {:>8.2} {:>8.2} {:>9.2} {:>9.2}   {:.0}, {:.0}, {:.0}, {:.0}",
            set.name,
            set.pages.len(),
            bytes as f64 / 1e6,
            pages / own,
            pages / blocks,
            pages / scraper,
            pages / turbo,
            scraper / own,
            turbo / own,
            scraper / blocks,
            turbo / blocks,
            bytes as f64 / pages / 1e3,
            kb("dehusk"),
            kb("scraper"),
            kb("turbohtml"),
        );
    }
    Ok(())
}

/// Reads all pages of a folder of sets. Sets and pages are sorted by name.
fn sets(folder: &Path) -> Result<Vec<Set>> {
    let sorted = |folder: &Path| -> Result<Vec<PathBuf>> {
        let mut paths = Vec::new();
        for entry in fs::read_dir(folder)? {
            paths.push(entry?.path());
        }
        paths.sort();
        Ok(paths)
    };
    let mut sets = Vec::new();
    for path in sorted(folder)? {
        let files = sorted(&path)?;
        let pages = files
            .iter()
            .map(fs::read_to_string)
            .collect::<std::io::Result<_>>()?;
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        sets.push(Set { name, files, pages });
    }
    Ok(sets)
}

/// Parses a page once. The result is dropped inside the measured time: freeing a tree is part of its cost.
fn parse(parser: &str, page: &str) {
    match parser {
        "dehusk" => drop(black_box(Parser::default().parse(page))),
        "dehusk + blocks" => {
            let (dom, _) = Parser::default().parse(page);
            drop(black_box(BlockTable::fill(&dom)));
        }
        _ => drop(black_box(Html::parse_document(page))),
    }
}

/// Returns the growth of the process in bytes while it holds the trees of all pages.
fn hold(parser: &str, pages: &[String]) -> Result<usize> {
    let resident = || -> Result<usize> {
        // The second field of `statm` is the resident size in pages of memory.
        let statm = fs::read_to_string("/proc/self/statm")?;
        Ok(statm.split(' ').nth(1).unwrap_or("0").parse::<usize>()? * 4096)
    };
    // The texts of the pages are in memory already and do not count.
    let before = resident()?;
    let grown = if parser == "scraper" {
        let trees: Vec<_> = pages.iter().map(|page| Html::parse_document(page)).collect();
        let after = resident()?;
        drop(black_box(trees));
        after
    } else {
        let trees: Vec<_> = pages.iter().map(|page| Parser::default().parse(page)).collect();
        let after = resident()?;
        drop(black_box(trees));
        after
    };
    Ok(grown.saturating_sub(before))
}

/// Returns the processor time of `work` in seconds.
fn timed(work: impl FnOnce()) -> f64 {
    let now = || {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
    };
    let start = now();
    work();
    now() - start
}

/// A Python that parses on request.
struct Turbohtml {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Turbohtml {
    /// Starts Python and names the files of the sets. Fails if turbohtml cannot be imported.
    fn start(python: &str, sets: &[Set]) -> Result<Turbohtml> {
        let mut child = Command::new(python)
            .args(["-c", include_str!("turbohtml.py")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| format!("{python}: {e}"))?;
        let (Some(requests), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("no pipes".into());
        };
        let mut this = Turbohtml {
            child,
            requests,
            answers: BufReader::new(answers),
        };
        let mut line = String::new();
        this.answers.read_line(&mut line)?;
        if !line.starts_with("ready") {
            return Err(format!("{python} cannot import turbohtml").into());
        }
        for set in sets {
            for file in &set.files {
                writeln!(this.requests, "load {} {}", set.name, file.display())?;
            }
        }
        Ok(this)
    }

    /// Sends a request and returns the number that Python answers: seconds for `run`, bytes for `hold`.
    fn ask(&mut self, verb: &str, set: &str) -> Result<f64> {
        writeln!(self.requests, "{verb} {set}")?;
        self.requests.flush()?;
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        line.trim()
            .parse()
            .map_err(|_| format!("turbohtml answered {line:?}").into())
    }
}

impl Drop for Turbohtml {
    fn drop(&mut self) {
        // Python would end when its input is closed. `wait` reaps the process.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
