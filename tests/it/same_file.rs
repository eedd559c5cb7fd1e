//! An output that is one of the files that are read is refused, by whatever name, and that file stays as it was.

use std::fs;
use std::path::Path;

use crate::support::{Ran, dehusk, folder, page, prose, text};

/// Files of every kind that verbs read.
fn files() -> tempfile::TempDir {
    let pages: Vec<String> = (0..3)
        .map(|number| page(&format!("Page {number}"), &prose(number, 60)))
        .collect();
    let document = |id: &str, seed| {
        let row = serde_json::json!({ "id": id, "text": prose(seed, 60) });
        format!("{row}\n")
    };
    let documents = document("a", 1) + &document("b", 2) + &document("c", 1);
    let sentences: String = (0..40)
        .map(|number| format!("Words {}\n\n", prose(number, 10)))
        .collect();
    folder(&[
        ("page.html", &pages[0]),
        ("pages/one.html", &pages[1]),
        ("pages/two.html", &pages[2]),
        ("documents.jsonl", &documents),
        ("list.txt", "page.html\n"),
        ("config.toml", "threads = 1\n"),
        ("profile.toml", "passes = [\"nfkc\"]\n"),
        ("truth.tsv", "a\t1\nc\t1\n"),
        ("text.txt", &sentences),
        ("names.txt", "one two\nthree four\nfive six\nseven eight\n"),
    ])
}

/// Runs the program in a folder, and checks that it is refused for the output `output`, which is `what`, and that no file is other than
/// before.
#[track_caller]
fn refused(dir: &Path, arguments: &[&str], output: &str, what: &str) {
    let before = tree(dir);
    let ran = run_in(dir, arguments);
    assert_eq!(ran.code, Some(2), "{arguments:?}: {}", ran.stderr);
    let told = format!("the output `{output}` would replace {what}");
    assert!(ran.stderr.contains(&told), "{arguments:?}: {}", ran.stderr);
    assert!(ran.stderr.contains("name another output"), "{}", ran.stderr);
    assert_eq!(tree(dir), before, "{arguments:?}");
}

fn run_in(dir: &Path, arguments: &[&str]) -> Ran {
    let mut command = crate::support::command();
    command
        .args(arguments)
        .current_dir(dir)
        .stdin(std::process::Stdio::null());
    command.output().expect("the binary starts").into()
}

/// All files below a folder with what they hold. Locks of folders are not content.
fn tree(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let (mut found, mut folders) = (Vec::new(), vec![dir.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if !path.ends_with(".dehusk-lock") {
                found.push((text(&path), fs::read(&path).expect("a file")));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn every_verb_that_writes_a_file_refuses_one_that_it_reads() {
    let dir = files();
    let page = "the input `page.html`";
    let documents = "the input `documents.jsonl`";
    for (arguments, output, what) in [
        (
            &["extract", "page.html", "-o", "page.html"][..],
            "page.html",
            page,
        ),
        (&["explain", "page.html", "-o", "page.html"], "page.html", page),
        (
            &["sign", "documents.jsonl", "-o", "documents.jsonl"],
            "documents.jsonl",
            documents,
        ),
        (
            &["normalize", "documents.jsonl", "-o", "documents.jsonl"],
            "documents.jsonl",
            documents,
        ),
        (
            &["normalize", "text.txt", "-o", "./pages/../text.txt"],
            "./pages/../text.txt",
            "the input `text.txt`",
        ),
        (
            &["extract", "pages", "-o", "pages/two.html"],
            "pages/two.html",
            "the input `pages/two.html`",
        ),
        (
            &["extract", "page.html", "pages", "-o", "pages/one.html"],
            "pages/one.html",
            "the input `pages/one.html`",
        ),
        (
            &["extract", "--files-from", "list.txt", "-o", "page.html"],
            "page.html",
            page,
        ),
        (
            &["extract", "--files-from", "list.txt", "-o", "list.txt"],
            "list.txt",
            "the list of inputs `list.txt`",
        ),
        (
            &[
                "extract",
                "page.html",
                "--config",
                "config.toml",
                "-o",
                "config.toml",
            ],
            "config.toml",
            "the configuration `config.toml`",
        ),
        (
            &[
                "normalize",
                "documents.jsonl",
                "--profile",
                "profile.toml",
                "-o",
                "profile.toml",
            ],
            "profile.toml",
            "the profile `profile.toml`",
        ),
        (
            &[
                "sign",
                "documents.jsonl",
                "--signature",
                "tf-idf",
                "--save-stats",
                "documents.jsonl",
            ],
            "documents.jsonl",
            documents,
        ),
    ] {
        refused(dir.path(), arguments, output, what);
    }
}

/// Statistics, rules and an index, which commands make or people write.
#[test]
fn files_of_settings_and_of_an_index_are_refused() {
    let dir = files();
    let at = |name: &str| dir.path().join(name);
    let save = [
        "sign",
        "documents.jsonl",
        "--signature",
        "tf-idf",
        "--save-stats",
        "s.stats",
    ];
    run_in(dir.path(), &save).exits(0);
    let mut with_stats = [
        "sign",
        "documents.jsonl",
        "--signature",
        "tf-idf",
        "--stats",
        "s.stats",
    ]
    .to_vec();
    with_stats.extend(["-o", "s.stats"]);
    refused(dir.path(), &with_stats, "s.stats", "the statistics `s.stats`");

    fs::create_dir(at("rules")).unwrap();
    let rule = "format = 1\n[[rule]]\nhosts = [\"example.org\"]\nextract = [{ css = \"p\" }]\n";
    fs::write(at("rules/a.toml"), rule).unwrap();
    let ruled = ["extract", "pages", "--rules", "rules", "-o", "rules/a.toml"];
    refused(dir.path(), &ruled, "rules/a.toml", "the rules `rules/a.toml`");

    run_in(dir.path(), &["index", "add", "index", "documents.jsonl"]).exits(0);
    let add = [
        "index",
        "add",
        "index",
        "index/index.json",
        "--input-format",
        "jsonl",
    ];
    refused(
        dir.path(),
        &add,
        "index/index.json",
        "the input `index/index.json`",
    );
}

#[cfg(unix)]
#[test]
fn links_are_the_files_that_they_lead_to() {
    use std::os::unix::fs::symlink;
    let dir = files();
    let at = |name: &str| dir.path().join(name);
    fs::hard_link(at("page.html"), at("hard.html")).unwrap();
    symlink("page.html", at("soft.html")).unwrap();
    symlink("soft.html", at("further.html")).unwrap();
    symlink(at("page.html"), at("pages/linked.html")).unwrap();
    let what = "the input `page.html`";
    for output in ["hard.html", "soft.html", "further.html"] {
        refused(dir.path(), &["extract", "page.html", "-o", output], output, what);
        let what = format!("the input `{output}`");
        refused(
            dir.path(),
            &["extract", output, "-o", "page.html"],
            "page.html",
            &what,
        );
    }
    // A folder that has a link to it.
    let what = "the input `pages/linked.html`";
    refused(
        dir.path(),
        &["extract", "pages", "-o", "page.html"],
        "page.html",
        what,
    );
    // Standard input is a file, too.
    let mut command = crate::support::command();
    command
        .args(["extract", "-", "-o", "page.html"])
        .current_dir(dir.path());
    let before = fs::read(at("page.html")).unwrap();
    let stdin = fs::File::open(at("page.html")).unwrap();
    let ran: Ran = command.stdin(stdin).output().unwrap().into();
    ran.exits(2)
        .says(&["the output `page.html` would replace the file that is standard input"]);
    assert_eq!(fs::read(at("page.html")).unwrap(), before);
}

#[test]
fn a_folder_of_results_that_are_read_is_refused() {
    let dir = files();
    run_in(dir.path(), &["dedup", "documents.jsonl", "--out", "out"]).exits(0);
    let what = "the input `out/kept.jsonl`";
    refused(
        dir.path(),
        &["dedup", "out/kept.jsonl", "--out", "out"],
        "out/kept.jsonl",
        what,
    );
    // In another format its place would be taken by another file, and it would be removed.
    let other = ["dedup", "./out/kept.jsonl", "--out", "out", "--compress", "gzip"];
    refused(
        dir.path(),
        &other,
        "out/kept.jsonl",
        "the input `./out/kept.jsonl`",
    );

    run_in(dir.path(), &["run", "pages", "--out", "ran"]).exits(0);
    let run = ["run", "ran/documents.jsonl", "--out", "ran"];
    refused(
        dir.path(),
        &run,
        "ran/documents.jsonl",
        "the input `ran/documents.jsonl`",
    );
    let dry = [&run[..], &["--dry-run"]].concat();
    refused(
        dir.path(),
        &dry,
        "ran/documents.jsonl",
        "the input `ran/documents.jsonl`",
    );
    // What somebody else put there is neither replaced nor removed.
    fs::copy(
        dir.path().join("documents.jsonl"),
        dir.path().join("out/mine.jsonl"),
    )
    .unwrap();
    run_in(dir.path(), &["dedup", "out/mine.jsonl", "--out", "out"]).exits(0);
}

#[test]
fn shards_that_are_read_are_refused_whatever_their_number() {
    let dir = files();
    let write = [
        "normalize",
        "documents.jsonl",
        "-o",
        "list.jsonl",
        "--shard-size",
        "1B",
    ];
    run_in(dir.path(), &write).exits(0);
    assert!(dir.path().join("list-00002.jsonl").exists());
    // One that would be replaced, and one that would be removed, since the new list is shorter.
    for (shard, size) in [("list-00000.jsonl", "1B"), ("list-00002.jsonl", "1MiB")] {
        let what = format!("the input `{shard}`");
        refused(
            dir.path(),
            &["normalize", shard, "-o", "list.jsonl", "--shard-size", size],
            shard,
            &what,
        );
    }
}

#[cfg(feature = "lab")]
#[test]
fn the_laboratory_refuses_what_it_reads() {
    let dir = files();
    let compare = [
        "compare",
        "documents.jsonl",
        "--truth",
        "truth.tsv",
        "--signature",
        "md5",
        "--out",
        "lab",
    ];
    run_in(dir.path(), &compare).exits(0);
    fs::copy(dir.path().join("truth.tsv"), dir.path().join("lab/results.json")).unwrap();
    let mut again = compare;
    again[3] = "lab/results.json";
    // The folder has no summary, so that only its file of that name counts.
    let ran = run_in(dir.path(), &again);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);

    let generate = [
        "generate",
        "mutations",
        "text.txt",
        "--documents",
        "5",
        "--out",
        "made",
    ];
    run_in(dir.path(), &generate).exits(0);
    fs::copy(dir.path().join("names.txt"), dir.path().join("made/corpus.jsonl")).unwrap();
    let mut records = ["generate", "records", "made/corpus.jsonl", "--out", "made"].to_vec();
    records.extend(["--records", "10", "--clusters", "3"]);
    let what = "the names `made/corpus.jsonl`";
    refused(dir.path(), &records, "made/corpus.jsonl", what);
}

#[test]
fn other_outputs_are_written_beside_their_inputs() {
    let dir = files();
    // What is not there yet, a pipe or a device replaces nothing.
    run_in(dir.path(), &["extract", "pages", "-o", "pages/texts.txt"]).exits(0);
    run_in(dir.path(), &["extract", "pages", "-o", "pages/texts.txt"]).exits(0);
    #[cfg(unix)]
    run_in(dir.path(), &["extract", "page.html", "-o", "/dev/null"]).exits(0);
    let out = text(&dir.path().join("dup"));
    dehusk(["dedup", &text(&dir.path().join("documents.jsonl")), "--out", &out]).exits(0);
    dehusk(["dedup", &text(&dir.path().join("documents.jsonl")), "--out", &out]).exits(0);
}
