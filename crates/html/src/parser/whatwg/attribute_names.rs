//! Finds duplicate attributes of a tag.

use std::ops::Range;

use crate::tree::Dom;

/// Attribute names of the current tag, as bit sets. A name is compared with the names before it only if its
/// bit is set already.
#[derive(Debug)]
pub(crate) struct UsedNames {
    /// Index of the tag's first attribute.
    pub(crate) first: usize,
    /// Bit set of the names that have a number.
    pub(crate) known: u32,
    /// Bit set of the hashes of all other names.
    pub(crate) others: u64,
}

/// Minimum number of attributes for which names are looked up in a hash table.
const MIN_FOR_TABLE: usize = 32;

impl UsedNames {
    /// Creates an empty set. The first attribute of the tag will have the index `first`.
    pub(crate) fn new(first: usize) -> Self {
        UsedNames {
            first,
            known: 0,
            others: 0,
        }
    }
}

/// Hash table of the attribute names of an element with many attributes. It is filled on demand and kept
/// until the next such element.
#[derive(Debug, Default)]
pub(crate) struct NameTable {
    slots: Vec<u32>,
    /// Indices of the attributes that are in the table.
    known: Range<u32>,
}

const FREE: u32 = u32::MAX;

impl NameTable {
    /// Whether one of the attributes with the indices `all` is called `name`.
    pub(crate) fn contains(&mut self, dom: &Dom<'_>, name: &str, all: Range<u32>) -> bool {
        let same = |number: u32, name: &str| {
            let attr = &dom.attrs[number as usize];
            dom.slice(attr.name.0, attr.name.1).eq_ignore_ascii_case(name)
        };
        // Comparing a few names is cheaper than hashing them.
        if all.len() < MIN_FOR_TABLE {
            let mut all = all;
            return all.any(|number| same(number, name));
        }
        let NameTable { slots, known } = self;
        // The table is useful only for the same tag, which has the same first attribute, and while at most
        // half of its slots are taken. Otherwise it is filled again.
        if known.start != all.start || known.end > all.end || slots.len() < 2 * all.len() {
            slots.clear();
            slots.resize((4 * all.len()).next_power_of_two(), FREE);
            *known = all.start..all.start;
        }
        let mask = slots.len() - 1;
        let find = |slots: &[u32], name: &str| {
            let mut slot = hash(name) as usize & mask;
            // Linear probing ends: at least half of the slots are free.
            while slots[slot] != FREE && !same(slots[slot], name) {
                slot = (slot + 1) & mask;
            }
            slot
        };
        // Only attributes that were added since the last call.
        for number in known.end..all.end {
            let attr = &dom.attrs[number as usize];
            let slot = find(slots, dom.slice(attr.name.0, attr.name.1));
            slots[slot] = number;
        }
        known.end = all.end;
        slots[find(slots, name)] != FREE
    }
}

/// Case-insensitive hash of an attribute name. It serves the names of one tag, at most
/// [`Limits::attributes`](crate::Limits::attributes).
fn hash(name: &str) -> u32 {
    name.bytes().fold(0, |hash: u32, b| {
        (hash ^ u32::from(b.to_ascii_lowercase())).wrapping_mul(0x9E37_79B1)
    })
}
