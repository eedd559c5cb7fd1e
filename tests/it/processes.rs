//! Pages in processes of their own: the same output, and a page that kills its process costs that page.

use std::fs;
use std::path::Path;

use crate::support::{Ran, command, contents, counts_add_up, dehusk, page, prose, text, unplaced};

/// Options for files that have long lines and odd ones.
const OF_LINES: [&str; 6] = [
    "--max-bytes",
    "1MiB",
    "--max-bad",
    "100%",
    "--output-format",
    "jsonl",
];

fn fixture(name: &str) -> String {
    text(
        &Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../fixtures")
            .join(name),
    )
}

#[test]
fn output_is_the_same_with_and_without_processes() {
    let dir = tempfile::tempdir().unwrap();
    let crawl = fixture("crawl");
    let mut outputs = Vec::new();
    for more in [&["--threads", "1"][..], &["--threads", "3"], &["--in-process"]] {
        let out = dir.path().join(format!("out{}", outputs.len()));
        let written = text(&out);
        let run = ["run", &crawl, "--max-bad", "1", "--blocks", "--out", &written];
        dehusk(run.iter().chain(more)).exits(0);
        let extract = ["extract", &crawl, "--max-bad", "1", "--output-format", "markdown"];
        let extracted = dehusk(extract.iter().chain(more)).exits(0).stdout;
        outputs.push((contents(&out), extracted));
    }
    assert!(outputs[0] == outputs[1], "threads");
    assert!(outputs[0] == outputs[2], "processes");
}

/// Lines of a file that is read where they are worked on: records without names, long lines and odd ones, more than one process reads at
/// once.
#[test]
fn records_of_a_plain_file_keep_their_places_whoever_reads_them() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("pages.jsonl");
    let mut lines = String::from("\u{feff}");
    for number in 0..60 {
        let words = prose(number, if number % 7 == 3 { 90_000 } else { 2_000 });
        let page = serde_json::json!({ "html": page(&format!("Page {number}"), &words) });
        lines += &match number % 9 {
            4 => format!("\n  \nno json, {number}\n"),
            8 => format!("{{\"html\":\"{}\"}}\r\n", "x".repeat(4 << 20)),
            _ => format!("{page}\n"),
        };
    }
    lines += "{\"html\":\"<p>It was cut";
    fs::write(&path, &lines).unwrap();
    let name = text(&path);
    let (mut extracted, mut ran) = (Vec::new(), Vec::new());
    for more in [&["--threads", "1"][..], &["--threads", "3"], &["--in-process"]] {
        let extract = ["extract", &name].into_iter().chain(OF_LINES);
        extracted.push(dehusk(extract.chain(more.iter().copied())).exits(0).stdout);
        let out = dir.path().join(format!("out{}", ran.len()));
        let run = ["run", &name, "--max-bytes", "1MiB", "--max-bad", "100%", "-o"];
        dehusk(
            run.into_iter()
                .chain([text(&out).as_str()])
                .chain(more.iter().copied()),
        )
        .exits(0);
        counts_add_up(&out);
        ran.push(contents(&out));
    }
    assert!(extracted[0] == extracted[1] && extracted[0] == extracted[2]);
    assert!(ran[0] == ran[1] && ran[0] == ran[2]);
    let rejected = String::from_utf8_lossy(&ran[0]["quarantine.jsonl"]).into_owned();
    let ids: Vec<serde_json::Value> = rejected
        .lines()
        .map(|row| serde_json::from_str::<serde_json::Value>(row).unwrap())
        .map(|row| serde_json::json!([row["id"], row["reason"]]))
        .collect();
    let expected: Vec<serde_json::Value> = (1_u64..)
        .zip(lines.lines())
        .filter_map(|(number, line)| {
            let reason = match line.len() {
                _ if line.starts_with("no json") => "bad-json",
                length if length > 4 << 20 => "line-too-long",
                _ if line.ends_with("cut") => "truncated",
                _ => return None,
            };
            Some(serde_json::json!([number.to_string(), reason]))
        })
        .collect();
    assert_eq!(ids, expected);

    // The process has another standard input than the program, and so does not find the file.
    #[cfg(target_os = "linux")]
    {
        let mut command = command();
        command.args([
            "extract",
            "/dev/stdin",
            "--input-format",
            "jsonl",
            "--threads",
            "2",
        ]);
        command.args(OF_LINES);
        let ran: Ran = command
            .stdin(fs::File::open(&path).unwrap())
            .output()
            .unwrap()
            .into();
        assert!(unplaced(&ran.exits(0).stdout) == unplaced(&extracted[0]));
    }
}

/// Refuses memory to the program and its processes, and gives them a page that needs more.
#[cfg(target_os = "linux")]
#[test]
fn a_page_that_kills_its_process_costs_that_page() {
    use std::io::Write;
    use std::process::{Command, Stdio};

    use crate::support::rows;

    let dir = tempfile::tempdir().unwrap();
    let (input, out) = (dir.path().join("pages.jsonl"), dir.path().join("out"));
    let mut lines = fs::File::create(&input).unwrap();
    for i in 0..30 {
        let html = match i {
            7 => "<p>x".repeat(2 << 20),
            i => format!(
                "<p>On night {i} the river rose, and nobody in the town was told of it before the morning of day {i}."
            ),
        };
        writeln!(
            lines,
            "{}",
            serde_json::json!({"id": format!("p{i}"), "html": html})
        )
        .unwrap();
    }
    drop(lines);
    // The program itself is mapped, too, and its size depends on how it was compiled.
    let program = env!("CARGO_BIN_EXE_dehusk");
    let mapped = fs::metadata(program).expect("the program").len() >> 10;
    let bound = format!(r#"ulimit -v {}; exec "$0" "$@""#, mapped + 300_000);
    let limited = |arguments: &[&str]| -> Ran {
        let mut shell = Command::new("sh");
        shell.args(["-c", &bound, program]);
        shell.args(arguments).env("NO_COLOR", "1").stdin(Stdio::null());
        shell.output().expect("a shell").into()
    };
    let (input, written) = (text(&input), text(&out));
    limited(&["run", &input, "--threads", "2", "--out", &written]).exits(0);
    counts_add_up(&out);
    let rejected = rows(&out.join("quarantine.jsonl"));
    let ids: Vec<&str> = rejected.iter().filter_map(|row| row["id"].as_str()).collect();
    assert_eq!(ids, ["p7"]);
    for row in &rejected {
        assert_eq!(row["reason"], "killed", "{row}");
        let message = row["message"].as_str().expect("a message");
        assert!(
            message.contains("line ") && message.contains("memory allocation of"),
            "{message}"
        );
    }
    assert_eq!(rows(&out.join("documents.jsonl")).len(), 29);

    let lines = limited(&["extract", &input, "--threads", "2"])
        .exits(0)
        .says(&["killed"])
        .stdout;
    assert_eq!(lines.lines().count(), 29);
    let templates = text(&dir.path().join("templates"));
    limited(&[
        "site",
        "learn",
        &input,
        "--url",
        "https://a.example/x",
        "--out",
        &templates,
    ])
    .exits(0)
    .says(&["killed", "1 rejected"]);
}

/// Kills the program while one of its processes works on a page that takes long, and asks that the process ends before it can have done
/// the page. What it takes is measured in its own time, so that a busy machine makes no difference.
#[cfg(target_os = "linux")]
#[test]
fn page_processes_end_with_the_program_in_the_middle_of_a_page() {
    use std::process::{Command, Stdio};

    use crate::support::wait_until;

    /// Hundredths of a second. The page takes some hundreds of them.
    const BUSY: u64 = 20;
    const SOON: u64 = 100;

    /// What the process is of, and the time that it took; `None` if it has ended.
    fn look(process: u32) -> Option<(u32, u64)> {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        let (_, fields) = stat.rsplit_once(") ")?;
        let fields: Vec<&str> = fields.split(' ').collect();
        // A zombie counts as ended.
        let is_there = !matches!(fields[0], "Z" | "X");
        is_there.then(|| Some((fields[1].parse().ok()?, fields[11].parse().ok()?)))?
    }

    let dir = tempfile::tempdir().unwrap();
    let input = dir.path().join("pages.jsonl");
    let part =
        "<div class=a><p>The river rose over night, and <a href=/b>nobody</a> was told of it.</p></div>\n";
    let page = serde_json::json!({ "html": part.repeat(500_000) });
    fs::write(&input, format!("{page}\n")).unwrap();
    for signal in ["KILL", "TERM"] {
        let out = dir.path().join(signal);
        let mut program = command()
            .args([
                "run",
                &text(&input),
                "--blocks",
                "--threads",
                "1",
                "--out",
                &text(&out),
            ])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let busy = || {
            let entries = fs::read_dir("/proc").expect("processes");
            let mut numbers = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
            numbers.find(|number| {
                look(*number).is_some_and(|(parent, time)| parent == program.id() && time >= BUSY)
            })
        };
        wait_until("a page process at work", || busy().is_some());
        let process = busy().expect("it takes longer");
        let killed = Command::new("kill")
            .args([format!("-{signal}"), program.id().to_string()])
            .status();
        assert!(killed.expect("`kill` is there").success());
        program.wait().unwrap();
        let taken = || look(process).map_or(0, |(_, time)| time);
        // After SIGTERM the program has two seconds to end by itself.
        let before = taken();
        wait_until("the end of the page process", || {
            let time = taken();
            assert!(time < before + SOON, "{signal}: it goes on with the page");
            time == 0
        });
        assert!(!out.join("summary.json").exists());
    }
}
