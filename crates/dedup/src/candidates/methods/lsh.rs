//! Locality-sensitive hashing: documents that share a band of their signatures are candidates.

use crate::candidates::columns::{KeyColumns, Layout};
use crate::candidates::input::{Check, JoinCounts, JoinInput};
use crate::candidates::join::group::{GroupLimit, KEY_BITS};
use crate::candidates::join::memory::{self, Columns};
use crate::candidates::method::{Candidates, Index};
use crate::candidates::pair::ScoredPair;
use crate::numeric::narrow;
use crate::numeric::random::{fold, mix};
use crate::sign::banding::Banding;
use crate::sign::method::{Form, Method, wrong_form};
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::{Parameter, Strategy};
use crate::strategy::value::{at_least, number, within};
use crate::text::document::{Context, Document};

/// Banding (Indyk, Motwani 1998; Leskovec, Rajaraman, Ullman, *Mining of Massive Datasets*, chapter 3): the
/// signature is cut into bands, and documents with an equal band are candidates.
///
/// Equal bands are found by sorting (key, document). A key is the upper [`KEY_BITS`] bits of a band's 64-bit hash.
/// Among a billion documents about 1,800 pairs per band then agree by chance; verification removes them.
///
/// A bucket is the set of documents with an equal band. A search may compare about `max_bucket / 4` pairs
/// per document, and a million pairs in any case. If the buckets have no more pairs than that, all of them
/// are compared. Otherwise each member of a large bucket is compared with a number of others that keeps
/// this budget: with the first members by content hash, and with the members whose other bands are most
/// similar. So the work is linear in the number of documents, for any sizes of buckets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lsh {
    bands: Option<u32>,
    rows: Option<u32>,
    recall: f64,
    max_bucket: u32,
}

impl Lsh {
    /// The defaults: bands and rows planned from threshold and signature width, recall 0.9995, buckets of up to 1000
    /// documents.
    pub const DEFAULT: Self = Self {
        bands: None,
        rows: None,
        recall: 0.9995,
        max_bucket: GroupLimit::DEFAULT,
    };

    /// Number of bands, 1 or more. Without [`with_rows`](Self::with_rows) it must divide the signature
    /// width. Default: planned by [`Banding::plan`]; if rows are given, the number of bands that fit into
    /// the signature. More bands find more similar pairs and propose more dissimilar ones.
    #[must_use]
    pub const fn with_bands(mut self, bands: u32) -> Self {
        self.bands = Some(bands);
        self
    }

    /// Number of values in a band, 1 or more. Default: planned, or the signature width divided by the number of bands.
    /// More rows propose fewer dissimilar pairs.
    #[must_use]
    pub const fn with_rows(mut self, rows: u32) -> Self {
        self.rows = Some(rows);
        self
    }

    /// Wanted probability that a pair exactly at the threshold is found, 0 to 1, default 0.9995. It is used to plan the
    /// banding if neither bands nor rows are given.
    #[must_use]
    pub const fn with_recall(mut self, recall: f64) -> Self {
        self.recall = recall;
        self
    }

    /// Largest number of documents with an equal band among which all pairs are compared, 2 or more,
    /// default 1000. A search compares about a quarter of this number of pairs per document, where a pair
    /// counts once per common band. If there are more pairs, the largest buckets are not compared
    /// completely.
    #[must_use]
    pub const fn with_max_bucket(mut self, max_bucket: u32) -> Self {
        self.max_bucket = max_bucket;
        self
    }

    /// The bands and rows for signatures of `width` values.
    ///
    /// # Errors
    /// If bands and rows do not fit in the signature, or one of them is 0.
    pub fn banding(&self, width: u32, threshold: f64) -> Result<Banding, BuildError> {
        // `u32::MAX` stands for a value that is not set, so it passes the check.
        for (name, value) in [("bands", self.bands), ("rows", self.rows)] {
            at_least(name, value.unwrap_or(u32::MAX), 1)?;
        }
        let banding = match (self.bands, self.rows) {
            (None, None) => Banding::plan(threshold, width, self.recall),
            (Some(bands), None) if width.is_multiple_of(bands) => Banding {
                bands,
                rows: width / bands,
            },
            (Some(bands), None) => return Err(BuildError::indivisible(bands, width)),
            (None, Some(rows)) => Banding {
                bands: (width / rows).max(1),
                rows,
            },
            (Some(bands), Some(rows)) => Banding { bands, rows },
        };
        if banding.width() > u64::from(width) {
            return Err(BuildError::too_wide(banding.bands, banding.rows, width));
        }
        Ok(banding)
    }
}

impl Strategy for Lsh {
    fn name(&self) -> &'static str {
        "lsh"
    }

    fn summary(&self) -> &'static str {
        "documents that share a band of their signatures"
    }

    fn parameters(&self) -> &'static [Parameter] {
        const {
            &[
                Parameter::new(
                    "bands",
                    "auto",
                    "number of bands, 1 or more, or auto: from the threshold",
                ),
                Parameter::new(
                    "rows",
                    "auto",
                    "values per band, 1 or more, or auto: from the threshold",
                ),
                Parameter::new(
                    "recall",
                    "0.9995",
                    "wanted recall of pairs at the threshold, 0 to 1",
                ),
                Parameter::new(
                    "max_bucket",
                    "1000",
                    "documents with an equal band among which all pairs are compared, 2 or more",
                ),
            ]
        }
    }

    fn change(&mut self, parameter: &str, value: &str) -> Result<bool, BuildError> {
        let count = |name| {
            if value == "auto" {
                Ok(None)
            } else {
                number(name, value, 1..=u32::MAX).map(Some)
            }
        };
        match parameter {
            "bands" => self.bands = count("bands")?,
            "rows" => self.rows = count("rows")?,
            "recall" => self.recall = number("recall", value, 0.0..=1.0)?,
            "max_bucket" => self.max_bucket = number("max_bucket", value, 2..=u32::MAX)?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl Candidates for Lsh {
    fn index(&self, signature: &dyn Method, context: &Context) -> Result<Box<dyn Index>, BuildError> {
        let Form::Values(width) = signature.form() else {
            return Err(wrong_form(
                signature,
                "candidates",
                self.name(),
                "values that are compared place by place",
            ));
        };
        within("recall", self.recall, 0.0..=1.0)?;
        at_least("max_bucket", self.max_bucket, 2)?;
        let banding = self.banding(width, context.threshold)?;
        let of = |equal: u32| {
            let share = f64::from(equal) / f64::from(banding.bands);
            share.powf(1.0 / f64::from(banding.rows))
        };
        Ok(Box::new(BandIndex {
            banding,
            limit: GroupLimit::new(self.max_bucket),
            starts: (1..=u64::from(banding.bands)).map(mix).collect(),
            estimates: (0..=banding.bands).map(of).collect(),
        }))
    }
}

/// Banding, prepared for a run. A row holds the key of each band.
struct BandIndex {
    banding: Banding,
    limit: GroupLimit,
    /// The initial value of the hash of each band.
    starts: Vec<u64>,
    /// The estimate for each number of equal bands.
    estimates: Vec<f64>,
}

/// The hash of a band, from the band's initial value and its signature values. Signature values are random already, so
/// it costs a tenth of [`band_key`](crate::band_key), whose exact bytes matter only if keys are compared with those of
/// other programs.
fn quick_key(start: u64, values: &[u64]) -> u64 {
    mix(values
        .iter()
        .fold(start, |key, &value| fold(key ^ value).wrapping_add(value)))
}

impl BandIndex {
    /// The key of each band. Equal values in two different bands have different keys.
    fn band_keys(&self, signature: &[u64]) -> impl Iterator<Item = u64> {
        let bands = signature.chunks_exact(self.banding.rows as usize);
        self.starts
            .iter()
            .zip(bands)
            .map(|(&start, values)| quick_key(start, values))
    }
}

impl Index for BandIndex {
    fn row(&self, _: &Document<'_>, signature: &[u64], out: &mut Vec<u64>) {
        let keys = self.band_keys(signature);
        KeyColumns::pack(Layout::One, keys.map(|key| key >> (u64::BITS - KEY_BITS)), out);
    }

    fn keys(&self, signature: &[u64], out: &mut Vec<u64>) -> bool {
        out.extend(self.band_keys(signature));
        true
    }

    fn estimate(&self, a: &[u64], b: &[u64]) -> Option<f64> {
        let equal = (0..self.banding.bands)
            .filter(|&band| KeyColumns::key(a, band) == KeyColumns::key(b, band))
            .count();
        self.estimate_of(narrow::to_u32(equal))
    }

    fn estimate_of(&self, equal: u32) -> Option<f64> {
        self.estimates.get(equal as usize).copied()
    }

    fn banding(&self) -> Option<Banding> {
        Some(self.banding)
    }

    fn columns(&self) -> Option<KeyColumns> {
        Some(KeyColumns {
            columns: self.banding.bands,
            limit: self.limit,
            layout: Layout::One,
            asked: false,
        })
    }

    fn join(&self, input: &JoinInput<'_>, check: &Check<'_>, found: &mut Vec<ScoredPair>) -> JoinCounts {
        memory::join(self, self.limit, input, check, found)
    }
}

impl Columns for BandIndex {
    fn columns(&self) -> u32 {
        self.banding.bands
    }

    #[inline]
    fn keys<'r>(&self, band: u32, row: &'r [u64]) -> impl Iterator<Item = u64> + use<'r> {
        // A document without a signature has no keys.
        (!row.is_empty()).then(|| KeyColumns::key(row, band)).into_iter()
    }
}
