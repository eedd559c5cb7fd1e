//! Pages in processes of their own: the same output, and a page that kills its process costs that page.

use std::fs;
use std::path::Path;

use crate::support::{contents, counts_add_up, dehusk, text};

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

/// Refuses memory to the program and its processes, and gives them a page that needs more.
#[cfg(target_os = "linux")]
#[test]
fn a_page_that_kills_its_process_costs_that_page() {
    use std::io::Write;
    use std::process::{Command, Stdio};

    use crate::support::{Ran, rows};

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
    let limited = |arguments: &[&str]| -> Ran {
        let mut shell = Command::new("sh");
        shell.args([
            "-c",
            r#"ulimit -v 350000; exec "$0" "$@""#,
            env!("CARGO_BIN_EXE_dehusk"),
        ]);
        shell.args(arguments).env("NO_COLOR", "1").stdin(Stdio::null());
        shell.output().expect("a shell").into()
    };
    let (input, written) = (text(&input), text(&out));
    limited(&["run", &input, "--threads", "2", "--out", &written]).exits(3);
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
        .exits(3)
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
    .exits(3)
    .says(&["killed", "1 rejected"]);
}
