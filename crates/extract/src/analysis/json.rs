//! A JSON reader for scripts. Strings are borrowed where possible, and unneeded members are skipped.

use std::borrow::Cow;
use std::fmt;

use serde_json::Number;

use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// A JSON value.
#[derive(Debug)]
pub(crate) enum Value<'t> {
    String(Cow<'t, str>),
    Array(Vec<Value<'t>>),
    Object(Object<'t>),
    Number(Number),
    /// `true`, `false` or `null`.
    Other,
}

/// The members of an object, in source order.
#[derive(Debug)]
pub(crate) struct Object<'t>(Vec<(Cow<'t, str>, Value<'t>)>);

impl<'t> Object<'t> {
    /// Value of the member `name`; the last occurrence if the name repeats.
    pub(crate) fn get(&self, name: &str) -> Option<&Value<'t>> {
        self.0
            .iter()
            .rev()
            .find(|(n, _)| n == name)
            .map(|(_, value)| value)
    }

    /// Names and values of the members, in source order.
    pub(crate) fn members(&self) -> impl DoubleEndedIterator<Item = (&str, &Value<'t>)> {
        self.0.iter().map(|(name, value)| (&**name, value))
    }

    /// Values of the members, in source order.
    pub(crate) fn values(&self) -> impl DoubleEndedIterator<Item = &Value<'t>> {
        self.0.iter().map(|(_, value)| value)
    }
}

impl Value<'_> {
    /// The text of a string; `None` for other values.
    pub(crate) fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// Copies borrowed strings, so that the value no longer depends on its source.
    ///
    /// Recursion is safe: the reader allows at most 128 levels.
    fn into_owned<'o>(self) -> Value<'o> {
        match self {
            Value::String(text) => Value::String(Cow::Owned(text.into_owned())),
            Value::Array(items) => Value::Array(items.into_iter().map(Value::into_owned).collect()),
            Value::Object(Object(members)) => {
                let owned = |(name, value): (Cow<'_, str>, Value<'_>)| {
                    (Cow::Owned(name.into_owned()), value.into_owned())
                };
                Value::Object(Object(members.into_iter().map(owned).collect()))
            }
            Value::Number(number) => Value::Number(number),
            Value::Other => Value::Other,
        }
    }

    /// Whether the value is an array or an object.
    pub(crate) fn is_nested(&self) -> bool {
        matches!(self, Value::Array(_) | Value::Object(_))
    }
}

/// Reads a text that consists of one JSON value. Members whose names `is_kept` rejects are skipped.
pub(crate) fn read<'t>(
    text: &'t str,
    is_kept: impl Fn(&str) -> bool,
) -> Result<Value<'t>, serde_json::Error> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = Seed(&is_kept).deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
}

/// Like [`read`], but the value owns its strings, so that it may outlive `text`.
pub(crate) fn read_owned<'t>(
    text: &str,
    is_kept: impl Fn(&str) -> bool,
) -> Result<Value<'t>, serde_json::Error> {
    read(text, is_kept).map(Value::into_owned)
}

/// Repairs frequent mistakes in JSON and returns the repaired text.
///
/// Removes comments and commas before closing brackets, and replaces control characters by spaces. Several
/// values in a row become an array. If `text` has `&quot;` but no quotation mark, these references are
/// resolved.
pub(crate) fn repaired(text: &str) -> String {
    let unquoted = !text.contains('"') && text.contains("&quot;");
    let text = match unquoted {
        true => Cow::Owned(text.replace("&quot;", "\"")),
        false => Cow::Borrowed(text),
    };
    let mut out = String::with_capacity(text.len() + 2);
    let mut chars = text.chars().peekable();
    let (mut in_string, mut depth, mut values) = (false, 0_usize, 0);
    while let Some(c) = chars.next() {
        if in_string {
            match c {
                '\\' => match chars.next() {
                    Some(next) if "\"\\/bfnrtu".contains(next) => out.extend([c, next]),
                    // JSON knows no other escapes: `\'` becomes `'`.
                    Some(next) => out.push(next),
                    None => {}
                },
                '"' => {
                    in_string = false;
                    out.push(c);
                }
                c if c.is_control() => out.push(' '),
                c => out.push(c),
            }
            continue;
        }
        match c {
            '"' => {
                in_string = true;
                out.push(c);
            }
            // Comments, as in JavaScript.
            '/' if chars.peek() == Some(&'/') => while chars.next_if(|&c| c != '\n').is_some() {},
            '/' if chars.peek() == Some(&'*') => {
                let mut star = false;
                for c in chars.by_ref() {
                    if star && c == '/' {
                        break;
                    }
                    star = c == '*';
                }
            }
            '{' | '[' => {
                if depth == 0 {
                    // The next of several values at the top level.
                    if values > 0 {
                        out.push(',');
                    }
                    values += 1;
                }
                depth += 1;
                out.push(c);
            }
            '}' | ']' => {
                // A comma before a closing bracket.
                let end = out.trim_end().len();
                if out[..end].ends_with(',') {
                    out.truncate(end - 1);
                }
                // Brackets that do not match are left for the parser to refuse.
                depth = depth.saturating_sub(1);
                out.push(c);
            }
            // Separators between values at the top level; the array's own commas are written above.
            ',' | ';' if depth == 0 => {}
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    if values > 1 {
        out.insert(0, '[');
        out.push(']');
    }
    out
}

/// Reads the JSON value at the start of `text`; returns the value and its length in bytes.
pub(crate) fn first(text: &str) -> Option<(Value<'_>, usize)> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = Seed(&|_: &str| true).deserialize(&mut reader).ok()?;
    Some((value, reader.into_iter::<IgnoredAny>().byte_offset()))
}

/// Reads a value without the members whose names the function rejects.
struct Seed<'w, F>(&'w F);

impl<F> Clone for Seed<'_, F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F> Copy for Seed<'_, F> {}

impl<'t, F: Fn(&str) -> bool> DeserializeSeed<'t> for Seed<'_, F> {
    type Value = Value<'t>;

    fn deserialize<D: serde::Deserializer<'t>>(self, reader: D) -> Result<Value<'t>, D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'t, F: Fn(&str) -> bool> Visitor<'t> for Seed<'_, F> {
    type Value = Value<'t>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Value<'t>, E> {
        Ok(Value::Other)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Value<'t>, E> {
        Ok(Value::Number(number.into()))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Value<'t>, E> {
        Ok(Value::Number(number.into()))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Value<'t>, E> {
        Ok(Number::from_f64(number).map_or(Value::Other, Value::Number))
    }

    fn visit_unit<E: Error>(self) -> Result<Value<'t>, E> {
        Ok(Value::Other)
    }

    fn visit_borrowed_str<E: Error>(self, text: &'t str) -> Result<Value<'t>, E> {
        Ok(Value::String(Cow::Borrowed(text)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value<'t>, E> {
        Ok(Value::String(Cow::Owned(text.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'t>>(self, mut items: A) -> Result<Value<'t>, A::Error> {
        let mut out = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            out.push(item);
        }
        Ok(Value::Array(out))
    }

    fn visit_map<A: MapAccess<'t>>(self, mut members: A) -> Result<Value<'t>, A::Error> {
        let mut out = Vec::new();
        while let Some(name) = members.next_key_seed(Name)? {
            if (self.0)(&name) {
                out.push((name, members.next_value_seed(self)?));
            } else {
                // Skipped without storing it.
                members.next_value::<IgnoredAny>()?;
            }
        }
        Ok(Value::Object(Object(out)))
    }
}

/// Reads the name of a member.
struct Name;

impl<'t> DeserializeSeed<'t> for Name {
    type Value = Cow<'t, str>;

    fn deserialize<D: serde::Deserializer<'t>>(self, reader: D) -> Result<Cow<'t, str>, D::Error> {
        reader.deserialize_str(self)
    }
}

impl<'t> Visitor<'t> for Name {
    type Value = Cow<'t, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_borrowed_str<E: Error>(self, text: &'t str) -> Result<Cow<'t, str>, E> {
        Ok(Cow::Borrowed(text))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Cow<'t, str>, E> {
        Ok(Cow::Owned(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_read_if_they_are_wanted() {
        let text =
            r#"{"a": [1, -2.5, "x\ny", {"b": "z", "c": {"a": "no"}}], "a2": null, "b": true, "a": ["w"]}"#;
        let value = read(text, |name| name != "c").unwrap();
        let Value::Object(object) = &value else {
            panic!("{value:?}")
        };
        let Some(Value::Array(items)) = object.get("a") else {
            panic!("{value:?}")
        };
        assert_eq!((items.len(), items[0].as_str()), (1, Some("w")));
        assert!(!format!("{value:?}").contains("no"), "{value:?}");
        assert_eq!(object.values().filter(|v| v.is_nested()).count(), 2);
        assert!(object.members().map(|(name, _)| name).eq(["a", "a2", "b", "a"]));
        assert_eq!(first(r#" {"a": ["]"]} }"#).map(|(_, bytes)| bytes), Some(13));
        for broken in ["", "{", "[1,]", "{\"a\":1} x", "{\"c\":}"] {
            assert!(read(broken, |_| false).is_err(), "{broken}");
        }
    }

    #[test]
    fn what_people_write_becomes_json() {
        for (text, want) in [
            (
                "{\"a\": [1, 2,], // note\n \"b\": \"x // y\", /* c */}",
                "{\"a\": [1, 2],   \"b\": \"x // y\"}",
            ),
            ("{\"a\": \"x\ny\\'s\"}", "{\"a\": \"x y's\"}"),
            ("{\"a\":1},\n{\"b\":2};", "[{\"a\":1} ,{\"b\":2}]"),
            ("{&quot;a&quot;: 1}", "{\"a\": 1}"),
            ("[,,", "[,,"),
        ] {
            assert_eq!(repaired(text), want, "{text}");
        }
        assert!(read_owned(&repaired("{\"a\":\"b\",}"), |_| true).is_ok());
    }

    #[test]
    fn depth_is_bounded() {
        let deep = "[".repeat(100_000);
        assert!(read(&deep, |_| true).is_err() && read(&format!("{{\"x\":{deep}"), |_| false).is_err());
    }
}
