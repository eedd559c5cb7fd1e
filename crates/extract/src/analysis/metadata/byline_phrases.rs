//! Phrases before names of authors: the rows of class `byline` in `data/classes.tsv`, which also classify blocks.

use std::sync::LazyLock;

/// Phrases in lower case, the longest first.
static PHRASES: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let lines = include_str!("../../../data/classes.tsv").lines();
    let mut all: Vec<&str> = lines.filter_map(phrase).collect();
    all.sort_by_key(|phrase| (std::cmp::Reverse(phrase.len()), *phrase));
    all
});

/// Phrase of a line of the table; `None` if its class is not `byline`.
fn phrase(line: &'static str) -> Option<&'static str> {
    let mut fields = line.split('\t');
    let is_byline = fields.next() == Some("byline");
    fields.nth(2).filter(|phrase| is_byline && !phrase.is_empty())
}

/// Returns the end, in bytes, of the byline phrase that a text begins with; `None` if absent. In scripts with spaces a
/// phrase ends with a word.
pub(super) fn prefix(text: &str) -> Option<usize> {
    PHRASES.iter().find_map(|phrase| {
        let end = end_of(text, phrase)?;
        let unspaced = phrase.chars().all(|c| c >= '\u{2E80}' || !c.is_alphanumeric());
        let ends = unspaced || !text[end..].starts_with(char::is_alphanumeric);
        ends.then_some(end)
    })
}

/// Returns the end, in bytes, of a phrase at the start of a text. The phrase is in lower case.
fn end_of(text: &str, phrase: &str) -> Option<usize> {
    let mut rest = phrase.chars();
    for (at, c) in text.char_indices() {
        if rest.as_str().is_empty() {
            return Some(at);
        }
        // The lower case of one character may be several characters: all of them must match.
        if !c.to_lowercase().all(|lower| rest.next() == Some(lower)) {
            return None;
        }
    }
    rest.as_str().is_empty().then_some(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_end_with_words() {
        let rest = |text: &'static str| prefix(text).map(|end| &text[end..]);
        assert_eq!(rest("By Ann"), Some(" Ann"));
        assert_eq!(rest("Bystanders"), None);
        assert_eq!(rest("Text von Ann"), Some(" Ann"));
        assert_eq!(rest("作者李安"), Some("李安"));
        assert_eq!(rest(""), None);
    }
}
