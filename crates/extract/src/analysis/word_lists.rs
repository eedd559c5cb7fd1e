//! Searches a text for the substrings of several lists in one pass.

use std::collections::VecDeque;

use dehusk_html::narrow;

/// Lists of substrings that are searched together.
///
/// An Aho-Corasick automaton (1975), stored as a transition table, finds the lists with a match in one step per byte.
#[derive(Debug)]
pub(crate) struct WordLists {
    /// Class of each byte: its own class if it occurs in a substring (ASCII letters regardless of case), else 0.
    classes: [u8; 256],
    /// Transition table, one row per state. A row holds, for each class, the offset of the next state's
    /// row, and at index `found` a bit set of the lists with a substring that ends in the state. Padded to
    /// [`PLACES`] entries, so that lookups need no bounds check.
    rows: Vec<u32>,
    found: u8,
}

/// Length of `rows`: row offsets are below 2^16, and a row has at most 256 entries.
const PLACES: usize = (1 << 16) + 256;

impl WordLists {
    /// Builds the automaton from lists of substrings, each with its bit. ASCII letters match regardless of case.
    ///
    /// The total length of all substrings must be below 65,536 divided by the row width, which is the
    /// number of distinct bytes plus two, rounded up to a power of two.
    pub(crate) fn new<'w>(lists: impl IntoIterator<Item = (u32, &'w [&'w str])>) -> Self {
        let parts: Vec<(Vec<u8>, u32)> = lists
            .into_iter()
            .flat_map(|(bit, parts)| {
                let lower = |part: &&str| part.to_ascii_lowercase().into_bytes();
                parts.iter().map(move |part| (lower(part), bit))
            })
            .collect();
        let mut classes = [0_u8; 256];
        let mut count = 1;
        for &byte in parts.iter().flat_map(|(part, _)| part) {
            if classes[usize::from(byte)] == 0 && count < 255 {
                classes[usize::from(byte)] = count;
                classes[usize::from(byte.to_ascii_uppercase())] = count;
                count += 1;
            }
        }
        let mut lists = WordLists {
            classes,
            rows: vec![0; PLACES],
            found: count,
        };
        let width = (usize::from(count) + 1).next_power_of_two();
        // Row 0 is the start. New rows are appended at `end`.
        let mut end = width;
        for (part, bit) in &parts {
            let mut row = 0;
            for &byte in part {
                let place = row + usize::from(classes[usize::from(byte)]);
                if lists.rows[place] == 0 {
                    lists.rows[place] = narrow::to_u32(end);
                    end += width;
                }
                row = lists.rows[place] as usize;
            }
            lists.rows[row + usize::from(count)] |= bit;
        }
        debug_assert!(end <= 1 << 16);
        lists.link(width, end);
        lists
    }

    /// Fills the missing transitions of each state from its longest proper suffix. `end` is the offset
    /// after the last row.
    fn link(&mut self, width: usize, end: usize) {
        let classes = usize::from(self.found);
        // For each state, the row of its longest proper suffix. States are visited in breadth-first order,
        // so suffixes are complete.
        let mut suffixes = vec![0; end / width];
        let first = self.rows[..classes].iter().map(|&row| row as usize);
        let mut pending: VecDeque<usize> = first.filter(|&row| row != 0).collect();
        while let Some(row) = pending.pop_front() {
            let suffix = suffixes[row / width];
            // A state is longer than its suffix, so the two rows are distinct.
            let both = [row..row + classes + 1, suffix..suffix + classes + 1];
            let Ok([own, behind]) = self.rows.get_disjoint_mut(both) else {
                debug_assert!(false, "the rows at {row} and {suffix} overlap");
                continue;
            };
            own[classes] |= behind[classes];
            for (next, behind) in own[..classes].iter_mut().zip(&behind[..classes]) {
                match *next {
                    0 => *next = *behind,
                    child => {
                        suffixes[child as usize / width] = *behind as usize;
                        pending.push_back(child as usize);
                    }
                }
            }
        }
    }

    /// Moves from the state at offset `row` by the next byte of the text, and adds the lists that match there to `bits`.
    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "rows of states are at offsets below 65,536, which the constructor asserts"
    )]
    fn step(&self, rows: &[u32; PLACES], row: &mut u16, bits: &mut u32, byte: u8) {
        // The column's address does not depend on the state, so each step waits for a single load after the previous one.
        let column = |class: u8| rows[usize::from(class)..].first_chunk::<{ 1 << 16 }>();
        if let (Some(next), Some(found)) = (column(self.classes[usize::from(byte)]), column(self.found)) {
            *row = next[usize::from(*row)] as u16;
            *bits |= found[usize::from(*row)];
        }
    }

    /// Bit set of the lists that have a substring in `names`, which are separated by spaces. No substring
    /// may contain a space.
    pub(crate) fn find(&self, names: &str) -> u32 {
        self.find_with(names, |_| {})
    }

    /// Like [`WordLists::find`], and calls `visit` with each byte. The calls are nearly free: each step
    /// waits for the preceding load anyway.
    #[inline]
    pub(crate) fn find_with(&self, names: &str, mut visit: impl FnMut(u8)) -> u32 {
        let mut bits = 0;
        let mut bytes = names.bytes();
        let Some(rows) = self.rows.first_chunk() else {
            debug_assert!(false, "the table is padded to its full length");
            return 0;
        };
        // The state is reset at each space, so that the first step of a name need not wait for the last
        // step of the name before it.
        let mut ends = false;
        while !ends {
            let mut row = 0;
            ends = loop {
                let Some(byte) = bytes.next() else { break true };
                visit(byte);
                if byte == b' ' {
                    break false;
                }
                self.step(rows, &mut row, &mut bits, byte);
            };
        }
        bits
    }

    /// Like [`WordLists::find`], for any text in any case: non-ASCII letters are lower-cased, too.
    ///
    /// A final sigma is treated like any other sigma.
    pub(crate) fn find_in_any_case(&self, text: &str) -> u32 {
        let (mut row, mut bits, mut at) = (0, 0, 0);
        let Some(rows) = self.rows.first_chunk() else {
            debug_assert!(false, "the table is padded to its full length");
            return 0;
        };
        let mut read = |row: &mut u16, byte: u8| self.step(rows, row, &mut bits, byte);
        while let Some(&byte) = text.as_bytes().get(at) {
            match byte {
                0..0x80 => {
                    read(&mut row, byte);
                    at += 1;
                }
                // Scripts without case, U+3000 to U+9FFF and U+B000 to U+D7FF. Substrings seldom use these
                // scripts, so the character is skipped.
                0xE3..=0xE9 | 0xEB..=0xED if self.classes[usize::from(byte)] == 0 => {
                    row = 0;
                    at += 3;
                }
                _ => {
                    if let Some(lower) = lower_russian(&text.as_bytes()[at..]) {
                        lower.into_iter().for_each(|byte| read(&mut row, byte));
                        at += 2;
                        continue;
                    }
                    // Each step moves by whole characters, so `at` is at the start of a character.
                    let c = text[at..].chars().next().unwrap_or_default();
                    at += c.len_utf8();
                    each_lower_case(c, |c| {
                        for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                            read(&mut row, byte);
                        }
                    });
                }
            }
        }
        bits
    }
}

/// Lower-cases the letter at the start of `text` if it is in U+0410 to U+045F (Russian and other Cyrillic
/// letters); its two UTF-8 bytes.
fn lower_russian(text: &[u8]) -> Option<[u8; 2]> {
    match *text {
        [0xD0, second @ 0x90..=0x9F, ..] => Some([0xD0, second + 0x20]),
        [0xD0, second @ 0xA0..=0xAF, ..] => Some([0xD1, second - 0x20]),
        [first @ 0xD0, second @ 0xB0..=0xBF, ..] | [first @ 0xD1, second @ 0x80..=0x9F, ..] => {
            Some([first, second])
        }
        _ => None,
    }
}

/// Calls `visit` with each character of `c.to_lowercase()`; faster than the standard library for the most
/// frequent scripts.
#[inline]
pub(crate) fn each_lower_case(c: char, mut visit: impl FnMut(char)) {
    match c {
        '\0'..='\u{7F}' => visit(c.to_ascii_lowercase()),
        '\u{80}'..='\u{BF}' | 'а'..='џ' | '\u{2010}'..='\u{205E}' | '\u{3000}'..='\u{9FFF}' => visit(c),
        'À'..='Ö' | 'Ø'..='Þ' | 'А'..='Я' => visit(char::from_u32(u32::from(c) + 0x20).unwrap_or(c)),
        'ß'..='ÿ' | '×' => visit(c),
        _ => c.to_lowercase().for_each(visit),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_does_not_matter() {
        let parts = [
            (1, &["комментар", "k 1"][..]),
            (2, &["дня", "åß"]),
            (4, &["ünd", "ό"]),
        ];
        let lists = WordLists::new(parts);
        for text in [
            "",
            "Комментарии",
            "3 КОММЕНТАРИЯ",
            "日本ДнЯ中文",
            "\u{212B}ß x \u{212A} 1",
            "und ÜND",
            "ΌΧΙ ΛΌΓΟΣ",
            "İßÅß",
            "дн日я",
            "\u{10FFFF}k\u{A0}1",
            "ДНЯ\u{2019}k 1",
        ] {
            let lower = text.to_lowercase();
            let found = parts
                .iter()
                .filter(|(_, words)| words.iter().any(|word| lower.contains(word)));
            let plain = found.fold(0, |bits, (bit, _)| bits | bit);
            assert_eq!(lists.find_in_any_case(text), plain, "{text}");
        }
        for c in '\u{80}'..=char::MAX {
            let mut lower = String::new();
            each_lower_case(c, |c| lower.push(c));
            assert_eq!(lower, c.to_string().to_lowercase(), "{c:?}");
            if let Some(bytes) = lower_russian(c.to_string().as_bytes()) {
                assert_eq!(bytes, lower.as_bytes());
            }
        }
    }

    #[test]
    fn parts_are_found_inside_each_other() {
        let parts: [(u32, &[&str]); 4] = [
            (1, &["side"]),
            (2, &["id", "-ad-"]),
            (4, &["Sidebar", "é"]),
            (8, &["dex"]),
        ];
        let lists = WordLists::new(parts);
        for name in [
            "",
            "sid",
            "in-side",
            "x SIDEBAR",
            "sidex",
            "SiDEsidebaR",
            "is-ad",
            "is-ad-x",
            "si de ad",
            "x -ad- side",
            " dex ",
            "café",
            "cafè",
        ] {
            let lower = name.to_ascii_lowercase();
            let holds = |words: &[&str]| {
                words
                    .iter()
                    .any(|word| lower.contains(&word.to_ascii_lowercase()))
            };
            let plain = parts
                .iter()
                .filter(|(_, words)| holds(words))
                .fold(0, |bits, (bit, _)| bits | bit);
            assert_eq!(lists.find(name), plain, "{name}");
        }
    }
}
