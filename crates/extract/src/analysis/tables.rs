//! Spans of table cells, and which tables hold data.

use dehusk_html::tree::{Dom, NodeId, Tag};

/// Most columns and rows that a cell may span, as in HTML.
const MAX_COLSPAN: u32 = 1000;
const MAX_ROWSPAN: u32 = 65_534;

/// Columns or rows that a cell spans by its attribute `colspan` or `rowspan`, within the bounds of HTML; 1 for 0 and for what is no
/// number.
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
        // The number is too large for its type.
        Err(_) if digits > 0 => most,
        Err(_) => 1,
    }
}

/// Whether a table is a data table, whose cells are short; layout tables are rendered as the blocks they hold.
pub(crate) fn is_grid(dom: &Dom<'_>, table: NodeId) -> bool {
    let (mut rows, mut cells, mut heads) = (0_usize, 0_usize, false);
    for id in dom.preorder(table).skip(1) {
        match dom.html_tag(id) {
            Some(Tag::TABLE | Tag::PRE | Tag::H1 | Tag::H2 | Tag::H3 | Tag::BLOCKQUOTE | Tag::ARTICLE) => {
                return false;
            }
            Some(Tag::TR) => rows += 1,
            Some(Tag::TH) => (cells, heads) = (cells + 1, true),
            Some(Tag::TD) => cells += 1,
            _ => {}
        }
    }
    heads || (rows > 1 && cells >= 2 * rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dehusk_html::Parser;

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
