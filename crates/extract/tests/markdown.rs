//! Markdown reads as it is meant: a reader of CommonMark makes of it what the HTML of the same page says.
//!
//! Both are turned into one line of marks and words. What differs by the nature of Markdown is left out on both sides: paragraphs in items, in cells
//! and in notes, heads of tables and spans, blocks in cells, signs of addresses that Markdown escapes, links of code blocks, the numbers of items but the first, titles of works and variables, which have no marks.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a failed test may panic")]

use std::fmt::Write as _;

use dehusk_extract::document::MarkdownExtensions;
use dehusk_extract::{Options, Page, extract};
use dehusk_html::Parser;
use dehusk_html::tree::{Dom, NodeId, Tag};
use proptest::prelude::*;
use pulldown_cmark::{CodeBlockKind, Event, Options as Reading, Tag as Read, TagEnd};

fn options() -> Options {
    Options::default()
        .with_extractor("all-text")
        .unwrap()
        .with_markdown(true)
        .with_html(true)
        .with_links(true)
        .with_images(true)
}

/// What is written of a page, and what is read: equal if the Markdown reads as it is meant.
fn forms(html: &str) -> (String, String, String) {
    let got = extract(&page(html), &options());
    let markdown = got.markdown.unwrap();
    (
        of_html(&got.html.unwrap()),
        of_markdown(&markdown, EXTENSIONS),
        markdown,
    )
}

/// Markdown without extensions, read by a renderer without extensions.
fn plain_forms(html: &str) -> (String, String, String) {
    let got = extract(
        &page(html),
        &options().with_markdown_extensions(MarkdownExtensions::NONE),
    );
    let markdown = got.markdown.unwrap();
    (
        of_html(&got.html.unwrap()),
        of_markdown(&markdown, Reading::empty()),
        markdown,
    )
}

fn page(html: &str) -> Page<'_> {
    Page::decoded(html).with_url(Some("http://h.example/a/b"))
}

/// Extensions of a reader for what dehusk writes by default.
const EXTENSIONS: Reading = Reading::ENABLE_FOOTNOTES
    .union(Reading::ENABLE_MATH)
    .union(Reading::ENABLE_DEFINITION_LIST);

/// Marks and words, one space between words.
#[derive(Default)]
struct Trace {
    out: String,
    /// Cells around: in them blocks are not blocks.
    cells: usize,
}

impl Trace {
    fn mark(&mut self, mark: &str) {
        while self.out.ends_with(' ') {
            self.out.pop();
        }
        self.out.push_str(mark);
    }

    fn block(&mut self, mark: &str) {
        if self.cells == 0 {
            self.mark(mark);
        }
    }

    fn inline(&mut self, mark: &str) {
        self.out.push_str(mark);
    }

    fn text(&mut self, text: &str) {
        for c in text.chars() {
            if c.is_whitespace() {
                if !self.out.ends_with([' ', '\n', '⟩']) {
                    self.out.push(' ');
                }
            } else {
                self.out.push(c);
            }
        }
    }

    /// Without empty marks and with breaks at the end of blocks left out.
    fn finish(self) -> String {
        let mut out = self.out;
        for _ in 0..3 {
            out = out
                .replace("⟨br⟩⟨", "⟨")
                .replace("⟨p⟩⟨/p⟩", "")
                .replace(" ⟨/", "⟨/");
        }
        out.replace("⟩⟨", "⟩\n⟨").trim().to_owned()
    }
}

fn inline_name(name: &str) -> Option<&'static str> {
    Some(match name {
        "em" => "em",
        "strong" => "strong",
        "del" => "del",
        "ins" => "ins",
        "mark" => "mark",
        "sub" => "sub",
        "sup" => "sup",
        "ruby" => "ruby",
        "rt" => "rt",
        _ => return None,
    })
}

/// An address as Markdown has it.
fn escaped_address(address: &str) -> String {
    let escapes = [
        (" ", "%20"),
        ("(", "%28"),
        (")", "%29"),
        ("<", "%3C"),
        (">", "%3E"),
        ("\\", "%5C"),
    ];
    escapes
        .iter()
        .fold(address.to_owned(), |address, (sign, escape)| {
            address.replace(sign, escape)
        })
}

fn of_html(html: &str) -> String {
    let (dom, _) = Parser::default().parse(html);
    let mut trace = Trace::default();
    let mut open: Vec<(NodeId, String, bool)> = Vec::new();
    let mut walk = dom.preorder(NodeId::DOCUMENT);
    let close = |trace: &mut Trace, (_, mark, inline): (NodeId, String, bool)| {
        if mark == "⟨/cell⟩" {
            trace.cells -= 1;
            trace.mark("⟨/cell⟩");
        } else if mark.is_empty() {
        } else if inline {
            trace.inline(&mark);
        } else {
            trace.block(&mark);
        }
    };
    while let Some(node) = walk.next() {
        let parent = dom.parent(node);
        while let Some(ended) = open.pop_if(|(id, ..)| Some(*id) != parent) {
            close(&mut trace, ended);
        }
        if dom.is_text(node) {
            let in_code = dom.ancestors(node).any(|at| dom.html_tag(at) == Some(Tag::PRE));
            let text = dom.text(node);
            let layout = |tag| {
                matches!(
                    tag,
                    Tag::UL
                        | Tag::OL
                        | Tag::DL
                        | Tag::TABLE
                        | Tag::TR
                        | Tag::BLOCKQUOTE
                        | Tag::FIGURE
                        | Tag::BODY
                        | Tag::SECTION
                        | Tag::THEAD
                        | Tag::TBODY
                )
            };
            if in_code {
                trace.out.push_str(&text);
            } else if !(text.trim().is_empty() && parent.and_then(|id| dom.html_tag(id)).is_some_and(layout))
            {
                trace.text(&text);
            }
            continue;
        }
        let Some(tag) = dom.html_tag(node) else {
            if dom.name(node) == "math" {
                trace.inline("⟨math⟩");
                walk.skip_subtree(node);
            }
            continue;
        };
        let name = dom.name(node).to_owned();
        let (start, end, inline) = match tag {
            _ if inline_name(&name).is_some() && !is_note_call(&dom, node) => {
                (format!("⟨{name}⟩"), format!("⟨/{name}⟩"), true)
            }
            Tag::Q => ("“".to_owned(), "”".to_owned(), true),
            Tag::CODE | Tag::KBD | Tag::SAMP if parent.and_then(|id| dom.html_tag(id)) != Some(Tag::PRE) => {
                ("⟨code⟩".to_owned(), "⟨/code⟩".to_owned(), true)
            }
            Tag::SUP => {
                let number = dom.text_content(node);
                trace.inline(&format!("⟨note {}⟩", number.trim()));
                walk.skip_subtree(node);
                continue;
            }
            // Markdown has no place for links of code blocks.
            Tag::A if dom.ancestors(node).any(|id| dom.html_tag(id) == Some(Tag::PRE)) => {
                (String::new(), String::new(), true)
            }
            Tag::A => {
                // In a figure a link around an image stands by itself.
                let alone = trace.cells == 0 && parent.and_then(|id| dom.html_tag(id)) == Some(Tag::FIGURE);
                let (before, after) = if alone { ("⟨p⟩", "⟨/p⟩") } else { ("", "") };
                if alone {
                    trace.block(before);
                }
                let target = escaped_address(&dom.attr(node, "href").unwrap());
                (format!("⟨a {target}⟩"), format!("⟨/a⟩{after}"), true)
            }
            Tag::IMG => {
                let alone = parent.and_then(|id| dom.html_tag(id)) == Some(Tag::FIGURE);
                if alone {
                    trace.block("⟨p⟩");
                }
                trace.inline(&format!(
                    "⟨img {} {}⟩",
                    escaped_address(&dom.attr(node, "src").unwrap()),
                    dom.attr(node, "alt").unwrap_or_default()
                ));
                if alone {
                    trace.block("⟨/p⟩");
                }
                continue;
            }
            Tag::BR => {
                trace.mark("⟨br⟩");
                continue;
            }
            Tag::RP => {
                walk.skip_subtree(node);
                continue;
            }
            Tag::INPUT => {
                trace.block(if dom.attr(node, "checked").is_some() {
                    "⟨x⟩"
                } else {
                    "⟨o⟩"
                });
                continue;
            }
            Tag::H1
            | Tag::H2
            | Tag::H3
            | Tag::H4
            | Tag::H5
            | Tag::H6
            | Tag::UL
            | Tag::BLOCKQUOTE
            | Tag::DL => (format!("⟨{name}⟩"), format!("⟨/{name}⟩"), false),
            Tag::OL if parent.and_then(|id| dom.html_tag(id)) == Some(Tag::SECTION) => {
                (String::new(), String::new(), false)
            }
            Tag::OL => {
                let first = dom
                    .children(node)
                    .find(|child| dom.html_tag(*child) == Some(Tag::LI));
                let number =
                    |id: NodeId, name: &str| dom.attr(id, name).and_then(|value| value.parse::<i64>().ok());
                let start = first
                    .and_then(|first| number(first, "value"))
                    .or_else(|| number(node, "start"))
                    .unwrap_or(1);
                (
                    format!("⟨ol {}⟩", start.clamp(0, 999_999_999)),
                    "⟨/ol⟩".to_owned(),
                    false,
                )
            }
            Tag::LI | Tag::DT | Tag::DD => (format!("⟨{name}⟩"), format!("⟨/{name}⟩"), false),
            Tag::P => {
                // Items, cells and the like hold the paragraph itself in one of both forms.
                let outer = parent.and_then(|id| dom.html_tag(id));
                let within = matches!(outer, Some(Tag::LI | Tag::DD | Tag::TD | Tag::TH));
                (
                    if within { " " } else { "⟨p⟩" }.to_owned(),
                    if within { " " } else { "⟨/p⟩" }.to_owned(),
                    false,
                )
            }
            Tag::FIGCAPTION | Tag::CAPTION => ("⟨p⟩".to_owned(), "⟨/p⟩".to_owned(), false),
            Tag::PRE => {
                let code = dom.find(node, Tag::CODE).unwrap();
                let class = dom.attr(code, "class").unwrap_or_default().into_owned();
                (
                    format!("⟨pre {}⟩", class.trim_start_matches("language-")),
                    "⟨/pre⟩".to_owned(),
                    false,
                )
            }
            Tag::TABLE => ("⟨table⟩".to_owned(), "⟨/table⟩".to_owned(), false),
            Tag::TD | Tag::TH
                if dom.text_content(node).trim().is_empty() && dom.find(node, Tag::IMG).is_none() =>
            {
                walk.skip_subtree(node);
                continue;
            }
            Tag::TD | Tag::TH => {
                trace.mark("⟨cell⟩");
                trace.cells += 1;
                open.push((node, "⟨/cell⟩".to_owned(), false));
                continue;
            }
            _ => (String::new(), String::new(), false),
        };
        if inline {
            trace.inline(&start);
        } else if !start.is_empty() {
            trace.block(&start);
        }
        open.push((node, end, inline));
    }
    while let Some(ended) = open.pop() {
        close(&mut trace, ended);
    }
    // TeX between its delimiters, which stand in one text.
    let mut out = trace.finish();
    for (open, close) in [("\\(", "\\)"), ("\\[", "\\]")] {
        let mut from = 0;
        while let Some(start) = out[from..].find(open).map(|at| from + at) {
            let text = out[start..].split('⟨').next().unwrap_or_default();
            let Some(end) = text.find(close) else {
                from = start + open.len();
                continue;
            };
            out.replace_range(start..start + end + close.len(), "⟨math⟩");
            from = start + "⟨math⟩".len();
        }
    }
    normal(&out)
}

fn is_note_call(dom: &Dom<'_>, node: NodeId) -> bool {
    dom.html_tag(node) == Some(Tag::SUP)
        && dom.find(node, Tag::A).is_some_and(|link| {
            dom.attr(link, "href")
                .is_some_and(|href| href.starts_with("#fn-"))
        })
}

fn of_markdown(markdown: &str, extensions: Reading) -> String {
    let reading =
        Reading::ENABLE_TABLES | Reading::ENABLE_STRIKETHROUGH | Reading::ENABLE_TASKLISTS | extensions;
    let mut trace = Trace::default();
    // What holds the innermost blocks: in items and the like, paragraphs are not marked.
    let mut holders: Vec<bool> = Vec::new();
    let mut image: Option<String> = None;
    let mut in_code = false;
    let mut notes = String::new();
    for event in pulldown_cmark::Parser::new_ext(markdown, reading) {
        if let Some(alt) = &mut image {
            match event {
                Event::Text(text) | Event::Code(text) => alt.push_str(&text),
                Event::End(TagEnd::Image) => {
                    let alt = image.take().unwrap();
                    trace.inline(&format!("{alt}⟩"));
                }
                _ => {}
            }
            continue;
        }
        match event {
            Event::Start(tag) => match tag {
                Read::Paragraph => trace.block(if holders.last() == Some(&true) {
                    " "
                } else {
                    "⟨p⟩"
                }),
                Read::Heading { level, .. } => trace.block(&format!("⟨{level}⟩")),
                Read::BlockQuote(_) => {
                    holders.push(false);
                    trace.block("⟨blockquote⟩");
                }
                Read::CodeBlock(kind) => {
                    in_code = true;
                    let language = match kind {
                        CodeBlockKind::Fenced(language) => language.to_string(),
                        CodeBlockKind::Indented => "indented".to_owned(),
                    };
                    trace.block(&format!("⟨pre {language}⟩"));
                }
                Read::List(None) => trace.block("⟨ul⟩"),
                Read::List(Some(start)) => trace.block(&format!("⟨ol {start}⟩")),
                Read::Item => {
                    holders.push(true);
                    trace.block("⟨li⟩");
                }
                Read::FootnoteDefinition(_) => {
                    holders.push(true);
                    trace.block("⟨li⟩");
                }
                Read::DefinitionList => trace.block("⟨dl⟩"),
                Read::DefinitionListTitle => trace.block("⟨dt⟩"),
                Read::DefinitionListDefinition => {
                    holders.push(true);
                    trace.block("⟨dd⟩");
                }
                Read::Table(_) => trace.block("⟨table⟩"),
                Read::TableCell => {
                    trace.mark("⟨cell⟩");
                    trace.cells += 1;
                }
                Read::Emphasis => trace.inline("⟨em⟩"),
                Read::Strong => trace.inline("⟨strong⟩"),
                Read::Strikethrough => trace.inline("⟨del⟩"),
                Read::Link { dest_url, .. } => trace.inline(&format!("⟨a {dest_url}⟩")),
                Read::Image { dest_url, .. } => {
                    trace.inline(&format!("⟨img {dest_url} "));
                    image = Some(String::new());
                }
                _ => {}
            },
            Event::End(tag) => match tag {
                TagEnd::Paragraph => trace.block(if holders.last() == Some(&true) {
                    " "
                } else {
                    "⟨/p⟩"
                }),
                TagEnd::Heading(level) => trace.block(&format!("⟨/{level}⟩")),
                TagEnd::BlockQuote(_) => {
                    holders.pop();
                    trace.block("⟨/blockquote⟩");
                }
                TagEnd::CodeBlock => {
                    in_code = false;
                    if trace.out.ends_with('\n') {
                        trace.out.pop();
                    }
                    trace.block("⟨/pre⟩");
                }
                TagEnd::List(true) => trace.block("⟨/ol⟩"),
                TagEnd::List(false) => trace.block("⟨/ul⟩"),
                TagEnd::Item | TagEnd::FootnoteDefinition => {
                    holders.pop();
                    trace.block("⟨/li⟩");
                }
                TagEnd::DefinitionList => trace.block("⟨/dl⟩"),
                TagEnd::DefinitionListTitle => trace.block("⟨/dt⟩"),
                TagEnd::DefinitionListDefinition => {
                    holders.pop();
                    trace.block("⟨/dd⟩");
                }
                TagEnd::Table => trace.block("⟨/table⟩"),
                TagEnd::TableCell => {
                    trace.cells -= 1;
                    if trace.out.trim_end().ends_with("⟨cell⟩") {
                        let end = trace.out.trim_end().len() - "⟨cell⟩".len();
                        trace.out.truncate(end);
                    } else {
                        trace.mark("⟨/cell⟩");
                    }
                }
                TagEnd::Emphasis => trace.inline("⟨/em⟩"),
                TagEnd::Strong => trace.inline("⟨/strong⟩"),
                TagEnd::Strikethrough => trace.inline("⟨/del⟩"),
                TagEnd::Link => trace.inline("⟨/a⟩"),
                _ => {}
            },
            Event::Text(text) if in_code => trace.out.push_str(&text),
            Event::Text(text) => trace.text(&text),
            Event::Code(text) => {
                trace.inline("⟨code⟩");
                trace.text(&text);
                trace.inline("⟨/code⟩");
            }
            Event::InlineMath(_) | Event::DisplayMath(_) => trace.inline("⟨math⟩"),
            Event::Html(html) | Event::InlineHtml(html) => {
                let name = html.trim_matches(['<', '>', '/']);
                if html.starts_with("<br") {
                    trace.mark("⟨br⟩");
                } else if let Some(name) = inline_name(name).or((name == "code").then_some("code")) {
                    let slash = if html.starts_with("</") { "/" } else { "" };
                    trace.inline(&format!("⟨{slash}{name}⟩"));
                } else {
                    write!(notes, "unexpected HTML: {html}").unwrap();
                }
            }
            Event::FootnoteReference(number) => trace.inline(&format!("⟨note {number}⟩")),
            Event::SoftBreak => trace.text(" "),
            Event::HardBreak => trace.mark("⟨br⟩"),
            Event::Rule => trace.mark("⟨hr⟩"),
            Event::TaskListMarker(checked) => trace.block(if checked { "⟨x⟩" } else { "⟨o⟩" }),
        }
    }
    normal(&trace.finish()) + &notes
}

/// Without what is no difference: spaces and breaks at the ends of blocks and cells, and breaks between blocks in cells.
fn normal(trace: &str) -> String {
    let mut out = trace.replace("⟨br⟩", " ");
    out = out.replace('\n', " ");
    let mut words = String::new();
    for word in out.split_whitespace() {
        words.push_str(word);
        words.push(' ');
    }
    for side in [("⟩ ", "⟩"), (" ⟨", "⟨")] {
        words = words.replace(side.0, side.1);
    }
    words.trim().to_owned()
}

#[track_caller]
fn check(html: &str) {
    let (written, read, markdown) = forms(html);
    assert_eq!(read, written, "\n{html}\n{markdown}");
}

#[test]
fn markdown_of_worked_examples_reads_as_it_is_meant() {
    for html in [
        "<p>One <b>two</b>, <i>three</i>.<h2>On <em>it</em></h2><p>a<br>b",
        "<p>它是<em>「強調」</em>です、<b>重要。</b>次に",
        "<p>a<b>b</b>c<i>d</i>e <i><b>f</b> g</i> <b><i>h</i></b> <i>i</i><b>j</b>",
        "<ul><li>a<ol start=3><li>b<li>c</ol><li>d</ul><ul><li>e</ul><ol><li>f</ol><ol><li>g</ol>",
        "<ul><li>a<ol><li>b</ol><li><p>c<p>d<pre>e\n\n  f</pre></ul>",
    ] {
        check(html);
    }
}

/// Further examples. A caption stands before its table in Markdown, and in it in HTML, so that none is among them.
#[test]
fn markdown_of_further_examples_reads_as_it_is_meant() {
    for html in [
        "<table><tr><th>a|b<th>c<tr><td><code>x|y</code><td>$d<tr><td colspan=2><p>$8 a term<p>($4 a lesson)</table>",
        "<blockquote><p>a<ul><li>b<blockquote>c</blockquote></ul></blockquote><p>d",
        "<dl><dt>a<dd>b<dt>c<dd><p>d<p>e</dl>",
        "<p>1. a<p># b<p>- c<p>+ d<p>&gt; e<p>===<p>---<p>a<br>---<p>*<p>_x_ y_z<p>~~a~~ ~b<p>`c`<p>[d](e)<p>![f]<p>&amp;amp; &lt;b>",
        "<p>Look!<a href=/x>here</a> and <a href=/y>[z]</a> <a href='/p (q)'><b>r</b> s</a>",
        "<p>costs $5, or 6$, or <img class=tex alt='x^2'>",
        "<p>from $80–$130, or <a href=/x?a=1&amp;amp;b>$5</a> to <a href=/y>$6</a>, <b>5</b>$",
        "<p>a<sup>2</sup> b<sub>i</sub> <q>c</q> <ruby>漢<rt>かん</rt></ruby> <del>d</del>e",
        "<p>Rope<sup><a href='#fn1' id=r1>1</a></sup>.<ol><li id=fn1>Hemp <a href='#r1'>↩</a></ol>",
        "<p>see <code>a`b</code>, <code>``</code> and <b><code>c</code></b>d",
        "<ul><li><input type=checkbox checked>a<li><input type=checkbox>b</ul>",
        "<figure><img src=a.png alt='b [c]'><figcaption>d</figcaption></figure>",
        "<p>a <video src='b c.mp4' title='d [e] * f'></video> g <audio src=h.mp3></audio><p><iframe src='//www.youtube.com/embed/x_y_z'></iframe>",
        "<p><video src=a.mp4 poster=b.png title='c*'></video><video poster=d.png></video><p>e<audio src='f&amp;amp;g'></audio>(h)",
        "<dl><dd>a<dt>b<dt>c</dl>",
    ] {
        check(html);
    }
}

/// Texts with signs of all kinds.
const TEXT: &str = "([a-z]{1,4}|[0-9]{1,2}[.)]|[-+*#>=_~`$!|:&<\\\\\\[\\]().,]{1,3}|中文|「」|。|é| | ){1,6}";

fn line() -> impl Strategy<Value = String> {
    let escaped = |text: String| text.replace('&', "&amp;").replace('<', "&lt;");
    let leaf = TEXT.prop_map(escaped);
    leaf.prop_recursive(3, 12, 3, |inner| {
        let names = prop::sample::select(vec![
            "b",
            "i",
            "em",
            "del",
            "sup",
            "code",
            "a href=/x",
            "span",
            "q",
        ]);
        prop_oneof![
            (names, inner.clone()).prop_map(|(name, inner)| {
                let end = name.split(' ').next().unwrap_or(name);
                format!("<{name}>{inner}</{end}>")
            }),
            prop::collection::vec(inner, 1..4).prop_map(|parts| parts.concat()),
        ]
    })
}

fn blocks() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        4 => line().prop_map(|line| format!("<p>{line}</p>")),
        1 => line().prop_map(|line| format!("<h3>{line}</h3>")),
        1 => "[a-z` \n]{1,20}".prop_map(|code| format!("<pre>x{code}</pre>")),
        1 => prop::collection::vec(line(), 4).prop_map(|cells| {
            format!("<table><tr><th>{}<th>{}<tr><td>{}<td>{}</table>", cells[0], cells[1], cells[2], cells[3])
        }),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let names = prop::sample::select(vec![
            ("ul", "li"),
            ("ol", "li"),
            ("ol start=4", "li"),
            ("blockquote", "div"),
        ]);
        prop_oneof![
            (names, prop::collection::vec(inner.clone(), 1..3)).prop_map(|((list, item), parts)| {
                let end = list.split(' ').next().unwrap_or(list);
                let items: String = parts
                    .iter()
                    .map(|part| format!("<{item}>{part}</{item}>"))
                    .collect();
                format!("<{list}>{items}</{end}>")
            }),
            prop::collection::vec(inner, 1..4).prop_map(|parts| parts.concat()),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn markdown_of_any_blocks_reads_as_it_is_meant(html in blocks()) {
        let (written, read, markdown) = forms(&html);
        prop_assert_eq!(read, written, "\n{}\n{}", html, markdown);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn markdown_without_extensions_reads_as_it_is_meant(html in blocks()) {
        let (written, read, markdown) = plain_forms(&html);
        // Formulas are code then.
        prop_assume!(!written.contains("⟨math⟩"));
        prop_assert_eq!(read, written, "\n{}\n{}", html, markdown);
    }
}

#[test]
fn markdown_without_extensions_has_notes_and_terms_as_lists_and_paragraphs() {
    let html = "<p>Rope<sup><a href='#fn3' id=r3>3</a></sup>, man<sup><a href='#fn9' id=r9>9</a></sup>.\
        <dl><dt>a<dd>b</dl><ol><li id=fn3>Hemp <a href='#r3'>↩</a><li id=fn9>Osgar <a href='#r9'>↩</a></ol>";
    let (_, read, markdown) = plain_forms(html);
    let want = "⟨p⟩Rope[3], man[9].⟨/p⟩⟨p⟩⟨strong⟩a⟨/strong⟩⟨/p⟩⟨p⟩b⟨/p⟩⟨hr⟩⟨ol 3⟩⟨li⟩Hemp⟨/li⟩⟨/ol⟩⟨ol 9⟩⟨li⟩Osgar⟨/li⟩⟨/ol⟩";
    assert_eq!(read, want, "{markdown}");
}

/// On the development pages, where there are some.
#[test]
fn markdown_of_real_pages_reads_as_it_is_meant() {
    let pages = std::env::var_os("DEHUSK_PAGES");
    let Some(folder) = pages else {
        eprintln!("skipped: DEHUSK_PAGES names no folder of pages");
        return;
    };
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    let (mut all, mut differing) = (0, 0);
    for path in paths {
        let bytes = std::fs::read(&path).unwrap();
        let got = extract(
            &Page::new(&bytes).with_url(Some("http://h.example/a/b")),
            &options().with_extractor("default").unwrap(),
        );
        let (written, read) = (
            of_html(&got.html.unwrap()),
            of_markdown(&got.markdown.unwrap(), EXTENSIONS),
        );
        all += 1;
        if read != written {
            differing += 1;
            let at = read
                .bytes()
                .zip(written.bytes())
                .position(|(a, b)| a != b)
                .unwrap_or(read.len().min(written.len()));
            let part = |text: &str| {
                let start = (0..=at.saturating_sub(60))
                    .rev()
                    .find(|i| text.is_char_boundary(*i))
                    .unwrap_or(0);
                text[start..].chars().take(140).collect::<String>()
            };
            eprintln!(
                "{}\n  read    {}\n  written {}",
                path.display(),
                part(&read),
                part(&written)
            );
        }
    }
    eprintln!("{differing} of {all} pages differ");
}
