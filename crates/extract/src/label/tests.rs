/// Returns a worked example of the specification, by name.
pub(crate) fn worked_example(name: &str) -> serde_json::Value {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/worked-examples.json");
    let mut all: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let examples = all["examples"].as_array_mut().unwrap();
    examples
        .iter_mut()
        .find(|e| e["name"] == name)
        .unwrap_or_else(|| panic!("no example {name}"))
        .take()
}
