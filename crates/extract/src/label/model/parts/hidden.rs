//! Hidden lines, and panels that a script shows.

use super::Page;
use dehusk_html::narrow;
use dehusk_html::tree::{NodeId, Tag};

impl Page<'_> {
    /// Returns the lines that are hidden, and the panels of the page. Lines that a script shows on demand do not count as hidden; the
    /// elements that contain them are panels.
    pub(super) fn hidden(&self) -> (Vec<u32>, Vec<u32>) {
        if self.page.lines.iter().all(|line| !line.hidden) {
            return (Vec::new(), Vec::new());
        }
        let contexts = self.view.table.contexts();
        let mut shows = vec![false; contexts.len()];
        for line in self.page.lines.iter().filter(|line| !line.hidden) {
            shows[line.context as usize] = true;
        }
        // Parents precede their children, so each entry is complete before it is passed up.
        for (i, context) in contexts.iter().enumerate().rev() {
            if let Some(parent) = context.parent {
                shows[parent as usize] |= shows[i];
            }
        }
        let mut panels = Vec::new();
        let mut revealed: Vec<bool> = Vec::with_capacity(contexts.len());
        for (i, context) in contexts.iter().enumerate() {
            let above = context.parent.is_some_and(|parent| revealed[parent as usize]);
            let is_revealed = above || self.is_revealed(i);
            // A panel is the outermost revealed element without visible lines.
            if is_revealed && !shows[i] && context.parent.is_none_or(|parent| shows[parent as usize]) {
                panels.push(narrow::to_u32(i));
            }
            revealed.push(is_revealed);
        }
        // Visible siblings that are panels, too, belong to the same set.
        let mut around: Vec<u32> = panels
            .iter()
            .filter_map(|&panel| contexts[panel as usize].parent)
            .collect();
        around.sort_unstable();
        around.dedup();
        let is_beside = |i: u32| {
            let parent = contexts[i as usize].parent;
            parent.is_some_and(|parent| around.binary_search(&parent).is_ok()) && self.is_revealed(i as usize)
        };
        let beside: Vec<u32> = (0..narrow::to_u32(contexts.len()))
            .filter(|&i| shows[i as usize] && is_beside(i))
            .collect();
        panels.extend(beside);
        panels.sort_unstable();
        let lines = self.page.lines.iter().zip(0_u32..);
        let hidden = lines.filter(|(line, _)| line.hidden && !revealed[line.context as usize]);
        (hidden.map(|(_, i)| i).collect(), panels)
    }

    /// Returns whether an element is one of several panels that follow a row with the same number of buttons:
    /// the row is the first child of their parent, and the panels are all others.
    fn is_one_of_panels(&self, element: NodeId) -> bool {
        const MAX_PANELS: usize = 12;
        const MAX_NODES: usize = 64;
        let dom = self.view.dom;
        let Some(parent) = dom.parent(element) else {
            return false;
        };
        // One more than the row and the maximum number of panels, so that longer lists are noticed.
        let children: Vec<NodeId> = dom
            .children(parent)
            .filter(|&child| dom.tag(child).is_some())
            .take(MAX_PANELS + 2)
            .collect();
        let Some((&row, panels)) = children.split_first() else {
            return false;
        };
        let is_button = |&at: &NodeId| {
            dom.html_tag(at) == Some(Tag::BUTTON) || dom.short_attr(at, "role", 20).as_deref() == Some("tab")
        };
        (2..=MAX_PANELS).contains(&panels.len())
            && panels.contains(&element)
            && dom.preorder(row).take(MAX_NODES).filter(is_button).count() == panels.len()
    }

    /// Returns whether an element is a panel of tabs, of an accordion, or the rest of a text that a reader can expand.
    fn is_revealed(&self, i: usize) -> bool {
        const PARTS: &[&str] = &[
            "tab", "panel", "accord", "collaps", "toggle", "expand", "spoiler", "more", "reveal", "foldable",
            "slide", "faq", "answer",
        ];
        let dom = self.view.dom;
        let element = self.element(i);
        let role = dom.short_attr(element, "role", 20);
        // A tip for a word of a sentence is not part of the text, even after a button.
        if role.as_deref() == Some("tooltip") {
            return false;
        }
        if role.as_deref() == Some("tabpanel") || self.has_part(i, PARTS) {
            return true;
        }
        if self.is_one_of_panels(element) {
            return true;
        }
        // Otherwise, whether the element before it is a button, contains one, or declares that it expands something.
        const MAX_NODES: usize = 8;
        let before = std::iter::successors(dom.tree().prev_sibling(element), |&at| {
            dom.tree().prev_sibling(at)
        });
        let control = before.take(MAX_NODES).find(|&at| dom.tag(at).is_some());
        control.is_some_and(|control| {
            dom.preorder(control).take(MAX_NODES).any(|at| {
                dom.html_tag(at) == Some(Tag::BUTTON)
                    || dom.short_attr(at, "aria-expanded", 20).is_some()
                    || dom.short_attr(at, "role", 20).as_deref() == Some("button")
            })
        })
    }
}
