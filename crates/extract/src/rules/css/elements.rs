//! The elements of a page, linked to one another without the other nodes between them.

use dehusk_html::narrow;
use dehusk_html::tree::{Dom, NodeId};

/// Link that points to no element.
const NONE: u32 = u32::MAX;

/// An element and its links, which are numbers of elements.
pub(super) struct Linked {
    pub(super) origin: NodeId,
    parent: u32,
    previous: u32,
    next: u32,
    first_child: u32,
    /// Number of child elements when the list was built. Removals do not change it.
    children: u32,
    /// Number of children that are texts.
    texts: u32,
    pub(super) depth: u32,
    /// Number of descendant elements when the list was built. Removals do not change it.
    pub(super) below: u32,
}

impl Linked {
    fn new(origin: NodeId) -> Linked {
        Linked {
            origin,
            parent: NONE,
            previous: NONE,
            next: NONE,
            first_child: NONE,
            children: 0,
            texts: 0,
            depth: 1,
            below: 0,
        }
    }

    /// Returns whether it has neither child elements nor texts.
    pub(super) fn is_empty(&self) -> bool {
        self.first_child == NONE && self.texts == 0
    }
}

/// The elements of a page that are not removed, in document order.
pub(super) struct Elements {
    elements: Vec<Linked>,
    /// Number of the element for each node of the page, or [`NONE`].
    numbers: Vec<u32>,
}

impl Elements {
    /// Links the elements of a page, without removed nodes and their descendants.
    pub(super) fn new(dom: &Dom<'_>, removed: &[bool]) -> Elements {
        let mut out = Elements {
            elements: Vec::new(),
            numbers: vec![NONE; dom.len()],
        };
        // Last child of each element so far.
        let mut last: Vec<u32> = Vec::new();
        let mut walk = dom.preorder(NodeId::DOCUMENT);
        while let Some(id) = walk.next() {
            if removed[id.index()] {
                walk.skip_subtree(id);
                continue;
            }
            // A parent precedes its children, so its number is known.
            let parent = dom.parent(id).map_or(NONE, |parent| out.numbers[parent.index()]);
            if dom.element(id).is_some() {
                out.numbers[id.index()] = narrow::to_u32(out.elements.len());
                out.append(id, parent, &mut last);
            } else if dom.is_text(id)
                && let Some(parent) = out.get_mut(parent)
            {
                parent.texts += 1;
            }
        }
        // Iterates from the end, so that each element has counted all of its descendants before it is added
        // to its parent.
        for at in (0..out.elements.len()).rev() {
            let Linked { parent, below, .. } = out.elements[at];
            if let Some(parent) = out.get_mut(parent) {
                parent.below += 1 + below;
            }
        }
        out
    }

    /// Appends an element as the last child of another.
    fn append(&mut self, origin: NodeId, parent: u32, last: &mut Vec<u32>) {
        let (number, mut new) = (narrow::to_u32(self.elements.len()), Linked::new(origin));
        if let Some(above) = self.elements.get_mut(parent as usize) {
            new.parent = parent;
            new.depth = above.depth + 1;
            new.previous = std::mem::replace(&mut last[parent as usize], number);
            above.children += 1;
            if new.previous == NONE {
                above.first_child = number;
            }
        }
        if let Some(previous) = self.get_mut(new.previous) {
            previous.next = number;
        }
        self.elements.push(new);
        last.push(NONE);
    }

    /// Unlinks a node with its descendants.
    pub(super) fn remove(&mut self, dom: &Dom<'_>, id: NodeId) {
        if dom.is_text(id) {
            let parent = dom.parent(id).map_or(NONE, |parent| self.numbers[parent.index()]);
            if let Some(parent) = self.get_mut(parent) {
                parent.texts = parent.texts.saturating_sub(1);
            }
        }
        let Some(gone) = self.get_mut(self.numbers[id.index()]) else {
            return;
        };
        // The links out of the removed part are cut as well; links inside it stay, but `removed` hides its
        // elements.
        let [parent, previous, next] =
            [&mut gone.parent, &mut gone.previous, &mut gone.next].map(|link| std::mem::replace(link, NONE));
        if let Some(previous) = self.get_mut(previous) {
            previous.next = next;
        } else if let Some(parent) = self.get_mut(parent) {
            parent.first_child = next;
        }
        if let Some(next) = self.get_mut(next) {
            next.previous = previous;
        }
    }

    fn get(&self, number: u32) -> Option<&Linked> {
        self.elements.get(number as usize)
    }

    fn get_mut(&mut self, number: u32) -> Option<&mut Linked> {
        self.elements.get_mut(number as usize)
    }

    /// Returns all elements in document order, including elements that were unlinked later.
    pub(super) fn all(&self) -> impl Iterator<Item = &Linked> {
        self.elements.iter()
    }

    pub(super) fn parent(&self, of: &Linked) -> Option<&Linked> {
        self.get(of.parent)
    }

    pub(super) fn previous(&self, of: &Linked) -> Option<&Linked> {
        self.get(of.previous)
    }

    pub(super) fn next(&self, of: &Linked) -> Option<&Linked> {
        self.get(of.next)
    }

    pub(super) fn first_child(&self, of: &Linked) -> Option<&Linked> {
        self.get(of.first_child)
    }

    /// Returns the number of child elements of the parent when the list was built, including this element.
    pub(super) fn siblings(&self, of: &Linked) -> u32 {
        self.parent(of).map_or(1, |parent| parent.children)
    }
}
