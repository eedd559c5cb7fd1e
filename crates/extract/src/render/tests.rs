use crate::{Options, Page, extract};

#[track_caller]
fn check(body: &str, text: &str, markdown: &str) {
    let options = Options::default()
        .with_method("all-text")
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
    check("<table><tr><td><h1>A</h1><p>b</table>", "A b\n", "# A\n\nb\n");
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
fn markup_characters_are_escaped() {
    check(
        "<p>1. not *a* list_ [x] &lt;b> &amp;amp;<p># no<p>- no<p>---",
        "1. not *a* list_ [x] <b> &amp;\n\n# no\n\n- no\n\n---\n",
        "1\\. not \\*a\\* list\\_ \\[x\\] &lt;b> &amp;amp;\n\n\\# no\n\n\\- no\n\n\\---\n",
    );
}

#[test]
fn text_outside_kept_blocks_leaves_no_trace() {
    let body =
        "<ul><li hidden>a</ul><p>b</p><blockquote hidden>c</blockquote><table hidden><tr><td>d</table>";
    check(body, "b\n", "b\n");
}
