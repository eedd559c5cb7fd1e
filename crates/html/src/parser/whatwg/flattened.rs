//! Elements that the depth limit keeps off the stack of open elements.

use crate::tree::Tag;

/// Logically open elements that the depth limit removed from the stack or did not push, in the order of
/// their start tags.
#[derive(Debug, Default)]
pub(crate) struct Flattened {
    pub(crate) names: Vec<Tag>,
    /// Number of elements in `names` for each tag, so that `close` need not search for a tag that is not
    /// there.
    counts: Vec<u32>,
    /// Index of the element that is nevertheless on top of the stack; `None` without such an element.
    pub(crate) open: Option<usize>,
}

impl Flattened {
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    #[inline]
    fn count(&mut self, tag: Tag) {
        let i = usize::from(tag.0);
        if i >= self.counts.len() {
            self.counts.resize(i + 1, 0);
        }
        self.counts[i] += 1;
    }

    /// Adds an element.
    #[inline]
    pub(crate) fn push(&mut self, tag: Tag) {
        self.count(tag);
        self.names.push(tag);
    }

    /// Adds the element that was the current node when the limit was reached.
    pub(crate) fn push_first(&mut self, tag: Tag) {
        self.count(tag);
        self.names.insert(0, tag);
    }

    /// Removes the last `tag` and all elements after it. Returns its index; `None` if there is no such element.
    pub(crate) fn close(&mut self, tag: Tag) -> Option<usize> {
        // Most end tags name no flattened element, and must not cost a search.
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

    pub(crate) fn clear(&mut self) {
        // Every tag in `names` is reset, so all counts are 0 afterwards.
        for name in self.names.drain(..) {
            self.counts[usize::from(name.0)] = 0;
        }
        self.open = None;
    }
}
