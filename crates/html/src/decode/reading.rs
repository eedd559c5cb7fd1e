//! Decides which of two charsets gives the likelier text, for pages with few non-ASCII bytes.
//!
//! Statistics of a language are useless for two or three letters. But a wrong charset shows at each of its
//! characters: it puts symbols into words (`GrÃ¼n`), capital letters after lower-case ones, and characters
//! that hardly ever occur in text. So the cost of a reading is measured in bits, the negative binary
//! logarithm of how frequent its characters are: rare letters, letters that the language of the page lacks,
//! and characters at unlikely places cost most.

use encoding_rs::{BIG5, EUC_KR, Encoding, GBK, UTF_8};

use super::language::{self, Language, Script};

/// Bits in favor of the declared charset: of pages that declare another charset, about one in sixty is in
/// UTF-8.
const LABEL: u32 = 6;
/// Bits in favor of the detector's guess, and of the earlier charsets of a language over later ones.
const GUESS: u32 = 2;
/// Bits against letters of a script that is expected neither by the language of the page nor by its
/// declared charset.
const OTHER_SCRIPT: u32 = 6;
/// Bits for each neighbor of a character beside which the character hardly ever stands.
const MISPLACED: u32 = 8;

/// Whether valid UTF-8 is likelier as such than in the charset of its label.
pub(super) fn is_utf_8(bytes: &[u8], label: &'static Encoding, language: Option<&Language>) -> bool {
    let (own, scripts) = cost(bytes, UTF_8, language);
    let (other, _) = cost(bytes, label, language);
    let expected = |script: &Script| language::is_expected(*script, label, language);
    let surprise = if scripts.iter().all(expected) {
        0
    } else {
        OTHER_SCRIPT
    };
    // UTF-8 has to be cheaper by more than the evidence for the declared charset.
    own + LABEL + surprise < other
}

/// The charset among `guess` and those of a language in which bytes are likeliest.
pub(super) fn likeliest(bytes: &[u8], guess: &'static Encoding, language: &Language) -> &'static Encoding {
    let bits = |charset| cost(bytes, charset, Some(language)).0;
    let mut best = (bits(guess), guess);
    for charset in language.charsets() {
        // Charsets are in order of frequency, so each must beat the best so far by `GUESS` bits.
        let found = bits(charset);
        if found + GUESS < best.0 {
            best = (found, charset);
        }
    }
    best.1
}

/// Bits of the non-ASCII characters, and the scripts of the letters among them.
fn cost(bytes: &[u8], charset: &'static Encoding, language: Option<&Language>) -> (u32, Vec<Script>) {
    let (mut bits, mut scripts) = (0, Vec::new());
    let mut at = 0;
    while let Some(found) = bytes[at..].iter().position(|byte| !byte.is_ascii()) {
        let start = at + found;
        let length = bytes[start..].iter().take_while(|byte| !byte.is_ascii()).count();
        // In multi-byte charsets the last byte of a character may be ASCII, so a run is decoded with the
        // byte that follows it.
        let end = (start + length + 1).min(bytes.len());
        let (text, _) = charset.decode_without_bom_handling(&bytes[start..end]);
        let neighbor = |byte: Option<&u8>| byte.map_or(' ', |&byte| char::from(byte));
        let mut last = neighbor(start.checked_sub(1).and_then(|at| bytes.get(at)));
        let after = neighbor(bytes.get(end));
        let mut rest = text.chars().peekable();
        while let Some(c) = rest.next() {
            let next = rest.peek().copied().unwrap_or(after);
            // ASCII characters are the same in both readings and cost nothing.
            if !c.is_ascii() {
                bits += rarity(c, language) + MISPLACED * misplaced(last, c, next);
                scripts.extend(Script::of(c).filter(|script| !scripts.contains(script)));
            }
            last = c;
        }
        at = start + length;
    }
    (bits, scripts)
}

/// Bits of a character by itself.
fn rarity(c: char, language: Option<&Language>) -> u32 {
    match c {
        // Control characters, replacement characters, private use.
        '\u{80}'..='\u{9F}' | '\u{FFFD}' | '\u{E000}'..='\u{F8FF}' | '\u{E0000}'.. => 20,
        '\u{A0}'
        | '«'
        | '»'
        | '©'
        | '®'
        | '°'
        | '§'
        | '·'
        | '€'
        | '£'
        | '–'
        | '—'
        | '‘'..='„'
        | '…'
        | '•' => 7,
        '¡'
        | '¿'
        | '\u{AD}'
        | '™'
        | '\u{3000}'..='\u{3003}'
        | '\u{3008}'..='\u{3011}'
        | '\u{FF01}'..='\u{FF20}' => 8,
        '\u{A1}'..='\u{BF}' => 10,
        // Box drawing.
        '\u{2500}'..='\u{259F}' => 16,
        _ => match Script::of(c) {
            // Capital letters are rarer: one bit.
            Some(script) => letter(c, script, language) + u32::from(c.is_uppercase()),
            None if c.is_alphanumeric() => 22,
            None => 12,
        },
    }
}

/// Bits of a letter.
fn letter(c: char, script: Script, language: Option<&Language>) -> u32 {
    let usual = match script {
        Script::Han => han(c),
        // Of 11,172 syllables, a fifth are in use.
        Script::Hangul if EUC_KR_CORE.contains(&lead(c, EUC_KR)) => 9,
        Script::Hangul => 16,
        Script::Kana => 7,
        Script::Other => 8,
        _ if language::is_common(c) => 5,
        _ if language::is_modern(c) => 7,
        _ => 16,
    };
    match language {
        // The smallest usual cost is 5, so this does not underflow.
        Some(language) if language.has(c) => usual - 2,
        Some(language) if language.scripts.contains(&script) => usual + 3,
        Some(_) => usual + 6,
        None => usual,
    }
}

/// First bytes of the two-byte codes of syllables and characters that are common in texts: KS X 1001, GB
/// 2312 and Big5, level 1.
const EUC_KR_CORE: std::ops::RangeInclusive<u8> = 0xB0..=0xC8;
const GBK_CORE: std::ops::RangeInclusive<u8> = 0xB0..=0xD7;
const BIG5_CORE: std::ops::RangeInclusive<u8> = 0xA4..=0xC6;
/// Last bytes below which codes of GBK are not of GB 2312.
const GBK_TRAIL: u8 = 0xA1;

fn han(c: char) -> u32 {
    let (first, second) = code(c, GBK);
    if GBK_CORE.contains(&first) && second >= GBK_TRAIL || BIG5_CORE.contains(&lead(c, BIG5)) {
        11
    } else {
        16
    }
}

/// First byte of a character in a charset; 0 if it has fewer than two.
fn lead(c: char, charset: &'static Encoding) -> u8 {
    code(c, charset).0
}

/// First two bytes of a character in a charset; zeros if it has fewer than two there.
fn code(c: char, charset: &'static Encoding) -> (u8, u8) {
    let mut buffer = [0; 4];
    let (bytes, _, unmappable) = charset.encode(c.encode_utf8(&mut buffer));
    match *bytes {
        [first, second, ..] if !unmappable => (first, second),
        _ => (0, 0),
    }
}

/// Number of neighbors beside which the character hardly ever stands, 0 to 2.
fn misplaced(last: char, c: char, next: char) -> u32 {
    let is_misplaced = match c {
        // Apostrophes, hyphens and dots inside words.
        '\u{2019}' | '\u{2BC}' | '\u{B7}' | '\u{AD}' | '\u{2010}' | '\u{2011}' => false,
        // Opening quotation marks are implausible after a letter.
        '\u{201A}' | '\u{201E}' => last.is_alphabetic(),
        // A Thai vowel or tone mark is implausible without a consonant before it.
        '\u{E30}'..='\u{E3A}' | '\u{E45}'..='\u{E4E}' => Script::of(last) != Script::of(c),
        '\u{AA}' | '\u{B5}' | '\u{BA}' => last.is_alphabetic(),
        _ if c.is_alphabetic() => {
            let sides = u32::from(is_mixed(last, c)) + u32::from(is_mixed(c, next));
            if sides > 0 {
                return sides;
            }
            // `aB`, `ABc` and `AbC`, where `B` or `b` is the character `c`.
            c.is_uppercase() && last.is_lowercase()
                || c.is_uppercase() && last.is_uppercase() && next.is_lowercase()
                || c.is_lowercase() && last.is_uppercase() && next.is_uppercase()
        }
        _ => {
            // Symbols other than quotation marks and dashes.
            let is_sign = matches!(c, '\u{A0}'..='\u{BF}' | '\u{20A0}'..='\u{20BF}' | '\u{2020}'..='\u{2022}' | '\u{2030}'..='\u{2031}')
                && !matches!(c, '«' | '»');
            last.is_alphabetic() && next.is_alphabetic() || !last.is_ascii() && is_sign
        }
    };
    u32::from(is_misplaced)
}

/// Whether two characters are letters of scripts that are not mixed within a word.
fn is_mixed(a: char, b: char) -> bool {
    matches!((Script::of(a), Script::of(b)), (Some(a), Some(b)) if !a.goes_with(b))
}

#[cfg(test)]
mod tests {
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
                    if is_utf_8(page.as_bytes(), charset, None) {
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
                    assert!(!asked || !is_utf_8(&page, charset, None), "{word} in {label}");
                }
            }
        }
    }
}
