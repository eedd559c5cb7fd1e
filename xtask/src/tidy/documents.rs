//! Checks of the documents: their links, and the list of chapters of the book.

use std::collections::{BTreeMap, BTreeSet};

use super::manifests::joined;
use super::repository::Repository;
use crate::docs::SUMMARY;
use crate::result::Result;

/// Every relative link of a document must lead to a file or folder of the repository, and its fragment to a
/// heading.
pub(super) fn links(repository: &Repository) -> Result<Vec<String>> {
    let mut findings = Vec::new();
    let mut known: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for path in documents(repository) {
        let text = repository.text(path)?;
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        for (number, link) in links_of(&text) {
            // A link with a fragment only, such as `#install`, leads to the document itself.
            let (file, fragment) = link.split_once('#').unwrap_or((&link, ""));
            let target = match file {
                "" => path.to_owned(),
                file => joined(folder, file),
            };
            // git has no folders, so a folder exists if a file lies below it.
            let within = format!("{target}/");
            if !repository.has(&target) && !repository.files.iter().any(|file| file.starts_with(&within)) {
                findings.push(format!("{path}:{number}: links to `{link}`, which is not there"));
                continue;
            }
            if fragment.is_empty() || !target.ends_with(".md") {
                continue;
            }
            // Headings of a document are read once, since several links may lead to it.
            if !known.contains_key(&target) {
                known.insert(target.clone(), anchors(&repository.text(&target)?));
            }
            if !known
                .get(&target)
                .is_some_and(|anchors| anchors.contains(fragment))
            {
                findings.push(format!("{path}:{number}: `{link}` names no heading"));
            }
        }
    }
    Ok(findings)
}

/// The list of chapters must have every document of `docs` once.
pub(super) fn chapters(repository: &Repository) -> Result<Vec<String>> {
    if !repository.has(SUMMARY) {
        return Ok(Vec::new());
    }
    let text = repository.text(SUMMARY)?;
    let listed: Vec<String> = links_of(&text).map(|(_, link)| joined("docs", &link)).collect();
    let mut findings = Vec::new();
    let of_docs = documents(repository).filter(|path| path.starts_with("docs/") && *path != SUMMARY);
    for path in of_docs {
        match listed.iter().filter(|listed| *listed == path).count() {
            1 => {}
            0 => findings.push(format!("{SUMMARY}: `{path}` is missing")),
            _ => findings.push(format!("{SUMMARY}: `{path}` is listed twice")),
        }
    }
    Ok(findings)
}

/// Returns our own documents. Documents among the fixtures are data.
fn documents(repository: &Repository) -> impl Iterator<Item = &str> {
    let paths = repository.files.iter().map(String::as_str);
    paths.filter(|path| path.ends_with(".md") && !path.starts_with("fixtures/"))
}

/// Returns the relative links of a document with their line numbers. Links inside of code are left out.
fn links_of(text: &str) -> impl Iterator<Item = (usize, String)> {
    let mut found = Vec::new();
    for (number, line) in prose(text) {
        // Every second part lies between backquotes and is left out: `[x](y)` in code is not a link.
        let spans = line.split('`').step_by(2);
        let line = spans.collect::<Vec<_>>().join("`");
        for (at, _) in line.match_indices("](") {
            let rest = &line[at + 2..];
            // A space separates the address from a title: `[text](file.md "Title")`.
            let link = rest.split([')', ' ']).next().unwrap_or_default();
            if !link.is_empty() && !link.contains("://") && !link.starts_with("mailto:") {
                found.push((number, link.to_owned()));
            }
        }
    }
    found.into_iter()
}

/// Returns the numbered lines outside blocks of code.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut code = false;
    (1..).zip(text.lines()).filter(move |(_, line)| {
        let fence = line.trim_start().starts_with("```");
        code ^= fence;
        !code && !fence
    })
}

/// Returns the fragments that headings of a document have, as forges and the book write them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (_, line) in prose(text) {
        let heading = line.trim_start_matches('#');
        if heading.len() < line.len() && heading.starts_with(' ') {
            // The rule of forges: lower case, spaces become hyphens, other characters are dropped. `## What
            // it's for` becomes `what-its-for`.
            let kept = heading
                .trim()
                .chars()
                .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
            let anchor: String = kept.collect::<String>().to_lowercase().replace(' ', "-");
            // The second heading of the same name gets `-1`, the third `-2`.
            let known = |anchor: &String| found.contains(anchor);
            let numbered = (1..).map(|i| format!("{anchor}-{i}"));
            let anchor = std::iter::once(anchor.clone())
                .chain(numbered)
                .find(|anchor| !known(anchor));
            found.extend(anchor);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::repository::tests::expect;
    use super::*;

    #[test]
    fn links_that_lead_nowhere_are_found() {
        let files = [
            (
                "docs/a.md",
                "# A b: `c`\n[1](b.md) [2](../README.md#x) [3](#a-b-c) [4](https://x.example/y) [5](gone.md)\n\
                 ```\n[6](code.md)\n```\n`[7](span.md)` [8](b.md#no) [9](pictures)\n",
            ),
            ("docs/b.md", "# B\n"),
            ("docs/pictures/p.png", ""),
            ("README.md", "## X\n"),
        ];
        let findings = [
            "docs/a.md:2: links to `gone.md`, which is not there",
            "docs/a.md:6: `b.md#no` names no heading",
        ];
        expect(links, &files, &findings);
    }

    #[test]
    fn chapters_that_are_missing_or_listed_twice_are_found() {
        let files = [
            (
                "docs/SUMMARY.md",
                "[r](../README.md)\n- [a](a.md)\n- [b](d/b.md)\n- [b](d/b.md)\n",
            ),
            ("docs/a.md", ""),
            ("docs/c.md", ""),
            ("docs/d/b.md", ""),
            ("README.md", ""),
        ];
        let findings = [
            "docs/SUMMARY.md: `docs/c.md` is missing",
            "docs/SUMMARY.md: `docs/d/b.md` is listed twice",
        ];
        expect(chapters, &files, &findings);
    }
}
