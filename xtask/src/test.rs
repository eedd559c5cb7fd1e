//! `cargo xtask test`: all checks that must pass before a change is merged.
//!
//! Prints a line for each step with its time, and the progress of cargo while it compiles. Stops after a
//! step that fails. The tests come last and show their output as they run; the last line has their counts
//! over all test programs.

use std::env;
use std::fs;
use std::io::{self, BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::cargo::{self, cargo};
use crate::counts::Counts;
use crate::packages;
use crate::python;
use crate::result::Result;
use crate::root::{root, target};
use crate::tidy;

/// Runs all steps.
///
/// Two graphs of dependencies are compiled: one that is only checked, for clippy, the documentation and the
/// packages; and an optimized one for the tests, with all features, so that no test is left out.
pub(crate) fn run() -> Result<()> {
    let start = Instant::now();
    println!("Runs every check and all tests, about half an hour on two cores the first time.");
    // Packages of Python come from the network while cargo compiles.
    let environment = thread::spawn(|| python::Environment::open().map_err(|error| error.to_string()));
    // The cheap steps come first: a change that is not formatted fails within seconds.
    quiet("format", cargo().args(["fmt", "--all", "--check"]))?;
    step("tidy", tidy::run)?;
    dependencies()?;
    let mut clippy = cargo();
    clippy.args(["clippy", "--workspace", "--all-targets", "--all-features"]);
    shown("clippy", clippy.args(["--", "-D", "warnings"]))?;
    let mut doc = cargo();
    doc.args(["doc", "--workspace", "--no-deps", "--all-features"])
        .env("RUSTDOCFLAGS", "-D warnings");
    shown("documentation", &mut doc)?;
    packages()?;
    let mut counts = Counts::default();
    browser()?;
    let build = |more: &[&str]| {
        let mut tests = cargo();
        tests.args([
            "test",
            "--workspace",
            "--all-features",
            "--lib",
            "--bins",
            "--tests",
        ]);
        tests.args(more);
        tests
    };
    shown("test programs", &mut build(&["--no-run"]))?;
    let environment = environment
        .join()
        .map_err(|_| "the environment of Python cannot be made")??;
    let environment = built_python(environment)?;
    // The Python tests run in parallel with the Rust tests: Spark leaves a core idle half of the time, and several
    // test programs use one core only.
    let python = environment.map(|environment| Beside::start(python_tests(&environment)));
    let mut tests = build(&[]);
    // The same random cases on every machine, so that the result depends on the change and not on luck. For
    // other cases, set another seed, or run `cargo test`, which takes a new seed each time.
    if env::var_os(SEED).is_none() {
        tests.env(SEED, "1");
    }
    let tests = counted("tests", &mut tests, &mut counts);
    // Even if the Rust tests fail, the Python tests are waited for and their output is shown.
    let others = tests.and_then(|()| other_tests(&mut counts));
    let python = python.map_or(Ok(()), |python| python.end(&mut counts));
    others.and(python)?;
    println!("all steps passed in {}", seconds(start.elapsed()));
    println!(
        "{} passed, {} failed, {} skipped",
        counts.passed, counts.failed, counts.ignored
    );
    Ok(())
}

/// Warns that tests in a browser are skipped on a machine without one. On a build server that is an error.
fn browser() -> Result<()> {
    let starts = |program: &str| {
        let asked = Command::new(program)
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        asked.is_ok_and(|status| status.success())
    };
    if starts("chromedriver") {
        return Ok(());
    }
    let why = "there is no chromedriver (Debian: `chromium-driver`)";
    if env::var_os("CI").is_some() {
        return Err(why.into());
    }
    warn(&format!("the workshop was not tested in a browser: {why}"));
    Ok(())
}

/// Packs all published crates, and checks the packages.
pub(crate) fn packages() -> Result<()> {
    step("packing", packages::pack)?;
    shown("packages", &mut packages::check())
}

/// Builds and checks the Python package alone.
pub(crate) fn python_package() -> Result<()> {
    match built_python(python::Environment::open()?)? {
        Some(environment) => Beside::start(python_tests(&environment)).end(&mut Counts::default()),
        None => Ok(()),
    }
}

/// Builds the Python package, installs it into its environment, and checks its types. Returns `None`
/// without a Python.
fn built_python(environment: Option<python::Environment>) -> Result<Option<python::Environment>> {
    let Some(environment) = environment else {
        let why = "there is no Python of version 3.11 or newer with `venv`";
        if env::var_os("CI").is_some() {
            return Err(why.into());
        }
        warn(&format!("the Python package was not tested: {why}"));
        return Ok(None);
    };
    step("Python package", || python::installed(&environment))?;
    for (name, mut check) in python::checks(&environment) {
        quiet(name, &mut check)?;
    }
    if !python::has_node() {
        warn("types of Python were not checked by pyright: there is no node");
    }
    if !python::has_java() {
        let why = "there is no Java, which Spark needs";
        if env::var_os("CI").is_some() {
            return Err(why.into());
        }
        warn(&format!("runs on Spark were not tested: {why}"));
    }
    Ok(Some(environment))
}

/// Returns the name and the command of the tests of the installed Python package.
fn python_tests(environment: &python::Environment) -> (&'static str, Command) {
    ("tests of the Python package", python::tests(environment))
}

/// Runs the tests that need nothing of the Python package.
fn other_tests(counts: &mut Counts) -> Result<()> {
    counted(
        "tests in documentation",
        cargo().args(["test", "--workspace", "--all-features", "--doc"]),
        counts,
    )?;
    search(counts)?;
    over_data(counts)
}

/// Tests that run while others do. Their output is kept until they are waited for.
struct Beside {
    name: &'static str,
    tests: JoinHandle<io::Result<Output>>,
    start: Instant,
}

impl Beside {
    /// Starts the tests. Errors appear at once on standard error; standard output is collected.
    fn start((name, mut command): (&'static str, Command)) -> Beside {
        Beside {
            name,
            tests: thread::spawn(move || command.stdin(Stdio::null()).stderr(Stdio::inherit()).output()),
            start: Instant::now(),
        }
    }

    /// Waits for the tests, shows their output and counts them.
    fn end(self, counts: &mut Counts) -> Result<()> {
        let Beside { name, tests, start } = self;
        let output = tests
            .join()
            .map_err(|_| format!("{name}: cannot be waited for"))??;
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            println!("{line}");
            counts.add(line);
        }
        // Measured up to this call, so it can be longer than the tests took.
        finished(name, start, output.status.success());
        if output.status.success() {
            Ok(())
        } else {
            Err(format!("{name}: {}", output.status).into())
        }
    }
}

/// Tests the example with a search engine. It is a workspace of its own, so that the engine is compiled for
/// it only.
fn search(counts: &mut Counts) -> Result<()> {
    let out = root().join("out/search");
    fs::create_dir_all(&out)?;
    let (raw, clean) = (out.join("raw.jsonl"), out.join("clean"));
    // The program that the tests built.
    let program = target()
        .join("debug")
        .join(format!("dehusk{}", env::consts::EXE_SUFFIX));
    let make = |arguments: &[&str], to: &PathBuf| {
        let mut dehusk = Command::new(&program);
        dehusk
            .args(arguments)
            .args(["fixtures/crawl", "--max-bad", "1", "--out"])
            .arg(to);
        quiet(
            "pages for the example with a search engine",
            dehusk.current_dir(root()),
        )
    };
    make(&["extract", "--extractor", "all-text"], &raw)?;
    make(&["run"], &clean)?;
    let mut tests = cargo();
    tests.args(["test", "--manifest-path", "examples/search/Cargo.toml"]);
    tests.env("DEHUSK_SEARCH", &out);
    counted("tests of the example with a search engine", &mut tests, counts)
}

/// Runs the tests that read the development data, if it is there. They are marked as ignored, so that none
/// passes without data.
fn over_data(counts: &mut Counts) -> Result<()> {
    let folder = env::var_os("DEHUSK_DATA").map_or_else(|| root().join("../shared/data"), PathBuf::from);
    if !folder.is_dir() {
        warn("tests over the development data were skipped: there is no folder of it");
        return Ok(());
    }
    let mut tests = cargo();
    tests.args(["test", "--workspace", "--all-features"]);
    tests.args(["--test", "dev_data", "--", "--ignored"]);
    counted("tests over the development data", &mut tests, counts)?;
    Ok(())
}

/// The environment variable with the seed of proptest.
const SEED: &str = "PROPTEST_RNG_SEED";

/// Checks licences, sources and versions of dependencies, and known security holes if the network is available.
fn dependencies() -> Result<()> {
    let deny = |arguments: &[&str]| {
        let mut command = cargo();
        command
            .args(["deny", "--log-level", "error", "--all-features"])
            .args(arguments);
        command
    };
    let present = cargo()
        .args(["deny", "--version"])
        .output()
        .is_ok_and(|output| output.status.success());
    if !present {
        let how = "cargo-deny is missing; install it with `cargo install cargo-deny --locked`";
        if env::var_os("CI").is_some() {
            return Err(how.into());
        }
        warn(&format!("dependencies were not checked: {how}"));
        return Ok(());
    }
    quiet(
        "dependencies",
        &mut deny(&["check", "licenses", "bans", "sources"]),
    )?;
    let example = [
        "--manifest-path",
        "examples/search/Cargo.toml",
        "check",
        "licenses",
        "bans",
        "sources",
    ];
    quiet(
        "dependencies of the example with a search engine",
        &mut deny(&example),
    )?;
    // The database of advisories comes from the network: without it, this check is skipped with a warning.
    match fetch(&mut deny(&["fetch", "db"])) {
        Ok(()) => quiet(
            "security advisories",
            &mut deny(&["check", "--disable-fetch", "advisories"]),
        ),
        Err(why) => {
            warn(&format!(
                "security advisories were not checked: their database cannot be fetched ({why})"
            ));
            Ok(())
        }
    }
}

/// Maximum time to fetch the database of advisories, which has some megabytes.
const FETCH: Duration = Duration::from_secs(120);

/// Runs a program that uses the network and may hang. It is killed after [`FETCH`].
fn fetch(command: &mut Command) -> std::result::Result<(), String> {
    command
        // Without this, git would wait for a password on the terminal.
        .env("GIT_TERMINAL_PROMPT", "0")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut child = command.spawn().map_err(|e| e.to_string())?;
    let start = Instant::now();
    loop {
        // The standard library has no wait with a timeout, so the child is polled.
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(_)) => return Err("no way to its server".to_owned()),
            Ok(None) if start.elapsed() < FETCH => thread::sleep(Duration::from_millis(50)),
            Ok(None) | Err(_) => {
                // Kills it if it still runs; harmless if it has ended.
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("no answer in {} s", FETCH.as_secs()));
            }
        }
    }
}

/// Prints a warning on the lines of the steps.
fn warn(message: &str) {
    println!("WARNING  {message}");
}

/// Formats a time in seconds with one decimal.
fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

/// Runs a step and prints its line.
fn step(name: &str, work: impl FnOnce() -> Result<()>) -> Result<()> {
    let start = Instant::now();
    let done = work();
    finished(name, start, done.is_ok());
    done
}

/// Prints the line of a step that began at `start`.
fn finished(name: &str, start: Instant, passed: bool) {
    let mark = if passed { "ok     " } else { "FAILED " };
    println!("{mark}  {name}, {}", seconds(start.elapsed()));
}

/// Runs cargo as a step, with its progress on the terminal.
fn shown(name: &str, command: &mut Command) -> Result<()> {
    step(name, || cargo::shown(command, &format!("{name} failed")))
}

/// Runs a program as a step. Its output is shown only if it fails.
fn quiet(name: &str, command: &mut Command) -> Result<()> {
    step(name, || {
        let output = command
            .stdin(Stdio::null())
            .output()
            .map_err(|e| format!("cannot start {command:?}: {e}"))?;
        if output.status.success() {
            return Ok(());
        }
        println!(
            "{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        Err(format!("{name}: {} ({command:?})", output.status).into())
    })
}

/// Runs tests as a step. Their output is shown as it comes, and counted.
fn counted(name: &str, command: &mut Command, counts: &mut Counts) -> Result<()> {
    step(name, || {
        let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn();
        let mut child = child.map_err(|e| format!("cannot start {command:?}: {e}"))?;
        if let Some(output) = child.stdout.take() {
            // Read to the end before waiting: a full pipe would block the tests. Lines may contain bytes
            // that are not UTF-8.
            for line in BufReader::new(output).split(b'\n') {
                let line = line?;
                let line = String::from_utf8_lossy(&line);
                println!("{line}");
                counts.add(&line);
            }
        }
        let status = child.wait()?;
        if status.success() {
            Ok(())
        } else {
            Err(format!("{name}: {status}").into())
        }
    })
}
