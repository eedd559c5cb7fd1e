//! The two alphabets of Serbian.

use super::pass::{Options, Pass};
use crate::text::chars::{Script, extends, script};
use crate::text::rewrite::Rewrite;

/// Writes the Cyrillic letters of Serbian in Latin, љ as lj, њ as nj and џ as dž (Lucene's SerbianNormalizationFilter with `regular`, which keeps č, š and ž). For
/// texts in Serbian alone: letters that Serbian shares with Russian are rewritten, too.
pub(super) struct Serbian;

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

    fn touches(&self, text: &str, _: &Options) -> bool {
        !text.is_ascii() && text.chars().any(|c| script(c) == Script::Cyrillic)
    }

    fn apply(&self, text: &str, _: &Options, out: &mut Rewrite) {
        let mut kept = 0;
        let mut chars = text.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            // With a mark it is no letter of Serbian, and the Latin one could compose with it.
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
