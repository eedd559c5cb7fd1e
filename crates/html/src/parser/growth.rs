//! How work grows with the length of documents, for tests and benchmarks.

/// One document, the nodes that work on it gave, and the least time that it took so far.
pub struct Sample {
    /// The document.
    pub source: String,
    /// What `work` returned.
    pub nodes: usize,
    /// Seconds.
    pub time: f64,
}

impl Sample {
    /// The bytes of the document.
    pub fn bytes(&self) -> f64 {
        self.source.len() as f64
    }
}

/// Does `work` on documents of one shape, of `smallest` bytes and two, four and eight times as many; returns them with the
/// exponent of the time it took by the `clock`, in seconds. Repeats until that is at most `enough`.
pub fn measure(
    clock: fn() -> f64,
    shape: fn(usize) -> String,
    smallest: usize,
    enough: f64,
    work: impl Fn(&str) -> usize,
) -> (Vec<Sample>, f64) {
    let sample = |power| Sample {
        source: shape(smallest << power),
        nodes: 0,
        time: f64::INFINITY,
    };
    let mut samples: Vec<Sample> = (0..4).map(sample).collect();
    // Other work on the machine only adds time: the least of more and more runs comes near the true cost.
    let mut fitted = f64::INFINITY;
    for _ in 0..60 {
        for sample in &mut samples {
            let start = clock();
            sample.nodes = work(&sample.source);
            sample.time = sample.time.min(clock() - start);
        }
        fitted = exponent(samples.iter().map(|sample| (sample.bytes(), sample.time)));
        if fitted <= enough {
            break;
        }
    }
    (samples, fitted)
}

/// Slope of the line through logarithms of points, by least squares: 2 where `y` grows with the square of `x`.
pub fn exponent(points: impl Iterator<Item = (f64, f64)>) -> f64 {
    let logarithms: Vec<(f64, f64)> = points.map(|(x, y)| (x.ln(), y.ln())).collect();
    let n = logarithms.len() as f64;
    let (x, y) = logarithms
        .iter()
        .fold((0.0, 0.0), |mean, p| (mean.0 + p.0 / n, mean.1 + p.1 / n));
    let up: f64 = logarithms.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    up / logarithms.iter().map(|p| (p.0 - x).powi(2)).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::exponent;

    #[test]
    fn slopes_are_exponents() {
        let slope = |y: fn(f64) -> f64| exponent([1.0, 2.0, 4.0].into_iter().map(|x| (x, y(x))));
        assert!((slope(|x| 3.0 * x * x) - 2.0).abs() < 1e-9);
        assert!(slope(|_| 7.0).abs() < 1e-9);
    }
}
