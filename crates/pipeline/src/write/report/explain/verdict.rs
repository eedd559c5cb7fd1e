//! How the page marks a block.

use dehusk_extract::BlockRecord;

/// Probabilities of being main text for which a block counts as unsure.
const UNSURE_PROBABILITY: std::ops::RangeInclusive<f64> = 0.3..=0.7;

/// Reasons that rules by hand give.
const RULE_REASONS: &[&str] = &["rule-extract", "rule-remove", "outside-rule"];

/// How the page marks a block: kept, dropped, or neither for sure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlockVerdict {
    /// Part of the main text.
    Kept,
    /// Kept or dropped, and not for sure.
    Unsure,
    /// No part of it.
    Dropped,
}

impl BlockVerdict {
    /// All of them.
    pub const ALL: [BlockVerdict; 3] = [BlockVerdict::Kept, BlockVerdict::Unsure, BlockVerdict::Dropped];

    /// A block is unsure if its probability of being main text is near one half; where the method gives none, if most other methods
    /// decide otherwise.
    pub fn of(block: &BlockRecord) -> BlockVerdict {
        let chance = block.scores.iter().find(|(name, _)| *name == "chance");
        let against = block.votes.iter().filter(|(_, kept)| *kept != block.kept).count();
        let unsure = match chance {
            // What a person wrote is sure.
            _ if RULE_REASONS.contains(&block.reason) => false,
            Some((_, chance)) => UNSURE_PROBABILITY.contains(chance),
            None => 2 * against > block.votes.len(),
        };
        match (unsure, block.kept) {
            (true, _) => BlockVerdict::Unsure,
            (false, true) => BlockVerdict::Kept,
            (false, false) => BlockVerdict::Dropped,
        }
    }

    /// Its name: `kept`, `unsure` or `dropped`.
    pub fn name(self) -> &'static str {
        match self {
            BlockVerdict::Kept => "kept",
            BlockVerdict::Unsure => "unsure",
            BlockVerdict::Dropped => "dropped",
        }
    }
}
