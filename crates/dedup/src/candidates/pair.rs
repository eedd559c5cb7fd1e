//! Pairs of documents with their similarity.

/// Which of two documents lies inside the other. Only containment similarities set it.
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Contained {
    /// Not known: the similarity does not measure containment.
    #[default]
    Neither,
    /// The first document, `a`, lies inside the second one.
    First,
    /// The second document, `b`, lies inside the first one.
    Second,
    /// Each document lies inside the other: both have equal sizes.
    Both,
}

impl Contained {
    /// The value for the two documents in swapped order.
    #[must_use]
    pub const fn swapped(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
            Self::Neither | Self::Both => self,
        }
    }
}

/// Two documents that were compared.
///
/// A pair takes 24 bytes, because millions of pairs may be in memory.
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(from = "PairRecord", into = "PairRecord")
)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoredPair {
    /// The smaller document number.
    pub a: u32,
    /// The larger document number.
    pub b: u32,
    /// Their similarity by the verifying measure, 0 to 1.
    pub similarity: f64,
    /// The estimate, or [`NO_ESTIMATE`] if absent.
    estimate: f32,
    contained: Contained,
}

/// Marks a missing estimate. Estimates are never negative.
const NO_ESTIMATE: f32 = -1.0;

impl ScoredPair {
    /// A pair of two documents, given in any order. The estimate is from 0 to 1.
    #[must_use]
    pub fn new(a: u32, b: u32, similarity: f64, estimate: Option<f32>) -> Self {
        Self {
            a: a.min(b),
            b: a.max(b),
            similarity,
            estimate: NO_ESTIMATE,
            contained: Contained::Neither,
        }
        .with_estimate(estimate)
    }

    /// The estimate of the similarity from signatures or the index alone, 0 to 1. `None` if absent.
    #[must_use]
    pub fn estimate(&self) -> Option<f32> {
        (self.estimate >= 0.0).then_some(self.estimate)
    }

    /// This pair with another estimate.
    #[must_use]
    pub(crate) fn with_estimate(self, estimate: Option<f32>) -> Self {
        Self {
            estimate: estimate.map_or(NO_ESTIMATE, |estimate| estimate.max(0.0)),
            ..self
        }
    }

    /// Which of `a` and `b` lies inside the other. Always [`Contained::Neither`] for similarities other than
    /// containment.
    #[must_use]
    pub const fn contained(&self) -> Contained {
        self.contained
    }

    /// This pair with another `contained`, which refers to `a` and `b`.
    #[must_use]
    pub const fn with_contained(self, contained: Contained) -> Self {
        Self { contained, ..self }
    }

    /// These figures for two other documents: `a` takes the role of `self.a`, and `b` that of `self.b`. The arguments
    /// may be in any order.
    pub(crate) fn between(self, a: u32, b: u32) -> Self {
        let contained = if a > b {
            self.contained.swapped()
        } else {
            self.contained
        };
        Self::new(a, b, self.similarity, self.estimate()).with_contained(contained)
    }
}

/// The serialized form of a pair.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct PairRecord {
    a: u32,
    b: u32,
    similarity: f64,
    estimate: Option<f32>,
    #[serde(default)]
    contained: Contained,
}

#[cfg(feature = "serde")]
impl From<PairRecord> for ScoredPair {
    fn from(record: PairRecord) -> Self {
        let pair = Self::new(record.a, record.b, record.similarity, record.estimate);
        let swapped = record.a > record.b;
        pair.with_contained(if swapped {
            record.contained.swapped()
        } else {
            record.contained
        })
    }
}

#[cfg(feature = "serde")]
impl From<ScoredPair> for PairRecord {
    fn from(pair: ScoredPair) -> Self {
        Self {
            a: pair.a,
            b: pair.b,
            similarity: pair.similarity,
            estimate: pair.estimate(),
            contained: pair.contained,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_is_small_and_keeps_its_sides() {
        assert_eq!(size_of::<ScoredPair>(), 24);
        let pair = ScoredPair::new(7, 3, 0.9, Some(0.0)).with_contained(Contained::First);
        assert_eq!((pair.a, pair.b, pair.estimate()), (3, 7, Some(0.0)));
        // 3 lies inside 7. The document that replaces 3 lies inside the other one, whether its number is smaller or
        // larger.
        assert_eq!(pair.between(1, 9).contained(), Contained::First);
        assert_eq!(pair.between(9, 1).contained(), Contained::Second);
        assert_eq!(pair.between(9, 1).between(2, 8).contained(), Contained::Second);
        let both = pair.with_contained(Contained::Both);
        assert_eq!(both.between(9, 1).contained(), Contained::Both);
        assert_eq!(ScoredPair::new(1, 2, 0.5, None).estimate(), None);
        assert_eq!(ScoredPair::new(1, 2, 0.5, None).contained(), Contained::Neither);
    }

    #[cfg(feature = "serde")]
    #[test]
    fn a_pair_is_read_back() {
        for contained in [Contained::Neither, Contained::First, Contained::Both] {
            for estimate in [None, Some(0.25)] {
                let pair = ScoredPair::new(2, 5, 0.5, estimate).with_contained(contained);
                let text = serde_json::to_string(&pair).unwrap();
                assert_eq!(serde_json::from_str::<ScoredPair>(&text).unwrap(), pair, "{text}");
            }
        }
        let text = r#"{"a":5,"b":2,"similarity":0.5,"estimate":null}"#;
        let pair: ScoredPair = serde_json::from_str(text).unwrap();
        assert_eq!((pair.a, pair.b), (2, 5));
    }
}
