//! Conversion of presentation MathML to TeX, for formulas whose page provides no TeX.

use crate::build::shown::shown_text;
use dehusk_html::tree::{Dom, NodeId};

/// Maximum number of elements of a formula that is converted.
const MAX_ELEMENTS: usize = 2000;
/// Deepest nesting of elements of a formula that is converted.
const MAX_DEPTH: usize = 40;

/// Converts a formula to TeX; `None` if it is empty, too long, or contains an element without a counterpart here.
pub(super) fn math_as_tex(dom: &Dom<'_>, math: NodeId) -> Option<String> {
    let mut left = MAX_ELEMENTS;
    let tex = row(dom, math, 0, &mut left)?;
    let tex = tex.split_whitespace().collect::<Vec<_>>().join(" ");
    (!tex.is_empty()).then_some(tex)
}

/// Child elements of an element.
fn parts(dom: &Dom<'_>, id: NodeId) -> Vec<NodeId> {
    dom.children(id)
        .filter(|child| dom.tag(*child).is_some())
        .collect()
}

/// Converts the child elements in sequence.
fn row(dom: &Dom<'_>, id: NodeId, depth: usize, left: &mut usize) -> Option<String> {
    let mut out = String::new();
    for part in parts(dom, id) {
        let tex = element(dom, part, depth + 1, left)?;
        // `\alpha` and `x` must not become `\alphax`.
        if out.ends_with(char::is_alphabetic) && tex.starts_with(char::is_alphabetic) && ends_in_command(&out)
        {
            out.push(' ');
        }
        out.push_str(&tex);
    }
    Some(out)
}

/// Whether `text` ends in a TeX command, whose name letters after it would extend.
fn ends_in_command(text: &str) -> bool {
    let letters = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    letters.len() < text.len() && letters.ends_with('\\')
}

/// Converts one element; `None` if it has no counterpart, or if a bound is reached.
fn element(dom: &Dom<'_>, id: NodeId, depth: usize, left: &mut usize) -> Option<String> {
    // `left` is shared by the whole formula, so that its size is bounded whatever the nesting.
    *left = left.checked_sub(1)?;
    if depth > MAX_DEPTH {
        return None;
    }
    let name = dom.name(id);
    let text = || escaped(shown_text(dom, id).trim());
    let mut group = |id: NodeId| element(dom, id, depth + 1, left).map(|tex| braced(&tex));
    let children = parts(dom, id);
    Some(match (name, children.as_slice()) {
        ("mi", _) => {
            let text = text();
            // Letters in one `mi` are a name; TeX would set `abc` as a product of three variables.
            if text.chars().count() > 1 && text.chars().all(|c| c.is_ascii_alphabetic()) {
                if FUNCTIONS.contains(&text.as_str()) {
                    format!("\\{text} ")
                } else {
                    format!("\\mathrm{{{text}}}")
                }
            } else {
                text
            }
        }
        ("mn", _) => text(),
        ("mo", _) => match shown_text(dom, id).trim() {
            // Invisible operators: function application, multiplication, separator, addition.
            "\u{2061}" | "\u{2062}" | "\u{2063}" | "\u{2064}" => String::new(),
            _ => operator(&text()),
        },
        ("ms" | "mtext", _) => match shown_text(dom, id).trim() {
            "" => " ".to_owned(),
            words => format!("\\text{{{}}}", escaped(words)),
        },
        ("mspace", _) => " ".to_owned(),
        ("mfrac", [above, below]) => format!("\\frac{}{}", group(*above)?, group(*below)?),
        ("msqrt", _) => format!("\\sqrt{}", braced(&row(dom, id, depth, left)?)),
        ("mroot", [inner, degree]) => {
            let degree = element(dom, *degree, depth + 1, left)?;
            format!(
                "\\sqrt[{degree}]{}",
                braced(&element(dom, *inner, depth + 1, left)?)
            )
        }
        ("msub" | "munder", [base, below]) => format!(
            "{}_{}",
            based(dom, *base, depth, left)?,
            braced(&element(dom, *below, depth + 1, left)?)
        ),
        ("msup", [base, above]) => format!(
            "{}^{}",
            based(dom, *base, depth, left)?,
            braced(&element(dom, *above, depth + 1, left)?)
        ),
        ("mover", [base, above]) => {
            // An accent over its base; any other sign becomes a superscript.
            let accent = match shown_text(dom, *above).trim() {
                "¯" | "‾" | "―" => Some("\\overline"),
                "^" | "ˆ" => Some("\\hat"),
                "~" | "˜" => Some("\\tilde"),
                "→" | "⃗" => Some("\\vec"),
                "˙" | "." => Some("\\dot"),
                _ => None,
            };
            let inner = element(dom, *base, depth + 1, left)?;
            match accent {
                Some(accent) => format!("{accent}{}", braced(&inner)),
                None => format!(
                    "{}^{}",
                    based_on(&inner),
                    braced(&element(dom, *above, depth + 1, left)?)
                ),
            }
        }
        ("msubsup" | "munderover", [base, below, above]) => format!(
            // With limits above and below, a sum reads like a base with subscript and superscript.
            "{}_{}^{}",
            based(dom, *base, depth, left)?,
            braced(&element(dom, *below, depth + 1, left)?),
            braced(&element(dom, *above, depth + 1, left)?)
        ),
        ("mfenced", inner) => {
            // Missing attributes mean parentheses, as in MathML.
            let sign = |name: &str, default: &str| {
                dom.attr(id, name)
                    .map_or_else(|| default.to_owned(), |sign| escaped(&sign))
            };
            let (open, close) = (sign("open", "("), sign("close", ")"));
            let inner: Option<Vec<String>> = inner
                .iter()
                .map(|part| element(dom, *part, depth + 1, left))
                .collect();
            format!("{open}{}{close}", inner?.join(","))
        }
        ("mtable", rows) => {
            // Rows of a `matrix` end in `\\`, cells in `&`.
            let mut lines = Vec::new();
            for line in rows {
                let cells: Option<Vec<String>> = parts(dom, *line)
                    .into_iter()
                    .map(|cell| row(dom, cell, depth + 1, left))
                    .collect();
                lines.push(cells?.join(" & "));
            }
            format!("\\begin{{matrix}}{}\\end{{matrix}}", lines.join(" \\\\ "))
        }
        ("math" | "mrow" | "mstyle" | "merror" | "mpadded" | "menclose" | "semantics" | "mtd", _) => {
            row(dom, id, depth, left)?
        }
        // Not drawn, or an empty place.
        ("annotation" | "annotation-xml" | "mphantom" | "none" | "mprescripts", _) => String::new(),
        _ => return None,
    })
}

/// Base of a subscript or superscript, in braces unless it is a single symbol.
fn based(dom: &Dom<'_>, id: NodeId, depth: usize, left: &mut usize) -> Option<String> {
    element(dom, id, depth + 1, left).map(|tex| based_on(&tex))
}

/// Encloses a base in braces unless it is a single symbol or command: `x`, `\alpha`.
fn based_on(tex: &str) -> String {
    let tex = tex.trim();
    if tex.chars().count() <= 1 || tex.starts_with('\\') && tex[1..].chars().all(|c| c.is_ascii_alphabetic())
    {
        tex.to_owned()
    } else {
        braced(tex)
    }
}

fn braced(tex: &str) -> String {
    format!("{{{}}}", tex.trim())
}

/// Names of functions that have TeX commands.
const FUNCTIONS: &[&str] = &[
    "arccos", "arcsin", "arctan", "cos", "cosh", "cot", "det", "dim", "exp", "gcd", "inf", "ker", "lim",
    "ln", "log", "max", "min", "sin", "sinh", "sup", "tan", "tanh",
];

/// TeX command for an operator; other characters are returned as they are.
fn operator(sign: &str) -> String {
    let command = match sign {
        "∑" => "\\sum ",
        "∏" => "\\prod ",
        "∫" => "\\int ",
        "≤" => "\\le ",
        "≥" => "\\ge ",
        "≠" => "\\ne ",
        "×" => "\\times ",
        "⋅" | "·" => "\\cdot ",
        "±" => "\\pm ",
        "→" => "\\to ",
        "∞" => "\\infty ",
        "∈" => "\\in ",
        "−" => "-",
        other => return other.to_owned(),
    };
    command.to_owned()
}

/// Escapes text so that TeX prints its characters literally.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\backslash "),
            '{' | '}' | '$' | '%' | '&' | '#' | '_' => {
                out.push('\\');
                out.push(c);
            }
            '\0' => out.push('\u{FFFD}'),
            c => out.push(c),
        }
    }
    out
}
