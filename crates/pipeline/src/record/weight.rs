//! Number of documents that a document represents.

use crate::record::field::{FieldName, FieldValue};

/// Field of kept documents and of documents of an index: the size of the cluster.
pub(crate) const CLUSTER_SIZE: &str = "cluster_size";
/// Field of kept documents and of documents of an index: the number of documents with the same text.
pub(crate) const COPIES: &str = "copies";

/// Number of documents that a document represents, including itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Weight {
    /// Documents in its cluster.
    pub(crate) cluster_size: u64,
    /// Documents with its text.
    pub(crate) copies: u64,
}

impl Weight {
    /// Weight of a document that represents only itself.
    pub(crate) const ONE: Weight = Weight {
        cluster_size: 1,
        copies: 1,
    };
    /// Weight of no document.
    pub(crate) const NONE: Weight = Weight {
        cluster_size: 0,
        copies: 0,
    };

    /// Returns the weight stated in a record: a document kept by an earlier run has the weight it had
    /// there. Missing values count as 1.
    pub(crate) fn of_record(record: &[u8]) -> Weight {
        let count = |name: &str| match FieldName::new(name).of(record) {
            // A document represents at least itself, whatever its record says.
            Some(FieldValue::Integer(count)) => u64::try_from(count).unwrap_or(1).max(1),
            _ => 1,
        };
        let copies = count(COPIES);
        Weight {
            // Copies belong to the cluster.
            cluster_size: count(CLUSTER_SIZE).max(copies),
            copies,
        }
    }

    /// Returns the weight that a document adds to its representative, which has the same text (`exact`) or
    /// not.
    pub(crate) fn for_other(self, exact: bool) -> Weight {
        Weight {
            copies: if exact { self.copies } else { 0 },
            ..self
        }
    }

    /// Adds the counts of another document.
    pub(crate) fn add(&mut self, other: Weight) {
        self.cluster_size = self.cluster_size.saturating_add(other.cluster_size);
        self.copies = self.copies.saturating_add(other.copies);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_that_say_nothing_of_use_stand_for_themselves() {
        let of = |record: &str| Weight::of_record(record.as_bytes());
        for record in [
            "{}",
            "no JSON",
            r#"{"copies":"many","cluster_size":null}"#,
            r#"{"copies":-3}"#,
            r#"{"copies":0,"cluster_size":0}"#,
        ] {
            assert_eq!(of(record), Weight::ONE, "{record}");
        }
        let weight = |cluster_size, copies| Weight { cluster_size, copies };
        assert_eq!(of(r#"{"cluster_size":7,"copies":3}"#), weight(7, 3));
        // The cluster includes all copies.
        assert_eq!(of(r#"{"copies":3}"#), weight(3, 3));
        assert_eq!(weight(7, 3).for_other(false), weight(7, 0));
        assert_eq!(weight(7, 3).for_other(true), weight(7, 3));
    }
}
