//! Code blocks: their text and their language.

use std::borrow::Cow;
use std::ops::Range;

use crate::analysis::blocks::elements::is_phrasing;
use crate::build::shown::is_invisible;
use dehusk_html::tree::{AttrName, Dom, NodeId, Tag};

/// Longest attribute, in bytes, that may name a language. The attributes of elements around several code
/// blocks are read again for each block, so they must be short.
const MOST: usize = 1024;
/// Maximum number of elements around a code block that may name its language.
const MAX_STEPS: usize = 6;

/// Whether a `pre` holds only code; any other `pre` is read as the blocks inside it.
pub(super) fn is_code(dom: &Dom<'_>, pre: NodeId) -> bool {
    let is_other = |id: NodeId| {
        matches!(
            dom.html_tag(id),
            Some(Tag::PRE | Tag::ARTICLE | Tag::SECTION | Tag::BLOCKQUOTE | Tag::FIGURE)
        ) || dom.html_tag(id).is_some_and(|tag| tag.heading_level().is_some())
    };
    !dom.preorder(pre).skip(1).any(is_other)
}

/// A code block with its links, before addresses are resolved.
pub(super) struct FoundCode {
    /// Its text.
    pub(super) text: String,
    /// Byte ranges of the links in `text`, in order, and their addresses as written.
    pub(super) links: Vec<(Range<usize>, String)>,
}

/// Text of a code block without line numbers, and its links. Block-level elements inside start a new line.
///
/// `is_kept` selects the kept texts. If they make up at least half of the bytes, all texts are returned.
pub(super) fn code_text(dom: &Dom<'_>, pre: NodeId, is_kept: impl Fn(NodeId) -> bool) -> FoundCode {
    // First pass: bytes of all texts and of the kept texts. White space counts as kept.
    let (mut all, mut of_kept) = (0, 0);
    let mut walk = dom.preorder(pre);
    while let Some(node) = walk.next() {
        if is_invisible(dom, node) {
            walk.skip_subtree(node);
        }
        if !dom.is_text(node) {
            continue;
        }
        let bytes = dom.raw_text(node).len();
        all += bytes;
        of_kept += if is_kept(node) || dom.raw_text(node).trim().is_empty() {
            bytes
        } else {
            0
        };
    }
    let whole = 2 * of_kept >= all;
    let mut code = Code::default();
    let mut has_numbers = false;
    // Open elements, each with the start of its line if it has one.
    let mut open: Vec<(NodeId, Option<usize>)> = Vec::new();
    let mut walk = dom.preorder(pre);
    walk.next();
    while let Some(node) = walk.next() {
        let parent = dom.parent(node);
        // Close the elements that do not contain `node`.
        while let Some((id, line)) = open.pop_if(|(id, _)| Some(*id) != parent) {
            code.end_link(id);
            code.end(line);
        }
        if dom.is_text(node) {
            if whole || is_kept(node) {
                code.text(&dom.text(node));
            }
            continue;
        }
        let tag = dom.html_tag(node);
        // Numbers are skipped even if they are kept: they are not part of the code.
        let is_number = is_line_number(dom, node);
        has_numbers |= is_number;
        if is_number || is_invisible(dom, node) {
            walk.skip_subtree(node);
        } else if tag == Some(Tag::BR) {
            code.out.push('\n');
        } else {
            let line = tag.filter(|tag| is_line(*tag)).map(|_| code.begin());
            if tag == Some(Tag::A) {
                code.begin_link(node);
            }
            open.push((node, line));
        }
    }
    // Elements that are open at the end of the code.
    while let Some((id, line)) = open.pop() {
        code.end_link(id);
        code.end(line);
    }
    // Drop blank lines at the edges, but not the indentation of the first line.
    let text = code.out.trim_end();
    let start = text.len() - text.trim_start_matches(['\n', '\r']).len();
    let text = text[start..].to_owned();
    // The space after each number belongs to the gutter: `<b class=lineno>1</b> let a = 1;`.
    if has_numbers
        && code.links.is_empty()
        && text.lines().all(|line| line.is_empty() || line.starts_with(' '))
    {
        let lines: Vec<&str> = text
            .lines()
            .map(|line| line.strip_prefix(' ').unwrap_or(line))
            .collect();
        return FoundCode {
            text: lines.join("\n"),
            links: Vec::new(),
        };
    }
    let links = code.links.into_iter().filter_map(|(node, range)| {
        // Ranges count from the start of `code.out`; shift them to the trimmed text.
        let (from, to) = (
            range.start.max(start) - start,
            range.end.clamp(start, start + text.len()) - start,
        );
        // White space at the edges only formats the source.
        let linked = text.get(from..to)?;
        let from = from + (linked.len() - linked.trim_start().len());
        let linked = linked.trim();
        let href = dom
            .known_attr(node, AttrName::HREF)
            .filter(|href| !href.trim().is_empty())?;
        (!linked.is_empty()).then(|| (from..from + linked.len(), href.into_owned()))
    });
    let links = links.collect();
    FoundCode { text, links }
}

/// Whether an element inside code occupies a line of its own.
fn is_line(tag: Tag) -> bool {
    !is_phrasing(tag)
        && !matches!(
            tag,
            Tag::TD | Tag::TH | Tag::TABLE | Tag::TBODY | Tag::OL | Tag::UL | Tag::BUTTON
        )
        // Browsers draw elements unknown to HTML inline.
        && tag.index() < Tag::ALL.len()
}

/// Code block being read.
#[derive(Default)]
struct Code {
    out: String,
    /// Whether the last line was an element and has ended.
    ended: bool,
    /// Open link, and the offset of its start. The parser never nests links.
    link: Option<(NodeId, usize)>,
    /// Links that have ended, and their ranges.
    links: Vec<(NodeId, Range<usize>)>,
}

impl Code {
    /// Starts a line that is an element; returns its start offset.
    fn begin(&mut self) -> usize {
        self.ended = false;
        if !self.out.is_empty() && !self.out.ends_with('\n') {
            self.out.push('\n');
        }
        self.out.len()
    }

    /// Ends an element, and its line if it has one. An element without text is an empty line.
    fn end(&mut self, line: Option<usize>) {
        if let Some(start) = line {
            if self.out.len() == start && !self.ended {
                self.out.push('\n');
            }
            self.ended = true;
        }
    }

    fn begin_link(&mut self, link: NodeId) {
        self.link.get_or_insert((link, self.out.len()));
    }

    /// Ends the open link, if it is this element.
    fn end_link(&mut self, element: NodeId) {
        if let Some((link, start)) = self.link.take_if(|(link, _)| *link == element) {
            self.links.push((link, start..self.out.len()));
        }
    }

    fn text(&mut self, text: &str) {
        if self.ended {
            // White space between lines that are elements only formats the source.
            if text.trim().is_empty() {
                return;
            }
            self.ended = false;
            if !self.out.ends_with('\n') {
                self.out.push('\n');
            }
        }
        let chars = text.chars().filter(|c| *c != '\r');
        self.out
            .extend(chars.map(|c| if c == '\0' { '\u{FFFD}' } else { c }));
    }
}

/// Whether an element inside code holds line numbers and nothing else.
fn is_line_number(dom: &Dom<'_>, id: NodeId) -> bool {
    is_called_gutter(dom, id) && is_numbers(dom, id)
}

/// Whether an element's class marks it as a gutter beside code.
fn is_called_gutter(dom: &Dom<'_>, id: NodeId) -> bool {
    let class = dom.short_attr(id, "class", MOST).unwrap_or_default();
    class.split_ascii_whitespace().any(|name| {
        let name = name.to_ascii_lowercase();
        matches!(
            name.as_str(),
            "ln" | "lnt" | "lnum" | "lineno" | "linenos" | "lntd" | "rouge-gutter"
        ) || ["gutter", "line-num", "linenum", "line_num", "ln-num", "lineno"]
            .iter()
            .any(|part| name.contains(part))
            || name.split(['-', '_']).any(|part| matches!(part, "num" | "nums"))
    })
}

/// Whether a table shows code beside its line numbers, without a `pre`: each row has a cell of numbers and
/// a cell whose class names it as code.
pub(super) fn is_code_table(dom: &Dom<'_>, table: NodeId) -> bool {
    /// Maximum number of nodes before the first row.
    const MAX_NODES: usize = 16;
    let is_cell = |id: NodeId| dom.html_tag(id) == Some(Tag::TD);
    let first = dom.preorder(table).take(MAX_NODES);
    let Some(row) = first.into_iter().find(|at| dom.html_tag(*at) == Some(Tag::TR)) else {
        return false;
    };
    let mut cells = dom.children(row).filter(|at| dom.tag(*at).is_some());
    // For example `<td class=blob-num>` and `<td class=blob-code>` on GitHub.
    let (Some(numbers), Some(code), None) = (cells.next(), cells.next(), cells.next()) else {
        return false;
    };
    let is_named_code = || {
        let class = dom.short_attr(code, "class", MOST).unwrap_or_default();
        class
            .split(|c: char| !c.is_alphanumeric())
            .any(|part| part == "code")
    };
    let is_prose = |tag: Tag| {
        matches!(tag, Tag::PRE | Tag::P | Tag::TABLE | Tag::IMG | Tag::UL | Tag::OL)
            || tag.heading_level().is_some()
    };
    is_cell(numbers)
        && is_cell(code)
        && is_called_gutter(dom, numbers)
        && is_named_code()
        && is_numbers(dom, numbers)
        && !dom
            .preorder(table)
            .skip(1)
            .any(|at| dom.html_tag(at).is_some_and(is_prose))
}

/// Whether the text of an element consists of consecutive ascending numbers. True without text.
fn is_numbers(dom: &Dom<'_>, id: NodeId) -> bool {
    let mut last: Option<u64> = None;
    for node in dom.preorder(id).filter(|node| dom.is_text(*node)) {
        for word in dom.text(node).split_whitespace() {
            let Ok(number) = word.parse::<u64>() else {
                return false;
            };
            if last.is_some_and(|last| last.checked_add(1) != Some(number)) {
                return false;
            }
            last = Some(number);
        }
    }
    true
}

/// Whether a `pre` holds only the line numbers of the code beside it.
pub(super) fn is_gutter(dom: &Dom<'_>, pre: NodeId) -> bool {
    let cell = dom
        .ancestors(pre)
        .take(MAX_STEPS)
        .find(|at| matches!(dom.html_tag(*at), Some(Tag::TD)));
    let named = || {
        std::iter::once(pre)
            .chain(dom.ancestors(pre).take(2))
            .any(|at| is_called_gutter(dom, at))
    };
    // The next table cell holds code.
    let beside = || {
        let next = cell.and_then(|cell| dom.tree().next_sibling(cell));
        next.is_some_and(|next| {
            dom.preorder(next)
                .take(16)
                .any(|at| dom.html_tag(at) == Some(Tag::PRE))
        })
    };
    (named() || beside()) && is_numbers(dom, pre)
}

/// Words in class names that are not languages.
const NO_LANGUAGES: &[&str] = &[
    "hljs",
    "syntaxhighlighter",
    "highlight",
    "highlighter",
    "sourcecode",
    "src",
    "code",
    "chroma",
    "prettyprint",
    "linenums",
    "numbersource",
    "numberlines",
    "default",
    "none",
    "notranslate",
    "plain",
    "plaintext",
    "text",
    "txt",
    "wp-block-code",
    "literal-block",
    "example",
    "nohighlight",
    "rouge",
    "table",
    "hljs-copy",
    "copyable",
    "lang",
    "language",
    "line-numbers",
];

/// Language of a code block, lower-cased; empty if none is named.
///
/// Read from `language-x` and similar classes of the `pre`, of its `code` or of the elements around it.
pub(super) fn code_language(dom: &Dom<'_>, pre: NodeId) -> String {
    let code = dom.children(pre).find(|&c| dom.html_tag(c) == Some(Tag::CODE));
    let around = dom.ancestors(pre).take(MAX_STEPS).take_while(|at| {
        let is_wrapper = |tag| {
            matches!(
                tag,
                Tag::DIV | Tag::FIGURE | Tag::TD | Tag::TR | Tag::TBODY | Tag::TABLE | Tag::SPAN
            )
        };
        dom.html_tag(*at)
            .is_some_and(|tag| is_wrapper(tag) || tag.index() >= Tag::ALL.len())
    });
    for (i, id) in [Some(pre), code].into_iter().flatten().chain(around).enumerate() {
        // Attributes name nothing but the language, so they precede classes.
        for attribute in [
            "data-lang",
            "data-language",
            "data-enlighter-language",
            "data-code-language",
        ] {
            let name = dom.short_attr(id, attribute, MOST).unwrap_or(Cow::Borrowed(""));
            if let Some(name) = language(name.trim()) {
                return name;
            }
        }
        let class = dom.short_attr(id, "class", MOST).unwrap_or_default();
        let names: Vec<&str> = class.split_ascii_whitespace().collect();
        let prefixed = names.iter().enumerate().find_map(|(at, name)| {
            let prefixes = [
                "language-",
                "lang-",
                "highlight-source-",
                "highlight-",
                "brush:",
                "src-",
            ];
            let rest = prefixes.iter().find_map(|prefix| name.strip_prefix(prefix))?;
            // In `brush: js`, the language is the next word.
            let rest = if rest.is_empty() { names.get(at + 1)? } else { rest };
            language(rest.trim_end_matches(';'))
        });
        // Pandoc, Hexo and highlight.js put the bare name beside a class of their own: `hljs go`. Farther
        // out, only a class of exactly two names counts.
        let is_marked = names.iter().any(|name| {
            name.eq_ignore_ascii_case("sourceCode")
                || *name == "hljs"
                || *name == "src"
                || *name == "syntaxhighlighter"
                || *name == "highlight" && dom.html_tag(id) == Some(Tag::FIGURE)
        });
        let bare = || {
            names
                .iter()
                .filter(|_| is_marked && (i < 2 || names.len() == 2))
                .find_map(|name| language(name))
        };
        if let Some(language) = prefixed.or_else(bare) {
            return language;
        }
    }
    String::new()
}

/// `name` lower-cased, if it can be a language name.
fn language(name: &str) -> Option<String> {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '#' | '-' | '.');
    let name = name.to_ascii_lowercase();
    let can_be = !name.is_empty()
        && name.len() <= 32
        && name.chars().all(fits)
        && !NO_LANGUAGES.contains(&name.as_str());
    can_be.then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dehusk_html::Parser;

    fn language(html: &str) -> String {
        let (dom, _) = Parser::default().parse(html);
        code_language(&dom, dom.find(NodeId::DOCUMENT, Tag::PRE).unwrap())
    }

    fn text(html: &str) -> String {
        let (dom, _) = Parser::default().parse(html);
        code_text(&dom, dom.find(NodeId::DOCUMENT, Tag::PRE).unwrap(), |_| true).text
    }

    #[test]
    fn links_of_code_have_their_places() {
        let html = "<pre>\n\n<div>fn <a href='/run'>run</a>(\n</div><div><a href=x> self: <b>Pin</b>\n</a>)</div><a href=''>no</a><a href=y></a><a name=z>z</a><a href=open>end";
        let (dom, _) = Parser::default().parse(html);
        let code = code_text(&dom, dom.find(NodeId::DOCUMENT, Tag::PRE).unwrap(), |_| true);
        let links = code
            .links
            .iter()
            .map(|(range, href)| (&code.text[range.clone()], href.as_str()));
        assert_eq!(
            links.collect::<Vec<_>>(),
            [("run", "/run"), ("self: Pin", "x"), ("end", "open")]
        );
    }

    #[test]
    fn names_are_read_where_they_stand_unless_they_are_too_long() {
        for (html, want) in [
            ("<pre class='x language-Rust'>a", "rust"),
            ("<pre><code data-lang=c++>a", "c++"),
            ("<div class='brush: js;'><pre>a", "js"),
            (
                "<div class='highlight-python notranslate'><div class=highlight><pre>a",
                "python",
            ),
            (
                "<div class='language-ruby highlighter-rouge'><div class=highlight><pre class=highlight><code>a",
                "ruby",
            ),
            (
                "<pre class='sourceCode haskell'><code class='sourceCode haskell'>a",
                "haskell",
            ),
            ("<pre class='src src-lisp'>a", "lisp"),
            ("<pre><code class='hljs go'>a", "go"),
            ("<pre class=EnlighterJSRAW data-enlighter-language=php>a", "php"),
            (
                "<figure class='highlight css'><table><tr><td class=code><pre>a",
                "css",
            ),
            ("<div class='lang-default'><pre>a", ""),
            ("<p class='lang-go'><div><pre>a", ""),
            ("<pre>a", ""),
        ] {
            assert_eq!(language(html), want, "{html}");
        }
        let long = |words: usize| format!("<div class='lang-go {}'><pre>a", "x ".repeat(words));
        assert_eq!(
            (language(&long(100)), language(&long(1000))),
            ("go".to_owned(), String::new())
        );
    }

    #[test]
    fn numbers_go_with_the_space_behind_them() {
        assert_eq!(
            text(
                "<pre><span class=lineno>1</span> let a = 1;\n<span class=lineno>2</span>   a + 1\n<span class=lineno>3</span>\n</pre>"
            ),
            "let a = 1;\n  a + 1"
        );
        assert_eq!(text("<pre> a\n b</pre>"), " a\n b");
    }

    #[test]
    fn lines_that_are_elements_stay_lines() {
        assert_eq!(
            text("<pre><div>a</div><div>  b</div><div></div><div>c</div></pre>"),
            "a\n  b\n\nc"
        );
        assert_eq!(text("<pre><ol><li>a</li>\n<li>b</li></ol></pre>"), "a\nb");
        assert_eq!(text("<pre>a\n<span>b</span><br>c</pre>"), "a\nb\nc");
        assert_eq!(
            text("<pre><span class=lineno>1</span>a\n<span class=lineno>2</span>b</pre>"),
            "a\nb"
        );
        assert_eq!(
            text(
                "<pre><table><tr><td class=hljs-ln-numbers data-n=1>1</td><td>a</td></tr><tr><td class=hljs-ln-numbers>2</td><td>b</td></table></pre>"
            ),
            "a\nb"
        );
        assert_eq!(
            text("<pre>a <span class=ln>not a number</span></pre>"),
            "a not a number"
        );
    }
}
