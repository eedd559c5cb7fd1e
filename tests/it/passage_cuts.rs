//! Which passages `dehusk passages` cuts.

use std::fs;

use crate::passages::{found, line};
use crate::support::{counts_add_up, dehusk, folder, prose, rows, text};

/// Lines that frame the documents of a host go; lines inside of texts, short lines, lines of few documents and of several hosts stay.
#[test]
fn only_what_frames_the_documents_of_a_host_is_cut_if_asked() {
    let frame = "The weekly of the river towns, read by all who live along the water.";
    let end = "Write to the editors of the weekly if something in this report is wrong.";
    let step = "Rinse the willow rods in cold water before you bend them to a frame.";
    let label = "Read on";
    let own = |n: u64| prose(n, 30).trim().to_owned();
    let page = |n: u64| match n {
        0..6 => format!(
            "{frame}\n{}\n{step}\n{}\n{label}\n{end}\n* * *",
            own(n),
            own(n + 50)
        ),
        6 | 7 => format!("{step}\n{}", own(n)),
        _ => own(n),
    };
    let mut lines: Vec<String> = (0..10)
        .map(|n| line(&format!("a{n}"), "a.example", &page(n)))
        .collect();
    let dir = folder(&[("docs.jsonl", &(lines.join("\n") + "\n"))]);
    let flags = ["--unit", "line", "--repeat", "drop", "--min-documents", "2"];
    let kept = |more: &[&str]| {
        let out = found(dir.path(), &[&flags[..], more].concat());
        counts_add_up(&out);
        rows(&out.join("kept.jsonl"))
    };
    let texts = kept(&["--at", "ends", "--min-host-share", "0.3", "--min-unit", "5"]);
    assert_eq!(texts.len(), 10);
    let first = texts[0]["text"].as_str().unwrap();
    assert!(!first.contains(frame) && !first.contains(end), "{first}");
    assert_eq!(first, format!("{}\n{step}\n{}\n{label}\n* * *", own(0), own(50)));
    // Eight of ten have the line of the step; at the ends of two it is cut, inside of six it stays.
    assert!(!texts[6]["text"].as_str().unwrap().contains(step));
    let shorter = kept(&["--at", "ends"]);
    assert!(!shorter[0]["text"].as_str().unwrap().contains(label));
    let rarer = kept(&["--at", "ends", "--min-host-share", "0.9"]);
    assert_eq!(rarer[0]["text"].as_str().unwrap(), page(0).as_str());

    // Another host has the line, too, so that it is not the frame of one site.
    lines.push(line("b", "b.example", &format!("{frame}\n{}", prose(90, 30))));
    fs::write(dir.path().join("docs.jsonl"), lines.join("\n") + "\n").unwrap();
    let shared = kept(&["--at", "ends", "--min-host-share", "0.2"]);
    let first = shared[0]["text"].as_str().unwrap();
    assert!(first.contains(frame) && !first.contains(end), "{first}");

    let wrong = |flags: &[&str], words: &[&str]| {
        let input = text(&dir.path().join("docs.jsonl"));
        let arguments = ["passages", &input, "--out", "x"];
        dehusk(arguments.iter().chain(flags)).exits(2).says(words);
    };
    wrong(&["--at", "ends"], &["--at", "--repeat first"]);
    wrong(
        &["--repeat", "mark", "--min-host-share", "0.5"],
        &["--min-host-share"],
    );
    wrong(&["--min-unit", "5"], &["--min-unit", "--min-run"]);
}
