//! Main content as typed elements, for [`Options::with_content`](crate::Options::with_content).
//!
//! Elements are in document order. Lists, quotes and cells hold elements themselves, up to a depth of [`MAX_NESTING`]; deeper ones are
//! flattened into the innermost. With the feature `serde` they serialize to objects with a field `kind`; fields without a value are
//! left out.

/// Largest depth of nested lists, quotes, tables and figures; deeper ones are flattened.
pub const MAX_NESTING: usize = 48;

/// Most cells of a grid.
const MAX_GRID: usize = 1_000_000;

/// One element of the main content. White space in texts is collapsed, but for line breaks.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(tag = "kind", rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Element {
    /// Running text.
    Paragraph {
        /// Its text.
        text: String,
        /// Name of its [`BlockClass`](crate::BlockClass), if it is no body text.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
        class: Option<&'static str>,
    },
    /// A heading.
    Heading {
        /// 1 to 6.
        level: u8,
        /// Its text.
        text: String,
        /// Name of its [`BlockClass`](crate::BlockClass), if it is no body text.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
        class: Option<&'static str>,
    },
    /// A list, or a list of terms and what they mean.
    List {
        /// Whether its items are numbered.
        ordered: bool,
        /// Number of the first item, if it is not 1.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
        start: Option<i32>,
        /// Its items.
        items: Vec<Item>,
    },
    /// A table of data.
    Table(Table),
    /// Program text or other text whose lines count.
    Code {
        /// Language, lower-cased, as the page names it.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
        language: Option<String>,
        /// Its text, white space as in the page.
        text: String,
    },
    /// A quotation.
    Quote {
        /// What it consists of.
        elements: Vec<Element>,
    },
    /// A formula with a line of its own. Those inside a line are part of its text, as LaTeX if the page has it.
    Formula {
        /// LaTeX.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
        latex: Option<String>,
        /// Presentation MathML.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
        mathml: Option<String>,
        /// Its characters, where neither can be shown.
        text: String,
    },
    /// An image.
    Image {
        /// Its address, absolute if the page's own is known.
        src: String,
        /// Alternative text.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "String::is_empty"))]
        alt: String,
        /// Its caption.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
        caption: Option<String>,
    },
}

/// An item of a list.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Item {
    /// The text it begins with.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "String::is_empty"))]
    pub text: String,
    /// Whether it is a term that the next item explains.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_false"))]
    pub term: bool,
    /// What follows that text: further paragraphs, lists and so on.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub elements: Vec<Element>,
}

/// A table of data.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Table {
    /// Its caption.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub caption: Option<String>,
    /// Its rows from top to bottom.
    pub rows: Vec<Row>,
}

/// A row of a table.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Row {
    /// Its cells from left to right, without places that a cell of an earlier row spans.
    pub cells: Vec<Cell>,
}

/// A cell of a table.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Cell {
    /// The text it begins with.
    pub text: String,
    /// Whether it heads a row or a column.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_false"))]
    pub header: bool,
    /// Columns it spans, 1 to 1000.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_one"))]
    pub colspan: u32,
    /// Rows it spans, 1 to 65,534.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_one"))]
    pub rowspan: u32,
    /// What follows that text: lists, further paragraphs and so on.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub elements: Vec<Element>,
}

#[cfg(feature = "serde")]
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over references")]
fn is_false(value: &bool) -> bool {
    !value
}

#[cfg(feature = "serde")]
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over references")]
fn is_one(value: &u32) -> bool {
    *value == 1
}

impl Table {
    /// The cells as a rectangle: a cell stands in all places that it spans, and places without a cell are `None`. If the rectangle
    /// would have more than a million places, spans are ignored, and rows at the end are left out.
    pub fn grid(&self) -> Vec<Vec<Option<&Cell>>> {
        let (places, width) = self.places(true);
        let (places, width) = match places {
            Some(places) => (places, width),
            None => {
                let (places, width) = self.places(false);
                (places.unwrap_or_default(), width)
            }
        };
        let mut rows = places;
        for row in &mut rows {
            row.resize(width, None);
        }
        rows
    }

    /// The cell at each place, and the width; `None` past the bound.
    #[allow(clippy::type_complexity, reason = "rows of places")]
    fn places(&self, spans: bool) -> (Option<Vec<Vec<Option<&Cell>>>>, usize) {
        let mut out: Vec<Vec<Option<&Cell>>> = Vec::new();
        // For each column the cell of an earlier row that spans it, and the number of rows it still spans.
        let mut spanning: Vec<Option<(&Cell, u32)>> = Vec::new();
        let (mut width, mut count) = (0, 0);
        for row in &self.rows {
            let mut places: Vec<Option<&Cell>> = Vec::new();
            let mut cells = row.cells.iter().peekable();
            while cells.peek().is_some() || places.len() < spanning.len() {
                let column = places.len();
                if let Some((cell, left)) = spanning.get_mut(column).and_then(Option::take) {
                    if left > 1 {
                        spanning[column] = Some((cell, left - 1));
                    }
                    places.push(Some(cell));
                } else if let Some(cell) = cells.next() {
                    let (across, down) = if spans {
                        (cell.colspan, cell.rowspan)
                    } else {
                        (1, 1)
                    };
                    for _ in 0..across {
                        if down > 1 {
                            spanning.resize(spanning.len().max(places.len() + 1), None);
                            spanning[places.len()] = Some((cell, down - 1));
                        }
                        places.push(Some(cell));
                    }
                } else {
                    places.push(None);
                }
                if count + places.len() > MAX_GRID {
                    return (if spans { None } else { Some(out) }, width);
                }
            }
            width = width.max(places.len());
            count += places.len();
            if width * (out.len() + 1) > MAX_GRID {
                return (if spans { None } else { Some(out) }, width);
            }
            out.push(places);
        }
        (Some(out), width)
    }
}

impl Cell {
    /// The whole text of the cell, one line per line.
    pub fn full_text(&self) -> String {
        let mut out = self.text.clone();
        text_of(&self.elements, &mut out);
        out
    }
}

/// Appends the texts of elements, each on a line of its own. The depth of recursion is at most [`MAX_NESTING`].
fn text_of(elements: &[Element], out: &mut String) {
    let line = |text: &str, out: &mut String| {
        if !text.is_empty() {
            if !out.is_empty() {
                out.push('\n');
            }
            out.push_str(text);
        }
    };
    for element in elements {
        match element {
            Element::Paragraph { text, .. }
            | Element::Heading { text, .. }
            | Element::Code { text, .. }
            | Element::Formula { text, .. } => line(text, out),
            Element::Image { alt, caption, .. } => line(caption.as_deref().unwrap_or(alt), out),
            Element::Quote { elements } => text_of(elements, out),
            Element::List { items, .. } => {
                for item in items {
                    line(&item.text, out);
                    text_of(&item.elements, out);
                }
            }
            Element::Table(table) => {
                for cell in table.rows.iter().flat_map(|row| &row.cells) {
                    line(&cell.text, out);
                    text_of(&cell.elements, out);
                }
            }
        }
    }
}

/// The tables among elements, those inside lists, quotes and cells included, in document order.
pub fn tables(elements: &[Element]) -> Vec<&Table> {
    let mut out = Vec::new();
    let mut pending: Vec<&Element> = elements.iter().rev().collect();
    while let Some(element) = pending.pop() {
        match element {
            Element::Table(table) => {
                out.push(table);
                let cells = table.rows.iter().flat_map(|row| &row.cells);
                let inner: Vec<&Element> = cells.flat_map(|cell| &cell.elements).collect();
                pending.extend(inner.into_iter().rev());
            }
            Element::Quote { elements } => pending.extend(elements.iter().rev()),
            Element::List { items, .. } => {
                let inner: Vec<&Element> = items.iter().flat_map(|item| &item.elements).collect();
                pending.extend(inner.into_iter().rev());
            }
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(text: &str, colspan: u32, rowspan: u32) -> Cell {
        Cell {
            text: text.to_owned(),
            header: false,
            colspan,
            rowspan,
            elements: Vec::new(),
        }
    }

    fn table(rows: Vec<Vec<Cell>>) -> Table {
        let rows = rows.into_iter().map(|cells| Row { cells }).collect();
        Table { caption: None, rows }
    }

    fn texts(table: &Table) -> Vec<Vec<String>> {
        let text = |cell: Option<&Cell>| cell.map_or_else(String::new, Cell::full_text);
        let rows = table.grid().into_iter();
        rows.map(|row| row.into_iter().map(text).collect()).collect()
    }

    #[test]
    fn a_grid_repeats_cells_that_reach_over_several_places() {
        let table = table(vec![
            vec![cell("a", 2, 1), cell("b", 1, 3)],
            vec![cell("c", 1, 2), cell("d", 1, 1)],
            vec![cell("e", 1, 1), cell("f", 1, 1)],
        ]);
        let want = [["a", "a", "b", ""], ["c", "d", "b", ""], ["c", "e", "b", "f"]];
        assert_eq!(texts(&table), want);
    }

    #[test]
    fn a_grid_is_bounded() {
        let rows = (0..200)
            .map(|_| (0..50).map(|_| cell("x", 1000, 65_534)).collect())
            .collect();
        let table = table(rows);
        let grid = table.grid();
        assert_eq!((grid.len(), grid[0].len()), (200, 50));
    }
}
