//! Finds the line that is most similar to the title of the page.

use std::ops::RangeInclusive;

use dehusk_html::narrow;

use crate::label::extractor::PageView;
use crate::label::model::line_tokens::each_word;
use crate::label::model::lines::Line;

/// Titles with more words are ignored.
const MAX_WORDS: usize = 100;

/// Minimum similarity of a line that is taken for the title.
pub(crate) const MIN_TITLE: f32 = 0.6;

/// Returns the index of the line most similar to the title, and their Dice coefficient on words, with a bonus for headings.
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
    let title = Title::new(title);
    // The title line is mostly a heading. A first pass over the headings gives a bound that spares reading most other lines.
    let headings = lines.iter().filter(|line| line.heading > 0);
    let least = headings.fold(0.0, |best, line| {
        title.similarity(view, line, best).unwrap_or(best)
    });
    // The margin covers similarities that are equal but for rounding: lower ones cannot change the result.
    let least = least - 10.0 * ROUNDING;
    let mut tokens = title.tokens(least);
    // Of lines that are equally similar, the first one wins.
    for (i, line) in lines.iter().enumerate() {
        if (line.heading > 0 || tokens.contains(&line.counts.tokens))
            && let Some(alike) = title.similarity(view, line, best.1.max(least))
            && alike > best.1 + ROUNDING
        {
            best = (i, alike);
            tokens = title.tokens(best.1.max(least));
        }
    }
    best
}

/// Similarities that differ by less are equal.
const ROUNDING: f32 = 1e-6;

/// Words of the title.
struct Title {
    words: Vec<u64>,
    /// Bloom filter with one bit per word: most words of lines need no comparison.
    bits: u64,
}

impl Title {
    fn new(words: Vec<u64>) -> Title {
        let bits = words.iter().fold(0, |bits, word| bits | 1 << (word & 63));
        Title { words, bits }
    }

    /// Returns the Dice coefficient with a text of `words` words, `shared` of them in the title.
    fn dice(&self, shared: f32, words: usize) -> f32 {
        2.0 * shared / (words + self.words.len()) as f32
    }

    /// Returns the token counts with which a line that is not a heading may be more similar than `least`. A line has at most as many
    /// words as tokens, and it is most similar if the title contains them all. Most lines are excluded by their token count.
    fn tokens(&self, least: f32) -> RangeInclusive<u32> {
        let most = 3 * narrow::to_u32(self.words.len()) + 10;
        let enough = |tokens: &u32| self.dice(*tokens as f32, *tokens as usize) > least;
        (0..=most).find(enough).unwrap_or(most + 1)..=most
    }

    /// Returns the similarity of a line if it is greater than `least` and the line may be a title.
    fn similarity(&self, view: &PageView<'_>, line: &Line, least: f32) -> Option<f32> {
        let title = &self.words;
        // A title line is neither hidden nor much longer than the title itself.
        if line.hidden || line.counts.tokens > 3 * narrow::to_u32(title.len()) + 10 || line.chars > 400 {
            return None;
        }
        let bonus = if line.heading > 0 { 0.1 } else { 0.0 };
        let similarity = |shared: f32, words: usize| self.dice(shared, words) + bonus;
        // Upper bound: all words of the line are in the title.
        if similarity(line.counts.tokens as f32, line.counts.tokens as usize) <= least {
            return None;
        }
        let (mut words, mut shared) = (0, 0.0);
        // Whether the similarity would exceed `least` if all remaining words were in the title.
        let mut may_be_more = true;
        for block in &view.table.blocks()[line.blocks()] {
            each_word(view.table.text(block), |word| {
                words += 1;
                if self.bits >> (word.hash & 63) & 1 == 1 && title.contains(&word.hash) {
                    shared += 1.0;
                } else {
                    let left = (line.counts.tokens as usize).saturating_sub(words);
                    may_be_more = similarity(shared + left as f32, words + left) > least;
                }
                may_be_more
            });
            if !may_be_more {
                return None;
            }
        }
        Some(similarity(shared, words)).filter(|alike| *alike > least)
    }
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
