//! The members of a JSON object, for lines that are nearly nothing but one long string: the page. Strings are searched 64 bytes at a time,
//! and what stands between two escapes is copied at once; all other values are left to `serde_json`.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::fmt;

use serde::de::value::Error as Odd;
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::value::RawValue;
use wide::u8x16;

/// Where a long string of a line lies once it is unescaped, in the memory of those of earlier lines: fresh memory of the length of a page
/// takes longer to get than the page to unescape. Other strings have memory of their own.
#[derive(Default)]
pub(crate) struct StringRoom {
    free: Cell<Vec<u8>>,
    taken: OnceCell<Made>,
}

impl StringRoom {
    /// Room that is made at least, and that is kept from line to line at most.
    const LEAST: usize = 1 << 20;
    const KEPT: usize = 8 << 20;

    /// Makes the room free for the next line.
    pub(crate) fn clear(&mut self) {
        if let Some(taken) = self.taken.take()
            && taken.bytes.len() <= Self::KEPT
        {
            self.free.set(taken.bytes);
        }
    }

    /// Memory of so many bytes.
    fn memory(&self, bytes: usize) -> Vec<u8> {
        let free = self.free.take();
        match free.len() < bytes {
            true => vec![0; bytes.max(Self::LEAST)],
            false => free,
        }
    }

    /// The string that was made, if it has its place in here, else what it was made of.
    fn hold(&self, made: Made) -> Result<&[u8], Made> {
        match made.bytes.len() > SHORT && self.taken.get().is_none() {
            true => Ok(self.taken.get_or_init(|| made).made()),
            false => Err(made),
        }
    }
}

/// A string that is being made: the first bytes of memory that holds any others behind them, so that what is appended needs neither
/// to be counted nor cut to its length.
#[derive(Default)]
struct Made {
    bytes: Vec<u8>,
    length: usize,
}

impl Made {
    fn made(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }

    /// The bytes alone.
    fn into_bytes(mut self) -> Vec<u8> {
        self.bytes.truncate(self.length);
        self.bytes
    }

    /// Appends `bytes[from..to]`, and makes room for more.
    #[inline(always)]
    fn copy(&mut self, bytes: &[u8], from: usize, to: usize, room: Option<&StringRoom>) {
        let run = to - from;
        let now = run.max(STEP) + CHAR;
        if self.bytes.len() - self.length < now {
            self.make_room(now, bytes.len() - from + STEP + CHAR, room);
        }
        let behind = &mut self.bytes[self.length..];
        match (
            bytes[from..].first_chunk::<STEP>(),
            behind.first_chunk_mut::<STEP>(),
        ) {
            (Some(step), Some(to)) if run <= STEP => *to = *step,
            _ => behind[..run].copy_from_slice(&bytes[from..to]),
        }
        self.length += run;
    }

    /// Appends a character, for which there is room behind what was copied.
    #[inline(always)]
    fn push(&mut self, char: &[u8]) {
        self.bytes[self.length..][..char.len()].copy_from_slice(char);
        self.length += char.len();
    }

    /// Makes room for so many bytes, of which `now` come at once: for few at first.
    #[cold]
    fn make_room(&mut self, now: usize, all: usize, room: Option<&StringRoom>) {
        let wanted = self.length + all;
        let mut memory = match (self.bytes.len(), room) {
            (0, _) if now <= SHORT => vec![0; all.min(SHORT)],
            (_, Some(room)) => room.memory(wanted),
            (_, None) => vec![0; wanted],
        };
        memory[..self.length].copy_from_slice(self.made());
        self.bytes = memory;
    }
}

/// Reads a line that is one object. Where `serde_json` would refuse it, or it is not UTF-8, so does this, but without saying where; and
/// what it reads is what `serde_json` reads. The line may lend one of its strings memory in `room`.
pub(super) fn read<'de, V: Visitor<'de>>(
    line: &'de [u8],
    room: Option<&'de StringRoom>,
    visitor: V,
) -> Option<V::Value> {
    let mut members = Members {
        line,
        room,
        at: 0,
        first: true,
    };
    if members.next_token() != Some(b'{') {
        return None;
    }
    members.at += 1;
    let fields = visitor.visit_map(&mut members).ok()?;
    match members.next_token() {
        None => Some(fields),
        Some(_) => None,
    }
}

/// An object whose members are read one after another.
struct Members<'de> {
    line: &'de [u8],
    room: Option<&'de StringRoom>,
    /// Bytes that were read.
    at: usize,
    /// Whether no member was read so far.
    first: bool,
}

fn odd(what: &str) -> Odd {
    de::Error::custom(what)
}

impl<'de> Members<'de> {
    /// The next byte that is no white space, which is passed over.
    fn next_token(&mut self) -> Option<u8> {
        loop {
            match self.line.get(self.at) {
                Some(b' ' | b'\t' | b'\n' | b'\r') => self.at += 1,
                token => return token.copied(),
            }
        }
    }

    /// The string whose quotation mark is the next byte.
    fn string(&mut self) -> Result<Cow<'de, str>, Odd> {
        let (string, end) = string(self.line, self.at + 1, self.room).ok_or_else(|| odd("no string"))?;
        self.at = end;
        Ok(string)
    }

    /// The next value, whatever it is.
    fn raw(&mut self) -> Result<&'de RawValue, Odd> {
        let rest = self.line.get(self.at..).unwrap_or_default();
        let mut values = serde_json::Deserializer::from_slice(rest).into_iter::<&RawValue>();
        match values.next() {
            Some(Ok(value)) => {
                self.at += values.byte_offset();
                Ok(value)
            }
            _ => Err(odd("no value")),
        }
    }
}

impl<'de> MapAccess<'de> for &mut Members<'de> {
    type Error = Odd;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Odd> {
        let mut token = self.next_token();
        if token == Some(b'}') {
            self.at += 1;
            return Ok(None);
        }
        if !self.first {
            if token != Some(b',') {
                return Err(odd("no comma"));
            }
            self.at += 1;
            token = self.next_token();
        }
        self.first = false;
        if token != Some(b'"') {
            return Err(odd("no name"));
        }
        let mut name = self.string()?;
        if let Cow::Owned(name) = &mut name {
            // Names may be many, and are kept.
            name.shrink_to_fit();
        }
        if self.next_token() != Some(b':') {
            return Err(odd("no colon"));
        }
        self.at += 1;
        seed.deserialize(Text(name)).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Odd> {
        self.next_token();
        seed.deserialize(Value(self))
    }
}

/// A string that was read.
struct Text<'de>(Cow<'de, str>);

impl<'de> Deserializer<'de> for Text<'de> {
    type Error = Odd;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Odd> {
        match self.0 {
            Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
            Cow::Owned(text) => visitor.visit_string(text),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit unit_struct newtype_struct seq tuple
        tuple_struct map struct enum identifier ignored_any
    }
}

/// The value that comes next.
struct Value<'m, 'de>(&'m mut Members<'de>);

impl Value<'_, '_> {
    /// Its first byte.
    fn first(&self) -> Option<u8> {
        self.0.line.get(self.0.at).copied()
    }
}

/// What went wrong in a value is found again by who reads the line with patience.
fn unread(error: impl fmt::Display) -> Odd {
    de::Error::custom(error)
}

impl<'de> Deserializer<'de> for Value<'_, 'de> {
    type Error = Odd;

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Odd> {
        match self.first() {
            Some(b'"') => Text(self.0.string()?).deserialize_any(visitor),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Odd> {
        match self.first() {
            Some(b'n') => self.deserialize_any(visitor),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Odd> {
        let mut value = serde_json::Deserializer::from_str(self.0.raw()?.get());
        value.deserialize_newtype_struct(name, visitor).map_err(unread)
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Odd> {
        let mut value = serde_json::Deserializer::from_str(self.0.raw()?.get());
        value.deserialize_any(visitor).map_err(unread)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Odd> {
        self.0.raw()?;
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct enum
        identifier
    }
}

/// Bytes that are searched at once.
const BLOCK: usize = 64;

/// Bytes that are copied at once: most of what stands between two escapes is shorter.
const STEP: usize = 32;

/// Most bytes of a character.
const CHAR: usize = 4;

/// Room for a string that is made at first.
const SHORT: usize = 1 << 10;

/// The string that begins at this byte, behind its quotation mark, and where what follows it begins; `None` if it is none.
fn string<'de>(
    bytes: &'de [u8],
    start: usize,
    room: Option<&'de StringRoom>,
) -> Option<(Cow<'de, str>, usize)> {
    let mut made = Made::default();
    // What stands before this is made already.
    let mut from = start;
    for base in (start..bytes.len()).step_by(BLOCK) {
        let mut marks = marks(bytes.get(base..).unwrap_or_default());
        // An escape may reach into this block.
        if let Some(taken) = from.checked_sub(base) {
            marks &= u64::MAX.checked_shl(u32::try_from(taken).ok()?).unwrap_or(0);
        }
        while marks != 0 {
            let bit = marks.trailing_zeros();
            let at = base + bit as usize;
            marks &= marks - 1;
            match bytes[at] {
                b'"' if made.length == 0 && from == start => {
                    let text = simdutf8::basic::from_utf8(bytes.get(start..at)?).ok()?;
                    return Some((text.into(), at + 1));
                }
                b'"' => {
                    made.copy(bytes, from, at, room);
                    return Some((checked(made, room)?, at + 1));
                }
                b'\\' => {}
                _ => return None,
            }
            made.copy(bytes, from, at, room);
            match ESCAPED[usize::from(*bytes.get(at + 1)?)] {
                0 => {
                    let (char, end) = hex_escape(bytes, at)?;
                    made.push(char.encode_utf8(&mut [0; CHAR]).as_bytes());
                    from = end;
                    // A pair of surrogates has a second backslash.
                    let taken = u32::try_from(end - base).ok()?;
                    marks &= u64::MAX.checked_shl(taken).unwrap_or(0);
                }
                byte => {
                    made.push(&[byte]);
                    from = at + 2;
                    marks &= !(2 << bit);
                }
            }
        }
    }
    None
}

/// What was made as a string.
fn checked(made: Made, room: Option<&StringRoom>) -> Option<Cow<'_, str>> {
    let held = match room {
        Some(room) => room.hold(made),
        None => Err(made),
    };
    let made = match held {
        Ok(held) => return simdutf8::basic::from_utf8(held).ok().map(Cow::Borrowed),
        Err(made) => made.into_bytes(),
    };
    // The standard library goes through ASCII by vectors but through other letters one by one, which takes longer than to copy them
    // once they are checked by vectors.
    if made.is_ascii() {
        return String::from_utf8(made).ok().map(Cow::Owned);
    }
    let made = simdutf8::basic::from_utf8(&made).ok()?;
    Some(Cow::Owned(made.to_owned()))
}

/// A bit for each of the first bytes that ends what can be copied: a quotation mark, a backslash, or what no string may hold.
#[inline(always)]
fn marks(bytes: &[u8]) -> u64 {
    match bytes.first_chunk() {
        Some(block) => marks_of_block(block),
        None => {
            let mut block = [b' '; BLOCK];
            block[..bytes.len()].copy_from_slice(bytes);
            marks_of_block(&block)
        }
    }
}

#[inline(always)]
fn marks_of_block(block: &[u8; BLOCK]) -> u64 {
    let is = |bytes: u8x16, byte: u8| bytes.simd_eq(u8x16::splat(byte));
    let (lanes, _) = block.as_chunks::<16>();
    lanes.iter().rev().fold(0, |bits, lanes| {
        let bytes = u8x16::new(*lanes);
        let control = bytes.min(u8x16::splat(b' ' - 1)).simd_eq(bytes);
        let marked = is(bytes, b'"') | is(bytes, b'\\') | control;
        bits << 16 | u64::from(marked.to_bitmask())
    })
}

/// What a backslash and this byte stand for; 0 if that takes more bytes, or is no escape.
const ESCAPED: [u8; 256] = {
    let mut escaped = [0; 256];
    let pairs = *b"\"\"\\\\//b\x08f\x0cn\nr\rt\t";
    let mut at = 0;
    while at < pairs.len() {
        escaped[pairs[at] as usize] = pairs[at + 1];
        at += 2;
    }
    escaped
};

/// The character of an escape with hexadecimal digits, whose backslash stands there, and where what follows it begins.
#[cold]
fn hex_escape(bytes: &[u8], at: usize) -> Option<(char, usize)> {
    let unit = code_unit(bytes, at)?;
    let (units, length): (&[u16], _) = match unit {
        0xD800..0xDC00 => (&[unit, code_unit(bytes, at + 6)?], 12),
        _ => (&[unit], 6),
    };
    let char = char::decode_utf16(units.iter().copied()).next()?.ok()?;
    Some((char, at + length))
}

/// The UTF-16 code unit of an escape.
fn code_unit(bytes: &[u8], at: usize) -> Option<u16> {
    let escape = bytes.get(at..at + 6)?;
    let digits = escape.strip_prefix(b"\\u")?;
    digits.iter().try_fold(0, |unit, digit| {
        let digit = char::from(*digit).to_digit(16)?;
        Some(unit << 4 | u16::try_from(digit).ok()?)
    })
}
