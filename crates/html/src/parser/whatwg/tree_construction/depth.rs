//! The depth limit: elements beyond it become siblings.

use crate::parser::whatwg::elements::{FORMATTING, PLAIN, categories_of};
use crate::parser::whatwg::stack::OpenElement;
use crate::parser::whatwg::state::ParserState;
use crate::parser::whatwg::tree_construction::insertion::Place;
use crate::tree::{NodeId, Tag};

impl ParserState<'_> {
    /// Pushes an HTML element that has just been inserted onto the stack of open elements.
    #[inline]
    pub(crate) fn push_open(&mut self, node: NodeId, tag: Tag) {
        let categories = self.categories(tag);
        self.stack.push(OpenElement {
            node,
            inner: node,
            tag,
            categories,
        });
    }

    /// Whether the depth limit is reached, so that an element needs [`ParserState::open_flattened`].
    #[inline]
    pub(crate) fn is_deep(&self) -> bool {
        // While flattened elements are open, the last place of the stack is theirs, so a stack that is one
        // below the limit counts as full.
        self.stack.len() + usize::from(!self.flattened.is_empty()) >= self.limits.depth
    }

    /// Opens an HTML element at the depth limit. Returns the node, and whether it is on the stack.
    ///
    /// As in browsers, deeper elements become siblings: the new element replaces the current node on the
    /// stack if both are [`PLAIN`]; otherwise it stays empty.
    #[inline(never)]
    pub(crate) fn open_flattened(&mut self, tag: Tag, attrs: (u32, u32)) -> (NodeId, bool) {
        self.limits_hit.depth += 1;
        match self.take_place_of_like(tag, attrs) {
            Some(node) => (node, true),
            None => self.open_other_flattened(tag, attrs),
        }
    }

    /// The common case of [`ParserState::open_flattened`]: the current node has the same tag and was itself
    /// opened at the depth limit.
    #[inline(always)]
    fn take_place_of_like(&mut self, tag: Tag, attrs: (u32, u32)) -> Option<NodeId> {
        if self.foster_parenting || self.flattened.open.is_none() || self.stack.len() < self.limits.depth {
            return None;
        }
        let parent = self.stack.place_of_like(tag)?;
        let node = self.insert_element_at(Place::at_end_of(parent), tag, attrs);
        self.stack.replace_last_node(node);
        self.flattened.open = Some(self.flattened.names.len());
        self.flattened.push(tag);
        Some(node)
    }

    #[cold]
    fn open_other_flattened(&mut self, tag: Tag, attrs: (u32, u32)) -> (NodeId, bool) {
        // Either the stack is full, or the element that took the last place was closed (`full` is false).
        let categories = categories_of(tag);
        let full = self.stack.len() >= self.limits.depth;
        let last = self.stack.last().copied();
        let takes_place = categories & PLAIN != 0 && last.is_some_and(|o| !full || o.categories & PLAIN != 0);
        let node = if takes_place && full {
            // The current node was opened before the limit was reached. Its end tag must close the element
            // that takes its place, so it counts as flattened, too.
            if self.flattened.open.is_none() {
                self.flattened.push_first(last.map_or(tag, |o| o.tag));
            }
            // The new element becomes a sibling of the current node.
            let below = self.stack.below_last();
            let place = below.map_or(Place::in_document(), |below| self.place_in(below));
            let node = self.insert_element_at(place, tag, attrs);
            self.stack.replace_last(OpenElement {
                node,
                inner: node,
                tag,
                categories,
            });
            node
        } else {
            // An element that takes no place stays empty.
            let node = self.insert_html_element(tag, attrs);
            if takes_place {
                self.push_open(node, tag);
            }
            node
        };
        if takes_place {
            self.flattened.open = Some(self.flattened.names.len());
        }
        self.flattened.push(tag);
        (node, takes_place)
    }

    /// Handles an end tag while flattened elements are open; returns whether it closes one of them.
    #[cold]
    pub(crate) fn close_flattened(&mut self, tag: Tag) -> bool {
        if self.stack.len() + 1 < self.limits.depth {
            // The elements around the flattened ones have been closed, so the flattened ones are closed, too.
            self.flattened.clear();
            return false;
        }
        let Some(at) = self.flattened.close(tag) else {
            return false;
        };
        // This end tag closes the flattened element that has the last place of the stack.
        if self.flattened.open.is_some_and(|open| open >= at) {
            self.flattened.open = None;
            if self.stack.len() >= self.limits.depth {
                self.stack.pop();
            }
        }
        // The element pointers and the list follow the end tag as if the element had been on the stack.
        if tag == Tag::FORM {
            self.form = None;
        }
        if categories_of(tag) & FORMATTING != 0 {
            self.formatting.forget(tag);
        }
        true
    }
}
