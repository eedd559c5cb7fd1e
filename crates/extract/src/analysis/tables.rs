//! Spans of table cells, and the distinction between data tables and layout tables.

use dehusk_html::tree::{AttrName, Dom, NodeId, Tag};

/// Maximum number of columns that a cell may span, as HTML limits them.
const MAX_COLSPAN: u32 = 1000;
/// Maximum number of rows that a cell may span, as HTML limits them.
const MAX_ROWSPAN: u32 = 65_534;

/// Value of a cell's `colspan` or `rowspan` attribute, clamped to the bounds of HTML; 1 if it is missing, 0
/// or not a number.
///
/// Elements that only act as cells have `aria-colspan` and `aria-rowspan` instead.
pub(crate) fn span(dom: &Dom<'_>, cell: NodeId, attribute: &str) -> u32 {
    let most = if attribute == "colspan" {
        MAX_COLSPAN
    } else {
        MAX_ROWSPAN
    };
    let is_own = dom.html_tag(cell) == dom.acting_tag(cell);
    let value = match attribute {
        _ if is_own => dom.attr(cell, attribute),
        "colspan" => dom.attr(cell, "aria-colspan"),
        _ => dom.attr(cell, "aria-rowspan"),
    };
    let Some(value) = value else {
        return 1;
    };
    let digits = value.trim().bytes().take_while(u8::is_ascii_digit).count();
    match value.trim()[..digits].parse::<u32>() {
        Ok(span) => span.clamp(1, most),
        // Only an overflow of the integer type fails on digits.
        Err(_) if digits > 0 => most,
        Err(_) => 1,
    }
}

/// Longest average cell text, in bytes, of a data table that contains code, quotes or nested tables.
///
/// The bound excludes forums whose posts lie in a table with header cells.
const MAX_CELL: usize = 160;

/// Longest average cell text, in bytes, of a table without header cells in which rows of one cell name the
/// rows below them.
const MAX_SHORT_CELL: usize = 40;

/// Whether a table is a data table; layout tables are rendered as the blocks they hold.
///
/// A data table has header cells, or several rows with two cells per row on average. With code, quotes or a
/// nested table in it, it needs header cells, several rows and short cells. A table that holds a heading of
/// level 1 to 3 or an `article` is a layout table.
pub(crate) fn is_grid(dom: &Dom<'_>, table: NodeId) -> bool {
    counts(dom, table).is_some_and(|counts| counts.is_grid())
}

/// Whether a data table has three or more header cells and, on average, three or more cells a row. Tables
/// of forums, with a post in each row, have fewer.
pub(crate) fn is_wide_grid(dom: &Dom<'_>, table: NodeId) -> bool {
    const COLUMNS: usize = 3;
    let is_wide = |counts: &Counts| counts.cells >= COLUMNS * counts.rows && counts.heads >= COLUMNS;
    counts(dom, table).is_some_and(|counts| counts.is_grid() && is_wide(&counts))
}

/// Rows and cells of a table, and bytes of its text.
#[derive(Default)]
struct Counts {
    rows: usize,
    cells: usize,
    heads: usize,
    bytes: usize,
    /// Whether it holds code, quotes or a table.
    holds_blocks: bool,
}

impl Counts {
    fn is_grid(&self) -> bool {
        if self.holds_blocks {
            return self.heads > 0 && self.rows > 1 && self.bytes <= MAX_CELL * self.cells;
        }
        // Rows of one cell name the rows below them; in such tables only short cells distinguish data from a layout.
        let is_named = 2 * self.cells >= 3 * self.rows && self.bytes <= MAX_SHORT_CELL * self.cells;
        self.heads > 0 || (self.rows > 1 && (self.cells >= 2 * self.rows || is_named))
    }
}

/// Counts the parts of a table; `None` if it is a layout.
fn counts(dom: &Dom<'_>, table: NodeId) -> Option<Counts> {
    let role = dom.known_attr(table, AttrName::ROLE).unwrap_or_default();
    if matches!(role.trim(), "presentation" | "none") {
        return None;
    }
    let mut counts = Counts::default();
    // Nested table that the walk is inside; its rows and cells do not count for the outer table.
    let mut inner: Option<NodeId> = None;
    for id in dom.preorder(table).skip(1) {
        // The walk may have left the nested table.
        if let Some(open) = inner
            && !dom
                .ancestors(id)
                .take_while(|at| *at != table)
                .any(|at| at == open)
        {
            inner = None;
        }
        match dom.acting_tag(id) {
            Some(Tag::H1 | Tag::H2 | Tag::H3 | Tag::ARTICLE) => return None,
            // Three levels of nesting mean layout. Stopping here also bounds the cost of deeply nested tables.
            Some(Tag::TABLE) if inner.is_some() => return None,
            Some(Tag::TABLE) => (inner, counts.holds_blocks) = (Some(id), true),
            Some(Tag::PRE | Tag::BLOCKQUOTE) => counts.holds_blocks = true,
            Some(Tag::TR) if inner.is_none() => counts.rows += 1,
            Some(Tag::TH) if inner.is_none() => {
                counts.cells += 1;
                counts.heads += 1;
            }
            Some(Tag::TD) if inner.is_none() => counts.cells += 1,
            _ if dom.is_text(id) => counts.bytes += dom.raw_text(id).trim_ascii().len(),
            _ => {}
        }
    }
    Some(counts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dehusk_html::Parser;

    #[test]
    fn tables_of_data_have_heads_or_short_cells() {
        let long =
            "<p>The river rose overnight, and the meadows were under water, so that nobody could cross it."
                .repeat(10);
        for (rows, want) in [
            ("<tr><td>a<td>b<tr><td>c<td>d".to_owned(), true),
            ("<tr><td>a<tr><td>b".to_owned(), false),
            (
                "<tr><td>Europe<tr><td>Paris<td>May<tr><td>Rome<td>June".to_owned(),
                true,
            ),
            (format!("<tr><td>a<tr><td>{long}<td>b"), false),
            ("<tr><th>a<th>b<tr><td>c<td><pre>d</pre>".to_owned(), true),
            ("<tr><td>a<td><pre>b</pre><tr><td>c<td>d".to_owned(), false),
            (
                "<tr><th>a<th>b<tr><td>c<td><table><tr><td>d</table><tr><td>e<td>f".to_owned(),
                true,
            ),
            (
                format!("<tr><th>a<th>b<tr><td>c<td><table><tr><td>{long}</table>"),
                false,
            ),
            (
                "<tr><th>a<tr><td><table><tr><td><table><tr><td>b</table></table>".to_owned(),
                false,
            ),
            ("<tr><th>a<th>b<tr><td><h2>c</h2><td>d".to_owned(), false),
        ] {
            let html = format!("<table>{rows}</table>");
            let (dom, _) = Parser::default().parse(&html);
            let table = dom.find(NodeId::DOCUMENT, Tag::TABLE).expect("a table");
            assert_eq!(is_grid(&dom, table), want, "{rows}");
        }
    }

    #[test]
    fn spans_are_bounded() {
        for (value, colspan, rowspan) in [
            ("3", 3, 3),
            (" 4x", 4, 4),
            ("0", 1, 1),
            ("-2", 1, 1),
            ("", 1, 1),
            ("100000", 1000, 65_534),
            ("99999999999999999999", 1000, 65_534),
        ] {
            let html = format!("<table><td colspan='{value}' rowspan='{value}'>x</table>");
            let (dom, _) = Parser::default().parse(&html);
            let cell = dom.find(NodeId::DOCUMENT, Tag::TD).expect("a cell");
            let got = (span(&dom, cell, "colspan"), span(&dom, cell, "rowspan"));
            assert_eq!(got, (colspan, rowspan), "{value}");
        }
    }
}
