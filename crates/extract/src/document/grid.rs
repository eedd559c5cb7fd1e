//! Tables as rectangular grids.

use crate::document::tree::{Cell, Table};

/// Maximum number of positions of a grid.
const MAX_GRID: usize = 1_000_000;

/// A grid position that is covered by a cell.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Place<'a> {
    pub(crate) cell: &'a Cell,
    /// Whether this is the top left position of the cell.
    pub(crate) first: bool,
}

impl Table {
    /// Cells as a rectangular grid. A cell appears at every position that it spans; positions without a cell are `None`.
    ///
    /// If the grid would have more than a million positions, spans are ignored and rows at the end are left out.
    pub fn grid(&self) -> Vec<Vec<Option<&Cell>>> {
        let rows = self.places_within(MAX_GRID).into_iter();
        rows.map(|row| {
            row.into_iter()
                .map(|place| place.map(|place| place.cell))
                .collect()
        })
        .collect()
    }

    /// Positions of the grid, at most about `most`.
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

    /// Covered positions row by row, and the width of the grid. If there would be more than `most` positions,
    /// they are `None` with `spans`, and otherwise the rows that fit.
    #[allow(clippy::type_complexity, reason = "rows of places")]
    fn places(&self, spans: bool, most: usize) -> (Option<Vec<Vec<Option<Place<'_>>>>>, usize) {
        let mut out: Vec<Vec<Option<Place<'_>>>> = Vec::new();
        // For each column, the cell of an earlier row that spans it, and the number of rows it still spans.
        let mut spanning: Vec<Option<(&Cell, u32)>> = Vec::new();
        let (mut width, mut count) = (0, 0);
        for row in &self.rows {
            let mut places: Vec<Option<Place<'_>>> = Vec::new();
            let mut cells = row.cells.iter().peekable();
            // Spans of earlier rows may reach past the last cell of this row.
            while cells.peek().is_some() || places.len() < spanning.len() {
                let column = places.len();
                // Covered by a cell of an earlier row; cells of this row move to the right.
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
                    // The limit is checked at each position: a few wide cells may exceed it within one row.
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
            // Short rows are padded to the width of the widest, so the whole rectangle counts.
            if width * (out.len() + 1) > most {
                return (if spans { None } else { Some(out) }, width);
            }
            out.push(places);
        }
        (Some(out), width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::inline::Inline;
    use crate::document::tree::{Block, Row};

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
        let text = |cell: Option<&Cell>| {
            cell.map_or_else(String::new, |cell| {
                crate::document::plain::flat_text(&cell.blocks)
            })
        };
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
