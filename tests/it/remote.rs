//! Inputs on other machines, over servers that fail.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::server::{Fault, Server};
use crate::sources::response;
use crate::support::{Ran, command, contents, dehusk, folder, page, prose, rows, text};
use crate::warc::gzip;

/// The binary, with what programs of S3 have in their environment.
fn dehusk_of(server: &Server, arguments: &[&str]) -> Ran {
    let out = command()
        .args(arguments)
        .envs([
            ("AWS_ENDPOINT_URL", server.url("").as_str()),
            ("AWS_ALLOW_HTTP", "true"),
            ("AWS_ACCESS_KEY_ID", "a"),
            ("AWS_SECRET_ACCESS_KEY", "b"),
            ("AWS_REGION", "us-east-1"),
        ])
        .stdin(Stdio::null())
        .output();
    out.expect("the binary starts").into()
}

fn html(number: u64) -> String {
    page(&format!("Page {number}"), &prose(number + 300, 90))
}

fn lines(count: u64) -> String {
    let line = |number: u64| {
        // What hardly compresses makes files of several blocks.
        let row = json!({"id": format!("p{number}"), "html": html(number), "filling": prose(number, 30_000)});
        row.to_string() + "\n"
    };
    (0..count).map(line).collect()
}

/// An archive of more than one block: pages, and an image among them that does not compress and is passed over.
fn long_archive() -> Vec<u8> {
    let mut state = 1_u64;
    let noise = std::iter::repeat_with(|| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        state.to_be_bytes()
    });
    let image: Vec<u8> = noise.flatten().take(6 << 20).collect();
    let head = format!(
        "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:x:image>\r\nWARC-Date: 2024-05-01T00:00:00Z\r\n\
         WARC-Target-URI: http://a.example/i.png\r\nContent-Type: image/png\r\nContent-Length: {}\r\n\r\n",
        image.len()
    );
    let image = [head.as_bytes(), &image, b"\r\n\r\n"].concat();
    [response(0), image, response(1), response(2)].concat()
}

/// A folder with an input of each way of reading: streams of one block and of several, files that are read from their ends, pages.
fn inputs() -> tempfile::TempDir {
    let dir = folder(&[
        ("lines.jsonl", &lines(2)),
        ("page.html", &html(1)),
        ("empty.jsonl", ""),
    ]);
    let at = |name: &str| dir.path().join(name);
    let archive: Vec<u8> = (0..9).flat_map(|number| gzip(&response(number))).collect();
    fs::write(at("short.warc.gz"), &archive).expect("a file");
    fs::write(at("long.warc"), long_archive()).expect("a file");
    fs::write(at("wrapped.wacz"), zipped("archive/data.warc.gz", &archive)).expect("a file");
    #[cfg(feature = "parquet")]
    {
        fs::write(at("some.jsonl"), lines(8)).expect("a file");
        let (from, to) = (text(&at("some.jsonl")), text(&at("table.parquet")));
        dehusk(["extract", &from, "--html", "--out", &to]).exits(0);
        fs::remove_file(at("some.jsonl")).expect("it was written");
    }
    dir
}

/// A zip file with one stored entry.
fn zipped(name: &str, content: &[u8]) -> Vec<u8> {
    let mut crc = flate2::Crc::new();
    crc.update(content);
    let (crc, size, length) = (
        crc.sum().to_le_bytes(),
        (content.len() as u32).to_le_bytes(),
        name.len() as u16,
    );
    let common = [
        &[20, 0, 0, 0, 0, 0, 0, 0, 0, 0][..],
        &crc,
        &size,
        &size,
        &length.to_le_bytes(),
        &[0, 0],
    ]
    .concat();
    let local = [b"PK\x03\x04", common.as_slice(), name.as_bytes(), content].concat();
    let entry = [
        b"PK\x01\x02\x14\x00",
        common.as_slice(),
        &[0; 14],
        name.as_bytes(),
    ]
    .concat();
    let at = (local.len() as u32).to_le_bytes();
    let end = [
        b"PK\x05\x06\0\0\0\0\x01\0\x01\0",
        &(entry.len() as u32).to_le_bytes()[..],
        &at,
        &[0, 0],
    ]
    .concat();
    [local, entry, end].concat()
}

/// The documents of an input, without the part of `source` and `id` that says on which machine it is.
fn documents(ran: &Ran, machine: &str) -> Vec<Value> {
    let read = |line: &str| {
        let mut row: Value = serde_json::from_str(line).expect("JSON");
        for field in ["source", "id"] {
            let name = row[field].as_str().expect("a name");
            row[field] = name.replace(machine, "").into();
        }
        row
    };
    ran.stdout.lines().map(read).collect()
}

fn files(dir: &Path, below: &str) -> Vec<(String, Vec<u8>)> {
    let named = |(name, bytes)| (format!("{below}/{name}"), bytes);
    contents(dir).into_iter().map(named).collect()
}

const EXTRACT: [&str; 4] = ["extract", "--output-format", "jsonl", "--max-bad=0"];

#[test]
fn files_on_other_machines_are_read_as_those_of_a_disk_whatever_goes_wrong() {
    let dir = inputs();
    let here = format!("{}/", text(dir.path()));
    let expected: Vec<(String, Vec<Value>)> = contents(dir.path())
        .into_keys()
        .map(|name| {
            let ran = dehusk(EXTRACT.into_iter().chain([format!("{here}{name}").as_str()])).exits(0);
            let found = documents(&ran, &here);
            (name, found)
        })
        .collect();
    assert!(expected.iter().map(|(_, found)| found.len()).sum::<usize>() > 20);
    for fault in [
        Fault::None,
        Fault::Drops,
        Fault::Resets,
        Fault::ShortBody,
        Fault::Refuses,
        Fault::Slow,
        Fault::NoRanges,
        Fault::NoHead,
    ] {
        let server = Server::start(files(dir.path(), "/bucket/in"), fault);
        for (name, expected) in &expected {
            let is_from_end = name.ends_with("parquet") || name.ends_with("wacz");
            for machine in [server.url("/bucket/in/"), "s3://bucket/in/".to_owned()] {
                // Stores that keep objects know ranges and `HEAD`.
                let is_http = machine.starts_with("http");
                if !is_http && [Fault::NoRanges, Fault::NoHead].contains(&fault)
                    || fault == Fault::NoRanges && is_from_end
                {
                    continue;
                }
                let input = format!("{machine}{name}");
                let ran = dehusk_of(&server, &[&EXTRACT[..], &[&input]].concat());
                assert_eq!(ran.code, Some(0), "{fault:?} {input}: {}", ran.stderr);
                assert!(
                    documents(&ran, &machine) == *expected,
                    "{fault:?} {input}: {}",
                    ran.stdout
                );
            }
        }
    }
}

#[test]
fn a_prefix_is_a_folder_that_is_listed_while_it_is_read() {
    let short = |number: usize| format!("<title>T</title><p>{}", prose(number as u64 % 7, 30)).into_bytes();
    let names = |number: usize| format!("/bucket/in/{:02}/{number:05}.html", number % 30);
    let mut objects: Vec<(String, Vec<u8>)> =
        (0..2500).map(|number| (names(number), short(number))).collect();
    objects.push(("/bucket/in/.git/a.html".to_owned(), short(1)));
    objects.push(("/bucket/in/style.css".to_owned(), b"a {}".to_vec()));
    objects.push(("/bucket/in/zz/no-extension".to_owned(), short(2)));
    objects.push(("/bucket/inner.html".to_owned(), short(3)));
    let server = Server::start(objects, Fault::None);
    let ran = dehusk_of(
        &server,
        &["extract", "--output-format", "jsonl", "s3://bucket/in"],
    )
    .exits(0);
    let ids: Vec<String> = documents(&ran, "")
        .iter()
        .map(|row| row["id"].as_str().expect("an id").to_owned())
        .collect();
    assert_eq!(ids.len(), 2501);
    assert!(ids.is_sorted() && ids[0] == "00/00000.html" && ids[2500] == "zz/no-extension");
    ran.says(&["1 other-extension", "1 hidden"]);
    let requests = server.requests();
    let is_list = |line: &&String| line.contains("list-type=2");
    let lists = requests.iter().filter(is_list).count();
    let first_page = requests
        .iter()
        .position(|line| line.contains(".html"))
        .expect("pages were asked for");
    // One list says that it is a folder. The third page of the list is asked for after pages of the first were.
    assert!((4..=5).contains(&lists), "{lists}");
    let before = requests[..first_page].iter().filter(is_list).count();
    assert!(before <= 3, "{before} of {lists} lists before the first page");
}

#[test]
fn what_cannot_be_read_is_told_with_a_remedy() {
    let server = Server::start([("/bucket/a.html".to_owned(), html(1).into_bytes())], Fault::None);
    for (input, told) in [
        (server.url("/none.html"), "nothing at this address"),
        ("s3://bucket/none".to_owned(), "nothing at this address"),
        ("s3://bucket/none/".to_owned(), "nothing below this address"),
        ("s3:///none".to_owned(), "no host and no bucket"),
        (
            "ftp://a.example/x".to_owned(),
            "known are https, http, s3, gs and az",
        ),
    ] {
        let ran = dehusk_of(&server, &["extract", &input]).exits(2);
        ran.says(&[told, &format!("cannot read `{input}`")]);
    }
    dehusk_of(&server, &["extract", "s3://bucket/none"]).says(&["AWS_ACCESS_KEY_ID"]);
}

#[test]
fn an_object_that_changes_while_it_is_read_is_not_mixed() {
    let server = Server::start([("/long.warc".to_owned(), long_archive())], Fault::Changes);
    let ran = dehusk_of(&server, &[&EXTRACT[..], &[&server.url("/long.warc")]].concat()).exits(3);
    ran.says(&["it was changed while it was read"]);
}

#[test]
fn lists_on_other_machines_name_no_files_of_this_one() {
    let dir = folder(&[("secret.html", &html(1))]);
    let secret = text(&dir.path().join("secret.html"));
    let list = json!({"id": "x", "path": secret}).to_string();
    let server = Server::start([("/list.jsonl".to_owned(), list.into_bytes())], Fault::None);
    let input = server.url("/list.jsonl");
    dehusk_of(&server, &[&EXTRACT[..], &[&input]].concat())
        .exits(3)
        .says(&["path-not-allowed"]);
    let allowed = text(dir.path());
    let ran = dehusk_of(
        &server,
        &[&EXTRACT[..], &[&input, "--allow-paths", &allowed]].concat(),
    )
    .exits(0);
    assert_eq!(documents(&ran, "").len(), 1);
}

#[test]
fn runs_over_other_machines_are_the_same_and_resumed() {
    let dir = folder(&[]);
    let out = |name: &str| text(&dir.path().join(name));
    let archive = (0..200).flat_map(|number| gzip(&response(number))).collect();
    let server = Server::start([("/bucket/in/long.warc.gz".to_owned(), archive)], Fault::None);
    let run = |name: &str, more: &[&str]| {
        dehusk_of(
            &server,
            &[&["run", "s3://bucket/in", "--out", &out(name)], more].concat(),
        )
    };
    run("whole", &["-j", "1"]).exits(0);
    run("threads", &["-j", "3"]).exits(0);
    assert!(contents(&dir.path().join("whole")) == contents(&dir.path().join("threads")));
    assert_eq!(rows(&dir.path().join("whole/documents.jsonl")).len(), 200);
    run("whole", &["--resume"]).exits(0).says(&["nothing to do"]);
}

/// The files of a folder, and those below a prefix of a server, by their names.
fn published(server: &Server, prefix: &str) -> Vec<(String, Vec<u8>)> {
    let names = server.names().into_iter();
    let mut found: Vec<(String, Vec<u8>)> = names
        .filter_map(|name| {
            let below = name.strip_prefix(prefix)?.to_owned();
            Some((below, server.file(&format!("/{name}"))?.to_vec()))
        })
        .collect();
    found.sort();
    found
}

#[test]
fn outputs_of_stores_are_those_of_a_folder_whatever_goes_wrong() {
    let dir = folder(&[("pages.jsonl", &lines(8))]);
    let at = |name: &str| text(&dir.path().join(name));
    // More than one part of an upload.
    let big: String = (0..400)
        .map(|number| json!({"id": number, "text": prose(number, 4000)}).to_string() + "\n")
        .collect();
    fs::write(dir.path().join("texts.jsonl"), &big).expect("a file");
    assert!(big.len() > 9 << 20);
    let commands = [
        ("run", "pages.jsonl", &["--learn-sites"][..]),
        ("dedup", "texts.jsonl", &[]),
        ("passages", "texts.jsonl", &["--repeat", "first"]),
    ];
    for (verb, input, more) in commands {
        dehusk([&[verb, &at(input), "--out", &at(verb)], more].concat()).exits(0);
    }
    for (fault, verbs) in [
        (Fault::None, 3),
        (Fault::Resets, 2),
        (Fault::Refuses, 1),
        (Fault::Slow, 1),
    ] {
        let server = Server::start([], fault);
        for (verb, input, more) in commands.into_iter().take(verbs) {
            let (out, staged) = (format!("s3://bucket/{verb}/"), at("staged"));
            let to = ["--temp-dir", staged.as_str(), "--out", &out];
            let ran = dehusk_of(&server, &[&[verb, &at(input)], &to[..], more].concat());
            assert_eq!(ran.code, Some(0), "{fault:?} {verb}: {}", ran.stderr);
            let here: Vec<(String, Vec<u8>)> = contents(&dir.path().join(verb))
                .into_iter()
                .filter(|(name, _)| !name.starts_with('.'))
                .collect();
            assert!(
                published(&server, &format!("bucket/{verb}/")) == here,
                "{fault:?} {verb}"
            );
            // Nothing stays behind.
            assert!(
                contents(&dir.path().join("staged")).is_empty(),
                "{fault:?} {verb}"
            );
        }
    }
}

#[test]
fn a_summary_in_a_store_appears_last_and_other_objects_are_left_alone() {
    let dir = folder(&[("pages.jsonl", &lines(3))]);
    let (input, staged) = (
        text(&dir.path().join("pages.jsonl")),
        text(&dir.path().join("staged")),
    );
    let server = Server::start([("/bucket/mine/photo.jpg".to_owned(), vec![1])], Fault::None);
    let run = |out: &str, more: &[&str]| {
        dehusk_of(
            &server,
            &[&["run", &input, "--temp-dir", &staged, "--out", out], more].concat(),
        )
    };
    run("s3://bucket/mine", &[])
        .exits(2)
        .says(&["not an output of dehusk", "photo.jpg"]);
    run("https://a.example/x", &[]).exits(4).says(&["s3, gs and az"]);
    run("s3://bucket/mine", &["--dry-run"])
        .exits(2)
        .says(&["dry run"]);
    assert_eq!(server.names(), ["bucket/mine/photo.jpg"]);

    run("s3://bucket/out", &["--compress", "gzip"])
        .exits(0)
        .says(&["s3://bucket/out/kept.jsonl.gz"]);
    let puts: Vec<String> = server
        .requests()
        .into_iter()
        .filter(|line| line.starts_with("PUT"))
        .collect();
    assert!(
        puts[0].contains(".dehusk-coming.json") && puts.last().expect("files").contains("/summary.json"),
        "{puts:?}"
    );
    run("s3://bucket/out", &["--compress", "gzip", "--resume"])
        .exits(0)
        .says(&["nothing to do"]);
    assert!(contents(&dir.path().join("staged")).is_empty());
    // Files of the earlier run that the new one does not write go.
    run("s3://bucket/out", &[]).exits(0);
    let names: Vec<String> = published(&server, "bucket/out/")
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    assert!(
        names.contains(&"kept.jsonl".to_owned())
            && !names
                .iter()
                .any(|name| name.ends_with(".gz") || name.starts_with('.')),
        "{names:?}"
    );
    let file = "s3://bucket/files/one.jsonl.gz";
    dehusk_of(&server, &["extract", &input, "--out", file]).exits(0);
    assert!(
        server
            .file("/bucket/files/one.jsonl.gz")
            .expect("it was sent")
            .starts_with(b"\x1f\x8b")
    );
    let verb = dehusk_of(
        &server,
        &[
            "dedup",
            &input,
            "--column",
            "text=filling",
            "--out",
            "s3://bucket/out",
        ],
    )
    .exits(2);
    verb.says(&["holds the results of `dehusk run`"]);
}

#[cfg(unix)]
#[test]
fn a_run_between_stores_goes_on_after_a_kill_at_any_moment() {
    use std::time::Duration;

    let dir = folder(&[]);
    let archive: Vec<u8> = (0..300).flat_map(|number| gzip(&response(number))).collect();
    let input = ("/bucket/in/long.warc.gz".to_owned(), archive);
    let server = Server::start([input], Fault::Slow);
    let staged = text(&dir.path().join("staged"));
    let arguments = |out: &str| -> Vec<String> {
        [
            "run",
            "s3://bucket/in",
            "-j",
            "2",
            "--temp-dir",
            &staged,
            "--out",
            out,
        ]
        .map(str::to_owned)
        .into()
    };
    let start = |out: &str, more: &[&str]| {
        command()
            .args(arguments(out))
            .args(more)
            .envs([
                ("AWS_ENDPOINT_URL", server.url("").as_str()),
                ("AWS_ALLOW_HTTP", "true"),
                ("AWS_ACCESS_KEY_ID", "a"),
                ("AWS_SECRET_ACCESS_KEY", "b"),
                ("AWS_REGION", "us-east-1"),
            ])
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary starts")
    };
    let began = std::time::Instant::now();
    assert!(start("s3://bucket/whole", &[]).wait().expect("it ends").success());
    let took = began.elapsed();
    let whole = published(&server, "bucket/whole/");
    assert!(whole.iter().any(|(name, _)| name == "summary.json"));
    for kill in 1..=5_u32 {
        let (out, prefix) = (format!("s3://bucket/{kill}"), format!("bucket/{kill}/"));
        let mut child = start(&out, &[]);
        std::thread::sleep(Duration::from_secs_f64(
            took.as_secs_f64() * f64::from(kill) / 5.5,
        ));
        let _ = child.kill();
        child.wait().expect("it ends");
        // An output with a summary is complete.
        let mut left = published(&server, &prefix);
        // The mark of a run that is not finished goes last.
        left.retain(|(name, _)| name != ".dehusk-coming.json");
        assert!(
            left.iter().all(|(name, _)| name != "summary.json") || left == whole,
            "kill {kill}"
        );
        assert!(
            start(&out, &["--resume"]).wait().expect("it ends").success(),
            "kill {kill}"
        );
        assert!(published(&server, &prefix) == whole, "kill {kill}");
    }
}

/// The commands of a document that go to stores, as `tests/it/documented.rs` knows commands.
#[cfg(all(unix, feature = "parquet"))]
fn jobs(document: &str) -> Vec<String> {
    let mut jobs: Vec<String> = Vec::new();
    for line in document.lines() {
        if let Some(first) = line.strip_prefix("$ ") {
            jobs.push(first.to_owned());
        } else if let (Some(more), Some(job)) = (line.strip_prefix("> "), jobs.last_mut()) {
            *job += &format!("\n{more}");
        }
    }
    jobs.retain(|job| job.contains("s3://corpus/"));
    jobs
}

#[cfg(all(unix, feature = "parquet"))]
#[test]
fn the_daily_job_of_the_documents_runs_as_it_stands() {
    use std::process::Command;

    let dir = folder(&[]);
    let shell = |server: &Server, job: &str| -> Ran {
        let program = Path::new(env!("CARGO_BIN_EXE_dehusk"))
            .parent()
            .expect("in a folder");
        let path = format!("{}:{}", text(program), std::env::var("PATH").unwrap_or_default());
        let mut command = Command::new("sh");
        command
            .args(["-c", &job.replace("/data", &text(dir.path()))])
            .envs([
                ("PATH", path.as_str()),
                ("AWS_ENDPOINT_URL", server.url("").as_str()),
                ("AWS_ALLOW_HTTP", "true"),
                ("AWS_ACCESS_KEY_ID", "a"),
                ("AWS_SECRET_ACCESS_KEY", "b"),
                ("AWS_REGION", "us-east-1"),
            ]);
        command.stdin(Stdio::null()).output().expect("a shell").into()
    };
    let yesterday = Command::new("date")
        .args(["-u", "-d", "yesterday", "+%F"])
        .output();
    let yesterday = yesterday.map(|out| String::from_utf8_lossy(&out.stdout).trim().to_owned());
    let Some(yesterday) = yesterday.ok().filter(|day| !day.is_empty()) else {
        return;
    };
    let members: Vec<Vec<u8>> = (0..6).map(|number| gzip(&response(number))).collect();
    let mut index = String::new();
    for (number, member) in members.iter().enumerate() {
        let offset: usize = members[..number].iter().map(Vec::len).sum();
        let language = ["rus", "eng"][number % 2];
        let row = json!({"url": format!("http://a.example/{number}"), "filename": format!("warc/{yesterday}/a.warc.gz"), "offset": offset,
            "length": member.len(), "languages": language});
        index += &format!("{row}\n");
    }
    let server = Server::start(
        [
            (format!("/crawl/warc/{yesterday}/a.warc.gz"), members.concat()),
            (
                format!("/crawl/index/{yesterday}/index.jsonl"),
                index.into_bytes(),
            ),
        ],
        Fault::None,
    );
    let document = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/crawls.md"))
        .expect("it is there");
    let jobs = jobs(&document);
    assert_eq!(jobs.len(), 2);
    shell(&server, &jobs[0])
        .exits(0)
        .says(&["6 pages read, 6 documents kept"]);
    shell(&server, &jobs[0]).exits(0).says(&["nothing to do"]);
    // The pages of the index are those that the first job has added to the known ones.
    shell(&server, &jobs[1])
        .exits(0)
        .says(&["3 pages read, 0 documents kept"]);
    let names = server.names();
    for name in [
        format!("corpus/{yesterday}/kept-00000.parquet"),
        format!("corpus/{yesterday}-cyrillic/summary.json"),
    ] {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
}
