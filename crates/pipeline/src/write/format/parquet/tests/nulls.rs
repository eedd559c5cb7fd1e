//! What JSON has in common with a table, for the tests of this crate and of the program.

use serde_json::{Map, Number, Value};

/// Without members that are null, which a table does not tell from those that are not there, and with numbers as `number` has them.
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
