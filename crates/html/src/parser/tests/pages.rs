//! Whole pages: the tree equals the one that html5ever builds in markup5ever_rcdom.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::decode::CharsetHints;
use crate::parser::reference::reference_check;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn files(folder: &Path, end: &str, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, end, out);
        } else if path.to_string_lossy().ends_with(end) {
            out.push(path);
        }
    }
    out.sort();
}

fn compare(path: &Path, bytes: &[u8]) {
    let text = crate::decode::decode(bytes, CharsetHints::default(), usize::MAX).text;
    for scripting in [true, false] {
        if let Err(difference) = reference_check(&text, scripting) {
            panic!("{}: {difference}", path.display());
        }
    }
}

#[test]
fn fixtures_have_the_tree_of_html5ever() {
    let mut pages = Vec::new();
    files(&root().join("fixtures/crawl"), ".html", &mut pages);
    assert!(pages.len() > 60);
    // Limits flatten two pages, and each parser does so differently.
    let limited = |path: &&PathBuf| {
        ["one-shelf.html", "109-deep-well.html"]
            .iter()
            .any(|end| path.ends_with(end))
    };
    for path in pages.iter().filter(|path| !limited(path)) {
        compare(path, &std::fs::read(path).unwrap());
    }
}

/// Compares a sample; `cargo xtask eval --parsers` compares all pages.
#[test]
#[ignore = "needs the development data, and gzip"]
fn pages_of_the_development_data_have_the_tree_of_html5ever() {
    let data = std::env::var_os("DEHUSK_DATA").map_or_else(|| root().join("../shared/data"), PathBuf::from);
    let folder = data.join("sites-dev/html");
    let mut pages = Vec::new();
    files(&folder, ".html.gz", &mut pages);
    assert!(pages.len() > 500);
    for path in pages.iter().step_by(7) {
        let page = Command::new("gzip").arg("-dc").arg(path).output().unwrap();
        compare(path, &page.stdout);
    }
}
