//! `cargo xtask outputs`: checks that two builds of the program write the same bytes.
//!
//! Both builds run a table of cases on `fixtures/crawl` and, if they are present, on the development data.
//! Every file and every standard output is compared byte for byte. A file of spellings lists names that
//! were changed on purpose, so that builds with different flags and names of fields can be compared.

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

/// Which builds to compare, and on which inputs
#[derive(Args)]
pub(crate) struct Options {
    /// The earlier build of `dehusk`
    #[arg(long, value_name = "BINARY")]
    old: PathBuf,
    /// The later build [default: the work tree, built in the release profile]
    #[arg(long, value_name = "BINARY")]
    new: Option<PathBuf>,
    /// File of the flags and fields of the earlier build, such as crates/bench/data/spelling-0.tsv [default: those of
    /// the work tree]
    #[arg(long, value_name = "FILE")]
    spelling: Option<PathBuf>,
    /// File of the flags and fields of the later build
    #[arg(long, value_name = "FILE")]
    new_spelling: Option<PathBuf>,
    /// Use every Nth labelled page, and a few pages of each labelled site
    #[arg(long, default_value_t = 20, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Use all labelled pages and sites
    #[arg(long, conflicts_with = "every")]
    all: bool,
    /// Run only cases whose name contains one of these texts
    #[arg(long, num_args = 1.., value_name = "TEXT")]
    only: Vec<String>,
    /// Number of cases that run at a time [default: the number of processors]
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
}

/// A build of the program, and its spelling.
struct Build {
    binary: PathBuf,
    spelling: Spelling,
    /// Folder for its outputs, with a folder per case.
    out: PathBuf,
    /// True if results of an earlier comparison may be reused.
    reusable: bool,
}

/// Runs all cases with both builds. Fails if an output differs.
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
        // Families and names that only the later build has cannot be compared. Names that it lost are an
        // error.
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
    // Counted before cases without inputs are removed, so that the number of left out cases can be
    // reported.
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

/// Returns the strategies that a build offers: for each family, the names of its entries.
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

/// Runs the cases, `jobs` at a time. Returns for each the first difference, or `None`.
fn all(
    table: &[Case],
    old: &Build,
    new: &Build,
    inputs: &Inputs,
    jobs: Option<usize>,
) -> Vec<std::result::Result<Option<String>, String>> {
    let jobs = jobs.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from));
    let next = AtomicUsize::new(0);
    // `Ok(None)` is only a placeholder. If a thread panics, the scope panics as well, so no placeholder is
    // reported.
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

/// Runs a case with both builds and compares the outputs.
fn one(case: &Case, old: &Build, new: &Build, inputs: &Inputs) -> Result<Option<String>> {
    let (a, b) = (work(case, old, inputs)?, work(case, new, inputs)?);
    compare::folders(&a, &b, &old.spelling, &new.spelling)
}

/// Name of the file with the build, inputs and commands of a case's folder. It is written last, so it marks a complete
/// folder.
const STAMP: &str = ".made-by";

/// Runs the commands of a case in a folder of its own, which it returns. The commands' standard outputs and exit codes
/// are written to files there.
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
    // Length and time of the program stand in for its contents: a new build has another time.
    let meta = fs::metadata(&build.binary)?;
    let stamp = format!(
        "{} {:?} {:016x} {commands:?}\n",
        meta.len(),
        meta.modified().ok(),
        inputs.digest
    );
    // Only the earlier build may reuse results: it is compared with many later builds.
    if build.reusable && fs::read_to_string(folder.join(STAMP)).is_ok_and(|made| made == stamp) {
        return Ok(folder);
    }
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    for (number, words) in commands.iter().enumerate() {
        // `< FILE` is read here, since no shell runs the commands.
        let (words, input) = match words.iter().position(|word| word == "<") {
            Some(at) => (&words[..at], words.get(at + 1)),
            None => (words.as_slice(), None),
        };
        let stdin = match input {
            // An input is an absolute path; an output of an earlier command lies in this folder.
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
        // Exit code 3: some records were rejected, which is expected with real data.
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
