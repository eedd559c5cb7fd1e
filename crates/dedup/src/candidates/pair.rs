//! Pairs of documents.

/// Which of two documents lies inside the other, by a similarity that looks for that.
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Contained {
    /// The similarity does not say.
    #[default]
    Neither,
    /// The first document, `a`, lies inside the second one.
    First,
    /// The second document, `b`, lies inside the first one.
    Second,
    /// Each lies inside the other: they are of equal size.
    Both,
}

impl Contained {
    /// The same of the documents in the other order.
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
/// A pair takes 24 bytes, since millions of them may be in memory.
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
    /// The estimate, or [`NO_ESTIMATE`].
    estimate: f32,
    contained: Contained,
}

/// Stands for no estimate: estimates are not negative.
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

    /// An estimate of the similarity from signatures or the index alone, 0 to 1, if there is one.
    #[must_use]
    pub fn estimate(&self) -> Option<f32> {
        (self.estimate >= 0.0).then_some(self.estimate)
    }

    /// The same pair with another estimate.
    #[must_use]
    pub(crate) fn with_estimate(self, estimate: Option<f32>) -> Self {
        Self {
            estimate: estimate.map_or(NO_ESTIMATE, |estimate| estimate.max(0.0)),
            ..self
        }
    }

    /// Which of `a` and `b` lies inside the other. Similarities other than containment do not say.
    #[must_use]
    pub const fn contained(&self) -> Contained {
        self.contained
    }

    /// The same pair, of which this is known about `a` and `b`.
    #[must_use]
    pub const fn with_contained(self, contained: Contained) -> Self {
        Self { contained, ..self }
    }

    /// The same figures of two other documents: `a` stands for the own `a`, and `b` for the own `b`.
    pub(crate) fn between(self, a: u32, b: u32) -> Self {
        let contained = if a > b {
            self.contained.swapped()
        } else {
            self.contained
        };
        Self::new(a, b, self.similarity, self.estimate()).with_contained(contained)
    }
}

/// A pair as it is serialized.
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
        // 3 lies inside 7; so does what stands for 3, whatever its number.
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
