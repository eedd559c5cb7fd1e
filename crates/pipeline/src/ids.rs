//! Documents by number: their names, and what keepers ask for.

use std::collections::HashMap;

use dedup::Facts;
use xxhash_rust::xxh3::xxh3_128;

use crate::date;
use crate::record::Ranking;

/// Names and facts of all documents, packed.
#[derive(Default)]
pub(crate) struct Known {
    /// Ids and URLs, one after the other.
    text: String,
    rows: Vec<Row>,
    /// How often each id came, by its hash. An unlucky collision gives somebody a number behind the name, no more.
    times: HashMap<u128, u32>,
    repeated: u64,
}

#[derive(Clone, Copy)]
struct Row {
    id_end: usize,
    url_end: usize,
    url_is_id: bool,
    /// Seconds since 1970; `i64::MIN` if unknown.
    date: i64,
    /// NaN if unknown.
    popularity: f64,
    boilerplate_share: f32,
    chars: u64,
}

/// What is known of a document besides its text.
pub(crate) struct Facets {
    pub(crate) id: String,
    pub(crate) url: Option<String>,
    date: i64,
    popularity: f64,
    boilerplate_share: f32,
    chars: u64,
}

impl Facets {
    pub(crate) fn new(id: String, url: Option<&str>, ranking: &Ranking<'_>, text: &str) -> Self {
        let boilerplate_share = match (ranking.kept_chars, ranking.all_chars) {
            (Some(kept), Some(all)) if all > 0 => (1.0 - kept as f64 / all as f64).clamp(0.0, 1.0) as f32,
            _ => 0.0,
        };
        Facets {
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
        }
    }
}

impl Known {
    /// Adds a document. An id that another one has already gets a number: the second `x` becomes `x#2`. Tells whether it
    /// did.
    pub(crate) fn push(&mut self, facets: &Facets) -> bool {
        let id = self.unused(&facets.id);
        let repeated = id.is_some();
        self.repeated += u64::from(repeated);
        let url_is_id = facets.url.as_deref() == Some(facets.id.as_str()) && !repeated;
        self.text.push_str(id.as_deref().unwrap_or(&facets.id));
        let id_end = self.text.len();
        if !url_is_id {
            self.text.push_str(facets.url.as_deref().unwrap_or(""));
        }
        self.rows.push(Row {
            id_end,
            url_end: self.text.len(),
            url_is_id,
            date: facets.date,
            popularity: facets.popularity,
            boilerplate_share: facets.boilerplate_share,
            chars: facets.chars,
        });
        repeated
    }

    /// Another id, if this one is taken.
    fn unused(&mut self, id: &str) -> Option<String> {
        let key = xxh3_128(id.as_bytes());
        let times = self.times.entry(key).or_insert(0);
        *times += 1;
        if *times == 1 {
            return None;
        }
        let mut number = *times;
        loop {
            let other = format!("{id}#{number}");
            let taken = self.times.entry(xxh3_128(other.as_bytes())).or_insert(0);
            if *taken == 0 {
                *taken = 1;
                self.times.insert(key, number);
                return Some(other);
            }
            number += 1;
        }
    }

    /// Documents whose id was taken.
    pub(crate) fn repeated(&self) -> u64 {
        self.repeated
    }

    pub(crate) fn id(&self, document: u32) -> &str {
        let place = document as usize;
        let start = if place == 0 {
            0
        } else {
            self.rows[place - 1].url_end
        };
        &self.text[start..self.rows[place].id_end]
    }

    /// The URL; empty if there is none.
    pub(crate) fn url(&self, document: u32) -> &str {
        let row = &self.rows[document as usize];
        if row.url_is_id {
            self.id(document)
        } else {
            &self.text[row.id_end..row.url_end]
        }
    }
}

impl dedup::Source for Known {
    fn facts(&self, document: u32) -> Facts<'_> {
        let row = &self.rows[document as usize];
        let url = self.url(document);
        Facts {
            // Where all else is equal, keepers compare URLs: without one the id takes part, and not the order of input.
            url: if url.is_empty() { self.id(document) } else { url },
            date: (row.date != i64::MIN).then_some(row.date),
            popularity: Some(row.popularity).filter(|popularity| !popularity.is_nan()),
            boilerplate_share: row.boilerplate_share.into(),
            chars: row.chars,
            ..Facts::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dedup::Source as _;

    fn push(known: &mut Known, id: &str, url: Option<&str>, ranking: &Ranking<'_>) -> bool {
        known.push(&Facets::new(id.to_owned(), url, ranking, "текст"))
    }

    #[test]
    fn repeated_ids_get_numbers_that_nobody_has() {
        let mut known = Known::default();
        let ids = ["x", "x#2", "x", "x", "y", "x"];
        let repeated: Vec<bool> = ids
            .iter()
            .map(|id| push(&mut known, id, None, &Ranking::default()))
            .collect();
        let given: Vec<&str> = (0..6).map(|document| known.id(document)).collect();
        assert_eq!(given, ["x", "x#2", "x#3", "x#4", "y", "x#5"]);
        assert_eq!(repeated, [false, false, true, true, false, true]);
        assert_eq!(known.repeated(), 3);
    }

    #[test]
    fn a_million_copies_of_an_id_take_linear_time() {
        let mut known = Known::default();
        for _ in 0..100_000 {
            push(&mut known, "same", Some("same"), &Ranking::default());
        }
        assert_eq!(known.id(99_999), "same#100000");
        assert_eq!(known.url(99_999), "same");
    }

    #[test]
    fn facts_are_what_was_told() {
        let mut known = Known::default();
        let ranking = Ranking {
            date: Some("2020-01-02".into()),
            popularity: Some(2.5),
            kept_chars: Some(25),
            all_chars: Some(100),
        };
        push(
            &mut known,
            "http://a.example/",
            Some("http://a.example/"),
            &ranking,
        );
        push(&mut known, "b", Some("http://b.example/"), &Ranking::default());
        push(&mut known, "c", None, &Ranking::default());
        let facts = known.facts(0);
        assert_eq!(
            (facts.url, facts.date, facts.popularity),
            ("http://a.example/", Some(1_577_923_200), Some(2.5))
        );
        assert_eq!((facts.boilerplate_share, facts.chars), (0.75, 25));
        let facts = known.facts(1);
        assert_eq!(
            (facts.url, facts.date, facts.popularity),
            ("http://b.example/", None, None)
        );
        assert_eq!(
            (known.url(2), known.facts(2).url, known.facts(2).chars),
            ("", "c", 5)
        );
    }
}
