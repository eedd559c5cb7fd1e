//! Parser of JSON objects, for lines that consist mostly of one long string: the page.
//!
//! Strings are searched 64 bytes at a time, and their escapes are resolved by SIMD where the processor supports it. All other values are
//! left to `serde_json`.

mod escape;
mod packed;
mod plain;
mod room;

use std::borrow::Cow;
use std::fmt;

use serde::de::value::Error as Odd;
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::value::RawValue;

pub(crate) use room::StringRoom;

use crate::record::mend::has_lone_surrogate;

/// Parses a line that is one object, with the same result as `serde_json`.
///
/// Returns `None` for lines that `serde_json` refuses, without the position of the error, and for lines with invalid UTF-8 or lone
/// surrogates. One unescaped string of the line may be stored in `room`.
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
    // Only white space may follow the object.
    match members.next_token() {
        None => Some(fields),
        Some(_) => None,
    }
}

/// Access to the members of an object in sequence.
struct Members<'de> {
    line: &'de [u8],
    room: Option<&'de StringRoom>,
    /// Number of bytes read.
    at: usize,
    /// `true` if no member has been read yet.
    first: bool,
}

/// Returns an error. Its text is never shown, because a refused line is parsed again for the message.
fn odd(what: &str) -> Odd {
    de::Error::custom(what)
}

impl<'de> Members<'de> {
    /// Skips white space, and returns the next byte without consuming it.
    fn next_token(&mut self) -> Option<u8> {
        loop {
            match self.line.get(self.at) {
                Some(b' ' | b'\t' | b'\n' | b'\r') => self.at += 1,
                token => return token.copied(),
            }
        }
    }

    /// Reads the string whose opening quotation mark is the next byte.
    fn string(&mut self) -> Result<Cow<'de, str>, Odd> {
        let (string, end) =
            packed::string(self.line, self.at + 1, self.room).ok_or_else(|| odd("no string"))?;
        self.at = end;
        Ok(string)
    }

    /// Reads the next value of any type.
    fn raw(&mut self) -> Result<&'de RawValue, Odd> {
        let rest = self.line.get(self.at..).unwrap_or_default();
        // `serde_json` reads one value and reports where it ends.
        let mut values = serde_json::Deserializer::from_slice(rest).into_iter::<&RawValue>();
        match values.next() {
            // Skipped values are copied with their line, where a lone surrogate would be invalid text.
            Some(Ok(value)) if !has_lone_surrogate(value.get().as_bytes()) => {
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
        // A comma before the closing brace is refused here.
        if token != Some(b'"') {
            return Err(odd("no name"));
        }
        let mut name = self.string()?;
        if let Cow::Owned(name) = &mut name {
            // There may be many names, and they are kept.
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

/// A string that has been read.
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

/// The next value.
struct Value<'m, 'de>(&'m mut Members<'de>);

impl Value<'_, '_> {
    /// Returns the first byte of the value.
    fn first(&self) -> Option<u8> {
        self.0.line.get(self.0.at).copied()
    }
}

/// Error details are dropped: the line is parsed again for the message.
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
            // Only `null` begins with `n`.
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
