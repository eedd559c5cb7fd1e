//! Data tables as rows of texts.

use crate::document::inline::Inline;
use crate::document::plain::{flat_text, inline_text};
use crate::document::tree::{Block, Cell, Row, Table};

impl Cell {
    /// Text of the cell, on one line.
    pub fn text(&self) -> String {
        flat_text(&self.blocks)
    }
}

/// A data table as rows of texts, for [`Options::with_tables`](crate::Options::with_tables).
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct DataTable {
    /// Caption of the table.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub caption: Option<String>,
    /// Rows from top to bottom.
    pub rows: Vec<DataRow>,
}

/// A table row as texts.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct DataRow {
    /// Cells from left to right; positions spanned by a cell of an earlier row are left out.
    pub cells: Vec<DataCell>,
}

/// A table cell as text.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct DataCell {
    /// Whole text of the cell, on one line.
    pub text: String,
    /// Whether the cell is a row or column header.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "std::ops::Not::not"))]
    pub header: bool,
    /// Number of columns spanned, 1 to 1000.
    #[cfg_attr(
        feature = "serde",
        serde(skip_serializing_if = "crate::document::tree::is_one")
    )]
    pub colspan: u32,
    /// Number of rows spanned, 1 to 65,534.
    #[cfg_attr(
        feature = "serde",
        serde(skip_serializing_if = "crate::document::tree::is_one")
    )]
    pub rowspan: u32,
    /// Blocks of the cell; empty if they contain nothing but `text`.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub elements: Vec<Block>,
}

impl DataTable {
    /// Converts a table of the document.
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

/// Whether `blocks` is empty or a single paragraph of plain text.
fn is_text(blocks: &[Block]) -> bool {
    match blocks {
        [] => true,
        [Block::Paragraph { inlines, .. }] => matches!(inlines.as_slice(), [Inline::Text(_)]),
        _ => false,
    }
}
