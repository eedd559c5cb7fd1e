//! Checks of imports within a crate: folders are stages in order, and no files import each other in a circle.
//!
//! An import is a path that begins with `crate`, `super` or `self`, or with the name of a module below the
//! file, in code outside of tests. Its target is the file that defines the last module of the path. `mod
//! name;` alone is not an import.

use std::collections::{BTreeMap, BTreeSet};

use super::repository::Repository;
use super::source::{declarations, is_test_file, parent, without_tests};
use crate::result::Result;

/// Folders and files directly below `src` of a crate, in the order in which a page passes them. Each
/// imports only itself and those before it. The root of the crate imports all.
const ORDER: &[(&str, &[&str])] = &[
    (
        "crates/archive",
        &[
            "limits", "narrow", "damage", "credit", "fields", "inflate", "members", "stream", "http",
            "mhtml", "warc", "arc", "reader", "answer",
        ],
    ),
    (
        "crates/browser",
        &[
            "limits",
            "error",
            "isolation",
            "assets",
            "group",
            "process",
            "watch",
            "pipe",
            "visit",
            "chromium",
        ],
    ),
    (
        "crates/html",
        &[
            "warning", "limits", "budget", "fnv", "narrow", "decode", "tree", "url", "parser",
        ],
    ),
    (
        "crates/extract",
        &[
            "warning",
            "parameter",
            "analysis",
            "layout",
            "label",
            "document",
            "options",
            "page",
            "extracted",
            "build",
            "analyze",
            "rules",
            "site",
            "overrides",
            "pipeline",
            "rule_check",
            "training",
            "page_shapes",
        ],
    ),
    (
        "crates/normalize",
        &[
            "error",
            "text",
            "words",
            "sentences",
            "passes",
            "profile",
            "normalizer",
            "vocabulary",
        ],
    ),
    (
        "crates/dedup",
        &[
            "numeric",
            "strategy",
            "text",
            "sign",
            "candidates",
            "verify",
            "cluster",
            "keep",
            "engine",
            "passages",
        ],
    ),
    (
        "crates/pipeline",
        &[
            "error",
            "exec",
            "record",
            "page_process",
            "read",
            "settings",
            "kernel",
            "job",
            "write",
            "search",
            "site",
            "verbs",
            "batch",
        ],
    ),
    (
        "crates/lab",
        &[
            "random", "scratch", "metrics", "sets", "generate", "compare", "report", "study", "planted",
        ],
    ),
    (
        "crates/workshop",
        &[
            "fields",
            "reply",
            "guard",
            "clusters",
            "selectors",
            "crawl",
            "look",
            "need",
            "frame",
            "rule_file",
            "draft",
            "example",
            "changes",
            "labels",
            "workshop",
            "css",
            "beside",
            "views",
            "server",
        ],
    ),
    ("crates/dehusk", &[]),
    ("crates/heap", &[]),
    (
        "crates/cli",
        &[
            "page_process",
            "log",
            "message",
            "progress",
            "outcome",
            "reading",
            "flags",
            "hint",
            "config",
            "print_config",
            "signals",
            "work",
            "verb",
            "cli",
        ],
    ),
    (
        "crates/python",
        &[
            "error",
            "options",
            "to_python",
            "work",
            "arrow",
            "content",
            "page",
            "kernel",
            "sites",
            "documents",
            "extractor",
            "text",
            "dedup",
            "passages",
            "reader",
            "lab",
            "spark",
        ],
    ),
    (
        "crates/bench",
        &[
            "result", "root", "machine", "clock", "data", "lab", "planes", "pages", "outputs", "eval",
            "train", "bench",
        ],
    ),
    ("examples/search", &[]),
    ("crates/fuzz", &["scratch", "edits", "markup", "page", "targets"]),
    (
        "xtask",
        &[
            "result", "root", "cargo", "bench", "demo", "python", "docs", "dist", "counts", "packages",
            "tidy", "test",
        ],
    ),
];

/// The imports of a crate's files.
struct Crate {
    folder: String,
    /// Target files by importing file, each with the path of the import.
    imports: BTreeMap<String, BTreeMap<String, String>>,
}

/// Folders of a crate may import only themselves and those listed before them.
pub(super) fn order(repository: &Repository) -> Result<Vec<String>> {
    let mut findings = Vec::new();
    for read in crates(repository)? {
        let Some((_, order)) = ORDER.iter().find(|(folder, _)| *folder == read.folder) else {
            findings.push(format!(
                "{}: say in xtask's list what the order of its folders is",
                read.folder
            ));
            continue;
        };
        let source = format!("{}/src/", read.folder);
        let rank = |file: &str| -> Option<usize> {
            let name = file
                .strip_prefix(&source)?
                .split('/')
                .next()?
                .trim_end_matches(".rs");
            match name {
                // The root of a crate may import everything, so its rank is the highest.
                "lib" | "main" => Some(usize::MAX),
                name => order.iter().position(|listed| *listed == name),
            }
        };
        for (file, targets) in &read.imports {
            let Some(own) = rank(file) else {
                findings.push(format!(
                    "{file}: is not in the list of the folders of {}",
                    read.folder
                ));
                continue;
            };
            for (target, path) in targets {
                // Files of equal rank lie in the same folder, where any direction is allowed. Circles are
                // checked apart.
                if rank(target).is_some_and(|rank| rank > own) {
                    findings.push(format!("{file}: `{path}` is in {target}, which comes later"));
                }
            }
        }
        for name in *order {
            let file = format!("{source}{name}.rs");
            let below = format!("{source}{name}/");
            if !read
                .imports
                .keys()
                .any(|known| *known == file || known.starts_with(&below))
            {
                findings.push(format!(
                    "{}: there is no `{name}`, which xtask lists",
                    read.folder
                ));
            }
        }
    }
    Ok(findings)
}

/// Files of a crate must not import each other in a circle.
pub(super) fn circles(repository: &Repository) -> Result<Vec<String>> {
    let mut findings = Vec::new();
    for read in crates(repository)? {
        // First removes files whose targets are all removed. The remaining files are on a circle or lead to
        // one.
        let mut left: BTreeMap<&str, BTreeSet<&str>> = read
            .imports
            .iter()
            .map(|(file, targets)| (file.as_str(), targets.keys().map(String::as_str).collect()))
            .collect();
        peel(&mut left);
        // Then does this on the reversed graph, which removes files that only lead to a circle.
        let mut back: BTreeMap<&str, BTreeSet<&str>> =
            left.keys().map(|file| (*file, BTreeSet::new())).collect();
        for (file, targets) in &left {
            for target in targets {
                back.entry(target).or_default().insert(file);
            }
        }
        peel(&mut back);
        // The remaining files are on circles, or between two of them.
        while let Some((&start, _)) = back.first_key_value() {
            let circle = circle(start, &left, &back);
            let mut steps = Vec::new();
            for pair in circle.windows(2) {
                let path = read.imports.get(pair[0]).and_then(|targets| targets.get(pair[1]));
                steps.push(format!("{} (`{}`)", pair[0], path.map_or("", String::as_str)));
            }
            // Empty if `start` lies between two circles without being part of either.
            if !steps.is_empty() {
                findings.push(format!(
                    "{}: a circle of files: {}",
                    read.folder,
                    steps.join(" -> ")
                ));
            }
            // `start` is removed in any case, so the loop ends.
            for file in circle.iter().chain([&start]) {
                back.remove(file);
            }
        }
    }
    Ok(findings)
}

/// Removes files without targets, repeatedly, until every file left has one.
fn peel(graph: &mut BTreeMap<&str, BTreeSet<&str>>) {
    loop {
        let ends: Vec<&str> = graph
            .iter()
            .filter(|(_, targets)| targets.is_empty())
            .map(|(file, _)| *file)
            .collect();
        if ends.is_empty() {
            return;
        }
        for end in &ends {
            graph.remove(end);
        }
        for targets in graph.values_mut() {
            targets.retain(|target| !ends.contains(target));
        }
    }
}

/// Returns the shortest circle through a file, within `among`; empty if absent.
fn circle<'f>(
    start: &'f str,
    graph: &BTreeMap<&'f str, BTreeSet<&'f str>>,
    among: &BTreeMap<&'f str, BTreeSet<&'f str>>,
) -> Vec<&'f str> {
    // Breadth-first, so the first circle found is a shortest one. `from` has the file from which each file
    // was reached.
    let mut from: BTreeMap<&str, &str> = BTreeMap::new();
    let mut open = vec![start];
    while !open.is_empty() {
        let mut next = Vec::new();
        for file in open {
            for &target in graph.get(file).into_iter().flatten() {
                if target == start {
                    let mut way = vec![start, file];
                    let mut at = file;
                    // Every reached file except `start` has an entry in `from`.
                    while at != start {
                        at = from[at];
                        way.push(at);
                    }
                    way.reverse();
                    way.dedup();
                    return way;
                }
                if among.contains_key(target) && !from.contains_key(target) {
                    from.insert(target, file);
                    next.push(target);
                }
            }
        }
        open = next;
    }
    Vec::new()
}

/// Returns all crates with their imports, including the developers' programs.
fn crates(repository: &Repository) -> Result<Vec<Crate>> {
    let mut folders: Vec<&str> = repository
        .sources()
        .filter_map(|path| {
            path.strip_suffix("/src/lib.rs")
                .or(path.strip_suffix("/src/main.rs"))
        })
        .filter(|folder| repository.has(&format!("{folder}/Cargo.toml")) && folder.split('/').count() <= 2)
        .collect();
    // A package with both `lib.rs` and `main.rs` appears twice; sorted paths keep the two together.
    folders.dedup();
    folders
        .into_iter()
        .map(|folder| read(repository, folder))
        .collect()
}

/// Reads the modules and the imports of one crate.
fn read(repository: &Repository, folder: &str) -> Result<Crate> {
    let source = format!("{folder}/src/");
    // Files by module path. The path of the root is empty.
    let mut files: BTreeMap<Vec<String>, String> = BTreeMap::new();
    for path in repository.sources().filter(|path| path.starts_with(&source)) {
        if is_test_file(repository, path)? {
            continue;
        }
        files.insert(module(repository, path), path.to_owned());
    }
    let mut imports = BTreeMap::new();
    for (module, file) in &files {
        let text = repository.text(file)?;
        let below: Vec<String> = declarations(&text)
            .map(|declared| declared.name.to_owned())
            .collect();
        let mut targets = BTreeMap::new();
        for path in paths(&without_tests(&text), &below) {
            // A path starts at the root after `crate`, otherwise at the module of this file: `self`,
            // `super` or a module below.
            let mut at: Vec<String> = match path[0].as_str() {
                "crate" => Vec::new(),
                _ => module.clone(),
            };
            let mut rest = path.as_slice();
            while let Some((first, after)) = rest.split_first() {
                match first.as_str() {
                    "crate" | "self" => {}
                    // In `super::super::a`, each `super` leads one module up.
                    "super" => drop(at.pop()),
                    _ => break,
                }
                rest = after;
            }
            // Follows the path as long as its names are modules with files. The rest are items, such as
            // `Node` in `tree::node::Node`.
            for name in rest {
                at.push(name.clone());
                if !files.contains_key(&at) {
                    at.pop();
                    break;
                }
            }
            if let Some(target) = files.get(&at).filter(|target| *target != file) {
                targets.entry(target.clone()).or_insert_with(|| path.join("::"));
            }
        }
        imports.insert(file.clone(), targets);
    }
    Ok(Crate {
        folder: folder.to_owned(),
        imports,
    })
}

/// Returns the module path of a file.
fn module(repository: &Repository, path: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut path = path.to_owned();
    while !path.ends_with("/src/lib.rs") && !path.ends_with("/src/main.rs") {
        let Some((above, name)) = parent(repository, &path) else {
            break;
        };
        names.insert(0, name);
        path = above;
    }
    names
}

/// Returns the paths in a source that may lead to other files of its crate. Groups in braces are expanded.
fn paths(code: &str, below: &[String]) -> Vec<Vec<String>> {
    let tokens = tokens(code);
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let first = tokens[at];
        let begins = matches!(first, "crate" | "super" | "self") || below.iter().any(|name| name == first);
        // A name after `::` or `.` continues another path: the `text` of `serde::text::a` or of
        // `page.text`.
        let inside = at > 0 && matches!(tokens[at - 1], "::" | "." | "mod");
        // `pub(in crate::a)` is a visibility, not an import.
        let inside = inside || at > 1 && tokens[at - 2..at] == ["(", "in"];
        if begins && !inside && tokens.get(at + 1) == Some(&"::") {
            at = path(&tokens, at, &[], &mut found);
        } else {
            at += 1;
        }
    }
    found
}

/// Reads the path that begins at a token, with the names `before` from around its braces. Returns the index
/// after the path.
fn path(tokens: &[&str], mut at: usize, before: &[String], found: &mut Vec<Vec<String>>) -> usize {
    let mut names = before.to_vec();
    loop {
        match tokens.get(at) {
            Some(&"{") => {
                at += 1;
                // The depth of recursion is that of nested groups in hand-written code.
                while let Some(token) = tokens.get(at) {
                    match *token {
                        "}" => return at + 1,
                        "," => at += 1,
                        _ => at = path(tokens, at, &names, found),
                    }
                }
                return at;
            }
            Some(name) if is_name(name) || *name == "*" => {
                // `self` in braces is the module itself.
                if *name != "self" || names.is_empty() {
                    names.push((*name).to_owned());
                }
                at += 1;
            }
            // Generic arguments, or the end of the code.
            _ => break,
        }
        if tokens.get(at) != Some(&"::") {
            break;
        }
        at += 1;
    }
    found.push(names);
    // `as name` renames the import and leads to no other file.
    if tokens.get(at) == Some(&"as") {
        at += 2;
    }
    // Inside braces, skip all other tokens up to the next path.
    if !before.is_empty() {
        while tokens.get(at).is_some_and(|token| !matches!(*token, "," | "}")) {
            at += 1;
        }
    }
    at
}

/// Whether a token is an identifier or a keyword.
fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Returns words, `::` and other characters of a source, without white space, comments, strings and
/// character literals.
fn tokens(code: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(c) = rest.chars().next() {
        let length = if is_name(rest) || c.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
            let end = end.unwrap_or(rest.len());
            found.push(&rest[..end]);
            // `r"..."`, `br#"..."#`.
            match raw_string(rest, end) {
                Some(length) => {
                    found.pop();
                    length
                }
                None => end,
            }
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("::") {
            found.push(&rest[..2]);
            2
        } else if c == '"' {
            string(rest)
        } else if c == '\'' {
            character(rest)
        } else {
            if !c.is_whitespace() {
                found.push(&rest[..c.len_utf8()]);
            }
            c.len_utf8()
        };
        rest = &rest[length..];
    }
    found
}

/// Returns the length of a raw string whose prefix has `end` bytes; `None` if it is not a raw string.
fn raw_string(rest: &str, end: usize) -> Option<usize> {
    if !matches!(&rest[..end], "r" | "br" | "cr") {
        return None;
    }
    let hashes = rest[end..].bytes().take_while(|&byte| byte == b'#').count();
    // The opening quote is at `start - 1`. Without it, this is a raw identifier such as `r#type`.
    let start = end + hashes + 1;
    if rest.as_bytes().get(start - 1) != Some(&b'"') {
        return None;
    }
    let close = format!("\"{}", "#".repeat(hashes));
    let length = rest[start..].find(&close).map(|at| start + at + close.len());
    Some(length.unwrap_or(rest.len()))
}

/// Returns the length of a string literal.
fn string(rest: &str) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// Returns the length of a character literal, or 1 if the quote begins a lifetime.
fn character(rest: &str) -> usize {
    let mut chars = rest.char_indices().skip(1);
    match (chars.next(), chars.next()) {
        // An escape: the first quote that could close it is after the escaped character, which may be a
        // quote itself.
        (Some((_, '\\')), Some((at, c))) => {
            let after = at + c.len_utf8();
            rest[after..].find('\'').map_or(after, |close| after + close + 1)
        }
        (Some(_), Some((at, '\''))) => at + 1,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::super::repository::tests::expect;
    use super::*;

    #[test]
    fn paths_are_found_in_code_alone() {
        let code = "use crate::a::{self, b::C, d::{E as F, G}};\nuse super::x;\nlet y = below::z(r#\"crate::s::t\"#, \"crate::u::v\");\n\
            // crate::w::W\nlet c = '\"'; let l: &'static str = crate::q::R::<T>::new(); std::below::n; { self::own::f() }\n\
            pub(in crate::h) fn i() {}\n";
        let found: Vec<String> = paths(code, &["below".to_owned()])
            .iter()
            .map(|path| path.join("::"))
            .collect();
        let expected = [
            "crate::a",
            "crate::a::b::C",
            "crate::a::d::E",
            "crate::a::d::G",
            "super::x",
            "below::z",
            "crate::q::R",
            "self::own::f",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn circles_are_found() {
        let files = [
            ("crates/x/Cargo.toml", ""),
            ("crates/x/src/lib.rs", "mod a;\nmod b;\nmod c;\npub use a::A;\n"),
            (
                "crates/x/src/a.rs",
                "use crate::b::two;\n#[cfg(test)]\nmod tests {\n    use crate::c::C;\n}\n",
            ),
            (
                "crates/x/src/b/mod.rs",
                "mod one;\npub(crate) mod two;\npub use one::One;\n",
            ),
            ("crates/x/src/b/one.rs", "use super::two::Two;\n"),
            ("crates/x/src/b/two.rs", "use super::One;\n"),
            ("crates/x/src/c.rs", "use crate::a::A;\n"),
        ];
        let findings = [
            "crates/x: a circle of files: crates/x/src/b/mod.rs (`one::One`) -> crates/x/src/b/one.rs (`super::two::Two`) -> \
             crates/x/src/b/two.rs (`super::One`)",
        ];
        expect(circles, &files, &findings);
    }
}
