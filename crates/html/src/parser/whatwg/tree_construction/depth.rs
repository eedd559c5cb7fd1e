//! The depth limit: elements below it become siblings.

use crate::parser::whatwg::elements::{FORMATTING, PLAIN, class_of};
use crate::parser::whatwg::stack::Open;
use crate::parser::whatwg::state::ParserState;
use crate::tree::{NodeId, Tag};

impl ParserState<'_> {
    /// Pushes an element that has just been inserted.
    #[inline]
    pub(crate) fn push_open(&mut self, node: NodeId, tag: Tag) {
        let class = self.class(tag);
        self.stack.push(Open {
            node,
            inner: node,
            tag,
            class,
        });
    }

    /// Whether the depth limit is reached, so that an element needs [`ParserState::open_flattened`].
    #[inline]
    pub(crate) fn is_deep(&self) -> bool {
        self.stack.len() + usize::from(!self.flattened.is_empty()) >= self.limits.depth
    }

    /// Opens an HTML element at the depth limit. As in browsers, elements below it become siblings: the new one takes the
    /// place of the current node if nothing but position depends on either, else it stays empty. Tells whether it is on
    /// the stack.
    #[cold]
    pub(crate) fn open_flattened(&mut self, tag: Tag, attrs: (u32, u32)) -> (NodeId, bool) {
        self.hits.depth += 1;
        let class = class_of(tag);
        let full = self.stack.len() >= self.limits.depth;
        let last = self.stack.last().copied();
        let takes_place = class & PLAIN != 0 && last.is_some_and(|o| !full || o.class & PLAIN != 0);
        if takes_place && full {
            self.stack.pop();
            if self.flattened.open.is_none() {
                self.flattened.push_first(last.map_or(tag, |o| o.tag));
            }
        }
        let node = self.insert_html_element(tag, attrs);
        if takes_place {
            self.flattened.open = Some(self.flattened.names.len());
            self.push_open(node, tag);
        }
        self.flattened.push(tag);
        (node, takes_place)
    }

    /// An end tag while names are flattened: true if it closes one of them, so that no other element may be closed.
    #[cold]
    pub(crate) fn close_flattened(&mut self, tag: Tag) -> bool {
        if self.stack.len() + 1 < self.limits.depth {
            // What they lay in has been closed.
            self.flattened.clear();
            return false;
        }
        let Some(at) = self.flattened.close(tag) else {
            return false;
        };
        if self.flattened.open.is_some_and(|open| open >= at) {
            self.flattened.open = None;
            if self.stack.len() >= self.limits.depth {
                self.stack.pop();
            }
        }
        if tag == Tag::FORM {
            self.form = None;
        }
        if class_of(tag) & FORMATTING != 0 {
            self.formatting.forget(tag);
        }
        true
    }
}
