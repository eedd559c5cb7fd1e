//! Runs that learn templates of sites and extract with them.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::*;
use crate::write::summary::LearntSites;

/// Running text of words that are unique to `seed`.
fn words(seed: u64, count: usize) -> String {
    let mut random = dehusk_dedup::SplitMix64::new(seed);
    let mut word = || -> String {
        let mut bits = random.number();
        (0..3 + bits % 5)
            .map(|_| {
                bits /= 26;
                char::from(b'a' + (bits % 26) as u8)
            })
            .collect()
    };
    (0..count).map(|_| word()).collect::<Vec<_>>().join(" ") + "."
}

/// A page of a host in its first or second layout. Everything besides the main text is equal on all pages of the layout.
fn html(host: u64, second: bool, seed: u64) -> String {
    let text = format!("<p>{}</p><p>{}</p>", words(seed, 40), words(seed + 50_000, 30));
    let note = words(900_000 + host, 12);
    match second {
        false => format!(
            "<body><div class=menu{host}><a href=/>{}</a></div><div class=story{host}><h1>{}</h1>{text}<div class=share>{note}</div>\
             </div><div class=end>Printed in town {host}</div></body>",
            words(700_000 + host, 3),
            words(seed + 60_000, 4)
        ),
        true => format!(
            "<body><main id=new{host}><section class=top>{note}</section><article class=body{host}><header><h2>{}</h2></header>{text}\
             </article><aside class=more><section>{}</section></aside></main></body>",
            words(seed + 60_000, 4),
            words(800_000 + host, 9)
        ),
    }
}

/// Lines of pages of interleaved hosts. Host 1 changes its layout after `change` of its pages.
fn crawl(hosts: u64, pages: u64, change: u64) -> String {
    let line = |number: u64| {
        let (host, page) = (number % hosts, number / hosts);
        let (year, day) = (2019 + page % 3, 1 + page % 28);
        let html = html(host, host == 1 && page >= change, number);
        let url = format!("https://h{host}.example/{year}/{:02}/{page}.html", 1 + page % 12);
        let date = format!("<meta property=article:published_time content={year}-02-{day:02}>");
        serde_json::json!({"id": format!("{number}"), "url": url, "html": date + &html}).to_string() + "\n"
    };
    (0..hosts * pages).map(line).collect()
}

struct Place(tempfile::TempDir);

impl Place {
    fn new(crawl: &str) -> Place {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("crawl.jsonl"), crawl).unwrap();
        Place(dir)
    }

    fn run(
        &self,
        out: &str,
        settings: &Settings,
        resume: bool,
        chunks: u64,
    ) -> Result<super::super::Ran, Error> {
        self.run_of("crawl.jsonl", out, settings, resume, chunks)
    }

    fn run_of(
        &self,
        input: &str,
        out: &str,
        settings: &Settings,
        resume: bool,
        chunks: u64,
    ) -> Result<super::super::Ran, Error> {
        let cancel = Cancel::new();
        let stop = Stop {
            cancel: &cancel,
            left: AtomicU64::new(chunks),
        };
        let inputs = [self.0.path().join(input).display().to_string()];
        let job = Job {
            progress: &stop,
            ..Job::new(&inputs, settings, &cancel)
        };
        let style = Style {
            resume,
            ..Style::default()
        };
        run(&job, &self.0.path().join(out), style)
    }

    fn learnt(&self, out: &str, settings: &Settings) -> (LearntSites, Summary) {
        let ran = self.run(out, settings, false, 0).unwrap();
        let summary = ran.outcome().unwrap().summary.clone();
        (summary.learnt.clone().unwrap(), summary)
    }

    /// All files of a folder and its subfolders, except the lock.
    fn files(&self, out: &str) -> BTreeMap<String, Vec<u8>> {
        fn add(folder: &Path, prefix: &str, files: &mut BTreeMap<String, Vec<u8>>) {
            for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
                let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
                match entry.path().is_dir() {
                    true => add(&entry.path(), &format!("{name}/"), files),
                    false => drop(files.insert(name, fs::read(entry.path()).unwrap())),
                }
            }
        }
        let mut files = BTreeMap::new();
        add(&self.0.path().join(out), "", &mut files);
        files.remove(".dehusk-lock");
        files
    }
}

fn learning() -> Settings {
    Settings {
        learn_sites: Some(true),
        ..Settings::default()
    }
}

#[test]
fn sites_are_learnt_and_all_of_their_pages_extracted_by_that() {
    let place = Place::new(&crawl(5, 30, 99));
    let (learnt, summary) = place.learnt("out", &learning());
    let sites: Vec<_> = learnt
        .templates
        .iter()
        .map(|of| (of.site.as_str(), of.layout, of.since.is_some()))
        .collect();
    let hosts = ["h0", "h1", "h2", "h3", "h4"].map(|host| format!("https://{host}.example/"));
    assert_eq!(sites, hosts.each_ref().map(|host| (host.as_str(), 1, false)));
    assert_eq!(
        summary.sites.and_then(|sites| sites.fired),
        Some(150),
        "{:?}",
        summary.sites
    );
    let files = place.files("out");
    for line in std::str::from_utf8(&files["documents.jsonl"]).unwrap().lines() {
        let document: Value = serde_json::from_str(line).unwrap();
        let number: u64 = document["id"].as_str().unwrap().parse().unwrap();
        let text = document["text"].as_str().unwrap();
        assert!(text.contains(&words(number, 40)), "{text}");
        assert!(!text.contains(&words(900_000 + number % 5, 12)), "{text}");
    }
    let templates = files.keys().filter(|name| name.starts_with("templates/"));
    let listed = summary.files.keys().filter(|name| name.starts_with("templates/"));
    assert!(
        templates.clone().count() == 5 && templates.eq(listed),
        "{:?}",
        files.keys()
    );
    assert!(files.contains_key("sites.html") && !files.keys().any(|name| name.starts_with(".dehusk")));
    // A later run without learning removes the templates.
    place.run("out", &Settings::default(), false, 0).unwrap();
    assert!(
        !place
            .files("out")
            .keys()
            .any(|name| name.starts_with("templates"))
    );
    assert!(!place.0.path().join("out/templates").exists());
}

#[test]
fn threads_and_interruptions_change_nothing() {
    let place = Place::new(&crawl(4, 60, 30));
    place.run("whole", &learning(), false, 0).unwrap();
    let whole = place.files("whole");
    // The first chunks belong to the first pass, the last ones to the second.
    let mut learnt_before = [false; 2];
    for (chunks, threads) in (1..15).zip([1, 7, 2].into_iter().cycle()) {
        let settings = Settings {
            threads: Some(Threads(threads)),
            ..learning()
        };
        if let Err(error) = place.run("out", &settings, true, chunks) {
            assert!(matches!(error.kind(), ErrorKind::Interrupted(_)), "{error}");
            let learnt = place.0.path().join("out/.dehusk-templates/learnt.json").exists();
            learnt_before[usize::from(learnt)] = true;
            place.run("out", &learning(), true, 0).unwrap();
        }
        assert!(
            place.files("out") == whole,
            "after {chunks} chunks, {threads} threads"
        );
        fs::remove_dir_all(place.0.path().join("out")).unwrap();
    }
    assert_eq!(learnt_before, [true; 2], "interrupted in both passes");
    // A run interrupted during learning is resumed even in a folder with the results of another run.
    place.run("out", &Settings::default(), false, 0).unwrap();
    place.run("out", &learning(), false, 1).unwrap_err();
    place.run("out", &learning(), true, 0).unwrap();
    assert!(place.files("out") == whole);
    let again = place.run("whole", &learning(), true, 0).unwrap();
    assert!(matches!(again, super::super::Ran::Before { damaged: false }));
    assert!(place.files("whole") == whole);
    let other = place.run("whole", &Settings::default(), true, 0).unwrap_err();
    assert_eq!(other.option(), Some("resume"));
}

#[test]
fn a_site_that_changes_its_layout_gets_a_second_template_and_it_is_told_when() {
    let (hosts, change) = (3, 200);
    let place = Place::new(&crawl(hosts, 500, change));
    let (learnt, summary) = place.learnt("out", &learning());
    assert_eq!(learnt.templates.len(), 4, "{learnt:?}");
    let changed: Vec<_> = learnt.templates.iter().filter(|of| of.since.is_some()).collect();
    let since = changed[0].since.as_ref().unwrap();
    assert_eq!(
        (changed.len(), changed[0].site.as_str()),
        (1, "https://h1.example/")
    );
    // The host is settled by then, so that only some of its pages are learnt from.
    let first = change * hosts + 2;
    assert!((first..first + 60 * hosts).contains(&since.record), "{since:?}");
    let page = (since.record - 1) / hosts;
    assert!(since.url.ends_with(&format!("/{page}.html")), "{since:?}");
    assert_eq!(
        since.date,
        Some(format!("{}-02-{:02}", 2019 + page % 3, 1 + page % 28))
    );
    assert!(since.file.ends_with("crawl.jsonl"), "{since:?}");
    // Few pages were learnt from, and all are extracted with templates.
    assert!(
        learnt.looked_at < 500 && learnt.looked_at + learnt.passed_over == 1500,
        "{learnt:?}"
    );
    assert_eq!(
        summary.sites.and_then(|sites| sites.fired),
        Some(1500),
        "{:?}",
        summary.sites
    );
}

#[test]
fn hosts_of_few_pages_give_the_same_whatever_threads_meet_first() {
    // Sixty interleaved hosts: a third have one page, a third two and a third three.
    let crawl = crawl(60, 3, 99);
    let of_few = crawl
        .lines()
        .enumerate()
        .filter(|(number, _)| number / 60 <= number % 60 % 3);
    let lines: Vec<&str> = of_few.map(|(_, line)| line).collect();
    let place = Place::new(&(lines.join("\n") + "\n"));
    let learnt = |threads| {
        let settings = Settings {
            threads: Some(Threads(threads)),
            ..learning()
        };
        place.learnt(&format!("out{threads}"), &settings).0
    };
    let first = learnt(1);
    assert_eq!(
        (first.templates.len(), first.alone, first.looked_at),
        (40, 20, 120)
    );
    for threads in [2, 7] {
        assert_eq!(learnt(threads), first);
        let out = |threads: usize| place.files(&format!("out{threads}"))["documents.jsonl"].clone();
        assert!(out(threads) == out(1), "{threads} threads");
    }
}

#[test]
fn a_host_is_one_whatever_the_schemes_of_its_addresses() {
    let mixed: String = crawl(3, 20, 99)
        .lines()
        .enumerate()
        .map(|(number, line)| match number % 2 {
            0 => line.replace("https://", "http://") + "\n",
            _ => line.to_owned() + "\n",
        })
        .collect();
    let place = Place::new(&mixed);
    let (learnt, summary) = place.learnt("out", &learning());
    let sites: Vec<_> = learnt
        .templates
        .iter()
        .map(|of| (of.site.as_str(), of.pages))
        .collect();
    let all = [
        ("http://h0.example/", 20),
        ("http://h2.example/", 20),
        ("https://h1.example/", 20),
    ];
    let mut sorted = sites.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, all);
    assert_eq!(summary.sites.and_then(|sites| sites.fired), Some(60));
}

#[test]
fn hosts_with_templates_keep_those() {
    let place = Place::new(&crawl(3, 10, 99));
    place.run("first", &learning(), false, 0).unwrap();
    let given = place.0.path().join("given");
    fs::create_dir(&given).unwrap();
    for (name, text) in place.files("first") {
        if name.starts_with("templates/h2") {
            fs::write(given.join(name.trim_start_matches("templates/")), text).unwrap();
        }
    }
    let settings = Settings {
        templates: Some(given),
        ..learning()
    };
    let (learnt, summary) = place.learnt("second", &settings);
    assert_eq!(learnt.templates.len(), 2, "{learnt:?}");
    assert_eq!(summary.sites.and_then(|sites| sites.fired), Some(30));
    assert!(place.files("second")["documents.jsonl"] == place.files("first")["documents.jsonl"]);
}

/// Runs on a pipe with these lines, which is removed after the run.
#[cfg(target_os = "linux")]
fn run_of_pipe(
    place: &Place,
    lines: &str,
    out: &str,
    settings: &Settings,
    (resume, chunks): (bool, u64),
) -> Result<super::super::Ran, Error> {
    use std::io::Write as _;
    use std::os::fd::AsRawFd as _;
    let (reader, mut writer) = std::io::pipe().unwrap();
    let link = place.0.path().join("stream");
    std::os::unix::fs::symlink(format!("/proc/self/fd/{}", reader.as_raw_fd()), &link).unwrap();
    std::thread::scope(|scope| {
        // A run that is stopped does not read to the end, so that writing may fail.
        scope.spawn(move || drop(writer.write_all(lines.as_bytes())));
        let ran = place.run_of("stream", out, settings, resume, chunks);
        drop(reader);
        fs::remove_file(link).unwrap();
        ran
    })
}

/// Settings for JSON Lines in a file without extension, optionally with a folder for temporary files.
#[cfg(target_os = "linux")]
fn learning_of_lines(place: &Place, temporary: bool) -> Settings {
    let temp_dir = temporary.then(|| place.0.path().join("temporary"));
    if let Some(folder) = &temp_dir {
        fs::create_dir_all(folder).unwrap();
    }
    Settings {
        input_format: Some("jsonl".parse().unwrap()),
        temp_dir,
        ..learning()
    }
}

/// JSON Lines without the field `source`.
#[cfg(target_os = "linux")]
fn without_source(rows: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for line in rows.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let mut row: serde_json::Map<String, serde_json::Value> = serde_json::from_slice(line).unwrap();
        row.remove("source");
        serde_json::to_writer(&mut out, &row).unwrap();
        out.push(b'\n');
    }
    out
}

#[test]
#[cfg(target_os = "linux")]
fn a_stream_is_kept_until_the_run_ends_and_resumed_without_being_there() {
    // More than one compressed frame, so that a run can be stopped while reading.
    let long = format!("\"html\":\"<!--{}-->", "x".repeat(9000));
    let crawl = crawl(4, 40, 30).replace("\"html\":\"", &long);
    assert!(crawl.len() > 1 << 20);
    let place = Place::new(&crawl);
    place.run("whole", &learning(), false, 0).unwrap();
    let data = |out: &str| {
        let mut files = place.files(out);
        files.retain(|name, _| name.ends_with(".jsonl") || name.ends_with(".toml"));
        // A stream has another name than a file.
        for (_, rows) in files.iter_mut().filter(|(name, _)| name.ends_with(".jsonl")) {
            *rows = without_source(rows);
        }
        files
    };
    let whole = data("whole");
    assert!(whole.keys().any(|name| name.starts_with("templates/")));
    let left = |out: &str, temporary: &Path| {
        let folders = [place.0.path().join(out), temporary.to_owned()];
        let all = folders
            .iter()
            .flat_map(|folder| fs::read_dir(folder).into_iter().flatten());
        let names = all.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
        names.filter(|name| name.starts_with(".dehusk-input")).count()
    };
    let mut stopped = BTreeMap::<&str, u32>::new();
    for (chunks, temporary) in (0..9).zip([false, true].into_iter().cycle()) {
        let settings = learning_of_lines(&place, temporary);
        let folder = place.0.path().join("temporary");
        let ran = run_of_pipe(&place, &crawl, "out", &settings, (false, chunks));
        let Err(error) = ran else {
            assert!(data("out") == whole, "not stopped after {chunks} chunks");
            assert_eq!(left("out", &folder), 0);
            *stopped.entry("not").or_default() += 1;
            continue;
        };
        assert!(matches!(error.kind(), ErrorKind::Interrupted(_)), "{error}");
        if error.help().is_none() {
            let refused = run_of_pipe(&place, &crawl, "out", &settings, (true, 0)).unwrap_err();
            assert_eq!(
                (refused.kind().exit_code(), refused.option()),
                (2, Some("resume")),
                "{refused}"
            );
            *stopped.entry("while it read").or_default() += 1;
        } else {
            place.run_of("stream", "out", &settings, true, 0).unwrap();
            assert!(data("out") == whole, "after {chunks} chunks");
            assert_eq!(left("out", &folder), 0);
            *stopped.entry("later").or_default() += 1;
        }
        fs::remove_dir_all(place.0.path().join("out")).unwrap();
    }
    assert_eq!(stopped.len(), 3, "{stopped:?}");
    // Another stream in the same folder is another run, and the files left by the first run are removed.
    let settings = learning_of_lines(&place, false);
    run_of_pipe(&place, &crawl, "out", &settings, (false, 4)).unwrap_err();
    run_of_pipe(
        &place,
        &crawl.replace("https:", "http:"),
        "out",
        &settings,
        (false, 1),
    )
    .unwrap_err();
    assert_eq!(left("out", &place.0.path().join("out")), 0);
    let refused = run_of_pipe(&place, &crawl, "out", &settings, (true, 0)).unwrap_err();
    assert_eq!(refused.option(), Some("resume"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_stream_that_finds_no_room_is_told_with_the_option() {
    let place = Place::new("");
    let settings = Settings {
        temp_dir: Some(place.0.path().join("crawl.jsonl")),
        ..learning_of_lines(&place, false)
    };
    let refused = run_of_pipe(&place, "{}\n", "out", &settings, (false, 0)).unwrap_err();
    assert_eq!(
        (refused.kind().exit_code(), refused.option()),
        (4, Some("temp-dir")),
        "{refused}"
    );
}

#[test]
fn nothing_is_learnt_of_pages_without_addresses() {
    let place = Place::new("{\"html\":\"<p>one page\"}\n{\"html\":\"<p>another page\"}\n");
    let (learnt, summary) = place.learnt("out", &learning());
    assert_eq!((learnt, summary.counts.read), (LearntSites::default(), 2));
    assert!(!place.files("out").contains_key("sites.html"));
}
