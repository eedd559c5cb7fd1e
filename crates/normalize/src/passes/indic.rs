//! Equivalent spellings in Indic scripts.

use unicode_normalization::char::canonical_combining_class;

use super::pass::{Example, Options, Pass};
use crate::text::rewrite::Rewrite;

/// Unifies spellings that readers of Indic scripts treat as equal:
///
/// - Devanagari, Gujarati, Telugu, Kannada: a nasal without vowel before a stop of its class becomes the
///   anusvara (हिन्दी and हिंदी); in Devanagari and Gujarati the candrabindu does, too (हँस and हंस).
/// - Devanagari: the nukta of क ख ग ज फ ड ढ is deleted, since writers of Hindi often omit it.
/// - Malayalam: chillu letters become consonant and virama, as they were written with a joiner before Unicode had them; the khanda ta of
///   Bengali does, too.
/// - Gurmukhi: the tippi becomes the bindi; which of both is written depends on the vowel only. Tamil: sha of
///   the ligature shri becomes sa, which looks the same there.
/// - Burmese: letters that look like two others become one (ဥ and ဉ before the asat, စျ and ဈ, သြ and ဩ).
/// - A vowel letter with the sign of another vowel becomes the letter that they look like (अ and ा become आ).
///
/// Lucene's HindiNormalizer has a narrower rule of nasals (न before anything), deletes the nukta of all
/// letters, and shortens long vowels. These rules change words of Marathi and Nepali and merge different
/// words of Hindi, so they are left out.
pub(super) struct Indic;

/// Offsets of letters that are equal in the Unicode blocks of all these scripts, relative to the first character of the block.
const ANUSVARA: u32 = 0x02;
const CANDRABINDU: u32 = 0x01;
const NUKTA: u32 = 0x3C;
const VIRAMA: u32 = 0x4D;

/// First code point of the block of a character: U+0900 for Devanagari, U+0D00 for Malayalam.
fn block(c: char) -> u32 {
    u32::from(c) & !0x7F
}

fn in_block(block: u32, offset: u32) -> Option<char> {
    char::from_u32(block + offset)
}

/// Whether the script of the block writes nasals as anusvara.
fn has_nasals(block: u32) -> bool {
    matches!(block, 0x900 | 0xA80 | 0xC00 | 0xC80)
}

/// Whether `nasal` is the nasal and `stop` one of the four stops of a class (ng and k to gh, and so on), as offsets in their block.
fn same_class(nasal: u32, stop: u32) -> bool {
    // Each class has five letters, the last one its nasal. An additional Devanagari letter is between n and p.
    match nasal {
        0x19 | 0x1E | 0x23 | 0x28 => (nasal - 4..nasal).contains(&stop),
        0x2E => (0x2A..0x2E).contains(&stop),
        _ => false,
    }
}

/// Base consonant of a letter that denotes a consonant without vowel; a virama must follow it.
fn dead(c: char) -> Option<char> {
    Some(match c {
        'ൺ' => 'ണ',
        'ൻ' => 'ന',
        'ർ' => 'ര',
        'ൽ' => 'ല',
        'ൾ' => 'ള',
        'ൿ' => 'ക',
        'ൔ' => 'മ',
        'ൕ' => 'യ',
        'ൖ' => 'ഴ',
        'ৎ' => 'ত',
        _ => return None,
    })
}

/// Vowel letter that looks like a vowel letter with a vowel sign.
fn vowel(letter: char, sign: char) -> Option<char> {
    Some(match (letter, sign) {
        ('अ', 'ा') => 'आ',
        ('अ', 'ॉ') | ('आ', 'ॅ') => 'ऑ',
        ('अ', 'ॊ') | ('आ', 'ॆ') => 'ऒ',
        ('अ', 'ो') | ('आ', 'े') => 'ओ',
        ('अ', 'ौ') | ('आ', 'ै') => 'औ',
        ('अ', 'ॅ') => 'ॲ',
        ('अ', 'ॆ') => 'ऄ',
        ('उ', 'ु') => 'ऊ',
        ('ए', 'ॅ') => 'ऍ',
        ('ए', 'ॆ') => 'ऎ',
        ('ए', 'े') => 'ऐ',
        ('অ', 'া') => 'আ',
        ('ਅ', 'ਾ') => 'ਆ',
        ('ਅ', 'ੈ') => 'ਐ',
        ('ਅ', 'ੌ') => 'ਔ',
        ('અ', 'ા') => 'આ',
        ('અ', 'ૅ') => 'ઍ',
        ('અ', 'ે') => 'એ',
        ('અ', 'ૈ') => 'ઐ',
        ('અ', 'ૉ') | ('આ', 'ૅ') => 'ઑ',
        ('અ', 'ો') | ('આ', 'ે') => 'ઓ',
        ('અ', 'ૌ') | ('આ', 'ૈ') => 'ઔ',
        ('ଅ', 'ା') => 'ଆ',
        _ => return None,
    })
}

/// Whether the nukta of a Devanagari letter is deleted.
fn loses_nukta(c: char) -> bool {
    matches!(c, 'क' | 'ख' | 'ग' | 'ज' | 'फ' | 'ड' | 'ढ')
}

/// Base letter of a precomposed Devanagari letter whose nukta is deleted. NFC decomposes these letters.
fn without_nukta(c: char) -> Option<char> {
    Some(match c {
        '\u{958}' => 'क',
        '\u{959}' => 'ख',
        '\u{95A}' => 'ग',
        '\u{95B}' => 'ज',
        '\u{95C}' => 'ड',
        '\u{95D}' => 'ढ',
        '\u{95E}' => 'फ',
        _ => return None,
    })
}

fn is_indic(c: char) -> bool {
    matches!(u32::from(c), 0x900..=0xD7F)
}

fn is_burmese(c: char) -> bool {
    matches!(c, 'စ' | 'သ' | 'ဥ')
}

/// Replacement at an offset: number of bytes replaced, and up to two new characters.
type Change = (usize, [Option<char>; 2]);

/// Replacement at the start of `rest`, given the character written before it; `None` if nothing is replaced.
fn change(before: Option<char>, rest: &str) -> Option<Change> {
    let mut chars = rest.chars();
    let c = chars.next().filter(|&c| is_indic(c) || is_burmese(c))?;
    let next = chars.next();
    let len = c.len_utf8();
    let one = |len, letter| Some((len, [Some(letter), None]));
    match (c, next) {
        ('ੰ', _) => return one(len, 'ਂ'),
        // The ligature shri: sha, virama, ra.
        ('ஶ', Some('\u{BCD}')) if chars.clone().next() == Some('ர') => return one(len, 'ஸ'),
        ('ဥ', Some('\u{103A}')) => return one(len, 'ဉ'),
        ('စ', Some('\u{103B}')) => return one(2 * len, 'ဈ'),
        ('သ', Some('\u{103C}')) => return one(2 * len, 'ဩ'),
        _ if is_burmese(c) => return None,
        _ => {}
    }
    if let Some(consonant) = dead(c)
        && next.is_none_or(|next| canonical_combining_class(next) == 0)
    {
        // A virama has a canonical position among other marks, so a letter with such a mark stays as it is.
        return Some((len, [Some(consonant), in_block(block(c), VIRAMA)]));
    }
    if let Some(letter) = without_nukta(c) {
        return Some((len, [Some(letter), None]));
    }
    let (block_of_c, offset) = (block(c), u32::from(c) & 0x7F);
    if block_of_c == 0x900 && offset == NUKTA && before.is_some_and(loses_nukta) {
        return Some((len, [None, None]));
    }
    if offset == CANDRABINDU && matches!(block_of_c, 0x900 | 0xA80) {
        return Some((len, [in_block(block_of_c, ANUSVARA), None]));
    }
    // All rules below concern a letter and what follows it.
    let next = next?;
    if let Some(mut both) = vowel(c, next) {
        // The new letter may combine with the next sign, too.
        let mut len = len + next.len_utf8();
        for sign in chars {
            let Some(more) = vowel(both, sign) else {
                break;
            };
            both = more;
            len += sign.len_utf8();
        }
        return Some((len, [Some(both), None]));
    }
    // The anusvara is a mark and needs a letter or vowel sign before it.
    let voiced = |before: char| {
        block(before) == block_of_c && !matches!(u32::from(before) & 0x7F, ANUSVARA | CANDRABINDU | VIRAMA)
    };
    let virama = in_block(block_of_c, VIRAMA)?;
    // A stop with nukta counts as its base letter, which replaces it when the pass gets there.
    let after = chars.next().map(|after| without_nukta(after).unwrap_or(after))?;
    let nasal = has_nasals(block_of_c)
        && next == virama
        && block(after) == block_of_c
        && same_class(offset, u32::from(after) & 0x7F)
        && before.is_some_and(voiced);
    nasal.then_some((len + virama.len_utf8(), [in_block(block_of_c, ANUSVARA), None]))
}

impl Pass for Indic {
    fn name(&self) -> &'static str {
        "indic"
    }

    fn summary(&self) -> &'static str {
        "Indic scripts and Burmese: nasals as anusvara, no nukta in Hindi, look-alike letters in one spelling"
    }

    fn examples(&self) -> &'static [Example] {
        const {
            &[
                Example::new("Hindi", &["हिन्दी", "हिंदी"]),
                Example::new("Hindi", &["हँस", "हंस"]),
                Example::new("Hindi", &["ज़रूर", "जरूर"]),
                Example::new("Marathi", &["सम्बन्ध", "संबंध"]),
                Example::new("Gujarati", &["અન્ત", "અંત"]),
                Example::new("Telugu", &["సున్దరం", "సుందరం"]),
                Example::new("Punjabi", &["ਪੰਜਾਬੀ", "ਪਂਜਾਬੀ"]),
                Example::new("Tamil", &["ஸ்ரீ", "ஶ்ரீ"]),
                Example::new("Burmese", &["စျေး", "ဈေး"]),
                Example::new("Malayalam", &["അവൻ", "അവന\u{D4D}\u{200D}"]),
                Example::new("Bengali", &["উৎসব", "উত\u{9CD}\u{200D}সব"]),
            ]
        }
    }

    fn touches(&self, text: &str, _: &Options) -> bool {
        text.as_bytes()
            .windows(2)
            .any(|bytes| matches!(bytes, [0xE0, 0xA4..=0xB5] | [0xE1, 0x80]))
    }

    fn apply(&self, text: &str, _: &Options, out: &mut Rewrite) {
        out.replace_along(text, |before, rest| {
            change(before, rest).map(|(len, with)| (len, with.into_iter().flatten()))
        });
    }
}

#[cfg(test)]
mod tests {
    use unicode_normalization::char::is_combining_mark;

    use super::*;

    #[test]
    fn nasals_and_signs_are_marks_or_letters_as_the_rules_take_them() {
        for block in [0x900, 0xA80, 0xC00, 0xC80] {
            for mark in [ANUSVARA, VIRAMA] {
                assert!(is_combining_mark(in_block(block, mark).unwrap()));
            }
            for letter in [0x15, 0x19, 0x1A, 0x1E, 0x1F, 0x23, 0x24, 0x28, 0x2A, 0x2E] {
                assert!(in_block(block, letter).unwrap().is_alphabetic());
            }
        }
    }
}
