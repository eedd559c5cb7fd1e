//! Hostile documents of any length for the steps after the parser: texts, names, scripts and metadata.

use dehusk_html::parser::shapes::{Shape, numbered, repeat};

/// All shapes.
#[rustfmt::skip]
#[allow(unreachable_pub)] // public with the feature only
pub const PAGE_SHAPES: &[Shape] = &[
    // Texts.
    ("text: paragraphs of a letter", |n| repeat("<p>x", n)),
    ("text: one paragraph", |n| format!("<p>{}", repeat("The river rose overnight, and the meadows were under water. ", n))),
    ("text: one word", |n| format!("<p>{}", "x".repeat(n))),
    ("text: combining marks", |n| format!("<p>a{}", repeat("\u{301}", n))),
    ("text: no width", |n| format!("<p>a{}", repeat("\u{200B}", n))),
    ("text: white space", |n| format!("<p>a{}b", repeat(" \n\t\u{A0}", n))),
    ("text: line breaks", |n| repeat("x<br>", n)),
    ("text: links", |n| repeat("<a href=/x>y</a> ", n)),
    ("text: links in a paragraph", |n| format!("<p>{}", repeat("<a href=/x>y</a> ", n))),
    ("text: images in a paragraph", |n| format!("<p>Some words, and others. {}", repeat("<img src=a>", n))),
    ("text: lines in parts", |n| repeat("<p><span>x</span> <small>y</small> <img>", n)),
    ("text: one line in parts", |n| repeat("<small>y</small> ", n)),
    ("text: headings", |n| repeat("<h2>A heading</h2><p>Some text that goes on, and on.</p>", n)),
    ("text: signs", |n| repeat("<li>$5 (c) | » © 2001 ", n)),
    ("text: a list", |n| format!("<ul>{}</ul>", repeat("<li>an item of it</li>", n))),
    ("text: a table", |n| format!("<table>{}", repeat("<tr><th>a<td>b", n))),
    ("text: quotes", |n| repeat("<blockquote>x", n)),
    ("text: code", |n| repeat("<pre>x\n</pre>", n)),
    ("text: Chinese", |n| repeat("<p>夜里河水漫过堤岸，淹没了老磨坊旁边的草地。", n)),
    ("text: one Chinese paragraph", |n| format!("<p>{}", repeat("夜里河水漫过堤岸，", n))),
    ("text: Russian", |n| repeat("<p>Ночью река вышла из берегов, и луга стояли под водой.", n)),
    ("text: formulas", |n| repeat("<math><mi>x</math> $$x$$ \\(y\\) ", n)),
    ("text: formulas in scripts", |n| repeat("<script type='math/tex'>x</script>", n)),
    ("text: noscript", |n| format!("<noscript>{}</noscript>", repeat("<p>Some text that is here.</p>", n))),
    ("text: hidden", |n| repeat("<div hidden>x", n)),
    // Names and kinds of elements.
    ("names: two of each element", |n| numbered(n, |i| format!("<div class='a{i} b{i}'>x</div>"))),
    ("names: one long class", |n| format!("<div class='{}'><p>Some text.", repeat("sidebar comment ", n))),
    ("names: a long style", |n| format!("<p style='{}'>x", repeat("display:block;", n))),
    ("names: comments", |n| numbered(n, |i| format!("<div class='comment c{i}'><p>The text of one, by someone.</p></div>"))),
    ("names: comments in comments", |n| repeat("<div class=comment>x", n)),
    ("names: articles", |n| repeat("<article><p>Some text, and more of it, here.</article>", n)),
    ("names: bars of buttons", |n| repeat("<p>Some text, and more of it, in a row.<p class=share>x", n)),
    ("names: main", |n| repeat("<main>x", n)),
    // What a page says about itself.
    ("data: a long title", |n| format!("<title>{}</title><p>word - word", repeat("word - ", n))),
    ("data: a long title and short lines", |n| format!("<title>{}</title>", repeat("a | b ", n / 2)) + &repeat("<p>a b c", n / 2)),
    ("data: the title in every heading", |n| "<title>One two three four</title>".to_owned() + &repeat("<h1>One two three four</h1>", n)),
    ("data: one author", |n| repeat("<meta name=author content='A B'>", n)),
    ("data: authors", |n| numbered(n, |i| format!("<meta name=author content='A {i}'>"))),
    ("data: subjects", |n| numbered(n, |i| format!("<meta property=article:tag content='A {i}'>"))),
    ("data: keywords", |n| format!("<meta name=keywords content='{}'>", numbered(n, |i| format!("k{i}, ")))),
    ("data: addresses", |n| numbered(n, |i| format!("<link rel=canonical href=/{i}>"))),
    ("data: marked authors", |n| repeat("<div itemprop=author>", n)),
    ("data: links of authors and subjects", |n| repeat("<a rel=author href=x>a</a><a rel=tag href=x>b</a>", n)),
    ("data: times", |n| repeat("<time datetime=x>y</time><p itemprop=datePublished>z", n)),
    ("data: nested lists in JSON", |n| format!("<script type=application/ld+json>{}", repeat("[", n))),
    ("data: articles in JSON", |n| {
        let article = r#"<script type=application/ld+json>{"@type":"Article","author":"x","articleBody":"Some text of it"}</script>"#;
        repeat(article, n)
    }),
    ("data: a list of articles in JSON", |n| {
        format!("<script type=application/ld+json>[{}{{}}]</script><p>x", repeat(r#"{"@type":"Article","articleBody":"text"},"#, n))
    }),
    ("data: broken JSON", |n| repeat(r#"<script type=application/ld+json>{"@type":</script>"#, n)),
    ("data: a state", |n| {
        let entry = r#""k":{"title":"The title of it","body":"Some text."},"#;
        format!("<title>The title of it</title><script>window.__STATE__={{{}\"a\":1}}</script>", repeat(entry, n))
    }),
    ("data: a nested state", |n| format!("<script id=__NEXT_DATA__ type=application/json>{}</script>", repeat(r#"{"a":["#, n))),
    ("data: braces in a script", |n| format!("<script>{}</script>", repeat(r#"{"a":"#, n))),
    ("data: scripts", |n| repeat(r#"<script>var a = {"text": "abc"};</script>"#, n)),
];
