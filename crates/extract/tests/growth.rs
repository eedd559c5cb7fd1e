//! Growth: the work of a whole extraction is linear in the bytes of any page, also of the worst.

use dehusk_extract::{Limits, Options, PAGE_SHAPES, Page, extract};
use dehusk_html::parser::growth::measure;
use dehusk_html::parser::shapes::SHAPES;
use std::time::Duration;

#[test]
fn extraction_of_every_shape_is_linear() {
    for method in ["default", "readability"] {
        let limits = Limits::default().with_time(Duration::from_secs(600));
        let options = Options::default()
            .with_extractor(method)
            .unwrap()
            .with_limits(limits);
        for (name, shape) in SHAPES.iter().chain(PAGE_SHAPES) {
            let growth = measure(*shape, 8_000, 1.4, |source| {
                extract(&Page::decoded(source), &options).all_chars
            });
            let (time, spent) = (growth.exponent, growth.nanoseconds_per_byte);
            println!("{method:12} {name:40} time n^{time:.2}, {spent:7.1} ns a byte");
            // A tree that outgrows the caches of the processor takes longer for each node; what is quadratic fits 2.
            assert!(time <= 1.5, "{method}, {name}: time grows with n^{time:.2}");
        }
    }
}
