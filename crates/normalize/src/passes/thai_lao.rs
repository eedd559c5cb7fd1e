//! Order of marks in Thai and Lao.

use unicode_normalization::char::canonical_combining_class;

use super::pass::{Example, Options, Pass};
use crate::text::rewrite::Rewrite;

/// Sorts the vowels and tone marks of a letter, which canonical ordering does not do: vowel, tone mark,
/// nikhahit, sara aa. Thus น้ำ is one word however it was typed, including with sara am in one piece or two
/// (NFKC decomposes it). Two sara e become sara ae, which looks the same.
pub(super) struct ThaiLao;

/// Position of a mark among the marks of its letter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// A vowel above or below the letter.
    Vowel,
    /// A tone mark or the mark for a silent letter.
    Tone,
    Nikhahit,
    /// Sara aa, which is written after the letter.
    Aa,
}

/// Position of a mark of Thai or Lao; `None` for other characters.
fn place(c: char) -> Option<Place> {
    Some(match u32::from(c) {
        0xE31 | 0xE34..=0xE3A | 0xE47 | 0xEB1 | 0xEB4..=0xEBC => Place::Vowel,
        0xE48..=0xE4C | 0xEC8..=0xECC => Place::Tone,
        0xE4D | 0xECD => Place::Nikhahit,
        0xE32 | 0xEB2 => Place::Aa,
        _ => return None,
    })
}

/// The vowel that two Thai or Lao vowels e look like; `None` for other characters.
fn double(c: char) -> Option<char> {
    match c {
        'เ' => Some('แ'),
        'ເ' => Some('ແ'),
        _ => None,
    }
}

/// Sorts the marks of a letter. Marks of one position stay in canonical order, so that the text stays in NFC.
fn order(run: &mut [char]) {
    run.sort_by_key(|&c| (place(c), canonical_combining_class(c)));
}

impl Pass for ThaiLao {
    fn name(&self) -> &'static str {
        "thai-lao"
    }

    fn summary(&self) -> &'static str {
        "Thai and Lao: vowels and tone marks in one order"
    }

    fn examples(&self) -> &'static [Example] {
        const {
            &[
                Example::new("Thai", &["น้ำ", "นำ้", "น\u{E49}\u{E4D}า"]),
                Example::new("Thai", &["เเปล", "แปล"]),
                Example::new("Lao", &["ນ້ຳ", "ນຳ້"]),
            ]
        }
    }

    fn touches(&self, text: &str, _: &Options) -> bool {
        text.bytes().any(|byte| byte == 0xE0)
            && text
                .chars()
                .any(|c| place(c).is_some_and(|place| place != Place::Aa) || double(c).is_some())
    }

    fn apply(&self, text: &str, _: &Options, out: &mut Rewrite) {
        let mut marks = out.take_cluster();
        let mut kept = 0;
        let mut chars = text.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            if let Some(both) = double(c) {
                if let Some((second, _)) = chars.next_if(|&(_, next)| next == c) {
                    out.keep(text, kept..at);
                    kept = second + c.len_utf8();
                    out.replace(at..kept, [both]);
                }
                continue;
            }
            let Some(first) = place(c) else {
                continue;
            };
            marks.clear();
            marks.push(c);
            let mut end = at + c.len_utf8();
            // After sara aa, a tone mark belongs to the letter before it only if nikhahit and sara aa together form sara am.
            let mut last = first;
            let mut am = first == Place::Nikhahit;
            while let Some((next, c)) = chars.next_if(|&(_, next)| {
                place(next).is_some_and(|place| last != Place::Aa || am && place == Place::Tone)
            }) {
                let here = place(c).unwrap_or(Place::Aa);
                if last != Place::Aa {
                    last = here;
                }
                am |= here == Place::Nikhahit;
                marks.push(c);
                end = next + c.len_utf8();
            }
            // Next to a mark of another script the order stays: canonical ordering would move that mark between the marks of the letter.
            let is_starter = |c: char| canonical_combining_class(c) == 0;
            let before = text[..at].chars().next_back().is_none_or(is_starter);
            let after = chars.peek().is_none_or(|&(_, next)| is_starter(next));
            if before && after {
                order(&mut marks);
            }
            if !marks.iter().copied().eq(text[at..end].chars()) {
                out.keep(text, kept..at);
                out.replace(at..end, marks.iter().copied());
                kept = end;
            }
        }
        out.keep(text, kept..text.len());
        out.return_cluster(marks);
    }
}
