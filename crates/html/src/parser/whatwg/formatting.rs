//! The list of active formatting elements (section 13.2.4.3) and the adoption agency algorithm (section 13.2.6.4.7).
//!
//! Markers are counted rather than kept: each entry knows how many markers precede it. The list is therefore never longer
//! than its limit, whatever a page does with tables and templates.

use super::Parser;
use super::names::{FORMATTING, SPECIAL, class_of};
use super::stack::Open;
use crate::tree::{Attr, Dom, NodeId, Tag};

/// One formatting element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) node: NodeId,
    pub(super) tag: Tag,
    /// How many markers precede it.
    level: u32,
    /// Where it is on the stack of open elements, if it is.
    at: u32,
    /// Hash of its attributes, 0 until it is asked for.
    hash: u64,
}

/// The list.
#[derive(Debug, Default)]
pub(super) struct Formatting {
    entries: Vec<Entry>,
    markers: u32,
}

impl Formatting {
    /// § "insert a marker at the end of the list"
    pub(super) fn push_marker(&mut self) {
        self.markers += 1;
    }

    /// § "clear the list of active formatting elements up to the last marker"
    pub(super) fn clear_to_marker(&mut self) {
        while self.entries.last().is_some_and(|e| e.level == self.markers) {
            self.entries.pop();
        }
        self.markers = self.markers.saturating_sub(1);
    }

    /// The last entry of this tag behind the last marker.
    fn last_of(&self, tag: Tag) -> Option<usize> {
        let start = self.start();
        self.entries[start..]
            .iter()
            .rposition(|e| e.tag == tag)
            .map(|i| start + i)
    }

    /// Where the entries behind the last marker begin.
    fn start(&self) -> usize {
        self.entries
            .iter()
            .rposition(|e| e.level != self.markers)
            .map_or(0, |i| i + 1)
    }

    fn position(&self, node: NodeId) -> Option<usize> {
        self.entries.iter().rposition(|e| e.node == node)
    }

    /// Drops the last entry of this tag behind the last marker.
    pub(super) fn forget(&mut self, tag: Tag) {
        if let Some(i) = self.last_of(tag) {
            self.entries.remove(i);
        }
    }
}

impl Parser<'_> {
    fn is_open(&self, entry: &Entry) -> bool {
        self.stack
            .get(entry.at as usize)
            .is_some_and(|o| o.node == entry.node)
    }

    /// § "reconstruct the active formatting elements"
    #[inline]
    pub(super) fn reconstruct_formatting(&mut self) {
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
        let first = entries[start..]
            .iter()
            .rposition(|e| self.is_open(e))
            .map_or(start, |i| start + i + 1);
        for i in first..self.formatting.entries.len() {
            if self.is_deep() {
                return;
            }
            if self.budget == 0 {
                self.hits.reopened += 1;
                return;
            }
            self.budget -= 1;
            let Entry { node, tag, .. } = self.formatting.entries[i];
            let attrs = self.attrs_of(node);
            let node = self.insert_html_element(tag, attrs);
            let entry = &mut self.formatting.entries[i];
            (entry.node, entry.at) = (node, self.stack.len() as u32);
            self.push_open(node, tag);
        }
    }

    fn attrs_of(&self, node: NodeId) -> (u32, u32) {
        let node = self.builder.dom.node(node);
        (node.lo, node.hi)
    }

    /// Inserts a formatting element and § "push onto the list of active formatting elements".
    #[inline]
    pub(super) fn open_formatting(&mut self, tag: Tag, attrs: (u32, u32)) {
        let (node, pushed) = self.open_html_element(tag, attrs);
        if !pushed || self.is_deep() {
            return;
        }
        let hash = self.make_room_for(tag, attrs);
        if self.formatting.entries.len() >= self.limits.formatting {
            self.hits.formatting += 1;
            return;
        }
        let (level, at) = (self.formatting.markers, self.stack.len() as u32 - 1);
        self.formatting.entries.push(Entry {
            node,
            tag,
            level,
            at,
            hash,
        });
    }

    /// The "Noah's Ark clause": at most three entries of the same tag and attributes behind the last marker. Returns the
    /// hash of the attributes, 0 if it was not needed.
    #[inline]
    fn make_room_for(&mut self, tag: Tag, attrs: (u32, u32)) -> u64 {
        let level = self.formatting.markers;
        let same = |e: &&Entry| e.level == level && e.tag == tag;
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

    /// § A start tag whose tag name is "a" while another one is in the list.
    pub(super) fn close_active_link(&mut self) {
        let Some(i) = self.formatting.last_of(Tag::A) else {
            return;
        };
        let node = self.formatting.entries[i].node;
        self.adoption_agency(Tag::A);
        if let Some(i) = self.formatting.position(node) {
            self.formatting.entries.remove(i);
        }
        if let Some(at) = self.stack.position(node) {
            self.stack.remove(at);
            self.find_again();
        }
    }

    /// § The adoption agency algorithm, for an end tag of `subject`. The numbers are those of the standard's steps.
    #[inline]
    pub(super) fn adoption_agency(&mut self, subject: Tag) {
        // 3, and 4 with the first round in the case of well nested tags.
        if let Some(current) = self.stack.last().copied().filter(|o| o.is(subject)) {
            let last = self.formatting.entries.last();
            // An element that a marker hides stays in the list, as templates can leave one more marker than they found.
            if last.is_some_and(|e| e.node == current.node && e.level == self.formatting.markers) {
                self.formatting.entries.pop();
                self.stack.pop();
                return;
            }
            if self.formatting.position(current.node).is_none() {
                self.stack.pop();
                return;
            }
        }
        self.adopt(subject);
    }

    #[cold]
    fn adopt(&mut self, subject: Tag) {
        // 4
        for _ in 0..8 {
            // 4.3
            let Some(formatting_index) = self.formatting.last_of(subject) else {
                self.any_other_end_tag(subject);
                return;
            };
            let formatting_element = self.formatting.entries[formatting_index];
            // 4.4
            if !self.is_open(&formatting_element) {
                self.formatting.entries.remove(formatting_index);
                return;
            }
            // 4.5
            if !self.stack.node_in_scope(formatting_element.node) {
                return;
            }
            // 4.7
            let at = formatting_element.at as usize;
            let above = &self.stack.as_slice()[at + 1..];
            let Some(furthest) = above
                .iter()
                .position(|o| o.class & SPECIAL != 0)
                .map(|i| at + 1 + i)
            else {
                // 4.8
                self.stack.truncate(at);
                self.formatting.entries.remove(formatting_index);
                return;
            };
            if self.budget < CLONES {
                // The budget of nodes that no tag asks for is used up: close the element without moving anything.
                self.hits.reopened += 1;
                self.stack.truncate(at);
                self.formatting.entries.remove(formatting_index);
                return;
            }
            self.adopt_once(formatting_index, furthest);
        }
    }

    /// Steps 4.9 to 4.19: moves the furthest block, which is at `furthest` on the stack, out of the formatting element.
    fn adopt_once(&mut self, formatting_index: usize, furthest: usize) {
        let formatting_element = self.formatting.entries[formatting_index];
        let at = formatting_element.at as usize;
        let furthest_block: Open = self.stack.as_slice()[furthest];
        // 4.9
        let common_ancestor = self.stack.as_slice()[at - 1];
        // 4.10: the bookmark is the place in the list where the new element goes.
        let mut bookmark = None;
        // 4.11 to 4.13
        let mut last_node = furthest_block.node;
        let (mut index, mut inner, mut removed) = (furthest, 0, 0);
        loop {
            inner += 1;
            index -= 1;
            let node = self.stack.as_slice()[index];
            if index == at {
                break;
            }
            let mut entry = self.formatting.position(node.node);
            if inner > 3
                && let Some(i) = entry.take()
            {
                self.formatting.entries.remove(i);
            }
            let Some(entry) = entry else {
                self.stack.remove(index);
                removed += 1;
                continue;
            };
            let clone = self.clone_element(node.node, node.tag);
            self.stack.replace(index, clone);
            let listed = &mut self.formatting.entries[entry];
            (listed.node, listed.at) = (clone, index as u32);
            if last_node == furthest_block.node {
                bookmark = Some(clone);
            }
            self.builder.dom.tree.detach(last_node);
            self.builder.dom.tree.append(clone, last_node);
            last_node = clone;
        }
        // 4.14
        self.builder.dom.tree.detach(last_node);
        let place = self.place_in(&common_ancestor);
        self.insert_at(place, last_node);
        // 4.15 to 4.17
        let clone = self.clone_element(formatting_element.node, formatting_element.tag);
        self.builder
            .dom
            .tree
            .reparent_children(furthest_block.inner, clone);
        self.builder.dom.tree.append(furthest_block.inner, clone);
        // 4.18
        let mut entry = Entry {
            node: clone,
            ..formatting_element
        };
        match bookmark.and_then(|node| self.formatting.position(node)) {
            Some(before) => {
                entry.level = self.formatting.entries[before].level;
                self.formatting.entries.insert(before + 1, entry);
                if let Some(old) = self.formatting.position(formatting_element.node) {
                    self.formatting.entries.remove(old);
                }
            }
            None => {
                if let Some(old) = self.formatting.position(formatting_element.node) {
                    self.formatting.entries[old] = entry;
                }
            }
        }
        // 4.19
        let furthest = furthest - removed;
        let opened = Open {
            node: clone,
            inner: clone,
            tag: formatting_element.tag,
            class: class_of(formatting_element.tag),
        };
        self.stack.insert(furthest + 1, opened);
        self.stack.remove(at);
        self.find_again();
    }

    fn clone_element(&mut self, node: NodeId, tag: Tag) -> NodeId {
        self.budget = self.budget.saturating_sub(1);
        let attrs = self.attrs_of(node);
        self.new_html_element(tag, attrs)
    }

    /// Notes where the entries are on the stack, after elements have been moved on it.
    pub(super) fn find_again(&mut self) {
        for entry in &mut self.formatting.entries {
            entry.at = u32::MAX;
        }
        for (at, open) in self.stack.as_slice().iter().enumerate() {
            if open.class & FORMATTING != 0
                && let Some(entry) = self.formatting.entries.iter_mut().find(|e| e.node == open.node)
            {
                entry.at = at as u32;
            }
        }
    }
}

/// Most nodes that one round of the adoption agency makes.
const CLONES: usize = 4;

/// A hash of names and values without regard to their order.
fn hash_attributes(dom: &Dom<'_>, attrs: (u32, u32)) -> u64 {
    let mut sum = u64::from(attrs.1 - attrs.0) + 1;
    for attr in &dom.attrs[attrs.0 as usize..attrs.1 as usize] {
        let mut hash = 0xCBF2_9CE4_8422_2325_u64;
        let mut add = |b: u8| hash = (hash ^ u64::from(b)).wrapping_mul(0x0100_0000_01B3);
        dom.slice(attr.name.0, attr.name.1)
            .bytes()
            .for_each(|b| add(b.to_ascii_lowercase()));
        add(b'=');
        dom.attr_value(attr).bytes().for_each(add);
        sum = sum.wrapping_add(hash ^ (hash >> 29));
    }
    sum.max(1)
}

/// Whether two elements have the same names with the same values, in whatever order.
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
    if a.iter().zip(b).all(|(x, y)| same(x, y)) {
        return true;
    }
    // The hashes are equal, so the order differs. Names do not repeat: sorting brings them together.
    let sorted = |list: &[Attr]| {
        let mut list = list.to_vec();
        list.sort_by_cached_key(|x| dom.slice(x.name.0, x.name.1).to_ascii_lowercase());
        list
    };
    sorted(a).iter().zip(&sorted(b)).all(|(x, y)| same(x, y))
}
