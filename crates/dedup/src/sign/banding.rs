//! The arithmetic of locality-sensitive hashing (LSH) with bands: which pairs a banding proposes, and how many bands to
//! use.

use crate::numeric::hash::murmur3;

/// Probability that banding proposes a pair whose signatures agree in each place with probability `similarity`:
/// `1 - (1 - s^rows)^bands` (Indyk, Motwani 1998; Leskovec, Rajaraman, Ullman, *Mining of Massive Datasets*, 3.4).
/// With 20 bands of 5 rows it is 0.99964 at 0.8 and 0.186 at 0.4.
#[must_use]
pub fn recall_at(similarity: f64, bands: u32, rows: u32) -> f64 {
    1.0 - (1.0 - similarity.powf(f64::from(rows))).powf(f64::from(bands))
}

/// The similarity near which the S-curve of [`recall_at`] rises most steeply: `(1 / bands)^(1 / rows)`.
#[must_use]
pub fn steepest(bands: u32, rows: u32) -> f64 {
    (1.0 / f64::from(bands)).powf(1.0 / f64::from(rows))
}

/// How a signature is cut: into `bands` bands of `rows` values each. Values left over at its end are not used.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Banding {
    /// Number of bands; a pair is a candidate if one band agrees.
    pub bands: u32,
    /// Values in a band; all of them must agree.
    pub rows: u32,
}

impl Banding {
    /// The cheapest banding of a signature of `width` values that proposes a pair of similarity `threshold` with
    /// probability `recall` or more.
    ///
    /// Rows are chosen first: more rows propose fewer dissimilar pairs, and each pair costs a comparison. The
    /// result has the most rows for which the bands that fit still reach `recall`.
    /// Bands are chosen second: each costs 4 bytes and one sort entry per document. The result has the fewest bands
    /// that reach `recall`.
    /// For example, 128 values at a threshold of 0.7 give 28 bands of 4 rows, although 32 bands fit.
    /// If even `width` bands of one row do not reach `recall`, the result is `width` bands of one row.
    #[must_use]
    pub fn plan(threshold: f64, width: u32, recall: f64) -> Self {
        let width = width.max(1);
        // With more rows a band agrees less often and fewer bands fit, so the recall falls: the last number
        // of rows in the series is the largest one that works.
        let rows = (1..=width)
            .take_while(|&rows| recall_at(threshold, width / rows, rows) >= recall)
            .last()
            .unwrap_or(1);
        let most = width / rows;
        // The recall grows with the number of bands, so binary search finds the fewest bands.
        // `most` bands suffice, or are the best there is.
        let (mut least, mut enough) = (1, most);
        while least < enough {
            let middle = least.midpoint(enough);
            if recall_at(threshold, middle, rows) >= recall {
                enough = middle;
            } else {
                least = middle + 1;
            }
        }
        Self { bands: enough, rows }
    }

    /// Number of values of a signature that the bands use.
    #[must_use]
    pub fn width(&self) -> u64 {
        u64::from(self.bands) * u64::from(self.rows)
    }

    /// [`recall_at`] of this banding.
    #[must_use]
    pub fn recall_at(&self, similarity: f64) -> f64 {
        recall_at(similarity, self.bands, self.rows)
    }
}

/// The key of a band: [`murmur3`] of the band's number in 4 bytes and its values in 8 bytes each, all little-endian.
#[must_use]
pub fn band_key(band: u32, values: &[u64]) -> u64 {
    /// Largest number of rows whose bytes fit into the buffer on the stack.
    const FEW: usize = 8;
    // A band usually has few rows, and an allocation per band and document would cost more than the hash.
    let mut few = [0; 4 + 8 * FEW];
    let mut many = Vec::new();
    let length = 4 + 8 * values.len();
    let bytes = if values.len() <= FEW {
        &mut few[..length]
    } else {
        many.resize(length, 0);
        &mut many[..]
    };
    let (number, rest) = bytes.split_at_mut(4);
    number.copy_from_slice(&band.to_le_bytes());
    for (place, value) in rest.chunks_exact_mut(8).zip(values) {
        place.copy_from_slice(&value.to_le_bytes());
    }
    murmur3(bytes, 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worked_examples::{assert_close, example, hex, list, numbers};

    #[test]
    fn band_keys_of_the_example() {
        let slide = example("lsh_bands_slide");
        let signatures: Vec<Vec<u64>> = list(&slide["input"]).iter().map(numbers).collect();
        let keys = |signature: &[u64]| -> Vec<u64> {
            (0..)
                .zip(signature.chunks(3))
                .map(|(band, values)| band_key(band, values))
                .collect()
        };
        let (a, b) = (keys(&signatures[0]), keys(&signatures[1]));
        assert_eq!(
            a,
            list(&slide["expected"]["band_keys_1"])
                .iter()
                .map(hex)
                .collect::<Vec<_>>()
        );
        let equal: Vec<u64> = (0..3)
            .filter(|&band| a[band as usize] == b[band as usize])
            .collect();
        assert_eq!(equal, numbers(&slide["expected"]["equal_bands"]));
    }

    #[test]
    fn long_bands_use_the_same_bytes() {
        let values: Vec<u64> = (0..20).map(|i| i << 33 | 7).collect();
        let mut bytes = 5_u32.to_le_bytes().to_vec();
        bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        assert_eq!(band_key(5, &values), murmur3(&bytes, 0));
    }

    #[test]
    fn numbers_of_the_lecture() {
        let expected = &example("lsh_slide_numbers")["expected"];
        assert_close(recall_at(0.8, 1, 5), &expected["p_band_0.8"]);
        assert_close(1.0 - recall_at(0.8, 20, 5), &expected["false_negative_0.8"]);
        assert_close(recall_at(0.9, 1, 5), &expected["p_band_0.9"]);
        assert_close(1.0 - recall_at(0.9, 10, 5), &expected["slide_0.9_exponent_10"]);
        assert_close(1.0 - recall_at(0.9, 20, 5), &expected["true_false_negative_0.9"]);
        assert_close(recall_at(0.4, 1, 5), &expected["p_band_0.4"]);
        assert_close(1.0 - recall_at(0.4, 20, 5), &expected["no_match_0.4"]);
        assert_close(recall_at(0.4, 20, 5), &expected["candidate_0.4"]);

        let curve = example("lsh_scurve");
        for (s, p) in list(&curve["input"]).iter().zip(list(&curve["expected"]["p"])) {
            assert_close(recall_at(s.as_f64().unwrap(), 20, 5), p);
        }
        assert_close(steepest(20, 5), &curve["expected"]["threshold_(1/b)^(1/r)"]);
        assert_close(
            recall_at(steepest(20, 5), 20, 5),
            &curve["expected"]["p_at_threshold"],
        );
    }

    #[test]
    fn pigeonhole_bounds_of_the_lecture() {
        let bounds = example("lsh_slide_bounds");
        let (bands, rows) = (20, 5);
        assert_eq!(
            bands - 10,
            bounds["expected"]["min_equal_bands_if_10_differ"]
                .as_i64()
                .unwrap()
        );
        assert_eq!(
            (bands - 20).max(0),
            bounds["expected"]["min_equal_bands_if_20_differ"]
                .as_i64()
                .unwrap()
        );
        assert_eq!(
            (bands * rows - 60) / rows,
            bounds["expected"]["max_equal_bands_if_60_differ"]
                .as_i64()
                .unwrap()
        );
    }

    #[test]
    fn plans_take_the_most_rows_and_the_fewest_bands_that_reach_the_recall() {
        assert_eq!(Banding::plan(0.7, 128, 0.9995), Banding { bands: 28, rows: 4 });
        assert_eq!(Banding::plan(0.8, 128, 0.9995), Banding { bands: 20, rows: 5 });
        assert_eq!(Banding::plan(0.8, 100, 0.999), Banding { bands: 18, rows: 5 });
        assert_eq!(Banding::plan(1.0, 128, 0.9995), Banding { bands: 1, rows: 128 });
        assert_eq!(Banding::plan(0.01, 8, 1.0), Banding { bands: 8, rows: 1 });
        assert_eq!(Banding::plan(0.5, 0, 0.5), Banding { bands: 1, rows: 1 });
        for threshold in [0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95] {
            let plan = Banding::plan(threshold, 128, 0.9995);
            assert!(plan.recall_at(threshold) >= 0.9995 || plan.rows == 1);
            assert!(recall_at(threshold, 128 / (plan.rows + 1), plan.rows + 1) < 0.9995);
            assert!(recall_at(threshold, plan.bands - 1, plan.rows) < 0.9995);
        }
    }
}
