//! The form of a separator when symbols are kept.

use crate::passes::apostrophes::is_apostrophe;
use crate::words::symbols::is_symbol;

/// Form of a separator after the passes of `near` without `punctuation`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SymbolForm {
    /// No part of a token.
    None,
    /// A symbol, repeated `times` times if the separator expands to several.
    Kept { symbol: char, times: u8 },
    /// Unknown; the chain of passes must decide.
    Unclear,
}

/// Form of the separator at the start of `text`, which has `len` bytes.
///
/// Its class is `BOUNDARY`, `SOFT`, `HYPHEN`, `AMPERSAND` or `APOSTROPHE`; an apostrophe must not be inside a word.
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
            // Full-width forms are in ASCII order.
            char::from_u32(u32::from(c) - 0xFEE0).map_or(SymbolForm::Unclear, kept)
        }
        Some(c) if is_symbol(c) => kept(c),
        _ => SymbolForm::Unclear,
    }
}
