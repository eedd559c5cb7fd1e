//! Pages built by the fuzzer: trees of tags, attributes, texts and scripts that the input chooses, or raw
//! bytes.

use std::borrow::Cow;

use arbitrary::{Result, Unstructured};

/// Largest length of a built page, in bytes. Longer pages find nothing new and slow the fuzzer down.
const LONGEST: usize = 8 << 10;

/// Returns the page of an input. An input whose first byte is 1 to 8 is a recipe for a page. Any other
/// input is the page itself, so that a corpus can contain real pages, which libFuzzer mutates and splices.
pub(crate) fn page(input: &[u8]) -> Cow<'_, [u8]> {
    match input.split_first() {
        Some((1..=8, recipe)) => {
            let mut page = String::new();
            // A recipe ends when its bytes are used up, which is not an error.
            let _ = build(&mut page, &mut Unstructured::new(recipe));
            Cow::Owned(page.into_bytes())
        }
        _ => Cow::Borrowed(input),
    }
}

/// Appends the page of a recipe.
fn build(page: &mut String, input: &mut Unstructured<'_>) -> Result<()> {
    let mut open: Vec<&str> = Vec::new();
    // Starts of the pieces so far, for `repeat`. The first is the start of the page.
    let mut starts = vec![0];
    while !input.is_empty() && page.len() < LONGEST {
        starts.push(page.len());
        match input.int_in_range(0..=11)? {
            0..=3 => {
                let tag = input.choose(TAGS)?;
                page.push('<');
                page.push_str(tag);
                for _ in 0..input.int_in_range(0..=3)? {
                    attribute(page, input)?;
                }
                page.push('>');
                open.push(tag);
            }
            // Closes the element that was opened last, so that most elements are properly nested.
            4 | 5 => close(page, open.pop().unwrap_or("p")),
            // Closes any element, which is mostly not the one that was opened last.
            6 => close(page, input.choose(TAGS)?),
            7..=9 => page.push_str(input.choose(TEXTS)?),
            10 => {
                let length = input.int_in_range(1..=24)?;
                page.push_str(&String::from_utf8_lossy(input.bytes(length)?));
            }
            _ => repeat(page, &starts, input)?,
        }
    }
    Ok(())
}

/// Appends an end tag.
fn close(page: &mut String, tag: &str) {
    page.push_str("</");
    page.push_str(tag);
    page.push('>');
}

/// Appends the last few pieces up to 200 times.
fn repeat(page: &mut String, starts: &[usize], input: &mut Unstructured<'_>) -> Result<()> {
    let back = input.int_in_range(1..=6)?;
    // The last start is that of this piece, which is still empty.
    let start = starts[starts.len().saturating_sub(back + 1)];
    let piece = page[start..].to_owned();
    for _ in 0..input.int_in_range(1..=200)? {
        if page.len() + piece.len() > LONGEST {
            break;
        }
        page.push_str(&piece);
    }
    Ok(())
}

/// Appends an attribute with a name and a value of the lists, in either kind of quotes or none.
fn attribute(page: &mut String, input: &mut Unstructured<'_>) -> Result<()> {
    page.push(' ');
    page.push_str(input.choose(NAMES)?);
    let quote = input.choose(&["\"", "'", ""])?;
    page.push('=');
    page.push_str(quote);
    page.push_str(input.choose(VALUES)?);
    page.push_str(quote);
    Ok(())
}

#[rustfmt::skip]
const TAGS: &[&str] = &[
    "p", "div", "a", "table", "tr", "td", "th", "tbody", "caption", "ul", "ol", "li", "dl", "dt", "dd", "h1", "h2", "h3", "article",
    "section", "main", "nav", "aside", "footer", "header", "blockquote", "pre", "code", "span", "b", "i", "em", "strong", "br", "hr",
    "img", "figure", "figcaption", "picture", "source", "video", "iframe", "form", "input", "select", "option", "textarea", "button",
    "script", "style", "noscript", "template", "title", "meta", "link", "base", "head", "body", "html", "svg", "math", "mi", "mtext",
    "annotation", "foreignObject", "details", "summary", "time", "address", "sub", "sup", "ruby", "rt", "x-y", "font", "frameset",
];

#[rustfmt::skip]
const NAMES: &[&str] = &[
    "class", "id", "href", "src", "style", "hidden", "alt", "title", "colspan", "rowspan", "start", "value", "type", "rel", "name",
    "content", "property", "itemprop", "itemscope", "itemtype", "role", "datetime", "lang", "dir", "srcset", "data-src", "onclick",
    "aria-hidden", "http-equiv", "charset", "scope", "display", "cite",
];

#[rustfmt::skip]
const VALUES: &[&str] = &[
    "comment", "comments", "post", "article-body", "sidebar", "nav menu", "byline author", "date", "c1 c2 c3", "/a/b?c=d#e", "../..",
    "http://a.example/", "javascript:alert(1)", " JaVa\tscript:x", "data:text/html,<script>", "//[::1", "http://%zz/", "display:none",
    "display: none !important", "visibility:hidden", "0", "-1", "9", "65535", "99999999999999999999", "1", "og:title", "article:author",
    "article:published_time", "2024-05-01", "2024-13-45T99:99", "description", "author", "keywords", "canonical", "refresh",
    "application/ld+json", "text/html; charset=koi8-r", "x 2x, y 100w,, ", "http://schema.org/Comment", "text", "headline", "en",
    "ru-RU", "rtl", "<script>alert(1)</script>", "&quot;&gt;&lt;b&gt;", "\u{202e}", "`", "|", "\n", "true", "none", "block",
    "language-rust", "math/tex", "reply depth-3",
];

#[rustfmt::skip]
const TEXTS: &[&str] = &[
    "The river rose overnight, after three days of rain, and flooded the meadows by the old mill. ",
    "Nobody was hurt, said the mayor, but the bridge, which is older than the town, is closed until spring. ",
    "word ", "12 ", "река вышла из берегов, и мост закрыли. ", "中文字，没有空格。", "Read more", "Share", "Home", "by Ann Bell",
    "2 May 2024, 14:05", "5 comments", "Reply", "&lt;script&gt;", "&amp;", "&nbsp;", "&#0;", "&#x202e;", "\0", "\n", "\r\n", "\t",
    "| a | b |", "* ", "1. ", "# ", "---", "```", "![](", "](http://x", "\\", "<", ">", "<!--", "-->", "<![CDATA[", "]]>",
    "<!DOCTYPE html>", "</script>", "$$x^2$$", "\\(a\\)", "\u{200b}", "\u{feff}", "\u{1f469}\u{200d}\u{1f680}", "e\u{301}",
    "{\"@context\":\"https://schema.org\",\"@type\":\"NewsArticle\",\"headline\":\"Rivers\",\"author\":[{\"name\":\"Ann Bell\"}],\"comment\":[{\"text\":\"So it goes\"}]}",
    "{\"@graph\":[[[[[[[[{\"@type\":[\"Article\"],\"articleBody\":\"The river rose overnight\"", "\"", "&lt;b&gt;", "]]]]]]",
];
