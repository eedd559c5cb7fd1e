//! The verdict on a block, on the page that explains a document.

use dehusk_extract::BlockRecord;

/// Probabilities of being main text at which a block counts as unsure.
const UNSURE_PROBABILITY: std::ops::RangeInclusive<f64> = 0.3..=0.7;

/// Reasons given by manual rules.
const RULE_REASONS: &[&str] = &["rule-extract", "rule-remove", "outside-rule"];

/// Verdict on a block: kept or dropped, with or without certainty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlockVerdict {
    /// Part of the main text.
    Kept,
    /// Kept with low certainty.
    KeptUnsure,
    /// Dropped with low certainty.
    DroppedUnsure,
    /// Not part of the main text.
    Dropped,
}

impl BlockVerdict {
    /// All verdicts, in the order of legends.
    pub const ALL: [BlockVerdict; 4] = [
        BlockVerdict::Kept,
        BlockVerdict::KeptUnsure,
        BlockVerdict::DroppedUnsure,
        BlockVerdict::Dropped,
    ];

    /// The verdict on a block. It is unsure if its probability of being main text is near one half. If the
    /// method gives no probability, it is unsure if most other methods decided differently.
    pub fn of(block: &BlockRecord) -> BlockVerdict {
        let chance = block.scores.iter().find(|(name, _)| *name == "chance");
        let against = block.votes.iter().filter(|(_, kept)| *kept != block.kept).count();
        let unsure = match chance {
            // Decisions of manual rules are certain.
            _ if RULE_REASONS.contains(&block.reason) => false,
            Some((_, chance)) => UNSURE_PROBABILITY.contains(chance),
            None => 2 * against > block.votes.len(),
        };
        match (block.kept, unsure) {
            (true, false) => BlockVerdict::Kept,
            (true, true) => BlockVerdict::KeptUnsure,
            (false, true) => BlockVerdict::DroppedUnsure,
            (false, false) => BlockVerdict::Dropped,
        }
    }

    /// Whether the block was kept or dropped with low certainty.
    pub fn is_unsure(self) -> bool {
        matches!(self, BlockVerdict::KeptUnsure | BlockVerdict::DroppedUnsure)
    }

    /// Style classes of blocks with this verdict.
    pub fn classes(self) -> &'static str {
        match self {
            BlockVerdict::Kept => "kept",
            BlockVerdict::KeptUnsure => "unsure",
            BlockVerdict::DroppedUnsure => "unsure out",
            BlockVerdict::Dropped => "dropped",
        }
    }

    /// Name of the verdict in a legend.
    pub fn title(self) -> &'static str {
        match self {
            BlockVerdict::Kept => "kept",
            BlockVerdict::KeptUnsure => "kept, but not sure",
            BlockVerdict::DroppedUnsure => "dropped, but not sure",
            BlockVerdict::Dropped => "dropped",
        }
    }

    /// Class of the verdict in drawings: `kept`, `unsure` or `dropped`.
    pub fn name(self) -> &'static str {
        match self {
            BlockVerdict::Kept => "kept",
            BlockVerdict::KeptUnsure | BlockVerdict::DroppedUnsure => "unsure",
            BlockVerdict::Dropped => "dropped",
        }
    }
}
