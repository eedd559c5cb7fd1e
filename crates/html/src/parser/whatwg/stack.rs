//! The stack of open elements (section 13.2.4.2): scopes and implied end tags.
//!
//! Per-tag counters answer most questions about scopes without a walk; a walk is never longer than the depth limit.

use super::elements::{FOREIGN, IMPLIED, MORE_TO_CLOSE, PLAIN, SCOPE, SPECIAL, TABLE_SCOPE, THOROUGH};
use crate::tree::{NodeId, Tag};

/// An element on the stack.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenElement {
    pub(crate) node: NodeId,
    /// Node that its children are added to: the element itself, or the contents of a template.
    pub(crate) inner: NodeId,
    /// Name in the source, in lower case.
    pub(crate) tag: Tag,
    /// Categories, as bits of [`super::elements`].
    pub(crate) categories: u16,
}

impl OpenElement {
    /// Whether this is the HTML element `tag`.
    #[inline]
    pub(crate) fn is(&self, tag: Tag) -> bool {
        self.tag == tag && self.categories & FOREIGN == 0
    }
}

/// The stack, with the number of open elements per HTML tag.
#[derive(Debug)]
pub(crate) struct Stack {
    /// Open elements, `html` first.
    open: Vec<OpenElement>,
    counts: Vec<u32>,
    /// Number of foreign elements on the stack.
    foreign: u32,
}

impl Stack {
    pub(crate) fn new() -> Self {
        Stack {
            open: Vec::with_capacity(64),
            counts: vec![0; usize::from(Tag::KNOWN)],
            foreign: 0,
        }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.open.len()
    }

    /// The current node; `None` before the `html` element is inserted.
    #[inline]
    pub(crate) fn last(&self) -> Option<&OpenElement> {
        self.open.last()
    }

    /// The element in which the current node was opened.
    #[inline]
    pub(crate) fn below_last(&self) -> Option<&OpenElement> {
        self.open.iter().nth_back(1)
    }

    /// If the current node is a [`PLAIN`] element of this tag, the node that its siblings are added to;
    /// otherwise `None`.
    #[inline]
    pub(crate) fn place_of_like(&self, tag: Tag) -> Option<NodeId> {
        match self.open.as_slice() {
            [.., below, last] if last.is(tag) && last.categories & PLAIN != 0 => Some(below.inner),
            _ => None,
        }
    }

    /// Replaces the current node by another element of the same tag.
    #[inline]
    pub(crate) fn replace_last_node(&mut self, node: NodeId) {
        if let Some(last) = self.open.last_mut() {
            (last.node, last.inner) = (node, node);
        }
    }

    pub(crate) fn get(&self, i: usize) -> Option<&OpenElement> {
        self.open.get(i)
    }

    /// All open elements, `html` first.
    pub(crate) fn as_slice(&self) -> &[OpenElement] {
        &self.open
    }

    /// Number of open HTML elements of this tag.
    #[inline]
    pub(crate) fn count(&self, tag: Tag) -> u32 {
        self.counts.get(usize::from(tag.0)).copied().unwrap_or(0)
    }

    /// Whether an element of another namespace is open.
    #[inline]
    pub(crate) fn holds_foreign(&self) -> bool {
        self.foreign > 0
    }

    #[inline]
    fn counter(&mut self, open: &OpenElement) -> &mut u32 {
        if open.categories & FOREIGN != 0 {
            return &mut self.foreign;
        }
        let i = usize::from(open.tag.0);
        if i >= self.counts.len() {
            self.counts.resize(i + 1, 0);
        }
        &mut self.counts[i]
    }

    #[inline]
    pub(crate) fn push(&mut self, open: OpenElement) {
        *self.counter(&open) += 1;
        self.open.push(open);
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<OpenElement> {
        let open = self.open.pop()?;
        *self.counter(&open) -= 1;
        Some(open)
    }

    /// Pops the current node if an end tag of this name in the body does only that; returns whether it did.
    #[inline(always)]
    pub(crate) fn pop_if_closed_by(&mut self, tag: Tag) -> bool {
        let last = self.open.last();
        let closes = last.is_some_and(|o| o.tag == tag && o.categories & (FOREIGN | MORE_TO_CLOSE) == 0);
        if closes {
            self.open.pop();
            self.counts[usize::from(tag.0)] -= 1;
        }
        closes
    }

    /// Replaces the current node by another element, of any tag.
    #[inline]
    pub(crate) fn replace_last(&mut self, open: OpenElement) {
        match self.open.last_mut() {
            // Same tag and namespace, so the counts stay as they are.
            Some(last) if last.tag == open.tag && (last.categories ^ open.categories) & FOREIGN == 0 => {
                *last = open;
            }
            _ => {
                self.pop();
                self.push(open);
            }
        }
    }

    pub(crate) fn insert(&mut self, at: usize, open: OpenElement) {
        *self.counter(&open) += 1;
        self.open.insert(at, open);
    }

    pub(crate) fn remove(&mut self, at: usize) {
        let open = self.open.remove(at);
        *self.counter(&open) -= 1;
    }

    /// Replaces the element at `at` by another element of the same tag.
    pub(crate) fn replace(&mut self, at: usize, node: NodeId) {
        let open = &mut self.open[at];
        (open.node, open.inner) = (node, node);
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        while self.open.len() > len {
            self.pop();
        }
    }

    /// Index of `node` on the stack; `None` if it is not open.
    pub(crate) fn position(&self, node: NodeId) -> Option<usize> {
        self.open.iter().rposition(|o| o.node == node)
    }

    /// § "has an element in the specific scope": whether an HTML element for which `accepts` holds is open
    /// before or at a `boundary`.
    #[inline]
    fn has_in(
        &self,
        boundary: impl Fn(&OpenElement) -> bool,
        accepts: impl Fn(&OpenElement) -> bool,
    ) -> bool {
        for open in self.open.iter().rev() {
            if open.categories & FOREIGN == 0 && accepts(open) {
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
        // The counter answers most calls. The walk is needed only if an element of this tag is open.
        self.count(tag) > 0 && self.has_in(|o| o.categories & SCOPE != 0, |o| o.tag == tag)
    }

    pub(crate) fn node_in_scope(&self, node: NodeId) -> bool {
        self.has_in(|o| o.categories & SCOPE != 0, |o| o.node == node)
    }

    pub(crate) fn category_in_scope(&self, category: u16) -> bool {
        self.has_in(|o| o.categories & SCOPE != 0, |o| o.categories & category != 0)
    }

    /// § "has an element in list item scope"
    pub(crate) fn in_list_item_scope(&self, tag: Tag) -> bool {
        let boundary = |o: &OpenElement| o.categories & SCOPE != 0 || o.is(Tag::OL) || o.is(Tag::UL);
        self.count(tag) > 0 && self.has_in(boundary, |o| o.tag == tag)
    }

    /// § "has an element in button scope"
    #[inline]
    pub(crate) fn in_button_scope(&self, tag: Tag) -> bool {
        let boundary = |o: &OpenElement| o.categories & SCOPE != 0 || o.is(Tag::BUTTON);
        self.count(tag) > 0 && self.has_in(boundary, |o| o.tag == tag)
    }

    /// § "has an element in table scope"
    pub(crate) fn in_table_scope(&self, tag: Tag) -> bool {
        self.count(tag) > 0 && self.has_in(|o| o.categories & TABLE_SCOPE != 0, |o| o.tag == tag)
    }

    /// Like [`Stack::in_table_scope`], for any of several tags.
    pub(crate) fn any_in_table_scope(&self, tags: &[Tag]) -> bool {
        self.has_in(|o| o.categories & TABLE_SCOPE != 0, |o| tags.contains(&o.tag))
    }

    /// § "generate implied end tags", except for one tag.
    pub(crate) fn generate_implied_end_tags(&mut self, except: Option<Tag>) {
        // The exception holds at the top only: the loop stops there.
        while self
            .last()
            .is_some_and(|o| o.categories & IMPLIED != 0 && Some(o.tag) != except)
        {
            self.pop();
        }
    }

    /// § "generate all implied end tags thoroughly"
    pub(crate) fn generate_implied_end_tags_thoroughly(&mut self) {
        while self.last().is_some_and(|o| o.categories & THOROUGH != 0) {
            self.pop();
        }
    }

    /// Pops elements up to and including the last one for which `last` holds.
    #[inline]
    pub(crate) fn pop_through(&mut self, last: impl Fn(&OpenElement) -> bool) {
        while self.pop().is_some_and(|open| !last(&open)) {}
    }

    /// Pops elements up to and including the last HTML element of this tag.
    pub(crate) fn pop_until(&mut self, tag: Tag) {
        self.pop_through(|open| open.is(tag));
    }

    /// § "clear the stack back to a table context", "… table body context", "… table row context": pops
    /// elements until the current node is one of `tags`, a template or `html`.
    pub(crate) fn clear_back_to(&mut self, tags: &[Tag]) {
        let ends = |o: &OpenElement| o.is(Tag::TEMPLATE) || o.is(Tag::HTML) || tags.iter().any(|&t| o.is(t));
        while self.last().is_some_and(|o| !ends(o)) {
            self.pop();
        }
    }

    /// Generates implied end tags and pops elements up to and including the last HTML element of this tag,
    /// which must be open. For `p` this is § "close a p element".
    #[inline]
    pub(crate) fn close(&mut self, tag: Tag) {
        self.generate_implied_end_tags(Some(tag));
        self.pop_until(tag);
    }

    /// Like [`Stack::close`], if the element is in scope; returns whether it was.
    #[inline]
    pub(crate) fn close_in_scope(&mut self, tag: Tag) -> bool {
        let open = self.in_scope(tag);
        if open {
            self.close(tag);
        }
        open
    }

    /// § The loops of "li", "dd" and "dt": the first of `tags` from the current node on, unless a special
    /// element other than `address`, `div` and `p` comes first.
    pub(crate) fn item_to_close(&self, tags: &[Tag]) -> Option<Tag> {
        if tags.iter().all(|&t| self.count(t) == 0) {
            return None;
        }
        // `address`, `div` and `p` are special, but the standard lets the loop pass them.
        for open in self.open.iter().rev() {
            if open.categories & FOREIGN == 0 && tags.contains(&open.tag) {
                return Some(open.tag);
            }
            let passed =
                open.categories & FOREIGN == 0 && matches!(open.tag, Tag::ADDRESS | Tag::DIV | Tag::P);
            if open.categories & SPECIAL != 0 && !passed {
                return None;
            }
        }
        None
    }
}
