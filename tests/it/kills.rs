//! SIGKILL at any instant: every verb that writes files leaves the old or the new output as a whole, nothing stays locked,
//! and the next run ends as if nothing had happened.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::{command, page, prose};

/// Files by their path below a folder.
type Files = BTreeMap<String, Vec<u8>>;

/// A verb that writes files.
struct Writer {
    name: &'static str,
    /// Commands that make the previous output.
    before: &'static [&'static str],
    /// The command that is killed. It writes below the folder `w` or its subfolder `out` alone.
    command: &'static str,
    /// The command that is run after the kill, if it is another one.
    again: Option<&'static str>,
    /// The file that identifies the state of the others: they were all written with it.
    marker: Option<&'static str>,
}

const SUMMARY: Option<&str> = Some("out/summary.json");
const KNOWN: Option<&str> = Some("known/index.json");
const MANIFEST: Option<&str> = Some("out/index.json");

#[rustfmt::skip]
const WRITERS: &[Writer] = &[
    Writer { name: "run", before: &["run old-pages.jsonl -o w/out"], command: "run pages.jsonl -o w/out", again: None, marker: SUMMARY },
    Writer { name: "run, nothing before", before: &[], command: "run pages.jsonl -o w/out", again: None, marker: SUMMARY },
    Writer { name: "run, compressed shards", before: &["run old-pages.jsonl --shard-size 4KiB -o w/out"], command: "run pages.jsonl --compress zstd --shard-size 8KiB -o w/out", again: None, marker: SUMMARY },
    #[cfg(feature = "parquet")]
    Writer { name: "run, Parquet", before: &["run old-pages.jsonl -o w/out"], command: "run pages.jsonl --output-format parquet -o w/out", again: None, marker: SUMMARY },
    Writer { name: "run --resume", before: &[], command: "run pages.jsonl -o w/out", again: Some("run pages.jsonl --resume -o w/out"), marker: SUMMARY },
    #[cfg(feature = "parquet")]
    Writer { name: "run --resume, WARC to Parquet, --memory", before: &[], command: "run crawl.warc.gz --output-format parquet --memory 128MiB --threads 2 --max-bad 9 -o w/out", again: Some("run crawl.warc.gz --output-format parquet --memory 128MiB --threads 2 --max-bad 9 --resume -o w/out"), marker: SUMMARY },
    Writer { name: "run --resume --add", before: &[], command: "run pages.jsonl --against w/known --add -o w/out", again: Some("run pages.jsonl --against w/known --add --resume -o w/out"), marker: KNOWN },
    Writer { name: "run --learn-sites --resume", before: &[], command: "run pages.jsonl --learn-sites -o w/out", again: Some("run pages.jsonl --learn-sites --resume -o w/out"), marker: SUMMARY },
    Writer { name: "run --learn-sites", before: &["run old-pages.jsonl --learn-sites -o w/out"], command: "run pages.jsonl --learn-sites -o w/out", again: None, marker: SUMMARY },
    Writer { name: "run --passages --resume", before: &[], command: "run pages.jsonl --passages --min-run 8 --repeat first -o w/out", again: Some("run pages.jsonl --passages --min-run 8 --repeat first --resume -o w/out"), marker: SUMMARY },
    Writer { name: "passages", before: &["passages old.jsonl --min-run 8 -o w/out"], command: "passages new.jsonl --min-run 8 --repeat drop -o w/out", again: None, marker: SUMMARY },
    Writer { name: "passages --memory, lines at ends", before: &["passages old.jsonl --min-run 8 -o w/out"], command: "passages new.jsonl --unit line --repeat drop --at ends --memory 48MiB -o w/out", again: None, marker: SUMMARY },
    Writer { name: "passages --against", before: &["passages old.jsonl --min-run 8 -o w/out"], command: "passages new.jsonl --against old.jsonl --on-match cut -o w/out", again: None, marker: SUMMARY },
    Writer { name: "dedup", before: &["dedup old.jsonl -o w/out"], command: "dedup new.jsonl -o w/out", again: None, marker: SUMMARY },
    Writer { name: "dedup --memory", before: &[], command: "dedup new.jsonl --memory 32MiB -o w/out", again: None, marker: SUMMARY },
    Writer { name: "compare", before: &[], command: "compare old.jsonl --truth truth.jsonl --signature minhash --no-costs --bootstrap 20 -o w/out", again: None, marker: SUMMARY },
    Writer { name: "generate", before: &["generate records names --seed 2 -o w/out"], command: "generate records names -o w/out", again: None, marker: SUMMARY },
    Writer { name: "extract -o", before: &["extract old-pages.jsonl -o w/x.jsonl"], command: "extract pages.jsonl -o w/x.jsonl", again: None, marker: None },
    Writer { name: "extract -o, compressed", before: &["extract old-pages.jsonl -o w/x.jsonl.gz"], command: "extract pages.jsonl -o w/x.jsonl.gz", again: None, marker: None },
    Writer { name: "explain -o", before: &["explain a.html -o w/x.html"], command: "explain b.html -o w/x.html", again: None, marker: None },
    Writer { name: "normalize -o", before: &["normalize old.jsonl -o w/x.jsonl"], command: "normalize new.jsonl --tokens -o w/x.jsonl", again: None, marker: None },
    Writer { name: "sign -o", before: &["sign old.jsonl -o w/x.jsonl"], command: "sign new.jsonl -o w/x.jsonl", again: None, marker: None },
    Writer { name: "sign --save-stats", before: &["sign old.jsonl --save-stats w/x.stats -o sigs"], command: "sign new.jsonl --save-stats w/x.stats -o w/x.jsonl", again: None, marker: None },
    Writer { name: "index add, nothing before", before: &[], command: "index add w/out new.jsonl", again: None, marker: MANIFEST },
    Writer { name: "index add", before: &["index add w/out old.jsonl"], command: "index add w/out new.jsonl", again: None, marker: MANIFEST },
    Writer { name: "index remove", before: &["index add w/out old.jsonl", "index add w/out new.jsonl"], command: "index remove w/out --ids-from ids", again: None, marker: MANIFEST },
    Writer { name: "index compact", before: &["index add w/out old.jsonl", "index add w/out new.jsonl", "index remove w/out d1 d2"], command: "index compact w/out", again: None, marker: MANIFEST },
    Writer { name: "index merge", before: &["index add w/out old.jsonl", "index add other new.jsonl"], command: "index merge w/out other", again: None, marker: MANIFEST },
    Writer { name: "site learn", before: &[], command: "site learn pages.jsonl -o w/out", again: None, marker: None },
    Writer { name: "site learn, more pages", before: &["site learn old-pages.jsonl -o w/out"], command: "site learn pages.jsonl -o w/out", again: None, marker: None },
    Writer { name: "site export", before: &["site learn old-pages.jsonl -o t"], command: "site export t -o w/out", again: None, marker: None },
];

/// Inputs of all writers.
fn inputs(folder: &Path) {
    let put = |name: &str, text: String| fs::write(folder.join(name), text).unwrap();
    let rows = |numbers: std::ops::Range<u64>, pages: bool| -> String {
        let row = |n: u64| {
            let url = format!("https://{}.example/news/{n}.html", n % 4);
            let text = prose(n / 2, 60) + &prose(n, n as usize % 2 * 6);
            match pages {
                true => json!({"id": format!("d{n}"), "url": url, "html": page("T", &text)}),
                false => json!({"id": format!("d{n}"), "text": text}),
            }
        };
        numbers.map(|n| row(n).to_string() + "\n").collect()
    };
    put("old-pages.jsonl", rows(0..40, true));
    put("pages.jsonl", rows(20..140, true));
    put("old.jsonl", rows(0..200, false));
    put("new.jsonl", rows(100..900, false));
    put("ids", (0..300).map(|n| format!("d{n}\n")).collect());
    let truth = |n: u64| json!({"id": format!("d{n}"), "group": (n / 2).to_string()}).to_string() + "\n";
    put("truth.jsonl", (0..200).map(truth).collect());
    put("names", (0..600).map(|n| prose(n, 3) + "\n").collect());
    put("a.html", page("A", &prose(1, 300)));
    put("b.html", page("B", &prose(2, 3000)));
    let archive = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/crawl.warc.gz");
    fs::copy(archive, folder.join("crawl.warc.gz")).unwrap();
    fs::create_dir(folder.join("tmp")).unwrap();
    fs::create_dir(folder.join("w")).unwrap();
}

/// A place in which a writer works.
struct Place {
    dir: tempfile::TempDir,
}

impl Place {
    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn process(&self, line: &str) -> std::process::Command {
        let mut process = command();
        process
            .args(line.split(' '))
            .current_dir(self.dir.path())
            .env("TMPDIR", self.path("tmp"))
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        process
    }

    #[track_caller]
    fn run(&self, line: &str) -> Duration {
        let start = Instant::now();
        let output = self.process(line).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{line}: {said}");
        start.elapsed()
    }

    /// What lies below `w`, with hidden files or without.
    fn files(&self, hidden: bool) -> Files {
        let visible = |name: &String| hidden || !name.split('/').any(|name| name.starts_with('.'));
        let names = self.names().into_iter().filter(visible);
        names
            .map(|name| {
                let bytes = fs::read(self.path("w").join(&name)).unwrap();
                (name, bytes)
            })
            .collect()
    }

    /// Names of all files and folders below `w`.
    fn names(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut open = vec![String::new()];
        while let Some(folder) = open.pop() {
            // It may be gone since it was listed.
            for entry in fs::read_dir(self.path("w").join(&folder))
                .into_iter()
                .flatten()
                .flatten()
            {
                let name = format!("{folder}{}", entry.file_name().to_string_lossy());
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    open.push(name + "/");
                } else {
                    found.push(name);
                }
            }
        }
        found.sort_unstable();
        found
    }

    /// Restores the folder `w`.
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

/// What kills met.
#[derive(Debug, Default)]
struct Met {
    kills: u32,
    /// The process had ended before.
    late: u32,
    /// Something half written was there.
    partial: u32,
    /// A journal of pages was there.
    begun: u32,
    /// What was visible was as before, all new, or some of both.
    old: u32,
    new: u32,
    mixed: u32,
}

/// Kills a writer that often, at instants that the seed decides, and checks after each kill.
fn kill(writer: &Writer, kills: u32, seed: u64) -> Met {
    let place = Place {
        dir: tempfile::tempdir().unwrap(),
    };
    inputs(place.dir.path());
    for line in writer.before {
        place.run(line);
    }
    let (before, old) = (place.files(true), place.files(false));
    let time = place.run(writer.command);
    let new = place.files(false);
    assert_ne!(old, new, "{}: the command changes something", writer.name);
    let again = writer.again.unwrap_or(writer.command);
    place.run(again);
    let twice = place.files(false);

    let (mut met, mut random) = (Met::default(), Random(seed));
    while met.kills < kills {
        assert!(met.late < 10 * kills + 50, "{}: {met:?} in {time:?}", writer.name);
        place.restore(&before);
        let mut child = place
            .process(writer.command)
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        wait(&place, &before, &mut child, time, &mut random);
        child.kill().unwrap();
        if child.wait().unwrap().signal() != Some(9) {
            met.late += 1;
            continue;
        }
        met.kills += 1;
        let at = format!("{}, kill {} of seed {seed}", writer.name, met.kills);
        met.partial += u32::from(
            place
                .files(true)
                .keys()
                .any(|name| name.ends_with(".dehusk-partial")),
        );
        let after = place.files(false);
        match &after {
            after if *after == old => met.old += 1,
            after if *after == new => met.new += 1,
            _ => met.mixed += 1,
        }
        old_or_new(writer, &old, &new, &after, &at);
        met.begun += u32::from(
            place
                .files(true)
                .keys()
                .any(|name| name.ends_with(".dehusk-journal")),
        );
        place.run(again);
        let ended = place.files(false);
        for (name, bytes) in &ended {
            // What was done before the kill is done again, file by file or as a whole.
            let told = writer.marker.unwrap_or(name);
            let done = after.get(told) == new.get(told);
            let expected = Some(bytes) == new.get(name) && !done || Some(bytes) == twice.get(name) && done;
            let same = new.get(name) == old.get(name) && Some(bytes) == new.get(name);
            assert!(
                expected || same,
                "{at}: {name} is not what an undisturbed run writes"
            );
        }
        assert!(
            new.keys()
                .all(|name| ended.contains_key(name) || !twice.contains_key(name)),
            "{at}"
        );
        let left = fs::read_dir(place.path("tmp")).unwrap().count();
        assert_eq!(left, 0, "{at}: temporary files are left");
        let hidden: Vec<String> = place
            .files(true)
            .into_keys()
            .filter(|name| {
                [".dehusk-partial", ".dehusk-journal", ".dehusk-templates"]
                    .iter()
                    .any(|left| name.contains(left))
            })
            .collect();
        assert!(hidden.is_empty(), "{at}: {hidden:?} are left");
    }
    met
}

/// Numbers that a seed decides.
struct Random(u64);

impl Random {
    /// A number from 0 to below 1.
    fn share(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f64 / (1 << 24) as f64
    }
}

/// Waits for a random instant: of the whole time that the process takes, of the last part of it, or just after its files change.
fn wait(place: &Place, before: &Files, child: &mut Child, time: Duration, random: &mut Random) {
    let (way, share) = (random.share(), random.share());
    if way < 0.4 {
        return thread::sleep(time.mul_f64(share));
    }
    if way < 0.6 {
        return thread::sleep(time.mul_f64(0.8 + 0.2 * share));
    }
    let known: Vec<String> = before.keys().cloned().collect();
    while child.try_wait().unwrap().is_none() && place.names() == known {}
    thread::sleep(Duration::from_micros((share * share * 4000.0) as u64));
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
    let Some(marker) = writer.marker else {
        assert!(
            old.keys().all(|name| after.contains_key(name)),
            "{at}: a file is gone"
        );
        return;
    };
    // Until the last file has its name, an output folder has no summary. An index has its manifest always.
    let told = after.get(marker);
    if told.is_none() {
        assert!(
            writer.marker == SUMMARY || !old.contains_key(marker),
            "{at}: {marker} is gone"
        );
        return;
    }
    let is_of = |files: &Files| files.iter().all(|(name, bytes)| after.get(name) == Some(bytes));
    assert!(
        told == old.get(marker) && is_of(old) || told == new.get(marker) && is_of(new),
        "{at}: files of two times"
    );
}

#[test]
fn killed_at_any_instant_a_writer_leaves_old_or_new() {
    for (seed, writer) in (1..).zip(WRITERS) {
        kill(writer, 1, seed);
    }
}

/// `cargo test -p dehusk-cli --test it -- --ignored --nocapture hundred_kills`: some minutes.
#[test]
#[ignore = "a hundred kills of every writer take some minutes"]
fn a_hundred_kills_of_every_writer() {
    let seed = std::env::var("DEHUSK_KILLS_SEED").map_or(1, |seed| seed.parse().unwrap());
    for writer in WRITERS {
        let met = kill(writer, 100, seed);
        println!("{}: {met:?}", writer.name);
    }
}
