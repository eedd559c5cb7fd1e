//! Tokenization (section 13.2.5): the data state and the states of tags. Comments, doctypes and CDATA sections are in
//! `markup.rs`, the states of raw text in `raw_text.rs`.
//!
//! A token is a range of the source. Nothing is copied or decoded here: character references, newlines and upper case are
//! resolved when a text or an attribute is read.

use memchr::{memchr, memchr3};

use crate::parser::whatwg::attribute_names::UsedNames;
use crate::parser::whatwg::state::ParserState;
use crate::parser::whatwg::tag_names;
use crate::parser::whatwg::token::{Form, Run, TagToken, Token};
use crate::tree::Tag;

/// What a byte can be inside a tag, as bits.
const SPACE: u8 = 1 << 0;
/// Ends a tag name.
const NAME_END: u8 = 1 << 1;
/// Ends an attribute name.
const ATTRIBUTE_END: u8 = 1 << 2;
/// Ends an unquoted attribute value.
const VALUE_END: u8 = 1 << 3;
/// A letter or digit.
const ALPHANUMERIC: u8 = 1 << 4;

static BYTES: [u8; 256] = bytes();

const fn bytes() -> [u8; 256] {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 256 {
        let b = i as u8;
        table[i] = match b {
            b'\t' | b'\n' | b'\x0C' | b'\r' | b' ' => SPACE | NAME_END | ATTRIBUTE_END | VALUE_END,
            b'/' => NAME_END | ATTRIBUTE_END,
            b'>' => NAME_END | ATTRIBUTE_END | VALUE_END,
            b'=' => ATTRIBUTE_END,
            _ if b.is_ascii_alphanumeric() => ALPHANUMERIC,
            _ => 0,
        };
        i += 1;
    }
    table
}

#[inline]
fn is(byte: u8, class: u8) -> bool {
    BYTES[usize::from(byte)] & class != 0
}

/// The bytes that may follow the name of an end tag.
pub(crate) fn ends_name(byte: u8) -> bool {
    is(byte, NAME_END)
}

impl ParserState<'_> {
    /// The next token. The attributes of a start tag are added to those of the document.
    #[inline]
    pub(crate) fn next_token(&mut self) -> Token {
        loop {
            let at = self.pos;
            let Some(&byte) = self.bytes.get(at) else {
                return Token::Eof;
            };
            if byte != b'<' || !self.is_markup(at) {
                return Token::Text(self.text());
            }
            // § Tag open state; `is_markup` has looked at the next byte.
            let token = match self.bytes[at + 1] {
                b'/' => match self.bytes.get(at + 2) {
                    Some(b) if b.is_ascii_alphabetic() => self.end_tag_token(at + 2),
                    // § "missing-end-tag-name": no token
                    Some(b'>') => {
                        self.note_parse_error();
                        self.pos = at + 3;
                        continue;
                    }
                    _ => Some(self.bogus_comment(at + 2)),
                },
                b'!' => Some(self.markup_declaration(at + 2)),
                b'?' => Some(self.bogus_comment(at + 1)),
                _ => self.start_tag_token(at + 1),
            };
            let Some(token) = token else {
                // § "eof-in-tag": the tag is dropped.
                self.pos = self.bytes.len();
                return Token::Eof;
            };
            return token;
        }
    }

    /// Whether the `<` at `at` begins a tag, a comment or the like; else it is text.
    #[inline]
    pub(crate) fn is_markup(&self, at: usize) -> bool {
        match self.bytes.get(at + 1) {
            Some(b'!' | b'?') => true,
            Some(b'/') => at + 2 < self.bytes.len(),
            Some(b) => b.is_ascii_alphabetic(),
            None => false,
        }
    }

    /// § Data state: characters up to the next markup.
    #[inline]
    pub(crate) fn text(&mut self) -> Run {
        let lo = self.pos;
        let (mut from, mut form) = (lo, Form::Verbatim);
        let hi = loop {
            let rest = &self.bytes[from..];
            let found = match form {
                Form::Verbatim => memchr3(b'<', b'&', b'\r', rest),
                _ => memchr(b'<', rest),
            };
            let Some(found) = found else {
                break self.bytes.len();
            };
            let at = from + found;
            if self.bytes[at] != b'<' {
                form = Form::Encoded;
            } else if self.is_markup(at) {
                break at;
            }
            from = at + 1;
        };
        self.pos = hi;
        Run::new(lo, hi, form)
    }

    /// § Tag name state, from the first letter on. Leaves the position after the name.
    #[inline(always)]
    fn tag_name(&mut self, from: usize) -> Tag {
        // Names of up to eight bytes are one word.
        let word = self.word_at(from);
        let len = (name_ends(word).trailing_zeros() / 8) as usize;
        let end = from + len;
        if self.bytes.get(end).is_none_or(|&b| is(b, NAME_END)) {
            // Setting this bit turns upper case into lower case, and nothing else above U+0020 into letters or digits.
            let lower = (word | 0x2020_2020_2020_2020) & (u64::MAX >> (64 - 8 * len));
            if let Some(tag) = tag_names::known(lower) {
                self.pos = end;
                return tag;
            }
        }
        self.rare_tag_name(from)
    }

    /// As [`ParserState::tag_name`], for names without a constant.
    #[inline(never)]
    fn rare_tag_name(&mut self, from: usize) -> Tag {
        let mut end = from + 1;
        while self.bytes.get(end).is_some_and(|&b| is(b, ALPHANUMERIC)) {
            end += 1;
        }
        let len = end - from;
        if len <= 8 && self.bytes.get(end).is_none_or(|&b| is(b, NAME_END)) {
            self.pos = end;
            let word = self.word_at(from) | 0x2020_2020_2020_2020;
            return self
                .recent
                .short(word & (u64::MAX >> (64 - 8 * len)), &mut self.builder);
        }
        while self.bytes.get(end).is_some_and(|&b| !is(b, NAME_END)) {
            end += 1;
        }
        self.pos = end;
        tag_names::of_any_length(&self.source[from..end], &mut self.builder)
    }

    /// Eight bytes of the source, the first one lowest; zeros past the end.
    #[inline]
    fn word_at(&self, at: usize) -> u64 {
        if let Some(bytes) = self.bytes.get(at..at + 8) {
            let mut word = [0; 8];
            word.copy_from_slice(bytes);
            return u64::from_le_bytes(word);
        }
        self.bytes[at..]
            .iter()
            .rev()
            .fold(0, |word, &b| word << 8 | u64::from(b))
    }

    /// A start tag whose name begins at `from`; `None` if the source ends inside of it.
    #[inline]
    fn start_tag_token(&mut self, from: usize) -> Option<Token> {
        let tag = self.tag_name(from);
        let first = self.builder.dom.attrs.len() as u32;
        let self_closing = match self.bytes.get(self.pos) {
            Some(b'>') => {
                self.pos += 1;
                false
            }
            _ => self.attributes::<true>()?,
        };
        let attrs = (first, self.builder.dom.attrs.len() as u32);
        Some(Token::Start(TagToken {
            tag,
            self_closing,
            attrs,
        }))
    }

    /// An end tag whose name begins at `from`; `None` if the source ends inside of it.
    #[inline]
    fn end_tag_token(&mut self, from: usize) -> Option<Token> {
        let tag = self.tag_name(from);
        let self_closing = self.rest_of_end_tag()?;
        Some(Token::End(TagToken {
            tag,
            self_closing,
            attrs: (0, 0),
        }))
    }

    /// Reads what follows the name of an end tag; `None` if the source ends inside of it.
    #[inline]
    pub(crate) fn rest_of_end_tag(&mut self) -> Option<bool> {
        if self.bytes.get(self.pos) == Some(&b'>') {
            self.pos += 1;
            return Some(false);
        }
        self.attributes::<false>()
    }

    /// § Before attribute name state and those after it, up to the `>` of the tag. Returns whether the tag is self-closing;
    /// `None` if the source ends before, in which case the standard drops the tag.
    fn attributes<const KEEP: bool>(&mut self) -> Option<bool> {
        let mut seen = UsedNames::new(self.builder.dom.attrs.len());
        let bytes = self.bytes;
        let mut at = self.pos;
        loop {
            at = after_space(bytes, at);
            match *bytes.get(at)? {
                b'>' => {
                    self.pos = at + 1;
                    return Some(false);
                }
                // § Self-closing start tag state
                b'/' => {
                    at += 1;
                    if *bytes.get(at)? == b'>' {
                        self.pos = at + 1;
                        return Some(true);
                    }
                }
                _ => {
                    let name = (at, attribute_name_end(bytes, at)?);
                    at = after_space(bytes, name.1);
                    let mut value = (name.1, name.1);
                    if *bytes.get(at)? == b'=' {
                        (value, at) = attribute_value(bytes, after_space(bytes, at + 1))?;
                    }
                    if KEEP {
                        self.keep_attribute(name, value, &mut seen);
                    }
                }
            }
        }
    }
}

/// Offset of the first byte from `at` on that is no white space.
#[inline]
fn after_space(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(|&b| is(b, SPACE)) {
        at += 1;
    }
    at
}

/// The highest bit of each byte of a word that is below `n`. Borrows can set further bits above the lowest one, which is exact.
#[inline]
fn below(word: u64, n: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    word.wrapping_sub(ONES * n) & !word & (ONES << 7)
}

/// The highest bit of each byte of a word that may end a name: `>`, `/` and all below 0x21, which are white space and controls. Only the
/// lowest bit is exact.
#[inline]
fn name_ends(word: u64) -> u64 {
    let equal = |byte: u8| below(word ^ u64::from_ne_bytes([byte; 8]), 1);
    below(word, 0x21) | equal(b'>') | equal(b'/')
}

/// § Attribute name state: the end of the name that begins at `lo`, `None` if the source ends inside of it. Its first byte may
/// be a `=`.
#[inline]
fn attribute_name_end(bytes: &[u8], lo: usize) -> Option<usize> {
    let mut at = lo + 1;
    // Eight bytes at a time. Controls end no name and are sorted out below.
    while let Some(next) = bytes.get(at..at + 8).and_then(<[u8]>::first_chunk) {
        let word = u64::from_le_bytes(*next);
        let ends = name_ends(word) | below(word ^ u64::from_ne_bytes([b'='; 8]), 1);
        if ends == 0 {
            at += 8;
            continue;
        }
        at += ends.trailing_zeros() as usize / 8;
        if is(bytes[at], ATTRIBUTE_END) {
            return Some(at);
        }
        at += 1;
    }
    while !is(*bytes.get(at)?, ATTRIBUTE_END) {
        at += 1;
    }
    Some(at)
}

/// § Before attribute value state, behind white space, and the three states of values: range of the value and the offset
/// behind it.
#[inline]
fn attribute_value(bytes: &[u8], lo: usize) -> Option<((usize, usize), usize)> {
    match *bytes.get(lo)? {
        quote @ (b'"' | b'\'') => {
            let end = lo + 1 + memchr(quote, &bytes[lo + 1..])?;
            Some(((lo + 1, end), end + 1))
        }
        b'>' => Some(((lo, lo), lo)),
        _ => {
            let mut end = lo;
            while !is(*bytes.get(end)?, VALUE_END) {
                end += 1;
            }
            Some(((lo, end), end))
        }
    }
}
