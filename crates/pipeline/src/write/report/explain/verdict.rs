//! Label of a block on the page that explains a document.

use dehusk_extract::BlockRecord;

/// Probabilities of being main text at which a block counts as unsure.
const UNSURE_PROBABILITY: std::ops::RangeInclusive<f64> = 0.3..=0.7;

/// Reasons given by manual rules.
const RULE_REASONS: &[&str] = &["rule-extract", "rule-remove", "outside-rule"];

/// Label of a block: kept, dropped, or unsure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlockVerdict {
    /// Part of the main text.
    Kept,
    /// Kept or dropped with low certainty.
    Unsure,
    /// Not part of the main text.
    Dropped,
}

impl BlockVerdict {
    /// All labels.
    pub const ALL: [BlockVerdict; 3] = [BlockVerdict::Kept, BlockVerdict::Unsure, BlockVerdict::Dropped];

    /// The label of a block. It is unsure if its probability of being main text is near one half. If the method gives no probability, it is
    /// unsure if most other methods decided differently.
    pub fn of(block: &BlockRecord) -> BlockVerdict {
        let chance = block.scores.iter().find(|(name, _)| *name == "chance");
        let against = block.votes.iter().filter(|(_, kept)| *kept != block.kept).count();
        let unsure = match chance {
            // Decisions of manual rules are certain.
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

    /// Style classes of a block: the name of its label, and `out` for an unsure block that is dropped.
    pub fn classes(block: &BlockRecord) -> &'static str {
        match BlockVerdict::of(block) {
            BlockVerdict::Unsure if !block.kept => "unsure out",
            verdict => verdict.name(),
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
