//! Reads the truth: which documents are duplicates.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use dehusk_pipeline::Error;
use dehusk_pipeline::dedup::UnionFind;
use dehusk_pipeline::narrow;
use serde_json::{Map, Value};

use super::romip;

/// The true duplicates of a set, in one or more degrees of similarity. The first degree is the default.
///
/// ```
/// use dehusk_lab::sets::Truth;
///
/// let folder = tempfile::tempdir()?;
/// let file = folder.path().join("truth.jsonl");
/// std::fs::write(&file, "{\"id\":\"a\",\"group\":7}\n{\"id\":\"b\",\"group\":7}\n")?;
/// let truth = Truth::read(&file, &["a".to_owned(), "b".to_owned(), "c".to_owned()])?;
/// let groups = &truth.degrees[0].groups;
/// assert!(groups[0] == groups[1] && groups[0] != groups[2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Truth {
    /// The degrees: `group` first, then the others by name.
    pub degrees: Vec<Degree>,
    /// The language of each document, by document number; `None` if the truth names none. Empty if it names
    /// no language at all.
    pub languages: Vec<Option<String>>,
    /// Number of ids in the truth that no document has.
    pub unknown: u64,
}

/// One degree of similarity.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Degree {
    /// Name: `group`, or another field of the truth such as `exact` or `story`.
    pub name: String,
    /// The group of each document, by document number. Documents that the truth does not mention have
    /// groups of their own.
    pub groups: Vec<u32>,
    /// The true pairs, if the truth lists pairs: document numbers, the smaller one first, sorted. `None`
    /// for groups.
    pub pairs: Option<Vec<(u32, u32)>>,
}

/// The contents of a file of truth, with ids instead of document numbers.
enum ParsedTruth {
    Groups {
        /// For each degree, a list of (id, label).
        degrees: BTreeMap<String, Vec<(String, String)>>,
        /// A list of (id, language).
        languages: Vec<(String, String)>,
    },
    /// Pairs of ids.
    Pairs(Vec<(String, String)>),
}

/// The default degree.
const MAIN: &str = "group";

impl Truth {
    /// Reads the truth about the documents with these ids. The format follows from the extension:
    ///
    /// - `.jsonl`: objects with `id` (or `url`, or `path`) and `group`. Further degrees are text or number
    ///   fields whose names end in `_group`, or are `exact` or `story`. `language` is the code of a
    ///   language. Or objects with `a` and `b`, which are pairs.
    /// - `.tsv` and `.txt`: `id<TAB>group`, or pairs `u1<TAB>u2<TAB>similarity`, separated by tabs or else
    ///   by spaces.
    /// - `.xml`: groups as a ROMIP `taskresult`, a `doclist` for each group.
    ///
    /// # Errors
    /// If the file cannot be read, or if a line is malformed.
    pub fn read(path: &Path, ids: &[String]) -> Result<Self, Error> {
        let file = File::open(path).map_err(|e| Error::input(path, e))?;
        let mut reader = BufReader::new(file);
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        let parsed = match extension.to_str() {
            Some("xml") => {
                let mut bytes = Vec::new();
                reader
                    .read_to_end(&mut bytes)
                    .map_err(|e| Error::input(path, e))?;
                let groups = romip::read_groups(&bytes).map_err(|m| wrong(path, None, m))?;
                ParsedTruth::Groups {
                    degrees: BTreeMap::from([(MAIN.to_owned(), groups)]),
                    languages: Vec::new(),
                }
            }
            Some("tsv" | "txt") => lines(path, reader, tsv)?,
            _ => lines(path, reader, jsonl)?,
        };
        Ok(Self::of(parsed, ids))
    }

    /// The truth by document number.
    fn of(parsed: ParsedTruth, ids: &[String]) -> Self {
        let numbers: HashMap<&str, u32> = ids.iter().map(String::as_str).zip(0..).collect();
        let mut languages = Vec::new();
        if let ParsedTruth::Groups { languages: told, .. } = &parsed
            && !told.is_empty()
        {
            languages = vec![None; ids.len()];
            for (id, language) in told {
                // Ids without a document are counted below, where groups are read.
                if let Some(&document) = numbers.get(id.as_str()) {
                    languages[document as usize] = Some(language.clone());
                }
            }
        }
        let mut unknown = 0;
        let mut number = |id: &str| {
            let found = numbers.get(id).copied();
            unknown += u64::from(found.is_none());
            found
        };
        let mut degrees: Vec<Degree> = match parsed {
            ParsedTruth::Pairs(pairs) => {
                let mut known: Vec<(u32, u32)> = Vec::new();
                for (a, b) in &pairs {
                    if let (Some(a), Some(b)) = (number(a), number(b))
                        && a != b
                    {
                        known.push((a.min(b), a.max(b)));
                    }
                }
                known.sort_unstable();
                known.dedup();
                vec![Degree {
                    name: MAIN.to_owned(),
                    groups: labels_of_pairs(ids.len(), known.iter().copied()),
                    pairs: Some(known),
                }]
            }
            // Labels of the file are numbered in the order of first occurrence.
            ParsedTruth::Groups { degrees, .. } => degrees
                .into_iter()
                .map(|(name, rows)| {
                    let mut labels: HashMap<String, u32> = HashMap::new();
                    let mut groups = vec![u32::MAX; ids.len()];
                    for (id, label) in rows {
                        if let Some(document) = number(&id) {
                            let next = narrow::to_u32(labels.len());
                            groups[document as usize] = *labels.entry(label).or_insert(next);
                        }
                    }
                    // Documents without a label get the numbers after all labels.
                    let unnamed = groups.iter_mut().filter(|group| **group == u32::MAX);
                    for (next, group) in (narrow::to_u32(labels.len())..).zip(unnamed) {
                        *group = next;
                    }
                    Degree {
                        name,
                        groups,
                        pairs: None,
                    }
                })
                .collect(),
        };
        // The default degree first, then by name.
        degrees.sort_by_key(|degree| (degree.name != MAIN, degree.name.clone()));
        Self {
            degrees,
            languages,
            unknown,
        }
    }
}

/// The labels of documents. Labels are equal if pairs connect the documents, directly or through others.
#[must_use]
pub fn labels_of_pairs(documents: usize, pairs: impl Iterator<Item = (u32, u32)>) -> Vec<u32> {
    let mut sets = UnionFind::new(narrow::to_u32(documents));
    for (a, b) in pairs {
        sets.unite(a, b);
    }
    sets.labels()
}

/// Error for a file of truth, at a line if one is given.
fn wrong(path: &Path, line: Option<u64>, message: impl std::fmt::Display) -> Error {
    let place = line.map_or_else(String::new, |line| format!(", line {line}"));
    let error = Error::usage(format!("`{}`{place}: {message}", path.display())).with_path(path);
    match line {
        Some(line) => error.with_line(line),
        None => error,
    }
}

/// One line of a file of truth.
enum Line {
    Groups {
        /// A list of (degree, id, label).
        labels: Vec<(String, String, String)>,
        /// Id and language.
        language: Option<(String, String)>,
    },
    Pair(String, String),
}

/// Reads a file line by line with `read`. Empty lines, comments after `#` and header lines are skipped.
fn lines(
    path: &Path,
    mut reader: impl BufRead,
    read: fn(&str) -> Result<Line, String>,
) -> Result<ParsedTruth, Error> {
    let (mut groups, mut pairs): (BTreeMap<String, Vec<(String, String)>>, _) = (BTreeMap::new(), Vec::new());
    let mut languages = Vec::new();
    let mut text = String::new();
    for number in 1.. {
        text.clear();
        let length = reader.read_line(&mut text).map_err(|e| Error::input(path, e))?;
        if length == 0 {
            break;
        }
        let line = text.trim_end_matches(['\r', '\n']).trim_start_matches('\u{feff}');
        if line.trim().is_empty() || line.starts_with('#') || line.starts_with("{\"header\"") {
            continue;
        }
        match read(line).map_err(|message| wrong(path, Some(number), message))? {
            Line::Pair(a, b) => pairs.push((a, b)),
            Line::Groups { labels, language } => {
                languages.extend(language);
                for (degree, id, label) in labels {
                    groups.entry(degree).or_default().push((id, label));
                }
            }
        }
    }
    // A file lists either groups or pairs: together, their meaning would be unclear.
    match (groups.is_empty(), pairs.is_empty()) {
        (true, false) => Ok(ParsedTruth::Pairs(pairs)),
        (false, true) => Ok(ParsedTruth::Groups {
            degrees: groups,
            languages,
        }),
        (false, false) => Err(wrong(path, None, "some lines are groups and some are pairs")),
        (true, true) => Err(wrong(path, None, "it says nothing").with_help(
            "write a line for each document, `id<TAB>group`, or for each pair, `u1<TAB>u2<TAB>similarity`",
        )),
    }
}

/// Parses a line with tabs or spaces.
fn tsv(line: &str) -> Result<Line, String> {
    let fields: Vec<&str> = if line.contains('\t') {
        line.split('\t').collect()
    } else {
        line.split_whitespace().collect()
    };
    match fields.as_slice() {
        [id, group] => Ok(Line::Groups {
            labels: vec![(MAIN.to_owned(), (*id).to_owned(), (*group).to_owned())],
            language: None,
        }),
        // Further fields are ignored.
        [a, b, similarity] | [a, b, similarity, ..] if similarity.trim().parse::<f64>().is_ok() => {
            Ok(Line::Pair((*a).to_owned(), (*b).to_owned()))
        }
        _ => Err("expected `id<TAB>group` or `u1<TAB>u2<TAB>similarity`".to_owned()),
    }
}

/// Parses a line of JSON.
fn jsonl(line: &str) -> Result<Line, String> {
    let fields: Map<String, Value> =
        serde_json::from_str(line).map_err(|error| format!("no JSON object: {error}"))?;
    let text = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let field = |name: &str| fields.get(name).and_then(text);
    if let (Some(a), Some(b)) = (field("a"), field("b")) {
        return Ok(Line::Pair(a, b));
    }
    // The id of a record is its `id`, or else its address, or else its path.
    let Some(id) = ["id", "url", "path"].into_iter().find_map(field) else {
        return Err("neither `id`, `url` or `path` nor `a` and `b` is here".to_owned());
    };
    let is_degree =
        |name: &str| name == MAIN || matches!(name, "exact" | "story") || name.ends_with("_group");
    let labels: Vec<_> = fields
        .iter()
        .filter(|(name, _)| is_degree(name))
        .filter_map(|(name, value)| Some((name.clone(), id.clone(), text(value)?)))
        .collect();
    // A document whose `group` is null has a group of its own.
    if labels.is_empty() && !fields.contains_key(MAIN) {
        return Err("`group` is missing".to_owned());
    }
    let language = field("language").map(|language| (id, language));
    Ok(Line::Groups { labels, language })
}
