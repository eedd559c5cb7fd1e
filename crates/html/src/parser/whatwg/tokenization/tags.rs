//! Tokenization (section 13.2.5): the data state and the states of tags. Comments, doctypes and CDATA sections are in
//! `markup.rs`, the states of raw text in `raw_text.rs`.
//!
//! A token is a range of the source. Nothing is copied or decoded here: character references, newlines and
//! upper case are resolved when a text or an attribute is read.

use super::search::{STEP, find, is_blank, may_end_name, near_text, text_end};
use fearless_simd::{Level, Simd, dispatch};
use memchr::memchr;

use crate::narrow;
use crate::parser::whatwg::attribute_names::UsedNames;
use crate::parser::whatwg::state::ParserState;
use crate::parser::whatwg::tag_names;
use crate::parser::whatwg::token::{Form, Run, TagToken, Token};
use crate::tree::{AttrName, LOWER, Tag, may_hold_metadata};

/// White space. Like the constants below, this is a class of bytes inside a tag, as a bit of [`BYTES`].
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
        let b = narrow::to_u8(i);
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

/// Whether `byte` may follow the name of an end tag.
pub(crate) fn ends_name(byte: u8) -> bool {
    is(byte, NAME_END)
}

/// Receiver of tokens. A trait instead of a closure, so that [`take`](Tokens::take) is inlined into the tokenizer.
pub(crate) trait Tokens {
    /// Takes the next token.
    fn take(&mut self, parser: &mut ParserState<'_>, token: Token);
}

impl ParserState<'_> {
    /// Reads the next token and passes it on; returns false at the end of the source.
    ///
    /// Each kind of token has its own call, so that tokens stay in registers. The attributes of a start tag
    /// are added to those of the document.
    #[inline(always)]
    pub(crate) fn next_token(&mut self, tokens: &mut impl Tokens) -> bool {
        let at = self.pos;
        let Some(rest) = self.bytes.get(at..).filter(|rest| !rest.is_empty()) else {
            return false;
        };
        let read = match *rest {
            // § Tag open state, § End tag open state
            [b'<', letter, ..] if letter.is_ascii_alphabetic() => {
                let tag = self.start_tag_token(at + 1);
                tag.map(|tag| tokens.take(self, Token::Start(tag)))
            }
            [b'<', b'/', letter, ..] if letter.is_ascii_alphabetic() => {
                let tag = self.end_tag_token(at + 2);
                tag.map(|tag| tokens.take(self, Token::End(tag)))
            }
            [b'<', ..] if self.is_markup(at) => {
                match self.rare_token(at) {
                    Some(Token::Text(run)) => tokens.take(self, Token::Text(run)),
                    Some(Token::Comment(lo, hi)) => tokens.take(self, Token::Comment(lo, hi)),
                    Some(Token::Doctype(lo, hi)) => tokens.take(self, Token::Doctype(lo, hi)),
                    Some(Token::Start(_) | Token::End(_)) | None => {}
                }
                Some(())
            }
            _ => {
                let run = self.text();
                tokens.take(self, Token::Text(run));
                Some(())
            }
        };
        if read.is_none() {
            // § "eof-in-tag": the tag is dropped.
            self.pos = self.bytes.len();
        }
        read.is_some()
    }

    /// Reads markup at `at` that is not a tag; `None` for markup that is not a token.
    #[inline(never)]
    fn rare_token(&mut self, at: usize) -> Option<Token> {
        match self.bytes[at + 1] {
            // § "missing-end-tag-name"
            b'/' if self.bytes[at + 2] == b'>' => {
                self.note_parse_error();
                self.pos = at + 3;
                None
            }
            b'/' => Some(self.bogus_comment(at + 2)),
            b'!' => Some(self.markup_declaration(at + 2)),
            _ => Some(self.bogus_comment(at + 1)),
        }
    }

    /// Whether the `<` at `at` begins markup such as a tag or a comment; otherwise it is text.
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
    #[inline(always)]
    pub(crate) fn text(&mut self) -> Run {
        let lo = self.pos;
        let (hi, form) = match near_text(self.bytes, lo) {
            // A `<` that begins no markup, as in `1 < 2`, is text.
            Some((len, form)) if self.is_markup(lo + len) => (lo + len, Some(form)),
            _ => self.long_text(lo),
        };
        self.pos = hi;
        Run::new(lo, hi, form.unwrap_or(Form::Encoded), form.is_none())
    }

    /// End and form of the text of any length that begins at `lo`; the form is `None` if the text contains U+0000.
    #[inline(never)]
    fn long_text(&self, lo: usize) -> (usize, Option<Form>) {
        let (mut from, mut marked) = (lo, false);
        // Each round ends at a `<`, which is text unless markup begins there.
        let hi = loop {
            let (end, more) = text_end(self.bytes, from);
            marked |= more;
            if end == self.bytes.len() || self.is_markup(end) {
                break end;
            }
            from = end + 1;
        };
        let text = &self.bytes[lo..hi];
        let form = match marked {
            _ if is_blank(text) => Some(Form::Blank),
            false => Some(Form::Verbatim),
            // Marks may be references or carriage returns; only U+0000 makes the form unknown.
            true => memchr(0, text).is_none().then_some(Form::Encoded),
        };
        (hi, form)
    }

    /// § Tag name state, from the first letter on. Returns the tag, and the offset after the name.
    #[inline(always)]
    fn tag_name(&mut self, from: usize) -> (Tag, usize) {
        // Names of up to seven letters, and headings, are found within one word.
        let word = self.word_at(from);
        let marks = below_letters(word);
        if marks != 0 {
            // The first byte below `@` is `len` bits from the start.
            let mut len = marks.trailing_zeros() & !7;
            let mut ends = is((word >> len).to_le_bytes()[0], NAME_END);
            // `h1` to `h6`: a digit may be the second byte.
            if !ends && len == 8 && (word >> len).to_le_bytes()[0].is_ascii_digit() {
                len = 16;
                ends = is((word >> len).to_le_bytes()[0], NAME_END);
            }
            if ends {
                // This sets the lower-case bit. Of the bytes above U+0020, it turns only upper-case letters
                // into letters or digits.
                let lower = (word | LOWER) & ((1 << len) - 1);
                if let Some(tag) = tag_names::known(lower) {
                    return (tag, from + len as usize / 8);
                }
            }
        }
        self.rare_tag_name(from)
    }

    /// Like [`ParserState::tag_name`], but only if it is the name of the current node, as for most end
    /// tags; `None` otherwise.
    #[inline(always)]
    fn name_of_current_node(&self, from: usize) -> Option<(Tag, usize)> {
        // The current node's name is compared with the source, without a lookup of the name in the source.
        let tag = self.stack.last()?.tag;
        let end = from + tag_names::len_in_word(tag, self.word_at(from))?;
        is(*self.bytes.get(end)?, NAME_END).then_some((tag, end))
    }

    /// Like [`ParserState::tag_name`], for names that are not found within one word.
    #[inline(never)]
    fn rare_tag_name(&mut self, from: usize) -> (Tag, usize) {
        let mut end = from + 1;
        while self.bytes.get(end).is_some_and(|&b| is(b, ALPHANUMERIC)) {
            end += 1;
        }
        let len = end - from;
        if len <= 8 && self.bytes.get(end).is_none_or(|&b| is(b, NAME_END)) {
            // Only letters and digits so far, so setting the bits changes nothing but upper case.
            let word = (self.word_at(from) | LOWER) & (u64::MAX >> (64 - 8 * len));
            return (self.recent.short(word, &mut self.builder), end);
        }
        // Other characters belong to the name, too: `<my-element>`, `<o:p>`.
        while self.bytes.get(end).is_some_and(|&b| !is(b, NAME_END)) {
            end += 1;
        }
        let name = &self.source[from..end];
        (tag_names::of_any_length(name, &mut self.builder), end)
    }

    /// Eight bytes of the source, first byte lowest, with zeros past the end.
    #[inline]
    fn word_at(&self, at: usize) -> u64 {
        let rest = &self.bytes[at..];
        if let Some(word) = rest.first_chunk() {
            return u64::from_le_bytes(*word);
        }
        rest.iter().rev().fold(0, |word, &b| word << 8 | u64::from(b))
    }

    /// Reads a start tag whose name begins at `from`; `None` if the source ends inside it.
    #[inline]
    fn start_tag_token(&mut self, from: usize) -> Option<TagToken> {
        let (tag, name_end) = self.tag_name(from);
        let first = narrow::to_u32(self.builder.dom.attrs.len());
        // A tag without attributes needs no call.
        let (self_closing, names) = match self.bytes.get(name_end) {
            Some(b'>') => {
                self.pos = name_end + 1;
                (false, 0)
            }
            _ => self.attributes::<true>(name_end)?,
        };
        self.may_hold_metadata = may_hold_metadata(tag, names);
        self.names = names;
        let attrs = (first, narrow::to_u32(self.builder.dom.attrs.len()));
        Some(TagToken {
            tag,
            self_closing,
            attrs,
        })
    }

    /// Reads an end tag whose name begins at `from`; `None` if the source ends inside it.
    #[inline]
    fn end_tag_token(&mut self, from: usize) -> Option<TagToken> {
        let (tag, name_end) = match self.name_of_current_node(from) {
            Some(found) => found,
            None => self.tag_name(from),
        };
        let self_closing = self.rest_of_end_tag(name_end)?;
        Some(TagToken {
            tag,
            self_closing,
            attrs: (0, 0),
        })
    }

    /// Reads the rest of an end tag, whose name ends at `name_end`. Returns whether it is self-closing;
    /// `None` if the source ends inside it.
    #[inline]
    pub(crate) fn rest_of_end_tag(&mut self, name_end: usize) -> Option<bool> {
        if self.bytes.get(name_end) == Some(&b'>') {
            self.pos = name_end + 1;
            return Some(false);
        }
        self.attributes::<false>(name_end)
            .map(|(self_closing, _)| self_closing)
    }

    /// § Before attribute name state and the states after it, from `at` up to the `>` of the tag.
    ///
    /// Returns whether the tag is self-closing, and a bit set of its numbered attribute names; `None` if
    /// the source ends first, in which case the standard drops the tag.
    #[inline(never)]
    fn attributes<const KEEP: bool>(&mut self, at: usize) -> Option<(bool, u32)> {
        dispatch!(Level::baseline(), simd => self.attributes_with::<KEEP, _>(simd, at))
    }

    /// [`ParserState::attributes`] for one instruction set.
    #[inline(always)]
    fn attributes_with<const KEEP: bool, S: Simd>(&mut self, simd: S, at: usize) -> Option<(bool, u32)> {
        // Attributes are appended to those of the document. A tag that the source cuts off leaves its
        // attributes behind unused.
        let mut seen = UsedNames::new(self.builder.dom.attrs.len());
        let bytes = self.bytes;
        let mut at = at;
        loop {
            let lo = match bytes.get(at..)? {
                // Most attributes follow a single space. Branch prediction guesses this case, so execution
                // need not wait for the loaded byte.
                [b' ', byte, ..] if !is(*byte, NAME_END) => at + 1,
                [b'>', ..] => {
                    self.pos = at + 1;
                    return Some((false, seen.known));
                }
                // § Self-closing start tag state
                [b'/', b'>', ..] => {
                    self.pos = at + 2;
                    return Some((true, seen.known));
                }
                // A `/` that is not followed by `>` separates attributes like white space.
                [b'/', ..] => {
                    at += 1;
                    continue;
                }
                [byte, ..] if is(*byte, SPACE) => {
                    at = after_space(bytes, at + 1);
                    continue;
                }
                // The name may begin with a `=` or a quote; the standard takes them as part of the name.
                [_, ..] => at,
                [] => return None,
            };
            let (end, known) = attribute_name(bytes, lo)?;
            // The usual case is a double-quoted value directly after the name.
            let value = if bytes.get(end..)?.starts_with(b"=\"") {
                let value = (end + 2, find(simd, bytes, end + 2, b'"')?);
                at = value.1 + 1;
                value
            } else {
                let value;
                (value, at) = rare_attribute_value(bytes, end)?;
                value
            };
            // The attributes of end tags are read and dropped.
            if KEEP {
                self.keep_attribute((lo, end), known, value, &mut seen);
            }
        }
    }
}

/// Offset of the first byte from `at` on that is not white space.
#[inline]
fn after_space(bytes: &[u8], mut at: usize) -> usize {
    const SPACES: u64 = u64::from_ne_bytes([b' '; 8]);
    while bytes.get(at).is_some_and(|&b| is(b, SPACE)) {
        at += 1;
        // Attributes on separate lines are indented, so runs of spaces are skipped by words.
        while let Some(next) = bytes[at..].first_chunk() {
            let others = u64::from_le_bytes(*next) ^ SPACES;
            // Spaces before the first other byte; 8 if there is no other byte.
            at += others.trailing_zeros() as usize / 8;
            if others != 0 {
                break;
            }
        }
    }
    at
}

/// The highest bit of each byte of `word` that is below `@`: everything that ends a name, digits, the
/// hyphen and other marks, but no letter.
#[inline]
fn below_letters(word: u64) -> u64 {
    // Bit 7 or bit 6 is set in bytes from `@` on. The shift moves bit 6 to bit 7; what it moves into the
    // next byte is masked.
    !(word | word << 1) & 0x8080_8080_8080_8080
}

/// § Attribute name state: the end of the name that begins at `lo`, its number, and whether it contains
/// U+0000; `None` if the source ends inside it. Its first byte may be a `=`.
#[inline(always)]
fn attribute_name(bytes: &[u8], lo: usize) -> Option<(usize, (AttrName, bool))> {
    if let Some(next) = bytes.get(lo..)?.first_chunk() {
        let word = u64::from_le_bytes(*next);
        // The first byte always belongs to the name.
        let marks = below_letters(word) & !0xFF;
        if marks != 0 {
            let len = marks.trailing_zeros() & !7;
            if is((word >> len).to_le_bytes()[0], ATTRIBUTE_END) {
                let name = (word | LOWER) & ((1 << len) - 1);
                return Some((lo + len as usize / 8, (AttrName::of_word(name), word & 0xFF == 0)));
            }
        }
    }
    let (end, holds_nul) = long_attribute_name_end(bytes, lo)?;
    Some((end, (AttrName::of(&bytes[lo..end]), holds_nul)))
}

/// Like [`attribute_name`], for names longer than seven bytes or with other bytes than letters.
#[inline(never)]
fn long_attribute_name_end(bytes: &[u8], lo: usize) -> Option<(usize, bool)> {
    let mut at = lo + 1;
    let mut holds_nul = *bytes.get(lo)? == 0;
    while let Some(step) = bytes.get(at..)?.first_chunk() {
        // The mask is a superset: it contains other control characters, too, which belong to the name.
        let mut ends = may_end_name(step);
        while ends != 0 {
            let byte = step[ends.trailing_zeros() as usize % STEP];
            if is(byte, ATTRIBUTE_END) {
                return Some((at + ends.trailing_zeros() as usize, holds_nul));
            }
            holds_nul |= byte == 0;
            ends &= ends - 1;
        }
        at += STEP;
    }
    // Fewer bytes than a step are left.
    loop {
        let byte = *bytes.get(at)?;
        if is(byte, ATTRIBUTE_END) {
            return Some((at, holds_nul));
        }
        holds_nul |= byte == 0;
        at += 1;
    }
}

/// § After attribute name state: range of the value, and the offset after it. Handles everything but a
/// double-quoted value directly after the name.
#[inline(never)]
fn rare_attribute_value(bytes: &[u8], name_end: usize) -> Option<((usize, usize), usize)> {
    let at = after_space(bytes, name_end);
    // An attribute without a value.
    if *bytes.get(at)? != b'=' {
        return Some(((name_end, name_end), at));
    }
    // § Before attribute value state, after white space, and the three states of values.
    let lo = after_space(bytes, at + 1);
    match *bytes.get(lo)? {
        quote @ (b'"' | b'\'') => {
            let end = dispatch!(Level::baseline(), simd => find(simd, bytes, lo + 1, quote))?;
            Some(((lo + 1, end), end + 1))
        }
        // `<a href=>`: the value is empty.
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::parser::whatwg::tokens::{PlainToken, tokens};

    /// Reference implementation: end of a name, byte by byte, and its number.
    fn plain_attribute_name(bytes: &[u8], lo: usize) -> Option<(usize, (AttrName, bool))> {
        let end = (lo + 1..bytes.len()).find(|&i| is(bytes[i], ATTRIBUTE_END))?;
        let name = &bytes[lo..end];
        Some((end, (AttrName::of(name), name.contains(&0))))
    }

    fn names() -> impl Strategy<Value = String> {
        let known = || {
            prop::sample::select(
                &[
                    "class",
                    "id",
                    "itemprop",
                    "aria-hidden",
                    "H1",
                    "div",
                    "blockquote",
                    "x-a",
                ][..],
            )
        };
        let other = "[a-zA-Z0-9@:._\u{0}\u{B5}\u{44F}-]{0,12}";
        prop_oneof![
            known().prop_map(str::to_owned),
            known().prop_map(str::to_uppercase),
            other.boxed(),
            (known(), other).prop_map(|(known, other)| format!("{known}{other}")),
        ]
    }

    proptest! {
        #[test]
        fn attribute_names_end_where_the_standard_ends_them(
            before in "[ =a]{0,3}",
            name in names(),
            after in "[ \t\n\u{C}/>=\"]{0,2}[a-z >]{0,12}",
        ) {
            let source = [before, name, after].concat();
            for lo in 0..source.len() {
                let found = attribute_name(source.as_bytes(), lo);
                prop_assert_eq!(found, plain_attribute_name(source.as_bytes(), lo), "{} {}", source, lo);
            }
        }

        #[test]
        fn tag_names_end_where_the_standard_ends_them(name in names(), after in "[ \t\n/][a-z =]{0,9}|") {
            let name = format!("d{name}");
            let found = tokens(&format!("<{name}{after}>"), "Data state", None);
            let Some(PlainToken::Start { name: found, .. }) = found.first() else {
                panic!("{found:?}");
            };
            prop_assert_eq!(found, &name.to_ascii_lowercase().replace('\0', "\u{FFFD}"));
        }
    }
}
