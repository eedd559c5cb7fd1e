//! Class and id of elements.
//!
//! Most elements of a page share class and id with others, so each distinct pair is stored and classified once.

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, u8x16};

use crate::analysis::blocks::steps::{STEP, padded};
use crate::analysis::key_numbers::{KeyNumbers, key_of};
use dehusk_html::narrow;
use dehusk_html::tree::{Attr, AttrName, Dom, NodeId};

/// Distinct names (class and id) of elements, numbered in the order of their first occurrence.
#[derive(Debug)]
pub(super) struct Names {
    ids: KeyNumbers,
    text: String,
    /// End offset in `text` of the names with each number.
    ends: Vec<u32>,
    /// Number for elements without attributes; `None` until one occurs.
    without: Option<u32>,
}

impl Default for Names {
    fn default() -> Self {
        Names {
            ids: KeyNumbers::new(64),
            text: String::new(),
            ends: Vec::new(),
            without: None,
        }
    }
}

impl Names {
    /// Number of an element's names.
    #[inline]
    pub(super) fn number(&mut self, dom: &Dom<'_>, element: NodeId) -> u32 {
        let attrs = dom.attrs_of(element);
        if !attrs.is_empty() {
            return self.number_of(dom, attrs);
        }
        if let Some(number) = self.without {
            return number;
        }
        let number = self.number_of(dom, &[]);
        self.without = Some(number);
        number
    }

    /// Number of the names among `attrs`.
    fn number_of(&mut self, dom: &Dom<'_>, attrs: &[Attr]) -> u32 {
        let (mut class, mut id) = (None, None);
        for attr in attrs {
            // The parser drops repeated attributes.
            if attr.is(AttrName::CLASS) {
                class = Some(attr);
            } else if attr.is(AttrName::ID) {
                id = Some(attr);
            }
        }
        // Hashes the values as written in the source; names that are equal are nearly always written equally.
        let key = [class, id].into_iter().fold(0_u64, |key, attr| {
            let Some(attr) = attr else {
                return key.rotate_left(1);
            };
            let (bytes, encoded) = dom.attr_bytes(attr);
            key_of(bytes, key ^ u64::from(encoded))
        });
        let number = self.ids.id(key);
        // Numbers are given in order, so this one is new.
        if number as usize == self.ends.len() {
            let start = self.text.len();
            if let Some(class) = class {
                self.add(dom, class);
            }
            if let Some(id) = id {
                let between = self.text.len();
                if between > start {
                    self.text.push(' ');
                }
                let from = self.text.len();
                self.add(dom, id);
                if self.text.len() == from {
                    // An id without words needs no separator.
                    self.text.truncate(between);
                }
            }
            self.ends.push(narrow::to_u32(self.text.len()));
        }
        number
    }

    /// Appends the words of an attribute's value.
    fn add(&mut self, dom: &Dom<'_>, attr: &Attr) {
        let from = self.text.len();
        let value = dom.raw_attr_value(attr);
        match words_as_stored(value.as_bytes()) {
            Some(case) => {
                self.text.push_str(value);
                if case == Case::Mixed {
                    self.text[from..].make_ascii_lowercase();
                }
            }
            None => push_words(&dom.attr_value(attr), &mut self.text),
        }
    }

    /// Removes all names but keeps the memory.
    pub(super) fn clear(&mut self) {
        self.ids.clear();
        self.text.clear();
        self.ends.clear();
        self.without = None;
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Class and id with this number, lower-cased, joined by a space; empty if the element has neither.
    pub(super) fn get(&self, number: usize) -> &str {
        let start = number
            .checked_sub(1)
            .map_or(0, |before| self.ends[before] as usize);
        &self.text[start..self.ends[number] as usize]
    }
}

/// Whether words hold capital letters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Case {
    Lower,
    Mixed,
}

/// Letter case of a value that can be stored as it is apart from its case: ASCII, no character references,
/// no white space but single spaces inside. `None` for other values.
fn words_as_stored(value: &[u8]) -> Option<Case> {
    dispatch!(Level::baseline(), simd => words_as_stored_with(simd, value))
}

/// [`words_as_stored`] for one instruction set.
#[inline(always)]
fn words_as_stored_with<S: Simd>(simd: S, value: &[u8]) -> Option<Case> {
    // Whether a space would be misplaced here, as a bit: at the start or after another space.
    let (mut after_space, mut capitals) = (1, 0);
    for step in value.chunks(STEP) {
        let bytes = match step.first_chunk() {
            Some(step) => u8x16::load_array_ref(simd, step),
            None => u8x16::load_array(simd, padded(step)),
        };
        let splat = |byte| u8x16::splat(simd, byte);
        let spaces = bytes.simd_eq(splat(b' ')).to_bitmask();
        // `&` may begin a character reference. The subtraction wraps, so control characters count as non-ASCII bytes do.
        let others = (bytes - splat(b' ')).simd_ge(splat(0x60)) | bytes.simd_eq(splat(b'&'));
        // A short step is padded with zeros, which are masked out.
        let others = others.to_bitmask() & ((1 << step.len()) - 1);
        if others | spaces & (spaces << 1 | after_space) != 0 {
            return None;
        }
        after_space = spaces >> (step.len() - 1) & 1;
        capitals |= (bytes - splat(b'A')).simd_le(splat(25)).to_bitmask();
    }
    // Set after a trailing space, and for an empty value.
    (after_space == 0).then_some(if capitals == 0 { Case::Lower } else { Case::Mixed })
}

/// Appends the words of a value, lower-cased, joined by single spaces.
fn push_words(value: &str, out: &mut String) {
    for (i, word) in value.split_ascii_whitespace().enumerate() {
        if i > 0 {
            out.push(' ');
        }
        if word.is_ascii() {
            let from = out.len();
            out.push_str(word);
            out[from..].make_ascii_lowercase();
        } else {
            out.extend(word.chars().flat_map(char::to_lowercase));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use dehusk_html::Parser;
    use dehusk_html::tree::Tag;

    /// Reference implementation: names of an element, word by word.
    fn plain(dom: &Dom<'_>, element: NodeId) -> String {
        let value = |name| dom.attr(element, name).unwrap_or_default().into_owned();
        let both = [value("class"), value("id")].join(" ");
        let words = both
            .split_ascii_whitespace()
            .map(|word| word.chars().flat_map(char::to_lowercase).collect());
        words.collect::<Vec<String>>().join(" ")
    }

    proptest! {
        #[test]
        fn names_are_the_words_of_class_and_id(
            class in "[a-zA-Z \t\u{C4}\u{E4}\u{130}&;-]{0,40}",
            id in "[a-zA-Z ]{0,9}",
            first in any::<bool>(),
        ) {
            let page = match first {
                true => format!("<p class=\"{class}\" id=\"{id}\">"),
                false => format!("<p ID=\"{id}\" x=y CLASS=\"{class}\">"),
            };
            let pages = [page.clone(), "<p>".to_owned(), format!("<p class=\"{class}\">"), page];
            let source = pages.concat();
            let (dom, _) = Parser::default().parse(&source);
            let mut names = Names::default();
            let elements: Vec<NodeId> = dom.tree().ids_of(Tag::P).collect();
            let numbers: Vec<u32> = elements.iter().map(|&element| names.number(&dom, element)).collect();
            for (&element, &number) in elements.iter().zip(&numbers) {
                prop_assert_eq!(names.get(number as usize), plain(&dom, element));
            }
            prop_assert_eq!(numbers[0], numbers[3]);
        }
    }
}
