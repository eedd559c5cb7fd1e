//! A run that was interrupted anywhere ends with the bytes of an undisturbed run, or refuses and states the reason.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::*;
use crate::search::index::Index;

struct Place {
    dir: tempfile::TempDir,
    inputs: Vec<String>,
}

impl Place {
    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Runs to the folder `out`, interrupted after a number of chunks.
    fn run(
        &self,
        out: &str,
        settings: &Settings,
        style: Style,
        chunks: u64,
    ) -> Result<super::super::Ran, Error> {
        let cancel = Cancel::new();
        let stop = Stop {
            cancel: &cancel,
            left: AtomicU64::new(chunks),
        };
        let job = Job {
            progress: &stop,
            ..Job::new(&self.inputs, settings, &cancel)
        };
        run(&job, &self.path(out), style)
    }

    /// All files of a folder, except the lock.
    fn files(&self, out: &str) -> BTreeMap<String, Vec<u8>> {
        let entries = fs::read_dir(self.path(out)).unwrap().map(Result::unwrap);
        let files = entries.filter(|entry| entry.file_name() != ".dehusk-lock");
        files
            .map(|entry| {
                let name = entry.file_name().to_string_lossy().into_owned();
                (name, fs::read(entry.path()).unwrap())
            })
            .collect()
    }
}

/// A text that shares few phrases with the texts of other numbers.
fn text(number: u64) -> String {
    let mut random = number;
    let word = |_| {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        WORDS
            .split(' ')
            .nth((random >> 40) as usize % 40)
            .unwrap_or("river")
    };
    (0..40).map(word).collect::<Vec<_>>().join(" ")
}

/// Number of chunks of the inputs of [`place`]: files of the folder, the list and the archive.
const CHUNKS: u64 = 15;

/// A folder of pages, a list longer than a chunk with copies, some bad lines and repeated ids, and an archive.
fn place() -> Place {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("in");
    fs::create_dir_all(folder.join("sub")).unwrap();
    for number in 0..12 {
        fs::write(folder.join(format!("sub/{number}.html")), page(&text(number / 2))).unwrap();
    }
    fs::write(folder.join("style.css"), "").unwrap();
    let line = |number: u64| match number {
        70 => "no JSON".to_owned(),
        _ => serde_json::json!({"id": number % 90, "html": page(&text(number / 3))}).to_string(),
    };
    let lines: Vec<String> = (0..600).map(line).collect();
    let list = dir.path().join("list.jsonl");
    fs::write(&list, lines.join("\n")).unwrap();
    let archive = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/crawl.warc.gz");
    let inputs = [
        folder.display().to_string(),
        list.display().to_string(),
        archive.to_owned(),
    ];
    Place {
        dir,
        inputs: inputs.into(),
    }
}

fn resumed(formats: FolderFormats) -> Style {
    Style {
        formats,
        resume: true,
        ..Style::default()
    }
}

#[test]
fn a_run_interrupted_anywhere_ends_with_the_same_bytes() {
    let place = place();
    let settings = Settings::default();
    let formats = FolderFormats {
        tsv: true,
        ..FolderFormats::default()
    };
    let style = Style {
        formats,
        ..Style::default()
    };
    let whole = place.run("whole", &settings, style, 0).unwrap();
    let counts = &whole.outcome().unwrap().summary.counts;
    assert!(counts.read > 650 && counts.dropped["bad-json"] == 1, "{counts:?}");
    let whole = place.files("whole");
    for (number, threads) in (1..CHUNKS).zip([1, 2, 7].into_iter().cycle()) {
        let settings = Settings {
            threads: Some(Threads(threads)),
            ..Settings::default()
        };
        let out = format!("out-{number}");
        // Interrupted twice; the second run resumes the first.
        for (resume, chunks) in [(false, number), (true, (number + 2).min(CHUNKS))] {
            let style = Style { resume, ..style };
            let error = place.run(&out, &settings, style, chunks).unwrap_err();
            assert_eq!(error.kind().exit_code(), 130, "{number}: {error}");
            assert!(
                is_interrupted(&place.path(&out), &Settings::default()),
                "{number}"
            );
            assert!(!place.path(&out).join("summary.json").exists());
        }
        place.run(&out, &settings, resumed(formats), 0).unwrap();
        assert!(place.files(&out) == whole, "{number} chunks, {threads} threads");
        assert!(!is_interrupted(&place.path(&out), &Settings::default()));
    }
}

#[test]
fn a_run_that_ended_is_not_run_again_and_one_that_never_began_begins() {
    let place = place();
    let settings = Settings::default();
    let style = resumed(FolderFormats::default());
    assert!(place.run("out", &settings, style, 0).unwrap().outcome().is_some());
    let written = |name: &str| {
        fs::metadata(place.path("out").join(name))
            .unwrap()
            .modified()
            .unwrap()
    };
    let (before, at) = (place.files("out"), written("documents.jsonl"));
    let again = place.run("out", &settings, style, 0).unwrap();
    assert!(
        matches!(again, super::super::Ran::Before { damaged: false }),
        "{again:?}"
    );
    assert!(place.files("out") == before && written("documents.jsonl") == at);
}

/// An error with its notes.
fn told(error: &Error) -> String {
    assert_eq!(
        (error.kind().exit_code(), error.option()),
        (2, Some("resume")),
        "{error}"
    );
    format!("{error}: {}", error.notes().join("; "))
}

#[test]
fn other_settings_and_inputs_are_refused_and_told() {
    let mut place = place();
    let settings = Settings::default();
    let style = resumed(FolderFormats::default());
    let other = || Settings {
        threshold: Some("0.5".parse().unwrap()),
        ..Settings::default()
    };
    place.run("ended", &settings, style, 0).unwrap();
    place.run("begun", &settings, style, 3).unwrap_err();
    let before = place.files("begun");
    for out in ["ended", "begun"] {
        let refused =
            |settings: &Settings, style: Style| told(&place.run(out, settings, style, 0).unwrap_err());
        assert!(
            refused(&other(), style).contains("`threshold` was 0.8 and is 0.5"),
            "{}",
            refused(&other(), style)
        );
        let tsv = FolderFormats {
            tsv: true,
            ..FolderFormats::default()
        };
        let said = refused(&settings, resumed(tsv));
        assert!(
            said.contains("`tsv` was false and is true") || said.contains("the form of the output"),
            "{said}"
        );
    }
    let more = place.path("in/sub/new.html");
    fs::write(&more, page(WORDS)).unwrap();
    for (out, expected) in [("ended", "the inputs"), ("begun", "had 12 files of")] {
        let said = told(&place.run(out, &settings, style, 0).unwrap_err());
        assert!(said.contains(expected), "{said}");
    }
    fs::remove_file(&more).unwrap();
    // The same number of bytes, with a later modification time.
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(9);
    let list = fs::File::options()
        .write(true)
        .open(place.path("list.jsonl"))
        .unwrap();
    list.set_modified(later).unwrap();
    for (out, expected) in [
        ("ended", "an input was changed after the run"),
        ("begun", "list.jsonl` was changed"),
    ] {
        let said = told(&place.run(out, &settings, style, 0).unwrap_err());
        assert!(said.contains(expected), "{said}");
    }
    place.inputs.pop();
    let said = told(&place.run("begun", &settings, style, 0).unwrap_err());
    assert!(said.contains("the inputs were `"), "{said}");
    assert!(place.files("begun") == before, "nothing is touched");
    // Without resuming, the run may differ in everything.
    let anew = Style {
        resume: false,
        ..style
    };
    let ran = place.run("begun", &other(), anew, 0).unwrap();
    assert!(ran.outcome().is_some());
}

/// A place with this number of inputs, the folder of an index, and settings and style to add to the index with resuming.
fn beside_an_index(inputs: usize) -> (Place, PathBuf, Settings, Style) {
    let mut place = place();
    place.inputs.truncate(inputs);
    let index = place.path("known");
    let settings = Settings {
        against: Some(index.clone()),
        ..Settings::default()
    };
    let style = Style {
        add: true,
        ..resumed(FolderFormats::default())
    };
    (place, index, settings, style)
}

#[test]
fn known_documents_go_and_new_ones_are_added_once() {
    let (place, index, settings, style) = beside_an_index(2);
    let documents = || {
        Index::open(&index, &Settings::default())
            .unwrap()
            .stats()
            .documents
    };
    // After an interruption, the index has no documents.
    place.run("one", &settings, style, 5).unwrap_err();
    assert!(!index.join("index.json").exists());
    let ran = place.run("one", &settings, style, 0).unwrap();
    let added = ran.outcome().unwrap().summary.added.clone().unwrap();
    assert!(added.added > 100 && added.added == added.read, "{added:?}");
    assert_eq!(documents(), added.added);
    assert!(matches!(
        place.run("one", &settings, style, 0).unwrap(),
        super::super::Ran::Before { .. }
    ));
    assert_eq!(documents(), added.added);

    // The next day: the same pages and a new one.
    fs::write(
        place.path("in/sub/a-new.html"),
        page(&format!(
            "another day {}",
            WORDS.to_uppercase().repeat(2).replace("THE", "SOME")
        )),
    )
    .unwrap();
    let ran = place.run("two", &settings, style, 0).unwrap();
    let summary = &ran.outcome().unwrap().summary;
    assert_eq!(
        (summary.counts.kept, summary.added.clone().unwrap().added),
        (1, 1),
        "{:?}",
        summary.counts
    );
    assert_eq!(documents(), added.added + 1);
    assert!(place.files("two").contains_key("matches.jsonl"));

    // A run begun with an earlier state of the index is not resumed with its current state.
    place.run("three", &settings, style, 5).unwrap_err();
    let cancel = Cancel::new();
    let inputs = [place.path("more.jsonl").display().to_string()];
    fs::write(
        &inputs[0],
        "{\"id\":\"m\",\"text\":\"a document that nobody has seen before this very day\"}",
    )
    .unwrap();
    let plain = Settings::default();
    crate::search::index::add(&Job::new(&inputs, &plain, &cancel), &index, &mut |_| {}).unwrap();
    let said = told(&place.run("three", &settings, style, 0).unwrap_err());
    assert!(said.contains("the index was changed"), "{said}");
}

#[test]
fn a_document_that_is_longer_than_any_line_of_the_input_counts_in_the_index() {
    let (mut place, index, settings, style) = beside_an_index(1);
    let settings = Settings {
        max_bytes: Some("300000".parse().unwrap()),
        markdown: Some(true),
        html: Some(true),
        content: Some(true),
        blocks: Some(true),
        ..settings
    };
    let longest: String = (100..1000)
        .map(|number| format!("<p>{}.", text(number)))
        .collect();
    let line = |id: &str, text: &str, extra: usize| {
        serde_json::json!({"id": id, "html": format!("<p>{text}"), "x": "y".repeat(extra)}).to_string()
    };
    // As an input this line just fits. Its document has more fields and is too long for any division into reads.
    let most = settings.bounds().line_bytes();
    let long = line("long", &longest, most - line("long", &longest, 0).len());
    let lines = [
        long,
        line("copy", &text(2), 0),
        line("other", &text(3), 0),
        line("again", &text(2), 0),
    ];
    let list = place.path("long.jsonl");
    fs::write(&list, lines.join("\n")).unwrap();
    place.inputs = vec![list.display().to_string()];
    let ran = place.run("out", &settings, style, 0).unwrap();
    let summary = &ran.outcome().unwrap().summary;
    assert_eq!(
        (summary.counts.quarantined, summary.counts.kept),
        (0, 3),
        "{:?}",
        summary.counts
    );
    let added = summary.added.clone().unwrap();
    assert_eq!((added.read, added.added), (3, 3), "{added:?}");
    assert_eq!(
        Index::open(&index, &Settings::default())
            .unwrap()
            .stats()
            .documents,
        3
    );
}

#[test]
fn a_run_killed_between_the_index_and_its_end_adds_nothing_twice() {
    let (place, index, settings, style) = beside_an_index(1);
    // The state just before the journal is removed, and just before the index is changed.
    place.run("out", &settings, style, 2).unwrap_err();
    let journal = fs::read(place.path("out/.dehusk-journal")).unwrap();
    place.run("out", &settings, style, 0).unwrap();
    let (files, manifest) = (place.files("out"), fs::read(index.join("index.json")).unwrap());
    fs::write(place.path("out/.dehusk-journal"), &journal).unwrap();
    let again = place.run("out", &settings, style, 0).unwrap();
    assert!(matches!(again, super::super::Ran::Before { .. }), "{again:?}");
    assert!(place.files("out") == files && fs::read(index.join("index.json")).unwrap() == manifest);
    fs::write(place.path("out/.dehusk-journal"), &journal).unwrap();
    fs::remove_file(index.join("index.json")).unwrap();
    let again = place.run("out", &settings, style, 0).unwrap();
    assert!(again.outcome().is_some());
    assert!(place.files("out") == files && fs::read(index.join("index.json")).unwrap() == manifest);
}
