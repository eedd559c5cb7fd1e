use proptest::prelude::*;

use super::*;
use crate::rules::budget::MAX_STEPS;
use dehusk_html::Parser;

/// Returns the names of the elements that a selector matches after nodes were removed, with their ids.
fn matched(html: &str, remove: &[&str], selector: &str) -> Result<Vec<String>, Stopped> {
    let (dom, _) = Parser::default().parse(html);
    let mut removed = vec![false; dom.len()];
    let mut elements = PageElements::new(&dom, &removed);
    let budget = RuleBudget::new(MAX_STEPS);
    let find = |elements: &PageElements, selector: &str, removed: &[bool]| {
        elements.find(&Css::read(selector).unwrap(), &dom, removed, &budget)
    };
    for remove in remove {
        for id in find(&elements, remove, &removed)? {
            dom.preorder(id).for_each(|below| removed[below.index()] = true);
            elements.remove(&dom, id);
        }
    }
    // Elements removed before the list was built are equivalent to elements unlinked from it.
    let again = find(&PageElements::new(&dom, &removed), selector, &removed);
    let found = find(&elements, selector, &removed);
    assert_eq!(found, again, "{selector}");
    let name = |id: NodeId| match dom.attr(id, "id") {
        Some(value) => format!("{}#{value}", dom.name(id)),
        None => dom.name(id).to_owned(),
    };
    Ok(found?.into_iter().map(name).collect())
}

const PAGE: &str = "<div id=a CLASS='x Y'>t<p id=b>1</p>u<!-- c --><p id=c title='&amp;m'></p><i id=d> </i></div>\
                    <div id=e><p id=f lang=en-US>2<b id=g></b></p><svg id=h viewBox=1><a id=i></a></svg></div>";

#[test]
fn selectors_see_the_tree_of_the_page() {
    for (selector, expected) in [
        ("p", "p#b p#c p#f"),
        ("DIV P", "p#b p#c p#f"),
        ("div > b", ""),
        ("div b", "b#g"),
        ("p + p", "p#c"),
        ("p ~ i", "i#d"),
        ("p:first-child", "p#b p#f"),
        ("p:last-of-type", "p#c p#f"),
        ("div > :nth-child(2)", "p#c svg#h"),
        (":nth-last-child(1):not(body)", "html i#d div#e b#g svg#h a#i"),
        ("p:empty, i:empty, b:empty", "p#c b#g"),
        (":root", "html"),
        ("div:has(> svg)", "div#e"),
        ("div:has(+ div)", "div#a"),
        (":is(b, i):not([id=d])", "b#g"),
        (".x.Y", "div#a"),
        (".y", ""),
        ("#c", "p#c"),
        ("[title='&m']", "p#c"),
        ("[TITLE^='&']", "p#c"),
        ("[lang|=en]", "p#f"),
        ("[class~=x][class*='x Y'][class$=Y]", "div#a"),
        ("[|lang], *|b", "p#f b#g"),
        ("[viewBox]", "svg#h"),
        ("|p", ""),
        ("p, p", "p#b p#c p#f"),
    ] {
        assert_eq!(
            matched(PAGE, &[], selector).unwrap().join(" "),
            expected,
            "{selector}"
        );
    }
}

#[test]
fn what_is_removed_is_nobodys_neighbor() {
    for (remove, selector, expected) in [
        ("#b", "div > :first-child", "p#c p#f"),
        ("#c", "p + i", "i#d"),
        ("#d", "div#a > :last-child", "p#c"),
        ("#b, #c", "i:first-child:last-child", "i#d"),
        ("#a", "div:first-child b", "b#g"),
        ("#f, #g", "div#e > :only-child", "svg#h"),
        ("#i", "svg:empty", "svg#h"),
        ("svg", "div:has(a)", ""),
        ("html", "*", ""),
    ] {
        assert_eq!(
            matched(PAGE, &[remove], selector).unwrap().join(" "),
            expected,
            "{remove}, {selector}"
        );
    }
    assert_eq!(
        matched(PAGE, &["#c", "#b", "#d"], "div > *").unwrap().join(" "),
        "p#f svg#h"
    );
}

#[test]
fn long_attributes_are_paid_for() {
    let classes: String = (0..50_000).map(|i| format!("c{i} ")).collect();
    let html = format!("<div class='{classes}'>{}</div>", "<p>x".repeat(5_000));
    assert_eq!(matched(&html, &[], ".gone p"), Err(Stopped::Steps));
    assert_eq!(matched(&html, &[], ".gone").unwrap().len(), 0);
    let attributes: String = (0..400).map(|i| format!("a{i} ")).collect();
    let html = format!("<div {attributes}>{}</div>", "<p>x".repeat(2_000));
    assert_eq!(matched(&html, &[], "[gone] p").unwrap().len(), 0);
}

#[test]
fn places_in_selectors_are_bytes() {
    let text = "p\né𝄞 > q";
    assert_eq!(byte_of(text, 0, 1), 0);
    assert_eq!(byte_of(text, 1, 1), 2);
    assert_eq!(byte_of(text, 1, 2), 4);
    assert_eq!(byte_of(text, 1, 4), 8);
    assert_eq!(byte_of(text, 9, 9), text.len());
}

/// Generates a page of nested elements, each with an id of its own, and possibly with classes, an attribute and a text.
fn page() -> impl Strategy<Value = String> {
    let name = prop::sample::select(
        &[
            "div", "p", "ul", "li", "b", "SPAN", "section", "table", "td", "br",
        ][..],
    );
    let class = prop::sample::select(&["", "x", "y", "x y", " X "][..]);
    let attribute = prop::sample::select(&["", "lang=en-US", "title='a b'", "data-k=&amp;m", "hidden"][..]);
    let text = prop::sample::select(&["", "t", " ", "<!-- c -->"][..]);
    let element = (name, class, attribute, text, 0_usize..3);
    prop::collection::vec(element, 1..20).prop_map(|elements| {
        let (mut html, mut open) = (String::new(), Vec::new());
        for (i, (name, class, attribute, text, close)) in elements.into_iter().enumerate() {
            html.push_str(&format!("<{name} id=n{i} class='{class}' {attribute}>{text}"));
            open.push(name);
            for _ in 0..close.min(open.len()) {
                let name = open.pop().unwrap_or_default();
                html.push_str(&format!("</{name}>"));
            }
        }
        html
    })
}

/// Generates a selector of one to three compounds, or a list of two.
fn selector() -> impl Strategy<Value = String> {
    let compound = prop::sample::select(
        &[
            "*",
            "div",
            "P",
            "li",
            "b",
            ".x",
            ".x.y",
            ".X",
            "[lang|=en]",
            "[title~=b]",
            "[title^='a ']",
            "[data-k$=m]",
            "[hidden]",
            "[class*=x]",
            ":first-child",
            ":last-child",
            ":only-child",
            ":nth-child(2n+1)",
            ":nth-last-child(2)",
            ":first-of-type",
            ":nth-of-type(2)",
            ":empty",
            ":root",
            "p:not(.x)",
            ":is(div, li).y",
            ":where(.x) ",
            "div:has(> .x)",
            ":has(+ *)",
            "#n3",
        ][..],
    );
    let sign = prop::sample::select(&[" ", " > ", " + ", " ~ ", ", "][..]);
    (compound.clone(), prop::collection::vec((sign, compound), 0..3)).prop_map(|(first, rest)| {
        let rest: String = rest
            .iter()
            .map(|(sign, compound)| format!("{sign}{compound}"))
            .collect();
        format!("{first}{rest}")
    })
}

proptest! {
    /// The crate `scraper` has a tree of its own and the same selector engine.
    #[test]
    fn selectors_find_what_scraper_finds(page in page(), selector in selector()) {
        let theirs = scraper::Html::parse_document(&page);
        let wanted = scraper::Selector::parse(&selector).unwrap();
        let found = theirs.select(&wanted).map(|element| {
            let name = element.value().name();
            element.value().id().map_or_else(|| name.to_owned(), |id| format!("{name}#{id}"))
        });
        // Elements that the parser moved out of a table are in a different order there.
        let mut found: Vec<String> = found.collect();
        let mut ours = matched(&page, &[], &selector).unwrap();
        found.sort_unstable();
        ours.sort_unstable();
        prop_assert_eq!(ours, found, "{}", page);
    }
}
