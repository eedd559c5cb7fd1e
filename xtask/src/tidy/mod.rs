//! `cargo xtask tidy`: rules of the repository that no compiler checks. A test runs it, too.

mod contents;
mod documents;
mod fixtures;
mod imports;
mod manifest;
mod manifests;
mod modules;
mod repository;
mod source;
mod texts;
mod voice;

use crate::result::Result;
use crate::root::root;
use repository::{Check, Repository};

/// The checks by name.
const CHECKS: &[(&str, Check)] = &[
    ("crates know only what they may", manifests::edges),
    ("crates inherit the workspace's lints", manifests::lints),
    ("crates can be packaged", manifests::packages),
    ("dependencies are used", manifests::unused),
    ("one HTML parser is compiled", manifests::one_parser),
    ("every module is part of a crate", modules::strays),
    ("every strategy is in its table", modules::tables),
    ("folders are the stages in order", imports::order),
    ("no files import each other in a circle", imports::circles),
    ("crates include nothing from outside", contents::inside),
    ("data that two crates read are the same", contents::copies),
    ("libraries stay away from the system", modules::absences),
    ("fixtures have their provenance", fixtures::provenance),
    ("links of documents lead somewhere", documents::links),
    ("the book has every document", documents::chapters),
    ("files are short", texts::lengths),
    ("files name no folder of a machine", texts::machine_paths),
    ("comments and documents are plain English", voice::phrases),
];

/// Runs all checks and prints their findings.
pub(crate) fn run() -> Result<()> {
    let findings = check(&Repository::open(&root())?)?;
    for finding in &findings {
        eprintln!("{finding}");
    }
    match findings.len() {
        0 => {
            println!("tidy: {} checks found nothing", CHECKS.len());
            Ok(())
        }
        count => Err(format!("tidy: {count} findings").into()),
    }
}

/// Returns the findings of all checks, each followed by the name of its check.
fn check(repository: &Repository) -> Result<Vec<String>> {
    let mut findings = Vec::new();
    for (name, check) in CHECKS {
        findings.extend(
            check(repository)?
                .into_iter()
                .map(|finding| format!("{finding} [{name}]")),
        );
    }
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_repository_is_tidy() {
        let findings = check(&Repository::open(&root()).unwrap()).unwrap();
        assert!(findings.is_empty(), "\n{}\n", findings.join("\n"));
    }
}
