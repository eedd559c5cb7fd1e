//! Visible text of code and formulas.

use crate::analysis::blocks::elements::is_skipped;
use dehusk_html::tree::{Dom, Namespace, NodeId};

/// Whether a node inside code or a formula shows no text of its own: an SVG drawing, or HTML such as a script.
pub(super) fn is_invisible(dom: &Dom<'_>, id: NodeId) -> bool {
    dom.namespace(id) == Namespace::Svg || dom.html_tag(id).is_some_and(is_skipped)
}

/// Text below a node without scripts and drawings, which HTML inside a formula may contain.
pub(super) fn shown_text(dom: &Dom<'_>, id: NodeId) -> String {
    let mut out = String::new();
    let mut walk = dom.preorder(id);
    while let Some(node) = walk.next() {
        if is_invisible(dom, node) {
            walk.skip_subtree(node);
        } else if dom.is_text(node) {
            out.push_str(&dom.text(node));
        }
    }
    out
}
