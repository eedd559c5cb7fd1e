//! Record fields that users name.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::record::json;

/// The name of a record field.
///
/// A member with exactly this name takes precedence. Otherwise a dot separates the name of an object from the name of its member:
/// `meta.score`. A field that is missing is looked up in `extra`, to which `run` moves unknown fields of a page.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct FieldName(String);

/// The comparable value of a field. Other values count as missing.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) enum FieldValue {
    /// An integer. `true` is 1, and `false` is 0.
    Integer(i64),
    /// Any other number.
    Real(f64),
    /// A string.
    Text(String),
}

/// The record member that holds fields of the page.
const EXTRA: &str = "extra";

impl FieldName {
    pub(crate) fn new(name: &str) -> Self {
        FieldName(name.to_owned())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns `true` if this member of a record may hold the field.
    #[cfg(any(test, feature = "parquet"))]
    pub(crate) fn is_in(&self, member: &str) -> bool {
        let below = self.0.strip_prefix(member);
        member == EXTRA || below.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }

    /// Returns the value in a record, which is a JSON object. `None` if it is missing or not comparable.
    pub(crate) fn of(&self, record: &[u8]) -> Option<FieldValue> {
        if let Some(found) = find(record, &self.0) {
            return value(found);
        }
        let extra = find(record, EXTRA)?;
        // Tables store it as JSON text.
        let text = json::scalar_text(extra);
        let members = text.as_deref().unwrap_or(extra.get());
        value(find(members.as_bytes(), &self.0)?)
    }
}

/// Returns the value of this name in an object. A dot in the name may lead into an inner object.
fn find<'o>(mut object: &'o [u8], mut name: &str) -> Option<&'o RawValue> {
    loop {
        let members = json::fields(object).ok()?;
        // Of several members with the same name, the last one counts, as everywhere.
        let last = |wanted: &str| {
            members
                .iter()
                .rfind(|(name, _)| name == wanted)
                .map(|(_, value)| *value)
        };
        if let Some(value) = last(name) {
            return Some(value);
        }
        let (first, rest) = name.split_once('.')?;
        object = last(first)?.get().as_bytes();
        name = rest;
    }
}

/// Converts a JSON value. `None` for `null`, arrays and objects.
fn value(raw: &RawValue) -> Option<FieldValue> {
    let text = raw.get();
    match text.as_bytes().first()? {
        b't' => Some(FieldValue::Integer(1)),
        b'f' => Some(FieldValue::Integer(0)),
        b'"' => json::scalar_text(raw).map(|text| FieldValue::Text(text.into_owned())),
        b'-' | b'0'..=b'9' => match text.parse() {
            Ok(whole) => Some(FieldValue::Integer(whole)),
            // Fractions, exponents, and integers beyond `i64`.
            Err(_) => text.parse().ok().map(FieldValue::Real),
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, record: &str) -> Option<FieldValue> {
        FieldName::new(name).of(record.as_bytes())
    }

    #[test]
    fn values_are_found_by_name_and_below_dots() {
        let record = r#"{"a":1,"meta":{"a":2.5,"b.c":"x","b":{"c":"y","d":true}},"m.n":3,"m":{"n":4},"extra":{"a":7,"page":{"rank":-3}}}"#;
        for (name, wanted) in [
            ("a", Some(FieldValue::Integer(1))),
            ("meta.a", Some(FieldValue::Real(2.5))),
            ("meta.b.c", Some(FieldValue::Text("x".to_owned()))),
            ("meta.b.d", Some(FieldValue::Integer(1))),
            ("m.n", Some(FieldValue::Integer(3))),
            ("page.rank", Some(FieldValue::Integer(-3))),
            ("extra.a", Some(FieldValue::Integer(7))),
            ("meta", None),
            ("a.b", None),
            ("none", None),
        ] {
            assert_eq!(of(name, record), wanted, "{name}");
        }
        let of_table = r#"{"extra":"{\"rank\":{\"n\":4}}"}"#;
        assert_eq!(of("rank.n", of_table), Some(FieldValue::Integer(4)));
    }

    #[test]
    fn what_cannot_be_compared_is_missing() {
        for value in ["null", "[1]", "{}", "{\"b\":1}"] {
            assert_eq!(of("a", &format!("{{\"a\":{value}}}")), None, "{value}");
        }
        assert_eq!(of("a", "no record"), None);
        assert_eq!(of("a", r#"{"a":1,"a":2}"#), Some(FieldValue::Integer(2)));
        // Lines are repaired before fields are looked up.
        assert_eq!(of("a", r#"{"a":"\u00e9\ud800"}"#), None);
        assert_eq!(of("a", r#"{"a":1e3}"#), Some(FieldValue::Real(1000.0)));
        assert_eq!(
            of("a", r#"{"a":9223372036854775808}"#),
            Some(FieldValue::Real(9_223_372_036_854_775_808.0))
        );
    }

    #[test]
    fn members_that_may_hold_a_field() {
        let name = FieldName::new("meta.score");
        let all = ["meta", "meta.score", "extra", "met", "meta.s", "score"];
        assert_eq!(
            all.map(|member| name.is_in(member)),
            [true, true, true, false, false, false]
        );
    }
}
