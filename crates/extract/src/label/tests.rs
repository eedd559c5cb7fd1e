use std::collections::BTreeSet;

use super::*;

/// An example of the specification, by name.
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

#[test]
fn table_and_folder_agree() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/label/methods");
    let files: BTreeSet<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| path.file_stem().unwrap().to_str().unwrap().replace('_', "-"))
        .filter(|stem| stem != "mod" && stem != "boilerpipe")
        .collect();
    let table: BTreeSet<String> = ALL.iter().map(|e| e.name().to_owned()).collect();
    assert_eq!(files, table);
    assert_eq!(table.len(), ALL.len(), "a name stands twice");
}

#[test]
fn names_are_found_and_unknown_ones_list_the_known() {
    for extractor in ALL {
        assert_eq!(find(extractor.name()).unwrap().name(), extractor.name());
        assert!(!extractor.summary().is_empty() && !extractor.summary().contains('\n'));
    }
    let error = crate::Options::default().with_method("readabilty").unwrap_err();
    assert!(error.to_string().contains("`readabilty`"));
    assert!(error.to_string().contains("readability, boilerpipe-article"));
}
