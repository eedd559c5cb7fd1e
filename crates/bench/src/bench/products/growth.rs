//! The growth of a product's instructions with its length, in one way, counted by callgrind.

use super::pages;
use super::ways::Way;
use crate::bench::callgrind::{Work, count, counted};
use crate::result::Result;

/// Approximate lengths of the pages whose instructions are compared, in bytes.
pub(super) const SIZES: [usize; 2] = [4_000, 32_000];
/// Approximate lengths for products that seem steep, in bytes. Work that limits bound (depth of elements, list of open
/// fonts) still grows between the short lengths, but not between these.
pub(super) const LONGER: [usize; 2] = [100_000, 800_000];

/// Does the counted work: processes each product at both lengths in one way. Called inside valgrind.
pub(super) fn work(way: &Way, numbers: &[usize], sizes: [usize; 2]) -> Result<()> {
    let prepared = way.prepare()?;
    for number in numbers {
        for size in sizes {
            let source = pages::page(*number, size);
            counted(|| way.go(&source, &prepared));
        }
    }
    Ok(())
}

/// Returns the exponent of growth of each product's instructions. `Err` inside `Ok` holds the reason why nothing was counted.
pub(super) fn exponents(
    numbers: &[usize],
    sizes: [usize; 2],
    arguments: &[&str],
) -> Result<std::result::Result<Vec<f64>, String>> {
    let counted = count(Work::Products, arguments, numbers.len() * sizes.len())?;
    Ok(counted.map(|(counts, _)| {
        let counts = counts.chunks(sizes.len());
        let exponent = |(number, counts): (&usize, &[u64])| {
            let bytes = sizes.map(|size| pages::page(*number, size).len() as f64);
            // The slope between two points in a log-log plot.
            (counts[1] as f64 / counts[0] as f64).ln() / (bytes[1] / bytes[0]).ln()
        };
        numbers.iter().zip(counts).map(exponent).collect()
    }))
}
