//! Class and id of elements.
//!
//! Most elements of a page share class and id with others, so each pair is stored and classified once.

use crate::analysis::key_numbers::{KeyNumbers, key_of};
use dehusk_html::tree::{Attr, Dom, NodeId};

/// The names of elements, numbered in the order of their first occurrence.
#[derive(Debug)]
pub(super) struct Names {
    ids: KeyNumbers,
    text: String,
    /// The end of the names with each number.
    ends: Vec<u32>,
}

impl Default for Names {
    fn default() -> Self {
        Names {
            ids: KeyNumbers::new(64),
            text: String::new(),
            ends: Vec::new(),
        }
    }
}

impl Names {
    /// Number of the names of an element.
    pub(super) fn number(&mut self, dom: &Dom<'_>, element: NodeId) -> u32 {
        let (mut class, mut id) = (None, None);
        for attr in dom.attrs_of(element) {
            match attr.name_len() {
                5 if class.is_none() && dom.is_named(attr, "class") => class = Some(attr),
                2 if id.is_none() && dom.is_named(attr, "id") => id = Some(attr),
                _ => {}
            }
        }
        // Hashes the values as they are in the source; most equal names are equal there, too.
        let key = [class, id].into_iter().fold(0, |key, attr| {
            let (bytes, encoded) = attr.map_or((&[][..], false), |attr| dom.attr_bytes(attr));
            key_of(bytes, key ^ u64::from(encoded))
        });
        let number = self.ids.id(key);
        if number as usize == self.ends.len() {
            self.add(dom, [class, id]);
        }
        number
    }

    fn add(&mut self, dom: &Dom<'_>, attributes: [Option<&Attr>; 2]) {
        let start = self.text.len();
        for attr in attributes.into_iter().flatten() {
            let value = dom.attr_value(attr);
            for word in value.split_ascii_whitespace() {
                if self.text.len() > start {
                    self.text.push(' ');
                }
                if word.is_ascii() {
                    let lower = self.text.len();
                    self.text.push_str(word);
                    self.text[lower..].make_ascii_lowercase();
                } else {
                    self.text.extend(word.chars().flat_map(char::to_lowercase));
                }
            }
        }
        self.ends.push(self.text.len() as u32);
    }

    /// Removes all names, and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.ids.clear();
        self.text.clear();
        self.ends.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Class and id, lower-cased, with one space between; empty if the element has neither.
    pub(super) fn get(&self, number: usize) -> &str {
        let start = number
            .checked_sub(1)
            .map_or(0, |before| self.ends[before] as usize);
        &self.text[start..self.ends[number] as usize]
    }
}
