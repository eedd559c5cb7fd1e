//! Formulas of the page.

use crate::analysis::blocks::elements::{FORMULA_SOURCES, is_image_element};
use crate::build::math_tex::math_as_tex;
use crate::build::shown::is_invisible;
use crate::build::tex::{is_complete, tidy};
use crate::document::mathml::{ATTRIBUTES, ELEMENTS};
use crate::document::{Formula, escape};
use dehusk_html::tree::{AttrName, Dom, Namespace, NodeId, Tag};

/// Longest MathML of a formula that is copied, in bytes.
const MAX_MATHML: usize = 64 << 10;
/// Maximum number of elements between a formula and the element that wraps it together with its alternative renderings.
const MAX_STEPS: usize = 6;
/// Maximum number of nodes of an element that draws a formula.
const MAX_DRAWING: usize = 2000;
/// Longest class attribute, in bytes, that is searched for names of formula renderers.
const MAX_CLASS: usize = 256;

/// A formula found in the page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FoundFormula {
    pub(super) formula: Formula,
}

/// Formula of an element; `None` if it contains no formula, or an empty one.
pub(super) fn read(dom: &Dom<'_>, id: NodeId) -> Option<FoundFormula> {
    let formula = match dom.html_tag(id) {
        Some(tag) if is_image_element(dom, id, tag) => {
            let display = class(dom, id).contains("display");
            let alt = dom.known_attr(id, AttrName::ALT);
            // The address used by a rendering service contains the source; the alternative text need not.
            let source = source_of(dom, id)
                .or_else(|| drawn(dom, id))
                .or_else(|| alt.as_deref().map(str::to_owned));
            written(&source?, display)
        }
        // MathJax 2: `<script type="math/tex; mode=display">`.
        Some(Tag::SCRIPT) => {
            let kind = dom.known_attr(id, AttrName::TYPE);
            written(
                &dom.text_below(id),
                kind.is_some_and(|kind| kind.contains("mode=display")),
            )
        }
        _ if dom.namespace(id) == Namespace::MathMl => math(dom, id),
        _ => None,
    };
    formula.map(|mut formula| {
        // Wrappers decide on display, too: KaTeX writes `<span class=katex-display><span class=katex>`.
        let root = root(dom, id);
        let is_display =
            |id: NodeId| class(dom, id).contains("display") && !class(dom, id).contains("inline");
        formula.display |= dom
            .ancestors(id)
            .take_while(|at| *at != root)
            .chain([root])
            .any(|at| is_display(at) || is_true(dom, at));
        FoundFormula { formula }
    })
}

/// TeX source in an attribute of the element that draws a formula.
fn source_of(dom: &Dom<'_>, id: NodeId) -> Option<String> {
    let attributes = dom.attrs_of(id);
    if attributes.is_empty() {
        return None;
    }
    let is_source = |attribute: &&dehusk_html::tree::Attr| {
        FORMULA_SOURCES.iter().any(|name| dom.is_named(attribute, name))
            // Rich-text editors name the kind of element in its class.
            || dom.is_named(attribute, "data-value") && class(dom, id).contains("formula")
    };
    let found = attributes.iter().find(is_source)?;
    tidy(&dom.attr_value(found))
}

/// Formula that an element draws, if one of its attributes states the source.
pub(super) fn stated(dom: &Dom<'_>, id: NodeId) -> Option<FoundFormula> {
    let tex = source_of(dom, id)?;
    // An element with much more text than its source is not a drawing of it.
    let mut left = 8 * tex.len() + 64;
    for (i, node) in dom.preorder(id).enumerate() {
        if i > MAX_DRAWING {
            return None;
        }
        if dom.is_text(node) {
            left = left.checked_sub(dom.raw_text(node).trim().len())?;
        }
    }
    let formula = Formula {
        display: dom.html_tag(id) == Some(Tag::DIV) || class(dom, id).contains("display") || is_true(dom, id),
        tex: Some(tex),
        ..Formula::default()
    };
    Some(FoundFormula { formula })
}

/// Formula in a `code` or `pre` element with `data-math-style`, whose text is the TeX source.
pub(super) fn marked(dom: &Dom<'_>, id: NodeId) -> Option<FoundFormula> {
    const STYLE: &str = "data-math-style";
    let style = dom.short_attr(id, STYLE, MAX_CLASS)?;
    let display = style.trim().eq_ignore_ascii_case("display");
    let formula = written(&dom.text_below(id), display)?;
    Some(FoundFormula { formula })
}

/// Whether an element has `display="true"`, as MathJax marks formulas on their own line.
fn is_true(dom: &Dom<'_>, id: NodeId) -> bool {
    dom.attr(id, "display")
        .is_some_and(|value| value.trim().eq_ignore_ascii_case("true"))
}

/// Formula of a TeX source with or without delimiters; `None` if the source is empty or too long.
fn written(source: &str, display: bool) -> Option<Formula> {
    let tex = tidy(source)?;
    let mut formula = Formula::default();
    (formula.tex, formula.display) = (
        Some(tex),
        display || source.trim_start().starts_with("$$") || source.trim_start().starts_with("\\["),
    );
    Some(formula)
}

/// Class attribute of an element; empty if it is missing or longer than `MAX_CLASS`.
fn class<'d>(dom: &'d Dom<'_>, id: NodeId) -> std::borrow::Cow<'d, str> {
    dom.short_attr(id, "class", MAX_CLASS).unwrap_or_default()
}

/// Outermost element around a formula and its alternative renderings (visual and accessible); the formula
/// itself if there is no such element.
pub(super) fn root(dom: &Dom<'_>, formula: NodeId) -> NodeId {
    let mut root = formula;
    for ancestor in dom.ancestors(formula).take(MAX_STEPS) {
        // Tags beyond `Tag::ALL` are unknown to HTML: `mjx-container`.
        let is_known = dom
            .html_tag(ancestor)
            .is_some_and(|tag| matches!(tag, Tag::SPAN | Tag::DIV) || tag.index() >= Tag::ALL.len());
        if !is_known {
            break;
        }
        let is_program = |name: &str| {
            ["katex", "MathJax", "mjx-", "mwe-math-element", "MJX"]
                .iter()
                .any(|program| name.starts_with(program))
        };
        if is_program(dom.name(ancestor)) || class(dom, ancestor).split_ascii_whitespace().any(is_program) {
            root = ancestor;
        }
    }
    root
}

/// Siblings before a MathJax script that draw its formula.
pub(super) fn drawings(dom: &Dom<'_>, script: NodeId) -> Vec<NodeId> {
    let tree = dom.tree();
    let mut found = Vec::new();
    let mut at = tree.prev_sibling(script);
    // White space between the drawings and the script is skipped; a word ends the search.
    while let Some(node) = at {
        if dom.is_text(node) {
            if !dom.text(node).trim().is_empty() {
                break;
            }
        } else if class(dom, node)
            .split_ascii_whitespace()
            .any(|name| name.starts_with("MathJax") || name.starts_with("MJX"))
        {
            found.push(node);
        } else {
            break;
        }
        at = tree.prev_sibling(node);
    }
    found
}

/// Source of a formula in the address of an image, for known rendering services.
fn drawn(dom: &Dom<'_>, id: NodeId) -> Option<String> {
    let src = dom.known_attr(id, AttrName::SRC)?;
    // The scheme may be that of the page: `//latex.codecogs.com/...`.
    let behind_scheme = src
        .split_once("://")
        .map(|(_, rest)| rest)
        .or_else(|| src.strip_prefix("//"));
    let (host, rest) = behind_scheme.map_or(("", &*src), |rest| rest.split_once('/').unwrap_or((rest, "")));
    // CodeCogs takes the whole query as the source: `latex.codecogs.com/gif.latex?x^2`.
    let source = if host.contains("codecogs.com") {
        rest.split_once('?')?.1
    } else {
        let (path, query) = rest.split_once('?')?;
        let value = |name: &str| {
            let mut pairs = query.split('&').map(|pair| pair.trim_start_matches("amp;"));
            pairs.find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
        };
        // `math` and `chl` also occur in other addresses: `math` counts if the path ends in `/math`, `chl`
        // with `cht=tx` (Google Charts).
        let is_math = |path: &str| path.rsplit('/').next().is_some_and(|last| last == "math");
        value("latex")
            .or_else(|| value("tex"))
            .or_else(|| value("math").filter(|_| is_math(path)))
            .or_else(|| value("chl").filter(|_| value("cht") == Some("tx")))
            .or_else(|| rest.contains("tex.cgi").then_some(query))?
    };
    let source = percent_decoded(source);
    (!source.trim().is_empty()).then_some(source)
}

/// Decodes percent-encoding in the fragment of an address. Unlike in a query, a `+` is itself.
pub(super) fn fragment_decoded(text: &str) -> String {
    match text.contains('%') {
        true => percent_decoded(&text.replace('+', "%2B")),
        false => text.to_owned(),
    }
}

/// Decodes percent-encoding in a part of an address. `+` is a space, malformed escapes stay, and bytes that
/// are not UTF-8 become U+FFFD.
pub(super) fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        // An escape needs two hexadecimal digits; at the end of the text there may be fewer bytes.
        let hex = bytes
            .get(at + 1..at + 3)
            .filter(|hex| hex.iter().all(u8::is_ascii_hexdigit))
            .and_then(|hex| std::str::from_utf8(hex).ok());
        match (byte, hex.and_then(|hex| u8::from_str_radix(hex, 16).ok())) {
            (b'%', Some(value)) => {
                out.push(value);
                at += 3;
            }
            (b'+', _) => {
                out.push(b' ');
                at += 1;
            }
            _ => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Whether an image shows a formula whose source is its alternative text or part of its address.
pub(super) fn is_formula_image(dom: &Dom<'_>, id: NodeId) -> bool {
    if source_of(dom, id).is_some() || drawn(dom, id).is_some() {
        return true;
    }
    let class = dom.known_attr(id, AttrName::CLASS).unwrap_or_default();
    // Splitting bytes is faster than splitting characters.
    let mut parts = class
        .as_bytes()
        .split(|byte| byte.is_ascii_whitespace() || matches!(byte, b'-' | b'_'));
    let is_named = parts.any(|part| {
        let names = ["tex", "latex", "math", "mwe"];
        (3..=5).contains(&part.len())
            && names
                .iter()
                .any(|name| part.eq_ignore_ascii_case(name.as_bytes()))
    });
    // Unbalanced braces or a final ellipsis show that the source was cut off: the image stays an image.
    is_named
        && dom
            .known_attr(id, AttrName::ALT)
            .is_none_or(|alt| is_complete(&alt))
}

/// Formula of a `math` element: its MathML, and its TeX (stated or converted) or else its text. `None` if
/// it is empty.
fn math(dom: &Dom<'_>, id: NodeId) -> Option<Formula> {
    // MathJax 4 states the source in an attribute of the formula or of the row in it.
    let mut rows = std::iter::once(id).chain(dom.children(id).take(1));
    let mut tex = rows
        .find_map(|at| source_of(dom, at))
        .or_else(|| dom.attr(id, "alttext").and_then(|text| tidy(&text)));
    // TeX in an `annotation` replaces the other sources. Annotations are not part of the text.
    let mut text = String::new();
    let mut walk = dom.preorder(id);
    while let Some(node) = walk.next() {
        if is_invisible(dom, node) {
            walk.skip_subtree(node);
            continue;
        }
        let name = dom.name(node);
        if name == "annotation" || name == "annotation-xml" {
            let is_tex = dom
                .attr(node, "encoding")
                .is_some_and(|e| e.to_ascii_lowercase().contains("tex"));
            if is_tex {
                tex = tidy(&dom.text_below(node)).or(tex);
            }
            walk.skip_subtree(node);
        } else if dom.is_text(node) {
            for word in dom.text(node).split_whitespace() {
                if !text.is_empty() {
                    text.push(' ');
                }
                text.push_str(word);
            }
        }
    }
    let text = text.replace('\0', "\u{FFFD}");
    if text.is_empty() && tex.is_none() {
        return None;
    }
    let mut formula = Formula {
        mathml: mathml(dom, id),
        tex: tex.or_else(|| math_as_tex(dom, id)),
        ..Formula::default()
    };
    if formula.tex.is_none() {
        formula.text = text;
    }
    formula.display = dom
        .attr(id, "display")
        .is_some_and(|d| d.eq_ignore_ascii_case("block"));
    Some(formula)
}

/// Serializes a formula as MathML. Unknown elements lose their tags, not their content. `None` if the
/// result exceeds `MAX_MATHML`.
fn mathml(dom: &Dom<'_>, root: NodeId) -> Option<String> {
    let mut out = String::new();
    let mut open: Vec<(NodeId, &str)> = Vec::new();
    let mut walk = dom.preorder(root);
    while let Some(node) = walk.next() {
        // Close elements up to the parent of `node`. Unknown elements are open without a name and write no
        // tags.
        let parent = dom.parent(node);
        while let Some(&(id, name)) = open.last().filter(|(id, _)| node != root && Some(*id) != parent) {
            if !name.is_empty() {
                out.push_str("</");
                out.push_str(name);
                out.push('>');
            }
            open.pop();
            if id == root {
                break;
            }
        }
        if out.len() > MAX_MATHML {
            return None;
        }
        if dom.is_text(node) {
            let text = dom.text(node);
            escape(text.trim(), &mut out);
            continue;
        }
        let name = dom.name(node);
        if name == "annotation" || name == "annotation-xml" || is_invisible(dom, node) {
            walk.skip_subtree(node);
            continue;
        }
        let known = ELEMENTS
            .iter()
            .find(|known| **known == name)
            .copied()
            .unwrap_or("");
        open.push((node, known));
        if known.is_empty() {
            continue;
        }
        out.push('<');
        out.push_str(known);
        for attribute in ATTRIBUTES {
            if let Some(value) = dom.attr(node, attribute) {
                out.push(' ');
                out.push_str(attribute);
                out.push_str("=\"");
                escape(&value, &mut out);
                out.push('"');
            }
        }
        out.push('>');
    }
    for (_, name) in open.into_iter().rev().filter(|(_, name)| !name.is_empty()) {
        out.push_str("</");
        out.push_str(name);
        out.push('>');
    }
    Some(out)
}
