//! Check of the fixtures.

use std::collections::BTreeSet;

use super::repository::Repository;
use crate::result::Result;

/// Every entry of `fixtures/` must be named in its README, which has the provenance, or be a folder with
/// such a README of its own.
pub(super) fn provenance(repository: &Repository) -> Result<Vec<String>> {
    const README: &str = "fixtures/README.md";
    let below = repository
        .files
        .iter()
        .filter_map(|path| path.strip_prefix("fixtures/"));
    let entries: BTreeSet<&str> = below
        .filter_map(|path| path.split_inclusive('/').next())
        .collect();
    if entries.is_empty() {
        return Ok(Vec::new());
    }
    if !repository.has(README) {
        return Ok(vec![format!("{README}: missing")]);
    }
    let readme = repository.text(README)?;
    // Entries of folders end with `/`, as the README writes them.
    let mut findings = Vec::new();
    if !tells_provenance(&readme) {
        findings.push(format!("{README}: a heading `Provenance` is missing"));
    }
    for entry in entries.into_iter().filter(|entry| *entry != "README.md") {
        let own = format!("fixtures/{entry}README.md");
        let told = entry.ends_with('/') && repository.has(&own) && tells_provenance(&repository.text(&own)?);
        if !told && !readme.contains(&format!("`{entry}`")) {
            findings.push(format!("fixtures/{entry}: {README} does not name it"));
        }
    }
    Ok(findings)
}

/// Whether a README has a heading `Provenance`.
fn tells_provenance(readme: &str) -> bool {
    readme
        .lines()
        .any(|line| line.starts_with('#') && line.ends_with("Provenance"))
}

#[cfg(test)]
mod tests {
    use super::super::repository::tests::expect;
    use super::*;

    #[test]
    fn fixtures_from_nowhere_are_found() {
        let readme = "# Fixtures\n| `crawl/` |\n## Provenance\nWritten by us.\n";
        let files = [
            ("fixtures/README.md", readme),
            ("fixtures/crawl/a.html", ""),
            ("fixtures/pages/README.md", "# Provenance\n"),
            ("fixtures/fuzz/README.md", "# Cases\n"),
            ("fixtures/list.txt", ""),
        ];
        let findings = [
            "fixtures/fuzz/: fixtures/README.md does not name it",
            "fixtures/list.txt: fixtures/README.md does not name it",
        ];
        expect(provenance, &files, &findings);
        expect(
            provenance,
            &[("fixtures/x", "")],
            &["fixtures/README.md: missing"],
        );
        expect(provenance, &[("src/lib.rs", "")], &[]);
    }
}
