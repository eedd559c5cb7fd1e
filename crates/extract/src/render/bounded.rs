//! A writer that stops when what it wrote is long enough.

use crate::analysis::blocks::table::Words;
use crate::label::classes::BlockClass;
use crate::render::media::{Formula, Image};
use crate::render::writer::Writer;
use crate::warning::{Warning, WarningKind};
use dehusk_html::tree::{Dom, NodeId, Tag};

/// Hands events to a writer until it has written `most` bytes. Elements that are open then are closed as they end.
pub(super) struct Bounded<W> {
    /// Name of the form, for the warning.
    form: &'static str,
    writer: W,
    most: usize,
    stopped: bool,
    /// Elements that were opened after the writer was stopped.
    unwritten: usize,
}

impl<W: Writer> Bounded<W> {
    pub(super) fn new(form: &'static str, writer: W, most: usize) -> Self {
        Bounded {
            form,
            writer,
            most,
            stopped: false,
            unwritten: 0,
        }
    }

    /// The writer, and a warning if it was stopped.
    pub(super) fn into_inner(self, warnings: &mut Vec<Warning>) -> W {
        if self.stopped {
            let message = format!("the {} was cut after {} bytes", self.form, self.writer.written());
            warnings.push(Warning::new(WarningKind::OutputLimit, message));
        }
        self.writer
    }

    fn write(&mut self, event: impl FnOnce(&mut W)) {
        if !self.stopped {
            event(&mut self.writer);
            self.stopped = self.writer.written() > self.most;
        }
    }
}

impl<W: Writer> Writer for Bounded<W> {
    fn open(&mut self, dom: &Dom<'_>, id: NodeId, tag: Tag) {
        self.unwritten += usize::from(self.stopped);
        self.write(|writer| writer.open(dom, id, tag));
    }

    fn close(&mut self, dom: &Dom<'_>, id: NodeId, tag: Tag) {
        match self.unwritten.checked_sub(1) {
            Some(left) => self.unwritten = left,
            None => {
                self.writer.close(dom, id, tag);
                self.stopped |= self.writer.written() > self.most;
            }
        }
    }

    fn text(&mut self, text: &str) {
        self.write(|writer| writer.text(text));
    }

    fn words(&mut self, dom: &Dom<'_>, id: NodeId, words: Words<'_>, decoded: &mut String) {
        self.write(|writer| writer.words(dom, id, words, decoded));
    }

    fn blank(&mut self, dom: &Dom<'_>, id: NodeId) {
        self.write(|writer| writer.blank(dom, id));
    }

    fn class(&mut self, class: BlockClass) {
        self.write(|writer| writer.class(class));
    }

    fn line_break(&mut self) {
        self.write(Writer::line_break);
    }

    fn image(&mut self, image: &Image) {
        self.write(|writer| writer.image(image));
    }

    fn formula(&mut self, formula: &Formula) {
        self.write(|writer| writer.formula(formula));
    }

    fn written(&self) -> usize {
        self.writer.written()
    }
}
