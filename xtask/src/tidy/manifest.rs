//! A reader for the parts of `Cargo.toml` and `Cargo.lock` that tidy needs: sections, and keys with their
//! values as text.
//!
//! It supports comments, strings on one line, and arrays and inline tables over several lines. Any other
//! value is kept as it is, and the checks report it: cargo itself parses the file completely.

use super::repository::Repository;
use crate::result::Result;

/// A line `key = value` of a file in TOML.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Name of the section, as written between the brackets.
    pub(super) section: String,
    /// Number of the section, which distinguishes sections of the same name.
    pub(super) number: usize,
    pub(super) key: String,
    /// The value without comments, on one line.
    pub(super) value: String,
}

/// A manifest.
pub(super) struct Manifest {
    entries: Vec<Entry>,
}

/// A dependency as a manifest names it.
pub(super) struct Dependency {
    /// The name that the sources use, with `-`.
    pub(super) name: String,
    /// Kind of the section: `dependencies`, `dev-dependencies` or `build-dependencies`.
    pub(super) kind: String,
    pub(super) inherited: bool,
    pub(super) path: Option<String>,
}

impl Manifest {
    pub(super) fn read(repository: &Repository, path: &str) -> Result<Self> {
        Ok(Self::parse(&repository.text(path)?))
    }

    pub(super) fn parse(text: &str) -> Self {
        let mut entries = Vec::new();
        let (mut section, mut number) = (String::new(), 0);
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            let line = without_comment(line).trim();
            if let Some(name) = line.strip_prefix('[') {
                let name = name.trim_start_matches('[').trim_end_matches(']').trim();
                // `[[bin]]` and `[bin]` give sections of the same name, which differ in their number.
                name.clone_into(&mut section);
                number += 1;
            } else if let Some((key, value)) = line.split_once('=') {
                let mut value = value.trim().to_owned();
                // The value continues on the next lines until its brackets are closed.
                while depth(&value) > 0 {
                    let Some(more) = lines.next() else { break };
                    value.push(' ');
                    value.push_str(without_comment(more).trim());
                }
                entries.push(Entry {
                    section: section.clone(),
                    number,
                    key: key.trim().to_owned(),
                    value,
                });
            }
        }
        Self { entries }
    }

    pub(super) fn section(&self, name: &str) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(move |entry| entry.section == name)
    }

    /// Returns the value of a key, or of `key.workspace`; `None` if the section has neither.
    pub(super) fn value(&self, section: &str, key: &str) -> Option<&str> {
        let mut found = self.section(section);
        let found = found.find(|entry| entry.key.split('.').next() == Some(key))?;
        Some(&found.value)
    }

    /// Returns all dependencies, including those of one target only.
    pub(super) fn dependencies(&self) -> Vec<Dependency> {
        let mut found: Vec<Dependency> = Vec::new();
        for entry in &self.entries {
            // `[dependencies]`, `[target.'cfg(unix)'.dependencies]`, `[dependencies.name]`.
            let kinds = ["dev-dependencies", "build-dependencies", "dependencies"];
            let Some((kind, own)) = kinds.iter().find_map(|kind| {
                let (before, after) = entry.section.split_once(kind)?;
                // This rejects `[workspace.dependencies]`, which is a list of versions and adds no
                // dependency.
                let place = before.is_empty() || before.starts_with("target.") && before.ends_with('.');
                place.then_some((*kind, after.strip_prefix('.').unwrap_or_default()))
            }) else {
                continue;
            };
            // A dotted key, `serde.workspace = true`, has its field in the key rather than in the value.
            let (name, key) = match own {
                "" => entry.key.split_once('.').unwrap_or((&entry.key, "")),
                own => (own, entry.key.as_str()),
            };
            let name = name.trim_matches(['"', '\'']);
            let known = found
                .iter_mut()
                .position(|known| known.name == name && known.kind == kind);
            let at = known.unwrap_or_else(|| {
                found.push(Dependency {
                    name: name.to_owned(),
                    kind: kind.to_owned(),
                    inherited: false,
                    path: None,
                });
                found.len() - 1
            });
            let dependency = &mut found[at];
            let field = |field: &str| match key {
                "" => inline(&entry.value, field),
                key if key == field => Some(entry.value.clone()),
                _ => None,
            };
            dependency.inherited |= field("workspace").is_some_and(|value| value == "true");
            if let Some(path) = field("path") {
                dependency.path = strings(&path).pop();
            }
        }
        found
    }
}

/// Returns the line up to a `#` outside of strings.
fn without_comment(line: &str) -> &str {
    let mut quote = None;
    for (at, c) in line.char_indices() {
        match (quote, c) {
            (None, '#') => return &line[..at],
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            _ => {}
        }
    }
    line
}

/// Returns the number of brackets and braces that are still open at the end.
fn depth(value: &str) -> i32 {
    let mut quote = None;
    let mut depth = 0;
    for c in value.chars() {
        match (quote, c) {
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            (None, '[' | '{') => depth += 1,
            (None, ']' | '}') => depth -= 1,
            _ => {}
        }
    }
    depth
}

/// Returns the strings in a value, in order.
pub(super) fn strings(value: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = value;
    while let Some(at) = rest.find(['"', '\'']) {
        let quote = &rest[at..=at];
        let Some((text, after)) = rest[at + 1..].split_once(quote) else {
            break;
        };
        found.push(text.to_owned());
        rest = after;
    }
    found
}

/// Returns a field of an inline table such as `{ path = "a", version = "1" }`.
pub(super) fn inline(value: &str, field: &str) -> Option<String> {
    let inner = value.strip_prefix('{')?.strip_suffix('}')?;
    let mut start = 0;
    let mut parts = Vec::new();
    for (at, _) in inner.match_indices(',') {
        // A comma inside of a nested array or table, such as `features = ["a", "b"]`, does not separate
        // fields.
        if depth(&inner[start..at]) == 0 {
            parts.push(&inner[start..at]);
            start = at + 1;
        }
    }
    parts.push(&inner[start..]);
    parts.into_iter().find_map(|part| {
        let (key, value) = part.split_once('=')?;
        (key.trim() == field).then(|| value.trim().to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifests_are_read() {
        let manifest = Manifest::parse(
            "[package]\nname = \"a#b\" # comment\nversion.workspace = true\n\n[dependencies]\nserde.workspace = true\n\
             html = { path = \"../html\", features = [\"x\", 'y'] }\nplain = \"1\"\n\
             [dependencies.long]\npath = '../long'\n[target.'cfg(any(unix, target_arch = \"x86\"))'.dev-dependencies]\nrustix = {\n  workspace = true,\n}\n\
             [features]\nall = [\n  \"one\", # first\n  \"two\",\n]\n[[test]]\nname = \"t\"\n[[test]]\nname = \"u\"\n",
        );
        assert_eq!(manifest.value("package", "name"), Some("\"a#b\""));
        assert_eq!(manifest.value("package", "version"), Some("true"));
        assert_eq!(manifest.value("package", "other"), None);
        assert_eq!(
            strings(manifest.value("features", "all").unwrap()),
            ["one", "two"]
        );
        let numbers: Vec<usize> = manifest.section("test").map(|entry| entry.number).collect();
        assert_eq!(numbers.len(), 2);
        assert_ne!(numbers[0], numbers[1]);
        let found: Vec<_> = manifest
            .dependencies()
            .into_iter()
            .map(|d| (d.name, d.kind, d.inherited, d.path.unwrap_or_default()))
            .collect();
        let row = |name: &str, kind: &str, inherited, path: &str| {
            (name.to_owned(), kind.to_owned(), inherited, path.to_owned())
        };
        assert_eq!(
            found,
            [
                row("serde", "dependencies", true, ""),
                row("html", "dependencies", false, "../html"),
                row("plain", "dependencies", false, ""),
                row("long", "dependencies", false, "../long"),
                row("rustix", "dev-dependencies", true, ""),
            ]
        );
    }
}
