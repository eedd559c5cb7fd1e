//! The adoption agency algorithm (section 13.2.6.4.7).

use crate::narrow;
use crate::parser::whatwg::elements::{FORMATTING, SPECIAL, categories_of};
use crate::parser::whatwg::formatting::Entry;
use crate::parser::whatwg::stack::OpenElement;
use crate::parser::whatwg::state::ParserState;
use crate::tree::{NodeId, Tag};

impl ParserState<'_> {
    /// § A start tag whose tag name is "a" while the list contains another `a`: closes that one.
    pub(crate) fn close_active_link(&mut self) {
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
            self.refresh_stack_indexes();
        }
    }

    /// § The adoption agency algorithm, for an end tag of `subject`. Numbers refer to the standard's steps.
    #[inline]
    pub(crate) fn adoption_agency(&mut self, subject: Tag) {
        // Step 3, and the first round of step 4 for well-nested tags.
        if let Some(current) = self.stack.last().copied().filter(|o| o.is(subject)) {
            let last = self.formatting.entries.last();
            // An element before the last marker stays in the list: templates can leave more markers than they found.
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
            let at = formatting_element.stack_index as usize;
            let above = &self.stack.as_slice()[at + 1..];
            let Some(furthest) = above
                .iter()
                .position(|o| o.categories & SPECIAL != 0)
                .map(|i| at + 1 + i)
            else {
                // 4.8
                self.stack.truncate(at);
                self.formatting.entries.remove(formatting_index);
                return;
            };
            if self.clones_left < CLONES_PER_ROUND {
                // The limit on copies is reached: close the element without moving anything.
                self.limits_hit.reopened += 1;
                self.stack.truncate(at);
                self.formatting.entries.remove(formatting_index);
                return;
            }
            self.adopt_once(formatting_index, furthest);
        }
    }

    /// Steps 4.9 to 4.19: moves the furthest block, at index `furthest` of the stack, out of the formatting element.
    fn adopt_once(&mut self, formatting_index: usize, furthest: usize) {
        let formatting_element = self.formatting.entries[formatting_index];
        let at = formatting_element.stack_index as usize;
        let furthest_block: OpenElement = self.stack.as_slice()[furthest];
        // 4.9
        let common_ancestor = self.stack.as_slice()[at - 1];
        // 4.10: the bookmark is the position in the list where the new element goes.
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
            // After three rounds, elements are removed from the list.
            if inner > 3
                && let Some(i) = entry.take()
            {
                self.formatting.entries.remove(i);
            }
            // Elements that are not in the list leave the stack.
            let Some(entry) = entry else {
                self.stack.remove(index);
                removed += 1;
                continue;
            };
            let clone = self.clone_element(node.node, node.tag);
            self.stack.replace(index, clone);
            let listed = &mut self.formatting.entries[entry];
            (listed.node, listed.stack_index) = (clone, narrow::to_u32(index));
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
        // 4.18: the clone replaces the formatting element in the list, at the bookmark.
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
        let opened = OpenElement {
            node: clone,
            inner: clone,
            tag: formatting_element.tag,
            categories: categories_of(formatting_element.tag),
        };
        self.stack.insert(furthest + 1, opened);
        self.stack.remove(at);
        self.refresh_stack_indexes();
    }

    fn clone_element(&mut self, node: NodeId, tag: Tag) -> NodeId {
        self.clones_left = self.clones_left.saturating_sub(1);
        let attrs = self.attributes_for_copy(node);
        self.new_html_element(tag, attrs)
    }

    /// Recomputes the stack indices of the list's entries after elements of the stack have moved.
    pub(crate) fn refresh_stack_indexes(&mut self) {
        for entry in &mut self.formatting.entries {
            entry.stack_index = u32::MAX;
        }
        for (at, open) in self.stack.as_slice().iter().enumerate() {
            if open.categories & FORMATTING != 0
                && let Some(entry) = self.formatting.entries.iter_mut().find(|e| e.node == open.node)
            {
                entry.stack_index = narrow::to_u32(at);
            }
        }
    }
}

/// Most copies made by one round of the adoption agency: three by the inner loop and one of the formatting element.
const CLONES_PER_ROUND: usize = 4;
