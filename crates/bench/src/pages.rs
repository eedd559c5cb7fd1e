//! `cargo xtask pages`: a large collection of pages, made from the labelled pages of the development data.
//!
//! A page of the collection is a labelled page with words replaced by words of other pages of its set, so
//! its main text is new but its markup is that of a real page. Or it is a copy of such a page with small
//! changes. The sizes of groups of copies are those of a crawl: most have two pages, some have dozens. The
//! result depends only on the data, the number of pages and the seed. It is written page by page as JSON
//! Lines with `id`, `url` and `html`.

use std::io::{self, BufWriter, Write};

use clap::Args;
use dehusk_html::narrow;
use dehusk_pipeline::dedup::SplitMix64;
use serde::Serialize;

use crate::data;
use crate::result::Result;

/// How large a collection is made
#[derive(Args)]
pub(crate) struct Options {
    /// Number of pages
    #[arg(long, default_value_t = 250_000, value_name = "N")]
    count: usize,
    /// Share of pages that are copies of another one, 0 to 1
    #[arg(long, default_value_t = 0.3, value_name = "SHARE")]
    copies: f64,
    /// Seed of all random choices
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Use only these sets [default: all]
    #[arg(long, num_args = 1.., value_delimiter = ',', value_name = "SET")]
    sets: Vec<String>,
}

/// Largest number of words of a set that replacements are drawn from.
const POOL: usize = 100_000;
/// Percentages of words that are replaced: to make a new page, and to make a copy. For a copy one of the values is
/// chosen at random.
const FRESH: u64 = 70;
const EDITS: [u64; 4] = [0, 1, 3, 6];

#[derive(Serialize)]
struct Record<'a> {
    id: &'a str,
    url: &'a str,
    html: &'a str,
}

struct Source {
    html: String,
    set: usize,
}

/// Writes the pages to standard output.
pub(crate) fn run(options: &Options) -> Result<()> {
    let Some(sets) = data::present("a collection of pages", data::sets(&options.sets)?) else {
        return Ok(());
    };
    let (mut sources, mut pools) = (Vec::new(), Vec::new());
    for (number, set) in sets.iter().enumerate() {
        let mut pool = Vec::new();
        for doc in &set.docs {
            let html = set.text(doc)?;
            // The pool is filled from the first pages of the set, which is enough variety for replacements.
            if pool.len() < POOL {
                each_part(&html, |word, part| {
                    if word {
                        pool.push(part.to_owned());
                    }
                });
            }
            sources.push(Source { html, set: number });
        }
        pools.push(pool);
    }
    if sources.is_empty() {
        return Err("there are no pages".into());
    }

    let mut random = SplitMix64::new(options.seed);
    // Pages of a set are adjacent, so they are shuffled. Each page is used once before any is used again.
    let mut order: Vec<usize> = (0..sources.len()).collect();
    for place in (1..order.len()).rev() {
        order.swap(place, narrow::to_usize(below(&mut random, place as u64 + 1)));
    }
    let mut out = BufWriter::with_capacity(1 << 20, io::stdout().lock());
    let (mut page, mut copy, mut line) = (String::new(), String::new(), Vec::new());
    let mut made = 0;
    for turn in 0.. {
        if made >= options.count {
            break;
        }
        // Starts again from the beginning of the order when all pages have been used. Each turn draws new
        // words.
        let source = &sources[order[turn % order.len()]];
        let pool = &pools[source.set];
        exchange(&source.html, FRESH, pool, &mut random, &mut page);
        // The last group is cut so that exactly `count` pages are written.
        let group = group(&mut random, options.copies).min(options.count - made);
        for member in 0..group {
            let html = if member == 0 {
                &page
            } else {
                let edits = EDITS[narrow::to_usize(below(&mut random, EDITS.len() as u64))];
                exchange(&page, edits, pool, &mut random, &mut copy);
                &copy
            };
            // In a crawl copies are not adjacent, but their order does not change the result of a search for
            // duplicates.
            let id = format!("p{made:07}");
            let url = format!("http://host{}.example/{id}", below(&mut random, 5000));
            line.clear();
            let record = Record {
                id: &id,
                url: &url,
                html,
            };
            serde_json::to_writer(&mut line, &record)?;
            line.push(b'\n');
            match out.write_all(&line) {
                // The reading program has closed its end of the pipe: it needs no more pages.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
                other => other?,
            }
            made += 1;
        }
    }
    Ok(out.flush()?)
}

/// Returns a random number below `most`.
fn below(random: &mut SplitMix64, most: u64) -> u64 {
    ((u128::from(random.number()) * u128::from(most)) >> 64) as u64
}

/// Returns the size of the next group of copies. On average about `share` of all pages are copies of
/// another page.
fn group(random: &mut SplitMix64, share: f64) -> usize {
    const MEAN: f64 = 5.3; // mean of the sizes drawn below
    // If a share `p` of groups has copies, each of these adds `MEAN - 1` copies on average, and
    // `p (MEAN - 1) / (1 + p (MEAN - 1))` of all pages are copies.
    let groups = (share / (1.0 - share.min(0.99)) / (MEAN - 1.0)).min(1.0);
    // Drawn first: most groups have a single page.
    if random.number() as f64 / u64::MAX as f64 >= groups {
        return 1;
    }
    match below(random, 100) {
        0..55 => 2,
        55..75 => 3,
        75..90 => 4 + narrow::to_usize(below(random, 3)),
        90..98 => 7 + narrow::to_usize(below(random, 14)),
        _ => 21 + narrow::to_usize(below(random, 80)),
    }
}

/// Writes the page to `out` with `percent` percent of its words replaced by words from `pool`.
pub(crate) fn exchange(html: &str, percent: u64, pool: &[String], random: &mut SplitMix64, out: &mut String) {
    out.clear();
    out.reserve(html.len() + html.len() / 8);
    each_part(html, |word, part| {
        if word && !pool.is_empty() && below(random, 100) < percent {
            out.push_str(&pool[narrow::to_usize(below(random, pool.len() as u64))]);
        } else {
            out.push_str(part);
        }
    });
}

/// Visits the parts of a page: words of running text (with `true`), and everything between them (with `false`). The
/// concatenated parts are the page.
///
/// Markup, the content of scripts and styles, white space, and words with character references are not words.
pub(crate) fn each_part(html: &str, mut visit: impl FnMut(bool, &str)) {
    let mut rest = html;
    while !rest.is_empty() {
        let Some(tag) = rest.find('<') else {
            text(rest, &mut visit);
            return;
        };
        let (before, markup) = rest.split_at(tag);
        text(before, &mut visit);
        // Compares the letters after `<` only, so an element such as `<scripted>` would count as a script.
        let close = ["script", "style"].into_iter().find(|name| {
            let start = markup.get(1..=name.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(name))
        });
        let end = match close {
            // The whole element. If it is not closed, it extends to the end of the page.
            Some(name) => {
                let bytes = markup.as_bytes();
                let ends = |at: &usize| {
                    bytes[*at..].starts_with(b"</")
                        && bytes
                            .get(at + 2..at + 2 + name.len())
                            .is_some_and(|end| end.eq_ignore_ascii_case(name.as_bytes()))
                };
                markup.match_indices("</").map(|(at, _)| at).find(ends)
            }
            None if markup.starts_with("<!--") => markup.find("-->"),
            None => Some(0),
        };
        // The closing `>`: of the end tag `</script>`, of the comment, or of the tag itself.
        let end = end.and_then(|at| markup[at..].find('>').map(|more| at + more + 1));
        let (markup, after) = markup.split_at(end.unwrap_or(markup.len()));
        visit(false, markup);
        rest = after;
    }
}

/// Visits the words of a text and the white space between them.
fn text(text: &str, visit: &mut impl FnMut(bool, &str)) {
    for part in text.split_inclusive(|c: char| c.is_ascii_whitespace()) {
        let word = part.trim_end_matches(|c: char| c.is_ascii_whitespace());
        if !word.is_empty() {
            // A word with `&` may contain a character reference; replacing it would change the markup.
            visit(!word.contains('&'), word);
        }
        if word.len() < part.len() {
            visit(false, &part[word.len()..]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<html><head><style>p { a b }</style><title>A title</title></head><body><!-- no > word -->\n\
        <p class=\"x y\">One two &amp; three.<script>if (a<b) { c() }</SCRIPT> Four</p><script>open";

    #[test]
    fn parts_make_the_page_again_and_words_are_words() {
        let (mut again, mut words) = (String::new(), Vec::new());
        each_part(PAGE, |word, part| {
            again.push_str(part);
            if word {
                words.push(part.to_owned());
            }
        });
        assert_eq!(again, PAGE);
        assert_eq!(words, ["A", "title", "One", "two", "three.", "Four"]);
    }

    #[test]
    fn words_are_exchanged_as_often_as_asked() {
        let pool = vec!["new".to_owned()];
        let (mut random, mut out) = (SplitMix64::new(1), String::new());
        exchange(PAGE, 0, &pool, &mut random, &mut out);
        assert_eq!(out, PAGE);
        exchange(PAGE, 100, &pool, &mut random, &mut out);
        assert_eq!(out.matches("new").count(), 6);
        assert!(out.contains("<p class=\"x y\">new new &amp; new<script>if (a<b)"));
    }

    #[test]
    fn about_so_many_pages_are_copies() {
        let mut random = SplitMix64::new(2);
        let groups: Vec<usize> = (0..100_000).map(|_| group(&mut random, 0.3)).collect();
        let pages: usize = groups.iter().sum();
        let share = (pages - groups.len()) as f64 / pages as f64;
        assert!((0.27..0.33).contains(&share), "{share}");
    }
}
