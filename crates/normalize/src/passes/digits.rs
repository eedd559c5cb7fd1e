//! Digits of all scripts.

use super::pass::{Example, Options, Pass};
use crate::text::chars::decimal_value;
use crate::text::rewrite::Rewrite;

/// Replaces decimal digits of any script by ASCII digits (Unicode's property Numeric_Type = Decimal; Lucene's DecimalDigitFilter).
pub(super) struct Digits;

/// ASCII digit for a non-ASCII decimal digit; `None` for other characters.
fn to_ascii(c: char) -> Option<char> {
    if c.is_ascii() {
        return None;
    }
    let value = match u32::from(c) {
        number @ 0xFF10..=0xFF19 => number - 0xFF10,
        // Five styles of mathematical digits in sequence.
        number @ 0x1D7CE..=0x1D7FF => (number - 0x1D7CE) % 10,
        number @ 0x1FBF0..=0x1FBF9 => number - 0x1FBF0,
        _ => decimal_value(c)?,
    };
    char::from_digit(value, 10)
}

impl Pass for Digits {
    fn name(&self) -> &'static str {
        "digits"
    }

    fn summary(&self) -> &'static str {
        "decimal digits of any script as 0 to 9"
    }

    fn examples(&self) -> &'static [Example] {
        const {
            &[
                Example::new("Hindi", &["१२३", "123"]),
                Example::new("Arabic", &["٣", "3"]),
                Example::new("Persian", &["۳", "3"]),
                Example::new("Thai", &["๓", "3"]),
                Example::new("Bengali", &["৩", "3"]),
                Example::new("Burmese", &["၁၂", "12"]),
            ]
        }
    }

    fn touches(&self, text: &str, _: &Options) -> bool {
        // First bytes of all non-ASCII digits: those of U+0660 to U+07C9, and of three and four bytes.
        text.bytes()
            .any(|byte| matches!(byte, 0xD9 | 0xDB | 0xDF | 0xE0..=0xF4))
            && text.chars().any(|c| to_ascii(c).is_some())
    }

    fn apply(&self, text: &str, _: &Options, out: &mut Rewrite) {
        let mut kept = 0;
        for (at, c) in text.char_indices() {
            if let Some(digit) = to_ascii(c) {
                out.keep(text, kept..at);
                out.replace_char(at, c, digit);
                kept = at + c.len_utf8();
            }
        }
        out.keep(text, kept..text.len());
    }
}
