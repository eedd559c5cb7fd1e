//! Rewrites addresses in style sheets.

/// Returns a style sheet in which `link` has replaced all addresses. An address for which it returns `None`
/// becomes one that leads nowhere.
///
/// Only the part of the grammar that distinguishes addresses from other text is parsed: comments, strings,
/// `url(` and `@import`. The policy of the page blocks addresses that are missed.
pub(crate) fn rewritten(css: &str, link: &dyn Fn(&str) -> Option<String>) -> String {
    let mut out = String::with_capacity(css.len());
    let mut rest = css;
    // All characters searched for are ASCII, so every cut is between characters.
    while let Some(at) = rest.find(['/', '"', '\'', '(', '@', '\\']) {
        let (plain, found) = rest.split_at(at);
        out.push_str(plain);
        let is_url = plain.len() >= 3 && ends_with_url(plain);
        let (length, new) = match found.as_bytes() {
            // Comments are copied: an address in a comment loads nothing.
            [b'/', b'*', ..] => (found.find("*/").map_or(found.len(), |end| end + 2), None),
            [b'\\', ..] => (1 + found[1..].chars().next().map_or(0, char::len_utf8), None),
            [b'"' | b'\'', ..] => (string(found), None),
            [b'(', ..] if is_url => address(found, link),
            [b'@', ..] if begins_with(found, "@import") => imported(found, link),
            _ => (1, None),
        };
        match new {
            Some(new) => out.push_str(&new),
            None => out.push_str(&found[..length]),
        }
        rest = &found[length..];
    }
    out.push_str(rest);
    out
}

/// Whether a text begins with a word, in any case.
fn begins_with(text: &str, word: &str) -> bool {
    text.get(..word.len())
        .is_some_and(|found| found.eq_ignore_ascii_case(word))
}

/// Whether the text before a parenthesis ends with `url` as a whole name, so not with `curl`.
fn ends_with_url(text: &str) -> bool {
    let Some((before, name)) = text.split_at_checked(text.len() - 3) else {
        return false;
    };
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    name.eq_ignore_ascii_case("url") && !before.ends_with(is_name)
}

/// Returns the length in bytes of the string at the start of a text: through its closing quotation mark, or
/// up to the end of the line, where CSS ends a broken string.
fn string(text: &str) -> usize {
    let quote = text.as_bytes().first().copied().unwrap_or(b'"');
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'\n' => return at,
            _ if byte == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Returns the content of a string; empty if it has escapes, which are not decoded.
fn unquoted(text: &str) -> &str {
    let inside = text.trim_matches(['"', '\'']);
    if inside.contains('\\') { "" } else { inside }
}

/// Returns the new address as a string. Characters that could end the string are removed.
fn written(href: &str, link: &dyn Fn(&str) -> Option<String>) -> String {
    let new = link(href).unwrap_or_else(|| "about:invalid".to_owned());
    let plain = new.replace(['"', '\\', '\n', '\r', '\u{c}'], "");
    format!("\"{plain}\"")
}

/// Returns the length of the address in parentheses at the start of a text, and its replacement.
fn address(text: &str, link: &dyn Fn(&str) -> Option<String>) -> (usize, Option<String>) {
    let inside = text[1..].trim_start();
    let before = text.len() - inside.len();
    let (href, end) = match inside.as_bytes() {
        [b'"' | b'\'', ..] => {
            let length = string(inside);
            let end = inside[length..].find(')').map(|end| length + end);
            (unquoted(&inside[..length]), end)
        }
        _ => {
            let end = inside.find(')');
            (unquoted(inside[..end.unwrap_or(inside.len())].trim()), end)
        }
    };
    let length = before + end.map_or(inside.len(), |end| end + 1);
    (length, Some(format!("({})", written(href, link))))
}

/// Returns the length of `@import` with the string after it, and the replacement. Without a string, such as
/// before `url(`, only `@import` is passed over.
fn imported(text: &str, link: &dyn Fn(&str) -> Option<String>) -> (usize, Option<String>) {
    let name = "@import".len();
    let behind = text[name..].trim_start();
    if !behind.starts_with(['"', '\'']) {
        return (name, None);
    }
    let before = text.len() - behind.len();
    let length = string(behind);
    let new = written(unquoted(&behind[..length]), link);
    (before + length, Some(format!("@import {new}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(css: &str, expected: &str) {
        let link = |href: &str| (!href.is_empty()).then(|| format!("/at/{href}"));
        assert_eq!(rewritten(css, &link), expected);
    }

    #[test]
    fn addresses_are_written_anew() {
        check(
            "p { background: URL( a.png ) }",
            "p { background: URL(\"/at/a.png\") }",
        );
        check(
            "p{background:url('a(1).png')}q{}",
            "p{background:url(\"/at/a(1).png\")}q{}",
        );
        check("@import 'a.css' print; p{}", "@import \"/at/a.css\" print; p{}");
        check("@import url(a.css);", "@import url(\"/at/a.css\");");
        check("@IMPORT\"a.css\";", "@import \"/at/a.css\";");
    }

    #[test]
    fn what_is_no_address_stays() {
        for css in [
            "",
            "/* url(a.png) */ p { content: \"url(a.png)\" }",
            "p { content: 'it\\'s url(a)' }",
            "p { width: calc(1px + 2px); x: my-url(a) }",
            "@media (min-width: 3em) { реки { color: red } }",
            "/* url(a)",
        ] {
            check(css, css);
        }
    }

    #[test]
    fn what_cannot_be_read_leads_nowhere() {
        check(
            "p{background:url(a\\29.png)}",
            "p{background:url(\"about:invalid\")}",
        );
        check("p{background:url()", "p{background:url(\"about:invalid\")");
        check("p{background:url(", "p{background:url(\"about:invalid\")");
        check("p{background:url('a", "p{background:url(\"/at/a\")");
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read_to_its_end(css in "[url(\"')@import/*\\\\ a-é\n]{0,60}") {
            // The texts have no such sign, so that only an address can bring it.
            let out = rewritten(&css, &|_| Some("№\"№\\z".to_owned()));
            proptest::prop_assert!(!out.contains("№\"№"));
        }
    }
}
