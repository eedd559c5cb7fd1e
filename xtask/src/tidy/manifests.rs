//! Checks of `Cargo.toml` and `Cargo.lock`.

use toml::{Table, Value};

use super::Repository;
use crate::Result;

/// Which crates of the workspace each may depend on, by folder; tests included.
const EDGES: &[(&str, &[&str])] = &[
    ("crates/extract", &[]),
    ("crates/normalize", &[]),
    ("crates/dedup", &[]),
    (
        "crates/pipeline",
        &["crates/extract", "crates/normalize", "crates/dedup"],
    ),
    ("crates/lab", &["crates/pipeline"]),
    ("crates/cli", &["crates/pipeline", "crates/lab"]),
    ("xtask", &["crates/pipeline", "crates/lab"]),
];

/// Arrows between crates only point down, and the three libraries do not know each other.
pub(super) fn edges(repository: &Repository) -> Result<Vec<String>> {
    let root = manifest(repository, "Cargo.toml")?;
    let mut findings = Vec::new();
    for member in members(&root) {
        let path = format!("{member}/Cargo.toml");
        let Some((_, allowed)) = EDGES.iter().find(|(folder, _)| *folder == member) else {
            findings.push(format!(
                "{path}: say in xtask's list of edges what `{member}` may depend on"
            ));
            continue;
        };
        for folder in dependencies(&manifest(repository, &path)?, &root, &member) {
            if !allowed.contains(&folder.as_str()) {
                findings.push(format!("{path}: `{member}` may not depend on `{folder}`"));
            }
        }
    }
    Ok(findings)
}

/// Every crate has `[lints] workspace = true`.
pub(super) fn lints(repository: &Repository) -> Result<Vec<String>> {
    let mut findings = Vec::new();
    for member in members(&manifest(repository, "Cargo.toml")?) {
        let path = format!("{member}/Cargo.toml");
        let manifest = manifest(repository, &path)?;
        let inherits = manifest
            .get("lints")
            .and_then(|lints| lints.get("workspace"))
            .and_then(Value::as_bool);
        if inherits != Some(true) {
            findings.push(format!("{path}: `[lints] workspace = true` is missing"));
        }
    }
    Ok(findings)
}

/// The parser, its reference tree and the selectors share one html5ever.
pub(super) fn one_parser(repository: &Repository) -> Result<Vec<String>> {
    let lock = manifest(repository, "Cargo.lock")?;
    let packages = lock
        .get("package")
        .and_then(Value::as_array)
        .map_or(&[][..], Vec::as_slice);
    let versions: Vec<&str> = packages
        .iter()
        .filter(|package| package.get("name").and_then(Value::as_str) == Some("html5ever"))
        .filter_map(|package| package.get("version").and_then(Value::as_str))
        .collect();
    Ok(match versions.as_slice() {
        [_] => Vec::new(),
        [] => vec!["Cargo.lock: html5ever is missing".to_owned()],
        more => vec![format!(
            "Cargo.lock: html5ever has {} versions: {}",
            more.len(),
            more.join(", ")
        )],
    })
}

fn manifest(repository: &Repository, path: &str) -> Result<Table> {
    repository
        .text(path)?
        .parse::<Table>()
        .map_err(|e| format!("{path}: {e}").into())
}

/// Folders of the workspace's crates.
fn members(root: &Table) -> Vec<String> {
    let members = root
        .get("workspace")
        .and_then(|workspace| workspace.get("members"))
        .and_then(Value::as_array);
    members
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect()
}

/// Folders of the crates of the workspace that the crate in `member` depends on in any way.
fn dependencies(manifest: &Table, root: &Table, member: &str) -> Vec<String> {
    const KINDS: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];
    let targets = manifest
        .get("target")
        .and_then(Value::as_table)
        .into_iter()
        .flatten();
    let targets = targets.filter_map(|(_, table)| table.as_table());
    let shared = root
        .get("workspace")
        .and_then(|workspace| workspace.get("dependencies"));
    let mut folders = Vec::new();
    for table in std::iter::once(manifest).chain(targets) {
        for (name, entry) in KINDS
            .iter()
            .filter_map(|kind| table.get(*kind)?.as_table())
            .flatten()
        {
            let own = entry.get("path").and_then(Value::as_str);
            let inherited = || shared?.get(name)?.get("path")?.as_str();
            match (own, entry.get("workspace")) {
                (Some(path), _) => folders.push(joined(member, path)),
                (None, Some(_)) => folders.extend(inherited().map(|path| joined("", path))),
                (None, None) => {}
            }
        }
    }
    folders.sort_unstable();
    folders.dedup();
    folders
}

/// A relative path that starts in `folder`, without `.` and `..`.
fn joined(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::super::tests::expect;
    use super::*;

    const ROOT: &str = "[workspace]\nmembers = ['crates/extract', 'crates/dedup', 'crates/new']\n\
        [workspace.dependencies]\nextract = { path = 'crates/extract' }\nserde = '1'\n";

    #[test]
    fn libraries_that_know_each_other_are_found() {
        let files = [
            ("Cargo.toml", ROOT),
            (
                "crates/extract/Cargo.toml",
                "[dependencies]\nserde.workspace = true",
            ),
            (
                "crates/dedup/Cargo.toml",
                "[dev-dependencies]\nextract.workspace = true\n\
                 [target.'cfg(unix)'.dependencies]\nn = { path = '../normalize' }",
            ),
            ("crates/new/Cargo.toml", ""),
        ];
        let findings = [
            "crates/dedup/Cargo.toml: `crates/dedup` may not depend on `crates/extract`",
            "crates/dedup/Cargo.toml: `crates/dedup` may not depend on `crates/normalize`",
            "crates/new/Cargo.toml: say in xtask's list of edges what `crates/new` may depend on",
        ];
        expect(edges, &files, &findings);
    }

    #[test]
    fn missing_lints_are_found() {
        let files = [
            ("Cargo.toml", ROOT),
            ("crates/extract/Cargo.toml", "[lints]\nworkspace = true"),
            ("crates/dedup/Cargo.toml", "[lints]\nworkspace = false"),
            ("crates/new/Cargo.toml", "[lints.rust]\nunsafe_code = 'deny'"),
        ];
        let findings = [
            "crates/dedup/Cargo.toml: `[lints] workspace = true` is missing",
            "crates/new/Cargo.toml: `[lints] workspace = true` is missing",
        ];
        expect(lints, &files, &findings);
    }

    #[test]
    fn a_second_parser_is_found() {
        let one = "[[package]]\nname = 'html5ever'\nversion = '0.39.0'\n";
        let two = "[[package]]\nname = 'html5ever'\nversion = '0.35.0'\n";
        expect(one_parser, &[("Cargo.lock", one)], &[]);
        let finding = "Cargo.lock: html5ever has 2 versions: 0.39.0, 0.35.0";
        expect(one_parser, &[("Cargo.lock", &format!("{one}{two}"))], &[finding]);
    }
}
