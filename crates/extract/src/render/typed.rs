//! Typed elements.

use crate::analysis::blocks::elements::is_phrasing;
use crate::analysis::tables::{is_grid, span};
use crate::content::{Cell, Element, Item, MAX_NESTING, Row, Table};
use crate::label::classes::BlockClass;
use crate::render::code_language::code_language;
use crate::render::media::{Formula, Image};
use crate::render::writer::Writer;
use dehusk_html::tree::{Dom, NodeId, Tag};
use dehusk_html::url::Base;

/// Builds elements bottom-up: an element that ends is added to its container.
pub(super) struct Builder<'u> {
    base: Base<'u>,
    done: Vec<Element>,
    /// Open containers, the innermost last, each with its element of the page.
    frames: Vec<(NodeId, Frame)>,
    line: String,
    space: bool,
    heading: u8,
    /// What the line is, if it is no body text.
    class: Option<BlockClass>,
    /// Text of the code that is open, and its language.
    code: Option<(String, String)>,
    /// Depth of nested code.
    codes: usize,
    /// Bytes that the elements take as JSON, about.
    written: usize,
}

/// What an element, an item or a cell takes as JSON, besides its text.
const ELEMENT_BYTES: usize = 46;

/// A container that is open.
enum Frame {
    Quote(Vec<Element>),
    List {
        ordered: bool,
        start: Option<i32>,
        items: Vec<Item>,
    },
    Item(Item),
    Table(Table),
    Row(Row),
    Cell(Cell),
    Figure {
        elements: Vec<Element>,
        caption: Option<String>,
    },
    Caption,
}

impl<'u> Builder<'u> {
    pub(super) fn new(base: Base<'u>) -> Self {
        Builder {
            base,
            done: Vec::new(),
            frames: Vec::new(),
            line: String::new(),
            space: false,
            heading: 0,
            class: None,
            code: None,
            codes: 0,
            written: 0,
        }
    }

    pub(super) fn finish(mut self) -> Vec<Element> {
        self.end_line();
        while let Some((_, frame)) = self.frames.pop() {
            self.end(frame);
        }
        self.done
    }

    /// Puts an element into the innermost container that holds elements.
    fn put(&mut self, element: Element) {
        self.written += ELEMENT_BYTES;
        for (_, frame) in self.frames.iter_mut().rev() {
            match frame {
                Frame::Quote(elements) | Frame::Figure { elements, .. } => return elements.push(element),
                Frame::Item(item) => return item.elements.push(element),
                Frame::Cell(cell) => return cell.elements.push(element),
                Frame::List { items, .. } => {
                    // Between the items: part of the one before.
                    if items.is_empty() {
                        items.push(Item::default());
                    }
                    if let Some(item) = items.last_mut() {
                        return item.elements.push(element);
                    }
                }
                Frame::Table(_) | Frame::Row(_) | Frame::Caption => {}
            }
        }
        self.done.push(element);
    }

    /// Ends the line of text: it becomes a heading, the beginning of an item or a cell, a formula or a paragraph.
    fn end_line(&mut self) {
        self.space = false;
        let class = self.class.take().map(BlockClass::name);
        let line = std::mem::take(&mut self.line);
        let text = line.trim();
        if text.is_empty() {
            return;
        }
        let level = self.heading;
        if level > 0 {
            return self.put(Element::Heading {
                level,
                text: text.to_owned(),
                class,
            });
        }
        let top = self.frames.len();
        match self.frames.last_mut().map(|(_, frame)| frame) {
            Some(Frame::Item(item)) if item.elements.is_empty() && item.text.is_empty() => {
                item.text = text.to_owned();
                return;
            }
            Some(Frame::Cell(cell)) if cell.elements.is_empty() && cell.text.is_empty() => {
                cell.text = text.to_owned();
                return;
            }
            Some(Frame::Caption) => {
                if let Some((_, below)) = self.frames.get_mut(top.wrapping_sub(2)) {
                    let caption = match below {
                        Frame::Table(table) => &mut table.caption,
                        Frame::Figure { caption, .. } => caption,
                        _ => return,
                    };
                    match caption {
                        Some(caption) => {
                            caption.push('\n');
                            caption.push_str(text);
                        }
                        None => *caption = Some(text.to_owned()),
                    }
                }
                return;
            }
            _ => {}
        }
        let element = match alone_latex(text) {
            Some(latex) => Element::Formula {
                latex: Some(latex.to_owned()),
                mathml: None,
                text: latex.to_owned(),
            },
            None => Element::Paragraph {
                text: text.to_owned(),
                class,
            },
        };
        self.put(element);
    }

    /// Adds a container that has ended to the one that holds it.
    fn end(&mut self, frame: Frame) {
        match frame {
            Frame::Quote(elements) if !elements.is_empty() => self.put(Element::Quote { elements }),
            Frame::List {
                ordered,
                start,
                items,
            } if !items.is_empty() => {
                self.put(Element::List {
                    ordered,
                    start,
                    items,
                });
            }
            Frame::Item(item) => {
                if let Some((_, Frame::List { items, .. })) = self.frames.last_mut()
                    && !(item.text.is_empty() && item.elements.is_empty())
                {
                    items.push(item);
                }
            }
            Frame::Table(table) if !table.rows.is_empty() => self.put(Element::Table(table)),
            Frame::Row(row) => {
                if let Some((_, Frame::Table(table))) = self.frames.last_mut() {
                    table.rows.push(row);
                }
            }
            Frame::Cell(cell) => {
                if let Some((_, Frame::Row(row))) = self.frames.last_mut() {
                    row.cells.push(cell);
                }
            }
            Frame::Figure {
                elements,
                mut caption,
            } => {
                for mut element in elements {
                    match &mut element {
                        Element::Image {
                            caption: of_image, ..
                        } => *of_image = caption.take(),
                        Element::Table(table) if table.caption.is_none() => table.caption = caption.take(),
                        _ => {}
                    }
                    self.put(element);
                }
                if let Some(text) = caption {
                    self.put(Element::Paragraph {
                        text,
                        class: Some(BlockClass::Caption.name()),
                    });
                }
            }
            _ => {}
        }
    }

    fn frame(&self, dom: &Dom<'_>, id: NodeId, tag: Tag) -> Option<Frame> {
        let top = self.frames.last().map(|(_, frame)| frame);
        if self.frames.len() >= MAX_NESTING {
            return None;
        }
        Some(match (tag, top) {
            (Tag::BLOCKQUOTE, _) => Frame::Quote(Vec::new()),
            (Tag::UL | Tag::MENU | Tag::DIR | Tag::DL | Tag::OL, _) => Frame::List {
                ordered: tag == Tag::OL,
                start: dom
                    .attr(id, "start")
                    .filter(|_| tag == Tag::OL)
                    .and_then(|start| start.trim().parse().ok())
                    .filter(|&start| start != 1),
                items: Vec::new(),
            },
            (Tag::LI | Tag::DT | Tag::DD, Some(Frame::List { .. })) => Frame::Item(Item {
                term: tag == Tag::DT,
                ..Item::default()
            }),
            (Tag::TABLE, _) if is_grid(dom, id) => Frame::Table(Table::default()),
            (Tag::TR, Some(Frame::Table(_))) => Frame::Row(Row::default()),
            (Tag::TD | Tag::TH, Some(Frame::Row(_))) => Frame::Cell(Cell {
                text: String::new(),
                header: tag == Tag::TH,
                colspan: span(dom, id, "colspan"),
                rowspan: span(dom, id, "rowspan"),
                elements: Vec::new(),
            }),
            (Tag::FIGURE, _) => Frame::Figure {
                elements: Vec::new(),
                caption: None,
            },
            (Tag::CAPTION, Some(Frame::Table(_))) | (Tag::FIGCAPTION, Some(Frame::Figure { .. })) => {
                Frame::Caption
            }
            _ => return None,
        })
    }

    fn word(&mut self, word: &str) {
        if std::mem::take(&mut self.space) && !self.line.is_empty() && !self.line.ends_with('\n') {
            self.line.push(' ');
        }
        self.line
            .extend(word.chars().map(|c| if c == '\0' { '\u{FFFD}' } else { c }));
    }
}

impl Writer for Builder<'_> {
    fn open(&mut self, dom: &Dom<'_>, id: NodeId, tag: Tag) {
        if is_phrasing(tag) {
            return;
        }
        if self.code.is_some() {
            self.codes += usize::from(tag == Tag::PRE);
            return;
        }
        self.end_line();
        if tag == Tag::PRE {
            self.code = Some((String::new(), code_language(dom, id)));
            self.codes = 1;
        } else if let Some(level) = tag.heading_level() {
            self.heading = level;
        } else if let Some(frame) = self.frame(dom, id, tag) {
            self.frames.push((id, frame));
            self.written += ELEMENT_BYTES;
        }
    }

    fn close(&mut self, _: &Dom<'_>, id: NodeId, tag: Tag) {
        if is_phrasing(tag) {
            return;
        }
        if self.code.is_some() {
            self.codes -= usize::from(tag == Tag::PRE);
            if self.codes == 0
                && let Some((code, language)) = self.code.take()
            {
                let text = code.trim_start_matches(['\n', '\r']).trim_end();
                if !text.is_empty() {
                    let language = (!language.is_empty()).then_some(language);
                    self.put(Element::Code {
                        language,
                        text: text.to_owned(),
                    });
                }
            }
            return;
        }
        self.end_line();
        if tag.heading_level().is_some() {
            self.heading = 0;
        }
        if let Some((_, frame)) = self.frames.pop_if(|(open, _)| *open == id) {
            self.end(frame);
        }
    }

    fn text(&mut self, text: &str) {
        self.written += text.len();
        if let Some((code, _)) = &mut self.code {
            code.extend(text.chars().map(|c| if c == '\0' { '\u{FFFD}' } else { c }));
            return;
        }
        for (i, word) in text.split(char::is_whitespace).enumerate() {
            self.space |= i > 0;
            if !word.is_empty() {
                self.word(word);
            }
        }
    }

    fn class(&mut self, class: BlockClass) {
        self.class = Some(class);
    }

    fn line_break(&mut self) {
        if let Some((code, _)) = &mut self.code {
            code.push('\n');
        } else if self.heading > 0 {
            self.space = true;
        } else if !self.line.is_empty() {
            self.space = false;
            self.line.push('\n');
        }
    }

    fn image(&mut self, image: &Image) {
        let Some(src) = self.base.resolve(&image.src).filter(|_| self.code.is_none()) else {
            return;
        };
        // An image inside a line stands before the rest of it.
        if self.heading == 0 {
            self.end_line();
        }
        self.written += src.len() + image.alt.len();
        self.put(Element::Image {
            src,
            alt: image.alt.clone(),
            caption: None,
        });
    }

    fn formula(&mut self, formula: &Formula) {
        if !formula.display || self.code.is_some() || self.heading > 0 {
            return self.text(&formula.text);
        }
        self.end_line();
        self.written += formula.text.len() + formula.mathml.as_ref().map_or(0, String::len);
        self.put(Element::Formula {
            latex: formula.latex.clone(),
            mathml: formula.mathml.clone(),
            text: formula.text.clone(),
        });
    }

    fn written(&self) -> usize {
        self.written
    }
}

/// The LaTeX of a paragraph that consists of a display formula between its delimiters.
fn alone_latex(text: &str) -> Option<&str> {
    [("$$", "$$"), ("\\[", "\\]")].iter().find_map(|(open, close)| {
        let inner = text.strip_prefix(open)?.strip_suffix(close)?.trim();
        (!inner.is_empty() && !inner.contains(open) && !inner.contains(close)).then_some(inner)
    })
}
