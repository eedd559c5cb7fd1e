//! The structure of a source: its modules, and its lines outside of tests.
//!
//! Sources are read line by line in rustfmt's layout: one `mod name;` a line, `#[cfg(test)]` on the line
//! before.

use super::repository::Repository;
use crate::result::Result;

/// Whether cargo knows a file without a `mod` line.
pub(super) fn is_root(repository: &Repository, path: &str) -> bool {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let (above, last) = folder.rsplit_once('/').unwrap_or(("", folder));
    // Cargo finds targets by folder: each file of `tests` beside a manifest is a program of its own.
    match last {
        "tests" => repository.has(&format!("{above}/Cargo.toml")),
        "bin" | "examples" | "benches" | "fuzz_targets" => true,
        _ => matches!(file, "lib.rs" | "main.rs" | "build.rs"),
    }
}

/// Returns the file that must declare a module, and the module's name; `None` if there is no such file.
pub(super) fn parent(repository: &Repository, path: &str) -> Option<(String, String)> {
    let module = path.strip_suffix("/mod.rs").or(path.strip_suffix(".rs"))?;
    let (folder, name) = module.rsplit_once('/')?;
    // The first three are the module around the folder, as `mod.rs` or root. The last is `a.rs` beside a
    // folder `a`.
    let candidates = ["/lib.rs", "/main.rs", "/mod.rs", ".rs"].map(|end| format!("{folder}{end}"));
    let found = candidates.into_iter().find(|file| repository.has(file))?;
    Some((found, name.to_owned()))
}

/// A line `mod name;`. `test` means that it is compiled for tests only.
pub(super) struct Declaration<'t> {
    pub(super) name: &'t str,
    pub(super) test: bool,
}

/// Whether an attribute restricts the next item to tests.
fn of_tests(line: &str) -> bool {
    line == "#[cfg(test)]" || line.starts_with("#[cfg(all(test,")
}

/// Returns the lines `mod name;` of a source.
pub(super) fn declarations(text: &str) -> impl Iterator<Item = Declaration<'_>> {
    let mut before = "";
    text.lines().filter_map(move |line| {
        let line = line.trim();
        let test = of_tests(std::mem::replace(&mut before, line));
        let name = line.strip_suffix(';')?;
        let name = match name.split_once("mod ") {
            // Rejects lines such as `// the mod x;` or `let mod y;`: only a visibility may come first.
            Some((visibility, name)) if visibility.is_empty() || visibility.starts_with("pub") => name,
            _ => return None,
        };
        Some(Declaration { name, test })
    })
}

/// Whether a file is compiled for tests only: it, or a module around it, is declared under `#[cfg(test)]`.
pub(super) fn is_test_file(repository: &Repository, path: &str) -> Result<bool> {
    // Walks up to the root of the crate: a file below a test module is a test file, too.
    let mut path = path.to_owned();
    while !is_root(repository, &path) {
        let Some((file, name)) = parent(repository, &path) else {
            return Ok(false);
        };
        if declarations(&repository.text(&file)?).any(|module| module.name == name && module.test) {
            return Ok(true);
        }
        path = file;
    }
    Ok(false)
}

/// Returns the lines of a source up to its module of tests, trimmed, with numbers from 0, without lines of
/// comment.
pub(super) fn lines_of_code(text: &str) -> Vec<(usize, &str)> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    // By convention, tests are the last item of a file, so everything from there on is left out.
    let tests = lines
        .windows(2)
        .position(|pair| of_tests(pair[0]) && pair[1].contains("mod ") && pair[1].ends_with('{'));
    let code = lines.into_iter().enumerate().take(tests.unwrap_or(usize::MAX));
    code.filter(|(_, line)| !line.starts_with("//")).collect()
}

/// Returns a source up to its module of tests, without lines of comment.
pub(super) fn without_tests(text: &str) -> String {
    let lines = lines_of_code(text);
    let mut code = String::with_capacity(text.len());
    for (_, line) in lines {
        code.push_str(line);
        code.push('\n');
    }
    code
}
