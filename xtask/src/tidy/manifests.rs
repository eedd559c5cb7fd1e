//! Checks of `Cargo.toml` and `Cargo.lock`.

use super::manifest::{Manifest, inline, strings};
use super::repository::Repository;
use super::source::{is_test_file, lines_of_code};
use crate::result::Result;

/// The crates of the workspace that each crate may depend on, by folder; dependencies of tests count, too.
const EDGES: &[(&str, &[&str])] = &[
    ("crates/archive", &[]),
    ("crates/browser", &["crates/archive", "crates/html"]),
    ("crates/heap", &[]),
    ("crates/html", &[]),
    ("crates/extract", &["crates/heap", "crates/html"]),
    ("crates/normalize", &[]),
    ("crates/dedup", &[]),
    (
        "crates/pipeline",
        &[
            "crates/archive",
            "crates/browser",
            "crates/extract",
            "crates/heap",
            "crates/html",
            "crates/normalize",
            "crates/dedup",
        ],
    ),
    ("crates/lab", &["crates/pipeline"]),
    (
        "crates/workshop",
        &["crates/browser", "crates/html", "crates/pipeline", "crates/lab"],
    ),
    (
        "crates/cli",
        &["crates/pipeline", "crates/lab", "crates/workshop"],
    ),
    (
        "crates/dehusk",
        &[
            "crates/archive",
            "crates/html",
            "crates/extract",
            "crates/normalize",
            "crates/dedup",
            "crates/pipeline",
            "crates/lab",
        ],
    ),
    ("crates/bench", &["crates/html", "crates/pipeline", "crates/lab"]),
    (
        "crates/fuzz",
        &[
            "crates/archive",
            "crates/html",
            "crates/pipeline",
            "crates/workshop",
        ],
    ),
    ("crates/python", &["crates/pipeline", "crates/lab"]),
    ("xtask", &[]),
];

/// Crates may depend only on the crates that [`EDGES`] allows: arrows point down, and the three libraries
/// are independent.
pub(super) fn edges(repository: &Repository) -> Result<Vec<String>> {
    let root = Manifest::read(repository, "Cargo.toml")?;
    let mut findings = Vec::new();
    for member in members(repository, &root) {
        let path = format!("{member}/Cargo.toml");
        let Some((_, allowed)) = EDGES.iter().find(|(folder, _)| *folder == member) else {
            findings.push(format!(
                "{path}: say in xtask's list of edges what `{member}` may depend on"
            ));
            continue;
        };
        for folder in folders(&Manifest::read(repository, &path)?, &root, &member) {
            if !allowed.contains(&folder.as_str()) {
                findings.push(format!("{path}: `{member}` may not depend on `{folder}`"));
            }
        }
    }
    Ok(findings)
}

/// Every crate must have `[lints] workspace = true`.
pub(super) fn lints(repository: &Repository) -> Result<Vec<String>> {
    let mut findings = Vec::new();
    for member in members(repository, &Manifest::read(repository, "Cargo.toml")?) {
        let path = format!("{member}/Cargo.toml");
        if Manifest::read(repository, &path)?.value("lints", "workspace") != Some("true") {
            findings.push(format!("{path}: `[lints] workspace = true` is missing"));
        }
    }
    Ok(findings)
}

/// Every crate must have the parts of a package: a README, and, if it is published, a description and a
/// licence.
pub(super) fn packages(repository: &Repository) -> Result<Vec<String>> {
    let mut findings = Vec::new();
    for member in members(repository, &Manifest::read(repository, "Cargo.toml")?) {
        let path = format!("{member}/Cargo.toml");
        let manifest = Manifest::read(repository, &path)?;
        if member.starts_with("crates/") && !repository.has(&format!("{member}/README.md")) {
            findings.push(format!("{member}/README.md: missing"));
        }
        // The rest is needed by the registry only.
        if manifest.value("package", "publish") == Some("false") {
            continue;
        }
        for key in ["description", "license", "rust-version"] {
            if manifest.value("package", key).is_none() {
                findings.push(format!("{path}: `{key}` is missing"));
            }
        }
    }
    Ok(findings)
}

/// Packages whose library has another name.
const LIBRARIES: &[(&str, &str)] = &[("md-5", "md5")];

/// Every dependency must be named in the sources of its crate, every one of tests in sources or tests, and
/// every one of the workspace in a crate.
pub(super) fn unused(repository: &Repository) -> Result<Vec<String>> {
    let root = Manifest::read(repository, "Cargo.toml")?;
    let mut findings = Vec::new();
    let mut inherited = Vec::new();
    for member in members(repository, &root) {
        let path = format!("{member}/Cargo.toml");
        let manifest = Manifest::read(repository, &path)?;
        let (mut program, mut tests) = (String::new(), String::new());
        let mut folders = vec![format!("{member}/")];
        // Targets with a path of their own may have their sources outside of the crate's folder.
        for target in ["lib", "bin", "test", "bench", "example"] {
            for entry in manifest.section(target).filter(|entry| entry.key == "path") {
                let file = joined(&member, &strings(&entry.value).concat());
                folders.extend(file.rsplit_once('/').map(|(folder, _)| format!("{folder}/")));
            }
        }
        for file in repository.sources() {
            if !folders.iter().any(|folder| file.starts_with(folder.as_str())) {
                continue;
            }
            let text = repository.text(file)?;
            // Build scripts use dependencies as programs do.
            let source = file.starts_with(&format!("{member}/src/")) || file.ends_with("build.rs");
            if source && !is_test_file(repository, file)? {
                for (_, line) in lines_of_code(&text) {
                    program.push_str(line);
                    program.push('\n');
                }
            }
            // Dependencies of tests may be named in any source, such as in a module of tests.
            tests.push_str(&text);
        }
        for dependency in manifest.dependencies() {
            let library = LIBRARIES.iter().find(|(package, _)| *package == dependency.name);
            let name = library.map_or_else(
                || dependency.name.replace('-', "_"),
                |(_, name)| (*name).to_owned(),
            );
            let sources = if dependency.kind == "dev-dependencies" {
                &tests
            } else {
                &program
            };
            if !names(sources, &name) {
                findings.push(format!(
                    "{path}: no source names the dependency `{}`",
                    dependency.name
                ));
            }
            inherited.extend(dependency.inherited.then_some(dependency.name));
        }
    }
    let mut shared: Vec<&str> = root
        .section("workspace.dependencies")
        .map(|entry| entry.key.as_str())
        .collect();
    shared.sort_unstable();
    for name in shared {
        if !inherited.iter().any(|used| used == name) {
            findings.push(format!("Cargo.toml: no crate has the dependency `{name}`"));
        }
    }
    Ok(findings)
}

/// Whether a name occurs in a text as a whole word.
fn names(text: &str, name: &str) -> bool {
    // `log` must not be found in `catalog` or `log_line`.
    let part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(name)
        .any(|(at, _)| !part(text[..at].chars().next_back()) && !part(text[at + name.len()..].chars().next()))
}

/// The lock file must have exactly one html5ever, which the parser we compare with and its reference tree
/// share.
pub(super) fn one_parser(repository: &Repository) -> Result<Vec<String>> {
    // Every `[[package]]` has a number, which connects its name with its version.
    let lock = Manifest::read(repository, "Cargo.lock")?;
    let parsers = lock
        .section("package")
        .filter(|entry| entry.key == "name" && entry.value.trim_matches(['"', '\'']) == "html5ever");
    let numbers: Vec<usize> = parsers.map(|entry| entry.number).collect();
    let versions: Vec<String> = lock
        .section("package")
        .filter(|entry| entry.key == "version" && numbers.contains(&entry.number))
        .flat_map(|entry| strings(&entry.value))
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

/// Returns the folders of the workspace's crates.
pub(super) fn members(repository: &Repository, root: &Manifest) -> Vec<String> {
    let mut found = Vec::new();
    // A member is a folder, or `crates/*` for all folders with a manifest directly below.
    for member in strings(root.value("workspace", "members").unwrap_or_default()) {
        let Some(parent) = member.strip_suffix('*') else {
            found.push(member);
            continue;
        };
        let crates = repository.files.iter().filter_map(|path| {
            let folder = path.strip_suffix("/Cargo.toml")?;
            let name = folder.strip_prefix(parent)?;
            (!name.contains('/')).then(|| folder.to_owned())
        });
        found.extend(crates);
    }
    found
}

/// Returns the folders of workspace crates that the crate in `member` depends on, by any kind of dependency.
fn folders(manifest: &Manifest, root: &Manifest, member: &str) -> Vec<String> {
    let mut folders = Vec::new();
    for dependency in manifest.dependencies() {
        // A path of the crate is relative to its own folder, and a path in `[workspace.dependencies]` to
        // the root.
        if let Some(path) = dependency.path {
            folders.push(joined(member, &path));
        } else if dependency.inherited {
            let shared = root.value("workspace.dependencies", &dependency.name);
            let path = shared.and_then(|value| inline(value, "path"));
            folders.extend(path.map(|path| joined("", &strings(&path).concat())));
        }
    }
    folders.sort_unstable();
    folders.dedup();
    folders
}

/// Returns a path relative to `folder` as a path from the root, without `.` and `..`.
pub(super) fn joined(folder: &str, path: &str) -> String {
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
    use super::super::repository::tests::expect;
    use super::*;

    const ROOT: &str = "[workspace]\nmembers = ['crates/*', 'xtask']\n\
        [workspace.dependencies]\nextract = { path = 'crates/extract', version = '1' }\nserde = '1'\n";

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
            ("xtask/Cargo.toml", ""),
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
            ("xtask/Cargo.toml", "[lints.rust]\nunsafe_code = 'deny'"),
        ];
        let findings = [
            "crates/dedup/Cargo.toml: `[lints] workspace = true` is missing",
            "xtask/Cargo.toml: `[lints] workspace = true` is missing",
        ];
        expect(lints, &files, &findings);
    }

    #[test]
    fn packages_that_cannot_be_published_are_found() {
        let files = [
            ("Cargo.toml", ROOT),
            (
                "crates/dedup/Cargo.toml",
                "[package]\ndescription = 'd'\nlicense.workspace = true",
            ),
            ("crates/dedup/README.md", ""),
            ("crates/bench/Cargo.toml", "[package]\npublish = false"),
            ("xtask/Cargo.toml", "[package]\npublish = false"),
        ];
        let findings = [
            "crates/bench/README.md: missing",
            "crates/dedup/Cargo.toml: `rust-version` is missing",
        ];
        expect(packages, &files, &findings);
    }

    #[test]
    fn dependencies_that_nobody_names_are_found() {
        let files = [
            ("Cargo.toml", ROOT),
            (
                "crates/dedup/Cargo.toml",
                "[dependencies]\nserde.workspace = true\nmd-5 = '1'\nrayon = '1'\n[dev-dependencies]\nproptest = '1'\nsha2 = '1'\n\
                 [[test]]\npath = '../../tests/main.rs'",
            ),
            (
                "crates/dedup/src/lib.rs",
                "use md5::Digest;\n// serde::x and rayon\n#[cfg(test)]\nmod tests {\n    use proptest::x; use rayon::y;\n}\n",
            ),
            ("tests/main.rs", "sha2::f();"),
            ("xtask/Cargo.toml", ""),
        ];
        let findings = [
            "crates/dedup/Cargo.toml: no source names the dependency `serde`",
            "crates/dedup/Cargo.toml: no source names the dependency `rayon`",
            "Cargo.toml: no crate has the dependency `extract`",
        ];
        expect(unused, &files, &findings);
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
