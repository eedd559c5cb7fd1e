//! Random documents: the trees of this parser and of html5ever are the same, comments and doctypes included.
//!
//! Known deviations of html5ever are imitated (`deviations.rs`); nothing else may differ. Documents on
//! which the trees once differed are kept in `fixtures/parser/soup.txt`.
//!
//! Every document of [`numbered_documents_give_the_tree_of_html5ever`] has a number. The test run takes the first few
//! thousand; `DEHUSK_SOUP=0..10000000 cargo test --release -p dehusk-html numbered` takes the given range.

use proptest::prelude::*;
use proptest::sample::select;

use super::super::outline::Outline;
use super::super::reference;
use super::super::whatwg::testing::{self, Setup};
use crate::limits::Limits;
use crate::parser::Parser;
use crate::tree::{Namespace, NodeId};

#[rustfmt::skip]
const TAGS: &[&str] = &[
    "a", "b", "i", "u", "s", "p", "div", "span", "font", "nobr", "em", "strong", "code", "big", "small", "tt", "li", "ul",
    "ol", "dl", "dd", "dt", "h1", "h2", "h6", "table", "tbody", "thead", "tfoot", "tr", "td", "th", "caption", "col",
    "colgroup", "form", "button", "input", "select", "option", "optgroup", "textarea", "title", "script", "style", "head",
    "body", "html", "frameset", "frame", "noframes", "noscript", "iframe", "xmp", "noembed", "plaintext", "template", "svg",
    "math", "mi", "mo", "mtext", "mglyph", "malignmark", "annotation-xml", "foreignObject", "desc", "circle", "path",
    "image", "img", "br", "hr", "pre", "listing", "object", "applet", "marquee", "address", "center", "article", "section",
    "main", "nav", "details", "summary", "dialog", "menu", "search", "fieldset", "figure", "ruby", "rb", "rt", "rtc", "rp",
    "param", "source", "track", "area", "embed", "wbr", "keygen", "base", "link", "meta", "basefont", "bgsound", "x-y",
    "foo", "isindex", "label", "video", "slot", "selectedcontent", "linearGradient", "strike", "header", "blockquote", "dir",
];

#[rustfmt::skip]
const TEXTS: &[&str] = &[
    "x", " ", "\n", "\r\n", "\r", "&amp;", "&nbsp;", "&#32;", "&#10;", "&#10", "&notit;", "&lt", "<", "</", "</>", "&",
    "text ", "\t", "\u{c}", "é", "<!---->", "<!--x-->", "<!doctype html>",
    "<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 4.01//EN\">", "<![CDATA[x]]>", "<![CDATA[ ]]>", "<?pi?>", "<!x>", "\0", "]]>",
    "--", "-->", "<!--", "<!", "<?", "&Tab;", "&NewLine;",
];

#[rustfmt::skip]
const ATTRIBUTES: &[&str] = &[
    " a", " a=b", " color=red", " face", " size='1'", " type=hidden", " type=HIDDEN", " encoding=text/html",
    " encoding='application/xhtml+xml'", " CLASS=\"x\"", " href='&amp;'", " x=1 x=2", " definitionurl", " viewbox=1",
    " xlink:href=z", " xmlns=q", " y=&copy=", " z=a\r\nb", "/", "\n", " xml:lang=e", " a='", " selected",
];

#[rustfmt::skip]
const BITS: &[&str] = &[
    "<", "<", "<", ">", ">", "/", "!", "-", "--", "?", "&", "#", "x", ";", "=", "'", "\"", " ", "\n", "\r", "\0", "a", "b",
    "p", "A", "1", "[", "]", "CDATA[", "]]>", "doctype", "public", "system", "html", "script", "</script", "<script",
    "<!--", "-->", "--!>", "</title", "textarea", "style", "svg", "é", "&am", "amp", "nbsp", "lt", "not", "in", "<svg>",
    "<table>", "<pre>", "<title>", "<textarea>", "<script>", "\u{fffd}",
];

#[rustfmt::skip]
const CONTEXTS: &[(Namespace, &str)] = &[
    (Namespace::Html, "div"), (Namespace::Html, "table"), (Namespace::Html, "tbody"), (Namespace::Html, "tr"),
    (Namespace::Html, "td"), (Namespace::Html, "select"), (Namespace::Html, "template"), (Namespace::Html, "html"),
    (Namespace::Html, "head"), (Namespace::Html, "frameset"), (Namespace::Html, "caption"), (Namespace::Html, "colgroup"),
    (Namespace::Html, "form"), (Namespace::Html, "noscript"), (Namespace::Html, "textarea"), (Namespace::Html, "script"),
    (Namespace::Svg, "svg"), (Namespace::Svg, "desc"), (Namespace::MathMl, "math"), (Namespace::MathMl, "mi"),
    (Namespace::MathMl, "annotation-xml"),
];

/// The first difference between the two trees.
fn difference(source: &str, scripting: bool, context: Option<(Namespace, &'static str)>) -> Option<String> {
    let setup = Setup {
        scripting,
        comments: true,
        as_html5ever: true,
        context,
    };
    let ours = testing::parse(source, &setup).outline(context.is_some(), Outline::default());
    ours.difference(&reference::outline(source, &setup, Outline::default()))
}

fn tag() -> impl Strategy<Value = String> {
    let attributes = prop::collection::vec(select(ATTRIBUTES), 0..3).prop_map(|list| list.concat());
    prop_oneof![
        5 => (select(TAGS), attributes).prop_map(|(tag, attributes)| format!("<{tag}{attributes}>")),
        3 => select(TAGS).prop_map(|tag| format!("</{tag}>")),
        2 => select(TEXTS).prop_map(str::to_owned),
    ]
}

/// Tags with few distinct names, so that they interact.
fn soup() -> impl Strategy<Value = String> {
    (
        prop::collection::vec(tag(), 2..12),
        prop::collection::vec((any::<prop::sample::Index>(), 0..3), 3..40),
    )
        .prop_map(|(palette, picks)| {
            let pick = |(index, _): &(prop::sample::Index, i32)| index.get(&palette).clone();
            picks.iter().map(pick).collect()
        })
}

fn context() -> impl Strategy<Value = Option<(Namespace, &'static str)>> {
    prop::option::weighted(0.25, select(CONTEXTS))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn soup_gives_the_tree_of_html5ever(source in soup(), scripting: bool, context in context()) {
        prop_assert_eq!(difference(&source, scripting, context), None);
    }

    #[test]
    fn bits_of_markup_give_the_tree_of_html5ever(
        bits in prop::collection::vec(select(BITS), 1..40),
        context in context(),
    ) {
        prop_assert_eq!(difference(&bits.concat(), true, context), None);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Trees whose nodes are in document order are read by index; their links show whether that was correct.
    #[test]
    fn nodes_are_read_in_the_order_of_the_document(
        source in soup(),
        scripting: bool,
        deep in 0_usize..40,
        context in context(),
    ) {
        let limits = Limits { depth: 16, ..Limits::default() };
        let mut parser = Parser::default().with_scripting(scripting).with_limits(limits);
        if let Some((namespace, name)) = context {
            parser = parser.with_context(namespace, name);
        }
        let source = "<div>".repeat(deep) + &source;
        let (dom, _) = parser.parse(&source);
        let read: Vec<NodeId> = dom.preorder(NodeId::DOCUMENT).collect();
        let linked: Vec<NodeId> = std::iter::successors(Some(NodeId::DOCUMENT), |id| {
            dom.tree().after(NodeId::DOCUMENT, *id)
        })
        .collect();
        prop_assert_eq!(read, linked);
    }
}

#[test]
fn plain_pages_lie_in_document_order() {
    let page = "<!doctype html><html><head><title>A</title></head><body><ul><li>b<li>c</ul><p>d<p>e<table><tr><td>f</table>";
    assert!(!Parser::default().parse(page).0.tree().reordered);
    for moved in ["<table>x", "<b><p>x</b>", "<template>x", "<head></head> <meta>"] {
        assert!(Parser::default().parse(moved).0.tree().reordered, "{moved}");
    }
}

/// Seeded random number generator (SplitMix64, Steele and others 2014).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

/// The document with this number, split into parts, whether scripting is on, and its context.
fn document(number: u64) -> (Vec<String>, bool, Option<(Namespace, &'static str)>) {
    let mut numbers = Numbers(number.wrapping_mul(0xD1B5_4A32_D192_ED03));
    let scripting = numbers.below(2) == 0;
    let context = (numbers.below(4) == 0).then(|| numbers.pick(CONTEXTS));
    let length = 3 + numbers.below(40);
    let bits = numbers.below(5) == 0;
    // Few distinct tag names, so that the tags interact.
    let palette: Vec<&str> = (0..2 + numbers.below(9)).map(|_| numbers.pick(TAGS)).collect();
    let part = |numbers: &mut Numbers| match numbers.below(10) {
        _ if bits => numbers.pick(BITS).to_owned(),
        0..5 => {
            let mut tag = format!("<{}", numbers.pick(&palette));
            (0..numbers.below(8).saturating_sub(5)).for_each(|_| tag.push_str(numbers.pick(ATTRIBUTES)));
            tag + ">"
        }
        5..8 => format!("</{}>", numbers.pick(&palette)),
        _ => numbers.pick(TEXTS).to_owned(),
    };
    let parts = (0..length).map(|_| part(&mut numbers)).collect();
    (parts, scripting, context)
}

/// A minimal list of parts whose document still differs, found by removing single parts.
fn shrunk(parts: Vec<String>, differs: impl Fn(&str) -> bool) -> String {
    let mut parts = parts;
    let mut at = 0;
    while at < parts.len() {
        let mut fewer = parts.clone();
        fewer.remove(at);
        if differs(&fewer.concat()) {
            parts = fewer;
            at = 0;
        } else {
            at += 1;
        }
    }
    parts.concat()
}

#[test]
fn numbered_documents_give_the_tree_of_html5ever() {
    let range = std::env::var("DEHUSK_SOUP").unwrap_or_else(|_| "0..5000".to_owned());
    let (first, end) = range.split_once("..").unwrap();
    let range: std::ops::Range<u64> = first.parse().unwrap()..end.parse().unwrap();
    let start = std::time::Instant::now();
    let mut findings = Vec::new();
    for number in range.clone() {
        let (parts, scripting, context) = document(number);
        if difference(&parts.concat(), scripting, context).is_none() {
            continue;
        }
        let source = shrunk(parts, |source| difference(source, scripting, context).is_some());
        let what = difference(&source, scripting, context);
        eprintln!("document {number}, scripting {scripting}, in {context:?}: {source:?}: {what:?}");
        findings.push(number);
        assert!(findings.len() < 50, "too many findings: {findings:?}");
    }
    let (count, seconds) = (range.end - range.start, start.elapsed().as_secs_f64());
    eprintln!(
        "{count} documents in {seconds:.0} s, {:.0} a second",
        count as f64 / seconds
    );
    assert!(findings.is_empty(), "documents that differ: {findings:?}");
}

#[test]
fn documents_that_once_differed_do_not_any_more() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/parser/soup.txt");
    let text = std::fs::read_to_string(&path).unwrap();
    let mut count = 0;
    for line in text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        let source: String = serde_json::from_str(line).unwrap();
        for scripting in [true, false] {
            for context in CONTEXTS.iter().copied().map(Some).chain([None]) {
                assert_eq!(
                    difference(&source, scripting, context),
                    None,
                    "{line} in {context:?}"
                );
            }
        }
        count += 1;
    }
    assert!(count > 20);
}

#[test]
fn the_list_of_deviations_is_needed_and_complete() {
    // For each entry of `deviations.rs`, a document whose trees differ unless the deviation is imitated.
    let cases = [
        (None, "<b><search></b>x"),
        (None, "<b><isindex></b>x"),
        (None, "<dt><svg><foreignObject><dt>"),
        (None, "<p><math><annotation-xml encoding=text/html><p>"),
        (None, "<math><annotation-xml encoding=text/html><math><mglyph><p>"),
        (None, "<template><thead><thead>"),
        (Some((Namespace::Html, "select")), "<input>"),
        (None, "<template><th></th><code><th><caption>\t"),
        (None, "<pre>&#10"),
        (None, "<pre></>\n"),
        (None, "<table> <!doctype html>x"),
    ];
    for (context, source) in cases {
        let setup = Setup {
            scripting: true,
            comments: true,
            as_html5ever: false,
            context,
        };
        let ours = testing::parse(source, &setup).outline(context.is_some(), Outline::default());
        let theirs = reference::outline(source, &setup, Outline::default());
        assert!(ours.difference(&theirs).is_some(), "{source}");
        assert_eq!(difference(source, true, context), None, "{source}");
    }
}
