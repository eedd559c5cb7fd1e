//! Classes of element names.

/// Returns whether a tag marks text rather than a part of a page. Such elements are never containers.
pub(super) fn is_text_tag(tag: &str) -> bool {
    matches!(
        tag,
        "p" | "ul"
            | "ol"
            | "li"
            | "dl"
            | "dt"
            | "dd"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "tr"
            | "blockquote"
            | "figure"
            | "figcaption"
    ) || is_inline(tag)
}

/// Returns whether a tag marks words within a line.
pub(super) fn is_inline(tag: &str) -> bool {
    matches!(
        tag,
        "a" | "span"
            | "b"
            | "i"
            | "em"
            | "strong"
            | "small"
            | "font"
            | "u"
            | "code"
            | "tt"
            | "abbr"
            | "time"
            | "cite"
            | "sup"
            | "sub"
            | "label"
            | "q"
            | "s"
            | "var"
            | "kbd"
            | "samp"
            | "mark"
            | "big"
            | "strike"
            | "del"
            | "ins"
    )
}
