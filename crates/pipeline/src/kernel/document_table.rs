//! Table of documents by number: IDs, URLs, and the facts by which keepers choose.

use std::collections::HashMap;

use dehusk_html::narrow;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::kernel::id_set::IdSet;
use crate::record::field::FieldValue;
use crate::record::{Document, Ranking, date};

/// Ids, URLs and facts of all documents, packed.
#[derive(Default)]
pub(crate) struct DocumentTable {
    /// Concatenated ids and URLs.
    text: String,
    rows: Vec<Row>,
    /// Facts that few documents have, sorted by document.
    extras: Vec<Extra>,
    /// Preferences, sorted by document. Documents without one are left out.
    preferences: Vec<(u32, u32)>,
    /// Values of the field that the keeper reads, sorted by document. Empty if it reads none.
    values: Vec<(u32, Value)>,
    /// Concatenated texts of these values.
    value_text: String,
    /// Hashes of the ids so far. A collision numbers an id needlessly, and does no other harm.
    ids: IdSet,
    /// The last number appended to an id, by the hash of the id.
    times: HashMap<u64, u32>,
    repeated: u64,
}

/// End of the names of a document in the text, and their lengths.
#[derive(Clone, Copy)]
struct Row {
    end: u64,
    /// Length of the URL in bytes, which follows the id; `SAME` if the URL equals the id.
    url: u32,
    /// Number of characters, clamped to 32 bits.
    chars: u32,
}

/// Marks a URL that equals the ID.
const SAME: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Extra {
    document: u32,
    boilerplate_share: f32,
    /// Seconds since 1970; `i64::MIN` if unknown.
    date: i64,
    /// NaN if unknown.
    popularity: f64,
}

/// A value of the field that the keeper reads.
#[derive(Clone, Copy)]
enum Value {
    Integer(i64),
    Real(f64),
    /// Offset and length in bytes of a text in `value_text`.
    Text(u64, u32),
}

/// Id, URL and ranking of one document.
#[derive(Serialize, Deserialize)]
pub(crate) struct DocumentFacts {
    pub(crate) id: String,
    pub(crate) url: Option<String>,
    date: i64,
    popularity: f64,
    boilerplate_share: f32,
    chars: u64,
    /// Value of the field that the keeper reads.
    pub(crate) field: Option<FieldValue>,
    /// Index of the preferred source of the document, see [`AskedFacts`](crate::kernel::asked_facts::AskedFacts).
    pub(crate) preference: Option<u32>,
}

impl DocumentFacts {
    /// Collects the facts of a document. Without `kept_chars`, the characters of `text` are counted.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a share is compared with the precision of f32"
    )]
    pub(crate) fn new(id: String, url: Option<&str>, ranking: &Ranking<'_>, text: &str) -> Self {
        let boilerplate_share = match (ranking.kept_chars, ranking.all_chars) {
            (Some(kept), Some(all)) if all > 0 => (1.0 - kept as f64 / all as f64).clamp(0.0, 1.0) as f32,
            _ => 0.0,
        };
        DocumentFacts {
            id,
            url: url.map(str::to_owned),
            date: ranking
                .date
                .as_deref()
                .and_then(date::seconds)
                .unwrap_or(i64::MIN),
            popularity: ranking.popularity.unwrap_or(f64::NAN),
            boilerplate_share,
            chars: ranking.kept_chars.unwrap_or_else(|| text.chars().count() as u64),
            field: None,
            preference: None,
        }
    }

    /// Returns the date in seconds since 1970, or `None` if it is unknown.
    #[cfg(feature = "parquet")]
    pub(crate) fn date(&self) -> Option<i64> {
        Some(self.date).filter(|date| *date != i64::MIN)
    }

    /// Returns the facts of an extracted document.
    pub(crate) fn of(document: &Document) -> Self {
        let ranking = Ranking {
            date: document.date.as_deref().map(Into::into),
            popularity: document.popularity,
            kept_chars: Some(document.kept_chars as u64),
            all_chars: Some(document.all_chars as u64),
        };
        DocumentFacts::new(
            document.id.clone(),
            document.url.as_deref(),
            &ranking,
            &document.text,
        )
    }
}

impl DocumentTable {
    /// Adds a document. Returns `true` if its ID was in use.
    ///
    /// A repeated id gets a number: the second `x` becomes `x#2`.
    pub(crate) fn push(&mut self, facts: &DocumentFacts) -> bool {
        let id = self.unused(&facts.id);
        let repeated = id.is_some();
        self.repeated += u64::from(repeated);
        self.text.push_str(id.as_deref().unwrap_or(&facts.id));
        let mut url = SAME;
        // A repeated ID gets a number, so it no longer equals the URL.
        if facts.url.as_deref() != Some(facts.id.as_str()) || repeated {
            let text = facts.url.as_deref().unwrap_or("");
            debug_assert!(
                u32::try_from(text.len()).is_ok(),
                "lines of inputs are shorter than 4 GiB"
            );
            url = u32::try_from(text.len()).unwrap_or(0);
            self.text.push_str(&text[..url as usize]);
        }
        let document = narrow::to_u32(self.rows.len()); // the search for duplicates numbers documents by 32 bits
        self.preferences
            .extend(facts.preference.map(|preference| (document, preference)));
        if let Some(value) = &facts.field {
            let value = self.kept_value(value);
            self.values.push((document, value));
        }
        // Most documents have none of these facts, so they take no memory.
        if facts.date != i64::MIN || !facts.popularity.is_nan() || facts.boilerplate_share != 0.0 {
            self.extras.push(Extra {
                document,
                boilerplate_share: facts.boilerplate_share,
                date: facts.date,
                popularity: facts.popularity,
            });
        }
        self.rows.push(Row {
            end: self.text.len() as u64,
            url,
            chars: u32::try_from(facts.chars).unwrap_or(u32::MAX),
        });
        repeated
    }

    /// Stores a value. Texts are appended to `value_text`.
    fn kept_value(&mut self, value: &FieldValue) -> Value {
        match value {
            FieldValue::Integer(whole) => Value::Integer(*whole),
            FieldValue::Real(number) => Value::Real(*number),
            FieldValue::Text(text) => {
                let start = self.value_text.len() as u64;
                self.value_text.push_str(text);
                debug_assert!(
                    u32::try_from(text.len()).is_ok(),
                    "lines of inputs are shorter than 4 GiB"
                );
                Value::Text(start, u32::try_from(text.len()).unwrap_or(0))
            }
        }
    }

    /// Prefetches the memory that [`push`](Self::push) reads for documents with these ids.
    pub(crate) fn fetch_ids<'i>(&self, ids: impl Iterator<Item = &'i str>) {
        self.ids.fetch(ids.map(|id| xxh3_64(id.as_bytes())));
    }

    /// Returns a numbered ID if this ID is in use, else `None`. Afterwards the returned or given ID is in
    /// use.
    fn unused(&mut self, id: &str) -> Option<String> {
        let key = xxh3_64(id.as_bytes());
        if self.ids.insert(key) {
            return None;
        }
        // Continue after the last number, so that many equal IDs take linear time.
        let mut number = self.times.get(&key).map_or(2, |last| last + 1);
        // A document may itself have the ID `x#2`.
        loop {
            let other = format!("{id}#{number}");
            if self.ids.insert(xxh3_64(other.as_bytes())) {
                self.times.insert(key, number);
                return Some(other);
            }
            number += 1;
        }
    }

    /// Returns the number of documents whose ID was repeated.
    pub(crate) fn repeated(&self) -> u64 {
        self.repeated
    }

    /// Frees the memory that only [`push`](Self::push) needs.
    pub(crate) fn close(&mut self) {
        self.ids = IdSet::default();
        self.times = HashMap::default();
        self.text.shrink_to_fit();
        self.rows.shrink_to_fit();
        self.value_text.shrink_to_fit();
        self.values.shrink_to_fit();
    }

    /// Returns the number of documents.
    pub(crate) fn len(&self) -> u32 {
        narrow::to_u32(self.rows.len()) // the search for duplicates numbers documents by 32 bits
    }

    /// Returns `true` if any document has a value of the field that the keeper reads.
    pub(crate) fn has_values(&self) -> bool {
        !self.values.is_empty()
    }

    /// Returns the bytes of memory of the table.
    pub(crate) fn bytes(&self) -> u64 {
        let flat = self.text.capacity()
            + self.rows.capacity() * size_of::<Row>()
            + self.extras.capacity() * size_of::<Extra>()
            + self.preferences.capacity() * size_of::<(u32, u32)>()
            + self.values.capacity() * size_of::<(u32, Value)>()
            + self.value_text.capacity();
        // A hash map fills at most seven eighths of its slots. A slot takes 16 bytes and a control byte.
        let times = self.times.capacity() * 17 * 8 / 7;
        (flat + self.ids.bytes() + times) as u64
    }

    /// Returns the offset of the names of a document in the text.
    fn start(&self, document: u32) -> usize {
        let before = (document as usize).checked_sub(1);
        before.map_or(0, |before| narrow::to_usize(self.rows[before].end))
    }

    /// Returns ID and URL of a document.
    fn names(&self, document: u32) -> (&str, &str) {
        let row = &self.rows[document as usize];
        let both = &self.text[self.start(document)..narrow::to_usize(row.end)];
        match row.url {
            SAME => (both, both),
            url => both.split_at(both.len() - url as usize),
        }
    }

    pub(crate) fn id(&self, document: u32) -> &str {
        self.names(document).0
    }

    /// Prefetches the names of these documents. The cache misses of many documents overlap here; at their use they would occur one by one.
    pub(crate) fn fetch(&self, documents: impl Iterator<Item = u32>) {
        let starts: Vec<usize> = documents.map(|document| self.start(document)).collect();
        let byte = |start: &usize| self.text.as_bytes().get(*start).copied().unwrap_or_default();
        // `black_box` keeps the compiler from removing the reads.
        std::hint::black_box(starts.iter().map(byte).fold(0, |all, byte| all ^ byte));
    }

    /// Returns the length in bytes of the common prefix of all IDs.
    pub(crate) fn common_prefix(&self) -> usize {
        let ids = (0..).take(self.rows.len());
        let mut ids = ids.map(|document| self.id(document).as_bytes());
        let mut prefix = ids.next().unwrap_or_default();
        for id in ids {
            let equal = prefix.iter().zip(id).take_while(|(a, b)| a == b);
            prefix = &prefix[..equal.count()];
        }
        prefix.len()
    }

    /// Returns the eight bytes of an ID after the common prefix of length `prefix`, as a number.
    ///
    /// If these numbers of two ids differ, they compare like the ids.
    pub(crate) fn id_key(&self, document: u32, prefix: usize) -> u64 {
        debug_assert!(
            prefix <= self.id(document).len(),
            "all ids begin with the common prefix"
        );
        let rest = self.id(document).as_bytes().get(prefix..).unwrap_or_default();
        // Shorter rests are padded with 0, so an ID sorts before the IDs that extend it.
        let mut key = [0; 8];
        let length = rest.len().min(key.len());
        key[..length].copy_from_slice(&rest[..length]);
        u64::from_be_bytes(key)
    }

    /// Returns the URL, which is empty if absent.
    pub(crate) fn url(&self, document: u32) -> &str {
        self.names(document).1
    }

    /// Returns the date in seconds since 1970, or `None` if it is unknown.
    pub(crate) fn date(&self, document: u32) -> Option<i64> {
        of_document(&self.extras, document, |extra| extra.document)
            .map(|extra| extra.date)
            .filter(|date| *date != i64::MIN)
    }

    /// Returns the value of the field that the keeper reads.
    fn value(&self, document: u32) -> Option<dehusk_dedup::FieldValue<'_>> {
        use dehusk_dedup::FieldValue as Known;
        let (_, value) = of_document(&self.values, document, |value| value.0)?;
        Some(match *value {
            Value::Integer(whole) => Known::Integer(whole),
            Value::Real(number) => Known::Real(number),
            Value::Text(start, length) => {
                let start = narrow::to_usize(start);
                let text = self.value_text.get(start..start + length as usize);
                debug_assert!(text.is_some(), "texts of values are cut where they were joined");
                Known::Text(text.unwrap_or_default())
            }
        })
    }
}

/// Returns the entry of a document in a list sorted by documents.
fn of_document<T>(list: &[T], document: u32, number: impl Fn(&T) -> u32) -> Option<&T> {
    let place = list.binary_search_by_key(&document, number).ok()?;
    list.get(place)
}

impl dehusk_dedup::FactSource for DocumentTable {
    fn facts(&self, document: u32) -> dehusk_dedup::DocumentFacts<'_> {
        let extra = of_document(&self.extras, document, |extra| extra.document);
        let preference = of_document(&self.preferences, document, |preference| preference.0);
        dehusk_dedup::DocumentFacts {
            url: self.url(document),
            date: extra.map(|extra| extra.date).filter(|date| *date != i64::MIN),
            popularity: extra
                .map(|extra| extra.popularity)
                .filter(|popularity| !popularity.is_nan()),
            boilerplate_share: extra.map_or(0.0, |extra| extra.boilerplate_share.into()),
            chars: self.rows[document as usize].chars.into(),
            field: self.value(document),
            preference: preference.map(|preference| preference.1),
            ..dehusk_dedup::DocumentFacts::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dehusk_dedup::FactSource as _;

    fn push(table: &mut DocumentTable, id: &str, url: Option<&str>, ranking: &Ranking<'_>) -> bool {
        table.push(&DocumentFacts::new(id.to_owned(), url, ranking, "текст"))
    }

    #[test]
    fn repeated_ids_get_numbers_that_nobody_has() {
        let mut table = DocumentTable::default();
        let ids = ["x", "x#2", "x", "x", "y", "x"];
        let repeated: Vec<bool> = ids
            .iter()
            .map(|id| push(&mut table, id, None, &Ranking::default()))
            .collect();
        let given: Vec<&str> = (0..6).map(|document| table.id(document)).collect();
        assert_eq!(given, ["x", "x#2", "x#3", "x#4", "y", "x#5"]);
        assert_eq!(repeated, [false, false, true, true, false, true]);
        assert_eq!(table.repeated(), 3);
    }

    #[test]
    fn keys_of_ids_are_in_their_order() {
        let mut table = DocumentTable::default();
        assert_eq!(table.common_prefix(), 0);
        let ids = ["x/b", "x/", "x/b\0", "x/abcdefgh2", "x/abcdefgh1", "x/я", "x/ab"];
        for id in ids {
            push(&mut table, id, None, &Ranking::default());
        }
        assert_eq!(table.common_prefix(), 2);
        table.fetch(0..7);
        let key = |document| table.id_key(document, 2);
        for a in 0..7 {
            for b in 0..7 {
                let order = key(a).cmp(&key(b));
                assert!(
                    order.is_eq() || order == table.id(a).cmp(table.id(b)),
                    "{a} and {b}"
                );
            }
        }
        assert!(key(3) == key(4) && key(0) == key(2) && key(1) < key(6) && key(6) < key(3));
    }

    #[test]
    fn a_million_copies_of_an_id_take_linear_time() {
        let mut table = DocumentTable::default();
        for _ in 0..100_000 {
            push(&mut table, "same", Some("same"), &Ranking::default());
        }
        assert_eq!(table.id(99_999), "same#100000");
        assert_eq!(table.url(99_999), "same");
    }

    #[test]
    fn facts_are_what_was_told() {
        let mut table = DocumentTable::default();
        let ranking = Ranking {
            date: Some("2020-01-02".into()),
            popularity: Some(2.5),
            kept_chars: Some(25),
            all_chars: Some(100),
        };
        push(
            &mut table,
            "http://a.example/",
            Some("http://a.example/"),
            &ranking,
        );
        push(&mut table, "b", Some("http://b.example/"), &Ranking::default());
        push(&mut table, "c", None, &Ranking::default());
        let facts = table.facts(0);
        assert_eq!(
            (facts.url, facts.date, facts.popularity),
            ("http://a.example/", Some(1_577_923_200), Some(2.5))
        );
        assert_eq!((facts.boilerplate_share, facts.chars), (0.75, 25));
        let facts = table.facts(1);
        assert_eq!(
            (facts.url, facts.date, facts.popularity),
            ("http://b.example/", None, None)
        );
        assert_eq!(
            (table.url(2), table.facts(2).url, table.facts(2).chars),
            ("", "", 5)
        );
        assert_eq!((table.date(0), table.date(1)), (Some(1_577_923_200), None));
        assert_eq!(
            (facts.field, facts.preference, table.has_values()),
            (None, None, false)
        );
    }

    #[test]
    fn values_and_preferences_are_those_of_their_documents() {
        use dehusk_dedup::FieldValue as Known;
        let mut table = DocumentTable::default();
        let values = [
            Some(FieldValue::Text("é".to_owned())),
            None,
            Some(FieldValue::Integer(-7)),
            Some(FieldValue::Text(String::new())),
            Some(FieldValue::Real(0.5)),
            Some(FieldValue::Text("x y".to_owned())),
        ];
        for (number, field) in (0..).zip(&values) {
            let facts = DocumentFacts::new(format!("{number}"), None, &Ranking::default(), "");
            table.push(&DocumentFacts {
                field: field.clone(),
                preference: (number % 2 == 1).then_some(number),
                ..facts
            });
        }
        table.close();
        let found: Vec<_> = (0..table.len())
            .map(|document| table.facts(document).field)
            .collect();
        let wanted = [
            Some(Known::Text("é")),
            None,
            Some(Known::Integer(-7)),
            Some(Known::Text("")),
            Some(Known::Real(0.5)),
            Some(Known::Text("x y")),
        ];
        assert_eq!(found, wanted);
        let preferences: Vec<_> = (0..4).map(|document| table.facts(document).preference).collect();
        assert_eq!(preferences, [None, Some(1), None, Some(3)]);
    }
}
