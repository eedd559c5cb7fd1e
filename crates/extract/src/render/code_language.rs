//! The language of a code block.

use std::borrow::Cow;

use dehusk_html::tree::{Dom, NodeId, Tag};

/// Bytes of an attribute that may name a language. The parent of a block is looked at for each block in it, so that a long class would be
/// read as often.
const MOST: usize = 1024;

/// Language of a code block, lower-cased, from `language-x` or `lang-x` on it, on its `code` or on its parent; empty
/// if none is named.
pub(crate) fn code_language(dom: &Dom<'_>, pre: NodeId) -> String {
    let code = dom.children(pre).find(|&c| dom.html_tag(c) == Some(Tag::CODE));
    let fits = |name: &str| {
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '#' | '-' | '.');
        !name.is_empty() && name.len() <= 32 && name.chars().all(fits)
    };
    for id in [Some(pre), code, dom.parent(pre)].into_iter().flatten() {
        for attribute in ["data-lang", "data-language"] {
            let name = dom.short_attr(id, attribute, MOST).unwrap_or(Cow::Borrowed(""));
            if fits(name.trim()) {
                return name.trim().to_ascii_lowercase();
            }
        }
        let class = dom.short_attr(id, "class", MOST).unwrap_or_default();
        let mut words = class.split_ascii_whitespace().peekable();
        while let Some(class) = words.next() {
            // `brush: js` is two words.
            let name = ["language-", "lang-", "highlight-source-", "highlight-", "brush:"]
                .iter()
                .find_map(|p| class.strip_prefix(p));
            let name = match name {
                Some("") if class == "brush:" => words.peek().map(|next| next.trim_end_matches(';')),
                name => name.map(|name| name.trim_end_matches(';')),
            };
            if let Some(name) = name.filter(|name| fits(name)) {
                return name.to_ascii_lowercase();
            }
        }
    }
    String::new()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::analyze_page;
    use crate::options::Options;
    use crate::page::Page;

    fn language(html: &str) -> String {
        analyze_page(&Page::decoded(html), &Options::default(), |view, _, _| {
            let pre = view.dom.find(NodeId::DOCUMENT, Tag::PRE).unwrap();
            code_language(view.dom, pre)
        })
    }

    #[test]
    fn names_are_read_where_they_stand_unless_they_are_too_long() {
        assert_eq!(language("<pre class='x language-Rust'>a"), "rust");
        assert_eq!(language("<pre><code data-lang=c++>a"), "c++");
        assert_eq!(language("<div class='brush: js;'><pre>a"), "js");
        assert_eq!(language("<pre>a"), "");
        let long = |words: usize| format!("<div class='lang-go {}'><pre>a", "x ".repeat(words));
        assert_eq!(
            (language(&long(100)), language(&long(1000))),
            ("go".to_owned(), String::new())
        );
    }
}
