//! A table of Markdown: a grid, whose cells that span several places leave empty ones behind.

/// Most columns of a table.
const MAX_COLUMNS: usize = 1000;
/// Most cells of a table whose short rows are filled with empty cells.
pub(super) const MAX_GRID: usize = 100_000;

#[derive(Default)]
pub(super) struct Table {
    pub(super) rows: Vec<Vec<String>>,
    pub(super) depth: usize,
    pub(super) caption: String,
    /// For each column, the number of further rows that a cell spans.
    pub(super) spanned_rows: Vec<u32>,
    /// Columns that the current cell spans, and further rows.
    pub(super) columns: u32,
    pub(super) down: u32,
    /// Number of empty cells added for spans.
    pub(super) added: usize,
}

impl Table {
    /// Begins a cell after the places that cells of earlier rows span.
    pub(super) fn begin_cell(&mut self, columns: u32, down: u32) {
        self.pad_spans();
        if self.rows.is_empty() {
            self.rows.push(Vec::new());
        }
        if let Some(row) = self.rows.last_mut().filter(|row| row.len() < MAX_COLUMNS) {
            row.push(String::new());
            (self.columns, self.down) = (columns, down);
        }
    }

    /// Adds an empty cell for every place that the last cell or a cell of an earlier row spans.
    pub(super) fn pad_spans(&mut self) {
        let (columns, down) = (std::mem::take(&mut self.columns), std::mem::take(&mut self.down));
        let Some(row) = self.rows.last_mut() else { return };
        let start = row.len().saturating_sub(1);
        for column in start..start + columns as usize {
            let fits = column < MAX_COLUMNS && self.added < MAX_GRID;
            if column >= row.len() && fits {
                row.push(String::new());
                self.added += 1;
            }
            if down > 1 && column < row.len() {
                self.spanned_rows
                    .resize(self.spanned_rows.len().max(column + 1), 0);
                self.spanned_rows[column] = down;
            }
        }
        while let Some(left) = self.spanned_rows.get_mut(row.len()).filter(|left| **left > 1) {
            *left -= 1;
            if self.added >= MAX_GRID {
                break;
            }
            row.push(String::new());
            self.added += 1;
        }
    }
}
