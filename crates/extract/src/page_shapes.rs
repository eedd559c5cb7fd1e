//! Hostile documents of any length for the stages after the parser: texts, names, scripts and metadata.

use dehusk_html::parser::shapes::{Shape, numbered, repeat};
use serde::Serialize;

use crate::extracted::Extracted;

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
    ("text: a table by roles", |n| {
        format!("<div role=table>{}", repeat("<div role=row><i role=columnheader>a</i><i role=cell aria-colspan=2>b</i></div>", n))
    }),
    ("text: tables by roles", |n| repeat("<div role=table><div role=row><p role=cell>x", n)),
    ("text: a table by styles", |n| {
        let row = "<p style=display:table-row><i style=display:table-cell>a</i><i style=display:table-cell>b</i></p>";
        format!("<div style=display:table>{}", repeat(row, n))
    }),
    ("text: quotes", |n| repeat("<blockquote>x", n)),
    ("text: code", |n| repeat("<pre>x\n</pre>", n)),
    ("text: Chinese", |n| repeat("<p>夜里河水漫过堤岸，淹没了老磨坊旁边的草地。", n)),
    ("text: one Chinese paragraph", |n| format!("<p>{}", repeat("夜里河水漫过堤岸，", n))),
    ("text: Russian", |n| repeat("<p>Ночью река вышла из берегов, и луга стояли под водой.", n)),
    ("text: formulas", |n| repeat("<math><mi>x</math> $$x$$ \\(y\\) ", n)),
    ("text: formulas in scripts", |n| repeat("<script type='math/tex'>x</script>", n)),
    ("text: noscript", |n| format!("<noscript>{}</noscript>", repeat("<p>Some text that is here.</p>", n))),
    ("text: hidden", |n| repeat("<div hidden>x", n)),
    ("text: shadow roots of one element", |n| format!("<x-a>{}", repeat("<template shadowrootmode=open>x<slot></slot></template>", n))),
    ("text: streamed parts", |n| {
        numbered(n, |i| {
            format!("<template id=\"B:{i}\"></template><div hidden id=\"S:{i}\">x</div><script>$RC(\"B:{i}\",\"S:{i}\")</script>")
        })
    }),
    ("text: streamed parts in streamed parts", |n| {
        numbered(n, |i| {
            let inner = i + 1;
            format!("<div hidden id=\"S:{i}\">x<template id=\"B:{inner}\"></template></div><script>$RC(\"B:{i}\",\"S:{i}\")</script>")
        })
    }),
    // Names and kinds of elements.
    ("names: two of each element", |n| numbered(n, |i| format!("<div class='a{i} b{i}'>x</div>"))),
    ("names: one long class", |n| format!("<div class='{}'><p>Some text.", repeat("sidebar comment ", n))),
    ("names: a long style", |n| format!("<p style='{}'>x", repeat("display:block;", n))),
    ("names: comments", |n| numbered(n, |i| format!("<div class='comment c{i}'><p>The text of one, by someone.</p></div>"))),
    ("names: comments in comments", |n| repeat("<div class=comment>x", n)),
    ("names: articles", |n| repeat("<article><p>Some text, and more of it, here.</article>", n)),
    ("names: bars of buttons", |n| repeat("<p>Some text, and more of it, in a row.<p class=share>x", n)),
    ("names: main", |n| repeat("<main>x", n)),
    // Metadata.
    ("data: a long title", |n| format!("<title>{}</title><p>word - word", repeat("word - ", n))),
    ("data: a long title and short lines", |n| format!("<title>{}</title>", repeat("a | b ", n / 2)) + &repeat("<p>a b c", n / 2)),
    ("data: a long title and other headings", |n| {
        let words: String = (0..n / 8).map(|word| format!("w{word} ")).collect();
        format!("<title>{words}</title>") + &repeat("<h2>river rose</h2><p>a", n / 2)
    }),
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

/// First factor of a product: constructs that affect everything after them, either one long construct or many.
#[rustfmt::skip]
#[allow(unreachable_pub)] // public with the feature only
pub const OPENERS: &[Shape] = &[
    ("a long address", |n| format!("<a href='/{}'>", "x".repeat(n))),
    ("a long base address", |n| format!("<base href='https://a.example/{}/'>", "x".repeat(n))),
    ("a long style, reopened", |n| format!("<p><b style='{}'>", repeat("color:red;", n))),
    ("a long class, reopened", |n| format!("<p><i class='{}'>", repeat("sidebar comment ", n))),
    ("a long class", |n| format!("<div class='{}'>", repeat("comment post ", n))),
    ("a long class without a meaning", |n| format!("<div class='{}'>", repeat("c ", n))),
    ("a long id", |n| format!("<section id='{}'>", "x".repeat(n))),
    ("a long language", |n| format!("<html lang='{}'>", "ru-".repeat(n / 3))),
    ("a long title", |n| format!("<title>{}</title>", repeat("One two - ", n))),
    ("a long heading", |n| format!("<h1>{}</h1>", repeat("Word words ", n))),
    ("a content of many names", |n| format!("<meta content='{}' name='{}'>", "b ".repeat(n / 4), "author ".repeat(n / 14))),
    ("authors in JSON", |n| format!(r#"<script type=application/ld+json>{{"@type":"Article","author":[{}"z"]}}</script>"#, numbered(n, |i| format!("\"A{i}\",")))),
    ("rows of a program", |n| format!(r#"<script>self.__next_f.push([1,"{}:"])</script>"#, repeat("x\\n", n))),
    ("a state of a program", |n| format!(r#"<script>window.__STATE__={{"a":[{}"z"]}}</script>"#, repeat(r#""Some text of it.","#, n))),
    ("a comment of a long date", |n| format!("<div class=comment><p>Some text of it.</p><time datetime='{}'>", "x".repeat(n))),
    ("deep lists", |n| repeat("<ul><li>", n)),
    ("deep quotes", |n| repeat("<blockquote>", n)),
    ("deep elements", |n| repeat("<div class=a>", n)),
    ("many fonts", |n| numbered(n, |i| format!("<font color={i}>"))),
    ("a cell over all rows and columns", |n| format!("{}<table><tr><td colspan=1000 rowspan=65534>x", "<p>y".repeat(n / 4))),
    ("comments of readers", |n| numbered(n, |i| format!("<div class='comment c{i}'><p>The text of one, by someone."))),
    ("a table of words", |n| format!("<table>{}", repeat("<tr><th>a<td>b", n))),
    ("deep formulas in attributes", |n| repeat("<span data-tex=x>", n)),
    ("calls of notes", |n| numbered(n, |i| format!("<p>a<sup><a href=#n{i} id=r{i}>{i}</a></sup>"))),
    ("described words", |n| numbered(n, |i| format!("<p><span aria-describedby=n{i}>a</span>"))),
    ("words in described words", |n| repeat("<span aria-describedby=n1>a ", n)),
    ("deep players", |n| repeat("<object><video>", n)),
    ("text in noscript", |n| format!("<noscript>{}</noscript>", repeat("<p>Some text that is here.</p>", n))),
];

/// Second factor of a product: short constructs, repeated many times.
#[rustfmt::skip]
#[allow(unreachable_pub)] // public with the feature only
pub const REPEATED: &[Shape] = &[
    ("paragraphs of a letter", |n| repeat("<p>x", n)),
    ("paragraphs of words", |n| repeat("<p>The river rose overnight, and the meadows were under water.", n)),
    ("rows", |n| repeat("<tr><td>x", n)),
    ("cells", |n| repeat("<td>x", n)),
    ("cells with spans", |n| repeat("<td colspan=9 rowspan=9>x", n)),
    ("items", |n| repeat("<li>x", n)),
    ("terms", |n| repeat("<dt>x<dd>y", n)),
    ("notes", |n| numbered(n, |i| format!("<li id=n{i}>x <a href=#r{i}>y</a>"))),
    ("formulas in attributes", |n| repeat("<span data-tex=x>y</span> ", n)),
    ("readings", |n| repeat("<ruby>x<rt>y</ruby>", n)),
    ("links", |n| repeat("<a href=x>y</a> ", n)),
    ("links in paragraphs", |n| repeat("<p>z <a href=x>y</a>", n)),
    ("images", |n| repeat("<p>z<img src=a>", n)),
    ("frames of players", |n| repeat("<p>z<iframe src=//www.youtube.com/embed/x></iframe>", n)),
    ("videos", |n| repeat("<video src=a poster=b title=c></video> ", n)),
    ("notes by their role", |n| numbered(n, |i| format!("<div role=note id=n{i}>x</div>"))),
    ("headings", |n| repeat("<h2>Word words</h2>", n)),
    ("phrases", |n| repeat("<span>x</span> ", n)),
    ("line breaks", |n| repeat("x<br>", n)),
    ("authors", |n| repeat("<b itemprop=author>x</b>", n)),
    ("dates", |n| repeat("<time datetime=x>y</time>", n)),
    ("scripts", |n| repeat(r#"<script>var a = {"text": "abc"};</script>"#, n)),
    ("comments", |n| repeat("<div class=comment><p>Some text of it.</p></div>", n)),
    ("posts", |n| {
        let post = "<div class=post><a class=username href=/u/a>a</a> <time datetime=2024-03-05>x</time><p>Some text of it, and more.</p></div>";
        repeat(post, n)
    }),
    ("rows of posts", |n| repeat("<tr><td><a href=/u/a>a</a> 5 March 2024</tr><tr><td>Some text of it, and more.</tr>", n)),
    ("posts in posts", |n| repeat("<div class=post><a class=username href=/u/a>a</a> <time datetime=2024-03-05>x</time><p>Some text.</p>", n)),
    ("sections", |n| repeat("<section><p>x</section>", n)),
    ("tables", |n| repeat("<table><tr><td>a<td>b<tr><td>c<td>d</table>", n)),
    ("code", |n| repeat("<pre>x\n</pre>", n)),
    ("hidden", |n| repeat("<div hidden>x</div>", n)),
    ("shadow roots", |n| repeat("<template shadowrootmode=open>x<slot></slot></template>", n)),
    ("sentences before comments", |n| {
        let text = repeat("<p>The river rose overnight, and the meadows were under water.", n / 2);
        text + &repeat("<div class=comment><p>Some text of it, by a reader.</p></div>", n / 2)
    }),
    ("sentences twice", |n| {
        let text = numbered(n / 2, |i| format!("<p>The river {i} rose overnight, and all the meadows {i} were under water.</p>"));
        format!("<div>{text}</div><section><div>{text}</div></section>")
    }),
];

/// A page of about `bytes` bytes: the first half is the shape `opener`, the second half repeats the other shape within it.
#[allow(unreachable_pub)] // public with the feature only
pub fn product(opener: Shape, repeated: Shape, bytes: usize) -> String {
    opener.1(bytes / 2) + &repeated.1(bytes / 2)
}

/// Length in bytes of the longest form of a result.
///
/// Typed forms are measured as JSON with each list entry on its own line, their longest notation.
#[allow(unreachable_pub)] // public with the feature only
pub fn longest_form(got: &Extracted) -> usize {
    let text = |form: &Option<String>| form.as_ref().map_or(0, String::len);
    let forms = [
        got.text.len(),
        text(&got.markdown),
        text(&got.html),
        got.content.as_ref().map_or(0, |content| {
            json(content) + LINE * (content.blocks.len() + content.notes.len() + 4)
        }),
        list(got.tables.as_deref()),
        list(got.blocks.as_deref()),
        list(got.comments.as_deref()),
        json(&got.metadata),
    ];
    forms.into_iter().max().unwrap_or(0)
}

/// Line feed plus indentation of a list entry, in bytes.
const LINE: usize = 5;

fn list(entries: Option<&[impl Serialize]>) -> usize {
    json(&entries) + LINE * entries.map_or(0, <[_]>::len)
}

fn json(form: &impl Serialize) -> usize {
    // Strings, numbers and lists of them can always be written as JSON.
    serde_json::to_string(form).map_or(usize::MAX, |text| text.len())
}
