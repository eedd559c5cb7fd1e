//! Every command of the README, of docs, of the README of the program and of the examples in help runs as it stands, on the fixtures,
//! in order.

#![cfg(unix)]

use std::ffi::OsString;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::support::{Ran, dehusk};

/// First words of commands that need something a test lacks: the network, another compiler, a cluster, a server.
const ELSEWHERE: &[&str] = &[
    "cargo",
    "cp dehusk-",
    "dehusk render crawl.warc.gz",
    "dehusk extract crawl.warc.gz --layout",
    "dehusk-spark",
    "for part",
    "pip",
    "podman",
    "python",
    "sha256sum",
    "spark-submit",
    "sudo",
    "PYSPARK_PYTHON",
];

/// A command with the file and the line that it begins in.
struct Step {
    place: String,
    command: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The commands of a document: lines after `$ ` in blocks of the kind `console`, with what goes on after `> `.
fn commands(name: &str, text: &str) -> Vec<Step> {
    let (mut steps, mut block) = (Vec::<Step>::new(), None::<String>);
    for (number, line) in text.lines().enumerate() {
        let line = line.trim_start();
        if let Some(kind) = line.strip_prefix("```") {
            block = match block {
                None => Some(kind.to_owned()),
                Some(_) => None,
            };
            continue;
        }
        let Some(kind) = &block else { continue };
        let place = format!("{name}:{}", number + 1);
        if kind != "console" {
            assert!(
                !line.starts_with("dehusk ") && !line.starts_with("$ dehusk "),
                "{place}: a command stands in a block `{kind}`, where no test runs it; make it `console`"
            );
        } else if let Some(command) = line.strip_prefix("$ ") {
            let command = command.to_owned();
            steps.push(Step { place, command });
        } else if let (Some(more), Some(step)) = (line.strip_prefix("> "), steps.last_mut()) {
            step.command = format!("{}\n{more}", step.command);
        }
    }
    steps
}

/// The README and the guide first, whose commands make the inputs of all others, then the other documents by name, and the examples in help.
fn all() -> Vec<Step> {
    let docs = fs::read_dir(root().join("docs")).expect("docs are there");
    let mut files: Vec<PathBuf> = docs.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|found| found == "md"));
    let guide = root().join("docs/guide.md");
    files.retain(|file| !file.ends_with("docs/guide.md"));
    files.sort();
    files.splice(0..0, [root().join("README.md"), guide]);
    files.push(root().join("crates/cli/README.md"));
    let mut steps = Vec::new();
    for file in files {
        let name = file
            .strip_prefix(root())
            .expect("below the root")
            .display()
            .to_string();
        steps.extend(commands(&name, &fs::read_to_string(&file).expect("a text")));
    }
    for verb in ["run", "extract", "dedup"] {
        let help = dehusk([verb, "--help"]).exits(0).stdout;
        let examples: Vec<&str> = help
            .lines()
            .filter_map(|line| line.strip_prefix("  $ "))
            .collect();
        assert_eq!(examples.len(), 3, "{help}");
        steps.extend(examples.into_iter().map(|command| Step {
            place: format!("help {verb}"),
            command: command.to_owned(),
        }));
    }
    steps
}

/// Runs a command in a shell that knows the program and, for `cd`, what comes after it.
fn shell(folder: &Path, command: &str) -> Command {
    let program = Path::new(env!("CARGO_BIN_EXE_dehusk"));
    let mut path = OsString::from(program.parent().expect("in a folder"));
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    shell
        .args(["-c", &format!("set -e; {command}")])
        .current_dir(folder)
        .env("PATH", path)
        .env("NO_COLOR", "1")
        .stdin(Stdio::null());
    shell
}

/// Starts a workshop, waits for its address, and ends it.
fn opens(folder: &Path, step: &Step) {
    let mut child = shell(folder, &format!("exec {}", step.command))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("a shell");
    let mut line = String::new();
    let read = BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line);
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    assert!(
        read.is_ok() && line.starts_with("http://"),
        "{}: {line}",
        step.place
    );
}

fn has(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

#[test]
#[allow(clippy::print_stderr, reason = "skipped commands are listed")]
fn documented_commands_run_as_they_stand() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    for name in ["fixtures", "docs"] {
        let from = root().canonicalize().expect("it is there").join(name);
        symlink(from, dir.path().join(name)).expect("a link");
    }
    let mut folder = dir.path().to_owned();
    let (mut ran, mut skipped) = (0, Vec::new());
    for step in all() {
        let Step { place, command } = &step;
        let needs_browser = command.starts_with("dehusk render") || command.contains("layout.jsonl");
        let is_remote = command.contains("s3://");
        let elsewhere = is_remote || ELSEWHERE.iter().any(|word| command.starts_with(word));
        let without = needs_browser && !has("chromium") || command.contains("jq ") && !has("jq");
        if elsewhere || without {
            skipped.push(place.clone());
            continue;
        }
        ran += 1;
        if command.starts_with("dehusk serve") {
            opens(&folder, &step);
            continue;
        }
        // A browser that the superuser starts has no sandbox and prints a warning.
        let command = match command.split_once("render ") {
            Some((before, behind)) => format!("{before}render --no-sandbox {behind}"),
            None => command.clone(),
        };
        let done = shell(&folder, &command).output().expect("a shell");
        let done = Ran::from(done);
        assert_eq!(done.code, Some(0), "{place}: {command}\n{}", done.stderr);
        if let Some((_, to)) = command.split_once("cd ") {
            folder = folder.join(to.trim());
        }
    }
    eprintln!("{ran} commands ran; not here: {}", skipped.join(", "));
    assert!(ran > 60, "{ran}");
}
