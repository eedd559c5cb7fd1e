//! What becomes of a separator where symbols are kept.

use crate::passes::apostrophes::is_apostrophe;
use crate::words::symbols::is_symbol;

/// What the passes of `near` without `punctuation` make of a separator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SymbolForm {
    /// Nothing that is in a token.
    None,
    /// A symbol, several times if it stands for as many.
    Kept { symbol: char, times: u8 },
    /// Only the chain of passes can tell.
    Unclear,
}

/// The form of the separator at the front, which has `len` bytes. It is one of the classes `BOUNDARY`, `SOFT`, `HYPHEN`, `AMPERSAND` and
/// `APOSTROPHE`; an apostrophe is not inside a word.
#[inline]
pub(super) fn symbol_form(text: &str, len: usize) -> SymbolForm {
    let kept = |symbol| SymbolForm::Kept { symbol, times: 1 };
    if text.starts_with(is_apostrophe) {
        return kept('\'');
    }
    if len == 1 {
        let byte = text.as_bytes()[0];
        return if byte.is_ascii_punctuation() {
            kept(char::from(byte))
        } else {
            SymbolForm::None
        };
    }
    match text.chars().next() {
        Some('…') => SymbolForm::Kept {
            symbol: '.',
            times: 3,
        },
        Some('\u{A0}' | '\u{3000}' | '№' | '\u{2500}'..='\u{25FF}') => SymbolForm::None,
        Some(c @ '\u{FF01}'..='\u{FF5E}') => {
            // The full-width forms stand in the order of ASCII.
            char::from_u32(u32::from(c) - 0xFEE0).map_or(SymbolForm::Unclear, kept)
        }
        Some(c) if is_symbol(c) => kept(c),
        _ => SymbolForm::Unclear,
    }
}
