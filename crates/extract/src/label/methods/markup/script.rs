//! Bodies in scripts: `articleBody` of JSON-LD, or the state of the page's program.
//!
//! The blocks that show the words of the body are kept, so that the result has the structure of the page. If the page does not show the
//! body, the text of the script is the result.

use std::collections::HashSet;

use super::state;
use crate::analysis::blocks::block::Boundary;
use crate::analysis::blocks::table::BlockTable;
use crate::analysis::blocks::words::is_alphanumeric;
use crate::analysis::key_numbers::KeyHash;
use crate::analysis::word_lists::each_lower_case;
use crate::label::extractor::PageView;
use crate::label::labels::{Labels, Verdict};
use dehusk_html::Parser;
use dehusk_html::fnv;
use dehusk_html::tree::character_reference;

/// Length of the word shingles by which body and page are compared.
const SHINGLE: usize = 4;

/// Minimum share of the body's words that the page must show for its blocks to be the result.
const MIN_SHOWN: f64 = 0.8;

/// Minimum share of a block's words that must be in the body for the block to be kept.
const MIN_COVERED: f64 = 0.5;

/// Finds the body in the JSON-LD of the page; `None` if absent, or several of similar length.
pub(crate) fn labels(view: &PageView<'_>, method: &'static str) -> Option<Labels> {
    let reasons = ["in-json-ld-body", "outside-json-ld-body", "part-of-json-ld-body"];
    find_on_page(view, body(&view.metadata.bodies)?, method, reasons)
}

/// Returns an upper bound for the length of the body in the JSON-LD of the page, in characters. Extraction never makes it longer, since
/// references and tags are longer than the text that they represent.
pub(crate) fn most_chars(view: &PageView<'_>) -> usize {
    body(&view.metadata.bodies).map_or(0, |body| body.chars().count())
}

/// Finds the body in the state of the page's program; `None` if the state contains no record with the page's title.
pub(crate) fn state_labels(view: &PageView<'_>, method: &'static str) -> Option<Labels> {
    let reasons = ["in-script-state", "outside-script-state", "part-of-script-state"];
    find_on_page(view, &state::body(view)?, method, reasons)
}

/// Finds the blocks that show a body. `reasons`: for kept blocks, for blocks outside the body, and for blocks that show a part of a body
/// that the page does not show as a whole.
fn find_on_page(
    view: &PageView<'_>,
    raw: &str,
    method: &'static str,
    reasons: [&'static str; 3],
) -> Option<Labels> {
    let paragraphs = paragraphs(view, raw);
    let mut body_words = WordSequence::default();
    for paragraph in &paragraphs {
        body_words.read(paragraph);
    }
    if body_words.words.is_empty() {
        return None;
    }
    let table = view.table;
    let mut page = WordSequence::default();
    let mut ranges = Vec::with_capacity(table.blocks().len());
    for block in table.blocks() {
        let start = page.words.len();
        if !block.hidden {
            page.read(table.text(block));
        }
        // The range of a hidden block is empty.
        ranges.push(start..page.words.len());
    }
    // The words of the body that the page shows, and the words of the page that are in the body.
    let on_page = body_words.covered_by(&page.shingles());
    let in_body = page.covered_by(&body_words.shingles());
    let shown = on_page.iter().filter(|&&covered| covered).count();
    let mut labels = Labels::new(method, Vec::with_capacity(ranges.len()));
    let is_shown = shown as f64 >= MIN_SHOWN * on_page.len() as f64;
    if !is_shown {
        labels.body = Some(paragraphs.join("\n"));
        debug_assert!(labels.body_chars() <= raw.chars().count());
    }
    for (block, range) in table.blocks().iter().zip(ranges) {
        let words = range.len();
        let covered = in_body[range].iter().filter(|&&covered| covered).count();
        let is_covered = words > 0 && covered as f64 >= MIN_COVERED * words as f64;
        labels.verdicts.push(match () {
            () if block.hidden => Verdict::drop("hidden"),
            () if !is_covered => Verdict::drop(reasons[1]),
            () if is_shown => Verdict::keep(reasons[0]),
            () => Verdict::drop(reasons[2]),
        });
    }
    Some(labels)
}

/// Returns the longest of the distinct bodies, if it is the only one or at least twice as long as the median.
fn body(bodies: &[String]) -> Option<&str> {
    let mut all: Vec<&str> = bodies.iter().map(|body| body.trim()).collect();
    all.sort_unstable_by(|a, b| a.len().cmp(&b.len()).then(a.cmp(b)));
    all.dedup();
    let (&longest, &median) = (all.last()?, all.get((all.len() - 1) / 2)?);
    (all.len() == 1 || longest.len() >= 2 * median.len()).then_some(longest)
}

/// Returns the paragraphs of a body: its blocks if it is HTML, otherwise its lines, with character references resolved and white space
/// collapsed.
fn paragraphs(view: &PageView<'_>, raw: &str) -> Vec<String> {
    let is_html = ["</", "<p>", "<br", "<P>", "<BR"]
        .iter()
        .any(|mark| raw.contains(mark));
    if is_html {
        let parser = Parser::default().with_limits(view.limits);
        let (dom, _) = parser.parse_until(raw, view.budget);
        let table = BlockTable::default().refill(&dom, view.budget);
        let mut out: Vec<String> = Vec::new();
        for block in table.blocks() {
            // A block that continues a line, as after an image, belongs to the paragraph before it.
            match out.last_mut() {
                Some(line) if block.boundary == Boundary::Phrase => {
                    line.push(' ');
                    line.push_str(table.text(block));
                }
                _ => out.push(table.text(block).to_owned()),
            }
        }
        return out;
    }
    let text = character_reference::decode_text(raw);
    text.split(['\n', '\r'])
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .filter(|line| !line.is_empty())
        .collect()
}

/// The words of texts as hashes. A word is a lower-cased run of letters and digits, or one character of a script without spaces.
#[derive(Default)]
struct WordSequence {
    words: Vec<u64>,
}

impl WordSequence {
    /// Appends the words of a text.
    fn read(&mut self, text: &str) {
        let mut hash = fnv::START;
        let end = |hash: &mut u64, words: &mut Vec<u64>| {
            if *hash != fnv::START {
                words.push(std::mem::replace(hash, fnv::START));
            }
        };
        for c in text.chars() {
            if !is_alphanumeric(c) {
                end(&mut hash, &mut self.words);
                continue;
            }
            // In scripts without spaces, each character is a word.
            let alone = is_ideographic(c);
            if alone {
                end(&mut hash, &mut self.words);
            }
            each_lower_case(c, |c| hash = fnv::extend(hash, u32::from(c).into()));
            if alone {
                end(&mut hash, &mut self.words);
            }
        }
        end(&mut hash, &mut self.words);
    }

    /// Returns every shingle of [`SHINGLE`] words with its position. A shorter text is one shingle.
    fn windows(&self) -> impl Iterator<Item = (usize, u64)> {
        let size = SHINGLE.min(self.words.len()).max(1);
        self.words.windows(size).enumerate().map(|(i, words)| {
            let mix = |hash: u64, word: &u64| {
                let hash = (hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                hash ^ (hash >> 29)
            };
            // The length is the seed, so that the shingle of a short text equals none of a longer text.
            (i, words.iter().fold(words.len() as u64, mix))
        })
    }

    /// Returns the set of all shingles.
    fn shingles(&self) -> HashSet<u64, KeyHash> {
        self.windows().map(|(_, shingle)| shingle).collect()
    }

    /// Returns whether each word is in one of `shingles`.
    fn covered_by(&self, shingles: &HashSet<u64, KeyHash>) -> Vec<bool> {
        let mut covered = vec![false; self.words.len()];
        let size = SHINGLE.min(self.words.len());
        let mut from = 0;
        for (i, shingle) in self.windows() {
            if shingles.contains(&shingle) {
                let end = i + size;
                // Shingles overlap. Only their new part is filled, so that the time is linear.
                covered[from.max(i)..end].fill(true);
                from = end;
            }
        }
        covered
    }
}

/// Returns whether the script is written without spaces: Chinese characters, kana, Thai, Lao, Khmer and Burmese.
fn is_ideographic(c: char) -> bool {
    matches!(c,
        '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' | '\u{3040}'..='\u{30FF}'
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}
