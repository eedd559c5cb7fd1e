//! The disk fails at any operation: of every verb that writes files, what is visible afterwards is old or new as a whole, the error
//! says where and what to do, nothing stays locked, and the next run ends as if nothing had happened.
//!
//! Each writer is run with the first operation failing, then with the second, and so on through all that a run without faults asks
//! for. All run in this process; syncs are only counted.

#![allow(
    clippy::cast_possible_truncation,
    reason = "tests choose their numbers, which are small"
)]
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a failed test may panic, and says what it met"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use dehusk_pipeline::failing_disk::{Cause, Disk, Fault, Operation};
use dehusk_pipeline::output_format::{self, RowFormat};
use dehusk_pipeline::verbs::run::Style;
use dehusk_pipeline::{Cancel, Error, FolderFormats, Job, Settings, index, site, verbs};
use serde_json::json;

/// Files by their path below a folder.
type Files = BTreeMap<String, Vec<u8>>;

/// A verb that writes files below the folder `w` alone.
struct Writer {
    /// Makes what is there before.
    before: fn(&Place) -> Result<(), Error>,
    work: fn(&Place) -> Result<(), Error>,
    /// What is done after a failure: the same, or the work is resumed.
    again: fn(&Place) -> Result<(), Error>,
    /// The file that lists the others: they are all of its time.
    marker: Option<&'static str>,
}

const SUMMARY: Option<&str> = Some("out/summary.json");
const MANIFEST: Option<&str> = Some("out/index.json");

/// A folder in which a writer works.
struct Place {
    dir: tempfile::TempDir,
}

impl Place {
    fn new() -> Place {
        let place = Place {
            dir: tempfile::tempdir().unwrap(),
        };
        let put = |name: &str, text: String| fs::write(place.path(name), text).unwrap();
        put("old-pages.jsonl", pages(0..6));
        put("pages.jsonl", pages(3..15));
        put("old.jsonl", documents(0..12));
        put("new.jsonl", documents(6..40));
        fs::create_dir(place.path("w")).unwrap();
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn out(&self) -> PathBuf {
        self.path("w/out")
    }

    /// Does work on one input with these settings, on one thread: operations come in the same order each time.
    fn job<T>(
        &self,
        input: &str,
        settings: &[(&str, &str)],
        work: impl FnOnce(&Job<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut all = Settings::default();
        for (name, value) in settings.iter().chain(&[("threads", "1")]) {
            all.set(name, value)?;
        }
        let (inputs, cancel) = ([self.path(input).display().to_string()], Cancel::new());
        work(&Job::new(&inputs, &all, &cancel))
    }

    fn run(&self, input: &str, format: &str, settings: &[(&str, &str)]) -> Result<(), Error> {
        let style = Style {
            formats: formats(format),
            ..Style::default()
        };
        self.run_with(input, settings, style)
    }

    fn run_with(&self, input: &str, settings: &[(&str, &str)], style: Style) -> Result<(), Error> {
        let work = |job: &Job<'_>| verbs::run::run(job, &self.out(), style);
        self.job(input, settings, work).map(drop)
    }

    /// Runs with learning on a pipe that gives what a file has.
    #[cfg(target_os = "linux")]
    fn run_of_pipe(&self, file: &str) -> Result<(), Error> {
        use std::io::Write;
        use std::os::fd::AsRawFd;
        let (reader, mut writer) = std::io::pipe().unwrap();
        // So little of it that a pipe takes all at once.
        writer.write_all(&fs::read(self.path(file)).unwrap()).unwrap();
        drop(writer);
        let stream = self.path("stream");
        std::os::unix::fs::symlink(format!("/proc/self/fd/{}", reader.as_raw_fd()), &stream).unwrap();
        let ran = self.run("stream", "jsonl", &[LEARNING, ("input-format", "jsonl")]);
        fs::remove_file(stream).unwrap();
        ran
    }

    /// Runs with an index beside it, or goes on with it.
    fn run_beside(&self, resume: bool) -> Result<(), Error> {
        let known = self.path("w/known").display().to_string();
        let style = Style {
            formats: formats("jsonl"),
            resume,
            add: true,
        };
        self.run_with("pages.jsonl", &[("against", &known)], style)
    }

    fn dedup(&self, input: &str, settings: &[(&str, &str)]) -> Result<(), Error> {
        let work = |job: &Job<'_>| verbs::dedup::dedup(job, &self.out(), formats("jsonl"));
        self.job(input, settings, work).map(drop)
    }

    fn extract(&self, input: &str, to: &str) -> Result<(), Error> {
        let style = verbs::extract::Style::default();
        let work = |job: &Job<'_>| verbs::extract::write_file(job, style, &self.path(to), &mut |_| {});
        self.job(input, &[], work).map(drop)
    }

    fn sign(&self, input: &str) -> Result<(), Error> {
        let stats = self.path("w/x.stats").display().to_string();
        let to = self.path("w/x.jsonl");
        let work = |job: &Job<'_>| verbs::sign::write_file(job, row_format("jsonl"), &to, &mut |_| {});
        self.job(input, &[("save-stats", &stats)], work).map(drop)
    }

    fn add(&self, to: &str, input: &str) -> Result<(), Error> {
        let work = |job: &Job<'_>| index::add(job, &self.path(to), &mut |_| {});
        self.job(input, &[], work).map(drop)
    }

    fn learn(&self, input: &str) -> Result<(), Error> {
        let work = |job: &Job<'_>| verbs::site::learn(job, &self.out(), &mut |_| {});
        self.job(input, &[], work).map(drop)
    }

    /// What lies below `w`, with hidden files or without.
    fn files(&self, hidden: bool) -> Files {
        let (work, mut found) = (self.path("w"), Files::new());
        let mut open = vec![work.clone()];
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
                let path = entry.path();
                if path.is_dir() {
                    open.push(path);
                    continue;
                }
                let name = path.strip_prefix(&work).unwrap().display().to_string();
                if hidden || !name.split('/').any(|part| part.starts_with('.')) {
                    found.insert(name, fs::read(path).unwrap());
                }
            }
        }
        found
    }

    /// Makes `w` what it was.
    fn restore(&self, files: &Files) {
        let work = self.path("w");
        fs::remove_dir_all(&work).unwrap();
        fs::create_dir(&work).unwrap();
        for (name, bytes) in files {
            let path = work.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
    }
}

fn row_format(name: &str) -> &'static dyn RowFormat {
    *output_format::ALL
        .iter()
        .find(|format| format.name() == name)
        .unwrap()
}

fn formats(name: &str) -> FolderFormats {
    FolderFormats {
        format: row_format(name),
        tsv: true,
    }
}

/// Words that hardly any other number gives.
fn prose(seed: u64, words: u64) -> String {
    let word = |n: u64| {
        let mut number = (seed * 7919 + n * 104_729) % 68_921;
        let mut word = String::new();
        for _ in 0..3 {
            word.push(char::from(b"bcdfgklmnprst"[(number % 13) as usize]));
            word.push(char::from(b"aeiou"[(number / 13 % 5) as usize]));
            number /= 41;
        }
        word
    };
    (0..words).map(word).collect::<Vec<_>>().join(" ")
}

/// Rows by twos: the second is nearly the first.
fn text(n: u64) -> String {
    format!("{} {}", prose(n / 2, 90), prose(n, n % 2 * 2))
}

fn documents(numbers: std::ops::Range<u64>) -> String {
    let row = |n: u64| json!({"id": format!("d{n}"), "text": text(n)}).to_string() + "\n";
    numbers.map(row).collect::<String>() + "no document\n"
}

fn pages(numbers: std::ops::Range<u64>) -> String {
    let row = |n: u64| {
        let url = format!("https://{}.example/news/{n}.html", n % 2);
        let html = format!(
            "<title>T {n}</title><nav><a href=/>Home</a> <a href=/news>News</a></nav><article><h1>T {n}</h1><p>{}.</p>\
             <p>{}.</p></article><footer>All rights reserved</footer>",
            text(n),
            prose(n / 2 + 50, 40)
        );
        json!({"id": format!("d{n}"), "url": url, "html": html}).to_string() + "\n"
    };
    numbers.map(row).collect()
}

/// What failures met.
#[derive(Debug, Default)]
struct Met {
    /// Operations of a run without faults.
    operations: u64,
    failures: u32,
    /// The run came to its end: what failed does not matter.
    harmless: u32,
    /// What was visible was as before, all new, or some of both.
    old: u32,
    new: u32,
    mixed: u32,
}

/// Does the work on a disk without faults, and counts.
#[track_caller]
fn undisturbed(place: &Place, work: fn(&Place) -> Result<(), Error>) -> u64 {
    let disk = Disk::below(&place.path("w"), None);
    work(place).unwrap();
    disk.counts().values().sum()
}

/// Fails every operation of a writer for each cause, and checks after each.
fn fail_each(writer: &Writer) {
    let place = Place::new();
    undisturbed(&place, writer.before);
    let (before, old) = (place.files(true), place.files(false));
    let operations = undisturbed(&place, writer.work);
    let new = place.files(false);
    assert_ne!(old, new, "the work changes something");
    undisturbed(&place, writer.again);
    let twice = place.files(false);

    let mut met = Met {
        operations,
        ..Met::default()
    };
    let causes = [Cause::Full, Cause::Broken, Cause::ReadOnly, Cause::Denied];
    for number in 1..=operations {
        // Without room for every one of them, and for one of the other causes in turn.
        for cause in [causes[0], causes[1 + number as usize % 3]] {
            let fault = Fault {
                operation: None,
                number,
                cause,
            };
            place.restore(&before);
            let disk = Disk::below(&place.path("w"), Some(fault));
            let result = (writer.work)(&place);
            let (operation, path) = disk.struck().expect("the operation is reached");
            drop(disk);
            met.failures += 1;
            let at = format!(
                "{cause:?} at operation {number}, {operation:?} of {}",
                path.display()
            );
            let after = place.files(false);
            match result {
                Ok(()) => {
                    met.harmless += 1;
                    // An index may still have files beside it that are not part of it.
                    let all = new.iter().all(|(name, bytes)| after.get(name) == Some(bytes));
                    assert!(all, "{at}: neither an error nor all files");
                }
                Err(error) => told(&error, cause, operation, place.dir.path(), &at),
            }
            match &after {
                after if *after == old => met.old += 1,
                after if *after == new => met.new += 1,
                _ => met.mixed += 1,
            }
            old_or_new(writer, &old, &new, &after, &at);
            let disk = Disk::below(&place.path("w"), None);
            if let Err(error) = (writer.again)(&place) {
                panic!("{at}: the next run fails: {error}");
            }
            drop(disk);
            assert!(
                is_undisturbed(writer, &new, &twice, &after, &place.files(false)),
                "{at}: the next run does not write what an undisturbed one writes"
            );
            let left: Vec<String> = place
                .files(true)
                .into_keys()
                .filter(|name| name.contains(".dehusk-") && !name.ends_with(".dehusk-lock"))
                .collect();
            assert!(left.is_empty(), "{at}: {left:?} are left");
        }
    }
    println!("{} operations: {met:?}", met.operations);
}

/// What was done before the fault is done again, as a whole or, without a marker, file by file; the rest is done once.
fn is_undisturbed(writer: &Writer, new: &Files, twice: &Files, after: &Files, ended: &Files) -> bool {
    let done = |name: &str| {
        let told = writer.marker.unwrap_or(name);
        after.get(told) == new.get(told)
    };
    let right = |(name, bytes): (&String, &Vec<u8>)| {
        Some(bytes)
            == if done(name) {
                twice.get(name)
            } else {
                new.get(name)
            }
    };
    let names = if writer.marker.is_some_and(done) {
        twice
    } else {
        new
    };
    ended.keys().eq(names.keys()) && ended.iter().all(right)
}

/// The error has the right exit code, and names the place and a way out.
fn told(error: &Error, cause: Cause, operation: Operation, place: &Path, at: &str) {
    let code = error.kind().exit_code();
    let right: &[u8] = match (cause, operation) {
        (Cause::Full, _) => &[1],
        // A file that cannot be created is a fault of the place, whatever the system says.
        (Cause::Broken, Operation::Create | Operation::Write) => &[1, 4],
        (Cause::Broken, _) => &[1],
        (Cause::ReadOnly | Cause::Denied, _) => &[4],
    };
    assert!(right.contains(&code), "{at}: exit code {code}: {error}");
    assert!(
        error.path().is_some_and(|path| path.starts_with(place)),
        "{at}: no path: {error}"
    );
    let path = error.path().unwrap().display().to_string();
    assert!(error.to_string().contains(&path), "{at}: {error}");
    let help = error.help().unwrap_or_default();
    let right = if cause == Cause::Full {
        "make room"
    } else {
        "folder"
    };
    assert!(help.contains(right), "{at}: {error}: {help}");
}

/// Every visible file is whole, and those that belong together are of one time.
fn old_or_new(writer: &Writer, old: &Files, new: &Files, after: &Files, at: &str) {
    for (name, bytes) in after {
        let known = [old.get(name), new.get(name)];
        assert!(
            known.contains(&Some(bytes)),
            "{at}: {name} is neither old nor new"
        );
    }
    let told = writer.marker.and_then(|marker| after.get(marker));
    let Some(told) = told else {
        // Until the last file has its name, an output folder has no summary. An index has its manifest always.
        let kept = old.keys().all(|name| after.contains_key(name));
        assert!(kept || writer.marker == SUMMARY, "{at}: a file is gone");
        return;
    };
    let marker = writer.marker.unwrap();
    let is_of = |files: &Files| {
        files.get(marker) == Some(told) && files.iter().all(|(name, bytes)| after.get(name) == Some(bytes))
    };
    assert!(is_of(old) || is_of(new), "{at}: files of two times");
}

const MEMORY: (&str, &str) = ("memory", "32MiB");
const LEARNING: (&str, &str) = ("learn-sites", "true");

#[test]
fn run_that_learns_and_is_resumed() {
    fail_each(&Writer {
        before: |p| p.run("old-pages.jsonl", "jsonl", &[]),
        work: |p| p.run("pages.jsonl", "jsonl", &[LEARNING]),
        again: |p| {
            let style = Style {
                formats: formats("jsonl"),
                resume: true,
                ..Style::default()
            };
            // What is there of another run is refused.
            let resumed = p.run_with("pages.jsonl", &[LEARNING], style);
            resumed.or_else(|error| match error.option() {
                Some("resume") => p.run("pages.jsonl", "jsonl", &[LEARNING]),
                _ => Err(error),
            })
        },
        marker: SUMMARY,
    });
}

macro_rules! writers {
    ($($name:ident: $before:expr, $work:expr, $marker:expr;)+) => {$(
        #[test]
        fn $name() {
            fail_each(&Writer { before: $before, work: $work, again: $work, marker: $marker });
        }
    )+};
}

writers! {
    run_with_little_memory: |p| p.run("old-pages.jsonl", "jsonl", &[]), |p| p.run("pages.jsonl", "jsonl", &[MEMORY]), SUMMARY;
    run_that_learns: |p| p.run("old-pages.jsonl", "jsonl", &[LEARNING]), |p| p.run("pages.jsonl", "jsonl", &[LEARNING]), SUMMARY;
    run_that_learns_no_more: |p| p.run("old-pages.jsonl", "jsonl", &[LEARNING]), |p| p.run("pages.jsonl", "jsonl", &[]), SUMMARY;
    run_to_compressed_shards: |_| Ok(()),
        |p| p.run("pages.jsonl", "jsonl", &[("shard-size", "3KiB"), ("compress", "zstd")]), SUMMARY;
    dedup: |p| p.dedup("old.jsonl", &[]), |p| p.dedup("new.jsonl", &[MEMORY]), SUMMARY;
    dedup_against_an_index: |p| p.add("w/known", "old.jsonl"),
        |p| p.dedup("new.jsonl", &[("against", &p.path("w/known").display().to_string())]), SUMMARY;
    extract: |p| p.extract("old-pages.jsonl", "w/x.jsonl"), |p| p.extract("pages.jsonl", "w/x.jsonl"), None;
    sign: |p| p.sign("old.jsonl"), |p| p.sign("new.jsonl"), None;
    index_add_where_there_is_none: |_| Ok(()), |p| p.add("w/out", "new.jsonl"), MANIFEST;
    index_add: |p| p.add("w/out", "old.jsonl"), |p| p.add("w/out", "new.jsonl"), MANIFEST;
    index_remove: |p| p.add("w/out", "old.jsonl"), |p| index::remove(&p.out(), ["d1", "d2"]).map(drop), MANIFEST;
    index_merge: |p| { p.add("w/out", "old.jsonl")?; p.add("w/other", "new.jsonl") },
        |p| index::merge(&p.out(), &[&p.path("w/other")], &Settings::default()).map(drop), MANIFEST;
    index_compact: |p| { p.add("w/out", "old.jsonl")?; p.add("w/out", "new.jsonl") },
        |p| index::compact(&p.out(), &Settings::default()), MANIFEST;
    site_learn: |p| p.learn("old-pages.jsonl"), |p| p.learn("pages.jsonl"), None;
}

#[cfg(target_os = "linux")]
writers! {
    run_that_learns_of_a_pipe: |p| p.run("old-pages.jsonl", "jsonl", &[]), |p| p.run_of_pipe("pages.jsonl"), SUMMARY;
}

#[cfg(feature = "parquet")]
writers! {
    run_to_parquet: |p| p.run("old-pages.jsonl", "jsonl", &[]),
        |p| p.run("pages.jsonl", "parquet", &[("shard-size", "8KiB")]), SUMMARY;
}

#[cfg(feature = "rules")]
writers! {
    site_export: |p| p.learn("old-pages.jsonl"), |p| site::export(&p.out(), &p.path("w/rules"), &Cancel::new()).map(drop), None;
}

#[test]
fn run_that_is_resumed() {
    fail_each(&Writer {
        before: |_| Ok(()),
        work: |p| p.run("pages.jsonl", "jsonl", &[]),
        again: |p| {
            let style = Style {
                formats: formats("jsonl"),
                resume: true,
                ..Style::default()
            };
            p.run_with("pages.jsonl", &[], style)
        },
        marker: SUMMARY,
    });
}

#[test]
fn run_with_an_index_that_is_resumed() {
    fail_each(&Writer {
        before: |_| Ok(()),
        work: |p| p.run_beside(false),
        again: |p| p.run_beside(true),
        marker: Some("known/index.json"),
    });
}
