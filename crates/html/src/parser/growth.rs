//! Measures how the time of some work grows with the length of its input, by fitting `n^k` to the times of
//! four documents. Linear work fits `k` near 1, quadratic work 2.

#![allow(unreachable_pub)] // public with the feature only

/// Measurements of work on four documents of one shape, each twice as long as the one before.
#[derive(Clone, Debug)]
pub struct Growth {
    /// Exponent `k` of the `n^k` that fits the time for `n` bytes.
    pub exponent: f64,
    /// Time per byte on the longest document.
    pub nanoseconds_per_byte: f64,
    /// Length in bytes of each document, and the value that the work on it returned.
    pub results: Vec<(f64, f64)>,
}

/// Measures `work` on documents of one shape, the smallest of about `smallest` bytes.
///
/// Other work on the machine only adds time, so the shortest time of each document counts. The measurement
/// is repeated until the exponent is at most `enough`, at most 60 times.
pub fn measure(
    shape: impl Fn(usize) -> String,
    smallest: usize,
    enough: f64,
    work: impl Fn(&str) -> usize,
) -> Growth {
    let sources: Vec<String> = (0..4).map(|i| shape(smallest << i)).collect();
    let bytes: Vec<f64> = sources.iter().map(|source| source.len() as f64).collect();
    let mut results = Vec::new();
    // Times are kept over all rounds, so each round can only lower them.
    let mut times: Vec<_> = bytes.iter().map(|&bytes| (bytes, f64::INFINITY)).collect();
    let mut fitted = f64::INFINITY;
    for _ in 0..60 {
        results.clear();
        for ((source, bytes), (_, least)) in sources.iter().zip(&bytes).zip(&mut times) {
            let start = processor_seconds();
            let result = work(source);
            *least = least.min(processor_seconds() - start);
            results.push((*bytes, result as f64));
        }
        fitted = exponent(&times);
        if fitted <= enough {
            break;
        }
    }
    let (bytes, seconds) = times[times.len() - 1];
    Growth {
        exponent: fitted,
        nanoseconds_per_byte: seconds / bytes * 1e9,
        results,
    }
}

/// Exponent `k` of the `n^k` that fits the points `(n, value)`: the slope of the least-squares line through
/// their logarithms.
pub fn exponent(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let (x, y) = points
        .iter()
        .fold((0.0, 0.0), |sum, p| (sum.0 + p.0.ln() / n, sum.1 + p.1.ln() / n));
    let up: f64 = points.iter().map(|p| (p.0.ln() - x) * (p.1.ln() - y)).sum();
    up / points.iter().map(|p| (p.0.ln() - x).powi(2)).sum::<f64>()
}

/// Processor time of this thread in seconds. Other work on the machine affects it less than the time of day.
#[cfg(unix)]
fn processor_seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

#[cfg(not(unix))]
fn processor_seconds() -> f64 {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed().as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::exponent;

    #[test]
    fn slopes_are_exponents() {
        let squares = [1000.0, 2000.0, 4000.0].map(|x: f64| (x, 3.0 * x * x));
        assert!((exponent(&squares) - 2.0).abs() < 1e-9);
        assert!(exponent(&squares.map(|(x, _)| (x, 7.0))).abs() < 1e-9);
    }
}
