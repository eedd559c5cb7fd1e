//! What stands before the names of authors: the phrases of the class `byline` in `data/classes.tsv`, by which blocks are classed, too.

use std::sync::LazyLock;

/// Phrases in lower case, the longest first.
static PHRASES: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let lines = include_str!("../../../data/classes.tsv").lines();
    let mut all: Vec<&str> = lines.filter_map(phrase).collect();
    all.sort_by_key(|phrase| (std::cmp::Reverse(phrase.len()), *phrase));
    all
});

fn phrase(line: &'static str) -> Option<&'static str> {
    let mut fields = line.split('\t');
    let is_byline = fields.next() == Some("byline");
    fields.nth(2).filter(|phrase| is_byline && !phrase.is_empty())
}

/// Most characters of a phrase.
const MAX_PHRASE: usize = 24;

/// Where the phrase ends that a text begins with, in bytes. In scripts with spaces a phrase ends with a word.
pub(super) fn prefix(text: &str) -> Option<usize> {
    let mut lower = String::with_capacity(MAX_PHRASE);
    // The place in the text behind each character, by the length of what is lower-cased by then.
    let mut ends = Vec::with_capacity(MAX_PHRASE);
    for (at, c) in text.char_indices().take(MAX_PHRASE) {
        lower.extend(c.to_lowercase());
        ends.push((lower.len(), at + c.len_utf8()));
    }
    let found = PHRASES.iter().find(|phrase| {
        let Some(rest) = lower.strip_prefix(**phrase) else {
            return false;
        };
        let unspaced = phrase.chars().all(|c| c >= '\u{2E80}' || !c.is_alphanumeric());
        unspaced || !rest.starts_with(char::is_alphanumeric)
    })?;
    ends.iter()
        .find(|(length, _)| *length == found.len())
        .map(|&(_, end)| end)
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
