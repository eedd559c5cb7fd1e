//! Notes at the foot of the text that marks in it refer to.

use dehusk_html::tree::{AttrName, NodeId, Tag};

use super::{OF_NOTES, Page};

impl Page<'_> {
    /// Returns whether an element is a footnote that a mark in the text links to.
    pub(super) fn is_note(&self, i: usize) -> bool {
        if self.targets.is_empty() || !self.may_be_beside(i, 0.5) {
            return false;
        }
        const MAX_BYTES: usize = 200;
        let dom = self.view.dom;
        let is_target = |node: NodeId| {
            [AttrName::ID, AttrName::NAME].into_iter().any(|name| {
                dom.known_attr(node, name)
                    .filter(|id| id.len() <= MAX_BYTES)
                    .is_some_and(|id| {
                        self.targets
                            .binary_search_by(|target| (**target).cmp(id.trim()))
                            .is_ok()
                    })
            })
        };
        let contexts = self.view.table.contexts();
        let above = std::iter::successors(Some(i), |&at| contexts[at].parent.map(|parent| parent as usize));
        // A short link may also lead to a section, so a note has to be named as one or to lead back.
        let named = above.take(3).any(|at| self.is_named(at, OF_NOTES));
        let node = self.element(i);
        let first = dom.tree().first_child(node);
        let may_be_one = matches!(
            self.tag(i),
            Some(Tag::LI | Tag::DIV | Tag::P | Tag::DD | Tag::ASIDE | Tag::SECTION)
        );
        // The id may belong to the first child, such as an empty `a`.
        may_be_one && (is_target(node) || first.is_some_and(is_target)) && (named || self.leads_back(node))
    }

    /// Whether a link in an element leads to a mark in the text.
    pub(super) fn leads_back(&self, element: NodeId) -> bool {
        const MAX_NODES: usize = 100;
        const MAX_BYTES: usize = 200;
        let dom = self.view.dom;
        let mut links = dom
            .preorder(element)
            .take(MAX_NODES)
            .filter(|&node| dom.html_tag(node) == Some(Tag::A));
        links.any(|link| {
            let target = dom.short_attr(link, "href", MAX_BYTES);
            let target = target
                .as_deref()
                .and_then(|target| target.trim().strip_prefix('#'));
            target.is_some_and(|target| self.marks.binary_search_by(|mark| (**mark).cmp(target)).is_ok())
        })
    }
}
