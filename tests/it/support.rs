//! Starting the binary and reading what it wrote.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

/// What a run of the binary gave.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        Ran {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("output is UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("messages are UTF-8"),
        }
    }
}

impl Ran {
    /// Checks the exit code, showing what was said if it is another one.
    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Ran {
        assert_eq!(self.code, Some(code), "{}", self.stderr);
        self
    }

    /// What was said, without what the machine has a part in: time and memory.
    pub(crate) fn said(&self) -> Vec<&str> {
        let measured = |line: &&str| line.starts_with("  time: ") || line.starts_with("  peak memory: ");
        self.stderr.lines().filter(|line| !measured(line)).collect()
    }

    /// Checks that a message has all of these parts.
    #[track_caller]
    pub(crate) fn says(self, parts: &[&str]) -> Ran {
        for part in parts {
            assert!(self.stderr.contains(part), "`{part}` is not in: {}", self.stderr);
        }
        self
    }
}

pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dehusk"));
    command.env("NO_COLOR", "1");
    command
}

pub(crate) fn dehusk<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Ran {
    command()
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("the binary starts")
        .into()
}

/// Runs the program with the given bytes on standard input.
pub(crate) fn dehusk_reading<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>, input: &[u8]) -> Ran {
    let mut child = Talk::start(arguments);
    let mut stdin = child.stdin.take().expect("piped");
    // Beside the reading: who answers while it reads would wait for us, and we for it.
    thread::scope(|scope| {
        scope.spawn(move || {
            // A process that refuses its arguments ends without reading.
            let _ = stdin.write_all(input);
        });
        child.end()
    })
}

/// A process that is being talked to.
pub(crate) struct Talk {
    pub(crate) child: Child,
    pub(crate) stdin: Option<ChildStdin>,
    stdout: Option<BufReader<ChildStdout>>,
}

impl Talk {
    pub(crate) fn start<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Talk {
        let mut child = command()
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take().map(BufReader::new));
        Talk { child, stdin, stdout }
    }

    pub(crate) fn write(&mut self, text: &str) {
        let stdin = self.stdin.as_mut().expect("input is open");
        stdin
            .write_all(text.as_bytes())
            .and_then(|()| stdin.flush())
            .expect("input is taken");
    }

    /// The next line of the answer.
    pub(crate) fn answer(&mut self) -> Value {
        let mut line = String::new();
        self.stdout
            .as_mut()
            .expect("output is open")
            .read_line(&mut line)
            .expect("output is UTF-8");
        serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line}"))
    }

    /// Closes the input and waits.
    pub(crate) fn end(mut self) -> Ran {
        drop(self.stdin.take());
        self.child.stdout = self.stdout.take().map(BufReader::into_inner);
        self.child.wait_with_output().expect("the process ends").into()
    }

    /// Sends a signal and waits, the input open: a process at the end of its input may be done before it sees the signal.
    #[cfg(unix)]
    pub(crate) fn ended_by(mut self, signal: &str) -> Ran {
        let status = Command::new("kill")
            .args([format!("-{signal}"), self.child.id().to_string()])
            .status();
        assert!(status.expect("`kill` is there").success());
        let input = self.stdin.take();
        let ran = self.end();
        drop(input);
        ran
    }
}

/// Waits for something that another process does.
#[track_caller]
pub(crate) fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() {
        // Far more than it takes on a busy machine.
        assert!(start.elapsed() < Duration::from_secs(120), "not in time: {what}");
        thread::sleep(Duration::from_millis(2));
    }
}

/// A temporary folder with files.
pub(crate) fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().expect("in a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    dir
}

/// A path as an argument.
pub(crate) fn text(path: &Path) -> String {
    path.to_str().expect("temporary paths are UTF-8").to_owned()
}

pub(crate) fn rows(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}")))
        .collect()
}

/// Documents without their places, which differ between a file and its copy.
pub(crate) fn unplaced(lines: &str) -> Vec<Value> {
    let read = |line: &str| {
        let mut row: Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
        for field in ["source", "offset", "plain_offset"] {
            row.as_object_mut().expect("an object").remove(field);
        }
        row
    };
    lines.lines().map(read).collect()
}

pub(crate) fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).expect("the file is there")).expect("the file is JSON")
}

/// The files of a folder by name.
pub(crate) fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let read = |path: PathBuf| {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        (name, fs::read(path).expect("a file"))
    };
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths.filter(|path| path.is_file()).map(read).collect()
}

/// The clusters: by id, the cluster's name, the representative, whether it stays.
pub(crate) fn partition(folder: &Path) -> BTreeMap<String, (String, String, bool)> {
    let field = |row: &Value, name: &str| row[name].as_str().expect("a string").to_owned();
    let row = |row: &Value| {
        (
            field(row, "id"),
            (
                field(row, "cluster"),
                field(row, "representative"),
                row["kept"] == Value::Bool(true),
            ),
        )
    };
    rows(&folder.join("clusters.jsonl")).iter().map(row).collect()
}

/// Checks that everything that was read is accounted for, in all and by input and file.
#[track_caller]
pub(crate) fn counts_add_up(folder: &Path) {
    let summary = json(&folder.join("summary.json"));
    let counts = sums(&summary["counts"]);
    for rows in ["by_input", "by_file"] {
        let rows = summary[rows].as_array().expect("a list");
        let each: Vec<[u64; 4]> = rows.iter().map(sums).collect();
        let sum = |field: usize| each.iter().map(|sums| sums[field]).sum::<u64>();
        assert_eq!([sum(0), sum(1), sum(2), sum(3)], counts, "{rows:?}");
    }
    let [_, kept, _, quarantined] = counts;
    assert_eq!(kept, rows(&folder.join("kept.jsonl")).len() as u64);
    assert_eq!(quarantined, rows(&folder.join("quarantine.jsonl")).len() as u64);
    for (name, facts) in summary["files"].as_object().expect("an object") {
        let bytes = fs::metadata(folder.join(name)).expect("the file is there").len();
        assert_eq!(facts["bytes"].as_u64(), Some(bytes), "{name}");
    }
}

/// Records read, kept, dropped, and those of the last that are in quarantine.
#[track_caller]
fn sums(counts: &Value) -> [u64; 4] {
    let number = |value: &Value| value.as_u64().expect("a number");
    let dropped = counts["dropped"].as_object().expect("an object");
    let dropped = dropped.values().map(number).sum();
    let [read, kept, quarantined] = ["read", "kept", "quarantined"].map(|name| number(&counts[name]));
    assert_eq!(read, kept + dropped, "{counts}");
    [read, kept, dropped, quarantined]
}

/// A text that is unique to the seed.
pub(crate) fn prose(seed: u64, words: usize) -> String {
    let mut state = seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut text = String::new();
    for n in 0..words {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let mut number = state >> 40;
        if n > 0 {
            text.push(if n % 11 == 0 { '.' } else { ' ' });
            if n % 11 == 0 {
                text.push(' ');
            }
        }
        for _ in 0..4 {
            text.push(char::from(b"bdfgklmnprstvz"[(number % 14) as usize]));
            text.push(char::from(b"aeiou"[(number / 14 % 5) as usize]));
            number /= 70;
        }
    }
    text.push('.');
    text
}

/// A page with that text among menus.
pub(crate) fn page(title: &str, text: &str) -> String {
    let paragraphs: String = text
        .split(". ")
        .map(|sentence| format!("<p>{sentence}.</p>\n"))
        .collect();
    format!(
        "<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>{title}</title></head><body>\
         <nav><ul><li><a href=/>Home</a><li><a href=/news>News</a><li><a href=/about>About</a></ul></nav>\
         <article><h1>{title}</h1>{paragraphs}</article><footer>All rights reserved</footer></body></html>"
    )
}
