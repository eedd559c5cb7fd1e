//! Tables made of elements other than those of HTML tables, whose `role` or own style makes them tables, rows and cells.
//!
//! The parts are marked in the tree, where [`Dom::acting_tag`] gives them. Tags and names stay as they are
//! for selectors, layouts and features.

use std::collections::BTreeMap;

use memchr::memmem;

use dehusk_html::tree::{AttrName, Dom, NodeId, TablePart, Tag};

/// Maximum number of elements between a cell and its row, or between a row and its table.
const MAX_BETWEEN: usize = 8;

/// Longest `style` that is read, in bytes.
const MAX_STYLE: usize = 1024;

/// Longest average cell text, in bytes, of a table by styles alone: longer cells are columns of a layout.
const MAX_STYLED_CELL: usize = 160;

/// Elements that may form a table.
struct Candidate {
    rows: usize,
    cells: usize,
    /// Whether it is a table by its style alone.
    styled: bool,
    /// Whether a row or a cell is a control, which cannot be written as a part of a table.
    refused: bool,
    /// Bytes of text on the page before the start of the table, and before its end.
    text: (usize, usize),
    parts: Vec<(NodeId, TablePart)>,
}

impl Candidate {
    fn is_table(&self) -> bool {
        let bytes = self.text.1 - self.text.0;
        // Styles also lay out columns. Only short cells, on average two or more a row, are data.
        let is_short = bytes <= MAX_STYLED_CELL * self.cells && self.cells >= 2 * self.rows;
        !self.refused && self.rows > 1 && self.cells > self.rows && (is_short || !self.styled)
    }
}

/// Marks the tables that are made of elements such as `div` and `span`.
///
/// By the roles of ARIA, `table`, `grid` and `treegrid` hold rows, and rows hold cells. Of styles, only the
/// element's own style counts; style sheets are not read for it.
pub(crate) fn mark_table_parts(dom: &mut Dom<'_>) {
    if !may_hold_parts(dom.source().as_bytes()) {
        return;
    }
    for candidate in candidates(dom) {
        if candidate.is_table() {
            for (id, part) in candidate.parts {
                dom.tree_mut().set_table_part(id, part);
            }
        }
    }
}

/// Whether a page may have such tables: it has a row by role, or a cell by style.
fn may_hold_parts(source: &[u8]) -> bool {
    let is_row = |at: usize| {
        let value = &source[at + b"role=".len()..];
        let value = value
            .strip_prefix(b"\"")
            .or(value.strip_prefix(b"'"))
            .unwrap_or(value);
        value.trim_ascii_start().starts_with(b"row")
    };
    memmem::find_iter(source, b"role=").any(is_row) || memmem::find(source, b"table-cell").is_some()
}

fn candidates(dom: &Dom<'_>) -> Vec<Candidate> {
    let mut out: Vec<Candidate> = Vec::new();
    // For each part, its table in `out`.
    let mut known: BTreeMap<NodeId, (usize, TablePart)> = BTreeMap::new();
    // Tables whose end is not reached yet, innermost last, each with the node after its end.
    let mut open: Vec<(usize, Option<NodeId>)> = Vec::new();
    let mut bytes = 0;
    for id in dom.preorder(NodeId::DOCUMENT) {
        // A table ends before the node that follows it.
        while let Some((table, _)) = open.pop_if(|(_, end)| *end == Some(id)) {
            out[table].text.1 = bytes;
        }
        if dom.is_text(id) {
            bytes += dom.raw_bytes(id).trim_ascii().len();
            continue;
        }
        // Parts of HTML tables need no marks, whatever their roles.
        let Some(tag) = dom.html_tag(id).filter(|tag| !is_of_table(*tag)) else {
            continue;
        };
        let Some((part, styled)) = part(dom, id) else {
            continue;
        };
        if part == TablePart::Table {
            known.insert(id, (out.len(), part));
            open.push((out.len(), dom.tree().after_subtree(NodeId::DOCUMENT, id)));
            out.push(Candidate {
                rows: 0,
                cells: 0,
                styled,
                refused: false,
                text: (bytes, bytes),
                parts: vec![(id, part)],
            });
            continue;
        }
        // The nearest part above must be able to own this one: a cell without a row belongs to no table.
        let mut above = dom.ancestors(id).take(MAX_BETWEEN);
        let owner = above.find_map(|at| known.get(&at).copied());
        let Some((table, owner)) = owner.filter(|(_, owner)| may_own(*owner, part)) else {
            continue;
        };
        debug_assert!(
            matches!(owner, TablePart::Table | TablePart::Head | TablePart::Row),
            "other parts own none"
        );
        known.insert(id, (table, part));
        let table = &mut out[table];
        table.rows += usize::from(part == TablePart::Row);
        table.cells += usize::from(matches!(part, TablePart::Cell | TablePart::HeaderCell));
        table.refused |= matches!(tag, Tag::A | Tag::BUTTON | Tag::LABEL | Tag::OPTION);
        table.parts.push((id, part));
    }
    // Tables at the end of the page have no node after them.
    for (table, _) in open {
        out[table].text.1 = bytes;
    }
    out
}

/// Whether an element is part of an HTML table.
fn is_of_table(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::TABLE | Tag::THEAD | Tag::TBODY | Tag::TFOOT | Tag::TR | Tag::TD | Tag::TH | Tag::CAPTION
    )
}

fn may_own(owner: TablePart, part: TablePart) -> bool {
    use TablePart::{Caption, Cell, Head, HeaderCell, Row, Table};
    matches!(
        (owner, part),
        (Table, Caption | Head | Row) | (Head, Row) | (Row, Cell | HeaderCell)
    )
}

/// The part of a table that an element plays, and whether its style says so; `None` if it plays none.
fn part(dom: &Dom<'_>, id: NodeId) -> Option<(TablePart, bool)> {
    if let Some(role) = dom.known_attr(id, AttrName::ROLE) {
        let role = role.split_ascii_whitespace().next().unwrap_or_default();
        if let Some(part) = part_of_role(role) {
            return Some((part, false));
        }
    }
    if !dom.node(id).may_be_hidden() {
        return None;
    }
    let style = dom.short_attr(id, "style", MAX_STYLE)?;
    // Backwards: the last declaration of `display` counts.
    let display = style.rsplit(';').find_map(|rule| {
        let (name, value) = rule.split_once(':')?;
        name.trim().eq_ignore_ascii_case("display").then_some(value)
    })?;
    let display = display.split('!').next().unwrap_or_default().trim();
    Some((part_of_display(&display.to_ascii_lowercase())?, true))
}

fn part_of_role(role: &str) -> Option<TablePart> {
    Some(match role {
        "table" | "grid" | "treegrid" => TablePart::Table,
        "caption" => TablePart::Caption,
        "row" => TablePart::Row,
        "cell" | "gridcell" => TablePart::Cell,
        "columnheader" | "rowheader" => TablePart::HeaderCell,
        _ => return None,
    })
}

fn part_of_display(display: &str) -> Option<TablePart> {
    Some(match display {
        "table" | "inline-table" => TablePart::Table,
        "table-caption" => TablePart::Caption,
        "table-header-group" => TablePart::Head,
        "table-row" => TablePart::Row,
        "table-cell" => TablePart::Cell,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use dehusk_html::Parser;

    /// Tags that the elements act as, where these are not their own.
    fn acting(html: &str) -> Vec<&'static str> {
        let (mut dom, _) = Parser::default().parse(html);
        mark_table_parts(&mut dom);
        let all = dom.tree().ids();
        all.filter_map(|id| Some((dom.html_tag(id)?, dom.acting_tag(id)?)))
            .filter_map(|(own, acting)| acting.known_name().filter(|_| acting != own))
            .collect()
    }

    #[test]
    fn roles_and_own_styles_make_tables() {
        let row = "<div role=row><span role=cell>a</span><span role=cell>b</span></div>";
        let table = |inside: &str| format!("<div role=table>{inside}</div>");
        let two = ["table", "tr", "td", "td", "tr", "td", "td"];
        assert_eq!(acting(&table(&row.repeat(2))), two);
        assert_eq!(
            acting(&table(&format!("<div role=rowgroup><div>{row}{row}</div></div>"))),
            two
        );
        let head = "<div role='row'><b role='columnheader'>a</b><p role='rowheader x'>b</p></div>";
        let found = acting(&format!(
            "<ul role='grid'><li role=caption>c</li>{head}{row}</ul>"
        ));
        assert_eq!(found, ["table", "caption", "tr", "th", "th", "tr", "td", "td"]);
        let styled = "<div style='Display: TABLE-row'><p style='color:red;display:table-cell'>a</p><p style='display:table-cell !important'>b</p></div>";
        assert_eq!(
            acting(&format!("<div style=display:table>{styled}{styled}</div>")),
            two
        );
        for none in [
            // One row, or rows of one cell, are not a table.
            table(row),
            table(&"<div role=row><p role=cell>a</p></div>".repeat(3)),
            row.repeat(2),
            // Tables of HTML need no roles, and links would lose their targets.
            "<table role=grid><tr role=row><td role=gridcell>a<td role=gridcell>b<tr role=row><td>c</table>"
                .to_owned(),
            table(&"<a role=row href=/x><i role=cell>a</i><i role=cell>b</i></a>".repeat(2)),
            format!(
                "<div style=display:table>{}</div>",
                styled
                    .replace(">a<", &format!(">{}<", "long ".repeat(200)))
                    .repeat(2)
            ),
            "<div style=display:table-cell>a</div><p role=rowgroup>b".to_owned(),
        ] {
            assert_eq!(acting(&none), Vec::<&str>::new(), "{none}");
        }
    }
}
