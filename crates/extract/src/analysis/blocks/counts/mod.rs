//! Counts of words, lines, tokens, commas, digits and more, in one pass over the text of a page.

use std::ops::Range;

use dehusk_html::narrow;
use fearless_simd::{Level, Simd, dispatch};

use crate::analysis::blocks::block::Block;
use crate::analysis::blocks::masks::Masks;
use crate::analysis::blocks::steps::WINDOW;
use crate::analysis::key_numbers::key_of;

/// Number of tokens of a text: words, and each character of scripts without spaces.
#[cfg(any(test, feature = "rules"))]
pub(crate) fn tokens(text: &str) -> u32 {
    dispatch!(Level::new(), simd => Reader::default().read(simd, text, 0..text.len(), &[]))
        .counts
        .tokens
}

/// Counts of a block's text that are used to compare lines.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Counts {
    /// Number of tokens: words, and each character of scripts without spaces.
    pub(crate) tokens: u32,
    pub(crate) commas: u32,
    pub(crate) digits: u32,
    /// Number of tokens that begin with a capital letter.
    pub(crate) capitals: u32,
    /// Whether the text contains a currency sign.
    pub(crate) money: bool,
    /// Whether the text ends like a sentence.
    pub(crate) ends: bool,
    /// Whether the text contains `|`. For a line, whether its first block does.
    pub(crate) bar: bool,
    /// Whether the text contains an opening bracket, a capital A or a character of U+0080 to U+00BF.
    /// Copyright notices and arrows in menus contain at least one of these. For a line, whether its first
    /// block does.
    pub(crate) signs: bool,
    /// Hash of the text, little-endian. An array, because an aligned `u64` would make the struct four bytes larger.
    hash: [u8; 8],
}

impl Counts {
    /// Adds the counts of the next block of the same line.
    pub(crate) fn join(&mut self, next: &Counts) {
        // `bar` and `signs` stay those of the first block, `ends` becomes that of the last.
        self.tokens += next.tokens;
        self.commas += next.commas;
        self.digits += next.digits;
        self.capitals += next.capitals;
        self.money |= next.money;
        self.ends = next.ends;
        self.hash = (self.hash().rotate_left(21) ^ next.hash()).to_le_bytes();
    }

    pub(crate) fn hash(&self) -> u64 {
        u64::from_le_bytes(self.hash)
    }
}

/// All counts of a block's text.
#[derive(Debug, Default, PartialEq)]
pub(super) struct BlockCounts {
    pub(super) chars: u32,
    /// Characters in links, without spaces.
    pub(super) link_chars: u32,
    /// Number of words, and number of words that begin in a link.
    pub(super) words: u32,
    pub(super) link_words: u32,
    /// Number of lines when wrapped at 80 columns, where the last line counts only if it is the only one;
    /// and number of words in those lines.
    pub(super) lines: u32,
    pub(super) words_in_lines: u32,
    pub(super) counts: Counts,
}

/// Counts the texts of all blocks, which are ranges of `text`. `links` are the linked ranges of `text`, sorted.
pub(super) fn count_blocks(
    text: &str,
    links: &[Range<usize>],
    blocks: &mut [Block],
    counts: &mut Vec<Counts>,
) {
    dispatch!(Level::new(), simd => {
        let mut links = links;
        for block in blocks {
            let range = block.text.start as usize..block.text.end as usize;
            // Blocks are in order: links before this block are before all further blocks, too.
            while links.first().is_some_and(|link| link.end <= range.start) {
                links = &links[1..];
            }
            let out = Reader::default().read(simd, text, range, links);
            block.chars = out.chars;
            block.link_chars = out.link_chars;
            block.words = out.words;
            block.link_words = out.link_words;
            block.lines = out.lines;
            block.words_in_lines = out.words_in_lines;
            counts.push(out.counts);
        }
    });
}

/// Line width in columns.
const COLUMNS: u32 = 80;

/// State of the counting of one text, which is read window by window.
#[derive(Default)]
struct Reader {
    out: BlockCounts,
    /// Whether the last character read is a letter or a digit of a script with spaces between words.
    in_word: bool,
    /// The word that the last window ended in.
    open: OpenWord,
    /// Columns used on the current line, without the space before its first word, and number of words on it.
    column: u32,
    on_line: u32,
}

/// An unfinished run of word characters at the end of a window.
#[derive(Clone, Copy, Default)]
struct OpenWord {
    /// Characters of the run; 0 if no run is open.
    chars: u32,
    /// Whether the run contains a letter or digit.
    has_letter: bool,
    /// Whether the run begins in a link.
    linked: bool,
}

impl Reader {
    /// Counts the range `part` of `text`. Links that end before `part` must have been removed.
    #[inline(always)]
    fn read<S: Simd>(
        mut self,
        simd: S,
        text: &str,
        part: Range<usize>,
        links: &[Range<usize>],
    ) -> BlockCounts {
        // Links before `part` are removed, so the first link overlaps `part` or lies after it.
        let first_link = links.first().filter(|link| link.start < part.end);
        let all_linked = first_link.is_some_and(|link| link.start <= part.start && part.end <= link.end);
        // A text that fits on one line needs no measuring of words, only their number.
        let one_line = part.len() <= COLUMNS as usize && (first_link.is_none() || all_linked);
        let (mut at, mut links) = (part.start, links);
        while at < part.end {
            let masks = Masks::of(simd, text, at..part.end, self.in_word);
            self.count_tokens(&masks);
            let end = at + masks.len;
            let linked = if all_linked {
                u64::MAX
            } else if first_link.is_none() {
                0
            } else {
                linked_bytes(&mut links, at..end)
            };
            if linked != 0 {
                // Clear the bits past the window: `linked` may be all ones.
                let all = u64::MAX >> (WINDOW - masks.len);
                let chars = all & linked & !masks.continuation & !masks.spaces;
                self.out.link_chars += chars.count_ones();
            }
            if one_line {
                self.count_words(&masks);
            } else {
                self.wrap_words(&masks, linked);
            }
            at = end;
        }
        self.end_word();
        if one_line {
            self.out.link_words = if all_linked { self.out.words } else { 0 };
        }
        // A single line counts; otherwise, the last line does not.
        if self.out.lines == 0 {
            (self.out.words_in_lines, self.out.lines) = (self.out.words, 1);
        } else {
            self.out.words_in_lines = self.out.words - self.on_line;
        }
        let text = &text[part];
        self.out.counts.hash = key_of(text.as_bytes(), 0).to_le_bytes();
        self.out.counts.ends = ends_like_a_sentence(text);
        self.out
    }

    #[inline(always)]
    fn count_tokens(&mut self, masks: &Masks) {
        let out = &mut self.out.counts;
        // Bits whose lower neighbor is clear. Before bit 0 stands the end of the last window.
        let begins = masks.spaced & !(masks.spaced << 1 | u64::from(self.in_word));
        out.tokens += begins.count_ones() + masks.unspaced;
        out.capitals += (begins & masks.capitals).count_ones();
        if masks.digits != 0 {
            out.digits += masks.digits.count_ones();
        }
        if masks.commas != 0 {
            out.commas += masks.commas.count_ones();
        }
        out.money |= masks.money;
        out.bar |= masks.bar;
        out.signs |= masks.signs;
        self.in_word = masks.spaced >> (masks.len - 1) & 1 == 1;
        self.out.chars += narrow::to_u32(masks.len);
        if masks.continuation != 0 {
            self.out.chars -= masks.continuation.count_ones();
        }
    }

    /// Counts words without measuring them.
    ///
    /// A word is a run of word characters with a letter. Adding the letter's bit to the run's bits carries
    /// into the bit after the run, so each set carry marks the end of a word.
    #[inline(always)]
    fn count_words(&mut self, masks: &Masks) {
        let (sum, over) = masks.word.overflowing_add(masks.letters);
        // The open word acts as a letter before bit 0: its carry runs through the rest of the word, or sets
        // bit 0 if the word has ended.
        let (sum, over_too) = sum.overflowing_add(u64::from(self.open.has_letter));
        let mut ends = sum & !masks.word;
        // A word at the window's end may continue in the next window.
        self.open.has_letter = over | over_too;
        if masks.len < WINDOW {
            self.open.has_letter = ends >> masks.len & 1 == 1;
            ends &= !(1 << masks.len);
        }
        self.out.words += ends.count_ones();
    }

    /// Counts words, words that begin in a link, and lines.
    #[inline(always)]
    fn wrap_words(&mut self, masks: &Masks, linked: u64) {
        let mut left = masks.word;
        if self.open.chars > 0 {
            let end = self.take_run(masks, 0);
            if end == narrow::to_u32(masks.len) {
                return;
            }
            self.end_word();
            // The carry clears the run at the start of the window, which belonged to the open word.
            left &= left.wrapping_add(1);
        }
        // A word at the window's end may continue in the next window.
        let start = narrow::to_u32(masks.len) - (left << (WINDOW - masks.len)).leading_ones();
        self.wrap_whole_words(masks, left & below(start), linked);
        if start < narrow::to_u32(masks.len) {
            self.open.linked = linked >> start & 1 == 1;
            self.take_run(masks, start);
        }
    }

    /// Counts the words that begin and end in this window. One step suffices: a window of 64 bytes is
    /// narrower than a line, so at most one of its words begins a new line.
    #[inline(always)]
    fn wrap_whole_words(&mut self, masks: &Masks, runs: u64, linked: u64) {
        // Adding letter bits to their runs carries into the bit after each run. Runs without a letter are not words.
        let ends = (runs + (masks.letters & runs)) & !runs;
        let mut words = runs;
        let mut others = runs << 1 & !runs & !ends;
        // Clear the runs without letters, one by one; `others` marks their ends.
        while others != 0 {
            let end = others.trailing_zeros();
            others &= others - 1;
            words &= !below(end) | below(end - (runs << (64 - end)).leading_ones());
        }
        let count = ends.count_ones();
        if count == 0 {
            return;
        }
        self.out.words += count;
        if linked != 0 {
            self.out.link_words += (words & !(words << 1) & linked).count_ones();
        }
        // Each word occupies its characters plus one column for the space, represented by the bit after its end.
        let columns = words & !masks.continuation | ends;
        self.column += columns.count_ones();
        self.on_line += count;
        if self.column > COLUMNS + 1 {
            // `column` includes the whole window already; `free` is what the old line had left.
            let free = (COLUMNS + 1 + columns.count_ones()).saturating_sub(self.column);
            let last = place_of_bit(columns, free);
            // Words that end before this column stay on the old line; the rest begin the new one.
            let before = ends & below(last);
            let line = !below(64 - before.leading_zeros());
            self.out.lines += 1;
            self.column = (columns & line).count_ones();
            self.on_line = (ends & line).count_ones();
        }
    }

    /// Adds the run of word characters that begins at `start` to the open word; returns the end of the run.
    #[inline(always)]
    fn take_run(&mut self, masks: &Masks, start: u32) -> u32 {
        let from = u64::MAX << start;
        // Bits past the window are clear, so the run ends at the window's end at the latest.
        let end = (!masks.word & from).trailing_zeros();
        let run = from & below(end);
        self.open.has_letter |= masks.letters & run != 0;
        self.open.chars += end - start;
        if masks.continuation != 0 {
            self.open.chars -= (masks.continuation & run).count_ones();
        }
        end
    }

    #[inline(always)]
    fn end_word(&mut self) {
        let word = std::mem::take(&mut self.open);
        if !word.has_letter {
            return;
        }
        self.out.words += 1;
        self.out.link_words += u32::from(word.linked);
        self.on_line += 1;
        self.column += word.chars + 1;
        if self.column > COLUMNS + 1 {
            self.out.lines += 1;
            self.column = word.chars + 1;
            self.on_line = 1;
        }
    }
}

/// A mask of the lowest `bits` bits.
#[inline(always)]
fn below(bits: u32) -> u64 {
    !u64::MAX.checked_shl(bits).unwrap_or(0)
}

/// Index of the set bit of `mask` that has `bits_below` set bits below it; 63 if there is no such bit.
#[inline(always)]
fn place_of_bit(mask: u64, bits_below: u32) -> u32 {
    let (mut place, mut left) = (0, bits_below);
    for half in [32, 16, 8, 4, 2, 1] {
        let low = (mask >> place & below(half)).count_ones();
        if low <= left {
            left -= low;
            place += half;
        }
    }
    place
}

/// Mask of the bytes of `window` (at most 64) that lie in links. Removes links that end before the window.
fn linked_bytes(links: &mut &[Range<usize>], window: Range<usize>) -> u64 {
    while links.first().is_some_and(|link| link.end <= window.start) {
        *links = &links[1..];
    }
    let in_window = links.iter().take_while(|link| link.start < window.end);
    in_window.fold(0, |bits, link| {
        let start = link.start.max(window.start) - window.start;
        let end = link.end.min(window.end) - window.start;
        // Links that do not touch the window are left out, so `start < 64` and `end > 0`: no shift by 64.
        bits | u64::MAX << start & u64::MAX >> (WINDOW - end)
    })
}

/// Whether the last character, apart from quotation marks and closing brackets, ends a sentence.
fn ends_like_a_sentence(text: &str) -> bool {
    // A cheap test first: only ASCII letters and digits at the end are excluded without decoding.
    if text.as_bytes().last().is_none_or(u8::is_ascii_alphanumeric) {
        return false;
    }
    let last = text
        .trim_end_matches(['"', '\'', '»', '”', '’', ')', ']', '」', '』', ' '])
        .chars()
        .next_back();
    last.is_some_and(|c| matches!(c, '.' | '!' | '?' | '…' | '。' | '！' | '？' | ':' | ';' | '；'))
}

#[cfg(test)]
mod tests;
