//! The stack of open elements (section 13.2.4.2): scopes, implied end tags, and the depth limit.
//!
//! Per-tag counters answer most questions about scopes without a walk; a walk is never longer than the depth limit.

use super::elements::{FOREIGN, IMPLIED, SCOPE, SPECIAL, TABLE_SCOPE, THOROUGH};
use crate::tree::{NodeId, Tag};

/// One open element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Open {
    pub(crate) node: NodeId,
    /// Where its children go: the node itself, for a template its contents.
    pub(crate) inner: NodeId,
    /// Its name as in the source, in lower case.
    pub(crate) tag: Tag,
    /// Properties from [`super::names`].
    pub(crate) class: u16,
}

impl Open {
    /// Whether this is the HTML element `tag`.
    #[inline]
    pub(crate) fn is(&self, tag: Tag) -> bool {
        self.tag == tag && self.class & FOREIGN == 0
    }
}

/// The stack, and how many elements of each HTML tag are on it.
#[derive(Debug)]
pub(crate) struct Stack {
    open: Vec<Open>,
    counts: Vec<u32>,
}

impl Stack {
    pub(crate) fn new() -> Self {
        Stack {
            open: Vec::with_capacity(64),
            counts: vec![0; usize::from(Tag::KNOWN)],
        }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.open.len()
    }

    /// The current node; `None` before the `html` element is there.
    #[inline]
    pub(crate) fn last(&self) -> Option<&Open> {
        self.open.last()
    }

    pub(crate) fn get(&self, i: usize) -> Option<&Open> {
        self.open.get(i)
    }

    /// All open elements, `html` first.
    pub(crate) fn as_slice(&self) -> &[Open] {
        &self.open
    }

    /// How many HTML elements of this tag are open.
    #[inline]
    pub(crate) fn count(&self, tag: Tag) -> u32 {
        self.counts.get(usize::from(tag.0)).copied().unwrap_or(0)
    }

    #[inline]
    fn tally(&mut self, open: &Open) -> &mut u32 {
        // Foreign elements share one counter that nobody asks for.
        let i = if open.class & FOREIGN == 0 {
            usize::from(open.tag.0)
        } else {
            usize::from(Tag::FOREIGNOBJECT.0)
        };
        if i >= self.counts.len() {
            self.counts.resize(i + 1, 0);
        }
        &mut self.counts[i]
    }

    #[inline]
    pub(crate) fn push(&mut self, open: Open) {
        *self.tally(&open) += 1;
        self.open.push(open);
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<Open> {
        let open = self.open.pop()?;
        *self.tally(&open) -= 1;
        Some(open)
    }

    pub(crate) fn insert(&mut self, at: usize, open: Open) {
        *self.tally(&open) += 1;
        self.open.insert(at, open);
    }

    pub(crate) fn remove(&mut self, at: usize) {
        let open = self.open.remove(at);
        *self.tally(&open) -= 1;
    }

    /// Puts another element of the same tag in the place of the one at `at`.
    pub(crate) fn replace(&mut self, at: usize, node: NodeId) {
        let open = &mut self.open[at];
        (open.node, open.inner) = (node, node);
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        while self.open.len() > len {
            self.pop();
        }
    }

    /// Where `node` is on the stack.
    pub(crate) fn position(&self, node: NodeId) -> Option<usize> {
        self.open.iter().rposition(|o| o.node == node)
    }

    /// § "has an element in the specific scope", for HTML elements that `wanted` accepts. The sought element may end the
    /// scope itself.
    #[inline]
    fn has_in(&self, boundary: impl Fn(&Open) -> bool, wanted: impl Fn(&Open) -> bool) -> bool {
        for open in self.open.iter().rev() {
            if open.class & FOREIGN == 0 && wanted(open) {
                return true;
            }
            if boundary(open) {
                return false;
            }
        }
        false
    }

    /// § "has an element in scope"
    #[inline]
    pub(crate) fn in_scope(&self, tag: Tag) -> bool {
        self.count(tag) > 0 && self.has_in(|o| o.class & SCOPE != 0, |o| o.tag == tag)
    }

    pub(crate) fn node_in_scope(&self, node: NodeId) -> bool {
        self.has_in(|o| o.class & SCOPE != 0, |o| o.node == node)
    }

    pub(crate) fn class_in_scope(&self, class: u16) -> bool {
        self.has_in(|o| o.class & SCOPE != 0, |o| o.class & class != 0)
    }

    /// § "has an element in list item scope"
    pub(crate) fn in_list_item_scope(&self, tag: Tag) -> bool {
        let boundary = |o: &Open| o.class & SCOPE != 0 || o.is(Tag::OL) || o.is(Tag::UL);
        self.count(tag) > 0 && self.has_in(boundary, |o| o.tag == tag)
    }

    /// § "has an element in button scope"
    #[inline]
    pub(crate) fn in_button_scope(&self, tag: Tag) -> bool {
        let boundary = |o: &Open| o.class & SCOPE != 0 || o.is(Tag::BUTTON);
        self.count(tag) > 0 && self.has_in(boundary, |o| o.tag == tag)
    }

    /// § "has an element in table scope"
    pub(crate) fn in_table_scope(&self, tag: Tag) -> bool {
        self.count(tag) > 0 && self.has_in(|o| o.class & TABLE_SCOPE != 0, |o| o.tag == tag)
    }

    /// As [`Stack::in_table_scope`] for any of several tags.
    pub(crate) fn any_in_table_scope(&self, tags: &[Tag]) -> bool {
        self.has_in(|o| o.class & TABLE_SCOPE != 0, |o| tags.contains(&o.tag))
    }

    /// § "generate implied end tags", except for one tag.
    pub(crate) fn generate_implied_end_tags(&mut self, except: Option<Tag>) {
        while self
            .last()
            .is_some_and(|o| o.class & IMPLIED != 0 && Some(o.tag) != except)
        {
            self.pop();
        }
    }

    /// § "generate all implied end tags thoroughly"
    pub(crate) fn generate_implied_end_tags_thoroughly(&mut self) {
        while self.last().is_some_and(|o| o.class & THOROUGH != 0) {
            self.pop();
        }
    }

    /// Pops up to and with the last HTML element of this tag.
    pub(crate) fn pop_until(&mut self, tag: Tag) {
        while let Some(open) = self.pop() {
            if open.is(tag) {
                break;
            }
        }
    }

    /// Pops up to and with the last HTML element of this class.
    pub(crate) fn pop_until_class(&mut self, class: u16) {
        while let Some(open) = self.pop() {
            if open.class & FOREIGN == 0 && open.class & class != 0 {
                break;
            }
        }
    }

    /// § "clear the stack back to a table context", "… table body context", "… table row context": pops until the current
    /// node is one of these, a template or `html`.
    pub(crate) fn clear_back_to(&mut self, tags: &[Tag]) {
        let ends = |o: &Open| o.is(Tag::TEMPLATE) || o.is(Tag::HTML) || tags.iter().any(|&t| o.is(t));
        while self.last().is_some_and(|o| !ends(o)) {
            self.pop();
        }
    }

    /// § "close a p element"
    pub(crate) fn close_p(&mut self) {
        self.generate_implied_end_tags(Some(Tag::P));
        self.pop_until(Tag::P);
    }

    /// The last element on the stack that is special and none of `address`, `div` and `p`, or one of `tags`, whichever is
    /// nearer: tells whether it is one of `tags`, and which.
    pub(crate) fn item_to_close(&self, tags: &[Tag]) -> Option<Tag> {
        if tags.iter().all(|&t| self.count(t) == 0) {
            return None;
        }
        for open in self.open.iter().rev() {
            if open.class & FOREIGN == 0 && tags.contains(&open.tag) {
                return Some(open.tag);
            }
            let passed = open.class & FOREIGN == 0 && matches!(open.tag, Tag::ADDRESS | Tag::DIV | Tag::P);
            if open.class & SPECIAL != 0 && !passed {
                return None;
            }
        }
        None
    }
}
