//! Settings as text, for storing and reading back.

use serde::{Deserialize, Serialize};

use crate::candidates::method::Candidates;
use crate::cluster::clustering::Clustering;
use crate::engine::options::{Action, Deletion, Options, ShortDocuments};
use crate::keep::keeper::Keeper;
use crate::sign::method::Method;
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::Family;
use crate::text::shingle::Shingler;
use crate::verify::similarity::Similarity;

/// [`Options`] in stored form. Strategies are written `NAME` or `NAME:parameter=value,...`. Missing fields have their
/// defaults. The statistics and descriptive words of a collection are not included.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct OptionsRecord {
    /// See [`Options::with_threshold`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threshold: Option<f64>,
    /// See [`Options::with_shingler`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shingler: Option<Shingler>,
    /// See [`Options::with_signature`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// See [`Options::with_candidates`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub candidates: Option<String>,
    /// See [`Options::with_similarity`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub similarity: Option<String>,
    /// See [`Options::with_verification`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verify: Option<bool>,
    /// See [`Options::with_estimates`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimates: Option<bool>,
    /// See [`Options::with_clustering`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clustering: Option<String>,
    /// See [`Options::with_deletion`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deletion: Option<Deletion>,
    /// See [`Options::with_keeper`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keeper: Option<String>,
    /// See [`Options::with_min_tokens`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_tokens: Option<u32>,
    /// See [`Options::with_short`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub short: Option<ShortDocuments>,
    /// The actions for exact duplicates and for near-duplicates; see [`Options::with_actions`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actions: Option<(Action, Action)>,
    /// See [`Options::with_max_keep`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_keep: Option<u32>,
    /// See [`Options::with_max_per_host`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_per_host: Option<u32>,
    /// See [`Options::with_latest_date`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latest_date: Option<i64>,
}

impl TryFrom<&OptionsRecord> for Options {
    type Error = BuildError;

    /// # Errors
    /// If a strategy or one of its parameters is unknown, or if a parameter's value is out of its range.
    fn try_from(record: &OptionsRecord) -> Result<Self, BuildError> {
        // Missing fields keep their defaults; strategies are parsed below, since this can fail.
        let defaults = Self::default();
        let (exact, near) = record.actions.unwrap_or((defaults.identical, defaults.near));
        let mut options = Self {
            threshold: record.threshold.unwrap_or(defaults.threshold),
            shingler: record.shingler.unwrap_or(defaults.shingler),
            verify: record.verify.unwrap_or(defaults.verify),
            estimates: record.estimates.unwrap_or(defaults.estimates),
            min_tokens: record.min_tokens.unwrap_or(defaults.min_tokens),
            short: record.short.unwrap_or(defaults.short),
            deletion: record.deletion.unwrap_or(defaults.deletion),
            max_keep: record.max_keep.unwrap_or(defaults.max_keep),
            max_per_host: record.max_per_host,
            latest_date: record.latest_date,
            ..defaults
        }
        .with_actions(exact, near);
        if let Some(text) = &record.signature {
            options = options.with_signature(<dyn Method>::parse(text)?);
        }
        if let Some(text) = &record.candidates {
            options = options.with_candidates(<dyn Candidates>::parse(text)?);
        }
        if let Some(text) = &record.similarity {
            options = options.with_similarity(<dyn Similarity>::parse(text)?);
        }
        if let Some(text) = &record.clustering {
            options = options.with_clustering(<dyn Clustering>::parse(text)?);
        }
        if let Some(text) = &record.keeper {
            options = options.with_keeper(<dyn Keeper>::parse(text)?);
        }
        Ok(options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_settings_are_read_back() {
        let text = r#"{"threshold":0.7,"shingler":{"unit":"char","width":5,"bag":false,"padded":true},"signature":"minhash:width=64,seed=7","actions":["delete","keep"]}"#;
        let record: OptionsRecord = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&record).unwrap(), text);
        let options = Options::try_from(&record).unwrap();
        assert_eq!(options.threshold(), 0.7);
        assert_eq!(options.shingler(), Shingler::chars(5).with_padding(true));
        assert_eq!(options.signature().form(), crate::sign::Form::Values(64));
        assert_eq!(options.keeper().name(), "first-seen");

        let wrong = OptionsRecord {
            signature: Some("minhash:widht=64".to_owned()),
            ..OptionsRecord::default()
        };
        let error = Options::try_from(&wrong).err().unwrap();
        assert_eq!(error.parameter(), Some("widht"));
        assert!(serde_json::from_str::<OptionsRecord>(r#"{"treshold":0.5}"#).is_err());
    }
}
