//! Abbreviations and other words that decide whether a full stop ends a sentence.

use std::sync::LazyLock;

use crate::error::UnknownName;
use crate::text::word_list::{ListError, entries};

/// Lists of abbreviations and of other words that decide where sentences end.
///
/// The text form has entries separated by white space, `#` for comments, and sections in brackets:
///
/// ```text
/// [never]          no sentence ends here: what is abbreviated belongs to the following word
/// [before-number]  none ends here before a number, a Roman numeral or a single capital letter
/// [after-number]   after a number: a unit or part of a date, treated as may-end
/// [may-end]        one ends here only before a capital letter or an opening quotation mark
/// [rarely-ends]    one ends here only before one of the starters
/// [starters]       words that often begin sentences and are not names
/// [date-words]     words of a date: a sentence does not end with them and a unit alone
/// [speech]         verbs that follow quoted speech
/// ```
///
/// Abbreviations are written without their last full stop, with е for ё, with joined parts ("т.д" for "т. д."), in lower case. An
/// entry with a capital first letter matches only words that have a capital first letter in the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Abbreviations {
    /// Sorted. One entry per word and section.
    entries: Vec<(Box<str>, Section)>,
}

/// Section of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Section {
    Never,
    BeforeNumber,
    AfterNumber,
    MayEnd,
    RarelyEnds,
    Starters,
    DateWords,
    Speech,
}

/// Names of the sections in the text form, in the order of [`BY_INDEX`].
const SECTIONS: &[&str] = &[
    "never",
    "before-number",
    "after-number",
    "may-end",
    "rarely-ends",
    "starters",
    "date-words",
    "speech",
];
/// Section by the index of its name in [`SECTIONS`].
const BY_INDEX: [Section; 8] = [
    Section::Never,
    Section::BeforeNumber,
    Section::AfterNumber,
    Section::MayEnd,
    Section::RarelyEnds,
    Section::Starters,
    Section::DateWords,
    Section::Speech,
];

const RUSSIAN: &str = include_str!("../../data/abbreviations/ru.txt");
const ENGLISH: &str = include_str!("../../data/abbreviations/en.txt");

/// All bundled lists together. A test checks that they can be read.
static BUNDLED: LazyLock<Abbreviations> = LazyLock::new(|| {
    let mut all = Abbreviations::parse(RUSSIAN).unwrap_or_default();
    all.add(&Abbreviations::parse(ENGLISH).unwrap_or_default());
    all
});

impl Abbreviations {
    /// ISO 639-1 codes of the languages with bundled lists.
    pub const LANGUAGES: &'static [&'static str] = &["en", "ru"];

    /// Empty lists: every full stop before a capital letter ends a sentence.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// The lists of all languages together. The languages use different alphabets, so their entries do not interfere.
    #[must_use]
    pub fn bundled() -> &'static Self {
        &BUNDLED
    }

    /// The lists of one language.
    ///
    /// # Errors
    /// If the language has no lists; the error names the languages that have some.
    pub fn for_language(code: &str) -> Result<Self, UnknownName> {
        let text = match code {
            "en" => ENGLISH,
            "ru" => RUSSIAN,
            _ => {
                return Err(UnknownName::new(
                    "abbreviation language",
                    code,
                    Self::LANGUAGES.to_vec(),
                ));
            }
        };
        // A test reads both.
        Ok(Self::parse(text).unwrap_or_default())
    }

    /// Reads lists in the text form.
    ///
    /// # Errors
    /// If a section is unknown, a word precedes the first section, or an entry has a capital letter that is not its
    /// first; the error names the line.
    pub fn parse(text: &str) -> Result<Self, ListError> {
        let mut list = Self {
            entries: entries(text, SECTIONS)?
                .into_iter()
                .map(|(section, word)| (word.replace('ё', "е").into(), BY_INDEX[section]))
                .collect(),
        };
        list.sort();
        Ok(list)
    }

    /// Adds the entries of other lists.
    pub fn add(&mut self, other: &Self) {
        self.entries.extend(other.entries.iter().cloned());
        self.sort();
    }

    fn sort(&mut self) {
        self.entries.sort_unstable();
        self.entries.dedup();
    }

    /// Sections that contain `word`. `capital` is whether it has a capital first letter in the text; entries with a capital first letter
    /// match only then.
    pub(super) fn sections(&self, word: &Key, capital: bool) -> Sections {
        let mut sections = self.of_entry(word.as_str());
        if capital {
            sections.0 |= self.of_entry(word.capitalized()).0;
        }
        sections
    }

    /// Sections of the entries that equal `word`.
    fn of_entry(&self, word: &str) -> Sections {
        // Entries are sorted by word, so all sections of a word are adjacent.
        let first = self.entries.partition_point(|(known, _)| **known < *word);
        let same = self.entries[first..]
            .iter()
            .take_while(|(known, _)| **known == *word);
        Sections(same.fold(0, |bits, &(_, section)| bits | 1 << section as u8))
    }
}

/// A set of sections.
#[derive(Clone, Copy)]
pub(super) struct Sections(u8);

impl Sections {
    pub(super) fn has(self, section: Section) -> bool {
        self.0 & 1 << section as u8 != 0
    }
}

/// Longest key in bytes; longer words are not abbreviations.
const KEY: usize = 40;

/// The text of bytes to which only whole characters were written.
fn whole(bytes: &[u8]) -> &str {
    let text = std::str::from_utf8(bytes);
    debug_assert!(text.is_ok(), "only whole characters were written");
    text.unwrap_or_default()
}

/// A word in the form of the lists: lower case, е for ё. Stored on the stack.
#[derive(Clone, Copy)]
pub(super) struct Key {
    bytes: [u8; KEY],
    len: usize,
    /// The word with a capital first letter.
    capital: [u8; KEY],
    capital_len: usize,
}

impl Key {
    /// Key of the concatenation of `parts`; `None` if it is too long.
    pub(super) fn of(parts: &[&str]) -> Option<Self> {
        let mut key = Self {
            bytes: [0; KEY],
            len: 0,
            capital: [0; KEY],
            capital_len: 0,
        };
        let mut first = true;
        for c in parts.iter().flat_map(|part| part.chars()) {
            for lower in c.to_lowercase() {
                let lower = if lower == 'ё' { 'е' } else { lower };
                if first {
                    for upper in lower.to_uppercase() {
                        push(&mut key.capital, &mut key.capital_len, upper)?;
                    }
                } else {
                    push(&mut key.capital, &mut key.capital_len, lower)?;
                }
                push(&mut key.bytes, &mut key.len, lower)?;
                first = false;
            }
        }
        Some(key)
    }

    pub(super) fn as_str(&self) -> &str {
        whole(&self.bytes[..self.len])
    }

    fn capitalized(&self) -> &str {
        whole(&self.capital[..self.capital_len])
    }
}

/// Appends a character; `None` if it does not fit.
fn push(bytes: &mut [u8; KEY], len: &mut usize, c: char) -> Option<()> {
    let end = *len + c.len_utf8();
    c.encode_utf8(bytes.get_mut(*len..end)?);
    *len = end;
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(word: &str) -> Key {
        Key::of(&[word]).unwrap()
    }

    #[test]
    fn bundled_lists_are_read_whole() {
        for (code, text) in [("ru", RUSSIAN), ("en", ENGLISH)] {
            let list = Abbreviations::parse(text).unwrap();
            assert_eq!(Abbreviations::for_language(code).unwrap(), list);
            assert!(list.entries.len() > 200, "{code} {}", list.entries.len());
            assert!(
                list.entries
                    .iter()
                    .all(|(word, _)| Abbreviations::bundled().entries.iter().any(|(w, _)| w == word))
            );
            assert!(
                list.entries.iter().all(|(word, _)| Key::of(&[word]).is_some()),
                "too long for a key"
            );
        }
        assert!(Abbreviations::for_language("de").is_err());
    }

    #[test]
    fn words_are_found_by_section_and_case() {
        let list = Abbreviations::parse("[never]\nmr Mass т.е # comment\n[may-end]\netc\n").unwrap();
        assert!(list.sections(&key("Mr"), true).has(Section::Never));
        assert!(list.sections(&key("mass"), true).has(Section::Never));
        assert!(!list.sections(&key("mass"), false).has(Section::Never));
        assert!(!list.sections(&key("etc"), false).has(Section::Never));
        assert!(
            list.sections(&Key::of(&["Т", ".", "е"]).unwrap(), true)
                .has(Section::Never)
        );
        assert!(Key::of(&[&"я".repeat(21)]).is_none());
    }

    #[test]
    fn bad_lists_are_refused_with_the_line() {
        let message = |text| Abbreviations::parse(text).unwrap_err().to_string();
        assert_eq!(message("\nmr"), "line 2: `mr` stands before the first section");
        assert_eq!(message("[never]\nmR"), "line 2: `mR` is not in lower case");
        assert!(
            message("[nevr]").starts_with("line 1: unknown section `[nevr]`; known: never, before-number,")
        );
    }
}
