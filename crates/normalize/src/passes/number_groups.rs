//! Groups of digits in large numbers.

use super::pass::{Example, Options, Pass};
use crate::text::chars::{is_decimal, is_word_char};
use crate::text::rewrite::Rewrite;

/// Deletes the separators of thousands in numbers: 10 000, 10,000, 10.000 and 10'000 become 10000.
///
/// A number has one to three digits, then groups of three, with the same separator between all groups. As in
/// India (1,00,000), groups of two may come before a last group of three. Two ambiguous cases are treated as
/// groups: three decimal places (1.234), and two numbers in sequence (in 12 300 cases).
pub(super) struct NumberGroups;

fn is_separator(c: char) -> bool {
    matches!(
        c,
        ' ' | ',' | '.' | '\'' | '’' | '\u{A0}' | '\u{2009}' | '\u{202F}' | '\u{66C}'
    )
}

/// Length in bytes and number of the digits at the start.
fn digits(rest: &str) -> (usize, usize) {
    let len = rest.find(|c| !is_decimal(c)).unwrap_or(rest.len());
    (len, rest[..len].chars().count())
}

/// Separator and length in bytes of the grouped number at the start; `None` without such a number.
fn grouped(rest: &str) -> Option<(char, usize)> {
    let (mut len, first) = digits(rest);
    if !(1..=3).contains(&first) {
        return None;
    }
    let separator = rest[len..].chars().next().filter(|&c| is_separator(c))?;
    let mut last = first;
    while let Some(group) = rest[len..].strip_prefix(separator) {
        let (group_len, count) = digits(group);
        // Groups of two come before the last group. Two digits after a complete number are another number.
        if count == 0 || !(count == 3 || count == 2 && separator == ',') {
            break;
        }
        len += separator.len_utf8() + group_len;
        last = count;
    }
    let after = &rest[len..];
    // `1,234,5` and `1,234km` are not grouped numbers.
    let goes_on = after.starts_with(is_word_char)
        || after
            .strip_prefix(separator)
            .is_some_and(|next| next.starts_with(is_decimal));
    (len > digits(rest).0 && last == 3 && !goes_on).then_some((separator, len))
}

/// Start, end and separator of each grouped number.
fn numbers(text: &str) -> impl Iterator<Item = (usize, usize, char)> + '_ {
    let mut end = 0;
    let mut before = [' '; 2];
    text.char_indices().filter_map(move |(at, c)| {
        // A number does not begin inside a word. After a digit and a separator, these digits are the rest of
        // a number that was not accepted as a whole.
        let joined = is_word_char(before[1]) || is_separator(before[1]) && is_decimal(before[0]);
        before = [before[1], c];
        if at < end || joined || !is_decimal(c) {
            return None;
        }
        let (separator, len) = grouped(&text[at..])?;
        end = at + len;
        Some((at, end, separator))
    })
}

impl Pass for NumberGroups {
    fn name(&self) -> &'static str {
        "number-groups"
    }

    fn summary(&self) -> &'static str {
        "no separators between the thousands of a number"
    }

    fn examples(&self) -> &'static [Example] {
        const {
            &[
                Example::new("English", &["10,000", "10000"]),
                Example::new("German", &["10.000", "10000"]),
                Example::new("Russian", &["10 000", "10000"]),
            ]
        }
    }

    fn touches(&self, text: &str, _: &Options) -> bool {
        numbers(text).next().is_some()
    }

    fn apply(&self, text: &str, _: &Options, out: &mut Rewrite) {
        let mut kept = 0;
        for (start, end, separator) in numbers(text) {
            for (offset, _) in text[start..end].match_indices(separator) {
                out.keep(text, kept..start + offset);
                kept = start + offset + separator.len_utf8();
            }
        }
        out.keep(text, kept..text.len());
    }
}
