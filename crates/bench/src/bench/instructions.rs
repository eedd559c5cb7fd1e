//! Instructions of parsing, extraction and signing on the fixture crawl; and of parsing and extraction on
//! hostile pages of growing length.

use std::fs;
use std::hint::black_box;

use dehusk_html::Parser;
#[cfg(feature = "reference")]
use dehusk_html::parser::{growth::exponent, shapes::SHAPES};
use dehusk_pipeline::Settings;
use dehusk_pipeline::dedup::Deduper;
#[cfg(feature = "reference")]
use dehusk_pipeline::extract::PAGE_SHAPES;
use dehusk_pipeline::extract::analysis::blocks::BlockTable;
use dehusk_pipeline::extract::{Options, Page, extract};
use dehusk_pipeline::normalize::Normalizer;
use serde::Deserialize;

use super::callgrind::{Work, count, counted};
use crate::result::Result;
use crate::root::{files, root};

/// The part of the work that is measured.
enum Way {
    Parse,
    Blocks,
    /// Extraction with these options.
    Extract(Options),
}

impl Way {
    /// Extraction by this method. Data that are loaded on first use are loaded here, because this is not
    /// part of a page's work.
    // Loads the data on pages of both scripts before anything is counted.
    fn extract(method: &str) -> Result<Way> {
        let options = Options::default().with_extractor(method)?;
        for page in FIRST_PAGES {
            black_box(extract(&Page::decoded(&page.concat()), &options));
        }
        Ok(Way::Extract(options))
    }
}

/// Pages that use all data loaded on first use: models, alphabets of both scripts, phrases that end an
/// article, names of comments.
const FIRST_PAGES: [[&str; 3]; 2] = [
    [
        "<div class=text><p>The river rose overnight and flooded the meadows by the old mill, where people wait for the water to fall.",
        "<p>It stood as high as in the spring of the year before last, when the bridge was closed for nine days, and the miller carried \
         what he had to the loft. Nobody was hurt, as far as is known, and the road to the upper farm is open again since noon.",
        "</div><div class=comments><p>Two comments<div class=comment>I was there.</div></div>",
    ],
    [
        "<div class=text><p>Ночью река вышла из берегов и затопила луга у старой мельницы, жители ждут спада воды.",
        "<p>Вода стояла так же высоко, как весной позапрошлого года, когда мост закрывали на девять дней, и мельник уносил всё, что \
         у него было, на чердак. Насколько известно, никто не пострадал, а дорога к верхнему хутору с полудня снова открыта.",
        "</div><div class=comments><p>Два комментария<div class=comment>Я там был.</div></div>",
    ],
];

/// Measures one pass over some pages. Returns the number of nodes, blocks or bytes of text.
fn counted_pages(sources: &[String], way: &Way) -> usize {
    let parser = Parser::default();
    let one = |source: &String| match way {
        Way::Parse => parser.parse(source).0.len(),
        Way::Blocks => BlockTable::fill(&parser.parse(source).0).blocks().len(),
        Way::Extract(options) => extract(&Page::decoded(source), options).text.len(),
    };
    counted(|| sources.iter().map(one).sum())
}

/// Parses all pages of the fixture crawl, then parses them with block tables, then extracts them, then
/// signs their texts. Called inside valgrind.
pub(super) fn count_pages() -> Result<()> {
    let (pages, _) = fixtures()?;
    // The order is that of the table in `check`.
    for way in [Way::Parse, Way::Blocks, Way::extract("default")?] {
        counted_pages(&pages, &way);
    }
    let settings = Settings::default();
    let mut normalizer = Normalizer::new(settings.profile());
    // Makes tables that are made on first use, because this is not part of a text's work.
    black_box(normalizer.normalize_text("é"));
    let mut batch = Deduper::new(settings.duplicates()?)?.batch_maker().batch();
    let texts = texts(&pages)?;
    counted(|| {
        for text in &texts {
            batch.add_joined(normalizer.normalize_text(text));
        }
        batch.len()
    });
    Ok(())
}

/// Returns the complete text of each page.
fn texts(pages: &[String]) -> Result<Vec<String>> {
    let options = Options::default().with_extractor("all-text")?;
    let text = |page: &String| extract(&Page::decoded(page), &options).text;
    Ok(pages.iter().map(text).collect())
}

/// Parses each shape of the linear-time table at each size, then extracts each of these shapes and each of
/// the shapes of pages. Called inside valgrind.
#[cfg(feature = "reference")]
pub(super) fn count_growth() -> Result<()> {
    for (_, shape) in SHAPES {
        for size in SIZES {
            // `growth` reads the number of nodes from standard output, in the same order.
            println!("{}", counted_pages(&[shape(size)], &Way::Parse));
        }
    }
    for method in METHODS {
        let way = Way::extract(method)?;
        for (_, shape) in SHAPES.iter().chain(PAGE_SHAPES) {
            for size in SIZES {
                counted_pages(&[shape(size)], &way);
            }
        }
    }
    Ok(())
}

/// Returns the pages of the fixture crawl as text, and their total length in bytes.
fn fixtures() -> Result<(Vec<String>, usize)> {
    let folder = root().join("fixtures/crawl");
    let mut pages = Vec::new();
    for file in files(&folder)?.iter().filter(|file| file.ends_with(".html")) {
        let bytes = fs::read(folder.join(file))?;
        pages.push(String::from_utf8_lossy(&bytes).into_owned());
    }
    let bytes = pages.iter().map(String::len).sum();
    Ok((pages, bytes))
}

/// Largest accepted numbers of instructions per byte of page, or for signing per byte of text.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Ceilings {
    parse: f64,
    parse_and_blocks: f64,
    extraction: f64,
    signing: f64,
}

/// Reads `tests/instructions.toml`.
fn ceilings() -> Result<Ceilings> {
    let path = root().join("tests/instructions.toml");
    let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(toml::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))?)
}

/// Checks the instructions of parsing, extraction and signing on the fixture crawl against
/// `tests/instructions.toml`.
pub(super) fn check() -> Result<()> {
    // Four measurements: parsing, block tables, extraction, signing.
    let (counts, _) = match count(Work::Pages, &[], 4)? {
        Ok(counted) => counted,
        Err(why) => {
            eprintln!("SKIPPED: instructions were not compared with tests/instructions.toml: {why}");
            return Ok(());
        }
    };
    let (pages, bytes) = fixtures()?;
    let ceilings = ceilings()?;
    println!(
        "\ninstructions on fixtures/crawl ({} pages, {bytes} bytes), by callgrind",
        pages.len()
    );
    let mut failed = Vec::new();
    // Signing works on texts, so its instructions are divided by the bytes of text rather than of HTML.
    let text = texts(&pages)?.iter().map(String::len).sum();
    let named = [
        ("parse", ceilings.parse, bytes),
        ("parse and block table", ceilings.parse_and_blocks, bytes),
        ("extraction", ceilings.extraction, bytes),
        ("signing, of text", ceilings.signing, text),
    ];
    for ((name, ceiling, bytes), count) in named.into_iter().zip(counts) {
        let of_byte = count as f64 / bytes as f64;
        let mark = if of_byte <= ceiling { "ok  " } else { "FAIL" };
        let line = format!("{name}: {of_byte:.2} a byte, {count} in all; ceiling {ceiling}");
        println!("{mark} {line}");
        if of_byte > ceiling {
            failed.push(line);
        }
    }
    if failed.is_empty() {
        Ok(())
    } else {
        Err(failed.join("; ").into())
    }
}

/// Approximate lengths of the documents of a shape, in bytes.
#[cfg(feature = "reference")]
const SIZES: [usize; 4] = [16_000, 32_000, 64_000, 128_000];

/// The extractors whose complete work is measured.
#[cfg(feature = "reference")]
const METHODS: [&str; 2] = ["default", "readability"];

/// Largest accepted exponent of growth with the number of bytes: of the parser's instructions and nodes, and of
/// extraction's instructions.
#[cfg(feature = "reference")]
const STEEPEST: f64 = 1.1;
#[cfg(feature = "reference")]
const STEEPEST_EXTRACTION: f64 = 1.15;

/// Prints how instructions and nodes grow with the bytes of each shape, for the parser and for extraction.
/// Fails if an exponent is too large.
#[cfg(feature = "reference")]
pub(super) fn growth() -> Result<()> {
    let of_parser = SHAPES.len() * SIZES.len();
    let of_method = (SHAPES.len() + PAGE_SHAPES.len()) * SIZES.len();
    // Sizes of one shape are neighbors; below, chunks of that length are the rows of the table.
    let (counts, printed) = match count(Work::Growth, &[], of_parser + METHODS.len() * of_method)? {
        Ok(counted) => counted,
        Err(why) => {
            eprintln!("SKIPPED: growth of the work was not measured: {why}");
            return Ok(());
        }
    };
    // Other lines of the output are ignored. A line that is lost is noticed by the count.
    let nodes: Vec<f64> = printed.lines().filter_map(|line| line.parse().ok()).collect();
    if nodes.len() != of_parser {
        return Err(format!("{} numbers of nodes instead of {of_parser}", nodes.len()).into());
    }
    let (parser, methods) = counts.split_at(of_parser);
    let mut failed = Vec::new();
    println!(
        "{:12} {:40} {:>12} {:>19}",
        "", "shape", "instructions", "instructions a byte"
    );
    let rows = parser.chunks(SIZES.len()).zip(nodes.chunks(SIZES.len()));
    for ((name, shape), (work, nodes)) in SHAPES.iter().zip(rows) {
        let (steps, bytes) = row("parser", name, *shape, work);
        // Below a thousand nodes, the constant part of the limits dominates and would show as growth.
        let nodes: Vec<_> = bytes
            .into_iter()
            .zip(nodes.iter().map(|nodes| nodes.max(1000.0)))
            .collect();
        let nodes = exponent(&nodes);
        if steps > STEEPEST || nodes > STEEPEST {
            failed.push(format!(
                "parser, {name}: instructions n^{steps:.2}, nodes n^{nodes:.2}"
            ));
        }
    }
    for (method, counts) in METHODS.iter().zip(methods.chunks(of_method)) {
        let shapes = SHAPES.iter().chain(PAGE_SHAPES);
        for ((name, shape), work) in shapes.zip(counts.chunks(SIZES.len())) {
            let (steps, _) = row(method, name, *shape, work);
            if steps > STEEPEST_EXTRACTION {
                failed.push(format!("{method}, {name}: instructions n^{steps:.2}"));
            }
        }
    }
    if failed.is_empty() {
        println!(
            "{} shapes for the parser, {} for {}, {SIZES:?} bytes: none grows faster than n^{STEEPEST} and n^{STEEPEST_EXTRACTION}",
            SHAPES.len(),
            SHAPES.len() + PAGE_SHAPES.len(),
            METHODS.join(" and "),
        );
        Ok(())
    } else {
        Err(format!("too fast: {}", failed.join("; ")).into())
    }
}

/// Prints the growth of instructions with the bytes of a shape. Returns the exponent, and the numbers of bytes.
#[cfg(feature = "reference")]
fn row(who: &str, name: &str, shape: fn(usize) -> String, work: &[u64]) -> (f64, Vec<f64>) {
    let bytes: Vec<f64> = SIZES.iter().map(|size| shape(*size).len() as f64).collect();
    let counts = work.iter().map(|&count| count as f64);
    let points: Vec<_> = bytes.iter().copied().zip(counts).collect();
    let steps = exponent(&points);
    let (longest, most) = points[SIZES.len() - 1];
    let last = most / longest;
    println!("{who:12} {name:40} {:>12} {last:>19.1}", format!("n^{steps:.2}"));
    (steps, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ceilings_are_sound() {
        let ceilings = ceilings().unwrap();
        assert!(0.0 < ceilings.parse && ceilings.parse < ceilings.parse_and_blocks);
        assert!(ceilings.parse_and_blocks < ceilings.extraction);
    }
}
