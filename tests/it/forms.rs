//! The forms of files: compression, shards, formats by extension.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::Path;

use crate::support::{contents, dehusk, folder, json, page, prose, text};

/// A folder with `pages.jsonl`: 60 pages, a copy among them, one whose id is there twice, and a line that is broken.
fn pages() -> tempfile::TempDir {
    let mut lines = String::new();
    for n in 0..60_u64 {
        let id = if n == 30 { 29 } else { n };
        let html = page(
            &format!("Page {n}"),
            &prose(n / 2 * 2 + n % 2 * u64::from(n < 50), 150),
        );
        lines += &format!(
            "{}\n",
            serde_json::json!({"id": format!("page {id}"), "html": html})
        );
    }
    lines += "{broken\n";
    folder(&[("pages.jsonl", &lines)])
}

fn plain(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    match name.rsplit('.').next() {
        Some("gz") => {
            let mut members = flate2::read::MultiGzDecoder::new(bytes);
            members.read_to_end(&mut out).expect("gzip");
        }
        Some("zst") => out = zstd::stream::decode_all(bytes).expect("zstd"),
        _ => out = bytes.to_vec(),
    }
    out
}

fn run(dir: &Path, verb: &str, input: &str, out: &str, flags: &[&str]) -> BTreeMap<String, Vec<u8>> {
    let (input, out) = (text(&dir.join(input)), dir.join(out));
    let out_text = text(&out);
    let arguments = [verb, &input, "--out", &out_text, "--max-bad", "1"];
    dehusk(arguments.iter().chain(flags)).exits(0);
    contents(&out)
}

/// The rows of each list in any form: shards in order, decompressed.
fn lists(files: &BTreeMap<String, Vec<u8>>) -> BTreeMap<String, Vec<u8>> {
    let mut lists: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for (name, bytes) in files {
        let list = name.split(['.', '-']).next().expect("a name").to_owned();
        if !matches!(list.as_str(), "" | "summary" | "report") {
            lists.entry(list).or_default().extend(plain(name, bytes));
        }
    }
    lists
}

#[test]
fn compressed_lists_and_shards_hold_the_same_rows() {
    let dir = pages();
    let run_plain = run(dir.path(), "run", "pages.jsonl", "plain", &[]);
    let dedup_plain = run(dir.path(), "dedup", "plain/documents.jsonl", "dedup", &[]);
    assert!(run_plain["kept.jsonl"].len() > 30_000);
    for (number, flags) in [
        ["--compress", "gzip", "--threads", "1"].as_slice(),
        &["--compress", "gzip", "--threads", "3"],
        &["--compress", "zstd", "--threads", "1"],
        &["--compress", "zstd", "--threads", "3"],
        &["--shard-size", "10KiB", "--threads", "1"],
        &["--shard-size", "10KiB", "--threads", "3"],
        &["--shard-size", "10KiB", "--compress", "zstd", "--tsv"],
    ]
    .into_iter()
    .enumerate()
    {
        for (verb, input, expected) in [
            ("run", "pages.jsonl", &run_plain),
            ("dedup", "plain/documents.jsonl", &dedup_plain),
        ] {
            let files = run(dir.path(), verb, input, &format!("{verb}-{number}"), flags);
            let (mut found, expected) = (lists(&files), lists(expected));
            if flags.contains(&"--tsv") {
                // Both forms of the pairs count as one list here.
                assert!(files.contains_key("pairs-00000.tsv.zst"), "{:?}", files.keys());
                found.insert("pairs".to_owned(), expected["pairs"].clone());
            }
            assert!(found == expected, "{verb} {flags:?}: {:?}", files.keys());
            let summary = json(&dir.path().join(format!("{verb}-{number}/summary.json")));
            for (name, facts) in summary["files"].as_object().expect("an object") {
                assert_eq!(facts["bytes"], files[name].len(), "{name}");
            }
        }
    }
    // Threads change nothing.
    for verb in ["run", "dedup"] {
        for (one, three) in [(0, 1), (2, 3), (4, 5)] {
            let lists = |number| {
                let mut files = contents(&dir.path().join(format!("{verb}-{number}")));
                files.retain(|name, _| !name.starts_with("report") && !name.starts_with("."));
                files
            };
            assert!(lists(one) == lists(three), "{verb} {one}");
        }
    }
}

#[test]
fn shards_have_the_size_that_was_asked_for_and_replace_earlier_ones() {
    let dir = pages();
    let names = |files: &BTreeMap<String, Vec<u8>>| -> Vec<String> {
        let kept = files.keys().filter(|name| name.starts_with("kept"));
        kept.cloned().collect()
    };
    let small = run(
        dir.path(),
        "run",
        "pages.jsonl",
        "out",
        &["--shard-size", "10KiB"],
    );
    let kept = names(&small);
    assert!(
        kept.len() > 3 && kept[0] == "kept-00000.jsonl" && kept[1] == "kept-00001.jsonl",
        "{kept:?}"
    );
    for name in &kept {
        assert!(small[name].len() <= 10 << 10 && !small[name].is_empty(), "{name}");
    }
    assert!(small.contains_key("quarantine.jsonl"));
    let (input, out) = (
        text(&dir.path().join("pages.jsonl")),
        text(&dir.path().join("said")),
    );
    let flags = ["--compress", "zstd", "--shard-size", "10KiB"];
    let said = dehusk(
        ["run", &input, "--out", &out, "--max-bad", "1"]
            .iter()
            .chain(&flags),
    )
    .exits(0);
    said.says(&["documents kept in ", "kept-00000.jsonl.zst"]);
    // A shard is read like any file of ours.
    run(dir.path(), "dedup", "out/kept-00001.jsonl", "again", &[]);
    let large = run(dir.path(), "run", "pages.jsonl", "out", &["--shard-size", "1GiB"]);
    assert_eq!(names(&large), ["kept-00000.jsonl"]);
    // Of one file, too.
    let lists = folder(&[]);
    let target = lists.path().join("pages-of.jsonl");
    let input = text(&dir.path().join("pages.jsonl"));
    let extract = |size: &str| {
        let to = text(&target);
        dehusk([
            "extract",
            &input,
            "--out",
            &to,
            "--max-bad",
            "1",
            "--shard-size",
            size,
        ])
        .exits(0);
        contents(lists.path())
    };
    let (many, one) = (extract("10KiB"), extract("1GiB"));
    assert!(many.len() > 3 && one.len() == 1 && !target.exists());
    assert_eq!(
        many.into_values().flatten().collect::<Vec<_>>(),
        one["pages-of-00000.jsonl"]
    );
    dehusk(["extract", &input, "--shard-size", "1MiB"])
        .exits(2)
        .says(&[
            "`--shard-size`: standard output is no file",
            "name a file with `--out`",
        ]);
}

#[test]
fn the_name_of_a_file_tells_its_form() {
    let dir = pages();
    let input = text(&dir.path().join("pages.jsonl"));
    let write = |name: &str, flags: &[&str]| {
        let out = dir.path().join(name);
        let to = text(&out);
        let arguments = ["extract", &input, "--max-bad", "1", "--out", &to];
        dehusk(arguments.iter().chain(flags)).exits(0);
        fs::read(out).expect("a file")
    };
    let lines = write("a.jsonl", &[]);
    for name in ["a.jsonl.gz", "a.ndjson.zst"] {
        assert!(plain(name, &write(name, &[])) == lines, "{name}");
    }
    let markdown = write("a.md", &["--title", "keep"]);
    assert!(
        markdown.starts_with(b"# Page 0"),
        "{}",
        String::from_utf8_lossy(&markdown[..40])
    );
    assert!(plain("gz", &write("b.md.gz", &["--title", "keep"])) == markdown);
    // What is said comes before the name.
    assert!(write("b.md", &["--output-format", "jsonl"]) == lines);
    assert!(plain("zst", &write("c.jsonl", &["--compress", "zstd"])) == lines);
    let gz = text(&dir.path().join("d.jsonl.gz"));
    dehusk(["extract", &input, "--out", &gz, "--compress", "zstd"])
        .exits(2)
        .says(&["`--compress`: `", "has the extension of another compression"]);
    // Signatures and normalized texts, too.
    let documents = text(&dir.path().join("a.jsonl"));
    for (verb, name, first) in [
        ("sign", "s.tsv.gz", "# {"),
        ("normalize", "n.jsonl.zst", "{\"id\":"),
    ] {
        let out = dir.path().join(name);
        dehusk([verb, &documents, "--out", &text(&out)]).exits(0);
        let found = plain(name, &fs::read(out).expect("a file"));
        assert!(
            found.starts_with(first.as_bytes()),
            "{}",
            String::from_utf8_lossy(&found)
        );
    }
}

#[test]
fn bulk_lines_have_an_action_for_each_document() {
    let dir = pages();
    run(dir.path(), "run", "pages.jsonl", "lines", &[]);
    let flags = ["--output-format", "bulk", "--compress", "gzip"];
    let files = run(dir.path(), "run", "pages.jsonl", "bulk", &flags);
    for list in ["documents", "kept"] {
        let bulk = plain("gz", &files[&format!("{list}.bulk.gz")]);
        let bulk = String::from_utf8(bulk).expect("UTF-8");
        let lines = fs::read_to_string(dir.path().join(format!("lines/{list}.jsonl"))).expect("a file");
        let mut found = bulk.lines();
        for line in lines.lines() {
            let document: serde_json::Value = serde_json::from_str(line).expect("JSON");
            let action = serde_json::json!({"index": {"_id": document["id"]}});
            assert_eq!(found.next(), Some(action.to_string().as_str()));
            assert_eq!(found.next(), Some(line));
        }
        assert!(found.next().is_none() && bulk.ends_with('\n'));
    }
    // Other lists are JSON Lines.
    assert!(files.contains_key("pairs.jsonl.gz") && files.contains_key("quarantine.jsonl.gz"));
    let (input, out) = (
        text(&dir.path().join("pages.jsonl")),
        text(&dir.path().join("x.bulk")),
    );
    dehusk(["extract", &input, "--out", &out, "--max-bad", "1"]).exits(0);
    let bulk = fs::read_to_string(out).expect("a file");
    assert!(
        bulk.starts_with("{\"index\":{\"_id\":\"page 0\"}}\n{\"id\":\"page 0\","),
        "{}",
        &bulk[..80]
    );
}
