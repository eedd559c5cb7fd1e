//! Growth: work and memory are linear in the bytes of any page, also of the worst.
//!
//! Each shape is parsed at four sizes and its time fitted to `n^k`. Nodes are counted exactly; time is measured, so that
//! its bound leaves room for a busy machine: a quadratic shape fits 2, not 1.3.

use std::time::{Duration, Instant};

use super::super::{ParseOptions, parse};
use crate::dom::Dom;
use crate::limits::{Deadline, Limits};

type Shape = (&'static str, fn(usize) -> String);

fn repeat(part: &str, bytes: usize) -> String {
    part.repeat(bytes / part.len() + 1)
}

/// Parts that tell their number.
fn numbered(bytes: usize, part: impl Fn(usize) -> String) -> String {
    let mut out = String::new();
    let mut i = 0;
    while out.len() < bytes {
        out.push_str(&part(i));
        i += 1;
    }
    out
}

#[rustfmt::skip]
const SHAPES: &[Shape] = &[
    // What html5ever is quadratic in.
    ("nested div", |n| repeat("<div>", n)),
    ("nested div, closed", |n| repeat("<div>", n * 5 / 11) + &repeat("</div>", n * 6 / 11)),
    ("nested lists", |n| repeat("<ul><li>", n)),
    ("a around div", |n| repeat("<a><div>", n)),
    ("nobr", |n| repeat("<nobr>", n)),
    ("b around div, closed", |n| repeat("<b><div></b>", n)),
    ("font of many colors", |n| numbered(n, |i| format!("<font color={i}><p>x"))),
    ("one tag of many attributes", |n| format!("<p {}>", numbered(n, |i| format!("a{i} ")))),
    // Formatting elements.
    ("64 fonts, then paragraphs", |n| numbered(n, |i| if i < 64 { format!("<font color={i}>") } else { "<p>x".into() })),
    ("unclosed b in paragraphs", |n| repeat("<p><b></p>", n)),
    ("a, 500 div, many ends", |n| repeat(&["<a>", &"<div>".repeat(500), &"</a>".repeat(64), &"</div>".repeat(500)].concat(), n)),
    ("adoption of four", |n| repeat("<b><i><u><s><p></b></i></u></s>", n)),
    ("adoption, text between", |n| repeat("<b><div>x</b>y", n)),
    ("adoption below five", |n| numbered(n, |i| format!("<b class={i}><i><u><em><s><div></b>"))),
    ("b of rotated attributes", |n| numbered(n, |j| format!("<b {}>", numbered(120, |i| format!("a{} ", (i + j) % 33))))),
    ("b of 40 attributes", |n| repeat(&format!("<b {}>", numbered(160, |i| format!("a{i} "))), n)),
    // Attributes.
    ("the same attribute", |n| format!("<p {}>", repeat("a ", n))),
    ("1,000 attributes each", |n| repeat(&format!("<p {}>", numbered(4900, |i| format!("a{i} "))), n)),
    ("html, an attribute each", |n| numbered(n, |i| format!("<html a{i}>"))),
    ("html, known attributes", |n| format!("<html {}>", numbered(4900, |i| format!("a{i} "))) + &repeat("<html a999>", n)),
    ("body, an attribute each", |n| numbered(n, |i| format!("<body a{i}><p x>"))),
    ("unclosed quotes", |n| repeat("<a b='", n)),
    // Scopes under a deep stack.
    ("p under 480 spans", |n| "<p><object>".to_owned() + &"<span>".repeat(480) + &repeat("<hr>", n)),
    ("li under 480 divs", |n| "<li><ul>".to_owned() + &"<div>".repeat(480) + &repeat("<li></li>", n)),
    ("end tags under 490 elements", |n| "<y><div>".to_owned() + &"<x>".repeat(490) + &repeat("</y>", n)),
    ("end tags under 500 g", |n| "<svg>".to_owned() + &"<g>".repeat(500) + &repeat("</x>", n)),
    ("deep, then siblings", |n| "<div>".repeat(600) + &repeat("<p>x</p><b>y</b>", n)),
    ("deep, leaves of all kinds", |n| "<div>".repeat(600) + &repeat("<table><tr><td>x</table><form></form><svg><g></svg>", n)),
    ("deep, never closed", |n| "<div>".repeat(600) + &repeat("<i><table><a></i>", n)),
    // Tokens that do not end.
    ("less-than", |n| repeat("<", n)),
    ("less-than soup", |n| repeat("<a <b ", n)),
    ("unclosed comments", |n| repeat("<!--", n)),
    ("comment of dashes", |n| "<!--".to_owned() + &repeat("-", n)),
    ("comment of ends", |n| "<!--".to_owned() + &repeat("->", n)),
    ("unclosed titles", |n| repeat("<title>", n)),
    ("nearly ended title", |n| "<title>".to_owned() + &repeat("</titl", n)),
    ("script escapes", |n| repeat("<script><!--<script>", n)),
    ("script escapes, closed", |n| "<script>".to_owned() + &repeat("<!---->", n)),
    ("scripts in a script", |n| "<script><!--".to_owned() + &repeat("<script></script>", n)),
    ("empty end tags", |n| repeat("</>", n)),
    ("empty end tags in a table", |n| "<table>".to_owned() + &repeat("</> ", n)),
    ("one long name", |n| format!("<{}>", "a".repeat(n))),
    ("digits", |n| "&#".to_owned() + &repeat("1", n)),
    // Tables, templates, foreign content, controls.
    ("tables", |n| repeat("<table>", n)),
    ("nested cells", |n| repeat("<table><td>", n)),
    ("cells", |n| "<table>".to_owned() + &repeat("<td>", n)),
    ("text in rows", |n| "<table>".to_owned() + &repeat("x<tr>", n)),
    ("bold text in rows", |n| "<table>".to_owned() + &repeat("<b>x<tr>", n)),
    ("links in rows", |n| "<table>".to_owned() + &repeat("<a>x</a><tr><td>y", n)),
    ("templates", |n| repeat("<template>", n)),
    ("templates that leave markers", |n| repeat("<template><td></template>", n)),
    ("templates of fonts", |n| numbered(n, |i| format!("<template><font a={i}><td><b></template>"))),
    ("selects", |n| repeat("<select>", n)),
    ("options", |n| "<select>".to_owned() + &repeat("<option>", n)),
    ("options around div", |n| "<select>".to_owned() + &repeat("<option><div>", n)),
    ("svg", |n| repeat("<svg>", n)),
    ("g", |n| "<svg>".to_owned() + &repeat("<g>", n)),
    ("svg around p", |n| repeat("<svg><p>", n)),
    ("svg desc", |n| repeat("<svg><desc>", n)),
    ("math", |n| repeat("<math><mi>", n)),
    ("gradients", |n| "<svg>".to_owned() + &repeat("<linearGradient/>", n)),
    ("cdata", |n| "<svg>".to_owned() + &repeat("<![CDATA[x]]>", n)),
    ("forms that stay open", |n| repeat("<form><div></form>", n)),
    ("buttons", |n| repeat("<button><p>", n)),
    ("objects", |n| repeat("<object><b></object>", n)),
    ("ruby", |n| repeat("<ruby><rt>", n)),
    ("framesets", |n| repeat("<frameset>", n)),
    // Names and characters.
    ("names", |n| numbered(n, |i| format!("<x{i}>"))),
    ("names, closed", |n| numbered(n, |i| format!("<x-{i}></x-{i}>"))),
    ("one custom element", |n| repeat("<x-very-long-custom-element></x-very-long-custom-element>", n)),
    ("NUL", |n| repeat("\0x", n)),
    ("NUL between tags", |n| repeat("\0<b>", n)),
    ("NUL in a table", |n| "<table>".to_owned() + &repeat("\0 </>", n)),
    ("references", |n| repeat("&nbsp;<br>", n)),
    ("headings", |n| repeat("<h1>", n)),
    ("plain page", |n| repeat("<p class='a b' id=x>text &amp; <a href='/x?y'>more</a></p>\r\n", n)),
];

fn parsed(source: &str) -> Dom<'_> {
    let options = ParseOptions {
        scripting: true,
        limits: Limits::default(),
    };
    let deadline = Deadline::start(&options.limits.with_time(Duration::from_secs(600)), source.len());
    parse(source, &options, &deadline).0
}

/// One document, its nodes, and the least time that parsing it took so far.
struct Sample {
    source: String,
    nodes: usize,
    time: f64,
}

impl Sample {
    fn run(&mut self) {
        let start = Instant::now();
        self.nodes = parsed(&self.source).len();
        self.time = self.time.min(start.elapsed().as_secs_f64());
    }
}

/// Slope of the line through logarithms, by least squares.
fn exponent(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let (x, y) = points
        .iter()
        .fold((0.0, 0.0), |sum, p| (sum.0 + p.0.ln() / n, sum.1 + p.1.ln() / n));
    let up: f64 = points.iter().map(|p| (p.0.ln() - x) * (p.1.ln() - y)).sum();
    up / points.iter().map(|p| (p.0.ln() - x).powi(2)).sum::<f64>()
}

#[test]
fn every_shape_is_linear() {
    const SMALLEST: usize = 24_000;
    for (name, shape) in SHAPES {
        let sizes = (0..4).map(|i| SMALLEST << i);
        let mut samples: Vec<Sample> = sizes
            .map(|n| Sample {
                source: shape(n),
                nodes: 0,
                time: f64::INFINITY,
            })
            .collect();
        // Other work on the machine only adds time: the least of more and more runs comes near the true cost.
        let mut fitted = f64::INFINITY;
        for _ in 0..60 {
            samples.iter_mut().for_each(Sample::run);
            let times: Vec<_> = samples.iter().map(|s| (s.source.len() as f64, s.time)).collect();
            fitted = exponent(&times);
            if fitted <= 1.15 {
                break;
            }
        }
        assert!(fitted <= 1.3, "{name}: time grows with n^{fitted:.2}");
        // Below a thousand nodes the limits' own numbers show.
        let nodes: Vec<_> = samples
            .iter()
            .map(|s| (s.source.len() as f64, s.nodes.max(1000) as f64))
            .collect();
        assert!(
            exponent(&nodes) <= 1.1,
            "{name}: nodes grow with n^{:.2}",
            exponent(&nodes)
        );
    }
}

#[test]
fn no_shape_takes_much_memory() {
    for (name, shape) in SHAPES {
        let source = shape(1_000_000);
        let dom = parsed(&source);
        let bytes =
            size_of_val(dom.tree.nodes.as_slice()) + size_of_val(dom.attrs.as_slice()) + dom.side.len();
        // While a vector grows, it is there twice, and the new one is up to twice as large.
        assert!(
            3 * bytes < 100 * source.len(),
            "{name}: {} bytes a byte",
            bytes / source.len()
        );
    }
}
