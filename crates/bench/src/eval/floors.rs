//! Floors of extraction scores: `tests/floors.toml`.

use std::collections::BTreeMap;
use std::fs;

use serde::Deserialize;

use super::metrics::Metric;
use crate::result::Result;
use crate::root::root;

/// Floors of the regression scores of one set.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Floor {
    /// [`Set::digest`](crate::data::Set::digest) of the data for which the floors were set.
    pub(crate) digest: String,
    /// Pages whose `reach` is below this value are not scored.
    #[serde(default)]
    pub(crate) min_reach: f64,
    lcs: Option<f64>,
    word: Option<f64>,
    shingle: Option<f64>,
    segment: Option<f64>,
}

impl Floor {
    /// Returns the smallest accepted F1 of a metric, or `None` if there is no floor.
    pub(crate) fn of(&self, metric: Metric) -> Option<f64> {
        match metric {
            Metric::Lcs => self.lcs,
            Metric::Word => self.word,
            Metric::Shingle => self.shingle,
            Metric::Segment => self.segment,
        }
    }
}

/// Floors of one set in cross-validation: mean F1 by the longest common subsequence of words.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct HeldOut {
    /// [`Set::digest`](crate::data::Set::digest) of the data for which the floors were set.
    pub(crate) digest: String,
    /// Floor of all pages.
    pub(crate) lcs: f64,
    /// Floors of the pages of a kind or language.
    #[serde(default)]
    groups: BTreeMap<String, f64>,
}

/// Compares the scores of a cross-validation, named `SET` and `SET/GROUP`, with the floors, and prints a
/// line for each floor.
///
/// # Errors
/// If a score is below its floor or missing, or if the labels are not those for which the floors were set;
/// the message lists these sets.
pub(crate) fn check_held_out(
    floors: &BTreeMap<String, HeldOut>,
    digests: &BTreeMap<String, String>,
    figures: &BTreeMap<String, f64>,
) -> Result<()> {
    let mut failed = Vec::new();
    for (set, floor) in floors {
        if digests.get(set) != Some(&floor.digest) {
            failed.push(format!(
                "{set}: the labels are not those that the floors were fixed on"
            ));
            continue;
        }
        let groups = floor.groups.iter();
        let groups = groups.map(|(group, least)| (format!("{set}/{group}"), *least));
        for (name, least) in std::iter::once((set.clone(), floor.lcs)).chain(groups) {
            // A missing score is a score of 0, so that a floor cannot be passed by leaving out its pages.
            let reached = figures.get(&name).copied().unwrap_or(0.0);
            let line = format!("{name}: held out F1 {reached:.3}, floor {least}");
            println!("{} {line}", if reached >= least { "ok  " } else { "FAIL" });
            if reached < least {
                failed.push(line);
            }
        }
    }
    if failed.is_empty() {
        Ok(())
    } else {
        Err(failed.join("; ").into())
    }
}

/// Reads `tests/floors.toml`.
pub(crate) fn read() -> Result<Floors> {
    let path = root().join("tests/floors.toml");
    let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    toml::from_str(&text).map_err(|e| format!("{}: {e}", path.display()).into())
}

/// All floors.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Floors {
    /// Hash of the features of the fixture pages with which the models were trained; see `train/gate.rs`.
    #[cfg_attr(not(test), expect(dead_code, reason = "a test holds it against the program"))]
    pub(crate) features: String,
    /// By set: floors of the scores on pages whose domain the trees were not trained on, as measured by
    /// `cargo xtask train`.
    pub(crate) held_out: BTreeMap<String, HeldOut>,
    /// By set: floors of the scores of the program. The trees were trained on most of these pages, so the
    /// scores do not measure quality, but a change of the program must not lower them.
    pub(crate) regression: BTreeMap<String, Floor>,
    /// Smallest F1 of the rows that `cargo xtask eval --sites` shows. Their pages include training pages.
    pub(crate) sites: BTreeMap<String, f64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_floor_can_be_reached() {
        let floors = read().unwrap();
        let right = |f1: f64| (0.0..1.0).contains(&f1);
        assert!(!floors.regression.is_empty() && !floors.sites.is_empty());
        assert!(floors.sites.values().copied().all(right));
        for (set, floor) in floors.regression {
            assert_eq!(floor.digest.len(), 32, "{set}");
            let given: Vec<f64> = Metric::ALL
                .into_iter()
                .filter_map(|metric| floor.of(metric))
                .collect();
            assert!(!given.is_empty(), "{set}: no floor");
            assert!(given.iter().copied().all(right), "{set}: {given:?}");
            assert!((0.0..=1.0).contains(&floor.min_reach), "{set}");
        }
        assert!(!floors.held_out.is_empty());
        for (set, floor) in floors.held_out {
            assert_eq!(floor.digest.len(), 32, "{set}");
            assert!(
                right(floor.lcs) && floor.groups.values().copied().all(right),
                "{set}"
            );
        }
    }

    #[test]
    fn figures_below_a_floor_of_other_labels_and_missing_ones_fail() {
        let floors = r#"a = { digest = "1", lcs = 0.8, groups = { forum = 0.7 } }"#;
        let floors: BTreeMap<String, HeldOut> = toml::from_str(floors).unwrap();
        let of = |digest: &str, figures: &[(&str, f64)]| {
            let digests = BTreeMap::from([("a".to_owned(), digest.to_owned())]);
            let figures = figures
                .iter()
                .map(|(name, f1)| ((*name).to_owned(), *f1))
                .collect();
            check_held_out(&floors, &digests, &figures).map_err(|error| error.to_string())
        };
        assert_eq!(of("1", &[("a", 0.8), ("a/forum", 0.71)]), Ok(()));
        let below = of("1", &[("a", 0.79), ("a/forum", 0.71)]).unwrap_err();
        assert_eq!(below, "a: held out F1 0.790, floor 0.8");
        assert!(
            of("1", &[("a", 0.9)])
                .unwrap_err()
                .starts_with("a/forum: held out F1 0.000")
        );
        assert!(
            of("2", &[("a", 0.9), ("a/forum", 0.9)])
                .unwrap_err()
                .contains("the labels are not")
        );
    }
}
