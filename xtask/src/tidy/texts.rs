//! Checks of files as text.

use super::repository::Repository;
use crate::result::Result;

/// Maximum number of lines of a file. A longer file has to be split by concept. From 500 lines on, consider
/// a split.
const MAX_LINES: usize = 700;

/// No file of a program may be longer than [`MAX_LINES`].
pub(super) fn lengths(repository: &Repository) -> Result<Vec<String>> {
    let mut findings = Vec::new();
    for path in ours(repository) {
        let program = [".rs", ".py", ".sh", ".js", ".css"]
            .iter()
            .any(|end| path.ends_with(end));
        if program || path.starts_with(".ci/") {
            let lines = repository.text(path)?.lines().count();
            if lines > MAX_LINES {
                findings.push(format!(
                    "{path}: {lines} lines, {MAX_LINES} at most: which concept can leave?"
                ));
            }
        }
    }
    Ok(findings)
}

/// Returns the files that developers write. Fixtures and expected outputs are data.
fn ours(repository: &Repository) -> impl Iterator<Item = &str> {
    let paths = repository.files.iter().map(String::as_str);
    paths.filter(|path| !path.starts_with("fixtures/") && !path.ends_with(".snap"))
}

/// Folders of a developer's machine, whose paths do not exist on other machines.
const MACHINE_PATHS: &[&str] = &["/work", "/root", "/tmp", "/home", "/Users", "C:\\Users"];

/// No text may name a folder of a machine. Similar paths in addresses of web sites are allowed.
pub(super) fn machine_paths(repository: &Repository) -> Result<Vec<String>> {
    let mut findings = Vec::new();
    for path in ours(repository).filter(|path| *path != file!()) {
        // Files that are not text, such as pictures, name no folders.
        let Ok(text) = repository.text(path) else { continue };
        for (i, line) in text.lines().enumerate() {
            if let Some(folder) = MACHINE_PATHS.iter().find(|folder| names(line, folder)) {
                findings.push(format!("{path}:{}: names a folder below `{folder}`", i + 1));
            }
        }
    }
    Ok(findings)
}

/// Whether the line has a path that begins with `folder` and continues.
fn names(line: &str, folder: &str) -> bool {
    line.match_indices(folder).any(|(at, _)| {
        let (before, after) = (&line[..at], &line[at + folder.len()..]);
        // A folder name inside a longer path, such as `target/tmp/x`, or after `$HOME` is not a path of a
        // machine.
        let begins = !before.ends_with(|c: char| c.is_alphanumeric() || "._-~/\\*>)}]".contains(c));
        // `href="/home/x"`: an address of a web site. The quote may be escaped in a string of Rust.
        let address =
            before.ends_with(['=', '"', '\'']) && before.trim_end_matches(['"', '\'', '\\']).ends_with('=');
        begins && !address && after.starts_with(['/', '\\'])
    })
}

#[cfg(test)]
mod tests {
    use super::super::repository::tests::expect;
    use super::*;

    #[test]
    fn long_files_are_found() {
        let long = "//\n".repeat(MAX_LINES + 1);
        let files = [
            ("a.rs", long.as_str()),
            ("b.rs", &long[3..]),
            ("fixtures/c.rs", &long),
            ("words.txt", &long),
        ];
        expect(
            lengths,
            &files,
            &["a.rs: 701 lines, 700 at most: which concept can leave?"],
        );
    }

    #[test]
    fn folders_of_a_machine_are_found() {
        let files = [
            ("a.md", "see /home/ann/x\n"),
            ("b.rs", "ok\nlet x = \"/tmp/y\";\n"),
            (
                "c.rs",
                "<a href=\"/home/news\">, https://x.example/home/, ../shared/work/, homes, `/tmp`\n",
            ),
            ("fixtures/d.html", "/home/ann"),
        ];
        let findings = [
            "a.md:1: names a folder below `/home`",
            "b.rs:2: names a folder below `/tmp`",
        ];
        expect(machine_paths, &files, &findings);
    }
}
