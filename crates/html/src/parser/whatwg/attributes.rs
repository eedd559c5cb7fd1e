//! Attributes of a start tag: duplicates, limits, and those that a second `html` or `body` tag adds.

use std::ops::Range;

use super::Parser;
use crate::tree::NodeId;

/// Names that the tag at hand has used, told apart by a hash of 64 values; a value that comes twice is looked up.
#[derive(Debug)]
pub(super) struct Seen {
    first: usize,
    values: u64,
}

/// From this number on, names are looked up in a table instead of one after the other.
const MANY: usize = 32;

impl Seen {
    /// Nothing yet; the tag's first attribute will have the number `first`.
    pub(super) fn new(first: usize) -> Self {
        Seen { first, values: 0 }
    }
}

/// The names of one element of many attributes: numbers of attributes by the hash of their name. Filled as far as it was
/// asked for, and kept until another such element comes.
#[derive(Debug, Default)]
pub(super) struct ManyNames {
    slots: Vec<u32>,
    /// Numbers of the attributes that are in the table.
    known: Range<u32>,
}

const FREE: u32 = u32::MAX;

impl Parser<'_> {
    /// Adds an attribute unless the tag has one of this name already (section 13.2.5.33) or a limit is reached.
    #[inline]
    pub(super) fn keep_attribute(&mut self, name: (usize, usize), value: (usize, usize), seen: &mut Seen) {
        let (head, tail) = (self.bytes[name.0] | 0x20, self.bytes[name.1 - 1] | 0x20);
        let hash =
            (u32::from(head) ^ u32::from(tail).wrapping_mul(5) ^ ((name.1 - name.0) as u32).wrapping_mul(11))
                & 63;
        let bit = 1 << hash;
        if (seen.values & bit != 0 || self.has_nul) && self.is_duplicate(name, seen.first) {
            return;
        }
        seen.values |= bit;
        let count = self.builder.dom.attrs.len() - seen.first;
        if count >= self.limits.attributes {
            self.hits.attributes += 1;
            return;
        }
        let mut value = value;
        if value.1 - value.0 > self.limits.attribute_bytes {
            self.hits.attribute_bytes += 1;
            value.1 = value.0 + self.limits.attribute_bytes;
            while !self.source.is_char_boundary(value.1) {
                value.1 -= 1;
            }
        }
        let mut name = (name.0 as u32, name.1 as u32);
        if self.has_nul && self.bytes[name.0 as usize..name.1 as usize].contains(&0) {
            let clean = self.source[name.0 as usize..name.1 as usize].replace('\0', "\u{FFFD}");
            name = self.builder.keep(&clean);
        }
        self.builder.push_attr(name, (value.0 as u32, value.1 as u32));
    }

    /// Whether an attribute from number `first` on has the name at this range of the source.
    #[cold]
    fn is_duplicate(&mut self, name: (usize, usize), first: usize) -> bool {
        let name = &self.source[name.0..name.1];
        let all = first as u32..self.builder.dom.attrs.len() as u32;
        if self.has_nul && name.contains('\0') {
            self.is_among(&name.replace('\0', "\u{FFFD}"), all)
        } else {
            self.is_among(name, all)
        }
    }

    /// Whether one of the attributes with these numbers has this name.
    fn is_among(&mut self, name: &str, all: Range<u32>) -> bool {
        let dom = &self.builder.dom;
        let same = |number: u32, name: &str| {
            let attr = &dom.attrs[number as usize];
            dom.slice(attr.name.0, attr.name.1).eq_ignore_ascii_case(name)
        };
        if all.len() < MANY {
            let mut all = all;
            return all.any(|number| same(number, name));
        }
        let ManyNames { slots, known } = &mut self.many_names;
        if known.start != all.start || known.end > all.end || slots.len() < 2 * all.len() {
            slots.clear();
            slots.resize((4 * all.len()).next_power_of_two(), FREE);
            *known = all.start..all.start;
        }
        let mask = slots.len() - 1;
        let find = |slots: &[u32], name: &str| {
            let mut slot = hash(name) as usize & mask;
            while slots[slot] != FREE && !same(slots[slot], name) {
                slot = (slot + 1) & mask;
            }
            slot
        };
        for number in known.end..all.end {
            let attr = &dom.attrs[number as usize];
            let slot = find(slots, dom.slice(attr.name.0, attr.name.1));
            slots[slot] = number;
        }
        known.end = all.end;
        slots[find(slots, name)] != FREE
    }

    /// § A start tag whose tag name is "html" or "body" where one is open: adds the attributes that `node` lacks.
    pub(super) fn add_missing_attributes(&mut self, node: NodeId, attrs: (u32, u32)) {
        let (mut lo, mut hi) = (self.builder.dom.node(node).lo, self.builder.dom.node(node).hi);
        // The tag has just been read: its attributes are the last of the list.
        let new = self.builder.dom.attrs.split_off(attrs.0 as usize);
        for attr in new {
            let name = self.builder.dom.slice(attr.name.0, attr.name.1).to_owned();
            if self.is_among(&name, lo..hi) {
                continue;
            }
            if (hi - lo) as usize >= self.limits.attributes {
                self.hits.attributes += 1;
                continue;
            }
            let list = &mut self.builder.dom.attrs;
            if hi as usize != list.len() {
                // Attributes of other elements follow: these move to the end, which the limit above makes rare.
                let start = list.len() as u32;
                list.extend_from_within(lo as usize..hi as usize);
                (lo, hi) = (start, start + (hi - lo));
            }
            list.push(attr);
            hi += 1;
        }
        let node = &mut self.builder.dom.tree.nodes[node.index()];
        (node.lo, node.hi) = (lo, hi);
    }
}

/// A hash of an attribute's name without regard to case. The table it serves holds one tag and at most
/// [`Limits::attributes`](crate::Limits::attributes) names.
fn hash(name: &str) -> u32 {
    name.bytes().fold(0, |hash: u32, b| {
        (hash ^ u32::from(b.to_ascii_lowercase())).wrapping_mul(0x9E37_79B1)
    })
}
