//! `cargo xtask outputs`: whether two builds of the program write the same bytes.
//!
//! Both run a table of cases over `fixtures/crawl` and, where they are present, the development data. Every file and every
//! standard output is compared byte for byte. What a release renamed on purpose stands in a file of spellings, so that a
//! build with other flags and other names of fields can be compared, too.

mod cases;
mod compare;
mod inputs;
mod spelling;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use clap::Args;
use serde::Deserialize;

use crate::result::Result;
use crate::root::{built, target};
use cases::Case;
use inputs::Inputs;
use spelling::Spelling;

/// Which builds to compare, and on how much.
#[derive(Args)]
pub(crate) struct Options {
    /// The earlier build of `dehusk`
    #[arg(long, value_name = "BINARY")]
    old: PathBuf,
    /// The later build; the work tree, built in the release profile, unless given
    #[arg(long, value_name = "BINARY")]
    new: Option<PathBuf>,
    /// How the earlier build spells flags and fields, such as crates/bench/data/spelling-0.tsv; like the work tree unless given
    #[arg(long, value_name = "FILE")]
    spelling: Option<PathBuf>,
    /// The same for the later build
    #[arg(long, value_name = "FILE")]
    new_spelling: Option<PathBuf>,
    /// Only every Nth labelled page, and of each labelled site about as few
    #[arg(long, default_value_t = 20, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// All labelled pages and sites
    #[arg(long, conflicts_with = "every")]
    all: bool,
    /// Only cases whose name contains one of these
    #[arg(long, num_args = 1.., value_name = "TEXT")]
    only: Vec<String>,
    /// Cases that run at a time; one for each processor unless given
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
}

/// A build of the program, and how it spells.
struct Build {
    binary: PathBuf,
    spelling: Spelling,
    /// Folder for what it writes, one below it for each case.
    out: PathBuf,
    /// Whether results of an earlier comparison may be taken again.
    reusable: bool,
}

/// Runs all cases with both builds. Fails if one differs.
pub(crate) fn run(options: &Options) -> Result<()> {
    let folder = target().join("outputs");
    let build = |binary: &Path, spelling: &Option<PathBuf>, name: &str| -> Result<Build> {
        let binary = fs::canonicalize(binary).map_err(|e| format!("{}: {e}", binary.display()))?;
        let spelling = spelling
            .as_deref()
            .map(Spelling::read)
            .transpose()?
            .unwrap_or_default();
        Ok(Build {
            binary,
            spelling,
            out: folder.join(name),
            reusable: name == "old",
        })
    };
    let old = build(&options.old, &options.spelling, "old")?;
    let new = match &options.new {
        Some(binary) => build(binary, &options.new_spelling, "new")?,
        None => build(&built()?, &options.new_spelling, "new")?,
    };

    let every = if options.all { 1 } else { options.every as usize };
    let inputs = Inputs::prepare(&folder, every)?;
    let (names_old, names_new) = (methods(&old)?, methods(&new)?);
    let mut names = BTreeMap::new();
    for (family, of_new) in names_new {
        let of_old = names_old.get(&family).cloned().unwrap_or_default();
        let (both, added): (Vec<_>, Vec<_>) = of_new.into_iter().partition(|name| of_old.contains(name));
        if let Some(name) = of_old.iter().find(|name| !both.contains(name)) {
            return Err(format!("{family}: the later build does not know `{name}`").into());
        }
        for name in added {
            println!("not compared: {family} `{name}` is new");
        }
        names.insert(family, both);
    }

    let mut table = cases::table(&names)?;
    let wanted =
        |case: &Case| options.only.is_empty() || options.only.iter().any(|part| case.name.contains(part));
    table.retain(wanted);
    let known = table.len();
    table.retain(|case| inputs.has(case));
    let results = all(&table, &old, &new, &inputs, options.jobs);

    let mut differing = 0;
    for (case, differences) in table.iter().zip(&results) {
        match differences {
            Ok(None) => println!("equal      {}", case.name),
            Ok(Some(difference)) => {
                differing += 1;
                println!("DIFFERENT  {}\n           {difference}", case.name);
            }
            Err(error) => {
                differing += 1;
                println!("FAILED     {}\n           {error}", case.name);
            }
        }
    }
    if table.len() < known {
        println!(
            "{} cases were left out: the development data are absent",
            known - table.len()
        );
    }
    println!(
        "{} cases equal, {differing} not; outputs lie in {} and {}",
        table.len() - differing,
        old.out.display(),
        new.out.display()
    );
    match differing {
        0 => Ok(()),
        _ => Err(format!("{differing} cases differ").into()),
    }
}

#[derive(Deserialize)]
struct Family {
    name: String,
    entries: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    name: String,
}

/// What a build offers by name: names of the entries by name of the family.
fn methods(build: &Build) -> Result<BTreeMap<String, Vec<String>>> {
    let arguments = build.spelling.arguments(&["methods", "--output-format", "json"]);
    let output = Command::new(&build.binary).args(arguments).output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("`{} methods` failed: {said}", build.binary.display()).into());
    }
    let families: Vec<Family> = serde_json::from_slice(&output.stdout)?;
    let named = families.into_iter().map(|family| {
        let entries = family.entries.into_iter().map(|entry| entry.name).collect();
        (build.spelling.family(&family.name), entries)
    });
    Ok(named.collect())
}

/// Runs the cases, several at a time: for each the first difference, if there is one.
fn all(
    table: &[Case],
    old: &Build,
    new: &Build,
    inputs: &Inputs,
    jobs: Option<usize>,
) -> Vec<std::result::Result<Option<String>, String>> {
    let jobs = jobs.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from));
    let next = AtomicUsize::new(0);
    let results = Mutex::new(vec![Ok(None); table.len()]);
    thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(case) = table.get(at) else { return };
                    let start = Instant::now();
                    let result = one(case, old, new, inputs);
                    eprintln!(
                        "{}/{} {}, {:.1} s",
                        at + 1,
                        table.len(),
                        case.name,
                        start.elapsed().as_secs_f64()
                    );
                    if let Ok(mut results) = results.lock() {
                        results[at] = result.map_err(|error| error.to_string());
                    }
                }
            });
        }
    });
    results.into_inner().unwrap_or_default()
}

fn one(case: &Case, old: &Build, new: &Build, inputs: &Inputs) -> Result<Option<String>> {
    let (a, b) = (work(case, old, inputs)?, work(case, new, inputs)?);
    compare::folders(&a, &b, &old.spelling, &new.spelling)
}

/// Name of the file that says what a case's folder was made by; it is written last.
const STAMP: &str = ".made-by";

/// Runs the commands of a case in a folder of its own. Their standard outputs and exit codes become files there.
fn work(case: &Case, build: &Build, inputs: &Inputs) -> Result<PathBuf> {
    let folder = build.out.join(&case.name);
    let commands: Vec<Vec<String>> = case
        .commands
        .iter()
        .map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let spelled = build.spelling.arguments(&words);
            spelled.iter().map(|word| inputs.place(word)).collect()
        })
        .collect();
    let meta = fs::metadata(&build.binary)?;
    let stamp = format!(
        "{} {:?} {:016x} {commands:?}\n",
        meta.len(),
        meta.modified().ok(),
        inputs.digest
    );
    if build.reusable && fs::read_to_string(folder.join(STAMP)).is_ok_and(|made| made == stamp) {
        return Ok(folder);
    }
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    for (number, words) in commands.iter().enumerate() {
        let (words, input) = match words.iter().position(|word| word == "<") {
            Some(at) => (&words[..at], words.get(at + 1)),
            None => (words.as_slice(), None),
        };
        let stdin = match input {
            Some(path) => File::open(folder.join(path))
                .map_err(|e| format!("{path}: {e}"))?
                .into(),
            None => Stdio::null(),
        };
        let errors = folder.join(format!(".{number}.stderr"));
        let status = Command::new(&build.binary)
            .args(words)
            .current_dir(&folder)
            .stdin(stdin)
            .stdout(File::create(folder.join(format!("{number}.stdout")))?)
            .stderr(File::create(&errors)?)
            .status()
            .map_err(|e| format!("{}: {e}", build.binary.display()))?;
        // Three: records were rejected, as in data from the wild.
        if !matches!(status.code(), Some(0 | 3)) {
            let said = fs::read_to_string(&errors).unwrap_or_default();
            let line = said.lines().find(|line| line.contains("error")).unwrap_or("");
            return Err(format!(
                "`{} {}`: {status}: {line}",
                build.binary.display(),
                words.join(" ")
            )
            .into());
        }
        fs::write(
            folder.join(format!("{number}.code")),
            format!("{:?}\n", status.code()),
        )?;
    }
    fs::write(folder.join(STAMP), stamp)?;
    Ok(folder)
}
