//! `cargo xtask docs`: the documents as a book of web pages, with a search and the pictures.
//!
//! The chapters and their order are those of `docs/SUMMARY.md`, which `tidy` compares with the files. The
//! book is made from a copy in which the documents lie as in the repository, so that the links of the
//! README and of the architecture lead into the book.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::result::Result;
use crate::root::{files, root};

/// Version of mdbook. Others may lay out pages differently or read other configurations.
const MDBOOK: &str = "0.5.4";

/// Documents of the root folder that are chapters.
const ROOT: &[&str] = &[
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "CHANGELOG.md",
];

/// Configuration of the book. Examples in documents are tested elsewhere, and sources of other crates
/// cannot be run in a page.
const CONFIGURATION: &str = "\
[book]
title = \"dehusk\"
language = \"en\"
src = \"src\"

[output.html]
no-section-label = true

[output.html.playground]
runnable = false

[output.html.search]
limit-results = 30
";

/// Makes the book below `out/book`.
pub(crate) fn run() -> Result<()> {
    let program = program()?;
    let folder = root().join("out/book");
    // Files of an earlier book would remain, and with them chapters that have been removed.
    if folder.is_dir() {
        fs::remove_dir_all(&folder)?;
    }
    let chapters = copy(&root(), &folder.join("src"))?;
    fs::write(folder.join("book.toml"), CONFIGURATION)?;
    let status = Command::new(program)
        .args(["build", "--dest-dir", "html"])
        .arg(&folder)
        .status()?;
    if !status.success() {
        return Err(format!("the book cannot be made ({status})").into());
    }
    println!(
        "{chapters} chapters; open {}",
        folder.join("html/index.html").display()
    );
    Ok(())
}

/// Returns the program mdbook, in the expected version.
fn program() -> Result<&'static str> {
    let how = format!(
        "install it with `cargo install mdbook --version {MDBOOK} --locked --no-default-features --features search`"
    );
    let asked = Command::new("mdbook")
        .arg("--version")
        .stdin(Stdio::null())
        .output();
    let Ok(answer) = asked else {
        return Err(format!("mdbook is missing; {how}").into());
    };
    let answer = String::from_utf8_lossy(&answer.stdout);
    // The answer is `mdbook v0.5.4`; the `v` is optional here.
    let version = answer
        .trim()
        .trim_start_matches("mdbook")
        .trim()
        .trim_start_matches('v');
    match version == MDBOOK {
        true => Ok("mdbook"),
        false => Err(format!("mdbook has the version `{version}`, not {MDBOOK}; {how}").into()),
    }
}

/// Copies the documents and their pictures, and returns the number of chapters.
fn copy(from: &Path, to: &Path) -> Result<usize> {
    let mut chapters = 0;
    for file in files(from)? {
        if !file.starts_with("docs/") && !ROOT.contains(&&*file) {
            continue;
        }
        let target = match &*file {
            SUMMARY => to.join("SUMMARY.md"),
            _ => to.join(&file),
        };
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent)?;
        }
        match &*file {
            SUMMARY => fs::write(target, from_root(&fs::read_to_string(from.join(&file))?))?,
            _ => {
                fs::copy(from.join(&file), target)?;
                // Pictures are copied too, but are not chapters.
                chapters += usize::from(file.ends_with(".md"));
            }
        }
    }
    Ok(chapters)
}

/// The list of chapters.
pub(crate) const SUMMARY: &str = "docs/SUMMARY.md";

/// Returns the list of chapters with paths from the root of the repository instead of the folder `docs`.
fn from_root(summary: &str) -> String {
    // `](speed.md)` becomes `](docs/speed.md)`, and `](../README.md)`, by way of `](docs/../README.md)`,
    // `](README.md)`.
    summary.replace("](", "](docs/").replace("](docs/../", "](")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_chapters_begin_at_the_root() {
        let summary = "[a](../README.md)\n- [b](guide.md)\n  - [c](design/files.md)\n";
        let expected = "[a](README.md)\n- [b](docs/guide.md)\n  - [c](docs/design/files.md)\n";
        assert_eq!(from_root(summary), expected);
    }

    #[test]
    fn the_copy_has_all_documents_and_pictures() {
        let to = crate::root::target().join(format!("docs-test-{}", std::process::id()));
        let chapters = copy(&root(), &to);
        let has = |file: &str| to.join(file).is_file();
        let found = [
            has("SUMMARY.md"),
            has("README.md"),
            has("docs/guide.md"),
            has("docs/workshop/page.png"),
        ];
        fs::remove_dir_all(&to).unwrap();
        assert!(chapters.unwrap() > 20);
        assert_eq!(found, [true; 4]);
    }
}
