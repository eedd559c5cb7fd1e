//! The complete search: settings, batches of documents, pairs, and decisions about documents.

pub(crate) mod batch;
pub(crate) mod candidate_pairs;
pub(crate) mod compiled;
mod decide;
mod decider;
pub(crate) mod deduper;
pub(crate) mod document_rows;
pub(crate) mod document_signer;
pub(crate) mod elsewhere;
pub(crate) mod error;
pub(crate) mod exact_groups;
pub(crate) mod key_groups;
pub(crate) mod key_source;
mod known_similarity;
pub(crate) mod matcher;
pub(crate) mod options;
#[cfg(feature = "serde")]
pub(crate) mod options_record;
pub(crate) mod outcome;
pub(crate) mod pair_lists;
pub(crate) mod settle;
mod staying;
pub(crate) mod stored_features;
pub(crate) mod verified_pairs;
pub(crate) mod verify_batch;
