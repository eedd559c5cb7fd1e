//! Numbers.

use std::ops::Range;

use super::pass::{Numbers, Options, Pass};
use crate::text::chars::{is_decimal, is_letter_or_digit, is_mark, is_word_char};
use crate::text::rewrite::Rewrite;

/// Keeps, drops or masks numbers, as set by [`Options::numbers`].
///
/// A number is a run of decimal digits, with single `.`, `,` or `:` between digits, that touches no letter, mark or other numeral:
/// "12.10.2016:" contains one, "iPhone7" none, and in "1.5кг" the number is "1".
pub(super) struct NumbersPass;

/// First number at or after `from`.
fn find_number(text: &str, from: usize) -> Option<Range<usize>> {
    let mut at = from;
    loop {
        let start = at + text[at..].find(is_decimal)?;
        let mut end = digits_end(text, start);
        // `B2` and `x²3` are words.
        if touches_word(&text[..start]) {
            at = end;
            continue;
        }
        // Extends the number group by group. Only the last group may touch a letter; all others are followed by a separator.
        let mut number = None;
        loop {
            if !text[end..].starts_with(is_word_char) {
                number = Some(start..end);
            }
            let group = end + 1;
            if !text[end..].starts_with(['.', ',', ':']) || !text[group..].starts_with(is_decimal) {
                break;
            }
            end = digits_end(text, group);
        }
        if number.is_some() {
            return number;
        }
        at = end;
    }
}

/// Whether the text ends with a letter or numeral, possibly with marks. A mark without a letter is a symbol.
fn touches_word(before: &str) -> bool {
    before.trim_end_matches(is_mark).ends_with(is_letter_or_digit)
}

fn digits_end(text: &str, start: usize) -> usize {
    text[start..]
        .find(|c| !is_decimal(c))
        .map_or(text.len(), |offset| start + offset)
}

impl Pass for NumbersPass {
    fn name(&self) -> &'static str {
        "numbers"
    }

    fn summary(&self) -> &'static str {
        "keep, drop or mask numbers"
    }

    fn touches(&self, text: &str, options: &Options) -> bool {
        options.numbers != Numbers::Keep && text.contains(is_decimal)
    }

    fn apply(&self, text: &str, options: &Options, out: &mut Rewrite) {
        let with = match options.numbers {
            Numbers::Keep => return out.keep(text, 0..text.len()),
            Numbers::Drop => ' ',
            Numbers::Mask => '0',
        };
        let mut kept = 0;
        while let Some(number) = find_number(text, kept) {
            out.keep(text, kept..number.start);
            kept = number.end;
            // Kept, so that its offsets stay one to one.
            if &text[number.clone()] == "0" && with == '0' {
                out.keep(text, number);
            } else {
                out.replace(number, [with]);
            }
        }
        out.keep(text, kept..text.len());
    }
}
