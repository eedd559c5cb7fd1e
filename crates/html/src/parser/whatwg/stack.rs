//! The stack of open elements (section 13.2.4.2): scopes, implied end tags, and the depth limit.
//!
//! Per-tag counters answer most questions about scopes without a walk; a walk is never longer than the depth limit.

use super::Parser;
use super::names::{FOREIGN, FORMATTING, IMPLIED, PLAIN, SCOPE, SPECIAL, TABLE_SCOPE, THOROUGH, class_of};
use crate::tree::{NodeId, Tag};

/// One open element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub(super) node: NodeId,
    /// Where its children go: the node itself, for a template its contents.
    pub(super) inner: NodeId,
    /// Its name as in the source, in lower case.
    pub(super) tag: Tag,
    /// Properties from [`super::names`].
    pub(super) class: u16,
}

impl Open {
    /// Whether this is the HTML element `tag`.
    #[inline]
    pub(super) fn is(&self, tag: Tag) -> bool {
        self.tag == tag && self.class & FOREIGN == 0
    }
}

/// The stack, and how many elements of each HTML tag are on it.
#[derive(Debug)]
pub(super) struct Stack {
    open: Vec<Open>,
    counts: Vec<u32>,
}

impl Stack {
    pub(super) fn new() -> Self {
        Stack {
            open: Vec::with_capacity(64),
            counts: vec![0; usize::from(Tag::KNOWN)],
        }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.open.len()
    }

    /// The current node; `None` before the `html` element is there.
    #[inline]
    pub(super) fn last(&self) -> Option<&Open> {
        self.open.last()
    }

    pub(super) fn get(&self, i: usize) -> Option<&Open> {
        self.open.get(i)
    }

    /// All open elements, `html` first.
    pub(super) fn as_slice(&self) -> &[Open] {
        &self.open
    }

    /// How many HTML elements of this tag are open.
    #[inline]
    pub(super) fn count(&self, tag: Tag) -> u32 {
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
    pub(super) fn push(&mut self, open: Open) {
        *self.tally(&open) += 1;
        self.open.push(open);
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<Open> {
        let open = self.open.pop()?;
        *self.tally(&open) -= 1;
        Some(open)
    }

    pub(super) fn insert(&mut self, at: usize, open: Open) {
        *self.tally(&open) += 1;
        self.open.insert(at, open);
    }

    pub(super) fn remove(&mut self, at: usize) {
        let open = self.open.remove(at);
        *self.tally(&open) -= 1;
    }

    /// Puts another element of the same tag in the place of the one at `at`.
    pub(super) fn replace(&mut self, at: usize, node: NodeId) {
        let open = &mut self.open[at];
        (open.node, open.inner) = (node, node);
    }

    pub(super) fn truncate(&mut self, len: usize) {
        while self.open.len() > len {
            self.pop();
        }
    }

    /// Where `node` is on the stack.
    pub(super) fn position(&self, node: NodeId) -> Option<usize> {
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
    pub(super) fn in_scope(&self, tag: Tag) -> bool {
        self.count(tag) > 0 && self.has_in(|o| o.class & SCOPE != 0, |o| o.tag == tag)
    }

    pub(super) fn node_in_scope(&self, node: NodeId) -> bool {
        self.has_in(|o| o.class & SCOPE != 0, |o| o.node == node)
    }

    pub(super) fn class_in_scope(&self, class: u16) -> bool {
        self.has_in(|o| o.class & SCOPE != 0, |o| o.class & class != 0)
    }

    /// § "has an element in list item scope"
    pub(super) fn in_list_item_scope(&self, tag: Tag) -> bool {
        let boundary = |o: &Open| o.class & SCOPE != 0 || o.is(Tag::OL) || o.is(Tag::UL);
        self.count(tag) > 0 && self.has_in(boundary, |o| o.tag == tag)
    }

    /// § "has an element in button scope"
    #[inline]
    pub(super) fn in_button_scope(&self, tag: Tag) -> bool {
        let boundary = |o: &Open| o.class & SCOPE != 0 || o.is(Tag::BUTTON);
        self.count(tag) > 0 && self.has_in(boundary, |o| o.tag == tag)
    }

    /// § "has an element in table scope"
    pub(super) fn in_table_scope(&self, tag: Tag) -> bool {
        self.count(tag) > 0 && self.has_in(|o| o.class & TABLE_SCOPE != 0, |o| o.tag == tag)
    }

    /// As [`Stack::in_table_scope`] for any of several tags.
    pub(super) fn any_in_table_scope(&self, tags: &[Tag]) -> bool {
        self.has_in(|o| o.class & TABLE_SCOPE != 0, |o| tags.contains(&o.tag))
    }

    /// § "generate implied end tags", except for one tag.
    pub(super) fn generate_implied_end_tags(&mut self, except: Option<Tag>) {
        while self
            .last()
            .is_some_and(|o| o.class & IMPLIED != 0 && Some(o.tag) != except)
        {
            self.pop();
        }
    }

    /// § "generate all implied end tags thoroughly"
    pub(super) fn generate_implied_end_tags_thoroughly(&mut self) {
        while self.last().is_some_and(|o| o.class & THOROUGH != 0) {
            self.pop();
        }
    }

    /// Pops up to and with the last HTML element of this tag.
    pub(super) fn pop_until(&mut self, tag: Tag) {
        while let Some(open) = self.pop() {
            if open.is(tag) {
                break;
            }
        }
    }

    /// Pops up to and with the last HTML element of this class.
    pub(super) fn pop_until_class(&mut self, class: u16) {
        while let Some(open) = self.pop() {
            if open.class & FOREIGN == 0 && open.class & class != 0 {
                break;
            }
        }
    }

    /// § "clear the stack back to a table context", "… table body context", "… table row context": pops until the current
    /// node is one of these, a template or `html`.
    pub(super) fn clear_back_to(&mut self, tags: &[Tag]) {
        let ends = |o: &Open| o.is(Tag::TEMPLATE) || o.is(Tag::HTML) || tags.iter().any(|&t| o.is(t));
        while self.last().is_some_and(|o| !ends(o)) {
            self.pop();
        }
    }

    /// § "close a p element"
    pub(super) fn close_p(&mut self) {
        self.generate_implied_end_tags(Some(Tag::P));
        self.pop_until(Tag::P);
    }

    /// The last element on the stack that is special and none of `address`, `div` and `p`, or one of `tags`, whichever is
    /// nearer: tells whether it is one of `tags`, and which.
    pub(super) fn item_to_close(&self, tags: &[Tag]) -> Option<Tag> {
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

/// Elements that are open as far as the source tells, but no longer or never on the stack, because the depth limit
/// was reached: names in the order of their start tags.
#[derive(Debug, Default)]
pub(super) struct Flattened {
    names: Vec<Tag>,
    counts: Vec<u32>,
    /// Which of them is on the stack after all, as its last entry.
    open: Option<usize>,
}

impl Flattened {
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    fn count(&mut self, tag: Tag) {
        let i = usize::from(tag.0);
        if i >= self.counts.len() {
            self.counts.resize(i + 1, 0);
        }
        self.counts[i] += 1;
    }

    /// Notes an element that stays empty.
    pub(super) fn push(&mut self, tag: Tag) {
        self.count(tag);
        self.names.push(tag);
    }

    /// Notes the element that was on the stack when the limit was reached.
    fn push_first(&mut self, tag: Tag) {
        self.count(tag);
        self.names.insert(0, tag);
    }

    /// Drops all names from the last `tag` on; tells where that was.
    fn close(&mut self, tag: Tag) -> Option<usize> {
        if self.counts.get(usize::from(tag.0)).copied().unwrap_or(0) == 0 {
            return None;
        }
        while let Some(name) = self.names.pop() {
            self.counts[usize::from(name.0)] -= 1;
            if name == tag {
                break;
            }
        }
        Some(self.names.len())
    }

    fn clear(&mut self) {
        for name in self.names.drain(..) {
            self.counts[usize::from(name.0)] = 0;
        }
        self.open = None;
    }
}

impl Parser<'_> {
    /// Pushes an element that has just been inserted.
    #[inline]
    pub(super) fn push_open(&mut self, node: NodeId, tag: Tag) {
        let class = self.class(tag);
        self.stack.push(Open {
            node,
            inner: node,
            tag,
            class,
        });
    }

    /// Whether the depth limit is reached, so that an element needs [`Parser::open_flattened`].
    #[inline]
    pub(super) fn is_deep(&self) -> bool {
        self.stack.len() + usize::from(!self.flattened.is_empty()) >= self.limits.depth
    }

    /// Opens an HTML element at the depth limit. As in browsers, elements below it become siblings: the new one takes the
    /// place of the current node if nothing but position depends on either, else it stays empty. Tells whether it is on
    /// the stack.
    #[cold]
    pub(super) fn open_flattened(&mut self, tag: Tag, attrs: (u32, u32)) -> (NodeId, bool) {
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
    pub(super) fn close_flattened(&mut self, tag: Tag) -> bool {
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
