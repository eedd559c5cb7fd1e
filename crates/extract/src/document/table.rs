//! Tables: grids of cells.

use crate::document::plain::{flat_text, inline_text};
use crate::document::{Block, Inline};

/// Most places of a grid.
const MAX_GRID: usize = 1_000_000;

/// A table of data. Every place of its grid is that of a cell, but for places at the end of a row that is shorter than others: where the
/// page has an empty cell, or one that is not kept, there is an empty one.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Table {
    /// Its caption; may be empty.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub caption: Vec<Inline>,
    /// Number of rows at the top that head its columns.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_zero"))]
    pub head: usize,
    /// Its rows from top to bottom.
    pub rows: Vec<Row>,
}

/// A row of a table.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Row {
    /// Its cells from left to right, without places that a cell of an earlier row spans.
    pub cells: Vec<Cell>,
}

/// A cell of a table.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Cell {
    /// Whether it heads a row or a column.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "super::is_false"))]
    pub header: bool,
    /// Columns it spans, 1 to 1000.
    #[cfg_attr(feature = "serde", serde(default = "one", skip_serializing_if = "is_one"))]
    pub colspan: u32,
    /// Rows it spans, 1 to 65,534.
    #[cfg_attr(feature = "serde", serde(default = "one", skip_serializing_if = "is_one"))]
    pub rowspan: u32,
    /// How its text is aligned, if the page says so: `left`, `center` or `right`.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub align: Option<Align>,
    /// What it consists of; empty if it is.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub blocks: Vec<Block>,
}

/// How text is aligned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Align {
    /// At the left.
    Left,
    /// In the middle.
    Center,
    /// At the right.
    Right,
}

impl Align {
    /// Its name in HTML.
    pub fn name(self) -> &'static str {
        match self {
            Align::Left => "left",
            Align::Center => "center",
            Align::Right => "right",
        }
    }

    /// The one that is called so.
    pub(crate) fn find(name: &str) -> Option<Align> {
        let all = [Align::Left, Align::Center, Align::Right];
        all.into_iter()
            .find(|align| align.name().eq_ignore_ascii_case(name))
    }
}

impl Default for Cell {
    fn default() -> Self {
        Cell {
            header: false,
            colspan: 1,
            rowspan: 1,
            align: None,
            blocks: Vec::new(),
        }
    }
}

#[cfg(feature = "serde")]
fn one() -> u32 {
    1
}

#[cfg(feature = "serde")]
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over references")]
fn is_one(value: &u32) -> bool {
    *value == 1
}

#[cfg(feature = "serde")]
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over references")]
fn is_zero(value: &usize) -> bool {
    *value == 0
}

/// A place of a grid.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Place<'a> {
    pub(crate) cell: &'a Cell,
    /// Whether it is the first place of the cell, at its top and its left.
    pub(crate) first: bool,
}

impl Table {
    /// The cells as a rectangle: a cell stands in all places that it spans, and places without a cell are `None`. If the rectangle
    /// would have more than a million places, spans are ignored, and rows at the end are left out.
    pub fn grid(&self) -> Vec<Vec<Option<&Cell>>> {
        let rows = self.places_within(MAX_GRID).into_iter();
        rows.map(|row| {
            row.into_iter()
                .map(|place| place.map(|place| place.cell))
                .collect()
        })
        .collect()
    }

    /// The places of the grid, of about `most` at most.
    pub(crate) fn places_within(&self, most: usize) -> Vec<Vec<Option<Place<'_>>>> {
        let (places, width) = self.places(true, most);
        let (mut rows, width) = match places {
            Some(places) => (places, width),
            None => {
                let (places, width) = self.places(false, most);
                (places.unwrap_or_default(), width)
            }
        };
        for row in &mut rows {
            row.resize(width, None);
        }
        rows
    }

    /// The cell at each place, and the width; `None` past the bound.
    #[allow(clippy::type_complexity, reason = "rows of places")]
    fn places(&self, spans: bool, most: usize) -> (Option<Vec<Vec<Option<Place<'_>>>>>, usize) {
        let mut out: Vec<Vec<Option<Place<'_>>>> = Vec::new();
        // For each column the cell of an earlier row that spans it, and the number of rows it still spans.
        let mut spanning: Vec<Option<(&Cell, u32)>> = Vec::new();
        let (mut width, mut count) = (0, 0);
        for row in &self.rows {
            let mut places: Vec<Option<Place<'_>>> = Vec::new();
            let mut cells = row.cells.iter().peekable();
            while cells.peek().is_some() || places.len() < spanning.len() {
                let column = places.len();
                if let Some((cell, left)) = spanning.get_mut(column).and_then(Option::take) {
                    if left > 1 {
                        spanning[column] = Some((cell, left - 1));
                    }
                    places.push(Some(Place { cell, first: false }));
                } else if let Some(cell) = cells.next() {
                    let (across, down) = if spans {
                        (cell.colspan.max(1), cell.rowspan)
                    } else {
                        (1, 1)
                    };
                    for i in 0..across {
                        if count + places.len() > most {
                            break;
                        }
                        if down > 1 {
                            spanning.resize(spanning.len().max(places.len() + 1), None);
                            spanning[places.len()] = Some((cell, down - 1));
                        }
                        places.push(Some(Place { cell, first: i == 0 }));
                    }
                } else {
                    places.push(None);
                }
                if count + places.len() > most {
                    return (if spans { None } else { Some(out) }, width);
                }
            }
            width = width.max(places.len());
            count += places.len();
            if width * (out.len() + 1) > most {
                return (if spans { None } else { Some(out) }, width);
            }
            out.push(places);
        }
        (Some(out), width)
    }
}

impl Cell {
    /// The text of the cell, on one line.
    pub fn text(&self) -> String {
        flat_text(&self.blocks)
    }
}

/// A table of data as rows of texts, for [`Options::with_tables`](crate::Options::with_tables).
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct DataTable {
    /// Its caption.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub caption: Option<String>,
    /// Its rows from top to bottom.
    pub rows: Vec<DataRow>,
}

/// A row of texts.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct DataRow {
    /// Its cells from left to right, without places that a cell of an earlier row spans.
    pub cells: Vec<DataCell>,
}

/// A cell as text.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct DataCell {
    /// Its whole text, on one line.
    pub text: String,
    /// Whether it heads a row or a column.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "super::is_false"))]
    pub header: bool,
    /// Columns it spans, 1 to 1000.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_one"))]
    pub colspan: u32,
    /// Rows it spans, 1 to 65,534.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_one"))]
    pub rowspan: u32,
    /// Its blocks, if they say more than its text.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub elements: Vec<Block>,
}

impl DataTable {
    pub(super) fn of(table: &Table) -> DataTable {
        let cell = |cell: &Cell| DataCell {
            text: cell.text(),
            header: cell.header,
            colspan: cell.colspan,
            rowspan: cell.rowspan,
            elements: if is_text(&cell.blocks) {
                Vec::new()
            } else {
                cell.blocks.clone()
            },
        };
        let row = |row: &Row| DataRow {
            cells: row.cells.iter().map(cell).collect(),
        };
        DataTable {
            caption: (!table.caption.is_empty()).then(|| inline_text(&table.caption)),
            rows: table.rows.iter().map(row).collect(),
        }
    }
}

/// Whether blocks are nothing or one paragraph of text alone.
fn is_text(blocks: &[Block]) -> bool {
    match blocks {
        [] => true,
        [Block::Paragraph { inlines, .. }] => matches!(inlines.as_slice(), [Inline::Text(_)]),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(text: &str, colspan: u32, rowspan: u32) -> Cell {
        Cell {
            colspan,
            rowspan,
            blocks: vec![Block::Paragraph {
                inlines: vec![Inline::Text(text.to_owned())],
                class: None,
            }],
            ..Cell::default()
        }
    }

    fn table(rows: Vec<Vec<Cell>>) -> Table {
        let rows = rows.into_iter().map(|cells| Row { cells }).collect();
        Table {
            rows,
            ..Table::default()
        }
    }

    fn texts(table: &Table) -> Vec<Vec<String>> {
        let text = |cell: Option<&Cell>| cell.map_or_else(String::new, Cell::text);
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
