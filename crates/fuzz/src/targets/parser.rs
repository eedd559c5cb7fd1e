//! The parser: its tree of a document equals html5ever's tree. Inputs found by libFuzzer are also added to
//! `fixtures/parser/soup.txt`.

use dehusk_html::reference_check;

/// Compares the trees of a document, with scripts on and off. Input that is not UTF-8 is skipped.
pub(super) fn check(source: &[u8]) {
    let Ok(source) = std::str::from_utf8(source) else {
        return;
    };
    for scripting in [true, false] {
        match reference_check(source, scripting) {
            // html5ever with our limits differs from plain html5ever where deep nesting is flattened, so
            // only our parser is checked.
            Err(difference) if difference.parser == "whatwg" => {
                panic!("{difference} (scripting {scripting})")
            }
            _ => {}
        }
    }
}
