//! Spans of table cells, and the distinction between data tables and layout tables.

use dehusk_html::tree::{AttrName, Dom, NodeId, Tag};

/// Most columns and rows that a cell may span, as HTML limits them.
const MAX_COLSPAN: u32 = 1000;
const MAX_ROWSPAN: u32 = 65_534;

/// Value of a cell's `colspan` or `rowspan` attribute, clamped to the bounds of HTML; 1 if it is missing, 0 or not a number.
pub(crate) fn span(dom: &Dom<'_>, cell: NodeId, attribute: &str) -> u32 {
    let most = if attribute == "colspan" {
        MAX_COLSPAN
    } else {
        MAX_ROWSPAN
    };
    let Some(value) = dom.attr(cell, attribute) else {
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

/// Most bytes of text of a cell, on average, of a table without a head whose rows are named by rows of one cell.
const MAX_SHORT_CELL: usize = 40;

/// Whether a table is a data table; layout tables are rendered as the blocks they hold.
///
/// A data table has header cells, or several rows with two cells per row on average. With code, quotes or a nested table in it, it needs header
/// cells, several rows and short cells. A table that holds a heading of level 1 to 3 or an `article` is a layout table.
pub(crate) fn is_grid(dom: &Dom<'_>, table: NodeId) -> bool {
    let role = dom.known_attr(table, AttrName::ROLE).unwrap_or_default();
    if matches!(role.trim(), "presentation" | "none") {
        return false;
    }
    let (mut rows, mut cells, mut heads, mut bytes) = (0_usize, 0_usize, 0_usize, 0_usize);
    let mut holds_blocks = false;
    // Nested table that the walk is inside; its rows and cells do not count for the outer table.
    let mut inner: Option<NodeId> = None;
    for id in dom.preorder(table).skip(1) {
        if let Some(open) = inner
            && !dom
                .ancestors(id)
                .take_while(|at| *at != table)
                .any(|at| at == open)
        {
            inner = None;
        }
        match dom.html_tag(id) {
            Some(Tag::H1 | Tag::H2 | Tag::H3 | Tag::ARTICLE) => return false,
            // Three levels of nesting mean layout. Stopping here also bounds the cost of deeply nested tables.
            Some(Tag::TABLE) if inner.is_some() => return false,
            Some(Tag::TABLE) => (inner, holds_blocks) = (Some(id), true),
            Some(Tag::PRE | Tag::BLOCKQUOTE) => holds_blocks = true,
            Some(Tag::TR) if inner.is_none() => rows += 1,
            Some(Tag::TH) if inner.is_none() => (cells, heads) = (cells + 1, heads + 1),
            Some(Tag::TD) if inner.is_none() => cells += 1,
            _ if dom.is_text(id) => bytes += dom.raw_text(id).trim_ascii().len(),
            _ => {}
        }
    }
    if holds_blocks {
        return heads > 0 && rows > 1 && bytes <= MAX_CELL * cells;
    }
    // Rows of one cell name the rows below them; in such tables only short cells distinguish data from a layout.
    let is_named = 2 * cells >= 3 * rows && bytes <= MAX_SHORT_CELL * cells;
    heads > 0 || (rows > 1 && (cells >= 2 * rows || is_named))
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
