//! The bill of materials: every crate that is compiled into the program, as CycloneDX 1.5.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use super::program::triple;
use super::release::Release;
use super::system::{self, json};
use crate::cargo::cargo;
use crate::result::Result;
use crate::root::root;

/// Returns the path of the bill of materials.
pub(super) fn path(release: &Release) -> PathBuf {
    release.out.join(format!("{}.cdx.json", release.stem()))
}

/// Writes the bill, from the dependencies of the program as cargo lists them and the checksums of `Cargo.lock`.
pub(super) fn write(release: &Release) -> Result<Vec<PathBuf>> {
    let mut tree = cargo();
    // Only normal dependencies for this target: development and build dependencies are not part of the
    // program.
    tree.args([
        "tree",
        "--locked",
        "--package",
        "dehusk-cli",
        "--edges",
        "normal",
        "--target",
        &triple()?,
    ])
    .args(["--prefix", "none", "--no-dedupe", "--format", "{p}\t{l}\t{r}"]);
    let crates = crates_of(&system::read(&mut tree)?);
    let sums = checksums(&fs::read_to_string(root().join("Cargo.lock"))?);
    let components: Vec<String> = crates
        .iter()
        // The program itself is the subject of the bill, not a component.
        .filter(|((name, _), _)| name != "dehusk-cli")
        .map(|((name, version), licence)| {
            component(name, version, licence, sums.get(&(name.clone(), version.clone())))
        })
        .collect();
    let text = format!(
        "{{\"bomFormat\":\"CycloneDX\",\"specVersion\":\"1.5\",\"version\":1,\"metadata\":{{\"component\":{{\"type\":\"application\",\
         \"bom-ref\":\"dehusk\",\"name\":\"dehusk\",\"version\":{},\"licenses\":[{{\"expression\":\"MIT OR Apache-2.0\"}}]}}}},\n\
         \"components\":[\n{}\n]}}\n",
        json(&release.version),
        components.join(",\n")
    );
    let to = path(release);
    fs::write(&to, text)?;
    println!("  {} crates", components.len());
    Ok(vec![to])
}

/// Returns the licences of crates by name and version, from the output of `cargo tree`.
fn crates_of(tree: &str) -> BTreeMap<(String, String), String> {
    let mut crates = BTreeMap::new();
    for line in tree.lines() {
        // A line of `cargo tree`: `serde v1.0.228<TAB>MIT OR Apache-2.0<TAB>repository`. Repeated crates
        // give equal entries.
        let mut fields = line.split('\t');
        let mut package = fields.next().unwrap_or_default().split(' ');
        let (Some(name), Some(version)) = (package.next(), package.next()) else {
            continue;
        };
        // Older manifests separate licences by `/`, which SPDX expressions do not allow.
        let licence = fields.next().unwrap_or_default().replace('/', " OR ");
        let version = version.trim_start_matches('v').to_owned();
        crates.insert((name.to_owned(), version), licence);
    }
    crates
}

/// Returns the checksums of packages by name and version, from `Cargo.lock`.
fn checksums(lock: &str) -> BTreeMap<(String, String), String> {
    let mut sums = BTreeMap::new();
    for package in lock.split("[[package]]") {
        let field = |name: &str| {
            let start = format!("{name} = \"");
            package
                .lines()
                .find_map(|line| line.strip_prefix(&start)?.strip_suffix('"'))
        };
        // Crates of the workspace have no checksum.
        if let (Some(name), Some(version), Some(sum)) = (field("name"), field("version"), field("checksum")) {
            sums.insert((name.to_owned(), version.to_owned()), sum.to_owned());
        }
    }
    sums
}

/// Returns one component of the bill, as a JSON object. Unknown licences and checksums are left out.
fn component(name: &str, version: &str, licence: &str, sum: Option<&String>) -> String {
    let place = format!("pkg:cargo/{name}@{version}");
    let licences = match licence {
        "" => String::new(),
        licence => format!(",\"licenses\":[{{\"expression\":{}}}]", json(licence)),
    };
    let hashes = sum.map_or(String::new(), |sum| {
        format!(",\"hashes\":[{{\"alg\":\"SHA-256\",\"content\":{}}}]", json(sum))
    });
    format!(
        "{{\"type\":\"library\",\"bom-ref\":{},\"name\":{},\"version\":{},\"purl\":{}{licences}{hashes}}}",
        json(&place),
        json(name),
        json(version),
        json(&place)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_stand_once_with_licence_and_checksum() {
        let tree = "dehusk-cli v0.1.0 (/x)\tMIT\t\nabc v1.2.3\tMIT/Apache-2.0\t\nabc v1.2.3\tMIT/Apache-2.0\t\ndef v0.1.0+z (proc-macro)\t\t\n";
        let crates = crates_of(tree);
        let names: Vec<&str> = crates.keys().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["abc", "def", "dehusk-cli"]);
        let key = ("abc".to_owned(), "1.2.3".to_owned());
        assert_eq!(crates[&key], "MIT OR Apache-2.0");
        let lock = "version = 4\n\n[[package]]\nname = \"abc\"\nversion = \"1.2.3\"\nchecksum = \"0f\"\n\n[[package]]\nname = \"own\"\nversion = \"1.0.0\"\n";
        let sums = checksums(lock);
        assert_eq!(sums.len(), 1);
        let line = component("abc", "1.2.3", &crates[&key], sums.get(&key));
        assert!(
            line.contains("\"purl\":\"pkg:cargo/abc@1.2.3\"") && line.contains("\"content\":\"0f\""),
            "{line}"
        );
    }
}
