//! One query over raw pages and over cleaned ones, side by side: what a search engine gains if it cleans before it indexes.
//!
//! ```console
//! $ dehusk extract fixtures/crawl --extractor all-text --out out/raw.jsonl
//! $ dehusk run fixtures/crawl --keep oldest --out out/clean
//! $ cargo run --manifest-path examples/search/Cargo.toml -- out/raw.jsonl out/clean/kept.jsonl fixtures/crawl/expect.jsonl bread
//! ```
//!
//! What results are worth is judged by the main texts that people wrote down for the pages of fixtures/crawl: a result is useful if
//! the main text or the title of its page has every word of the query, and no result above it is a copy of it.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;
use std::path::Path;

use serde_json::Value as Json;
use tantivy::collector::TopDocs;
use tantivy::query::QueryParser;
use tantivy::schema::{STORED, STRING, Schema, TEXT, Value};
use tantivy::{Index, TantivyDocument, doc};

/// Results that people look at.
const RESULTS: usize = 8;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// A document of a search engine: its id and its text.
struct Page {
    id: String,
    text: String,
}

/// The lines of a file as JSON.
fn rows(path: &Path) -> Result<Vec<Json>> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    text.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
}

fn field(row: &Json, name: &str) -> String {
    row[name].as_str().unwrap_or_default().to_owned()
}

fn pages(path: &Path) -> Result<Vec<Page>> {
    let page = |row: &Json| Page {
        id: field(row, "id"),
        text: format!("{}\n{}", field(row, "title"), field(row, "text")),
    };
    Ok(rows(path)?.iter().map(page).collect())
}

/// The ids of the pages that answer a query, the best first.
fn search(pages: &[Page], query: &str) -> Result<Vec<String>> {
    let mut schema = Schema::builder();
    let (id, text) = (
        schema.add_text_field("id", STRING | STORED),
        schema.add_text_field("text", TEXT),
    );
    let index = Index::create_in_ram(schema.build());
    let mut writer = index.writer_with_num_threads(1, 32 << 20)?;
    for page in pages {
        writer.add_document(doc!(id => page.id.as_str(), text => page.text.as_str()))?;
    }
    writer.commit()?;
    let searcher = index.reader()?.searcher();
    let mut parser = QueryParser::for_index(&index, vec![text]);
    parser.set_conjunction_by_default();
    let query = parser.parse_query(query)?;
    let found = searcher.search(&query, &TopDocs::with_limit(RESULTS).order_by_score())?;
    let name = |address| -> Result<String> {
        let found: TantivyDocument = searcher.doc(address)?;
        let name = found.get_first(id).and_then(|value| value.as_str());
        Ok(name.unwrap_or_default().to_owned())
    };
    found.into_iter().map(|(_, address)| name(address)).collect()
}

/// What people say of pages.
struct Labels {
    /// The words of the main text and the title, by id.
    words: BTreeMap<String, BTreeSet<String>>,
    /// The group of copies that a page is in, if it is in one.
    group: BTreeMap<String, String>,
}

fn words(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

impl Labels {
    fn read(path: &Path) -> Result<Labels> {
        let mut labels = Labels {
            words: BTreeMap::new(),
            group: BTreeMap::new(),
        };
        for row in rows(path)? {
            let (id, text) = (
                field(&row, "path"),
                field(&row, "title") + " " + &field(&row, "gold"),
            );
            let group = row["group"].as_str().unwrap_or(&id);
            labels.group.insert(id.clone(), group.to_owned());
            labels.words.insert(id, words(&text));
        }
        Ok(labels)
    }

    /// What each result is worth.
    fn judge(&self, results: &[String], query: &str) -> Vec<&'static str> {
        let asked = words(query);
        let mut seen = BTreeSet::new();
        let judge = |id: &String| {
            if !self.words.get(id).is_some_and(|words| asked.is_subset(words)) {
                "not about it"
            } else if !seen.insert(self.group.get(id).unwrap_or(id).clone()) {
                "copy"
            } else {
                "useful"
            }
        };
        results.iter().map(judge).collect()
    }
}

/// Results, each with its score.
type Judged = Vec<(String, &'static str)>;

/// The results over raw and over cleaned pages.
fn compare([raw, clean, labels]: [&Path; 3], query: &str) -> Result<[Judged; 2]> {
    let labels = Labels::read(labels)?;
    let judged = |path: &Path| -> Result<Judged> {
        let found = search(&pages(path)?, query)?;
        let worth = labels.judge(&found, query);
        Ok(found.into_iter().zip(worth).collect())
    };
    Ok([judged(raw)?, judged(clean)?])
}

fn useful(results: &Judged) -> usize {
    results.iter().filter(|(_, worth)| *worth == "useful").count()
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [raw, clean, labels, query] = arguments.as_slice() else {
        return Err("usage: dehusk-search-example RAW.jsonl KEPT.jsonl LABELS.jsonl QUERY".into());
    };
    let [raw, clean] = compare([raw, clean, labels].map(Path::new), query)?;
    println!(
        "{:64}cleaned pages: {} of {} useful",
        format!("raw pages: {} of {} useful", useful(&raw), raw.len()),
        useful(&clean),
        clean.len()
    );
    for place in 0..raw.len().max(clean.len()) {
        let show = |results: &Judged| match results.get(place) {
            Some((id, worth)) => format!("{worth:13}{id}"),
            None => String::new(),
        };
        println!("{}", format!("{:64}{}", show(&raw), show(&clean)).trim_end());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `DEHUSK_SEARCH` names the folder with `raw.jsonl` and `clean/kept.jsonl`, which `cargo xtask test` makes of fixtures/crawl.
    #[test]
    fn a_larger_share_of_results_is_useful_over_cleaned_pages() {
        let folder = std::env::var("DEHUSK_SEARCH").expect("DEHUSK_SEARCH names the folder of both inputs");
        let (raw, clean) = (
            Path::new(&folder).join("raw.jsonl"),
            Path::new(&folder).join("clean/kept.jsonl"),
        );
        let labels = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/crawl/expect.jsonl");
        for query in ["bread", "telescopes", "river", "школы", "погода"] {
            let [raw, clean] = compare([&raw, &clean, &labels], query).expect("a search");
            let (found, all) = (useful(&clean), clean.len());
            assert!(found > 0, "{query}: {clean:?}");
            assert!(
                found * raw.len() > useful(&raw) * all,
                "{query}: {raw:?} {clean:?}"
            );
        }
    }
}
