//! Data that all attempts at a page share.

use crate::label::extractor::PageView;
use crate::label::methods::readability::names::Names;
use crate::label::methods::readability::text_stat::TextStat;
use dehusk_html::narrow;
use dehusk_html::tree::{Dom, NodeId, Tag};

/// Data that all attempts at a page share.
pub(crate) struct PageContext<'v> {
    pub(crate) dom: &'v Dom<'v>,
    pub(crate) title: &'v str,
    /// Attribute facts of nodes with attributes. Entry 0 is for nodes without attributes. `names_of`: index into this list, per node.
    names: Vec<Names>,
    names_of: Vec<u32>,
    /// Length and number of commas of each text node.
    pub(crate) texts: Vec<TextStat>,
}

impl<'v> PageContext<'v> {
    pub(crate) fn new(view: &PageView<'v>) -> Self {
        PageContext::of(view.dom, view.title.unwrap_or(""))
    }

    pub(crate) fn of(dom: &'v Dom<'v>, title: &'v str) -> Self {
        let mut names = vec![Names::default()];
        let mut names_of = vec![0; dom.len()];
        let mut texts = vec![TextStat::default(); dom.len()];
        for id in dom.preorder(NodeId::DOCUMENT) {
            if dom.is_text(id) {
                // Scripts and styles, the bulk of many pages, are removed before anything is counted.
                let parent = dom.parent(id).and_then(|p| dom.html_tag(p));
                if !matches!(parent, Some(Tag::SCRIPT | Tag::STYLE | Tag::NOSCRIPT)) {
                    texts[id.index()] = TextStat::of(&dom.text(id));
                }
            } else if let Some(found) = Names::of(dom, id) {
                names_of[id.index()] = narrow::to_u32(names.len());
                names.push(found);
            }
        }
        PageContext {
            dom,
            title,
            names,
            names_of,
            texts,
        }
    }

    /// Returns the facts about a node; empty for nodes without attributes and for elements of an attempt.
    pub(crate) fn names(&self, id: NodeId) -> Names {
        let number = self.names_of.get(id.index()).copied().unwrap_or(0);
        self.names[number as usize]
    }

    /// Returns length and commas of a text node; 0 for all other nodes.
    pub(crate) fn text(&self, id: NodeId) -> TextStat {
        self.texts.get(id.index()).copied().unwrap_or_default()
    }
}
