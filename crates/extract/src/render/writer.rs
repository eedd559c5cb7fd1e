//! The trait of writers.

use crate::analysis::blocks::table::Words;
use crate::label::classes::BlockClass;
use crate::render::media::{Formula, Image};
use dehusk_html::tree::{Dom, NodeId, Tag};

/// Receives the kept part of a page, in document order. Every `open` is followed by its `close`.
pub(super) trait Writer {
    /// An element that holds kept text begins.
    fn open(&mut self, dom: &Dom<'_>, id: NodeId, tag: Tag);
    /// It ends.
    fn close(&mut self, dom: &Dom<'_>, id: NodeId, tag: Tag);
    /// Kept text, white space as in the source.
    fn text(&mut self, text: &str);
    /// Kept text of which the block table has the words.
    fn words(&mut self, dom: &Dom<'_>, id: NodeId, _: Words<'_>, decoded: &mut String) {
        self.text(dom.text_in(id, decoded));
    }
    /// A text of white space alone between kept ones.
    fn blank(&mut self, dom: &Dom<'_>, id: NodeId) {
        self.text(&dom.text(id));
    }
    /// What the kept text that follows is, if it is no body text; called only if the classes are known.
    fn class(&mut self, _: BlockClass) {}
    /// A line break inside a paragraph.
    fn line_break(&mut self);
    /// An image; called only if images are requested.
    fn image(&mut self, _: &Image) {}
    /// A formula.
    fn formula(&mut self, formula: &Formula);
    /// Bytes written so far, or about as many.
    fn written(&self) -> usize;
}

/// Several writers on one walk.
impl Writer for Vec<&mut dyn Writer> {
    fn open(&mut self, dom: &Dom<'_>, id: NodeId, tag: Tag) {
        self.iter_mut().for_each(|w| w.open(dom, id, tag));
    }

    fn close(&mut self, dom: &Dom<'_>, id: NodeId, tag: Tag) {
        self.iter_mut().for_each(|w| w.close(dom, id, tag));
    }

    fn text(&mut self, text: &str) {
        self.iter_mut().for_each(|w| w.text(text));
    }

    fn words(&mut self, dom: &Dom<'_>, id: NodeId, words: Words<'_>, decoded: &mut String) {
        self.iter_mut().for_each(|w| w.words(dom, id, words, decoded));
    }

    fn blank(&mut self, dom: &Dom<'_>, id: NodeId) {
        self.iter_mut().for_each(|w| w.blank(dom, id));
    }

    fn class(&mut self, class: BlockClass) {
        self.iter_mut().for_each(|w| w.class(class));
    }

    fn line_break(&mut self) {
        self.iter_mut().for_each(|w| w.line_break());
    }

    fn image(&mut self, image: &Image) {
        self.iter_mut().for_each(|w| w.image(image));
    }

    fn formula(&mut self, formula: &Formula) {
        self.iter_mut().for_each(|w| w.formula(formula));
    }

    fn written(&self) -> usize {
        self.iter().map(|w| w.written()).sum()
    }
}
