//! The html5lib-tests suites (`fixtures/html5lib-tests`) over this parser and over html5ever.

use std::path::{Path, PathBuf};

use super::super::outline::Outline;
use super::super::reference;
use super::super::whatwg::testing::{self, Setup};
use super::super::whatwg::tokens::{self, PlainToken};
use super::html5ever_tokens;
use crate::tree::Namespace;

fn suite(name: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fixtures/html5lib-tests")
        .join(name);
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files
}

/// One case of the tree construction suite.
struct TreeCase {
    data: String,
    context: Option<String>,
    /// Whether scripting is on; `None` to run with both.
    scripting: Option<bool>,
    /// Entries of the expected tree.
    document: Vec<String>,
}

fn tree_cases(path: &Path) -> Vec<TreeCase> {
    let text = std::fs::read_to_string(path).unwrap();
    let text = text
        .strip_prefix("#data\n")
        .unwrap_or_else(|| panic!("{} begins otherwise", path.display()));
    text.split("\n\n#data\n").map(tree_case).collect()
}

fn tree_case(text: &str) -> TreeCase {
    let (data, rest) = text.split_once("#errors\n").unwrap();
    let data = data.strip_suffix('\n').unwrap_or(data);
    let (head, document) = rest.split_once("#document\n").unwrap();
    let mut head = head.lines();
    let (mut context, mut scripting) = (None, None);
    while let Some(line) = head.next() {
        match line {
            "#document-fragment" => context = head.next().map(str::to_owned),
            "#script-off" => scripting = Some(false),
            "#script-on" => scripting = Some(true),
            _ => {}
        }
    }
    let mut entries: Vec<String> = Vec::new();
    for line in document.strip_suffix('\n').unwrap_or(document).split('\n') {
        match (line.strip_prefix("| "), entries.last_mut()) {
            (Some(entry), _) => entries.push(entry.to_owned()),
            (None, Some(entry)) => {
                entry.push('\n');
                entry.push_str(line);
            }
            (None, None) => assert!(line.is_empty(), "{line:?}"),
        }
    }
    // An outline merges adjacent texts.
    let indent = |entry: &str| entry.len() - entry.trim_start_matches(' ').len();
    let is_text = |entry: &str| entry.trim_start_matches(' ').starts_with('"');
    entries.dedup_by(|b, a| {
        let joined = is_text(a) && is_text(b) && indent(a) == indent(b);
        if joined {
            a.pop();
            a.push_str(&b.trim_start_matches(' ')[1..]);
        }
        joined
    });
    // The content of `selectedcontent` depends on the state of a form control: see `whatwg/mod.rs`.
    let mut hidden = usize::MAX;
    entries.retain(|entry| {
        let depth = indent(entry);
        let kept = depth <= hidden;
        if kept {
            hidden = if entry.trim_start() == "<selectedcontent>" {
                depth
            } else {
                usize::MAX
            };
        }
        kept
    });
    TreeCase {
        data: data.to_owned(),
        context,
        scripting,
        document: entries,
    }
}

impl TreeCase {
    fn setups(&self) -> Vec<Setup<'_>> {
        let context = self.context.as_deref().map(|name| match name.split_once(' ') {
            Some(("svg", name)) => (Namespace::Svg, name),
            Some(("math", name)) => (Namespace::MathMl, name),
            _ => (Namespace::Html, name),
        });
        let both = [true, false];
        let wanted = both
            .into_iter()
            .filter(|&on| self.scripting.is_none_or(|wanted| wanted == on));
        wanted
            .map(|scripting| Setup {
                scripting,
                comments: true,
                as_html5ever: false,
                context,
            })
            .collect()
    }
}

/// Runs the tree construction suite and returns the cases that differ, as "file: data".
fn differing_trees(parse: impl Fn(&str, &Setup<'_>) -> Outline) -> Vec<String> {
    let (mut differing, mut count) = (Vec::new(), 0);
    for path in suite("tree-construction")
        .iter()
        .filter(|path| path.extension().is_some_and(|e| e == "dat"))
    {
        for case in tree_cases(path) {
            for setup in case.setups() {
                count += 1;
                let tree = parse(&case.data, &setup);
                if tree.lines != case.document {
                    let file = path.file_name().unwrap().to_string_lossy();
                    let context = case
                        .context
                        .as_ref()
                        .map_or(String::new(), |c| format!(" in {c}"));
                    let name = format!("{file}{context}: {:?}", case.data);
                    if std::env::var_os("SHOW").is_some() {
                        eprintln!("{name}\n  wanted {:#?}\n  got {:#?}", case.document, tree.lines);
                    }
                    differing.push(name);
                }
            }
        }
    }
    assert!(count > 3000, "only {count} cases were found");
    differing.dedup();
    differing
}

#[test]
fn trees_are_those_of_the_suite() {
    let ours = |data: &str, setup: &Setup<'_>| {
        testing::parse(data, setup).outline(setup.context.is_some(), Outline::sorted())
    };
    let none: [&str; 0] = [];
    assert_eq!(differing_trees(ours), none);
}

#[test]
fn html5ever_differs_from_the_suite_where_it_departs_from_the_standard() {
    let theirs = |data: &str, setup: &Setup<'_>| reference::outline(data, setup, Outline::sorted());
    // html5ever does not ignore an `input` in a fragment whose context is `select`.
    assert_eq!(
        differing_trees(theirs),
        ["tests_innerHTML_1.dat in select: \"<input><option>\""]
    );
}

/// One case of the tokenizer suite, in one state.
struct TokenCase {
    name: String,
    input: String,
    state: String,
    last_start_tag: Option<String>,
    tokens: Vec<PlainToken>,
}

fn token_cases(path: &Path) -> Vec<TokenCase> {
    let suite: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    // The suite of XML violations expects names and characters changed to fit into XML, which the standard
    // does not require.
    let Some(cases) = suite["tests"].as_array() else {
        assert!(suite["xmlViolationTests"].is_array(), "{}", path.display());
        return Vec::new();
    };
    let mut out = Vec::new();
    for case in cases {
        let escaped = case["doubleEscaped"].as_bool().unwrap_or(false);
        let Some(input) = unescaped(case["input"].as_str().unwrap(), escaped) else {
            continue;
        };
        let Some(tokens) = case["output"]
            .as_array()
            .unwrap()
            .iter()
            .map(|t| plain_token(t, escaped))
            .collect()
        else {
            continue;
        };
        let states = match case["initialStates"].as_array() {
            Some(states) => states.iter().map(|s| s.as_str().unwrap().to_owned()).collect(),
            None => vec!["Data state".to_owned()],
        };
        for state in states {
            out.push(TokenCase {
                name: format!(
                    "{}: {}",
                    path.file_name().unwrap().to_string_lossy(),
                    case["description"]
                ),
                input: input.clone(),
                state,
                last_start_tag: case["lastStartTag"].as_str().map(str::to_owned),
                tokens: Vec::clone(&tokens),
            });
        }
    }
    out
}

/// Resolves `\uHHHH` if the case is escaped; `None` for a lone surrogate, which decoded text cannot contain.
fn unescaped(text: &str, escaped: bool) -> Option<String> {
    if !escaped {
        return Some(text.to_owned());
    }
    let mut units = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\\u") {
        units.extend(before.encode_utf16());
        units.push(u16::from_str_radix(&after[..4], 16).unwrap());
        rest = &after[4..];
    }
    units.extend(rest.encode_utf16());
    String::from_utf16(&units).ok()
}

fn plain_token(token: &serde_json::Value, escaped: bool) -> Option<PlainToken> {
    let text = |i: usize| token[i].as_str().map(|t| unescaped(t, escaped));
    Some(match token[0].as_str().unwrap() {
        "DOCTYPE" => PlainToken::Doctype {
            name: text(1).map_or(Some(None), |t| t.map(Some))?,
            public: text(2).map_or(Some(None), |t| t.map(Some))?,
            system: text(3).map_or(Some(None), |t| t.map(Some))?,
            correct: token[4].as_bool().unwrap(),
        },
        "StartTag" => {
            let attributes = token[2].as_object().unwrap().iter();
            let attributes: Option<Vec<(String, String)>> = attributes
                .map(|(name, value)| {
                    Some((
                        unescaped(name, escaped)?,
                        unescaped(value.as_str().unwrap(), escaped)?,
                    ))
                })
                .collect();
            let self_closing = token[3].as_bool().unwrap_or(false);
            PlainToken::Start {
                name: text(1)??,
                attributes: attributes?,
                self_closing,
            }
        }
        "EndTag" => PlainToken::End(text(1)??),
        "Comment" => PlainToken::Comment(text(1)??),
        "Character" => PlainToken::Characters(text(1)??),
        other => panic!("unknown token {other}"),
    })
}

/// Runs the tokenizer suite and returns the cases that differ, as "file: description in state".
fn differing_tokens(tokens: impl Fn(&str, &str, Option<&str>) -> Vec<PlainToken>) -> Vec<String> {
    let (mut differing, mut count) = (Vec::new(), 0);
    for path in suite("tokenizer")
        .iter()
        .filter(|path| path.extension().is_some_and(|e| e == "test"))
    {
        for case in token_cases(path) {
            count += 1;
            let mut tokens = tokens(&case.input, &case.state, case.last_start_tag.as_deref());
            for token in &mut tokens {
                if let PlainToken::Start { attributes, .. } = token {
                    attributes.sort();
                }
            }
            if tokens != case.tokens {
                differing.push(format!("{} in {}", case.name, case.state));
            }
        }
    }
    assert!(count > 6900, "only {count} cases were found");
    differing
}

#[test]
fn tokens_are_those_of_the_suite() {
    let none: [&str; 0] = [];
    assert_eq!(differing_tokens(tokens::tokens), none);
}

#[test]
fn the_tokens_of_html5ever_are_those_of_the_suite() {
    let none: [&str; 0] = [];
    assert_eq!(differing_tokens(html5ever_tokens::tokens), none);
}
