//! Checks of data and files that are compiled into a crate besides its sources.

use super::manifests::joined;
use super::repository::Repository;
use super::source::{is_test_file, lines_of_code};
use crate::result::Result;

/// Files that a crate includes must be in its own folder, so that it can be packaged alone.
pub(super) fn inside(repository: &Repository) -> Result<Vec<String>> {
    let mut findings = Vec::new();
    for path in repository.sources() {
        // Files outside of `src`, such as tests and examples, are not compiled into a package.
        let Some((folder, _)) = path.split_once("/src/") else {
            continue;
        };
        if is_test_file(repository, path)? {
            continue;
        }
        let place = path.rsplit_once('/').map_or("", |(place, _)| place);
        let text = repository.text(path)?;
        let lines = lines_of_code(&text);
        for (at, (number, line)) in lines.iter().enumerate() {
            let attribute = line.starts_with("#[path");
            let called = ["include_str!", "include_bytes!", "include!"];
            if !attribute && !called.iter().any(|name| line.contains(name)) {
                continue;
            }
            // rustfmt puts a long argument on the next line.
            let argument = [*line, lines.get(at + 1).map_or("", |(_, next)| next)];
            let Some(file) = argument.iter().find_map(|line| line.split('"').nth(1)) else {
                continue;
            };
            // With `concat!(env!("CARGO_MANIFEST_DIR"), "/data/x")`, the file is the last string and starts
            // at the crate's folder. Other paths start at the folder of the source.
            let target = if argument.iter().any(|line| line.contains("CARGO_MANIFEST_DIR")) {
                joined(folder, argument.concat().rsplit('"').nth(1).unwrap_or_default())
            } else {
                joined(place, file)
            };
            if !target.starts_with(&format!("{folder}/")) {
                findings.push(format!(
                    "{path}:{}: includes `{target}`, which is not part of the crate",
                    number + 1
                ));
            }
        }
    }
    Ok(findings)
}

/// Folders that two crates have copies of, because each crate is packaged alone.
const COPIES: &[(&str, &str)] = &[("crates/normalize/data/stop", "crates/extract/data/stop")];

/// Both copies of a data folder must be the same.
pub(super) fn copies(repository: &Repository) -> Result<Vec<String>> {
    let mut findings = Vec::new();
    for (first, second) in COPIES {
        // Both directions are walked to find missing files; a difference is reported in one direction only.
        for (folder, other) in [(first, second), (second, first)] {
            let prefix = format!("{folder}/");
            for path in repository.files.iter().filter(|path| path.starts_with(&prefix)) {
                let twin = format!("{other}/{}", &path[prefix.len()..]);
                if !repository.has(&twin) {
                    findings.push(format!("{twin}: missing, while there is {path}"));
                } else if path < &twin && repository.text(path)? != repository.text(&twin)? {
                    findings.push(format!("{path}: differs from {twin}"));
                }
            }
        }
    }
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::super::repository::tests::expect;
    use super::*;

    #[test]
    fn files_of_others_that_are_included_are_found() {
        let files = [
            (
                "crates/x/src/a/b.rs",
                "const A: &str = include_str!(\"../../data/a.txt\");\nconst B: &str =\n    include_str!(\"../../../rules/b.txt\");\n\
                 #[path = \"../c.rs\"]\nmod c;\n#[cfg(test)]\nmod tests {\n    const T: &str = include_str!(\"../../../../t\");\n}\n",
            ),
            (
                "crates/x/src/lib.rs",
                "include_bytes!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/../y/data/d\"))\n",
            ),
        ];
        let findings = [
            "crates/x/src/a/b.rs:3: includes `crates/rules/b.txt`, which is not part of the crate",
            "crates/x/src/lib.rs:1: includes `crates/y/data/d`, which is not part of the crate",
        ];
        expect(inside, &files, &findings);
    }

    #[test]
    fn copies_that_differ_are_found() {
        let files = [
            ("crates/normalize/data/stop/en.txt", "a\n"),
            ("crates/extract/data/stop/en.txt", "b\n"),
            ("crates/extract/data/stop/ru.txt", "b\n"),
        ];
        let findings = [
            "crates/extract/data/stop/en.txt: differs from crates/normalize/data/stop/en.txt",
            "crates/normalize/data/stop/ru.txt: missing, while there is crates/extract/data/stop/ru.txt",
        ];
        expect(copies, &files, &findings);
    }
}
