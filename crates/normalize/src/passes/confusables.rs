//! Words that mix Latin and Cyrillic letters of equal shape.

use unicode_normalization::UnicodeNormalization;

use super::pass::{Example, Options, Pass};
use crate::text::chars::{Script, is_letter_or_digit, is_mark, script};
use crate::text::rewrite::Rewrite;

/// Converts a word that mixes Latin and Cyrillic letters to one script, if look-alike letters allow it
/// ("Mосква" with a Latin M, "pаypal" with a Cyrillic а). Based on the idea of UTS #39, with a table of our own.
///
/// If every Latin letter has a Cyrillic look-alike, and Latin letters do not outnumber Cyrillic ones or some Cyrillic letter
/// has no look-alike, the word becomes Cyrillic. Otherwise, if every Cyrillic letter has a Latin look-alike, it becomes Latin.
/// If no rule applies so far, the word becomes Cyrillic if i and j are the only other Latin letters (вiдповiдь with a Latin i): it has a
/// letter without a Latin look-alike, which excludes Roman numerals (ХIХ). Otherwise it stays. A word is a
/// run of letters and digits with their marks.
///
/// Beyond the table of the method, І, Ј, ё, Ё and old forms of о, с and т have a Latin look-alike. Lower-casing and folding would produce
/// letters that have one, and then normalizing twice would differ from normalizing once.
pub(super) struct Confusables;

/// Cyrillic letter of Russian with the same shape; `None` if absent.
fn to_cyrillic(c: char) -> Option<char> {
    Some(match c {
        'A' => 'А',
        'B' => 'В',
        'E' => 'Е',
        'K' => 'К',
        'M' => 'М',
        'H' => 'Н',
        'O' => 'О',
        'P' => 'Р',
        'C' => 'С',
        'T' => 'Т',
        'Y' => 'У',
        'X' => 'Х',
        'a' => 'а',
        'e' => 'е',
        'o' => 'о',
        'p' => 'р',
        'c' => 'с',
        'y' => 'у',
        'x' => 'х',
        _ => return None,
    })
}

/// Cyrillic look-alike of a Latin letter, among those of [`to_cyrillic`] and letters of Ukrainian, Belarusian
/// and Serbian. The letters i of Turkish are included since case folding turns them into i. Latin s is not,
/// since case folding turns ß into two.
fn to_any_cyrillic(c: char) -> Option<char> {
    Some(match c {
        'I' | 'İ' => 'І',
        'i' | 'ı' => 'і',
        'J' => 'Ј',
        'j' => 'ј',
        _ => return to_cyrillic(c),
    })
}

/// Latin letter with the same shape; `None` if absent.
fn to_latin(c: char) -> Option<char> {
    Some(match c {
        'А' => 'A',
        'В' => 'B',
        'Е' | 'Ё' => 'E',
        'К' => 'K',
        'М' => 'M',
        'Н' => 'H',
        'О' => 'O',
        'Р' => 'P',
        'С' => 'C',
        'Т' => 'T',
        'У' => 'Y',
        'Х' => 'X',
        'Ѕ' => 'S',
        'І' => 'I',
        'Ј' => 'J',
        'а' => 'a',
        'е' | 'ё' => 'e',
        'о' | 'ᲂ' => 'o',
        'р' => 'p',
        'с' | 'ᲃ' => 'c',
        'у' => 'y',
        'х' => 'x',
        'і' => 'i',
        'ѕ' => 's',
        'ј' => 'j',
        'к' => 'k',
        'м' => 'm',
        'т' | 'ᲄ' | 'ᲅ' => 't',
        _ => return None,
    })
}

/// Letter statistics of a word.
#[derive(Default)]
struct Letters {
    /// Numbers of letters by script.
    latin: usize,
    cyrillic: usize,
    /// Whether a Latin letter has no look-alike in [`to_cyrillic`].
    latin_without_twin: bool,
    /// Whether a Latin letter has no look-alike in [`to_any_cyrillic`].
    latin_without_any_twin: bool,
    /// Whether a Cyrillic letter has no look-alike in [`to_latin`].
    cyrillic_without_twin: bool,
    marks: bool,
}

impl Letters {
    /// Counts a character of the word.
    fn add(&mut self, c: char) {
        match script(c) {
            Script::Latin => {
                self.latin += 1;
                self.latin_without_twin |= to_cyrillic(c).is_none();
                self.latin_without_any_twin |= to_any_cyrillic(c).is_none();
            }
            Script::Cyrillic => {
                self.cyrillic += 1;
                self.cyrillic_without_twin |= to_latin(c).is_none();
            }
            Script::Other => self.marks |= is_mark(c),
        }
    }

    /// Mapping to apply to the letters of the word; `None` if the word stays.
    fn change(&self) -> Option<fn(char) -> Option<char>> {
        if self.latin == 0 || self.cyrillic == 0 {
            None
        } else if !self.latin_without_twin && (self.latin <= self.cyrillic || self.cyrillic_without_twin) {
            Some(to_cyrillic)
        } else if !self.cyrillic_without_twin {
            Some(to_latin)
        } else if !self.latin_without_any_twin {
            Some(to_any_cyrillic)
        } else {
            None
        }
    }
}

impl Pass for Confusables {
    fn name(&self) -> &'static str {
        "confusables"
    }

    fn summary(&self) -> &'static str {
        "bring words that mix Latin and Cyrillic look-alikes into one script"
    }

    fn examples(&self) -> &'static [Example] {
        const {
            &[
                Example::new("Ukrainian", &["вiдповiдь", "відповідь"]),
                Example::new("Russian", &["Mосква", "Москва"]),
            ]
        }
    }

    fn touches(&self, text: &str, _: &Options) -> bool {
        !text.is_ascii()
            && text.chars().any(|c| script(c) == Script::Cyrillic)
            && text.chars().any(|c| script(c) == Script::Latin)
    }

    fn apply(&self, text: &str, _: &Options, out: &mut Rewrite) {
        let mut kept = 0;
        let mut letters = Letters::default();
        let mut word = 0;
        // The space at the end closes the last word.
        let ends = text.char_indices().chain([(text.len(), ' ')]);
        for (at, c) in ends {
            // A mark at the start of a word belongs to the character before it.
            if is_letter_or_digit(c) || at > word && is_mark(c) {
                letters.add(c);
                continue;
            }
            if let Some(twin) = letters.change() {
                out.keep(text, kept..word);
                rewrite_word(text, word, at, twin, letters.marks, out);
                kept = at;
            }
            letters = Letters::default();
            word = at + c.len_utf8();
        }
        out.keep(text, kept..text.len());
    }
}

/// Writes the word `text[start..end]` with its letters mapped by `twin`.
///
/// If the word has marks, the new letters may compose with them, so the word is replaced as a whole.
fn rewrite_word(
    text: &str,
    start: usize,
    end: usize,
    twin: fn(char) -> Option<char>,
    marks: bool,
    out: &mut Rewrite,
) {
    let word = &text[start..end];
    if marks {
        out.replace(start..end, word.chars().map(|c| twin(c).unwrap_or(c)).nfc());
        return;
    }
    for (offset, c) in word.char_indices() {
        out.replace_char(start + offset, c, twin(c).unwrap_or(c));
    }
}
