//! The two alphabets of Serbian.

use super::pass::{Example, Options, Pass};
use crate::text::chars::{Script, extends, script};
use crate::text::rewrite::Rewrite;

/// Transliterates the Cyrillic letters of Serbian to Latin: љ to lj, њ to nj and џ to dž (Lucene's
/// SerbianNormalizationFilter with `regular`, which keeps č, š and ž). Only for texts in Serbian: letters
/// that Serbian shares with Russian are transliterated, too.
pub(super) struct Serbian;

/// Latin spelling of a Serbian letter; `None` for other characters.
fn latin(c: char) -> Option<&'static str> {
    Some(match c {
        'а' => "a",
        'б' => "b",
        'в' => "v",
        'г' => "g",
        'д' => "d",
        'ђ' => "đ",
        'е' => "e",
        'ж' => "ž",
        'з' => "z",
        'и' => "i",
        'ј' => "j",
        'к' => "k",
        'л' => "l",
        'љ' => "lj",
        'м' => "m",
        'н' => "n",
        'њ' => "nj",
        'о' => "o",
        'п' => "p",
        'р' => "r",
        'с' => "s",
        'т' => "t",
        'ћ' => "ć",
        'у' => "u",
        'ф' => "f",
        'х' => "h",
        'ц' => "c",
        'ч' => "č",
        'џ' => "dž",
        'ш' => "š",
        'А' => "A",
        'Б' => "B",
        'В' => "V",
        'Г' => "G",
        'Д' => "D",
        'Ђ' => "Đ",
        'Е' => "E",
        'Ж' => "Ž",
        'З' => "Z",
        'И' => "I",
        'Ј' => "J",
        'К' => "K",
        'Л' => "L",
        'Љ' => "Lj",
        'М' => "M",
        'Н' => "N",
        'Њ' => "Nj",
        'О' => "O",
        'П' => "P",
        'Р' => "R",
        'С' => "S",
        'Т' => "T",
        'Ћ' => "Ć",
        'У' => "U",
        'Ф' => "F",
        'Х' => "H",
        'Ц' => "C",
        'Ч' => "Č",
        'Џ' => "Dž",
        'Ш' => "Š",
        _ => return None,
    })
}

impl Pass for Serbian {
    fn name(&self) -> &'static str {
        "serbian"
    }

    fn summary(&self) -> &'static str {
        "Serbian: Cyrillic letters in Latin"
    }

    fn examples(&self) -> &'static [Example] {
        const { &[Example::new("Serbian", &["Његош", "Njegoš"])] }
    }

    fn touches(&self, text: &str, _: &Options) -> bool {
        !text.is_ascii() && text.chars().any(|c| script(c) == Script::Cyrillic)
    }

    fn apply(&self, text: &str, _: &Options, out: &mut Rewrite) {
        let mut kept = 0;
        let mut chars = text.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            // A letter with a mark is not a Serbian letter, and its Latin counterpart could compose with the mark.
            let marked = chars.peek().is_some_and(|&(_, next)| extends(next));
            if let Some(latin) = latin(c).filter(|_| !marked) {
                out.keep(text, kept..at);
                kept = at + c.len_utf8();
                out.replace(at..kept, latin.chars());
            }
        }
        out.keep(text, kept..text.len());
    }
}
