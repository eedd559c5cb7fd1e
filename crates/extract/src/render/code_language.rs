//! The language of a code block.

use std::borrow::Cow;

use dehusk_html::tree::{Dom, NodeId, Tag};

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
            let name = dom.attr(id, attribute).unwrap_or(Cow::Borrowed(""));
            if fits(name.trim()) {
                return name.trim().to_ascii_lowercase();
            }
        }
        let class = dom.attr(id, "class").unwrap_or_default();
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
