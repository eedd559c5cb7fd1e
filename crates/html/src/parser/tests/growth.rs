//! Growth: work and memory are linear in the bytes of every page, including hostile pages.
//!
//! Each shape is parsed at four sizes, and its time is fitted to `n^k`. Nodes are counted exactly. Time is
//! measured, so its bound leaves room for a busy machine: a quadratic shape fits 2, not 1.3. To see the
//! table: `cargo test --release -p dehusk-html every_shape -- --nocapture`.

use std::time::Duration;

use crate::budget::Budget;
use crate::limits::Limits;
use crate::parser::Parser;
use crate::parser::growth::{exponent, measure};
use crate::parser::shapes::SHAPES;
use crate::tree::Dom;

fn parsed(source: &str) -> Dom<'_> {
    let limits = Limits::default().with_time(Duration::from_secs(600));
    Parser::default()
        .parse_until(source, &Budget::start(&limits, source.len()))
        .0
}

#[test]
fn every_shape_is_linear() {
    for (name, shape) in SHAPES {
        let growth = measure(*shape, 24_000, 1.15, |source| parsed(source).len());
        let time = growth.exponent;
        assert!(time <= 1.3, "{name}: time grows with n^{time:.2}");
        // Below a thousand nodes, constant costs would dominate.
        let nodes: Vec<_> = growth
            .results
            .iter()
            .map(|&(n, nodes)| (n, nodes.max(1000.0)))
            .collect();
        let nodes = exponent(&nodes);
        println!(
            "{name:40} time n^{time:.2}, nodes n^{nodes:.2}, {:7.1} ns a byte",
            growth.nanoseconds_per_byte
        );
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
