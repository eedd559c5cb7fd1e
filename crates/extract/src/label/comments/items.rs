//! Assigns elements to comments.

use dehusk_html::narrow;

use crate::label::extractor::PageView;

/// The comments of a page as elements.
///
/// A comment is identified by the context of its first element. Most comments have one element; a comment written as several rows
/// of a table has several.
#[derive(Debug, Default)]
pub(crate) struct Items {
    /// By context, the innermost comment that it lies in.
    owner: Vec<Option<u32>>,
    /// By context in a comment, the element of that comment that it lies in.
    top: Vec<u32>,
}

impl Items {
    /// Assigns all contexts. `starts` has, for each context that is an element of a comment, that comment.
    pub(crate) fn new(view: &PageView<'_>, starts: &[Option<u32>]) -> Items {
        let contexts = view.table.contexts();
        let mut items = Items {
            owner: Vec::with_capacity(contexts.len()),
            top: Vec::with_capacity(contexts.len()),
        };
        // Parents precede their children, so the entries of the parent exist.
        for (i, context) in contexts.iter().enumerate() {
            let above = context.parent.map(|parent| parent as usize);
            let (owner, top) = match (starts[i], above) {
                (Some(item), _) => (Some(item), narrow::to_u32(i)),
                (None, Some(parent)) => (items.owner[parent], items.top[parent]),
                (None, None) => (None, narrow::to_u32(i)),
            };
            items.owner.push(owner);
            items.top.push(top);
        }
        items
    }

    /// Whether the page has no comments.
    pub(crate) fn is_empty(&self) -> bool {
        self.owner.iter().all(Option::is_none)
    }

    /// Returns the innermost comment that contains a context.
    pub(crate) fn owner(&self, context: u32) -> Option<u32> {
        self.owner[context as usize]
    }

    /// Returns the innermost comment that contains a block.
    pub(crate) fn of_block(&self, view: &PageView<'_>, block: usize) -> Option<u32> {
        self.owner(view.table.blocks()[block].context)
    }

    /// Whether a context is itself an element of a comment, rather than inside one.
    pub(crate) fn is_top(&self, context: u32) -> bool {
        self.owner(context).is_some() && self.top[context as usize] == context
    }

    /// Returns the element of its comment that a context lies in.
    pub(crate) fn top(&self, context: u32) -> u32 {
        self.top[context as usize]
    }

    /// Returns the comment that another one is nested in.
    pub(crate) fn enclosing(&self, view: &PageView<'_>, item: u32) -> Option<u32> {
        let parent = view.table.contexts()[item as usize].parent?;
        self.owner(parent)
    }
}
