#[cfg(feature = "serde")]
mod parts;

#[cfg(feature = "serde")]
use crate::document::Document;
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
        "## Head **line**\n\nOne two\\\nthree\n\nfour *five*, `six`.\n",
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
        "- a\n\n  3. b\n  4. c\n- d\n\ne\n",
    );
}

#[test]
fn tables() {
    check(
        "<table><caption>Levels</caption><tr><th>Day<th>Level<tr><td>Mon<td>1|2 m<tr><td><ul><li>x<li>y</ul></table>",
        "Levels\n\nDay\tLevel\nMon\t1|2 m\nx y\n",
        "Levels\n\n| Day | Level |\n| --- | --- |\n| Mon | 1\\|2 m |\n| x<br>y |  |\n",
    );
    // A layout table is not written as a data table, nor is a single kept column without a head.
    check(
        "<table><tr><td>a<tr><td hidden>x<td hidden>y<td hidden>z<tr><td>b</table>",
        "a\n\nb\n",
        "a\n\nb\n",
    );
    check("<table><tr><td><h1>A</h1><p>b</table>", "A\n\nb\n", "# A\n\nb\n");
}

#[test]
fn code_keeps_its_lines_and_its_language() {
    check(
        "<pre><code class='language-Rust'>fn a() {  \n\n    ```\n}\n</code></pre><ul><li>x<pre>a \n\nb</pre></ul>",
        "fn a() {  \n\n    ```\n}\n\n- x\n\na \n\nb\n",
        "````rust\nfn a() {  \n\n    ```\n}\n````\n\n- x\n\n  ```\n  a \n\n  b\n  ```\n",
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
        "1\\. not \\*a\\* list\\_ \\[x\\] \\<b> \\&amp;\n\n\\# no\n\n\\- no\n\n\\---\n",
    );
}

#[test]
fn marks_stand_at_words_and_end_in_their_block() {
    check(
        "<p>a<b> x</b> b<i> </i> <em>y </em>z <b><strong>n</strong></b> <sup>1</sup> H<sub>2</sub>O <del>old</del> ~~<p><b>c",
        "a x b y z n 1 H₂O old ~~\n\nc\n",
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
        "set a*b_c[0] <T> or `x`, a b and Vec<T>.\n\nOn f()\n",
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
    assert_eq!(
        &serde_json::to_value(got.content.unwrap().blocks).unwrap(),
        content
    );
}

#[cfg(feature = "serde")]
#[test]
fn html_and_blocks_of_text() {
    check_forms(
        "<div onclick=x()>One <b>two<div>three</div></b></div><h2 class=y>Head</h2><p>a<br>b <a href='javascript:x'>no</a> \
         <a href='/c?d=1&e'>yes</a><script>x()</script>",
        "<p>One <strong>two</strong></p><p><strong>three</strong></p><h2>Head</h2>\
         <p>a<br>b no <a href=\"http://h.example/c?d=1&amp;e\">yes</a></p>",
        &serde_json::json!([
            {"kind": "paragraph", "inlines": ["One ", {"kind": "marked", "mark": "strong", "inlines": ["two"]}]},
            {"kind": "paragraph", "inlines": [{"kind": "marked", "mark": "strong", "inlines": ["three"]}]},
            {"kind": "heading", "level": 2, "inlines": ["Head"]},
            {"kind": "paragraph", "inlines": [
                "a", {"kind": "break"}, "b no ", {"kind": "link", "target": "http://h.example/c?d=1&e", "inlines": ["yes"]},
            ]},
        ]),
    );
}

#[cfg(feature = "serde")]
#[test]
fn html_and_blocks_of_lists_quotes_and_code() {
    let text = |text: &str| serde_json::json!({"kind": "paragraph", "inlines": [text]});
    check_forms(
        "<ol start=3><li>a<ul><li>b</ul><li><p>c<p>d</ol><dl><dt>t<dd>u</dl><blockquote><p>q</blockquote>\
         <pre class='brush: js; x'>let <a href=d?e>a</a>;\n  b</pre>",
        "<ol start=\"3\"><li>a<ul><li>b</li></ul></li><li><p>c</p><p>d</p></li></ol>\
         <dl><dt>t</dt><dd>u</dd></dl><blockquote><p>q</p></blockquote>\
         <pre><code class=\"language-js\">let <a href=\"http://h.example/a/d?e\">a</a>;  b</code></pre>",
        &serde_json::json!([
            {"kind": "list", "ordered": true, "start": 3, "items": [
                {"blocks": [text("a"), {"kind": "list", "items": [{"blocks": [text("b")]}]}]},
                {"blocks": [text("c"), text("d")]},
            ]},
            {"kind": "definitions", "items": [{"terms": [["t"]], "definitions": [[text("u")]]}]},
            {"kind": "quote", "blocks": [text("q")]},
            {
                "kind": "code", "language": "js", "text": "let a;\n  b",
                "links": [{"start": 4, "end": 5, "target": "http://h.example/a/d?e"}],
            },
        ]),
    );
    let with_ranges = |links: &str| {
        let json = format!(r#"{{"version":1,"blocks":[{{"kind":"code","text":"ёж","links":{links}}}]}}"#);
        Document::from_json(&json).unwrap().html()
    };
    let link = |start: usize, end: usize, target: &str| {
        format!(r#"{{"start":{start},"end":{end},"target":"{target}"}}"#)
    };
    let (whole, good) = ("<pre><code>ёж</code></pre>\n", "http://h.example/");
    assert_eq!(
        with_ranges(&format!("[{}]", link(1, 2, good))),
        whole,
        "within a character"
    );
    assert_eq!(
        with_ranges(&format!("[{}]", link(4, 2, good))),
        whole,
        "backwards"
    );
    assert_eq!(
        with_ranges(&format!("[{}]", link(0, 9, good))),
        whole,
        "behind the end"
    );
    assert_eq!(with_ranges(&format!("[{}]", link(0, 4, "javascript:x"))), whole);
    let overlapping = with_ranges(&format!("[{},{}]", link(2, 4, good), link(0, 2, good)));
    assert_eq!(
        overlapping,
        "<pre><code>ё<a href=\"http://h.example/\">ж</a></code></pre>\n"
    );
}

#[cfg(feature = "serde")]
#[test]
fn html_and_blocks_of_tables_with_lists_and_spans() {
    let text = |text: &str| serde_json::json!({"kind": "paragraph", "inlines": [text]});
    let body = "<table><caption>Cap</caption><tr><th colspan=2>h<th>i<tr><td rowspan=2>x<td><ul><li>l<li>m</ul><td>y\
                <tr><td>n<td>o</table>";
    check_forms(
        body,
        "<table><caption>Cap</caption><thead><tr><th colspan=\"2\">h</th><th>i</th></tr></thead>\
         <tbody><tr><td rowspan=\"2\">x</td><td><ul><li>l</li><li>m</li></ul></td><td>y</td></tr>\
         <tr><td>n</td><td>o</td></tr></tbody></table>",
        &serde_json::json!([{"kind": "table", "caption": ["Cap"], "head": 1, "rows": [
            {"cells": [{"header": true, "colspan": 2, "blocks": [text("h")]}, {"header": true, "blocks": [text("i")]}]},
            {"cells": [
                {"rowspan": 2, "blocks": [text("x")]},
                {"blocks": [{"kind": "list", "items": [{"blocks": [text("l")]}, {"blocks": [text("m")]}]}]},
                {"blocks": [text("y")]},
            ]},
            {"cells": [{"blocks": [text("n")]}, {"blocks": [text("o")]}]},
        ]}]),
    );
    let got = forms(body);
    assert_eq!(got.text, "Cap\n\nh\t\ti\nx\tl m\ty\n\tn\to\n");
    assert_eq!(
        got.markdown.unwrap(),
        "Cap\n\n| h |  | i |\n| --- | --- | --- |\n| x | l<br>m | y |\n|  | n | o |\n"
    );
    let tables = got.content.unwrap().tables();
    let cell = &tables[0].rows[1].cells[1];
    assert_eq!((cell.text.as_str(), cell.elements.len()), ("l m", 1));
    let options =
        crate::document::MarkdownOptions::default().with_tables(crate::document::MarkdownTables::Html);
    let markdown = forms(body).content.unwrap().markdown(&options);
    assert!(
        markdown.starts_with("<table>\n<caption>Cap</caption>") && !markdown.contains("\n\n"),
        "{markdown}"
    );
}

/// Cells that are empty or not kept leave their positions empty, and dropped rows shorten the spans of cells across them.
#[cfg(feature = "serde")]
#[test]
fn no_cell_moves_into_another_column() {
    let body = "<table><tr><th>Kind<th>2018<th>2019<tr><td>Boats<td><td>5<tr><td hidden>x<td>6<td>7\
                <tr><td rowspan=2>Carts<td><td>8<tr><td><td>9<tr><td rowspan=3><td>1<td>2<tr><td hidden>no<td hidden>no<tr><td>3<td>4</table>";
    let got = forms(body);
    assert_eq!(
        got.text,
        "Kind\t2018\t2019\nBoats\t\t5\n\t6\t7\nCarts\t\t8\n\t\t9\n\t1\t2\n\t3\t4\n"
    );
    assert_eq!(
        got.markdown.unwrap(),
        "| Kind | 2018 | 2019 |\n| --- | --- | --- |\n| Boats |  | 5 |\n|  | 6 | 7 |\n| Carts |  | 8 |\n|  |  | 9 |\n|  | 1 | 2 |\n|  | 3 | 4 |\n"
    );
    let html = got.html.unwrap().replace('\n', "");
    assert!(
        html.contains("<tr><td>Boats</td><td></td><td>5</td></tr>"),
        "{html}"
    );
    assert!(
        html.contains("<td rowspan=\"2\">Carts</td><td></td><td>8</td></tr><tr><td></td><td>9</td></tr>"),
        "{html}"
    );
    assert!(
        html.contains("<tr><td rowspan=\"2\"></td><td>1</td><td>2</td></tr><tr><td>3</td>"),
        "{html}"
    );
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
         <figure><img src=\"http://h.example/a/c.png\" alt=\"A cat\"><figcaption>Cat</figcaption></figure><p>\\[a+b\\]</p>",
        &serde_json::json!([
            {"kind": "paragraph", "inlines": [
                "Let ", {"kind": "formula", "tex": "x", "mathml": "<math><mi>x</mi></math>"}, " be."
            ]},
            {"kind": "paragraph", "inlines": ["Then ", {"kind": "formula", "tex": "y^2"}, " holds."]},
            {"kind": "figure", "caption": ["Cat"], "blocks": [
                {"kind": "paragraph", "inlines": [{"kind": "image", "src": "http://h.example/a/c.png", "alt": "A cat"}]},
            ]},
            {"kind": "formula", "tex": "a+b", "display": true},
        ]),
    );
    let got = forms(body);
    assert_eq!(got.text, "Let x be.\n\nThen y^2 holds.\n\nCat\n\na+b\n");
    assert_eq!(
        got.markdown.unwrap(),
        "Let $x$ be.\n\nThen $y^2$ holds.\n\n![A cat](http://h.example/a/c.png)\n\nCat\n\n$$a+b$$\n"
    );
}

#[cfg(feature = "serde")]
#[track_caller]
fn check_text_and_markdown(body: &str, text: &str, markdown: &str) {
    let got = forms(body);
    assert_eq!(
        (got.text.as_str(), got.markdown.as_deref()),
        (text, Some(markdown))
    );
}

/// Each program draws formulas in its own way; every formula is output once.
#[cfg(feature = "serde")]
#[test]
fn formulas_come_out_once_whatever_draws_them() {
    let math = "<math><semantics><mrow><mi>E</mi></mrow><annotation encoding='application/x-tex'>E_n</annotation></semantics></math>";
    for drawn in [
        format!("<span class=katex><span class=katex-mathml>{math}</span><span class=katex-html aria-hidden=true>En</span></span>"),
        format!("<span class=mwe-math-element><span class=x style='display: none;'>{math}</span><img class=mwe-math-fallback-image-inline aria-hidden=true alt='E_n' src=e.svg></span>"),
        "<span class=MathJax_Preview>En</span><span class=MathJax id=f>E n</span><script type='math/tex'>E_n</script>".to_owned(),
        "<mjx-container class=MathJax><mjx-math aria-hidden=true>En</mjx-math><mjx-assistive-mml><math><msub><mi>E</mi><mi>n</mi></msub></math></mjx-assistive-mml></mjx-container>".to_owned(),
        "\\(E_n\\)".to_owned(),
        "<img src='https://latex.codecogs.com/png.latex?E_n' alt=''>".to_owned(),
        "<img class=latex src='/x.png' alt='E_n'>".to_owned(),
    ] {
        let got = forms(&format!("<p>The function {drawn} is called the exponential integral."));
        let tex = if drawn.contains("mjx") { "E_{n}" } else { "E_n" };
        assert_eq!(got.text, format!("The function {tex} is called the exponential integral.\n"), "{drawn}");
        assert_eq!(got.markdown.unwrap(), format!("The function ${tex}$ is called the exponential integral.\n"));
    }
    check_text_and_markdown(
        "<p>So <math><mfrac><mi>a</mi><msqrt><mn>2</mn></msqrt></mfrac><mo>≤</mo><msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup></math>.\
         <p>A <code>$x</code> for $5, $y$ or 6$.",
        "So \\frac{a}{\\sqrt{2}}\\le x_{i}^{2}.\n\nA $x for $5, y or 6$.\n",
        "So $\\frac{a}{\\sqrt{2}}\\le x_{i}^{2}$.\n\nA `$x` for \\$5, $y$ or 6\\$.\n",
    );
    check_text_and_markdown(
        "<p>So <span class=math data-tex='E=mc^2'>E=mc2</span> and <span class=ql-formula data-value='a_i'><i>ai</i></span>, \
         <img src=f.png data-latex='x^2' alt='x squared'>, <span data-value=b>c</span>.\
         <p><span data-tex=a>Longer by far than what it would be a drawing of, so that it is text, however one may count its words</span>.",
        "So E=mc^2 and a_i, x^2, c.\n\nLonger by far than what it would be a drawing of, so that it is text, however one may count its words.\n",
        "So $E=mc^2$ and $a_i$, $x^2$, c.\n\nLonger by far than what it would be a drawing of, so that it is text, however one may count its words.\n",
    );
    // HTML inside a formula may contain elements that show no text.
    check_text_and_markdown(
        "<p>So <math><mtext>all<style>b{}</style></mtext><mi>n<script>f()</script></mi></math> hold.",
        "So \\text{all}n hold.\n",
        "So $\\text{all}n$ hold.\n",
    );
}

#[cfg(feature = "serde")]
#[test]
fn notes_stand_behind_the_text() {
    for (call, notes) in [
        (
            "<sup id=r1><a href='#n1'>1</a></sup>",
            "<ol><li id=n1>Hemp, mostly. <a href='#r1'>↩</a></ol>",
        ),
        (
            "<a id=ref1 href='#note1' class=footnote-ref>[1]</a>",
            "<section class=footnotes><div id=note1>Hemp, mostly. <a href='#ref1'>back</a></div></section>",
        ),
        (
            "<a href='#_ftn1' name='_ftnref1'>[1]</a>",
            "<p><a href='#_ftnref1' name='_ftn1'>[1]</a> Hemp, mostly.</p>",
        ),
        (
            "<sup id=cite_ref-1 class=reference><a href='#cite_note-1'>[1]</a></sup>",
            "<h2>Notes</h2><ol class=references><li id=cite_note-1><span class=mw-cite-backlink>^ <a href='#cite_ref-1'>a</a></span> <span>Hemp, mostly.</span></ol>",
        ),
        (
            "<a class=footnote-anchor id=footnote-anchor-1 href='#footnote-1'>1</a>",
            "<div class=footnote><a id=footnote-1 href='#footnote-anchor-1' class=footnote-number>1</a><div><p>Hemp, mostly.</p></div></div>",
        ),
        // Within the sentence, drawn beside it.
        (
            "<label for=sn-1 class='margin-toggle sidenote-number'></label><input type=checkbox id=sn-1 class=margin-toggle><span class=sidenote>Hemp, mostly.</span>",
            "",
        ),
        (
            "<span class='ltx_note ltx_role_footnote'><sup class=ltx_note_mark>1</sup><span class=ltx_note_outer><span class=ltx_note_content><sup class=ltx_note_mark>1</sup><span class='ltx_tag ltx_tag_note'>1</span>Hemp, mostly.</span></span></span>",
            "",
        ),
    ] {
        let got = forms(&format!(
            "<p>There was a rope{call} and a man.</p><p>More of it.</p>{notes}"
        ));
        assert_eq!(
            got.text, "There was a rope[1] and a man.\n\nMore of it.\n\n[1] Hemp, mostly.\n",
            "{call}"
        );
        assert_eq!(
            got.markdown.unwrap(),
            "There was a rope[^1] and a man.\n\nMore of it.\n\n[^1]: Hemp, mostly.\n"
        );
        let html = got.html.unwrap();
        assert!(
            html.contains("<sup><a href=\"#fn-1\" id=\"fnref-1\">1</a></sup>")
                && html.contains("<li id=\"fn-1\">Hemp, mostly.</li>"),
            "{html}"
        );
    }
    // Notes keep the page's numbers, each in one pair of brackets. Notes referenced by a sign get the numbers after them.
    let got = forms(
        "<p>A rope<sup id=c35><a href='#r35'>[35]</a></sup>, two [<a id=c7 href='#r7'>7</a>, <a id=c9 href='#r9'>9</a>], a man<sup id=cx><a href='#rx'>*</a></sup>.\
         <ol><li id=r7>Of 7 <a href='#c7'>↩</a><li id=r9>Of 9 <a href='#c9'>↩</a><li id=r35>Of 35 <a href='#c35'>↩</a><li id=rx>Of all <a href='#cx'>↩</a></ol>",
    );
    assert_eq!(
        got.text,
        "A rope[35], two [7], [9], a man[36].\n\n[7] Of 7\n\n[9] Of 9\n\n[35] Of 35\n\n[36] Of all\n"
    );
    assert!(
        got.html
            .unwrap()
            .contains("<li id=\"fn-9\" value=\"9\">Of 9</li>\n<li id=\"fn-35\" value=\"35\">")
    );
    // Numbers that restart within the page are replaced by a running count.
    let got = forms(
        "<p>A rope<sup id=a1><a href='#n1'>1</a></sup>.<ol><li id=n1>Hemp <a href='#a1'>↩</a></ol>\
         <p>A man<sup id=b1><a href='#m1'>1</a></sup>.<ol><li id=m1>Osgar <a href='#b1'>↩</a></ol>",
    );
    assert_eq!(got.text, "A rope[1].\n\nA man[2].\n\n[1] Hemp\n\n[2] Osgar\n");
    // Links to sections are not note references.
    let got = forms("<ul><li><a href='#s1'>1</a></ul><h2 id=s1>One</h2><p>Text.");
    assert!(got.content.unwrap().notes.is_empty());
}

#[cfg(feature = "serde")]
#[test]
fn what_stands_above_the_line_stays_apart() {
    check_text_and_markdown(
        "<p>3 × 10<sup>8</sup> m, H<sub>2</sub>O, the 1<sup>st</sup>, e<sup>x</sup>, a<sup>2k+1</sup>; <q>so</q>, \
         <ruby>表<rt>ひょう</rt>示<rp>(</rp><rt>じ</rt></ruby>.",
        "3 × 10⁸ m, H₂O, the 1st, e^x, a^(2k+1); “so”, 表示(ひょうじ).\n",
        "3 × 10<sup>8</sup> m, H<sub>2</sub>O, the 1<sup>st</sup>, e<sup>x</sup>, a<sup>2k+1</sup>; “so”, \
         <ruby>表<rt>ひょう</rt>示<rt>じ</rt></ruby>.\n",
    );
}

#[cfg(feature = "serde")]
#[test]
fn marks_that_would_not_be_read_are_tags() {
    check_text_and_markdown(
        "<p><em>「強調」</em>です、<b>a<i>b</i></b>c, x<b>(y)</b>z<h3>On <em>it</em></h3><p>AT&T, a &amp;lt; b, 1 &lt; 2, &lt;b>, C:\\dir, 2 * 3.",
        "「強調」です、abc, x(y)z\n\nOn it\n\nAT&T, a &lt; b, 1 < 2, <b>, C:\\dir, 2 * 3.\n",
        "<em>「強調」</em>です、<strong>a<em>b</em></strong>c, x<strong>(y)</strong>z\n\n### On *it*\n\nAT&T, a \\&lt; b, 1 < 2, \\<b>, C:\\dir, 2 * 3.\n",
    );
}

#[cfg(feature = "serde")]
#[test]
fn lists_keep_their_numbers_and_boxes() {
    check_text_and_markdown(
        "<ol><li hidden>a<li>b<li value=7>c</ol><ul><li><input type=checkbox checked> d<li><label><input type=checkbox> ▢ e</label></ul>\
         <dl><dt>t<dt>u<dd>v<dd><p>w<p>x</dl>",
        "- b\n- c\n\n- [x] d\n- [ ] e\n\nt\nu\nv\nw\nx\n",
        "2. b\n7. c\n\n- [x] d\n- [ ] e\n\nt<br>u\n: v\n: w\n\n  x\n",
    );
}

#[cfg(feature = "serde")]
#[test]
fn words_of_a_sentence_stay_one() {
    check_text_and_markdown(
        "<p>Posted <relative-time>3 days ago</relative-time> by me; cook <button>8 minutes</button> more.<h2>Use<a class=headerlink href='#u'>¶</a></h2>",
        "Posted 3 days ago by me; cook 8 minutes more.\n\nUse\n",
        "Posted 3 days ago by me; cook 8 minutes more.\n\n## Use\n",
    );
}

/// A stored document can be written in every form.
#[cfg(feature = "serde")]
#[test]
fn content_reads_back() {
    let got = forms(
        "<h1>A</h1><p>b <a href=/x title=t>c</a><sup><a href='#fn1' id=r>1</a></sup><table><tr><th>a<th>b<tr><td>1<td></table><ol reversed type=a><li>x</ol><p id=fn1>n <a href='#r'>^</a>",
    );
    let content = got.content.unwrap();
    let json = serde_json::to_string(&content).unwrap();
    let read = Document::from_json(&json).unwrap();
    assert_eq!(read, content);
    assert_eq!((read.text(), read.html()), (got.text, got.html.unwrap()));
    let options = crate::document::MarkdownOptions::default().with_images(true);
    assert_eq!(read.markdown(&options), got.markdown.unwrap());
    let other = json.replace("\"version\":1", "\"version\":99");
    assert!(
        Document::from_json(&other)
            .unwrap_err()
            .to_string()
            .contains("version 99")
    );
    let deep = "{\"kind\":\"quote\",\"blocks\":[".repeat(40) + &"]}".repeat(40);
    let deep = format!("{{\"version\":1,\"blocks\":[{deep}]}}");
    assert!(Document::from_json(&deep).is_err());
    // A document read from JSON may contain anything.
    let link = r#"{"version":1,"blocks":[{"kind":"paragraph","inlines":[{"kind":"link","target":"javascript:x","inlines":["a"]},{"kind":"formula","mathml":"<math><mi onclick=\"x\">y</mi></math>","text":"y"}]}]}"#;
    assert_eq!(Document::from_json(link).unwrap().html(), "<p>ay</p>\n");
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
        "<dl><dd>g",
        "<pre>h",
        "<ruby>i<rt>j",
        "<math><mrow><mi>k",
        "<p>\\(",
        "<p>$x",
        "<a href=/>f",
    ] {
        let got = forms(&part.repeat(20_000));
        assert!(got.html.unwrap().len() < 64 << 20, "{part}");
        serde_json::to_string(&got.content.unwrap()).unwrap();
    }
}

/// One long address that applies to many blocks must not multiply the output.
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
        // Only an address can make a form longer than that.
        let cut = got.warnings.iter().any(|warning| {
            warning
                .message
                .starts_with("the addresses of links and images were")
        });
        assert_eq!(cut, html.contains("/xxxx"), "{:?}", got.warnings);
    }
}

#[test]
fn numbers_beside_lines_of_code_go_where_the_lines_are_elements() {
    let line = |text: &str| format!("<div class='line'>{text}</div>");
    let drawn = format!(
        "<table class='syntaxhighlighter java'><tr><td class=gutter>{}{}</td><td class=code><div>{}{}</div></td></tr></table>",
        line("1"),
        line("2"),
        line("<code>int</code> <code>a = 1;</code>"),
        line("<code>return</code> a;"),
    );
    check(
        &drawn,
        "int a = 1;\nreturn a;\n",
        "```java\nint a = 1;\nreturn a;\n```\n",
    );
    let rows = "<table><tr><td class=blob-num data-line-number=1></td><td class=blob-code>def go():</td></tr><tr><td class=blob-num data-line-number=2></td><td class=blob-code>    pass</td></tr></table>";
    check(rows, "def go():\n    pass\n", "```\ndef go():\n    pass\n```\n");
    // A table of two columns is a table, whatever it is about.
    let table = "<table><tr><td class=num>1</td><td class=name>Ann</td></tr><tr><td class=num>2</td><td class=name>Oda</td></tr></table>";
    check(
        table,
        "1\tAnn\n2\tOda\n",
        "|  |  |\n| --- | --- |\n| 1 | Ann |\n| 2 | Oda |\n",
    );
}

#[test]
fn what_is_left_of_the_label_of_a_note_goes() {
    for note in [
        "<a href=#r1>1</a>. In the yard.",
        "<span>[<a href=#r1>1</a>]</span> In the yard.",
        "<span>[<a href=#r1>1</a>]</span><p>In the yard.</p>",
        "<a href=#r1>1</a>) In the yard.",
    ] {
        let body = format!(
            "<p>Cast twice.<sup><a href=#n1 id=r1>1</a></sup></p><div class=footnote id=n1>{note}</div>"
        );
        check(
            &body,
            "Cast twice.[1]\n\n[1] In the yard.\n",
            "Cast twice.[^1]\n\n[^1]: In the yard.\n",
        );
    }
}

#[test]
fn formulas_say_their_source_in_addresses_attributes_and_code() {
    for drawn in [
        "<img src='https://x.example/equation?tex=x_1%5E2' alt=x>",
        "<img src='https://x.example/render/math?math=x_1%5E2' alt=x>",
        "<img src='https://x.example/chart?cht=tx&amp;chl=x_1%5E2' alt=x>",
        "<math data-latex='x_1^2'><mi>x</mi></math>",
        "<code class=math data-math-style=inline>x_1^2</code>",
    ] {
        check(
            &format!("<p>So {drawn} grows.</p>"),
            "So x_1^2 grows.\n",
            "So $x_1^2$ grows.\n",
        );
    }
    // An image that is drawn from other parameters is not a formula.
    check(
        "<p>So <img src='/plot?math=1' alt=plot> grows.</p>",
        "So grows.\n",
        "So grows.\n",
    );
}

#[test]
fn images_of_amp_are_images() {
    let options = Options::default()
        .with_extractor("all-text")
        .unwrap()
        .with_markdown(true)
        .with_images(true);
    let body = "<p>One.</p><amp-img src=/w.jpg width=900 height=600 alt='The weir'><noscript><img src=/w.jpg alt='The weir'></noscript></amp-img><p>Two.</p>";
    let got = extract(&Page::decoded(body), &options).markdown.unwrap();
    assert_eq!(got, "One.\n\n![The weir](/w.jpg)\n\nTwo.\n");
}
