//! Unclosed elements and comments that would contain the rest of the page.

use proptest::prelude::*;

use crate::parser::growth;
use crate::parser::shapes::{numbered, repeat};
use crate::tree::{Dom, NodeId, Tag};
use crate::warning::WarningKind;
use crate::{Parser, Warning};

fn repaired(source: &str) -> (Dom<'_>, Vec<Warning>) {
    Parser::default().with_repairs(true).parse(source)
}

/// Text of a page without that of its head, scripts and similar elements.
fn shown(dom: &Dom<'_>) -> String {
    let texts = dom.preorder(NodeId::DOCUMENT).filter(|&id| dom.is_text(id));
    let is_raw = |tag| {
        matches!(
            tag,
            Tag::TITLE | Tag::SCRIPT | Tag::STYLE | Tag::TEXTAREA | Tag::IFRAME
        )
    };
    let texts = texts.filter(|&id| {
        !dom.parent(id)
            .and_then(|parent| dom.html_tag(parent))
            .is_some_and(is_raw)
    });
    texts.map(|id| dom.text(id).into_owned()).collect()
}

#[test]
fn what_has_no_end_ends_at_the_first_tag_in_it() {
    let rest = "<p>The lock was closed.</p><p>It leaked.";
    let text = "The lock was closed.It leaked.";
    for (before, what) in [
        ("<title>Locks", "title"),
        ("<title>Locks\nThe head of the page", "title"),
        ("<form><textarea>a draft\nof two lines", "textarea"),
        ("<style>p { color: red }", "style"),
        ("<script src=a>", "script"),
        ("<script>if (a < b) { c('<b>x</b>') }\n  ", "script"),
        ("<iframe src=x>", "iframe"),
        ("<!-- the head ->", "<!--"),
        ("<!-- the head -", "<!--"),
        ("<noscript>", "noscript"),
    ] {
        let source = format!("{before}{rest}");
        let (dom, warnings) = repaired(&source);
        let kept = shown(&dom).replace("The head of the page", "").replace("\n", "");
        assert_eq!(kept, text, "{source}");
        assert_eq!(warnings.len(), 1, "{source}: {warnings:?}");
        assert_eq!(warnings[0].kind, WarningKind::Unclosed);
        assert!(warnings[0].message.contains(&format!("`{what}`")), "{warnings:?}");
        // By the standard, the element contains the rest of the page.
        let (dom, warnings) = Parser::default().parse(&source);
        assert_eq!(
            (shown(&dom).contains("leaked"), warnings.len()),
            (what == "noscript", 0),
            "{source}"
        );
    }
    let (dom, _) = repaired("<title>Locks\nThe head<p>x");
    let title = dom.find(NodeId::DOCUMENT, Tag::TITLE).expect("a title");
    assert_eq!(dom.text_content(title), "Locks");
}

#[test]
fn a_comment_in_a_script_does_not_hide_the_end_of_the_script() {
    let (dom, warnings) = repaired("<script><!-- <script> x</script><p>The lock was closed.");
    assert_eq!(shown(&dom), "The lock was closed.");
    assert_eq!(warnings.len(), 1);
}

#[test]
fn what_holds_no_markup_or_has_an_end_stays_as_it_is() {
    for source in [
        "<p>a</p><script>if (a < b && c > d) { e() }",
        "<p>a</p><script>var page = '<p>x</p><p>y</p>'",
        "<p>a</p><title>one\ntwo",
        "<p>a</p><!-- one > two",
        "<p>a</p><textarea><b>x</b></textarea>",
        "<p>a</p><!-- <b>x</b> -->",
    ] {
        let (dom, warnings) = repaired(source);
        assert_eq!((shown(&dom).as_str(), warnings.len()), ("a", 0), "{source}");
    }
}

#[test]
fn repairs_are_linear() {
    for part in [
        "<!--<b>x",
        "<title><b>x",
        "<script>\n<b>x",
        "<textarea><i>",
        "<style>\n<b",
    ] {
        let grown = growth::measure(
            |n| repeat(part, n),
            50_000,
            1.3,
            |source| repaired(source).0.len(),
        );
        assert!(grown.exponent < 1.5, "{part}: {}", grown.exponent);
    }
    let many = numbered(20_000, |i| format!("<title>{i}<p>x"));
    let (_, warnings) = repaired(&many);
    assert!(warnings[0].message.contains("32 such"), "{warnings:?}");
}

proptest! {
    #[test]
    fn pages_whose_elements_end_are_parsed_as_by_the_standard(parts in proptest::collection::vec(
        prop::sample::select(vec!["<title>", "</title>", "<!--", "-->", "<p>", "x", "\n", "<script>", "</script>", "<b>", "<textarea>", "</textarea>"]), 0..20,
    )) {
        let source = parts.concat() + "--></title></textarea></script>";
        let (got, warnings) = repaired(&source);
        let (wanted, _) = Parser::default().parse(&source);
        if warnings.is_empty() {
            prop_assert_eq!(got.len(), wanted.len());
            prop_assert_eq!(got.text_content(NodeId::DOCUMENT), wanted.text_content(NodeId::DOCUMENT));
        }
    }

    #[test]
    fn no_text_is_lost_to_the_end_of_the_file(open in prop::sample::select(vec!["title", "textarea", "style", "iframe", "xmp"]), inside in "[a-z \n]{0,20}") {
        let source = format!("<{open}>{inside}<p>The lock.");
        let (dom, _) = repaired(&source);
        prop_assert!(dom.find(NodeId::DOCUMENT, Tag::P).is_some());
    }
}
