mod learn;
mod resume;

use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};

use dehusk_extract::{Extracted, Options, Page};

use super::*;
use crate::Interrupt;
use crate::exec::cancel::Cancel;
use crate::exec::progress::Progress;
use crate::exec::progress::recorder::Recorder;
use crate::kernel::extract::ExtractPage;
use crate::record::Reason;
use crate::record::Rejected;
use crate::record::{ClusterRow, PairRow};
use crate::settings::{MaxBad, Settings, Threads};

const WORDS: &str = "the river rose overnight and the lower meadows were under water by the time the milkman came \
    round so that he had to leave his cart at the chapel and carry the churns along the wall where the lane is dry";

fn page(text: &str) -> String {
    format!("<html><head><title>T</title></head><body><main><p>{text}</p><p>{text}</p></main></body></html>")
}

/// Turns the switch on after a number of chunks.
struct Stop<'a> {
    cancel: &'a Cancel,
    left: AtomicU64,
}

impl Progress for Stop<'_> {
    fn advance(&self, _: u64, _: u64) {
        if self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.cancel.request(Interrupt::Keyboard);
        }
    }
}

struct Ran {
    dir: tempfile::TempDir,
    outcome: Outcome,
}

impl Ran {
    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.dir.path().join("out").join(name)).unwrap()
    }

    fn clusters(&self) -> Vec<(String, String, bool, String)> {
        let text = self.read("clusters.jsonl");
        let row = |line: &str| {
            let row: ClusterRow<'_> = serde_json::from_str(line).unwrap();
            (
                row.id.into_owned(),
                row.cluster.into_owned(),
                row.kept,
                row.reason.into_owned(),
            )
        };
        text.lines().map(row).collect()
    }
}

fn ran(files: &[(&str, String)], settings: &Settings, extract: &ExtractPage<'_>) -> Ran {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = dir.path().join("in").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let inputs = [dir.path().join("in").display().to_string()];
    let cancel = Cancel::new();
    let job = Job::new(&inputs, settings, &cancel);
    let extractor = Extractor::with(settings.extraction(), extract);
    let outcome = run_with(
        &job,
        &dir.path().join("out"),
        Style {
            formats: FolderFormats {
                tsv: true,
                ..FolderFormats::default()
            },
            ..Style::default()
        },
        extractor,
        None,
    )
    .unwrap();
    let super::Ran::Now(outcome) = outcome else {
        panic!("nothing was there before")
    };
    assert!(outcome.summary.counts.add_up(), "{:?}", outcome.summary.counts);
    Ran {
        dir,
        outcome: *outcome,
    }
}

fn fragile(page: &Page<'_>, options: &Options) -> Extracted {
    let extracted = dehusk_extract::extract(page, options);
    assert!(!extracted.text.contains("boom"), "no boom please");
    extracted
}

#[test]
fn copies_go_and_the_rest_stays() {
    let other = WORDS.replace("milkman", "postman");
    let files = [
        ("b.html", page(WORDS)),
        ("a.html", page(WORDS)),
        ("c.html", page(&other)),
        ("d.html", page("A short text of its own.")),
        ("empty.html", String::new()),
        ("style.css", "p {}".to_owned()),
    ];
    let settings = Settings {
        threshold: Some("0.6".parse().unwrap()),
        ..Settings::default()
    };
    let ran = ran(&files, &settings, &dehusk_extract::extract);
    let row = |id: &str, cluster: &str, kept, reason: &str| {
        (id.to_owned(), cluster.to_owned(), kept, reason.to_owned())
    };
    assert_eq!(
        ran.clusters(),
        [
            row("a.html", "a.html", true, "representative"),
            row("b.html", "a.html", false, "exact-duplicate"),
            row("c.html", "a.html", false, "near-duplicate"),
            row("d.html", "d.html", true, "short"),
            row("empty.html", "empty.html", false, "empty"),
        ]
    );
    let counts = &ran.outcome.summary.counts;
    assert_eq!((counts.read, counts.kept), (5, 2));
    assert_eq!(
        counts.dropped["empty"] + counts.dropped["exact-duplicate"] + counts.dropped["near-duplicate"],
        3
    );
    assert_eq!(ran.outcome.summary.skipped_files["other-extension"], 1);
    let pairs = ran.read("pairs.jsonl");
    let pairs: Vec<PairRow<'_>> = pairs
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let told: Vec<_> = pairs
        .iter()
        .map(|pair| (pair.a.as_ref(), pair.b.as_ref(), pair.method.as_ref()))
        .collect();
    assert_eq!(
        told,
        [("a.html", "b.html", "exact"), ("a.html", "c.html", "jaccard"),]
    );
    assert_eq!(pairs[0].similarity, 1.0);
    assert!(
        ran.read("pairs.tsv").starts_with("a.html\tb.html\t1\t1\n"),
        "{}",
        ran.read("pairs.tsv")
    );
    let documents = ran.read("documents.jsonl");
    let counted = |line: usize, counts: &str| {
        let document = documents.lines().nth(line).unwrap();
        format!("{},{counts}}}", document.strip_suffix('}').unwrap())
    };
    assert_eq!(
        ran.read("kept.jsonl").lines().collect::<Vec<_>>(),
        [
            counted(0, "\"cluster_size\":3,\"copies\":2"),
            counted(3, "\"cluster_size\":1,\"copies\":1")
        ]
    );
}

#[test]
fn a_panic_is_quarantined_and_the_run_goes_on() {
    let files = [
        ("a.html", page(WORDS)),
        ("b.html", page("boom")),
        ("c.html", page("Another text.")),
    ];
    for threads in [1, 4] {
        let settings = Settings {
            threads: Some(Threads(threads)),
            max_bad: Some(MaxBad::Count(0)),
            ..Settings::default()
        };
        let ran = ran(&files, &settings, &fragile);
        assert_eq!(ran.outcome.summary.counts.dropped["panic"], 1);
        assert_eq!(ran.outcome.exit_code(), 3);
        let row: Rejected = serde_json::from_str(ran.read("quarantine.jsonl").trim_end()).unwrap();
        assert_eq!(
            (row.id.as_str(), row.reason, row.message.as_str()),
            ("b.html", Reason::Panic, "no boom please")
        );
        assert_eq!(ran.read("kept.jsonl").lines().count(), 2);
    }
}

#[test]
fn stages_do_as_much_as_they_said() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    fs::create_dir(at("in")).unwrap();
    for name in ["a.html", "b.html", "c.html"] {
        fs::write(at("in").join(name), page(WORDS)).unwrap();
    }
    fs::write(at("in/style.css"), "p {}").unwrap();
    fs::write(at("d.jsonl"), "{\"html\":\"<p>x\"}\noops\n").unwrap();
    let inputs = ["in", "d.jsonl"].map(|name| at(name).display().to_string());
    let (cancel, settings, recorder) = (Cancel::new(), Settings::default(), Recorder::default());
    let job = Job {
        progress: &recorder,
        ..Job::new(&inputs, &settings, &cancel)
    };
    run(&job, &at("out"), Style::default()).unwrap();
    assert_eq!(
        recorder.stages(),
        ["extracting pages", "comparing documents", "writing"]
    );
    let bytes = 3 * page(WORDS).len() + 21;
    assert_eq!(
        recorder.total("extracting pages"),
        Some(Total::Bytes(bytes as u64))
    );
    assert_eq!(recorder.total("writing"), Some(Total::Documents(4)));
}

#[test]
fn a_stopped_run_leaves_no_results() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("in")).unwrap();
    fs::write(dir.path().join("in/a.html"), page(WORDS)).unwrap();
    let inputs = [dir.path().join("in").display().to_string()];
    let (cancel, settings) = (Cancel::new(), Settings::default());
    cancel.request(crate::Interrupt::Keyboard);
    let job = Job::new(&inputs, &settings, &cancel);
    let error = run(&job, &dir.path().join("out"), Style::default()).unwrap_err();
    assert_eq!(error.kind().exit_code(), 130);
    let left: Vec<_> = fs::read_dir(dir.path().join("out"))
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    assert_eq!(left, [".dehusk-lock"]);
}

#[test]
fn settings_that_do_not_fit_together_are_refused_before_anything_is_written() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.html"), page(WORDS)).unwrap();
    let inputs = [dir.path().join("a.html").display().to_string()];
    let settings = Settings {
        candidates: Some("lsh".parse().unwrap()),
        ..Settings::default()
    };
    let settings = Settings {
        signature: Some("shingles".parse().unwrap()),
        ..settings
    };
    let cancel = Cancel::new();
    let job = Job::new(&inputs, &settings, &cancel);
    let error = run(&job, &dir.path().join("out"), Style::default()).unwrap_err();
    assert_eq!(
        (error.kind().exit_code(), error.option()),
        (2, Some("candidates"))
    );
    assert!(!dir.path().join("out").exists());
}
