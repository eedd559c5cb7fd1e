#[cfg(feature = "serde")]
use crate::content::Cell;
use crate::{Options, Page, extract};

#[track_caller]
fn check(body: &str, text: &str, markdown: &str) {
    let options = Options::default()
        .with_extractor("all-text")
        .unwrap()
        .with_markdown(true)
        .with_links(true);
    let got = extract(
        &Page::decoded(body).with_url(Some("http://h.example/a/b")),
        &options,
    );
    assert_eq!(got.text, text);
    assert_eq!(got.markdown.unwrap(), markdown);
}

#[test]
fn paragraphs_headings_and_breaks() {
    check(
        "<h2>Head <b>line</b></h2><p>One\n two<br>three<p>four <em>five</em>, <code>six</code>.",
        "Head line\n\nOne two\nthree\n\nfour five, six.\n",
        "## Head line\n\nOne two\\\nthree\n\nfour *five*, `six`.\n",
    );
}

#[test]
fn white_space_in_an_element_of_its_own_parts_words() {
    let body =
        "<p><span>All methods<span class=end>&nbsp;</span></span><span>Abstract<b></b> ones</span></p>";
    check(body, "All methods Abstract ones\n", "All methods Abstract ones\n");
}

#[test]
fn nested_and_numbered_lists() {
    check(
        "<ul><li>a<ol start=3><li>b<li>c</ol><li><p>d</p></ul><p>e",
        "- a\n  - b\n  - c\n- d\n\ne\n",
        "- a\n  3. b\n  4. c\n- d\n\ne\n",
    );
}

#[test]
fn tables() {
    check(
        "<table><caption>Levels</caption><tr><th>Day<th>Level<tr><td>Mon<td>1|2 m<tr><td><ul><li>x<li>y</ul></table>",
        "Levels\n\nDay\tLevel\nMon\t1|2 m\n- x\n- y\n",
        "Levels\n\n| Day | Level |\n| --- | --- |\n| Mon | 1\\|2 m |\n| x<br>y |  |\n",
    );
    // A table that only places things is no table of data.
    check("<table><tr><td><h1>A</h1><p>b</table>", "A\n\nb\n", "# A\n\nb\n");
}

#[test]
fn code_keeps_its_lines_and_its_language() {
    check(
        "<pre><code class='language-Rust'>fn a() {\n    ```\n}\n</code></pre><p>x",
        "fn a() {\n    ```\n}\n\nx\n",
        "````rust\nfn a() {\n    ```\n}\n````\n\nx\n",
    );
}

#[test]
fn quotes_and_links() {
    check(
        "<p>See <a href='../c (d)'>the  page</a> and <a href='javascript:x'>not</a>.<blockquote><p>One<p>two</blockquote>",
        "See the page and not.\n\nOne\n\ntwo\n",
        "See [the page](http://h.example/c%20%28d%29) and not.\n\n> One\n>\n> two\n",
    );
}

#[test]
fn relative_links_stay_where_no_address_is_known() {
    let options = Options::default()
        .with_extractor("all-text")
        .unwrap()
        .with_markdown(true)
        .with_links(true)
        .with_images(true);
    let page = Page::decoded(
        "<p>See <a href=../c>it</a>, <a href=javascript:x>not</a> <img src=/p.png alt=P width=600 height=400>",
    );
    assert_eq!(
        extract(&page, &options).markdown.unwrap(),
        "See [it](../c), not ![P](/p.png)\n"
    );
}

#[test]
fn markup_characters_are_escaped() {
    check(
        "<p>1. not *a* list_ [x] &lt;b> &amp;amp;<p># no<p>- no<p>---",
        "1. not *a* list_ [x] <b> &amp;\n\n# no\n\n- no\n\n---\n",
        "1\\. not \\*a\\* list\\_ \\[x\\] &lt;b> &amp;amp;\n\n\\# no\n\n\\- no\n\n\\---\n",
    );
}

#[test]
fn marks_stand_at_words_and_end_in_their_block() {
    check(
        "<p>a<b> x</b> b<i> </i> <em>y </em>z <b><strong>n</strong></b> <sup>1</sup> H<sub>2</sub>O <del>old</del> ~~<p><b>c",
        "a x b y z n 1 H2O old ~~\n\nc\n",
        "a **x** b *y* z **n** <sup>1</sup> H<sub>2</sub>O ~~old~~ \\~\\~\n\n**c**\n",
    );
    check(
        "<div><p>A <b>b<br>c<br>d</b> e<br></p><b>x<p>y</p></b><p><a href=/l>m<br>n</a><br></div>",
        "A b\nc\nd e\n\nx\n\ny\n\nm\nn\n",
        "A **b\\\nc\\\nd** e\n\n**x**\n\n**y**\n\n[m\\\nn](http://h.example/l)\n",
    );
}

#[test]
fn code_in_a_line_is_not_escaped() {
    check(
        "<p>set <code>a*b_c[0] &lt;T></code> or <code>`x`</code>, <kbd>a<br>b</kbd> and <code>Vec&lt;<a href=/t><b>T</b></a>></code>.<h2>On <code>f()</code></h2>",
        "set a*b_c[0] <T> or `x`, a\nb and Vec<T>.\n\nOn f()\n",
        "set `a*b_c[0] <T>` or `` `x` ``, `a b` and `Vec<`[`T`](http://h.example/t)`>`.\n\n## On `f()`\n",
    );
}

#[test]
fn text_outside_kept_blocks_leaves_no_trace() {
    let body =
        "<ul><li hidden>a</ul><p>b</p><blockquote hidden>c</blockquote><table hidden><tr><td>d</table>";
    check(body, "b\n", "b\n");
}

#[cfg(feature = "serde")]
#[track_caller]
fn forms(body: &str) -> crate::Extracted {
    let options = Options::default()
        .with_extractor("all-text")
        .unwrap()
        .with_markdown(true)
        .with_images(true)
        .with_html(true)
        .with_content(true);
    extract(
        &Page::decoded(body).with_url(Some("http://h.example/a/b")),
        &options,
    )
}

#[cfg(feature = "serde")]
#[track_caller]
fn check_forms(body: &str, html: &str, content: &serde_json::Value) {
    let got = forms(body);
    assert_eq!(got.html.unwrap().replace('\n', ""), html);
    assert_eq!(&serde_json::to_value(got.content.unwrap()).unwrap(), content);
}

#[cfg(feature = "serde")]
#[test]
fn html_and_elements_of_text() {
    check_forms(
        "<div onclick=x()>One <b>two<div>three</div></b></div><h2 class=y>Head</h2><p>a<br>b <a href='javascript:x'>no</a> \
         <a href='/c?d=1&e'>yes</a><script>x()</script>",
        "<p>One <strong>two</strong></p><p><strong>three</strong></p><h2>Head</h2>\
         <p>a<br>b no <a href=\"http://h.example/c?d=1&amp;e\">yes</a></p>",
        &serde_json::json!([
            {"kind": "paragraph", "text": "One two"},
            {"kind": "paragraph", "text": "three"},
            {"kind": "heading", "level": 2, "text": "Head"},
            {"kind": "paragraph", "text": "a\nb no yes"},
        ]),
    );
}

#[cfg(feature = "serde")]
#[test]
fn html_and_elements_of_lists_quotes_and_code() {
    check_forms(
        "<ol start=3><li>a<ul><li>b</ul><li><p>c<p>d</ol><dl><dt>t<dd>u</dl><blockquote><p>q</blockquote>\
         <pre class='brush: js; x'>let a;\n  b</pre>",
        "<ol start=\"3\"><li>a<ul><li>b</li></ul></li><li><p>c</p><p>d</p></li></ol>\
         <dl><dt>t</dt><dd>u</dd></dl><blockquote><p>q</p></blockquote>\
         <pre><code class=\"language-js\">let a;  b</code></pre>",
        &serde_json::json!([
            {"kind": "list", "ordered": true, "start": 3, "items": [
                {"text": "a", "elements": [{"kind": "list", "ordered": false, "items": [{"text": "b"}]}]},
                {"text": "c", "elements": [{"kind": "paragraph", "text": "d"}]},
            ]},
            {"kind": "list", "ordered": false, "items": [{"text": "t", "term": true}, {"text": "u"}]},
            {"kind": "quote", "elements": [{"kind": "paragraph", "text": "q"}]},
            {"kind": "code", "language": "js", "text": "let a;\n  b"},
        ]),
    );
}

#[cfg(feature = "serde")]
#[test]
fn html_and_elements_of_tables_with_lists_and_spans() {
    let body = "<table><caption>Cap</caption><tr><th colspan=2>h<th>i<tr><td rowspan=2>x<td><ul><li>l<li>m</ul><td>y\
                <tr><td>n<td>o</table>";
    check_forms(
        body,
        "<table><caption>Cap</caption><tbody><tr><th colspan=\"2\">h</th><th>i</th></tr>\
         <tr><td rowspan=\"2\">x</td><td><ul><li>l</li><li>m</li></ul></td><td>y</td></tr>\
         <tr><td>n</td><td>o</td></tr></tbody></table>",
        &serde_json::json!([{"kind": "table", "caption": "Cap", "rows": [
            {"cells": [{"text": "h", "header": true, "colspan": 2}, {"text": "i", "header": true}]},
            {"cells": [
                {"text": "x", "rowspan": 2},
                {"text": "", "elements": [{"kind": "list", "ordered": false, "items": [{"text": "l"}, {"text": "m"}]}]},
                {"text": "y"},
            ]},
            {"cells": [{"text": "n"}, {"text": "o"}]},
        ]}]),
    );
    let got = forms(body);
    assert_eq!(
        got.markdown.unwrap(),
        "Cap\n\n| h |  | i |\n| --- | --- | --- |\n| x | l<br>m | y |\n|  | n | o |\n"
    );
    let content = got.content.unwrap();
    let tables = crate::content::tables(&content);
    let text = |cell: Option<&Cell>| cell.map_or_else(String::new, Cell::full_text);
    let grid: Vec<Vec<String>> = tables[0]
        .grid()
        .into_iter()
        .map(|row| row.into_iter().map(text).collect())
        .collect();
    assert_eq!(grid, [["h", "h", "i"], ["x", "l\nm", "y"], ["x", "n", "o"]]);
}

#[cfg(feature = "serde")]
#[test]
fn images_and_formulas_among_kept_text() {
    let body = "<p>Let <math><semantics><mi>x</mi><annotation encoding='application/x-tex'>{\\displaystyle x}</annotation>\
        </semantics></math> be.<p>Then <img class=tex alt='y^2' src=y.png> holds.\
        <figure><img src=c.png alt='A cat'><figcaption>Cat</figcaption></figure><img src=t.gif width=1 height=1>\
        <p>$$a+b$$<p hidden><img src=h.png></p>";
    check_forms(
        body,
        "<p>Let <math><mi>x</mi></math> be.</p><p>Then \\(y^2\\) holds.</p>\
         <figure><img src=\"http://h.example/a/c.png\" alt=\"A cat\"><figcaption>Cat</figcaption></figure><p>$$a+b$$</p>",
        &serde_json::json!([
            {"kind": "paragraph", "text": "Let x be."},
            {"kind": "paragraph", "text": "Then y^2 holds."},
            {"kind": "image", "src": "http://h.example/a/c.png", "alt": "A cat", "caption": "Cat"},
            {"kind": "formula", "latex": "a+b", "text": "a+b"},
        ]),
    );
    let got = forms(body);
    assert_eq!(got.text, "Let x be.\n\nThen y^2 holds.\n\nCat\n\n$$a+b$$\n");
    assert_eq!(
        got.markdown.unwrap(),
        "Let $x$ be.\n\nThen $y^2$ holds.\n\n![A cat](http://h.example/a/c.png)\n\nCat\n\n$$a+b$$\n"
    );
}

#[cfg(feature = "serde")]
#[test]
fn no_form_costs_more_than_its_nesting() {
    for part in [
        "<ul><li>a",
        "<blockquote>b",
        "<b><i>c",
        "<table><tr><td>d",
        "<figure>e",
        "<a href=/>f",
    ] {
        let got = forms(&part.repeat(20_000));
        assert!(got.html.unwrap().len() < 64 << 20, "{part}");
        serde_json::to_string(&got.content.unwrap()).unwrap();
    }
}

/// One address, in force for many blocks, must not make the output a product of both.
#[cfg(feature = "serde")]
#[test]
fn no_form_is_much_longer_than_the_page() {
    let pages = [
        format!("<a href='/{}'>{}", "x".repeat(20_000), "<p>x".repeat(4_000)),
        format!(
            "<base href='/{}/'>{}",
            "x".repeat(20_000),
            "<p>x <a href=a>b</a>".repeat(4_000)
        ),
        format!(
            "<base href='https://a.example/{}/'>{}",
            "x".repeat(20_000),
            "<p>x<img src=a>".repeat(4_000)
        ),
        "<p>x".repeat(10_000),
        "<table><tr><td colspan=1000 rowspan=1000>x<td>y<tr><td>z</table>".repeat(200),
        format!("<div><p>{}", "<p>x".repeat(500)).repeat(20),
    ];
    for html in pages {
        let options = Options::default()
            .with_markdown(true)
            .with_html(true)
            .with_content(true)
            .with_blocks(true)
            .with_links(true)
            .with_images(true)
            .with_extractor("all-text")
            .unwrap();
        let page = Page::decoded(&html).with_url(Some("https://a.example/"));
        let got = extract(&page, &options);
        let most = 4 * html.len() + (1 << 20);
        let content = serde_json::to_string(&got.content).unwrap().len();
        let blocks = serde_json::to_string(&got.blocks).unwrap().len();
        for (form, bytes) in [
            ("text", got.text.len()),
            ("Markdown", got.markdown.unwrap().len()),
            ("HTML", got.html.unwrap().len()),
            ("content", content),
            ("list of blocks", blocks),
        ] {
            assert!(bytes <= most, "{form}: {bytes} of {}", html.len());
        }
        // Only an address makes the HTML longer than that.
        let cut = got
            .warnings
            .iter()
            .any(|warning| warning.message.starts_with("the HTML was cut"));
        assert_eq!(cut, html.contains("/xxxx"), "{:?}", got.warnings);
    }
}
