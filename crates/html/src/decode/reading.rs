//! Decides which of two charsets gives the more plausible text, for pages with few non-ASCII bytes.
//!
//! Language statistics are useless for two or three letters. But a wrong charset shows at every place: it puts symbols into
//! words (`GrÃ¼n`), capital letters after lower-case ones, and characters that hardly ever occur in text.

use encoding_rs::Encoding;

/// Whether `charset` gives text with fewer implausible characters than `other`.
pub(super) fn is_likelier(bytes: &[u8], charset: &'static Encoding, other: &'static Encoding) -> bool {
    unlikely(bytes, charset) < unlikely(bytes, other)
}

/// Number of implausible non-ASCII characters.
fn unlikely(bytes: &[u8], charset: &'static Encoding) -> usize {
    let mut count = 0;
    let mut at = 0;
    while let Some(found) = bytes[at..].iter().position(|byte| !byte.is_ascii()) {
        let start = at + found;
        let length = bytes[start..].iter().take_while(|byte| !byte.is_ascii()).count();
        let (text, _) = charset.decode_without_bom_handling(&bytes[start..start + length]);
        let neighbor = |byte: Option<&u8>| byte.map_or(' ', |&byte| char::from(byte));
        let before = neighbor(start.checked_sub(1).and_then(|at| bytes.get(at)));
        let after = neighbor(bytes.get(start + length));
        count += unlikely_characters(before, &text, after);
        at = start + length;
    }
    count
}

/// Number of implausible characters in `text`, given the ASCII characters around it.
fn unlikely_characters(before: char, text: &str, after: char) -> usize {
    let mut count = 0;
    let (mut last, mut rest) = (before, text.chars().peekable());
    while let Some(c) = rest.next() {
        let next = rest.peek().copied().unwrap_or(after);
        count += usize::from(is_unlikely(last, c, next));
        last = c;
    }
    count
}

fn is_unlikely(last: char, c: char, next: char) -> bool {
    match c {
        // Control characters, replacement characters, phonetic letters, private use and box drawing.
        '\u{80}'..='\u{9F}'
        | '\u{FFFD}'
        | '\u{250}'..='\u{2AF}'
        | '\u{E000}'..='\u{F8FF}'
        | '\u{2500}'..='\u{259F}' => true,
        // Apostrophes, hyphens and dots inside words.
        '\u{2019}' | '\u{2BC}' | '\u{B7}' | '\u{AD}' | '\u{2010}' | '\u{2011}' => false,
        // Opening quotation marks are implausible after a letter.
        '\u{201A}' | '\u{201E}' => last.is_alphabetic(),
        // A Thai vowel or tone mark is implausible without a consonant before it.
        '\u{E30}'..='\u{E3A}' | '\u{E45}'..='\u{E4E}' => script(last) != script(c),
        '\u{AA}' | '\u{B5}' | '\u{BA}' => last.is_alphabetic(),
        _ if c.is_alphabetic() => {
            is_mixed(last, c)
                || is_mixed(c, next)
                || c.is_uppercase() && last.is_lowercase()
                || c.is_uppercase() && last.is_uppercase() && next.is_lowercase()
                || c.is_lowercase() && last.is_uppercase() && next.is_uppercase()
        }
        _ => {
            // Symbols other than quotation marks and dashes.
            let is_sign = matches!(c, '\u{A0}'..='\u{BF}' | '\u{20A0}'..='\u{20BF}' | '\u{2020}'..='\u{2022}' | '\u{2030}'..='\u{2031}')
                && !matches!(c, '«' | '»');
            last.is_alphabetic() && next.is_alphabetic() || !last.is_ascii() && is_sign
        }
    }
}

/// Whether two characters are letters of scripts that are never mixed within a word.
fn is_mixed(a: char, b: char) -> bool {
    matches!((script(a), script(b)), (Some(a), Some(b)) if a != b)
}

/// Number of a letter's script, for scripts of single-byte charsets; `None` for other characters.
fn script(c: char) -> Option<u8> {
    let number = match c {
        'A'..='Z' | 'a'..='z' | '\u{C0}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}' => 0,
        '\u{370}'..='\u{3FF}' | '\u{1F00}'..='\u{1FFF}' => 1,
        '\u{400}'..='\u{52F}' => 2,
        '\u{590}'..='\u{5FF}' => 3,
        '\u{600}'..='\u{6FF}' => 4,
        '\u{E00}'..='\u{E7F}' => 5,
        _ => return None,
    };
    Some(number)
}

#[cfg(test)]
mod tests {
    use encoding_rs::UTF_8;

    use super::*;

    /// Words with non-ASCII letters in languages with legacy charsets, each with a charset.
    const WORDS: &[(&str, &[&str])] = &[
        (
            "iso-8859-1",
            &[
                "Grüße",
                "für",
                "Öl",
                "über",
                "schön",
                "daß",
                "Straße",
                "«café»",
                "où",
                "à",
                "été",
                "François",
                "niño",
                "¿Qué",
                "São",
                "não",
                "Århus",
                "blåbær",
                "søndag",
                "Åland",
                "naïve",
                "5 €",
                "it’s",
            ],
        ),
        (
            "iso-8859-2",
            &[
                "łódź", "że", "Čech", "něco", "žena", "őt", "fűz", "țară", "Đorđe", "šuma",
            ],
        ),
        ("iso-8859-5", &["да", "мир", "Привет"]),
        (
            "windows-1251",
            &["да", "мир", "Привет", "їжак", "Січень", "ёлка", "бъде"],
        ),
        ("koi8-r", &["да", "мир", "Привет"]),
        ("windows-1253", &["και", "Ελλάδα", "ώρα"]),
        ("windows-1254", &["güneş", "İstanbul", "ılık", "çağ"]),
        ("windows-1255", &["שלום", "לא"]),
        ("windows-1256", &["سلام", "من"]),
        ("windows-1257", &["šuns", "ąžuolas", "žemė", "õun", "ēka"]),
        ("windows-1258", &["được", "Việt"]),
        ("windows-874", &["ไทย", "ดี"]),
    ];

    #[test]
    fn words_of_utf_8_are_known_under_each_label() {
        let (mut right, mut all, mut wrong) = (0, 0, Vec::new());
        for (_, words) in WORDS {
            for word in *words {
                let page = format!("<p>One {word} two</p>");
                for (label, _) in WORDS {
                    let charset = Encoding::for_label(label.as_bytes()).unwrap();
                    all += 1;
                    if is_likelier(page.as_bytes(), UTF_8, charset) {
                        right += 1;
                    } else {
                        wrong.push((*word, *label));
                    }
                }
            }
        }
        assert!(right * 100 >= all * 97, "{right} of {all}: {wrong:?}");
    }

    #[test]
    fn words_of_a_legacy_charset_stay_what_they_are() {
        for (label, words) in WORDS {
            let charset = Encoding::for_label(label.as_bytes()).unwrap();
            for word in *words {
                for word in [word.to_string(), word.to_uppercase(), format!("«{word}»")] {
                    let (bytes, _, unmappable) = charset.encode(&word);
                    let page = [b"<p>One ", &*bytes, b" two"].concat();
                    // The comparison is only used for valid UTF-8.
                    let asked = !unmappable && std::str::from_utf8(&page).is_ok();
                    assert!(!asked || !is_likelier(&page, UTF_8, charset), "{word} in {label}");
                }
            }
        }
    }
}
