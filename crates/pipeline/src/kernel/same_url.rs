//! Documents with the same URL. Only one of them takes part in the search for duplicates.

use std::borrow::Cow;
use std::collections::BTreeMap;

use xxhash_rust::xxh3::xxh3_128;

use crate::kernel::document_table::DocumentTable;
use crate::read::same_address::normal;
use crate::settings::SameUrl;

/// Documents that are removed because another document with their URL takes part instead.
#[derive(Default)]
pub(crate) struct Folded {
    /// Each removed document, with the document that takes part instead, in ascending order.
    stands_for: Vec<(u32, u32)>,
}

impl Folded {
    /// Folds the documents of a table by URL, without those that are not `present`. `None` if the rule
    /// keeps all.
    pub(crate) fn of(table: &DocumentTable, rule: SameUrl, present: impl Fn(&u32) -> bool) -> Option<Self> {
        if rule == SameUrl::Keep {
            return None;
        }
        // Documents without a URL are not folded.
        let documents = (0..table.len())
            .filter(present)
            .filter(|document| !table.url(*document).is_empty());
        let hashed = documents.map(|document| (xxh3_128(normal(table.url(document)).as_bytes()), document));
        let mut hashed: Vec<(u128, u32)> = hashed.collect();
        hashed.sort_unstable();
        let mut stands_for = Vec::new();
        for equal in hashed.chunk_by(|a, b| a.0 == b.0).filter(|equal| equal.len() > 1) {
            // Equal hashes are verified: otherwise an attacker could construct a collision to remove a page of another site.
            let mut groups: BTreeMap<Cow<'_, str>, Vec<u32>> = BTreeMap::new();
            for (_, document) in equal {
                groups
                    .entry(normal(table.url(*document)))
                    .or_default()
                    .push(*document);
            }
            for group in groups.values() {
                let Some(stays) = chosen(table, rule, group) else {
                    continue;
                };
                let others = group.iter().filter(|document| **document != stays);
                stands_for.extend(others.map(|document| (*document, stays)));
            }
        }
        stands_for.sort_unstable();
        Some(Folded { stands_for })
    }

    /// Returns the document that takes part instead of this one. `None` if this one takes part.
    pub(crate) fn stays_for(&self, document: u32) -> Option<u32> {
        let place = self
            .stands_for
            .binary_search_by_key(&document, |(document, _)| *document);
        place.ok().map(|place| self.stands_for[place].1)
    }

    /// Returns the removed documents, in ascending order.
    pub(crate) fn documents(&self) -> impl Iterator<Item = u32> {
        self.stands_for.iter().map(|(document, _)| *document)
    }

    /// Returns the bytes of memory of the list.
    pub(crate) fn bytes(&self) -> u64 {
        (self.stands_for.capacity() * size_of::<(u32, u32)>()) as u64
    }
}

/// Returns the document of a group that takes part. `group` is in input order.
fn chosen(table: &DocumentTable, rule: SameUrl, group: &[u32]) -> Option<u32> {
    match rule {
        SameUrl::Keep | SameUrl::First => group.first().copied(),
        // Among equal dates the last in input order wins. Unknown dates (`None`) compare less than known ones.
        SameUrl::Newest => {
            let by_date = group
                .iter()
                .max_by_key(|document| (table.date(**document), **document));
            by_date.copied()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::document_table::DocumentFacts;
    use crate::record::Ranking;

    fn table(documents: &[(Option<&str>, Option<&str>)]) -> DocumentTable {
        let mut table = DocumentTable::default();
        for (number, (url, date)) in documents.iter().enumerate() {
            let ranking = Ranking {
                date: date.map(Into::into),
                ..Ranking::default()
            };
            table.push(&DocumentFacts::new(format!("d{number}"), *url, &ranking, "x"));
        }
        table.close();
        table
    }

    fn folded(documents: &[(Option<&str>, Option<&str>)], rule: SameUrl) -> Vec<Option<u32>> {
        let table = table(documents);
        let folded = Folded::of(&table, rule, |_| true).unwrap();
        assert_eq!(
            folded.documents().count(),
            (0..table.len())
                .filter(|d| folded.stays_for(*d).is_some())
                .count()
        );
        (0..table.len())
            .map(|document| folded.stays_for(document))
            .collect()
    }

    #[test]
    fn the_newest_or_the_first_of_an_address_takes_part() {
        let a = Some("http://a.example/");
        let documents = [
            (a, Some("2024-01-01")),
            (Some("http://A.example"), Some("2024-03-01")),
            (Some("http://b.example/"), None),
            (Some("http://a.example/#top"), None),
            (None, Some("2024-01-01")),
            (None, None),
            (Some("http://b.example/"), None),
            (a, Some("2024-03-01")),
            (Some(""), None),
            (Some("http://c.example/"), None),
        ];
        let newest = folded(&documents, SameUrl::Newest);
        let (seven, six) = (Some(7), Some(6));
        assert_eq!(
            newest,
            [seven, seven, six, seven, None, None, None, None, None, None]
        );
        let first = folded(&documents, SameUrl::First);
        let (zero, two) = (Some(0), Some(2));
        assert_eq!(first, [None, zero, None, zero, None, None, two, zero, None, None]);
        assert!(Folded::of(&table(&documents), SameUrl::Keep, |_| true).is_none());
    }
}
