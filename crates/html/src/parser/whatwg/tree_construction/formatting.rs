//! The list of active formatting elements (section 13.2.4.3): pushing and reconstruction.

use crate::fnv;
use crate::narrow;
use crate::parser::whatwg::formatting::Entry;
use crate::parser::whatwg::state::ParserState;
use crate::tree::{Attr, Dom, NodeId, Tag};

impl ParserState<'_> {
    pub(crate) fn is_open(&self, entry: &Entry) -> bool {
        self.stack
            .get(entry.stack_index as usize)
            .is_some_and(|o| o.node == entry.node)
    }

    /// § "reconstruct the active formatting elements"
    #[inline]
    pub(crate) fn reconstruct_formatting(&mut self) {
        // The last entry after the last marker decides. It is nearly always open, or there is no such
        // entry.
        let level = self.formatting.markers;
        if self
            .formatting
            .entries
            .last()
            .is_some_and(|last| last.level == level && !self.is_open(last))
        {
            self.reconstruct_entries();
        }
    }

    #[cold]
    fn reconstruct_entries(&mut self) {
        let start = self.formatting.start();
        let entries = &self.formatting.entries;
        // § "Rewind": entries up to the last open one need no copy.
        let first = entries[start..]
            .iter()
            .rposition(|e| self.is_open(e))
            .map_or(start, |i| start + i + 1);
        for i in first..self.formatting.entries.len() {
            // At the depth limit no copies are made: content goes to the current node.
            if self.is_deep() {
                return;
            }
            if self.clones_left == 0 {
                self.limits_hit.reopened += 1;
                return;
            }
            self.clones_left -= 1;
            let Entry { node, tag, .. } = self.formatting.entries[i];
            let attrs = self.attributes_for_copy(node);
            let node = self.insert_html_element(tag, attrs);
            let entry = &mut self.formatting.entries[i];
            // The index is that of the element that `push_open` adds next.
            (entry.node, entry.stack_index) = (node, narrow::to_u32(self.stack.len()));
            self.push_open(node, tag);
        }
    }

    /// Range of attributes for a copy of an element: those of the element, or an empty range if the copies on
    /// this page have used up their budget of attribute bytes.
    ///
    /// With the budget, reading the attributes of all elements takes time linear in the length of the page.
    pub(crate) fn attributes_for_copy(&mut self, node: NodeId) -> (u32, u32) {
        let attrs = self.attrs_of(node);
        if attrs.0 == attrs.1 {
            return attrs;
        }
        let mut left = self.copied_bytes_left;
        for attr in &self.builder.dom.attrs[attrs.0 as usize..attrs.1 as usize] {
            left = left.saturating_sub(attr.name_len() + attr.value_len());
            if left == 0 {
                break;
            }
        }
        self.copied_bytes_left = left;
        // The copy may have any attribute, so it counts as possible metadata.
        (self.may_hold_metadata, self.names) = (true, u32::MAX);
        if left > 0 {
            return attrs;
        }
        // The copy loses its attributes, but text keeps its place in the tree.
        self.limits_hit.reopened += 1;
        (attrs.0, attrs.0)
    }

    pub(crate) fn attrs_of(&self, node: NodeId) -> (u32, u32) {
        let node = self.builder.dom.node(node);
        (node.lo, node.hi)
    }

    /// Inserts a formatting element, and § "push onto the list of active formatting elements".
    #[inline]
    pub(crate) fn open_formatting(&mut self, tag: Tag, attrs: (u32, u32)) {
        let (node, pushed) = self.open_html_element(tag, attrs);
        // An element at the depth limit is not reconstructed later, so it gets no entry.
        if !pushed || self.is_deep() {
            return;
        }
        let hash = self.make_room_for(tag, attrs);
        if self.formatting.entries.len() >= self.limits.formatting {
            self.limits_hit.formatting += 1;
            return;
        }
        let (level, stack_index) = (self.formatting.markers, narrow::to_u32(self.stack.len()) - 1);
        self.formatting.entries.push(Entry {
            node,
            tag,
            level,
            stack_index,
            hash,
        });
    }

    /// § The "Noah's Ark clause": removes the earliest of three entries with equal tag and attributes after
    /// the last marker. Returns the hash of the attributes, or 0 if it was not needed.
    #[inline]
    fn make_room_for(&mut self, tag: Tag, attrs: (u32, u32)) -> u64 {
        let level = self.formatting.markers;
        let same = |e: &&Entry| e.level == level && e.tag == tag;
        // Fewer than three entries of this tag: attributes need not be compared.
        if self.formatting.entries.iter().rev().filter(same).count() < 3 {
            return 0;
        }
        self.remove_third(tag, attrs)
    }

    #[cold]
    fn remove_third(&mut self, tag: Tag, attrs: (u32, u32)) -> u64 {
        let hash = hash_attributes(&self.builder.dom, attrs);
        let (mut matches, mut earliest) = (0, 0);
        for i in self.formatting.start()..self.formatting.entries.len() {
            let Entry {
                node,
                tag: other,
                hash: known,
                ..
            } = self.formatting.entries[i];
            if other != tag {
                continue;
            }
            let theirs = self.attrs_of(node);
            // Hashes are computed on demand and kept in the entry.
            let known = if known == 0 {
                hash_attributes(&self.builder.dom, theirs)
            } else {
                known
            };
            self.formatting.entries[i].hash = known;
            if known == hash && same_attributes(&self.builder.dom, attrs, theirs) {
                if matches == 0 {
                    earliest = i;
                }
                matches += 1;
            }
        }
        if matches >= 3 {
            self.formatting.entries.remove(earliest);
        }
        hash
    }
}

/// Order-independent hash of attribute names and values; never 0.
fn hash_attributes(dom: &Dom<'_>, attrs: (u32, u32)) -> u64 {
    // Names ignore case, values do not. A sum does not depend on the order of attributes.
    let mut sum = u64::from(attrs.1 - attrs.0) + 1;
    for attr in &dom.attrs[attrs.0 as usize..attrs.1 as usize] {
        let mut hash = fnv::START;
        for byte in dom.slice(attr.name.0, attr.name.1).bytes() {
            hash = fnv::extend(hash, byte.to_ascii_lowercase().into());
        }
        hash = fnv::extend(hash, b'='.into());
        for byte in dom.attr_value(attr).bytes() {
            hash = fnv::extend(hash, byte.into());
        }
        sum = sum.wrapping_add(hash ^ (hash >> 29));
    }
    sum.max(1)
}

/// Whether two elements have the same attributes with equal values, in any order.
fn same_attributes(dom: &Dom<'_>, a: (u32, u32), b: (u32, u32)) -> bool {
    let (a, b) = (
        &dom.attrs[a.0 as usize..a.1 as usize],
        &dom.attrs[b.0 as usize..b.1 as usize],
    );
    let same_name = |x: &Attr, y: &Attr| {
        dom.slice(x.name.0, x.name.1)
            .eq_ignore_ascii_case(dom.slice(y.name.0, y.name.1))
    };
    let same = |x: &Attr, y: &Attr| same_name(x, y) && dom.attr_value(x) == dom.attr_value(y);
    if a.len() != b.len() {
        return false;
    }
    // Equal tags usually have their attributes in the same order.
    if a.iter().zip(b).all(|(x, y)| same(x, y)) {
        return true;
    }
    // The hashes are equal, so most likely only the order differs. Names are unique within a tag, so
    // sorting by name pairs the attributes.
    let sorted = |list: &[Attr]| {
        let mut list = list.to_vec();
        list.sort_by_cached_key(|x| dom.slice(x.name.0, x.name.1).to_ascii_lowercase());
        list
    };
    sorted(a).iter().zip(&sorted(b)).all(|(x, y)| same(x, y))
}
