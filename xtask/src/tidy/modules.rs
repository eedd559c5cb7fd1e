//! Checks of modules: each is compiled, strategies are in their tables, and libraries do not use the system.

use std::collections::BTreeSet;

use super::repository::Repository;
use super::source::{declarations, is_root, is_test_file, lines_of_code, parent};
use crate::result::Result;

/// Every file must be declared by a `mod` line. Otherwise it is not compiled, and cargo does not warn.
pub(super) fn strays(repository: &Repository) -> Result<Vec<String>> {
    let mut findings = Vec::new();
    for path in repository.sources() {
        if is_root(repository, path) {
            continue;
        }
        let Some((parent, name)) = parent(repository, path) else {
            findings.push(format!("{path}: no file can have it as a module"));
            continue;
        };
        if !declarations(&repository.text(&parent)?).any(|module| module.name == name) {
            findings.push(format!("{path}: `{parent}` has no line `mod {name};`"));
        }
    }
    Ok(findings)
}

/// Strategies of a family must be in the table `pub static ALL: &[&dyn Trait]` of their folder's `mod.rs`:
/// every file there that implements the trait for a type of the file's own name.
pub(super) fn tables(repository: &Repository) -> Result<Vec<String>> {
    let mut findings = Vec::new();
    for path in repository.sources().filter(|path| path.ends_with("/mod.rs")) {
        let text = repository.text(path)?;
        let Some((_, table)) = text.split_once("pub static ALL: &[&dyn ") else {
            continue;
        };
        let Some((family, entries)) = table.split_once("] = &[") else {
            continue;
        };
        // `&dyn crate::sign::Method` becomes `Method`, as the implementations write it.
        let family = family.rsplit("::").next().unwrap_or(family);
        let mut listed = identifiers(entries.split_once("];").map_or(entries, |(entries, _)| entries));
        // An entry may be defined in a static of its own beside the table.
        let own: Vec<_> = text
            .lines()
            .filter_map(|line| line.split_once("static ")?.1.split_once(':'))
            .filter(|(name, _)| listed.contains(name))
            .flat_map(|(_, value)| identifiers(value))
            .collect();
        listed.extend(own);
        let folder = path.trim_end_matches("mod.rs");
        for module in declarations(&text).filter(|module| !module.test) {
            let file = format!("{folder}{}.rs", module.name);
            let type_name = camel(module.name);
            // The space at the end keeps `Words` from matching `WordsAndMore`.
            let implements = format!("{family} for {type_name} ");
            if repository.has(&file)
                && repository.text(&file)?.contains(&implements)
                && !listed.contains(type_name.as_str())
            {
                findings.push(format!(
                    "{file}: `{type_name}` is not in the table `ALL` of {path}"
                ));
            }
        }
    }
    Ok(findings)
}

/// Returns all words of a code text. Keywords are among them, which no type is named like.
fn identifiers(text: &str) -> BTreeSet<&str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').collect()
}

/// Converts `merge_center` to `MergeCenter`.
fn camel(name: &str) -> String {
    let parts = name.split('_').map(|part| {
        let mut chars = part.chars();
        chars
            .next()
            .map(|first| first.to_ascii_uppercase())
            .into_iter()
            .chain(chars)
            .collect::<String>()
    });
    parts.collect()
}

/// Files, network, processes, environment and threads.
const THE_SYSTEM: &[&str] = &[
    "std::fs",
    "std::io",
    "std::net",
    "std::process",
    "std::env",
    "std::thread",
    "rayon",
];

/// Names that the code of a crate must not contain, except in tests.
const ABSENCES: &[(&str, &[&str])] = &[
    ("crates/archive/src/", THE_SYSTEM),
    ("crates/extract/src/", THE_SYSTEM),
    ("crates/normalize/src/", THE_SYSTEM),
    (
        "crates/dedup/src/",
        &["std::fs", "std::io", "std::net", "std::process", "std::env"],
    ),
    ("crates/pipeline/src/", &["std::net", "process::Command"]),
];

/// The libraries must not use files, network and environment, and three of them no threads either.
pub(super) fn absences(repository: &Repository) -> Result<Vec<String>> {
    let mut findings = Vec::new();
    for path in repository.sources() {
        let Some((_, absent)) = ABSENCES.iter().find(|(folder, _)| path.starts_with(folder)) else {
            continue;
        };
        if is_test_file(repository, path)? {
            continue;
        }
        for (i, line) in lines_of_code(&repository.text(path)?) {
            for name in absent.iter().filter(|name| line.contains(**name)) {
                findings.push(format!("{path}:{}: `{name}`", i + 1));
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
    fn files_without_a_mod_line_are_found() {
        let files = [
            ("a/src/lib.rs", "pub mod x;\n#[cfg(test)]\nmod tests;\n"),
            ("a/src/x.rs", "pub(crate) mod y;\n// mod z;\n"),
            ("a/src/x/y.rs", ""),
            ("a/src/x/z.rs", ""),
            ("a/src/tests.rs", ""),
            ("a/src/w/mod.rs", "mod v;"),
            ("a/src/w/v.rs", ""),
            ("a/Cargo.toml", ""),
            ("a/examples/e.rs", ""),
            ("a/tests/t.rs", ""),
            ("a/odd/o.rs", ""),
        ];
        let findings = [
            "a/odd/o.rs: no file can have it as a module",
            "a/src/w/mod.rs: `a/src/lib.rs` has no line `mod w;`",
            "a/src/x/z.rs: `a/src/x.rs` has no line `mod z;`",
        ];
        expect(strays, &files, &findings);
    }

    #[test]
    fn strategies_outside_their_table_are_found() {
        let table = "mod by_size;\nmod default;\nmod first;\nmod helper;\nmod last_one;\n\
            pub static ALL: &[&dyn crate::Keeper] = &[\n    DEFAULT,\n    &first::First::DEFAULT,\n];\n\
            pub(crate) static DEFAULT: &dyn Keeper = &default::Default;\n";
        let files = [
            ("k/mod.rs", table),
            ("k/by_size.rs", "impl crate::Keeper for BySize {}"),
            ("k/default.rs", "impl crate::Keeper for Default {}"),
            ("k/first.rs", "impl crate::Keeper for First {}"),
            ("k/helper.rs", "impl Other for Helper {}"),
            ("k/last_one.rs", "impl crate::Keeper for LastOne {}"),
        ];
        let findings = [
            "k/by_size.rs: `BySize` is not in the table `ALL` of k/mod.rs",
            "k/last_one.rs: `LastOne` is not in the table `ALL` of k/mod.rs",
        ];
        expect(tables, &files, &findings);
    }

    #[test]
    fn libraries_that_read_files_are_found_and_tests_may() {
        let files = [
            (
                "crates/dedup/src/lib.rs",
                "use std::fs;\nmod a;\n#[cfg(test)]\nmod worked;\n",
            ),
            (
                "crates/dedup/src/a.rs",
                "// std::fs\n#[cfg(test)]\nmod tests {\n    use std::fs;\n}\n",
            ),
            ("crates/dedup/src/worked.rs", "mod deep;\nuse std::fs;"),
            ("crates/dedup/src/worked/deep.rs", "use std::fs;"),
            ("crates/pipeline/src/lib.rs", "use std::fs;"),
        ];
        expect(absences, &files, &["crates/dedup/src/lib.rs:1: `std::fs`"]);
    }
}
