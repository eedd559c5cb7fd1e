"""A second reader of Markdown finds in it what the HTML of the same page says. The first one is `pulldown-cmark`, in the tests of the extractor."""

from __future__ import annotations

import json
import os
from pathlib import Path

import conftest
import dehusk
import pytest

ADDRESS = "http://h.example/a/b"

#: What the pages of the fixtures do not have, or not together.
EXAMPLES = (
    "<p>它是<em>「強調」</em>です、<b>重要。</b>次に a<b>b</b>c<i>d</i>e <i><b>f</b> g</i> <b><i>h</i></b>",
    "<p>1. a<p># b<p>- c<p>: d<p>===<p>a<br>---<p>*<p>_x_ y_z<p>~~a~~ ~b<p>[d](e)<p>![f]<p>&amp;amp; &lt;b>",
    "<ul><li>a<ol start=3><li>b<li>c</ol><li><p>d<p>e<pre>f\n\n  g</pre></ul><ul><li>h</ul><ol><li>i</ol><ol><li>j</ol>",
    "<table><tr><th>a|b<th>c<tr><td><code>x|y</code><td>$d<tr><td colspan=2>e<ul><li>f<li>g</ul></table>",
    "<p>costs $5, or 6$, or <img class=tex alt='x^2'> for <a href='/p (q)?a=1&amp;amp;b'>$7</a>.<p>$$a\\\\b$$",
    "<dl><dt>a<dt>b<dd>c<dd><p>d<p>e</dl><dl><dd>f</dl><p>Rope<sup><a href='#fn7' id=r7>7</a></sup>.<ol><li id=fn7>Hemp <a href='#r7'>↩</a></ol>",
    "<p>a<sup>2</sup> <q>c</q> <ruby>漢<rt>かん</rt></ruby> <del>d</del>e <video src='a b.mp4' title='f *g*' poster=p.png></video>",
    "<p><iframe src='//www.youtube.com/embed/x_y'></iframe><ul><li><input type=checkbox checked>a<li><input type=checkbox>b</ul>",
)


def differences(pages: dict[str, bytes], extractor: str) -> dict[str, str]:
    conftest.need("markdown_it")
    conftest.need("mdit_py_plugins")
    import markdown_reading

    writes = dehusk.Extractor(extractor=extractor, markdown=True, html=True, links=True, images=True)
    found = {}
    for name, page in pages.items():
        document = writes.document(page, url=ADDRESS)
        difference = markdown_reading.difference(document.markdown or "", document.html or "")
        if difference is not None:
            found[name] = difference
    return found


@pytest.mark.parametrize("extractor", ["default", "all-text"])
def test_markdown_of_the_crawl_reads_as_its_html(crawl: Path, extractor: str) -> None:
    found = {str(path): path.read_bytes() for path in sorted(crawl.rglob("*.html"))}
    # One file only has the name of a page.
    pages = {path: page for path, page in found.items() if not page.startswith(b"PK")}
    assert len(pages) > 50
    assert differences(pages, extractor) == {}


def test_markdown_of_examples_reads_as_its_html() -> None:
    assert differences({page: page.encode() for page in EXAMPLES}, "all-text") == {}


def test_a_difference_is_seen() -> None:
    conftest.need("markdown_it")
    import markdown_reading

    for markdown, html in [
        ("a *b*", "<p>a b</p>"),
        ("# a", "<h2>a</h2>"),
        ("- a\n- b", "<ul><li>a</li></ul>"),
        ("a[^1]\n\n[^1]: b", '<p>a<sup><a href="#fn-1">1</a></sup></p><section class="footnotes"><ol><li id="fn-1">c</li></ol></section>'),
        ("| a | b |\n| --- | --- |\n| c | d |", "<table><tr><th>a</th><th>b</th></tr><tr><td>d</td><td>c</td></tr></table>"),
        ("```py\na\n```", "<pre><code>a</code></pre>"),
        ("[a](/x)", '<p><a href="/y">a</a></p>'),
    ]:
        assert markdown_reading.difference(markdown, html) is not None, markdown


def test_markdown_of_other_pages_reads_as_its_html() -> None:
    """`DEHUSK_PAGES` names a folder of pages."""
    folder = os.environ.get("DEHUSK_PAGES")
    if not folder:
        pytest.skip("DEHUSK_PAGES names no folder of pages")
    pages = {str(path): path.read_bytes() for path in sorted(Path(folder).iterdir())}
    found = differences(pages, "default")
    for name, difference in found.items():
        print(name, difference, sep="\n")
    assert len(found) * 100 <= len(pages), f"{len(found)} of {len(pages)} pages differ"


def test_markdown_without_extensions_is_of_common_means() -> None:
    page = (
        "<dl><dt>Hull<dd>Body</dl><p>So <img class=tex alt='x^2'>, a rope<sup><a href='#fn7' id=r7>7</a></sup>.<ol><li id=fn7>Hemp <a href='#r7'>↩</a></ol>"
    )
    plain = "**Hull**\n\nBody\n\nSo `x^2`, a rope[7].\n\n---\n\n7. Hemp\n"
    for none in ("none", []):
        document = dehusk.Extractor(extractor="all-text", markdown=True, content=True, markdown_extensions=none).document(page)
        assert document.markdown == plain
        assert dehusk.render_content(json.dumps(document.content), "markdown", markdown_extensions=none) == plain
    document = dehusk.Extractor(extractor="all-text", markdown=True, markdown_extensions=["footnotes", "dollars"]).document(page)
    assert document.markdown == "**Hull**\n\nBody\n\nSo $x^2$, a rope[^7].\n\n[^7]: Hemp\n"
    with pytest.raises(dehusk.OptionError, match="`emoji` is no extension"):
        dehusk.Extractor(markdown_extensions="footnotes,emoji")
    with pytest.raises(dehusk.OptionError, match="`emoji` is no extension"):
        dehusk.render_content({"version": 1, "blocks": []}, "markdown", markdown_extensions=["emoji"])
