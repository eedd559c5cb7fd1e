use dehusk_pipeline::extract::{Options, Page, inspect};

use super::*;

/// Links that serve every image.
struct All;

impl Links for All {
    fn sheet(&self, number: usize, _: &Sheet) -> Option<String> {
        Some(format!("/sheet/{number}"))
    }

    fn image(&self, src: &str) -> Option<String> {
        (src != "x").then(|| format!("/beside?at={}", src.len()))
    }

    fn css(&self, css: &str) -> String {
        css.replace("url", "")
    }
}

fn framed(html: &str) -> String {
    inspect(&Page::decoded(html), &Options::default(), |view| {
        write(view, "/style", &All, &[])
    })
}

#[test]
fn nothing_that_acts_is_left() {
    let hostile = r#"<head><base href="http://evil.example/"><meta http-equiv=refresh content="0;url=http://evil.example/">
        <link rel=import href=http://evil.example/i><script>alert(1)</script></head>
        <body onload="alert(2)" background="http://evil.example/b">
        <img src=x onerror="alert(3)" srcset="http://evil.example/s 1x"><svg onload=alert(4)><script>alert(5)</script><foreignObject><p>svg</p></foreignObject></svg>
        <iframe srcdoc="<script>alert(6)</script>"></iframe><object data="http://evil.example/o"></object>
        <form action="http://evil.example/f"><input name=getAttribute formaction=http://evil.example/g><button name=x>Go</button></form>
        <a href="javascript:alert(7)" target=_top ping=http://evil.example/p>link</a>
        <math><mtext><table><mglyph><style><img src=x onerror=alert(8)></style></math>
        <noscript><p title="</noscript><img src=x onerror=alert(9)>">x</p></noscript>
        <p style="background:url(http://evil.example/c)" data-e="999" data-dehusk="kept" title="t">text &lt;script&gt;alert(10)&lt;/script&gt;</p>
        <textarea></textarea><script>alert(11)</script>"#;
    let out = framed(hostile);
    for gone in [
        "<script",
        "onerror=",
        "onload=",
        "<iframe",
        "<object",
        "<svg",
        "<base",
        "http-equiv",
        "javascript:",
        "<math",
        "srcset",
        "src=",
        "ping=",
        "target=",
        "action=",
        "name=",
        "999",
        "background=\"",
    ] {
        assert!(!out.contains(gone), "{gone} in {out}");
    }
    assert!(
        out.contains("text &lt;script&gt;alert(10)&lt;/script&gt;"),
        "{out}"
    );
    assert!(out.contains("background:(http:"), "{out}");
    assert!(out.contains("href=\"#\"") && out.contains(">link</a>"), "{out}");
    assert!(out.contains(">svg</p>"), "{out}");
}

/// Fragments of markup that confuse parsers in combination.
const PIECES: &[&str] = &[
    "<p>",
    "</p>",
    "<script>",
    "</script>",
    "alert(1)",
    "<svg>",
    "</svg>",
    "<math>",
    "<mtext>",
    "<mglyph>",
    "<style>",
    "</style>",
    "<table>",
    "<td>",
    "<select>",
    "<option>",
    "<textarea>",
    "</textarea>",
    "<noscript>",
    "</noscript>",
    "<title>",
    "</title>",
    "<xmp>",
    "<plaintext>",
    "<template>",
    "<foreignObject>",
    "<desc>",
    "<iframe srcdoc='<script>'>",
    "<img src=x onerror=alert(1)>",
    "<!--",
    "-->",
    "<a href=javascript:alert(1)>",
    "<form action=//e.example>",
    "<input name=x onfocus=y autofocus>",
    "<base href=//e.example>",
    "\"'><",
    "&lt;script&gt;",
    "<annotation-xml encoding=text/html>",
    "<body onload=x>",
    "<frameset onload=x>",
    "\0",
    "<p class=\"a\" onclick=b>",
];

proptest::proptest! {
    #[test]
    fn whatever_the_page_is_only_known_elements_and_attributes_are_left(
        pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..40)
    ) {
        let out = framed(&pieces.concat());
        // Parsed like a browser parses it.
        inspect(&Page::decoded(&out), &Options::default(), |view| {
            let dom = view.dom;
            for id in dom.tree().ids().filter(|id| dom.element(*id).is_some()) {
                let name = dom.name(id);
                let own = matches!(name, "head" | "meta" | "link");
                assert!(own || !LEFT_OUT.contains(&name), "{name} in {out}");
                assert_eq!(dom.namespace(id), Namespace::Html);
                assert!(own || dom.attrs_of(id).iter().all(|attr| {
                    let known = ["data-e", "data-dehusk", "href", "style"];
                    let image = name == "img" && dom.is_named(attr, "src");
                    image || ATTRIBUTES.iter().chain(&known).any(|known| dom.is_named(attr, known))
                }), "{out}");
                assert!(name != "a" || dom.attr(id, "href").is_none_or(|href| href == "#"), "{out}");
            }
        });
    }
}

#[test]
fn elements_have_their_numbers_and_ends() {
    let out = framed(
        "<title>t</title><style>p{}</style><link rel=StyleSheet href=a.css media=print><div class=a><p>one<br>two<x-y>three</x-y></div>four",
    );
    assert!(out.contains("href=\"/sheet/0\" media=\"all\""), "{out}");
    assert!(out.contains("href=\"/sheet/1\" media=\"print\""), "{out}");
    assert!(out.contains("<div class=\"a\" data-e=\""), "{out}");
    assert_eq!(out.matches("<span").count(), out.matches("</span>").count());
    assert_eq!(out.matches("<p ").count(), out.matches("</p>").count());
    assert!(!out.contains("p{}"), "{out}");
}

#[test]
fn deep_pages_keep_their_text() {
    let out = framed(&format!("{}end", "<div>".repeat(100_000)));
    assert!(out.contains("end") && out.matches("<div").count() <= MAX_DEPTH);
    assert_eq!(out.matches("<div").count(), out.matches("</div>").count());
}

#[test]
fn images_have_addresses_of_this_program() {
    let out = framed(
        "<img src=http://a.example/i.png srcset='http://b.example/j.png 2x' alt=river><p style='background: url(i.png)'>x",
    );
    assert!(out.contains("alt=\"river\" src=\"/beside?at=22\""), "{out}");
    assert!(!out.contains("b.example") && !out.contains("url("), "{out}");
}
