//! The line that is most like the title of the page.

use crate::label::extractor::PageView;
use crate::label::model::line_tokens::each_word;
use crate::label::model::lines::Line;

/// Longer titles, in words, are ignored.
const MAX_WORDS: usize = 100;

/// Least similarity of the line that is taken for the title.
pub(crate) const MIN_TITLE: f32 = 0.6;

/// Number of the line most like the title, and their Dice coefficient on words, with a bonus for headings.
pub(crate) fn find_title_line(view: &PageView<'_>, lines: &[Line]) -> (usize, f32) {
    let mut title = Vec::new();
    each_word(view.title.unwrap_or(""), |word| {
        title.push(word.hash);
        title.len() <= MAX_WORDS
    });
    let mut best = (0, 0.0);
    if title.is_empty() || title.len() > MAX_WORDS {
        return best;
    }
    // A Bloom filter of one bit for each word: most words of lines need no comparison.
    let bits = title.iter().fold(0_u64, |bits, word| bits | 1 << (word & 63));
    for (i, line) in lines.iter().enumerate() {
        if line.hidden || line.counts.tokens > 3 * title.len() as u32 + 10 || line.chars > 400 {
            continue;
        }
        let bonus = if line.heading > 0 { 0.1 } else { 0.0 };
        let similarity = |shared: f32, words: usize| 2.0 * shared / (words + title.len()) as f32 + bonus;
        // A line has no more words than tokens, and is most similar if it shares all: most lines after the title need not be read.
        if similarity(line.counts.tokens as f32, line.counts.tokens as usize) <= best.1 {
            continue;
        }
        let (mut words, mut shared) = (0, 0.0);
        // Whether it is more similar than the best if it shares all words that are left.
        let mut may_be_best = true;
        for block in &view.table.blocks()[line.blocks()] {
            each_word(view.table.text(block), |word| {
                words += 1;
                if bits >> (word.hash & 63) & 1 == 1 && title.contains(&word.hash) {
                    shared += 1.0;
                } else {
                    let left = (line.counts.tokens as usize).saturating_sub(words);
                    may_be_best = similarity(shared + left as f32, words + left) > best.1;
                }
                may_be_best
            });
            if !may_be_best {
                break;
            }
        }
        if !may_be_best {
            continue;
        }
        let alike = similarity(shared, words);
        if alike > best.1 + 1e-6 {
            best = (i, alike);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use crate::training::page_lines;

    #[test]
    fn the_title_is_found_in_any_case() {
        let html = "<title>Die 3 Flüsse | ΟΔΟΣ</title><p>Karte<h2>die 3 FLÜSSE, οδος.</h2><p>Die Flüsse";
        let page = page_lines(html, None);
        let column = page.features.names.iter().position(|n| n == "title-is");
        let found = page.features.rows.chunks_exact(page.features.width());
        let found: Vec<f32> = found.map(|row| row[column.unwrap()]).collect();
        assert_eq!(found, [0.0, 1.0, 0.0]);
    }
}
