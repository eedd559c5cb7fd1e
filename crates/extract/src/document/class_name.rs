//! Serializes block classes by name.

use serde::{Deserialize, Deserializer, Serializer, de};

use crate::label::classes::BlockClass;

#[allow(clippy::ref_option, reason = "serde hands over references")]
pub(super) fn serialize<S: Serializer>(class: &Option<BlockClass>, serializer: S) -> Result<S::Ok, S::Error> {
    match class {
        Some(class) => serializer.serialize_str(class.name()),
        None => serializer.serialize_none(),
    }
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<BlockClass>, D::Error> {
    let name = Option::<String>::deserialize(deserializer)?;
    let find = |name: String| {
        BlockClass::find(&name).ok_or_else(|| de::Error::custom(format!("no class is called `{name}`")))
    };
    name.map(find).transpose()
}
