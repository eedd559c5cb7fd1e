//! Positions of the cells of a table.

use crate::analysis::tables::span;
use crate::document::{Align, Block, Cell, Row};
use dehusk_html::narrow;
use dehusk_html::tree::{Dom, NodeId, Tag};

/// Maximum number of columns of a table. Cells beyond them occupy one position, whatever their spans.
const MAX_COLUMNS: usize = 1000;
/// Maximum number of grid positions of a table, counting spans. Spans beyond them are ignored, which bounds time and
/// memory.
const MAX_PLACES: usize = 1_000_000;

/// A cell as found in the page.
#[derive(Debug)]
struct Found {
    element: NodeId,
    row: usize,
    column: usize,
    columns: u32,
    rows: u32,
    header: bool,
    /// Kept content; empty if nothing of the cell is kept.
    blocks: Vec<Block>,
}

/// Grid of a table with all cells of the page, kept or not, so that a dropped cell leaves its position empty.
#[derive(Debug)]
pub(super) struct Grid {
    cells: Vec<Found>,
    rows: usize,
    /// Number of rows at the top that are in `thead`.
    head: usize,
    /// Index of the next cell that may be opened; cells are opened in order.
    next: usize,
}

impl Grid {
    /// Builds the grid of a table by the rules of HTML. Nested tables are skipped.
    pub(super) fn of(dom: &Dom<'_>, table: NodeId) -> Grid {
        let mut grid = Grid {
            cells: Vec::new(),
            rows: 0,
            head: 0,
            next: 0,
        };
        // For each column, the number of rows that are still spanned, counted from the current row.
        let mut spanned: Vec<u32> = Vec::new();
        let (mut column, mut places) = (0, 0);
        let mut walk = dom.preorder(table);
        walk.next();
        while let Some(node) = walk.next() {
            match dom.acting_tag(node) {
                Some(Tag::TABLE | Tag::CAPTION) => walk.skip_subtree(node),
                Some(Tag::TR) => {
                    // A new row uses up one row of every open `rowspan`.
                    if grid.rows > 0 {
                        spanned.iter_mut().for_each(|rows| *rows = rows.saturating_sub(1));
                    }
                    // A row costs as much as `spanned` is wide: wide spans times many rows end here.
                    places += spanned.len();
                    if places > MAX_PLACES {
                        spanned.clear();
                    }
                    column = 0;
                    // Only rows of a `thead` at the very top count.
                    let is_head =
                        dom.parent(node).and_then(|parent| dom.acting_tag(parent)) == Some(Tag::THEAD);
                    grid.head += usize::from(is_head && grid.head == grid.rows);
                    grid.rows += 1;
                }
                Some(tag @ (Tag::TD | Tag::TH)) => {
                    walk.skip_subtree(node);
                    if grid.rows == 0 {
                        continue;
                    }
                    // Skip columns that a cell above spans.
                    while spanned.get(column).is_some_and(|rows| *rows > 0) {
                        column += 1;
                    }
                    let (mut columns, mut rows) = (span(dom, node, "colspan"), span(dom, node, "rowspan"));
                    places += columns as usize;
                    if column + columns as usize > MAX_COLUMNS || places > MAX_PLACES {
                        (columns, rows) = (1, 1);
                    }
                    let end = column + columns as usize;
                    if rows > 1 {
                        spanned.resize(spanned.len().max(end), 0);
                    }
                    // Where cells overlap, the longer span counts.
                    for place in spanned.iter_mut().take(end).skip(column) {
                        *place = (*place).max(rows);
                    }
                    grid.cells.push(Found {
                        element: node,
                        row: grid.rows - 1,
                        column,
                        columns,
                        rows,
                        header: tag == Tag::TH,
                        blocks: Vec::new(),
                    });
                    column = end;
                }
                _ => {}
            }
        }
        grid
    }

    /// Finds the cell of an element, and skips all cells before it in later searches. `None` if the element
    /// is not a cell of this table.
    pub(super) fn find(&mut self, element: NodeId) -> Option<usize> {
        let from = self.next;
        let found = self.cells[from..]
            .iter()
            .position(|cell| cell.element == element)?
            + from;
        self.next = found + 1;
        Some(found)
    }

    /// Sets the kept content of a cell.
    pub(super) fn fill(&mut self, cell: usize, blocks: Vec<Block>) {
        if let Some(cell) = self.cells.get_mut(cell) {
            cell.blocks = blocks;
        }
    }

    /// Rows with kept content, each cell at its position, and the number of header rows.
    pub(super) fn into_rows(self, dom: &Dom<'_>) -> (Vec<Row>, usize) {
        let mut kept = vec![false; self.rows];
        for cell in self.cells.iter().filter(|cell| !cell.blocks.is_empty()) {
            kept[cell.row] = true;
        }
        // Number of kept rows before each row.
        let mut before = Vec::with_capacity(self.rows + 1);
        let mut count = 0;
        for is_kept in &kept {
            before.push(count);
            count += usize::from(*is_kept);
        }
        before.push(count);
        let mut rows: Vec<Vec<(usize, Cell)>> = (0..count).map(|_| Vec::new()).collect();
        for found in self.cells {
            let end = (found.row + found.rows as usize).min(self.rows);
            // A cell that starts in a dropped row and spans further continues in the next kept row.
            let (first, last) = (before[found.row], before[end]);
            debug_assert!(first <= last && last <= count, "kept rows are counted upwards");
            // Cells whose rows are all dropped are left out.
            let Some(row) = rows.get_mut(first).filter(|_| last > first) else {
                continue;
            };
            let cell = Cell {
                header: found.header,
                colspan: found.columns,
                rowspan: narrow::to_u32(last - first),
                align: align(dom, found.element),
                blocks: found.blocks,
            };
            row.push((found.column, cell));
        }
        let head_rows = before[self.head.min(self.rows)];
        let mut out = Vec::with_capacity(count);
        let mut head = 0;
        // For each column, the number of rows that are spanned, counted from the current row.
        let mut spanned: Vec<u32> = Vec::new();
        let mut places = 0;
        for mut cells in rows {
            places += spanned.len();
            if places > MAX_PLACES {
                spanned.clear();
            }
            cells.sort_by_key(|(column, _)| *column);
            let mut row = Row::default();
            row.cells.reserve_exact(cells.len());
            let mut at = 0;
            for (column, cell) in cells {
                while at < column {
                    // The position of a dropped cell becomes an empty cell; a spanned position has no cell.
                    let is_spanned = spanned.get(at).is_some_and(|rows| *rows > 0);
                    if !is_spanned {
                        row.cells.push(Cell::default());
                    }
                    at += 1;
                }
                let end = at + cell.colspan as usize;
                if cell.rowspan > 1 {
                    spanned.resize(spanned.len().max(end), 0);
                    spanned[at..end].iter_mut().for_each(|rows| *rows = cell.rowspan);
                }
                at = end;
                row.cells.push(cell);
            }
            spanned.iter_mut().for_each(|rows| *rows = rows.saturating_sub(1));
            // A header row has only `th` cells, or empty ones. A single cell may be a title across the
            // table.
            let heads = row.cells.iter().any(|cell| cell.header)
                && row.cells.iter().all(|cell| cell.header || cell.blocks.is_empty());
            if head == out.len() && (head < head_rows || heads && row.cells.len() > 1) {
                head += 1;
            }
            out.push(row);
        }
        // If all rows look like header rows, only those in `thead` count as such, and at least the first row.
        if head == out.len() && head_rows < head {
            head = head_rows.max(1).min(out.len());
        }
        (out, head)
    }
}

/// Whether all kept cells of a table without a head lie in one column, each in a row of its own.
pub(super) fn is_one_column(rows: &[Row]) -> bool {
    let mut column = None;
    rows.iter().all(|row| {
        let mut at = 0;
        let mut kept = 0;
        for cell in &row.cells {
            if !cell.blocks.is_empty() {
                kept += 1;
                // A `th` with cells beside it heads its row, so the cells are not just blocks below each
                // other.
                if cell.header && row.cells.len() > 1 || *column.get_or_insert(at) != at {
                    return false;
                }
            }
            at += cell.colspan;
        }
        kept < 2 && !(row.cells.len() == 1 && row.cells[0].header)
    })
}

/// Alignment of a cell, from `align` or from `text-align` in its own `style`; `None` if the page states
/// neither.
fn align(dom: &Dom<'_>, cell: NodeId) -> Option<Align> {
    if let Some(align) = dom.attr(cell, "align") {
        return Align::find(align.trim());
    }
    let style = dom.short_attr(cell, "style", 256)?;
    let value = style.split(';').find_map(|rule| {
        let (name, value) = rule.split_once(':')?;
        name.trim()
            .eq_ignore_ascii_case("text-align")
            .then(|| value.trim().to_owned())
    })?;
    Align::find(&value)
}
