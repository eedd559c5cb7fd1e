//! The line that is most like the title of the page.

use super::unit::Unit;
use super::words::each_word;
use crate::label::extractor::PageView;

/// Words of a title past which it is none.
const MAX_WORDS: usize = 100;

/// The line most like the title, and how like: twice the words they share by the words of both, and a little more for a heading.
pub(crate) fn anchor(view: &PageView<'_>, units: &[Unit]) -> (usize, f32) {
    let mut title = Vec::new();
    each_word(view.title.unwrap_or(""), |word| {
        title.push(word.hash);
        title.len() <= MAX_WORDS
    });
    let mut best = (0, 0.0);
    if title.is_empty() || title.len() > MAX_WORDS {
        return best;
    }
    // A bit of each word, so that most others need not be compared with all.
    let bits = title.iter().fold(0_u64, |bits, word| bits | 1 << (word & 63));
    for (i, unit) in units.iter().enumerate() {
        if unit.hidden || unit.tokens > 3 * title.len() as u32 + 10 || unit.chars > 400 {
            continue;
        }
        let (mut words, mut shared) = (0, 0.0);
        for block in &view.table.blocks()[unit.blocks()] {
            each_word(view.table.text(block), |word| {
                words += 1;
                if bits >> (word.hash & 63) & 1 == 1 && title.contains(&word.hash) {
                    shared += 1.0;
                }
                true
            });
        }
        let alike = 2.0 * shared / (words + title.len()) as f32 + if unit.heading > 0 { 0.1 } else { 0.0 };
        if alike > best.1 + 1e-6 {
            best = (i, alike);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use crate::label::model::lines;

    #[test]
    fn the_title_is_found_in_any_case() {
        let html = "<title>Die 3 Flüsse | ΟΔΟΣ</title><p>Karte<h2>die 3 FLÜSSE, οδος.</h2><p>Die Flüsse";
        let page = lines(html, None);
        let column = page.features.names.iter().position(|n| n == "title-is");
        let found = page.features.rows.chunks_exact(page.features.width());
        let found: Vec<f32> = found.map(|row| row[column.unwrap()]).collect();
        assert_eq!(found, [0.0, 1.0, 0.0]);
    }
}
