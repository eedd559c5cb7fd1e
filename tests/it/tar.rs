//! Archives of files.

use std::fs;
use std::path::Path;

use crate::support::{
    counts_add_up, dehusk, dehusk_reading, folder, json, page, prose, rows, text, unplaced,
};
use crate::warc::gzip;

/// An archive of the files of a folder, in the order in which a folder is read.
fn archived(root: &Path) -> Vec<u8> {
    let mut to = tar::Builder::new(Vec::new());
    to.mode(tar::HeaderMode::Deterministic);
    let mut folders = vec![root.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    for file in files {
        let name = file.strip_prefix(root).expect("below the root");
        to.append_path_with_name(&file, Path::new(".").join(name))
            .expect("memory takes all");
    }
    to.into_inner().expect("memory takes all")
}

#[test]
fn pages_of_an_archive_are_those_of_the_folder() {
    let crawl = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/crawl");
    let archive = archived(&crawl);
    let dir = folder(&[]);
    let expected = dehusk(["extract", &text(&crawl), "--max-bad", "1"])
        .exits(0)
        .stdout;
    let expected = unplaced(&expected);
    let zstd = zstd::encode_all(&*archive, 3).expect("memory takes all");
    for (name, bytes) in [
        ("a.tar", &archive),
        ("b.tgz", &gzip(&archive)),
        ("c.tar.zst", &zstd),
        ("d", &archive),
    ] {
        let file = dir.path().join(name);
        fs::write(&file, bytes).expect("a file");
        for threads in ["1", "2", "7", "16"] {
            let ran = dehusk(["extract", &text(&file), "--max-bad", "1", "-j", threads]).exits(0);
            assert!(unplaced(&ran.stdout) == expected, "{name}, {threads} threads");
            ran.says(&["other-extension"]);
        }
        let ran = dehusk_reading(["extract", "-", "--input-format", "tar", "--max-bad", "1"], bytes).exits(0);
        assert!(unplaced(&ran.stdout) == expected, "{name} on standard input");
    }
    let file = text(&dir.path().join("a.tar"));
    dehusk(["dedup", &file, "--out", &text(&dir.path().join("out"))])
        .exits(2)
        .says(&["is read as tar, which holds pages, not documents"]);
}

#[test]
fn a_damaged_entry_costs_itself_and_names_its_place() {
    let pages: Vec<(String, String)> = (0..100)
        .map(|number| (format!("p/{number:02}.html"), page("Title", &prose(number, 300))))
        .collect();
    let files: Vec<(&str, &str)> = pages
        .iter()
        .map(|(name, page)| (name.as_str(), page.as_str()))
        .collect();
    let mut archive = archived(folder(&files).path());
    let name = b"p/40.html";
    let at = archive
        .windows(name.len())
        .position(|bytes| bytes == name)
        .expect("an entry");
    let at = at - at % 512;
    archive[at + 100] ^= 1;
    let dir = folder(&[]);
    let (file, out) = (dir.path().join("a.tar"), dir.path().join("out"));
    fs::write(&file, &archive).expect("a file");
    dehusk(["run", &text(&file), "--out", &text(&out)]).exits(0);
    assert_eq!(rows(&out.join("documents.jsonl")).len(), 99);
    let told = rows(&out.join("quarantine.jsonl"));
    assert_eq!((told.len(), told[0]["offset"].as_u64()), (1, Some(at as u64)));
    assert_eq!(json(&out.join("summary.json"))["counts"]["read"], 100);
    counts_add_up(&out);
}
