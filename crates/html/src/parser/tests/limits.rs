//! The effect of each limit on a page, and its warning.

use std::time::Duration;

use crate::budget::Budget;
use crate::limits::Limits;
use crate::parser::{Parser, ParserKind};
use crate::tree::{Dom, Namespace, NodeId, Tag};
use crate::warning::{Warning, WarningKind};

fn parsed(source: &str, limits: Limits) -> (Dom<'_>, Vec<Warning>) {
    let budget = Budget::start(&limits, source.len());
    Parser::default().with_limits(limits).parse_until(source, &budget)
}

fn kinds(warnings: &[Warning]) -> Vec<WarningKind> {
    warnings.iter().map(|w| w.kind).collect()
}

fn depth(dom: &Dom<'_>) -> usize {
    // An explicit walk: ancestors of each node would be quadratic.
    let mut deepest = 0;
    let mut depths = vec![0_usize; dom.len()];
    for id in dom.preorder(NodeId::DOCUMENT) {
        let own = dom.parent(id).map_or(0, |p| depths[p.index()] + 1);
        depths[id.index()] = own;
        deepest = deepest.max(own);
    }
    deepest
}

#[test]
fn a_plain_page_hits_none() {
    let (dom, warnings) = parsed("<title>x</title><p class=a>b<b>c", Limits::default());
    assert_eq!(warnings, []);
    assert_eq!(dom.text_content(NodeId::DOCUMENT), "xbc");
}

#[test]
fn deep_elements_become_siblings() {
    let source = "<div>".repeat(100_000) + "<p>one<p>two" + &"</div>".repeat(100_000) + "<p>three";
    let (dom, warnings) = parsed(&source, Limits::default());
    assert_eq!(kinds(&warnings), [WarningKind::DepthLimit]);
    assert!(depth(&dom) <= 514, "{}", depth(&dom));
    assert_eq!(dom.text_content(NodeId::DOCUMENT), "onetwothree");
    // Text keeps its element, and the end tags of flattened elements close nothing else.
    let paragraphs: Vec<NodeId> = dom
        .preorder(NodeId::DOCUMENT)
        .filter(|&n| dom.html_tag(n) == Some(Tag::P))
        .collect();
    let texts: Vec<String> = paragraphs.iter().map(|&p| dom.text_content(p)).collect();
    assert_eq!(texts, ["one", "two", "three"]);
    assert_eq!(
        dom.parent(paragraphs[2])
            .map(|p| dom.name(p).to_owned())
            .as_deref(),
        Some("body")
    );
}

#[test]
fn all_kinds_of_elements_survive_the_depth_limit() {
    let inner = "<p>a<table><tr><td>b</table><form><input></form><svg><g>c</g></svg><select><option>d</select>\
        <ul><li>e<li>f</ul><b>g</b><template>h</template><script>i</script><object>j</object><math><mi>k</math>\
        <button>l</button><h1>m</h1><textarea>n</textarea></body><noframes>o</noframes>p";
    for outer in [
        "<div>",
        "<b>",
        "<table><td>",
        "<svg><desc>",
        "<object>",
        "<ul><li>",
        "<template>",
        "<math><mi>",
    ] {
        let source = outer.repeat(700) + inner + inner;
        let (dom, warnings) = parsed(&source, Limits::default());
        assert!(kinds(&warnings).contains(&WarningKind::DepthLimit), "{outer}");
        assert!(depth(&dom) < 2100, "{outer}: {}", depth(&dom));
    }
}

#[test]
fn unclosed_formatting_elements_are_bounded() {
    let source: String = (0..10_000).map(|i| format!("<font color={i}><p>x")).collect();
    let (dom, warnings) = parsed(&source, Limits::default());
    assert_eq!(
        kinds(&warnings),
        [WarningKind::FormattingLimit, WarningKind::ReopenedLimit]
    );
    assert!(dom.len() < source.len(), "{}", dom.len());
    assert_eq!(dom.text_content(NodeId::DOCUMENT).len(), 10_000);
}

#[test]
fn attributes_of_reopened_elements_are_bounded() {
    let source = format!("<p><b style='{}'>x", "y;".repeat(10_000)) + &"<p>x".repeat(5_000);
    let (dom, warnings) = parsed(&source, Limits::default());
    assert_eq!(kinds(&warnings), [WarningKind::ReopenedLimit]);
    let styles: Vec<usize> = dom
        .preorder(NodeId::DOCUMENT)
        .filter_map(|id| dom.attr(id, "style").map(|style| style.len()))
        .collect();
    assert!(
        styles.len() > 1 && styles.iter().sum::<usize>() < 5 * source.len() + (64 << 10),
        "{} copies",
        styles.len()
    );
    assert_eq!(dom.text_content(NodeId::DOCUMENT).len(), 5_001);
}

#[test]
fn past_the_limit_of_nodes_text_is_kept() {
    let source =
        "<p>a&amp;<b>b</b><script>no</script><style>no</style>".repeat(1000) + "<title>t</title>&lt;end";
    let (dom, warnings) = parsed(&source, Limits::default().with_nodes(1000));
    assert_eq!(kinds(&warnings), [WarningKind::NodesLimit]);
    assert!(dom.len() <= 1001);
    let text = dom.text_content(NodeId::DOCUMENT).replace("no", "");
    assert_eq!(text, "a&b".repeat(1000) + "<end");
}

#[test]
fn attributes_are_bounded_in_number_and_length() {
    let many: String = (0..5000).map(|i| format!("a{i}={i} ")).collect();
    let long = "é".repeat(50_000);
    let source = format!("<p {many}><p title='{long}' class=x>");
    let (dom, warnings) = parsed(&source, Limits::default());
    assert_eq!(
        kinds(&warnings),
        [WarningKind::AttributesLimit, WarningKind::AttributeBytesLimit]
    );
    let first = dom.find(NodeId::DOCUMENT, Tag::P).unwrap();
    assert_eq!(dom.attributes(first).count(), 1024);
    assert_eq!(dom.attr(first, "a1023").as_deref(), Some("1023"));
    let second = dom.tree.next_sibling(first).unwrap();
    assert_eq!(dom.attr(second, "title").unwrap().len(), 65_536);
    assert_eq!(dom.attr(second, "CLASS").as_deref(), Some("x"));
}

#[test]
fn many_attributes_are_told_apart() {
    let names: String = (0..100).map(|i| format!("a{i}={i} A{i}=no ")).collect();
    let source = format!("<p {names}><html a50=1 b=2><html {names}>");
    let (dom, warnings) = parsed(&source, Limits::default());
    assert_eq!(warnings, []);
    let values = |id| {
        dom.attributes(id)
            .map(|(_, value)| value.into_owned())
            .collect::<Vec<_>>()
    };
    let wanted: Vec<String> = (0..100).map(|i: i32| i.to_string()).collect();
    assert_eq!(values(dom.find(NodeId::DOCUMENT, Tag::P).unwrap()), wanted);
    let html = dom.find(NodeId::DOCUMENT, Tag::HTML).unwrap();
    assert_eq!(dom.attributes(html).count(), 101);
    assert_eq!(dom.attr(html, "a50").as_deref(), Some("1"));
    assert_eq!(dom.attr(html, "a99").as_deref(), Some("99"));
}

#[test]
fn names_past_the_table_share_one_number() {
    let source: String = (0..6000).map(|i| format!("<x{i}>t</x{i}>")).collect();
    let (dom, warnings) = parsed(&source, Limits::default());
    assert_eq!(kinds(&warnings), [WarningKind::NamesLimit]);
    assert_eq!(dom.names.len(), 4096);
    assert_eq!(dom.text_content(NodeId::DOCUMENT).len(), 6000);
}

#[test]
fn time_runs_out_between_tokens() {
    let source = "<p>x".repeat(100_000);
    let (dom, warnings) = parsed(&source, Limits::default().with_time(Duration::ZERO));
    assert_eq!(kinds(&warnings), [WarningKind::Deadline]);
    assert!((1000..20_000).contains(&dom.len()), "{}", dom.len());
}

/// Number of `x` and `y` in the text.
fn letters(dom: &Dom<'_>) -> usize {
    let text = dom.text_content(NodeId::DOCUMENT);
    text.matches(['x', 'y']).count()
}

#[test]
fn every_setting_of_the_limits_keeps_the_text() {
    let source =
        "<html a><body b><p c=d><b><i><table><td>x</b></table><svg><g>y</svg><template><td>z</template>"
            .repeat(50);
    for depth in [0, 16, 17, 20, 512] {
        for nodes in [0, 1, 5, 1000] {
            for small in [0, 1, 64] {
                let limits = Limits {
                    depth,
                    nodes,
                    formatting: small,
                    attributes: small,
                    attribute_bytes: small,
                    ..Limits::default()
                };
                let (dom, _) = parsed(&source, limits);
                assert_eq!(letters(&dom), 50 * 2, "{limits:?}");
            }
        }
    }
    let none = Limits {
        depth: usize::MAX,
        nodes: usize::MAX,
        attributes: usize::MAX,
        ..Limits::default()
    };
    assert_eq!(letters(&parsed(&source, none).0), 50 * 2);
}

#[test]
fn texts_tell_where_they_lie_in_the_source() {
    let source = "<p>one &amp; two<!-- -->three<script>x\r\ny</script>";
    let (dom, _) = parsed(source, Limits::default());
    let texts: Vec<(String, &str)> = dom
        .preorder(NodeId::DOCUMENT)
        .filter(|&n| dom.is_text(n))
        .map(|n| (dom.text(n).into_owned(), &source[dom.source_range(n).unwrap()]))
        .collect();
    let wanted = [
        ("one & two", "one &amp; two"),
        ("three", "three"),
        ("x\ny", "x\r\ny"),
    ];
    assert_eq!(texts, wanted.map(|(text, raw)| (text.to_owned(), raw)));
}

#[test]
fn scripting_and_fragments_are_options_of_both_parsers() {
    let source = "<noscript><b>x</b></noscript>";
    for kind in ParserKind::ALL.iter().copied() {
        let on = Parser::default().with_kind(kind);
        let off = on.clone().with_scripting(false);
        assert_eq!(
            on.parse(source).0.find(NodeId::DOCUMENT, Tag::B),
            None,
            "{kind:?}"
        );
        assert!(
            off.parse(source).0.find(NodeId::DOCUMENT, Tag::B).is_some(),
            "{kind:?}"
        );
        let row = on.with_context(Namespace::Html, "tr");
        let (dom, _) = row.parse("<td>a<td>b");
        let names: Vec<&str> = dom.children(NodeId::DOCUMENT).map(|n| dom.name(n)).collect();
        assert_eq!(names, ["td", "td"], "{kind:?}");
    }
    assert_eq!("whatwg".parse(), Ok(ParserKind::Whatwg));
    assert!(
        "lynx"
            .parse::<ParserKind>()
            .is_err_and(|e| e.to_string().contains("known: whatwg"))
    );
}

#[test]
fn what_is_too_long_for_the_parser_is_cut_and_told() {
    let limits = Limits::default().with_bytes(10);
    let (dom, warnings) = Parser::default().with_limits(limits).parse("<p>абвгдежз");
    assert_eq!(kinds(&warnings), [WarningKind::BytesLimit]);
    assert_eq!(dom.text_content(NodeId::DOCUMENT), "абв");
}
