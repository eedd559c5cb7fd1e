//! Documents as weighted sets of terms. A row holds the hash and the weight of each term, ascending by hash.

use std::cmp::Ordering;

use crate::numeric::hash::murmur3;
use crate::text::document::Document;
use crate::text::terms::Counted;

/// Hash and weight of each distinct term of a document, ascending by hash. `weight` receives a term and its count.
pub(crate) fn term_weights(document: &Document<'_>, weight: impl Fn(&str, f64) -> f64) -> Vec<(u64, f64)> {
    let weights = Counted::new(document.terms).weigh(weight).into_iter();
    let mut hashed: Vec<(u64, f64)> = weights
        .map(|(term, weight)| (murmur3(term.as_bytes(), 0), weight))
        .collect();
    hashed.sort_by_key(|&(hash, _)| hash);
    hashed
}

/// Appends hashes and weights to a row.
pub(crate) fn write_row(weights: impl IntoIterator<Item = (u64, f64)>, row: &mut Vec<u64>) {
    row.extend(
        weights
            .into_iter()
            .flat_map(|(hash, weight)| [hash, weight.to_bits()]),
    );
}

/// The hashes and weights of a row.
pub(crate) fn read_row(row: &[u64]) -> impl Iterator<Item = (u64, f64)> {
    row.chunks_exact(2)
        .map(|entry| (entry[0], f64::from_bits(entry[1])))
}

/// Calls `visit` for each hash in at least one of two lists, in ascending order, with its weight in each list. A weight
/// is `None` if the list lacks the hash.
pub(crate) fn visit_both(
    a: impl IntoIterator<Item = (u64, f64)>,
    b: impl IntoIterator<Item = (u64, f64)>,
    mut visit: impl FnMut(Option<f64>, Option<f64>),
) {
    let (mut a, mut b) = (a.into_iter().peekable(), b.into_iter().peekable());
    // A merge of two ascending lists.
    loop {
        let order = match (a.peek(), b.peek()) {
            (Some((x, _)), Some((y, _))) => x.cmp(y),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return,
        };
        // Equal hashes are taken from both lists.
        let in_a = a.next_if(|_| order.is_le());
        let in_b = b.next_if(|_| order.is_ge());
        visit(in_a.map(|(_, weight)| weight), in_b.map(|(_, weight)| weight));
    }
}
