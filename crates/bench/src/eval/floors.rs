//! Scores below which extraction must not fall.

use std::collections::BTreeMap;
use std::fs;

use serde::Deserialize;

use super::metrics::Metric;
use crate::result::Result;
use crate::root::root;

/// What is demanded of one set.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Floor {
    /// [`Set::digest`](crate::data::Set::digest) of the data that the floors were fixed on.
    pub(super) digest: String,
    /// Pages of which less than this share of the gold is in the source do not count.
    #[serde(default)]
    pub(super) min_reach: f64,
    lcs: Option<f64>,
    word: Option<f64>,
    shingle: Option<f64>,
    segment: Option<f64>,
}

impl Floor {
    /// Smallest F1 of this metric that is accepted.
    pub(super) fn of(&self, metric: Metric) -> Option<f64> {
        match metric {
            Metric::Lcs => self.lcs,
            Metric::Word => self.word,
            Metric::Shingle => self.shingle,
            Metric::Segment => self.segment,
        }
    }
}

/// Reads `tests/floors.toml`.
pub(super) fn read() -> Result<Floors> {
    let path = root().join("tests/floors.toml");
    let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    toml::from_str(&text).map_err(|e| format!("{}: {e}", path.display()).into())
}

/// All floors.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct Floors {
    /// Of sets of pages, by name.
    pub(super) extraction: BTreeMap<String, Floor>,
    /// Smallest F1 of the rows that `cargo xtask eval --sites` shows.
    pub(super) sites: BTreeMap<String, f64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_floor_can_be_reached() {
        let floors = read().unwrap();
        assert!(!floors.extraction.is_empty() && !floors.sites.is_empty());
        assert!(floors.sites.values().all(|f1| (0.0..1.0).contains(f1)));
        for (set, floor) in floors.extraction {
            assert_eq!(floor.digest.len(), 32, "{set}");
            let given: Vec<f64> = Metric::ALL
                .into_iter()
                .filter_map(|metric| floor.of(metric))
                .collect();
            assert!(!given.is_empty(), "{set}: no floor");
            assert!(given.iter().all(|f1| (0.0..1.0).contains(f1)), "{set}: {given:?}");
            assert!((0.0..=1.0).contains(&floor.min_reach), "{set}");
        }
    }
}
