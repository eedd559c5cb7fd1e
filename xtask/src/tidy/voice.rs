//! Checks of comments and documents as English: phrases at which readers from elsewhere stumble.

use super::repository::Repository;
use crate::result::Result;

/// Phrases that comments and documents avoid, in lower case, and what to write instead.
const PHRASES: &[(&str, &str)] = &[
    ("tells", "name who shows, gives, reports or says what"),
    ("told", "name who shows, gives, reports or says what"),
    ("telling", "say what it shows, or `that says so`"),
    ("whoever", "name the caller, the reader, the process"),
    ("nobody", "`no caller`, `no reader`, or the passive"),
    ("for who", "name who needs it"),
    ("those who", "name them"),
    ("is none", "`is missing`, `is absent`, `is not a ...`"),
    ("are none", "`are missing`, `has no ...`, `if empty`"),
    ("that is no", "`that is not a ...`"),
    ("so many", "give the number or its name"),
    ("of as many", "give the number or its name"),
    ("of which", "a sentence of its own"),
    ("what came", "name it"),
    ("alike", "`similar`, `equal`, `the same way`"),
    ("meanwhile", "say during what"),
    ("whereby", "`by which`, or a sentence of its own"),
];

/// Beginnings of comments that lean on the comment of another item.
const BEGINNINGS: &[&str] = &["The same", "As [", "As above", "Likewise"];

/// Exceptions: parts of a line that are removed before the search, and why each is right.
const ALLOWED: &[(&str, &str)] = &[
    ("look-alike", "a term of Unicode for similar letters"),
    ("Look-alike", "the same at the start of a sentence"),
    ("are None", "the value of Python"),
    ("if there is none", "the usual words for a missing result"),
    ("if there are none", "the usual words for an empty result"),
    ("that is no longer", "`no longer` is one adverb"),
];

/// Comments of sources, and documents, use no phrase of [`PHRASES`].
pub(super) fn phrases(repository: &Repository) -> Result<Vec<String>> {
    let mut findings = Vec::new();
    for path in repository
        .files
        .iter()
        .filter(|path| !path.starts_with("fixtures/"))
    {
        // The list itself.
        if path.ends_with("tidy/voice.rs") {
            continue;
        }
        let prose: fn(&str) -> Vec<(usize, &str)> = match path.rsplit_once('.').map(|(_, end)| end) {
            Some("rs") => |text| comments(text, "//"),
            Some("py" | "sh" | "toml") => |text| comments(text, "#"),
            Some("md") => paragraphs,
            _ => continue,
        };
        let text = repository.text(path)?;
        for (number, line) in prose(&text) {
            let place = format!("{path}:{}", number + 1);
            let mut words = without_code(line);
            for (allowed, _) in ALLOWED {
                words = words.replace(allowed, "");
            }
            let lower = words.to_lowercase();
            // A line may have several phrases, each with its own advice.
            findings.extend(
                PHRASES
                    .iter()
                    .filter(|(phrase, _)| holds(&lower, phrase))
                    .map(|(phrase, instead)| format!("{place}: \"{phrase}\" ({instead})")),
            );
            // Doc comments of Rust are also read apart from the items around them, in the list of a module.
            if path.ends_with(".rs")
                && let Some(start) = BEGINNINGS.iter().find(|start| begins(line, start))
            {
                findings.push(format!("{place}: begins \"{start}\": say what this item is"));
            }
        }
    }
    Ok(findings)
}

/// Lines that are comments from their first character on, with their numbers from 0.
fn comments<'t>(text: &'t str, mark: &str) -> Vec<(usize, &'t str)> {
    let lines = text.lines().map(str::trim).enumerate();
    lines.filter(|(_, line)| line.starts_with(mark)).collect()
}

/// Lines of a document outside of blocks of code, with their numbers from 0.
fn paragraphs(text: &str) -> Vec<(usize, &str)> {
    let mut is_code = false;
    let lines = text.lines().enumerate();
    lines
        // Inside of a block of code, `is_code` stays set until the closing fence.
        .filter(|(_, line)| {
            let is_fence = line.trim_start().starts_with("```");
            is_code ^= is_fence;
            !is_code && !is_fence
        })
        .collect()
}

/// Returns a line without what stands between backquotes: names of code are checked where they are defined.
fn without_code(line: &str) -> String {
    // Parts with an even index lie outside of the backquotes.
    line.split('`').step_by(2).collect()
}

/// Whether a line in lower case has the phrase as whole words.
fn holds(line: &str, phrase: &str) -> bool {
    let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    line.match_indices(phrase).any(|(at, _)| {
        let (before, after) = (&line[..at], &line[at + phrase.len()..]);
        !is_letter(before.chars().next_back()) && !is_letter(after.chars().next())
    })
}

/// Whether the first words of a doc comment are `start`.
fn begins(line: &str, start: &str) -> bool {
    let text = line.strip_prefix("///").or(line.strip_prefix("//!"));
    text.is_some_and(|text| text.trim_start().starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::super::repository::tests::expect;
    use super::*;

    #[test]
    fn phrases_are_found_in_comments_and_documents_alone() {
        let files = [
            (
                "a.rs",
                "/// A list that tells how.\nlet told = \"whoever\";\n//! untold\n",
            ),
            (
                "b.md",
                "It is none.\n\n```\nnobody\n```\nThe field `told` is text.\n",
            ),
            ("c.py", "x = 1\n# Nobody reads this.\n"),
            ("fixtures/d.rs", "// whoever\n"),
        ];
        let findings = [
            "a.rs:1: \"tells\" (name who shows, gives, reports or says what)",
            "b.md:1: \"is none\" (`is missing`, `is absent`, `is not a ...`)",
            "c.py:2: \"nobody\" (`no caller`, `no reader`, or the passive)",
        ];
        expect(phrases, &files, &findings);
    }

    #[test]
    fn docs_that_lean_on_others_are_found() {
        let files = [(
            "a.rs",
            "/// The same for bytes.\nfn a() {}\n/// The samples.\n// The same row again.\n",
        )];
        expect(
            phrases,
            &files,
            &["a.rs:1: begins \"The same\": say what this item is"],
        );
    }

    #[test]
    fn terms_that_have_such_a_word_stay() {
        let files = [(
            "a.rs",
            "/// Look-alike letters.\n/// A node that is no longer used.\n",
        )];
        expect(phrases, &files, &[]);
    }
}
