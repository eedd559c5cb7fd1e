//! The equation: our tree of a document is html5ever's tree of it. What libFuzzer finds goes into `fixtures/parser/soup.txt`, too.

use dehusk_html::reference_check;

pub(super) fn check(source: &[u8]) {
    let Ok(source) = std::str::from_utf8(source) else {
        return;
    };
    for scripting in [true, false] {
        match reference_check(source, scripting) {
            // html5ever behind our interface differs by itself where its limiter flattens.
            Err(difference) if difference.parser == "whatwg" => {
                panic!("{difference} (scripting {scripting})")
            }
            _ => {}
        }
    }
}
