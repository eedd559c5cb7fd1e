//! What of code and formulas is shown.

use crate::analysis::blocks::elements::is_skipped;
use dehusk_html::tree::{Dom, Namespace, NodeId};

/// Whether a node in code or in a formula is HTML that shows no text of its own, such as a script, or a drawing.
pub(super) fn is_invisible(dom: &Dom<'_>, id: NodeId) -> bool {
    dom.namespace(id) == Namespace::Svg || dom.html_tag(id).is_some_and(is_skipped)
}

/// The text below a node, without scripts and drawings, which HTML inside a formula may hold.
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
