//! The adoption agency algorithm (section 13.2.6.4.7).

use crate::narrow;
use crate::parser::whatwg::elements::{FORMATTING, SPECIAL, categories_of};
use crate::parser::whatwg::formatting::Entry;
use crate::parser::whatwg::stack::OpenElement;
use crate::parser::whatwg::state::ParserState;
use crate::tree::{NodeId, Tag};

impl ParserState<'_> {
    /// § A start tag whose tag name is "a" while the list contains another `a` after the last marker:
    /// closes the other link.
    pub(crate) fn close_active_link(&mut self) {
        let Some(i) = self.formatting.last_of(Tag::A) else {
            return;
        };
        let node = self.formatting.entries[i].node;
        self.adoption_agency(Tag::A);
        // The algorithm may have stopped early, so the element is removed from both lists, as the standard
        // demands.
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
            // Well-nested tags: the element is both the current node and the last entry, so it has no
            // furthest block, and step 4.8 pops it.
            let last = self.formatting.entries.last();
            // An element before the last marker stays in the list: templates can leave more markers than they found.
            if last.is_some_and(|e| e.node == current.node && e.level == self.formatting.markers) {
                self.formatting.entries.pop();
                self.stack.pop();
                return;
            }
            // Step 3: the element is not in the list, so only the stack changes.
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
            // `stack_index` is refreshed whenever elements inside the stack move, and `is_open` compares
            // nodes, so no search is needed.
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
            // § The furthest block: the special element nearest to the formatting element among those
            // opened inside it.
            let Some(furthest) = above
                .iter()
                .position(|o| o.categories & SPECIAL != 0)
                .map(|i| at + 1 + i)
            else {
                // 4.8: without a block, closing the element moves nothing.
                self.stack.truncate(at);
                self.formatting.entries.remove(formatting_index);
                return;
            };
            if self.clones_left < CLONES_PER_ROUND {
                // Not in the standard. Nested misnested tags would multiply nodes: the element is closed
                // without moving anything.
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
        // `at` is 1 or more: the stack begins with `html`, which is not a formatting element.
        let common_ancestor = self.stack.as_slice()[at - 1];
        // 4.10: the bookmark is the copy after which the new element goes in the list. `None`: it takes the
        // old element's place.
        let mut bookmark = None;
        // 4.11 to 4.13
        let mut last_node = furthest_block.node;
        let (mut index, mut inner, mut removed) = (furthest, 0, 0);
        loop {
            // Removals shift only the elements above `index`, which counts down, so it stays valid.
            inner += 1;
            index -= 1;
            let node = self.stack.as_slice()[index];
            if index == at {
                break;
            }
            let mut entry = self.formatting.position(node.node);
            // 4.13.4: from the fourth element on, elements lose their entry in the list, so at most three
            // copies are made.
            if inner > 3
                && let Some(i) = entry.take()
            {
                self.formatting.entries.remove(i);
            }
            // 4.13.5: an element without an entry leaves the stack, and its children keep their place in
            // the tree.
            let Some(entry) = entry else {
                self.stack.remove(index);
                removed += 1;
                continue;
            };
            let clone = self.clone_element(node.node, node.tag);
            self.stack.replace(index, clone);
            let listed = &mut self.formatting.entries[entry];
            (listed.node, listed.stack_index) = (clone, narrow::to_u32(index));
            // 4.13.7: only for the first copy, the innermost.
            if last_node == furthest_block.node {
                bookmark = Some(clone);
            }
            // 4.13.8: the copy takes the subtree that was moved so far.
            self.builder.dom.tree.detach(last_node);
            self.builder.dom.tree.append(clone, last_node);
            last_node = clone;
        }
        // 4.14
        self.builder.dom.tree.detach(last_node);
        let place = self.place_in(&common_ancestor);
        self.insert_at(place, last_node);
        // 4.15 to 4.17
        // The copy takes over the children of the furthest block and becomes its only child.
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
                // The entry moves to another place in the list, so it takes the level of its new neighbor.
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
        // Elements below the block have left the stack, so the block is lower than before.
        let furthest = furthest - removed;
        let opened = OpenElement {
            node: clone,
            inner: clone,
            tag: formatting_element.tag,
            categories: categories_of(formatting_element.tag),
        };
        // Insert first: `at` is below `furthest`, so its index does not change.
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
            // Few elements on the stack are formatting elements, and the list is limited, so the search is
            // short.
            if open.categories & FORMATTING != 0
                && let Some(entry) = self.formatting.entries.iter_mut().find(|e| e.node == open.node)
            {
                entry.stack_index = narrow::to_u32(at);
            }
        }
    }
}

/// Maximum number of copies made by one round of the adoption agency: three by the inner loop and one of the formatting element.
const CLONES_PER_ROUND: usize = 4;
