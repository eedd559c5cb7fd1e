//! Unit vectors that are spread evenly over a sphere.

use crate::numeric::random::SplitMix64;

/// Largest number of rounds.
const ROUNDS: u32 = 4000;

/// Length of a vector's move in a round, per unit of force.
const STEP: f64 = 0.05;

/// Spreads `count` unit vectors in `dimension` dimensions. They start at random. Each repels the others and their
/// opposites with a force of 1 / distance²; rounds end when no vector moves by more than 1e-10, or after 4000 rounds.
///
/// Costs `rounds · count² · dimension`: a second or two for 64 vectors in 42 dimensions.
#[must_use]
pub fn repel(count: usize, dimension: usize) -> Vec<Vec<f64>> {
    let mut random = SplitMix64::new(5);
    // Coordinates from -1 to 1. The start is uneven over the sphere, which the rounds even out.
    let half = 2_f64.powi(63);
    let mut vectors: Vec<Vec<f64>> = (0..count)
        .map(|_| {
            unit(
                (0..dimension)
                    .map(|_| random.number() as f64 / half - 1.0)
                    .collect(),
            )
        })
        .collect();
    for _ in 0..ROUNDS {
        // All vectors move at once, by forces between their old places, so the result does not depend on
        // their order.
        let moved: Vec<Vec<f64>> = (0..count)
            .map(|number| {
                let force = force(&vectors, number);
                unit(
                    vectors[number]
                        .iter()
                        .zip(force)
                        .map(|(x, force)| x + STEP * force)
                        .collect(),
                )
            })
            .collect();
        let farthest = vectors
            .iter()
            .zip(&moved)
            .map(|(a, b)| distance(a, b, 1.0))
            .fold(0.0, f64::max);
        vectors = moved;
        if farthest < 1e-10 {
            break;
        }
    }
    vectors
}

/// The force that all other vectors and their opposites exert on vector `number`.
fn force(vectors: &[Vec<f64>], number: usize) -> Vec<f64> {
    let vector = &vectors[number];
    let mut force = vec![0.0; vector.len()];
    for (_, other) in vectors.iter().enumerate().filter(|(place, _)| *place != number) {
        for sign in [1.0, -1.0] {
            // A small number is added, because two vectors at the same place would divide by zero.
            let distance = distance(vector, other, sign) + 1e-12;
            for ((force, x), y) in force.iter_mut().zip(vector).zip(other) {
                // The difference has the length of the distance, so its third power leaves a force of 1 /
                // distance².
                *force += (x - sign * y) / distance.powi(3);
            }
        }
    }
    force
}

/// The distance of `a` from `sign · b`, where `sign` is 1 or -1.
fn distance(a: &[f64], b: &[f64], sign: f64) -> f64 {
    a.iter()
        .zip(b)
        .map(|(x, y)| (x - sign * y).powi(2))
        .sum::<f64>()
        .sqrt()
}

/// The vector scaled to length 1.
fn unit(vector: Vec<f64>) -> Vec<f64> {
    let length = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
    vector.into_iter().map(|x| x / length).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worked_examples::{example, list, numbers};

    #[test]
    fn optimal_configurations() {
        let repelled = example("repelled_vectors");
        let expected = list(&repelled["expected"]["abs_dot_products"]);
        for (size, expected) in list(&repelled["input"]).iter().zip(expected) {
            let size = numbers(size);
            let vectors = repel(size[0] as usize, size[1] as usize);
            let mut products = Vec::new();
            for (number, a) in vectors.iter().enumerate() {
                for b in &vectors[number + 1..] {
                    products.push(a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>().abs());
                }
            }
            products.sort_by(f64::total_cmp);
            for (found, expected) in products.iter().zip(list(expected)) {
                assert!(
                    (found - expected.as_f64().unwrap()).abs() < 1e-3,
                    "{size:?}: {products:?}"
                );
            }
        }
    }
}
