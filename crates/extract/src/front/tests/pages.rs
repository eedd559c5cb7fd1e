//! Whole pages: the tree that markup5ever_rcdom holds, from both fronts.

use std::path::{Path, PathBuf};

use super::super::reference::front_check;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, out);
        } else if path.extension().is_some_and(|e| e == "html") {
            out.push(path);
        }
    }
}

/// Compares all pages below a folder, but for those whose path ends with one of `limited`.
fn compare(folder: &Path, limited: &[&str]) {
    let mut pages = Vec::new();
    files(folder, &mut pages);
    pages.sort();
    for path in pages
        .iter()
        .filter(|path| !limited.iter().any(|end| path.ends_with(end)))
    {
        let bytes = std::fs::read(path).unwrap();
        let text = crate::decode::decode(&bytes, None, None, usize::MAX).text;
        for scripting in [true, false] {
            assert_eq!(
                front_check(&text, scripting),
                Ok(()),
                "{} with scripting {scripting}",
                path.display()
            );
        }
    }
}

#[test]
fn fixtures_have_the_tree_of_html5ever() {
    // Pages that limits flatten, each front in its own way.
    compare(
        &root().join("fixtures/crawl"),
        &["one-shelf.html", "109-deep-well.html"],
    );
}

#[test]
fn pages_of_the_development_data_have_the_tree_of_html5ever() {
    let data = std::env::var_os("DEHUSK_DATA").map_or_else(|| root().join("../shared/data"), PathBuf::from);
    let folder = data.join("sites-dev/html");
    if !folder.exists() {
        eprintln!("skipped: {} is absent", folder.display());
        return;
    }
    compare(&folder, &[]);
}
