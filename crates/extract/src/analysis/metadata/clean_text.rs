//! Cleaning of values.

use std::borrow::Cow;

fn is_space(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

/// Whether a text has only white space and control characters.
pub(super) fn is_blank(text: &str) -> bool {
    text.chars().all(is_space)
}

/// Returns the text with white space collapsed and control characters removed; `None` if nothing is left.
pub(crate) fn clean_text(text: &str) -> Option<String> {
    clean(Cow::Borrowed(text)).map(Cow::into_owned)
}

/// Like [`clean_text`], but a text that is already clean is not copied.
pub(super) fn clean(text: Cow<'_, str>) -> Option<Cow<'_, str>> {
    if is_clean(&text) {
        return (!text.is_empty()).then_some(text);
    }
    let mut out = String::with_capacity(text.len());
    for word in text.split(is_space).filter(|w| !w.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    (!out.is_empty()).then_some(Cow::Owned(out))
}

/// Returns the letters and digits in lower case. Texts that differ only in spaces, punctuation and case have equal keys.
pub(super) fn key(text: &str) -> String {
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Whether a text is certainly clean, judged by pairs of bytes: its only white space is single spaces inside.
///
/// White space and control characters outside of ASCII begin with the bytes C2 and E1 to E3. After C2 the
/// second byte is at most A0. After E2 the last two bytes distinguish them from most punctuation. The test
/// may reject a clean text, but never accepts an unclean one.
fn is_clean(text: &str) -> bool {
    let bytes = text.as_bytes();
    let control = |byte: u8| (byte < 0x20) | (byte == 0x7F);
    let Some((&last, before)) = bytes.split_last() else {
        return true;
    };
    let unclean = |byte: u8, next: u8| {
        let spaces = (byte == b' ') & (next == b' ');
        let latin = (byte == 0xC2) & (next <= 0xA0);
        let punctuation =
            (byte | 1 == 0x81) & ((next & 0xF0 == 0x80) | (next & 0xF8 == 0xA8) | (next == 0x9F));
        control(byte) | spaces | latin | punctuation | (byte == 0xE1) | (byte == 0xE3)
    };
    let pairs = before.iter().zip(&bytes[1..]);
    let found = pairs.fold(false, |found, (&byte, &next)| found | unclean(byte, next));
    !(found || control(last) || last == b' ' || bytes[0] == b' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_are_told_by_pairs_of_bytes() {
        for c in ('\0'..=char::MAX).filter(|&c| is_space(c)) {
            assert!(!is_clean(&c.to_string()), "{c:?}");
            assert!(c == ' ' || !is_clean(&format!("a{c}b")), "{c:?}");
        }
        assert!(is_clean("a “b” – c’s « d » … é"));
    }

    proptest::proptest! {
        #[test]
        fn clean_texts_are_words_with_single_spaces(text in "[ a\u{A0}\u{2003}\u{85}é—\t\u{7F}]{0,8}|[a ]{0,6}|[а-я ]{0,6}") {
            let words: Vec<&str> = text.split(is_space).filter(|word| !word.is_empty()).collect();
            proptest::prop_assert_eq!(clean_text(&text), (!words.is_empty()).then(|| words.join(" ")));
            proptest::prop_assert_eq!(is_blank(&text), words.is_empty());
        }
    }
}
