//! Growth: work and memory are linear in the bytes of every page, also of hostile ones.
//!
//! Each shape is parsed at four sizes and its time fitted to `n^k`. Nodes are counted exactly; time is measured, so that
//! its bound leaves room for a busy machine: a quadratic shape fits 2, not 1.3. The table is shown by `cargo test --release -p dehusk-html
//! every_shape -- --nocapture`.

use std::time::Duration;

use super::super::growth::{exponent, measure};
use super::super::shapes::SHAPES;
use crate::limits::{Deadline, Limits};
use crate::parser::Parser;
use crate::tree::Dom;

fn parsed(source: &str) -> Dom<'_> {
    let limits = Limits::default().with_time(Duration::from_secs(600));
    Parser::default()
        .parse_until(source, &Deadline::start(&limits, source.len()))
        .0
}

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
fn every_shape_is_linear() {
    for (name, shape) in SHAPES {
        let (samples, fitted) = measure(seconds, *shape, 24_000, 1.15, |source| parsed(source).len());
        let spent = samples.last().map_or(0.0, |s| s.time / s.bytes() * 1e9);
        assert!(fitted <= 1.3, "{name}: time grows with n^{fitted:.2}");
        // Below a thousand nodes constant costs show.
        let nodes = exponent(samples.iter().map(|s| (s.bytes(), s.nodes.max(1000) as f64)));
        println!("{name:40} time n^{fitted:.2}, nodes n^{nodes:.2}, {spent:7.1} ns a byte");
        assert!(nodes <= 1.1, "{name}: nodes grow with n^{nodes:.2}");
    }
}

#[test]
fn no_shape_takes_much_memory() {
    for (name, shape) in SHAPES {
        let source = shape(1_000_000);
        let dom = parsed(&source);
        let bytes =
            size_of_val(dom.tree.nodes.as_slice()) + size_of_val(dom.attrs.as_slice()) + dom.side.len();
        // While a vector grows, both copies exist, and the new one is up to twice as large.
        assert!(
            3 * bytes < 100 * source.len(),
            "{name}: {} bytes a byte",
            bytes / source.len()
        );
    }
}
