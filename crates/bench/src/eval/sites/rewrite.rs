//! Pages made harder: with meaningless names, or without attributes.

use super::hash::hash;

/// A change of a page before extraction.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stress {
    /// No change.
    Intact,
    /// Every class and id is replaced by a meaningless name, the same one on all pages.
    Names,
    /// All attributes are removed.
    Bare,
}

impl Stress {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Stress::Intact => "as they are",
            Stress::Names => "meaningless names",
            Stress::Bare => "no attributes",
        }
    }

    pub(crate) fn apply(self, html: &str) -> String {
        match self {
            Stress::Intact => html.to_owned(),
            _ => rewrite(html, self),
        }
    }
}

/// Rewrites the tags of a page. Comments, scripts and styles are kept.
fn rewrite(html: &str, stress: Stress) -> String {
    let bytes = html.as_bytes();
    let mut out = String::with_capacity(html.len());
    let mut at = 0;
    while let Some(lt) = html[at..].find('<').map(|i| at + i) {
        out.push_str(&html[at..lt]);
        at = lt;
        // Comments are copied as they are: a `<` inside is not a tag.
        if html[at..].starts_with("<!--") {
            let end = html[at..].find("-->").map_or(html.len(), |i| at + i + 3);
            out.push_str(&html[at..end]);
            at = end;
            continue;
        }
        // `</p>`, `<!DOCTYPE html>` and `a < b` are copied as they are.
        if !bytes.get(at + 1).is_some_and(u8::is_ascii_alphabetic) {
            out.push('<');
            at += 1;
            continue;
        }
        let name_end = html[at + 1..]
            .find(|c: char| c.is_ascii_whitespace() || matches!(c, '>' | '/'))
            .map_or(html.len(), |i| at + 1 + i);
        let name = html[at + 1..name_end].to_ascii_lowercase();
        out.push_str(&html[at..name_end]);
        let (attributes, end) = attributes(html, name_end);
        for (key, value) in attributes {
            // The page is decoded already, so without attributes no declaration of a charset is missed.
            if stress == Stress::Bare {
                continue;
            }
            let lower = key.to_ascii_lowercase();
            if lower == "class" || lower == "id" {
                let names: Vec<String> = value.split_ascii_whitespace().map(meaningless).collect();
                out.push_str(&format!(" {lower}=\"{}\"", names.join(" ")));
            } else {
                // The value may have been in single quotes or without quotes, so a double quote is escaped.
                out.push_str(&format!(" {key}=\"{}\"", value.replace('"', "&quot;")));
            }
        }
        out.push('>');
        at = end;
        // The content of these elements is text up to their own end tag.
        if matches!(name.as_str(), "script" | "style" | "textarea" | "title") {
            let close = format!("</{name}");
            let end = html[at..]
                .to_ascii_lowercase()
                .find(&close)
                .map_or(html.len(), |i| at + i);
            out.push_str(&html[at..end]);
            at = end;
        }
    }
    out.push_str(&html[at..]);
    out
}

/// Returns the attributes from `at` on, as (name, value), and the position after the tag.
fn attributes(html: &str, at: usize) -> (Vec<(&str, &str)>, usize) {
    let bytes = html.as_bytes();
    let (mut out, mut at) = (Vec::new(), at);
    loop {
        while at < bytes.len() && (bytes[at].is_ascii_whitespace() || bytes[at] == b'/') {
            at += 1;
        }
        if at >= bytes.len() || bytes[at] == b'>' {
            return (out, (at + 1).min(bytes.len()));
        }
        let start = at;
        // The first character always belongs to the name, even `=`, as in the standard.
        at += 1;
        while at < bytes.len() && !bytes[at].is_ascii_whitespace() && !matches!(bytes[at], b'=' | b'>' | b'/')
        {
            at += 1;
        }
        let key = &html[start..at];
        while at < bytes.len() && bytes[at].is_ascii_whitespace() {
            at += 1;
        }
        // An attribute without a value, such as `hidden`.
        if bytes.get(at) != Some(&b'=') {
            out.push((key, ""));
            continue;
        }
        at += 1;
        while at < bytes.len() && bytes[at].is_ascii_whitespace() {
            at += 1;
        }
        let value = match bytes.get(at) {
            Some(&quote @ (b'"' | b'\'')) => {
                let start = at + 1;
                // A quote that is never closed extends to the end of the page.
                let end = html[start..]
                    .find(char::from(quote))
                    .map_or(html.len(), |i| start + i);
                at = (end + 1).min(html.len());
                &html[start..end]
            }
            _ => {
                let start = at;
                while at < bytes.len() && !bytes[at].is_ascii_whitespace() && bytes[at] != b'>' {
                    at += 1;
                }
                &html[start..at]
            }
        };
        out.push((key, value));
    }
}

/// Returns the name that replaces `name`, equal for equal names: `z` and seven consonants.
fn meaningless(name: &str) -> String {
    // Only consonants after the first letter: neither a number nor a word.
    let mut hash = hash(name);
    let mut out = String::from("z");
    // Seven letters of twenty: 1.28 billion names, so different names hardly ever get the same replacement.
    for _ in 0..7 {
        out.push(char::from(b"bcdfghjklmnpqrstvwxz"[(hash % 20) as usize]));
        hash /= 20;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_go_and_names_change() {
        let html = "<p class='a b' id=x title=\"t\">1 < 2<br/><!-- <p class=c> --><script class=s>'<p id=y>'</script>";
        assert_eq!(
            Stress::Bare.apply(html),
            "<p>1 < 2<br><!-- <p class=c> --><script>'<p id=y>'</script>"
        );
        let names = Stress::Names.apply(html);
        assert!(
            !names.contains("class='a b'") && names.contains("title=\"t\""),
            "{names}"
        );
        assert!(
            names.contains("'<p id=y>'") && names.contains("<!-- <p class=c> -->"),
            "{names}"
        );
    }
}
