//! Images and formulas.

use crate::analysis::blocks::elements::{is_phrasing, is_skipped};
use crate::label::extractor::PageView;
use crate::label::labels::Labels;
use crate::render::escape::escape;
use crate::render::kept_nodes::KeptNodes;
use dehusk_html::tree::{AttrName, Dom, Namespace, NodeId, Tag};

/// Most bytes of MathML of a formula that is copied.
const MAX_MATHML: usize = 64 << 10;
/// Most characters of LaTeX of a formula.
const MAX_LATEX: usize = 20_000;
/// Images of at most this many pixels on both sides are icons and counters.
const MAX_ICON: u32 = 32;
/// Most ancestors of an image among which its figure or its line is searched for.
const MAX_STEPS: usize = 8;

/// An image of the page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Image {
    /// Address as written.
    pub(super) src: String,
    /// Alternative text; may be empty.
    pub(super) alt: String,
}

/// A formula of the page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Formula {
    /// LaTeX, if the page has it.
    pub(super) latex: Option<String>,
    /// Presentation MathML, if the page has it.
    pub(super) mathml: Option<String>,
    /// Plain text: the characters of the formula, or its LaTeX.
    pub(super) text: String,
    /// Whether it has a line of its own.
    pub(super) display: bool,
}

/// An image or a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Media {
    Image(Image),
    Formula(Formula),
}

/// Images and formulas that belong to the kept text, in document order. `kept` tells which texts are kept, and which elements hold some.
///
/// One belongs to the kept text if its line or its figure does, or if the blocks before and after it are both kept. Images as small as
/// letters are left out, and all images unless `images` is set.
pub(super) fn kept_media(
    view: &PageView<'_>,
    labels: &Labels,
    kept: &KeptNodes,
    images: bool,
) -> Vec<NodeId> {
    let dom = view.dom;
    let is_kept = |i: usize| labels.verdicts.get(i).is_some_and(|v| v.kept);
    let belongs = |node: NodeId, before: usize| {
        if kept.holds(node) {
            return true;
        }
        let around = (before.checked_sub(1).is_some_and(is_kept), is_kept(before));
        if around == (true, true) {
            return true;
        }
        for ancestor in dom.ancestors(node).take(MAX_STEPS) {
            match dom.html_tag(ancestor) {
                Some(Tag::FIGURE) => return kept.holds(ancestor) || around.0 || around.1,
                Some(tag) if is_phrasing(tag) => {}
                Some(tag) if is_line(tag) && kept.holds(ancestor) => return true,
                _ => return false,
            }
        }
        false
    };
    let media = view.table.media().iter().filter(|m| !m.hidden);
    let included =
        media.filter(|m| images || dom.html_tag(m.node) != Some(Tag::IMG) || is_formula(dom, m.node));
    let kept = included.filter(|m| belongs(m.node, m.before as usize) && read(dom, m.node).is_some());
    kept.map(|m| m.node).collect()
}

fn is_line(tag: Tag) -> bool {
    tag.heading_level().is_some()
        || matches!(
            tag,
            Tag::P | Tag::LI | Tag::TD | Tag::TH | Tag::DD | Tag::DT | Tag::FIGCAPTION | Tag::BLOCKQUOTE
        )
}

/// The image or formula that a node is; `None` if there is nothing to show.
pub(super) fn read(dom: &Dom<'_>, id: NodeId) -> Option<Media> {
    match dom.html_tag(id) {
        Some(Tag::IMG) if is_formula(dom, id) => {
            let alt = dom.attr(id, "alt")?;
            latex_formula(&alt, has_class(dom, id, "display")).map(Media::Formula)
        }
        Some(Tag::IMG) => image(dom, id).map(Media::Image),
        Some(Tag::SCRIPT) => {
            let display = dom
                .known_attr(id, AttrName::TYPE)
                .is_some_and(|t| t.contains("mode=display"));
            latex_formula(&dom.text_below(id), display).map(Media::Formula)
        }
        _ if dom.namespace(id) == Namespace::MathMl => math(dom, id).map(Media::Formula),
        _ => None,
    }
}

/// Whether an image shows a formula whose source is its alternative text, as its class tells.
fn is_formula(dom: &Dom<'_>, id: NodeId) -> bool {
    let class = dom.known_attr(id, AttrName::CLASS).unwrap_or_default();
    // Bytes are divided in less time than characters.
    let mut parts = class
        .as_bytes()
        .split(|byte| byte.is_ascii_whitespace() || matches!(byte, b'-' | b'_'));
    parts.any(|part| {
        let names = ["tex", "latex", "math", "mwe"];
        (3..=5).contains(&part.len())
            && names
                .iter()
                .any(|name| part.eq_ignore_ascii_case(name.as_bytes()))
    })
}

fn has_class(dom: &Dom<'_>, id: NodeId, part: &str) -> bool {
    dom.attr(id, "class").is_some_and(|class| class.contains(part))
}

fn latex_formula(source: &str, display: bool) -> Option<Formula> {
    let latex = tidy_latex(source)?;
    Some(Formula {
        text: latex.clone(),
        latex: Some(latex),
        mathml: None,
        display,
    })
}

/// LaTeX without the wrapper that MediaWiki puts around it, white space collapsed.
fn tidy_latex(source: &str) -> Option<String> {
    let mut out = source.split_whitespace().collect::<Vec<_>>().join(" ");
    for (open, close) in [("$$", "$$"), ("\\[", "\\]"), ("\\(", "\\)"), ("$", "$")] {
        if let Some(inner) = out.strip_prefix(open).and_then(|rest| rest.strip_suffix(close)) {
            out = inner.trim().to_owned();
        }
    }
    for style in ["{\\displaystyle", "{\\textstyle"] {
        let inner = out.strip_prefix(style).and_then(|rest| rest.strip_suffix('}'));
        if let Some(inner) = inner.filter(|inner| is_balanced(inner)) {
            out = inner.trim().to_owned();
        }
    }
    let out = out.replace('\0', "\u{FFFD}");
    (!out.is_empty() && out.chars().count() <= MAX_LATEX).then_some(out)
}

/// Whether every closing brace has an opening one before it.
fn is_balanced(latex: &str) -> bool {
    let mut depth = 0_i64;
    latex.bytes().all(|b| {
        depth += i64::from(b == b'{') - i64::from(b == b'}');
        depth >= 0
    })
}

fn math(dom: &Dom<'_>, id: NodeId) -> Option<Formula> {
    let mut latex = dom.attr(id, "alttext").and_then(|text| tidy_latex(&text));
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
                latex = tidy_latex(&dom.text_below(node)).or(latex);
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
    let text = latex.clone().unwrap_or(text);
    if text.is_empty() {
        return None;
    }
    Some(Formula {
        latex,
        mathml: mathml(dom, id),
        text,
        display: dom
            .attr(id, "display")
            .is_some_and(|d| d.eq_ignore_ascii_case("block")),
    })
}

/// Whether a node below a formula is HTML that shows no text of its own, such as a script, or a drawing.
fn is_invisible(dom: &Dom<'_>, id: NodeId) -> bool {
    dom.namespace(id) == Namespace::Svg || dom.html_tag(id).is_some_and(is_skipped)
}

/// Elements of presentation MathML that are copied; of others only the contents are.
const PRESENTATION: &[&str] = &[
    "math",
    "mi",
    "mn",
    "mo",
    "ms",
    "mtext",
    "mspace",
    "mrow",
    "mfrac",
    "msqrt",
    "mroot",
    "mstyle",
    "merror",
    "mpadded",
    "mphantom",
    "mfenced",
    "menclose",
    "msub",
    "msup",
    "msubsup",
    "munder",
    "mover",
    "munderover",
    "mmultiscripts",
    "mprescripts",
    "none",
    "mtable",
    "mtr",
    "mtd",
    "mlabeledtr",
];

/// Attributes that are copied: none of them can hold an address or a script.
const ATTRIBUTES: &[&str] = &[
    "display",
    "mathvariant",
    "stretchy",
    "fence",
    "separator",
    "linethickness",
    "open",
    "close",
    "notation",
    "columnalign",
    "rowspan",
    "columnspan",
];

/// The formula as MathML with known elements and attributes only.
fn mathml(dom: &Dom<'_>, root: NodeId) -> Option<String> {
    let mut out = String::new();
    let mut open: Vec<(NodeId, &str)> = Vec::new();
    let mut walk = dom.preorder(root);
    while let Some(node) = walk.next() {
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
        let known = PRESENTATION
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

/// The image with its address; pages that load images lazily have it in another attribute than `src`.
fn image(dom: &Dom<'_>, id: NodeId) -> Option<Image> {
    let pixels = |name: &str| {
        let value = dom.attr(id, name)?;
        value.trim().trim_end_matches("px").parse::<u32>().ok()
    };
    let (width, height) = (pixels("width"), pixels("height"));
    let small = |side: Option<u32>, most| side.is_some_and(|side| side <= most);
    if small(width, 2) || small(height, 2) || (small(width, MAX_ICON) && small(height, MAX_ICON)) {
        return None;
    }
    let address = |name: &str| {
        let value = dom.attr(id, name)?;
        let value = value.trim();
        (!value.is_empty() && !value.starts_with("data:") && !value.starts_with("blob:"))
            .then(|| value.to_owned())
    };
    let late = ["data-src", "data-original", "data-lazy-src", "data-lazy"];
    let sets = ["srcset", "data-srcset", "data-lazy-srcset"];
    let first_of_set = |name| address(name).and_then(|set| set.split([' ', ',']).next().map(str::to_owned));
    let src = late.iter().find_map(|name| address(name));
    let src = src
        .or_else(|| address("src"))
        .or_else(|| sets.iter().find_map(|name| first_of_set(name)))?;
    let alt = dom.attr(id, "alt").unwrap_or_default();
    let alt = alt
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .replace('\0', "\u{FFFD}");
    Some(Image { src, alt })
}
