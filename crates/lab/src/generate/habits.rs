//! Habits of spelling: ways of typing a text that leave it the same text for a reader of its language.
//!
//! Keyboards, converters and house styles change all places of a text in the same way. So a habit has no
//! rate: it rewrites every place to which it applies. The habits follow how people type, not what
//! normalization can undo; several of them it cannot.

use unicode_normalization::UnicodeNormalization;

/// A habit of the writers of one language.
#[derive(Debug)]
pub(super) struct Habit {
    /// ISO 639-1 code.
    pub(super) language: &'static str,
    /// Name, for the truth.
    pub(super) name: &'static str,
    write: fn(&str) -> String,
}

impl Habit {
    /// The text as a writer with this habit types it.
    pub(super) fn write(&self, text: &str) -> String {
        (self.write)(text)
    }
}

/// A habit, for the table below.
const fn habit(language: &'static str, name: &'static str, write: fn(&str) -> String) -> Habit {
    Habit {
        language,
        name,
        write,
    }
}

/// All habits, by language.
pub(super) static ALL: &[Habit] = &[
    habit("ar", "vowel-signs", |text| {
        // The right vowels would need a dictionary. It suffices that there are vowel signs.
        with_marks(text, "\u{64E}\u{650}\u{64F}\u{652}", is_arabic_consonant)
    }),
    habit("ar", "tatweel", tatweels),
    habit("ar", "bare-alef", |text| replaced(text, "أإآ", "ااا")),
    habit("ar", "final-maqsura", |text| at_ends(text, 'ي', 'ى')),
    habit("ar", "final-heh", |text| replaced(text, "ة", "ه")),
    habit("ar", "arabic-digits", |text| {
        replaced(text, "0123456789", "٠١٢٣٤٥٦٧٨٩")
    }),
    habit("de", "capitals", str::to_uppercase),
    habit("de", "swiss", |text| text.replace('ß', "ss")),
    habit("de", "decomposed", decomposed),
    habit("de", "digraphs", |text| umlauts_apart(&text.replace('ß', "ss"))),
    habit("fa", "arabic-letters", |text| replaced(text, "یک", "يك")),
    habit("fa", "no-joiner", |text| text.replace('\u{200C}', "")),
    habit("fa", "arabic-digits", |text| {
        replaced(text, "۰۱۲۳۴۵۶۷۸۹", "٠١٢٣٤٥٦٧٨٩")
    }),
    habit("fa", "ascii-digits", |text| {
        replaced(text, "۰۱۲۳۴۵۶۷۸۹", "0123456789")
    }),
    habit("fr", "typographic", |text| text.replace('\'', "’")),
    habit("fr", "typewriter", |text| replaced(text, "’«»", "'\"\"")),
    habit("fr", "no-break-spaces", no_break_spaces),
    habit("fr", "decomposed", decomposed),
    habit("fr", "capitals", str::to_uppercase),
    habit("fr", "bare-capitals", |text| bare(text).to_uppercase()),
    habit("fr", "no-ligatures", |text| {
        text.replace('œ', "oe").replace('Œ', "Oe").replace('æ', "ae")
    }),
    habit("he", "points", |text| {
        with_marks(text, "\u{5B8}\u{5B0}\u{5B4}\u{5B7}", is_hebrew)
    }),
    habit("he", "quotes-in-words", |text| replaced(text, "'\"", "׳״")),
    habit("he", "maqaf", |text| replaced(text, "-", "־")),
    habit("hi", "anusvara", anusvaras),
    habit("hi", "no-candrabindu", |text| replaced(text, "ँ", "ं")),
    habit("hi", "no-nukta", |text| {
        text.nfd().filter(|&c| c != '\u{93C}').nfc().collect()
    }),
    habit("hi", "devanagari-digits", |text| {
        replaced(text, "0123456789", "०१२३४५६७८९")
    }),
    habit("ro", "cedillas", |text| replaced(text, "șțȘȚ", "şţŞŢ")),
    habit("ro", "commas", |text| replaced(text, "şţŞŢ", "șțȘȚ")),
    habit("ro", "decomposed", decomposed),
    habit("ro", "no-diacritics", bare),
    habit("th", "marks-swapped", thai_marks_swapped),
    habit("th", "sara-am-apart", |text| text.replace('ำ', "\u{E4D}า")),
    habit("th", "double-e", |text| text.replace('แ', "เเ")),
    habit("th", "thai-digits", |text| {
        replaced(text, "0123456789", "๐๑๒๓๔๕๖๗๘๙")
    }),
    habit("th", "zero-width-spaces", |text| {
        text.replace(' ', " \u{200B}")
            .replace('\u{E41}', "\u{200B}\u{E41}")
    }),
    // The default mapping of Unicode turns `i` into `I`, and Turkish writes `İ`.
    habit("tr", "capitals", |text| text.replace('i', "İ").to_uppercase()),
    habit("tr", "foreign-capitals", str::to_uppercase),
    habit("tr", "decomposed", decomposed),
    habit("tr", "typographic", |text| text.replace('\'', "’")),
    habit("tr", "no-circumflex", |text| replaced(text, "âîûÂÎÛ", "aiuAİU")),
    // `ı` has no mark that could be removed, so it is replaced.
    habit("tr", "ascii", |text| bare(&replaced(text, "ıİ", "iI"))),
    habit("uk", "typewriter", |text| replaced(text, "’ʼ«»", "''\"\"")),
    habit("uk", "typographic", |text| replaced(text, "'ʼ", "’’")),
    habit("uk", "letter-apostrophe", |text| replaced(text, "'’", "ʼʼ")),
    habit("uk", "latin-twins", |text| replaced(text, "іІ", "iI")),
    habit("uk", "stress", stressed),
    habit("uz", "typewriter", |text| replaced(text, "ʻʼ‘’`", "'''''")),
    habit("uz", "typographic", |text| replaced(text, "ʻʼ'`", "‘’‘‘")),
    habit("uz", "letter-apostrophe", |text| replaced(text, "‘’'`", "ʻʼʻʻ")),
    habit("uz", "grave", |text| replaced(text, "ʻʼ‘’'", "`````")),
    habit("vi", "older-tones", |text| tones_moved(text, NEWER, OLDER)),
    habit("vi", "newer-tones", |text| tones_moved(text, OLDER, NEWER)),
    habit("vi", "decomposed", decomposed),
    habit("vi", "tones-apart", tones_apart),
];

/// Habits of a language. Empty if none are known.
pub(super) fn of_language(language: &str) -> Vec<&'static Habit> {
    ALL.iter().filter(|habit| habit.language == language).collect()
}

/// Codes of the languages with habits, in order.
pub(super) fn languages() -> Vec<&'static str> {
    let mut languages: Vec<_> = ALL.iter().map(|habit| habit.language).collect();
    // The table is sorted by language, so equal codes are adjacent.
    languages.dedup();
    languages
}

/// The text with each character of `from` replaced by the character at the same place of `to`.
fn replaced(text: &str, from: &str, to: &str) -> String {
    debug_assert_eq!(from.chars().count(), to.chars().count(), "a character for each");
    let other = |c: char| {
        let place = from.chars().position(|known| known == c);
        place.and_then(|place| to.chars().nth(place)).unwrap_or(c)
    };
    text.chars().map(other).collect()
}

/// The text in NFD: letters and marks apart.
fn decomposed(text: &str) -> String {
    text.nfd().collect()
}

/// The text without marks on its letters.
fn bare(text: &str) -> String {
    text.nfd().filter(|&c| !is_mark(c)).collect()
}

/// Whether a character is a combining diacritical mark.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36F}')
}

/// The text with a mark after each letter for which `carries` is true. The marks are taken in turn.
fn with_marks(text: &str, marks: &str, carries: fn(char) -> bool) -> String {
    let mut next = marks.chars().cycle();
    let mut out = String::with_capacity(2 * text.len());
    for c in text.chars() {
        out.push(c);
        if carries(c) {
            out.extend(next.next());
        }
    }
    out
}

/// Whether a character is an Arabic consonant that takes vowel signs.
fn is_arabic_consonant(c: char) -> bool {
    matches!(c, 'ب' | 'ت'..='غ' | 'ف'..='ه')
}

/// Whether a character is a Hebrew letter.
fn is_hebrew(c: char) -> bool {
    matches!(c, 'א'..='ת')
}

/// The text with words of four or more letters stretched after a letter that joins the next one.
fn tatweels(text: &str) -> String {
    let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
    for word in &mut words {
        let letters: Vec<(usize, char)> = word.char_indices().collect();
        let joins = |&(_, c): &(usize, char)| matches!(c, 'ب' | 'ت'..='خ' | 'س'..='غ' | 'ف'..='ن');
        // Words with other characters, such as punctuation, stay as they are.
        let whole = letters.iter().all(|&(_, c)| matches!(c, 'ء'..='ي'));
        if whole
            && letters.len() >= 4
            // Not after the first letter and not before the last one.
            && let Some(place) = letters[1..letters.len() - 1].iter().position(joins)
        {
            // The place counts from the second letter, and the stretch comes after the letter found.
            word.insert_str(letters[place + 2].0, "ـــ");
        }
    }
    words.join(" ")
}

/// The text with `from` replaced by `to` at the ends of words.
fn at_ends(text: &str, from: char, to: char) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        // A word also ends before punctuation.
        let ends = chars.peek().is_none_or(|next| !next.is_alphabetic());
        out.push(if c == from && ends { to } else { c });
    }
    out
}

/// The text with umlauts written as two letters.
fn umlauts_apart(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            'ä' => out.push_str("ae"),
            'ö' => out.push_str("oe"),
            'ü' => out.push_str("ue"),
            'Ä' => out.push_str("Ae"),
            'Ö' => out.push_str("Oe"),
            'Ü' => out.push_str("Ue"),
            _ => out.push(c),
        }
    }
    out
}

/// The text with no-break spaces before high punctuation and inside quotation marks, as in French
/// typesetting.
fn no_break_spaces(text: &str) -> String {
    let mut out = text.to_owned();
    for mark in [":", ";", "!", "?", "»", "%"] {
        out = out.replace(&format!(" {mark}"), &format!("\u{202F}{mark}"));
    }
    out.replace("« ", "«\u{A0}")
}

/// The text with anusvara in place of a nasal without vowel before a stop of its class.
fn anusvaras(text: &str) -> String {
    let classes = [
        ("ङ", "कखगघ"),
        ("ञ", "चछजझ"),
        ("ण", "टठडढ"),
        ("न", "तथदध"),
        ("म", "पफबभ"),
    ];
    let mut out = text.to_owned();
    for (nasal, stops) in classes {
        for stop in stops.chars() {
            // The virama between the two consonants shows that the nasal has no vowel.
            out = out.replace(&format!("{nasal}\u{94D}{stop}"), &format!("ं{stop}"));
        }
    }
    out
}

/// The text with tone marks typed before the vowel sign of their consonant.
fn thai_marks_swapped(text: &str) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    let is_vowel = |c| matches!(c, '\u{E31}' | '\u{E34}'..='\u{E39}');
    let is_tone = |c| matches!(c, '\u{E48}'..='\u{E4B}');
    for place in 1..chars.len() {
        if is_vowel(chars[place - 1]) && is_tone(chars[place]) {
            chars.swap(place - 1, place);
        }
    }
    chars.into_iter().collect()
}

/// The text with the stress mark of textbooks on the first vowel of each word of two or more vowels.
fn stressed(text: &str) -> String {
    let is_vowel = |c: char| "аеєиіїоуюяАЕЄИІЇОУЮЯ".contains(c);
    let word = |word: &str| {
        let several = word.chars().filter(|&c| is_vowel(c)).count() > 1;
        match word.char_indices().find(|&(_, c)| several && is_vowel(c)) {
            Some((at, c)) => {
                let (front, rest) = word.split_at(at + c.len_utf8());
                format!("{front}\u{301}{rest}")
            }
            None => word.to_owned(),
        }
    };
    text.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// Ends of Vietnamese syllables with the tone on the first vowel.
const OLDER: &[&str] = &[
    "òa", "óa", "ỏa", "õa", "ọa", "òe", "óe", "ỏe", "õe", "ọe", "ùy", "úy", "ủy", "ũy", "ụy",
];
/// The ends of [`OLDER`] with the tone on the second vowel.
const NEWER: &[&str] = &[
    "oà", "oá", "oả", "oã", "oạ", "oè", "oé", "oẻ", "oẽ", "oẹ", "uỳ", "uý", "uỷ", "uỹ", "uỵ",
];

/// The text with the tone at the ends of words moved from the place in `from` to the place in `to`.
fn tones_moved(text: &str, from: &[&str], to: &[&str]) -> String {
    let word = |word: &str| {
        let letters = word.trim_end_matches(|c: char| !c.is_alphabetic());
        // The u of qu belongs to the consonant, so `quý` has only one vowel.
        let found = from.iter().zip(to).find_map(|(from, to)| {
            let front = letters.strip_suffix(from)?;
            (!front.ends_with(['q', 'Q'])).then(|| format!("{front}{to}{}", &word[letters.len()..]))
        });
        found.unwrap_or_else(|| word.to_owned())
    };
    text.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// The text with tone marks after their letters, which keep circumflex, breve and horn, as in windows-1258.
fn tones_apart(text: &str) -> String {
    let mut out = String::with_capacity(2 * text.len());
    for c in text.chars() {
        let (tones, letter): (String, String) = std::iter::once(c)
            .nfd()
            .partition(|&c| matches!(c, '\u{300}' | '\u{301}' | '\u{303}' | '\u{309}' | '\u{323}'));
        // The other marks are composed with the letter again.
        out.extend(letter.nfc());
        out.push_str(&tones);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn habits_rewrite_what_their_writers_type() {
        for (language, name, text, wanted) in [
            ("ar", "vowel-signs", "باب", "بَابِ"),
            ("ar", "tatweel", "كتابنا هو", "كتـــابنا هو"),
            ("ar", "bare-alef", "أحمد إلى", "احمد الى"),
            ("ar", "final-maqsura", "علي ليلي.", "على ليلى."),
            ("ar", "final-heh", "مدرسة", "مدرسه"),
            ("de", "capitals", "Straße", "STRASSE"),
            ("de", "digraphs", "Äpfel größer", "Aepfel groesser"),
            ("fa", "arabic-letters", "کتابی", "كتابي"),
            (
                "fr",
                "no-break-spaces",
                "Quoi ? « oui »",
                "Quoi\u{202F}? «\u{A0}oui\u{202F}»",
            ),
            ("fr", "bare-capitals", "l'été", "L'ETE"),
            ("he", "quotes-in-words", "צה\"ל", "צה״ל"),
            ("hi", "anusvara", "हिन्दी", "हिंदी"),
            ("hi", "no-nukta", "ज़रूर", "जरूर"),
            ("th", "marks-swapped", "ที่", "ท\u{E48}ี"),
            ("tr", "capitals", "diyarbakır", "DİYARBAKIR"),
            ("uk", "stress", "слово він", "сло\u{301}во він"),
            ("vi", "older-tones", "hoà quý thuỷ.", "hòa quý thủy."),
            ("vi", "tones-apart", "tiếng", "tiê\u{301}ng"),
        ] {
            let habits = of_language(language);
            let habit = habits.iter().find(|habit| habit.name == name).unwrap();
            assert_eq!(habit.write(text), wanted, "{language} {name}");
        }
    }

    #[test]
    fn twelve_languages_have_habits_with_names_of_their_own() {
        assert_eq!(languages().len(), 12);
        assert!(languages().is_sorted());
        for language in languages() {
            let mut names: Vec<_> = of_language(language).iter().map(|habit| habit.name).collect();
            let all = names.len();
            names.sort_unstable();
            names.dedup();
            assert!(all >= 3 && names.len() == all, "{language}");
        }
        assert!(of_language("xx").is_empty());
    }
}
