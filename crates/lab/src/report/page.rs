//! To come.
pub fn render(_: &crate::compare::Results) -> String { String::new() }
