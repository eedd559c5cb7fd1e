//! Conversion of JSON values for comparison with tables, for the tests of this crate and of the program.

use serde_json::{Map, Number, Value};

/// The value without null members, which a table cannot distinguish from missing ones, and with its numbers converted by `number`.
pub(crate) fn without_nulls(value: Value, number: &impl Fn(Number) -> Value) -> Value {
    match value {
        Value::Object(members) => {
            let members = members.into_iter().filter(|(_, value)| !value.is_null());
            let members: Map<_, _> = members
                .map(|(name, value)| (name, without_nulls(value, number)))
                .collect();
            members.into()
        }
        Value::Array(items) => items
            .into_iter()
            .map(|item| without_nulls(item, number))
            .collect(),
        Value::Number(value) => number(value),
        value => value,
    }
}
