//! Leftovers of decoding.

use super::pass::{Options, Pass};
use crate::text::rewrite::Rewrite;

/// Deletes byte order marks at the start and replaces control characters by spaces. The C1 controls become
/// the windows-1252 characters that they nearly always were, as in HTML's numeric character references.
pub(super) struct Decode;

/// U+0080..U+009F in windows-1252 (Encoding Standard); its five unassigned bytes are spaces.
const WINDOWS_1252: [char; 32] = [
    '€', ' ', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', ' ', 'Ž', ' ', ' ', '‘', '’', '“', '”',
    '•', '–', '—', '˜', '™', 'š', '›', 'œ', ' ', 'ž', 'Ÿ',
];

/// Replacement for a control character; `None` for a character that stays.
pub(super) fn replacement(c: char) -> Option<char> {
    match c {
        '\t' | '\n' | '\u{B}' | '\u{C}' | '\r' => None,
        '\0'..='\u{1F}' | '\u{7F}' => Some(' '),
        '\u{80}'..='\u{9F}' => Some(WINDOWS_1252[(u32::from(c) - 0x80) as usize]),
        _ => None,
    }
}

impl Pass for Decode {
    fn name(&self) -> &'static str {
        "decode"
    }

    fn summary(&self) -> &'static str {
        "remove what decoders leave: byte order mark, control characters, C1 controls that were windows-1252"
    }

    fn touches(&self, text: &str, _: &Options) -> bool {
        let bytes = text.as_bytes();
        let control = |at: usize, byte: u8| match byte {
            0x09..=0x0D => false,
            0x00..=0x1F | 0x7F => true,
            // U+0080 to U+009F, the C1 controls.
            0xC2 => bytes.get(at + 1).is_some_and(|&next| next < 0xA0),
            _ => false,
        };
        text.starts_with('\u{FEFF}') || bytes.iter().enumerate().any(|(at, &byte)| control(at, byte))
    }

    fn apply(&self, text: &str, _: &Options, out: &mut Rewrite) {
        let mut kept = text.len() - text.trim_start_matches('\u{FEFF}').len();
        let rest = kept;
        for (at, c) in text[rest..].char_indices().map(|(at, c)| (at + rest, c)) {
            if let Some(with) = replacement(c) {
                out.keep(text, kept..at);
                out.replace_char(at, c, with);
                kept = at + c.len_utf8();
            }
        }
        out.keep(text, kept..text.len());
    }
}
