//! Syllables of scripts of South-East Asia, which write no spaces between words.
//!
//! UAX #29 leaves Thai, Lao, Khmer and Burmese to dictionaries and cuts after each letter with its marks: เป็น becomes four pieces, and a
//! Khmer or Burmese consonant below another is cut off from it. The rules here join such pieces to what a
//! reader takes for one syllable. They look at neighboring pieces only, so the tokens of a sentence do not
//! depend on the text around it.

use crate::text::chars::is_mark;

/// Whether a piece joins the piece before it. Both are a letter with its marks, as UAX #29 cuts them;
/// `before` may have been joined already.
pub(crate) fn joins(before: &str, piece: &str) -> bool {
    let (Some(last), Some(base)) = (before.chars().next_back(), piece.chars().next()) else {
        return false;
    };
    match u32::from(base) {
        0xE01..=0xE4F => joins_thai(before, last, piece),
        0xE81..=0xECF | 0xEDC..=0xEDF => joins_lao(before, last, piece),
        0x1000..=0x104F => {
            is_burmese(last) && (last == STACKED || has(piece, |c| matches!(c, STACKED | ASAT)))
        }
        0x1780..=0x17DD => {
            is_khmer(last) && (last == COENG || has(piece, |c| matches!(c, '\u{17CB}' | '\u{17CD}')))
        }
        _ => false,
    }
}

/// The virama of Burmese: the consonant after it is written below.
const STACKED: char = '\u{1039}';
/// Mark of a consonant without vowel, which ends its syllable.
const ASAT: char = '\u{103A}';
/// The virama of Khmer.
const COENG: char = '\u{17D2}';

fn is_burmese(c: char) -> bool {
    matches!(c, '\u{1000}'..='\u{103F}' | '\u{104E}'..='\u{109F}')
}

fn is_khmer(c: char) -> bool {
    matches!(c, '\u{1780}'..='\u{17D3}' | '\u{17DC}' | '\u{17DD}')
}

/// Whether a mark of the piece satisfies `wanted`.
fn has(piece: &str, wanted: impl Fn(char) -> bool) -> bool {
    piece.chars().skip(1).any(wanted)
}

/// The start of the last syllable of joined pieces: its letter and the marks after it.
fn last_letter(before: &str) -> &str {
    let start = before.char_indices().rfind(|&(_, c)| !is_mark(c));
    start.map_or(before, |(at, _)| &before[at..])
}

/// Thai vowels before the consonant: e, ae, o, ai, ai.
fn is_thai_lead(c: char) -> bool {
    matches!(c, '\u{E40}'..='\u{E44}')
}

fn is_thai_consonant(c: char) -> bool {
    matches!(c, 'ก'..='ฮ')
}

/// Whether a piece that begins with a letter of Thai joins the piece before it, which ends with `last`.
fn joins_thai(before: &str, last: char, piece: &str) -> bool {
    let base = piece.chars().next().unwrap_or_default();
    if !matches!(last, '\u{E01}'..='\u{E4E}') {
        return false;
    }
    // Vowels after the consonant, and sara am, which NFKC takes apart.
    if matches!(base, 'ะ' | 'า' | 'ำ' | 'ๅ') {
        return is_thai_consonant(last)
            || is_mark(last)
            || base == 'ะ' && last == 'า'
            || base == 'ๅ' && matches!(last, 'ฤ' | 'ฦ');
    }
    if is_thai_lead(last) {
        return is_thai_consonant(base) || base == 'ฤ';
    }
    if !is_thai_consonant(base) {
        return false;
    }
    let letter = last_letter(before);
    // A silent consonant.
    if has(piece, |c| c == '\u{E4C}') {
        return true;
    }
    let is_bare = piece.chars().count() == 1;
    // Mai han akat, maitaikhu and sara uee are followed by a consonant of their syllable; so is a consonant
    // between sara e and o ang or yo yak.
    let wants = |c| matches!(c, '\u{E31}' | '\u{E47}' | '\u{E37}');
    let lead = before[..before.len() - letter.len()].chars().next_back();
    let in_e = lead == Some('เ')
        && match base {
            'อ' => !has(letter, |c| {
                matches!(c, '\u{E34}'..='\u{E36}' | '\u{E38}' | '\u{E39}')
            }),
            'ย' => has(letter, |c| c == '\u{E35}'),
            _ => false,
        };
    is_bare && (has(letter, wants) || in_e)
}

fn is_lao_consonant(c: char) -> bool {
    matches!(c, 'ກ'..='ຮ' | 'ໜ'..='ໟ')
}

/// Whether a piece that begins with a letter of Lao joins the piece before it, which ends with `last`. The
/// rules are those of Thai, with the letters of Lao.
fn joins_lao(before: &str, last: char, piece: &str) -> bool {
    let base = piece.chars().next().unwrap_or_default();
    if !matches!(last, '\u{E81}'..='\u{ECE}' | '\u{EDC}'..='\u{EDF}') {
        return false;
    }
    if matches!(base, 'ະ' | 'າ' | 'ຳ' | 'ຽ') {
        return is_lao_consonant(last) || is_mark(last) || base == 'ະ' && last == 'າ';
    }
    if matches!(last, '\u{EC0}'..='\u{EC4}') {
        return is_lao_consonant(base);
    }
    if !is_lao_consonant(base) || piece.chars().count() > 1 && !has(piece, |c| c == '\u{ECC}') {
        return false;
    }
    let letter = last_letter(before);
    let lead = before[..before.len() - letter.len()].chars().next_back();
    // Mai kan, mai kon and the semivowel nyo are followed by a consonant of their syllable; so is a vowel between e and o.
    has(piece, |c| c == '\u{ECC}')
        || has(letter, |c| matches!(c, '\u{EB1}' | '\u{EBB}'))
        || last == 'ຽ'
        || lead == Some('ເ') && base == 'ອ' && has(letter, |c| matches!(c, '\u{EB5}' | '\u{EB7}'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words;

    fn cut(text: &str) -> Vec<&str> {
        words(text).map(|range| &text[range]).collect()
    }

    #[test]
    fn syllables_are_whole() {
        for (text, wanted) in [
            ("เป็นเรื่องของวันนี้", vec!["เป็น", "เรื่อ", "ง", "ข", "อ", "ง", "วัน", "นี้"]),
            ("และน้ำประปา", vec!["และ", "น้ำ", "ป", "ระ", "ปา"]),
            ("สัตว์แพทย์", vec!["สัตว์", "แพ", "ทย์"]),
            ("เธอเรียน ๒๕๔๐ปี", vec!["เธอ", "เรีย", "น", "๒๕๔๐", "ปี"]),
            ("ຂອງເມືອງວັນຮຽນ", vec!["ຂ", "ອ", "ງ", "ເມືອ", "ງ", "ວັນ", "ຮຽນ"]),
            ("ພາສາລາວ", vec!["ພາ", "ສາ", "ລາ", "ວ"]),
            ("ភាសាខ្មែរប្រទេស", vec!["ភា", "សា", "ខ្មែ", "រ", "ប្រ", "ទេ", "ស"]),
            ("ពិន្ទុសម្រាប់", vec!["ពិ", "ន្ទុ", "ស", "ម្រាប់"]),
            ("မြန်မာစာ", vec!["မြန်", "မာ", "စာ"]),
            ("မန္တလေးအင်္ဂလိပ်", vec!["မန္တ", "လေး", "အင်္ဂ", "လိပ်"]),
            // Tibetan has a mark between syllables.
            ("བོད་ཡིག", vec!["བོད", "ཡིག"]),
            // Other scripts do not join.
            ("aกาxກ", vec!["a", "กา", "x", "ກ"]),
        ] {
            assert_eq!(cut(text), wanted, "{text}");
        }
    }

    #[test]
    fn nothing_joins_across_scripts() {
        for (before, piece) in [
            ("ក្", "မ်"),
            ("เ", "ກ"),
            ("ກ", "า"),
            ("a", "ะ"),
            ("", "ะ"),
            ("ก", ""),
            ("漢", "ာ"),
        ] {
            assert!(!joins(before, piece), "{before} {piece}");
        }
    }
}
