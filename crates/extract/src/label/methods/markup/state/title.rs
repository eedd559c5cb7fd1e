//! The title of a page, searched for in the scripts of the page.

/// Minimum number of prose characters of a body.
pub(crate) const MIN_CHARS: usize = 400;
/// Maximum length of a string that may be the title, in bytes.
const MAX_TITLE: usize = 1000;
/// Maximum number of letters in the search key.
const MAX_SOUGHT: usize = 16;

/// The title of a page.
pub(super) struct Title {
    /// Its words, lower-cased and joined by single spaces.
    words: String,
    /// Search key: the longest run of ASCII letters and digits in the title, cut to [`MAX_SOUGHT`]. Runs end at `i` and `k`, since these
    /// are also the lower case of letters outside ASCII.
    sought: String,
}

impl Title {
    /// Prepares a title. Returns `None` if it has no words.
    pub(super) fn of(title: &str) -> Option<Title> {
        let words = normalized_words(title);
        let is_other = |c: char| !c.is_ascii_alphanumeric() || matches!(c, 'i' | 'k');
        // Few scripts contain the longest run by chance, so few have to be parsed.
        let sought = words
            .split(is_other)
            .max_by_key(|part| part.len())
            .unwrap_or_default();
        let sought = sought[..sought.len().min(MAX_SOUGHT)].to_owned();
        (!words.is_empty()).then_some(Title { words, sought })
    }

    /// Returns whether a string is the title.
    pub(super) fn is(&self, text: &str) -> bool {
        text.len() < MAX_TITLE
            && contains_ignoring_case(text.as_bytes(), self.sought.as_bytes())
            && normalized_words(text) == self.words
    }

    /// Returns whether JSON in a script may contain the title and a body, even if the JSON is itself quoted inside a string. Always true
    /// for scripts that escape letters, digits or backslashes.
    pub(super) fn may_be_in(&self, script: &str) -> bool {
        let bytes = script.as_bytes();
        bytes.len() >= MIN_CHARS
            && (contains_ignoring_case(bytes, self.sought.as_bytes()) || has_escaped_letters(bytes))
    }
}

/// Returns whether the text contains an escape of a digit or of U+0040 to U+007F.
fn has_escaped_letters(json: &[u8]) -> bool {
    memchr::memmem::find_iter(json, b"\\u00").any(|at| match json[at + 4..] {
        [b'3', second, ..] => second.is_ascii_digit(),
        [first, ..] => matches!(first, b'4'..=b'7'),
        [] => false,
    })
}

/// Number of bytes of a vector step.
const STEP: usize = 32;

/// Returns whether a text contains a word of lower-case ASCII letters and digits, in upper or lower case.
fn contains_ignoring_case(text: &[u8], word: &[u8]) -> bool {
    let (Some(&first), Some(&last)) = (word.first(), word.last()) else {
        return true;
    };
    let Some(places) = (text.len() + 1).checked_sub(word.len()) else {
        return false;
    };
    // Compares the first and the last byte of the word at all offsets of a step, as in vectorized substring search. Setting 0x20
    // lower-cases letters and leaves digits as they are.
    let may_begin = |begin: u8, end: u8| (begin | 0x20 == first) & (end | 0x20 == last);
    let begins = |at: usize| text[at..at + word.len()].eq_ignore_ascii_case(word);
    let (begin_steps, begin_rest) = text[..places].as_chunks::<STEP>();
    let (end_steps, _) = text[word.len() - 1..].as_chunks::<STEP>();
    for (i, (begin, end)) in begin_steps.iter().zip(end_steps).enumerate() {
        let found = begin.iter().zip(end);
        let found = found.fold(0, |found, (&begin, &end)| found | u8::from(may_begin(begin, end)));
        if found != 0 && (i * STEP..(i + 1) * STEP).any(begins) {
            return true;
        }
    }
    (places - begin_rest.len()..places).any(begins)
}

/// Returns the words of a text, lower-cased and joined by single spaces.
pub(super) fn normalized_words(text: &str) -> String {
    let words = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_letters_have_no_ascii_letters_as_lower_case() {
        let others = ('\u{80}'..=char::MAX).filter(|c| c.to_lowercase().any(|low| low.is_ascii()));
        assert!(others.eq(['\u{130}', '\u{212A}']), "`i` and `k`");
    }

    #[test]
    fn scripts_that_may_hold_the_title_are_told() {
        let filler = " ".repeat(MIN_CHARS);
        let may =
            |title: &str, script: &str| Title::of(title).unwrap().may_be_in(&format!("{script}{filler}"));
        assert!(may("Kick: the Rivers!", "{\"a\":\"kick THE rivers\"}"));
        assert!(!may("Kick: the Rivers!", "{\"a\":\"the river\"}"));
        assert!(may("River", r#"{"a":"\u0072iver"}"#) && may("River", r#""{\\"a\\":\\"\\\u0072""#));
        assert!(may("2024", r#"{"a":"\u0032024"}"#) && may("2024", r#"\u005cu0032"#));
        assert!(!may("Rrr", r#"{"a":"\u003c\u00e9\u0022\u00"}"#));
        assert!(may("Река", "{}") && !Title::of("Река").unwrap().may_be_in("{\"a\":\"Река\"}"));
    }

    proptest::proptest! {
        #[test]
        fn words_are_found_in_any_case(text in "[abAB0\\x10 é]{0,120}", word in "[ab0]{0,4}") {
            let want = text.to_ascii_lowercase().contains(&word);
            proptest::prop_assert_eq!(contains_ignoring_case(text.as_bytes(), word.as_bytes()), want);
        }

        #[test]
        fn what_is_the_title_may_be_in_a_script(title in "[a-cikIK0-2İK é,.'\"/\\\\<]{1,12}", escape in 0_u8..3) {
            // The same words in another case, written as JSON in different ways.
            let shown = if escape == 1 { title.to_uppercase() } else { title.clone() };
            let json = serde_json::to_string(&shown).unwrap();
            let json = match escape {
                0 => json,
                1 => serde_json::to_string(&json).unwrap(),
                _ => shown.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect(),
            };
            if let Some(title) = Title::of(&title) {
                let filler = " ".repeat(MIN_CHARS);
                let holds = title.is(&shown);
                let script = json + &filler;
                proptest::prop_assert!(!holds || title.may_be_in(&script));
                proptest::prop_assert_eq!(holds, normalized_words(&shown) == title.words);
            }
        }
    }
}
