//! Growth: the work of a whole extraction is linear in the bytes of any page, also of the worst.

use dehusk_extract::{Limits, Options, PAGE_SHAPES, Page, extract};
use dehusk_html::parser::growth::measure;
use dehusk_html::parser::shapes::SHAPES;
use std::time::Duration;

/// Processor time of this thread, which other work on the machine disturbs less than the time of day.
#[cfg(unix)]
fn seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

#[cfg(not(unix))]
fn seconds() -> f64 {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed().as_secs_f64()
}

#[test]
fn extraction_of_every_shape_is_linear() {
    for method in ["default", "readability"] {
        let limits = Limits::default().with_time(Duration::from_secs(600));
        let options = Options::default()
            .with_extractor(method)
            .unwrap()
            .with_limits(limits);
        for (name, shape) in SHAPES.iter().chain(PAGE_SHAPES) {
            let (samples, fitted) = measure(seconds, *shape, 8_000, 1.4, |source| {
                extract(&Page::decoded(source), &options).all_chars
            });
            let spent = samples.last().map_or(0.0, |s| s.time / s.bytes() * 1e9);
            println!("{method:12} {name:40} time n^{fitted:.2}, {spent:7.1} ns a byte");
            // A tree that outgrows the caches of the processor takes longer for each node; what is quadratic fits 2.
            assert!(fitted <= 1.5, "{method}, {name}: time grows with n^{fitted:.2}");
        }
    }
}
