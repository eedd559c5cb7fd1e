//! A body that a script holds, as `articleBody` of JSON-LD or as state of the page's program: its words are looked up on the
//! page, so that the blocks answer with their structure. Where the page does not show the body, the script is a source of
//! its own.

use std::collections::HashSet;

use super::state;
use crate::analysis::blocks::block::Boundary;
use crate::analysis::blocks::table::BlockTable;
use crate::label::extractor::PageView;
use crate::label::labels::{Labels, Verdict};
use dehusk_html::Parser;
use dehusk_html::fnv;
use dehusk_html::tree::character_reference;

/// Words that have to follow each other in the body and on the page to be taken for the same text.
const GRAM: usize = 4;

/// Share of the body's words that must be on the page for its blocks to answer.
const SHOWN: f64 = 0.8;

/// Share of a block's words that must be in the body.
const COVERED: f64 = 0.5;

/// What the JSON-LD of the page points out; `None` if it holds no body, or several of like length.
pub(crate) fn labels(view: &PageView<'_>, method: &'static str) -> Option<Labels> {
    let reasons = ["in-json-ld-body", "outside-json-ld-body", "part-of-json-ld-body"];
    look_up(view, body(&view.metadata.bodies)?, method, reasons)
}

/// What the state of the page's program points out; `None` if it holds no record that bears the page's title.
pub(crate) fn state_labels(view: &PageView<'_>, method: &'static str) -> Option<Labels> {
    let reasons = ["in-script-state", "outside-script-state", "part-of-script-state"];
    look_up(view, &state::body(view)?, method, reasons)
}

/// Finds the words of a body on the page. The reasons are of blocks that are kept, that have nothing of it, and that have
/// some of it while the page does not show it all.
fn look_up(
    view: &PageView<'_>,
    raw: &str,
    method: &'static str,
    reasons: [&'static str; 3],
) -> Option<Labels> {
    let paragraphs = paragraphs(view, raw);
    let mut wanted = Stream::default();
    for paragraph in &paragraphs {
        wanted.read(paragraph);
    }
    if wanted.words.is_empty() {
        return None;
    }
    let table = view.table;
    let mut page = Stream::default();
    let mut ranges = Vec::with_capacity(table.blocks().len());
    for block in table.blocks() {
        let start = page.words.len();
        if !block.hidden {
            page.read(table.text(block));
        }
        ranges.push(start..page.words.len());
    }
    let on_page = wanted.covered_by(&page.grams());
    let in_body = page.covered_by(&wanted.grams());
    let shown = on_page.iter().filter(|&&covered| covered).count();
    let mut labels = Labels::new(method, Vec::with_capacity(ranges.len()));
    let is_shown = shown as f64 >= SHOWN * on_page.len() as f64;
    if !is_shown {
        labels.body = Some(paragraphs.join("\n"));
    }
    for (block, range) in table.blocks().iter().zip(ranges) {
        let words = range.len();
        let covered = in_body[range].iter().filter(|&&covered| covered).count();
        let is_covered = words > 0 && covered as f64 >= COVERED * words as f64;
        labels.verdicts.push(match () {
            () if block.hidden => Verdict::drop("hidden"),
            () if !is_covered => Verdict::drop(reasons[1]),
            () if is_shown => Verdict::keep(reasons[0]),
            () => Verdict::drop(reasons[2]),
        });
    }
    Some(labels)
}

/// The longest of the different bodies, if it is twice as long as the median or the only one.
fn body(bodies: &[String]) -> Option<&str> {
    let mut all: Vec<&str> = bodies.iter().map(|body| body.trim()).collect();
    all.sort_unstable_by(|a, b| a.len().cmp(&b.len()).then(a.cmp(b)));
    all.dedup();
    let (&longest, &median) = (all.last()?, all.get((all.len() - 1) / 2)?);
    (all.len() == 1 || longest.len() >= 2 * median.len()).then_some(longest)
}

/// The lines of a body: of one that is HTML its blocks, else its lines, references resolved, white space collapsed.
fn paragraphs(view: &PageView<'_>, raw: &str) -> Vec<String> {
    let is_html = ["</", "<p>", "<br", "<P>", "<BR"]
        .iter()
        .any(|mark| raw.contains(mark));
    if is_html {
        let parser = Parser::default().with_limits(view.limits);
        let (dom, _) = parser.parse_until(raw, view.deadline);
        let table = BlockTable::fill(&dom);
        let mut out: Vec<String> = Vec::new();
        for block in table.blocks() {
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

/// Words one after another, as hashes: lower-cased runs of letters and digits; a character of a script that is written
/// without spaces is a word.
#[derive(Default)]
struct Stream {
    words: Vec<u64>,
}

impl Stream {
    fn read(&mut self, text: &str) {
        let mut hash = fnv::START;
        let end = |hash: &mut u64, words: &mut Vec<u64>| {
            if *hash != fnv::START {
                words.push(std::mem::replace(hash, fnv::START));
            }
        };
        for c in text.chars() {
            if !c.is_alphanumeric() {
                end(&mut hash, &mut self.words);
                continue;
            }
            let alone = is_ideographic(c);
            if alone {
                end(&mut hash, &mut self.words);
            }
            for c in c.to_lowercase() {
                hash = fnv::extend(hash, u32::from(c).into());
            }
            if alone {
                end(&mut hash, &mut self.words);
            }
        }
        end(&mut hash, &mut self.words);
    }

    /// Every run of [`GRAM`] words; of a shorter stream the whole.
    fn windows(&self) -> impl Iterator<Item = (usize, u64)> {
        let size = GRAM.min(self.words.len()).max(1);
        self.words.windows(size).enumerate().map(|(i, words)| {
            let mix = |hash: u64, word: &u64| {
                let hash = (hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                hash ^ (hash >> 29)
            };
            (i, words.iter().fold(words.len() as u64, mix))
        })
    }

    fn grams(&self) -> HashSet<u64> {
        self.windows().map(|(_, gram)| gram).collect()
    }

    /// Which words lie in a run that is one of `grams`.
    fn covered_by(&self, grams: &HashSet<u64>) -> Vec<bool> {
        let mut covered = vec![false; self.words.len()];
        let size = GRAM.min(self.words.len());
        let mut from = 0;
        for (i, gram) in self.windows() {
            if grams.contains(&gram) {
                let end = i + size;
                covered[from.max(i)..end].fill(true);
                from = end;
            }
        }
        covered
    }
}

/// Scripts in which words are not parted: Chinese characters, kana, Thai, Lao, Khmer and Burmese.
fn is_ideographic(c: char) -> bool {
    matches!(c,
        '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' | '\u{3040}'..='\u{30FF}'
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}
