//! Makes untrusted text safe and visible.
//!
//! Titles, addresses, ids and messages are untrusted. Characters with a meaning in HTML become character references. Characters that are
//! invisible, or that change the direction of surrounding text, become their code point in brackets: `⟨U+202E⟩`.

use std::fmt;

/// Maximum length in bytes of an address that becomes a link. Longer addresses do not work in every browser.
const LINK_BYTES: usize = 2048;

/// How strictly a text is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sight {
    /// Running text: characters that could deceive or break the page are shown as code points. Joiners, soft hyphens and direction marks
    /// stay, since many scripts need them.
    Prose,
    /// Names that are compared and copied, such as ids and addresses: every invisible character is shown as its code point.
    Exact,
}

impl Sight {
    /// Whether `c` is shown as its code point.
    pub(crate) fn hides(self, c: char) -> bool {
        match self {
            Sight::Prose => deceives(c),
            Sight::Exact => deceives(c) || invisible(c),
        }
    }
}

/// Control characters, and format characters that reorder or hide text.
fn deceives(c: char) -> bool {
    match c {
        '\t' | '\n' | '\u{c}' | '\r' => false,
        // C0, DELETE and C1.
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => true,
        // Line and paragraph separator; embeddings and overrides; isolates; deprecated format characters.
        '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{206f}' => true,
        // Byte order mark, annotations, noncharacters, private use.
        '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{fdd0}'..='\u{fdef}' | '\u{e000}'..='\u{f8ff}' => true,
        // Tag characters, which can carry a hidden message, and planes of private use.
        '\u{e0000}'..='\u{e007f}' | '\u{f0000}'..='\u{10ffff}' => true,
        _ => u32::from(c) & 0xfffe == 0xfffe,
    }
}

/// White space other than the plain space, and characters without a glyph.
fn invisible(c: char) -> bool {
    matches!(c,
        '\t' | '\n' | '\u{c}' | '\r' | '\u{a0}' | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}'
        | '\u{1680}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{2000}'..='\u{200f}' | '\u{202f}'
        | '\u{205f}'..='\u{2065}' | '\u{2800}' | '\u{3000}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}'
        | '\u{e0100}'..='\u{e01ef}')
}

/// Character reference of `c`, valid both in text and in quoted attribute values. `None` if `c` needs none.
fn reference(c: char) -> Option<&'static str> {
    Some(match c {
        '&' => "&amp;",
        '<' => "&lt;",
        '>' => "&gt;",
        '"' => "&quot;",
        '\'' => "&#39;",
        _ => return None,
    })
}

/// Writer that escapes text for element content and quoted attribute values, and appends it to a string. Characters hidden by
/// [`Sight::Prose`] always become code points, so that no caller can forget them.
pub(crate) struct Escaped<'a>(pub(crate) &'a mut String);

impl fmt::Write for Escaped<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for c in text.chars() {
            if Sight::Prose.hides(c) {
                self.0.push_str(&code_point(c));
            } else {
                push(self.0, c);
            }
        }
        Ok(())
    }
}

/// Appends one visible character, escaped.
pub(crate) fn push(out: &mut String, c: char) {
    match reference(c) {
        Some(reference) => out.push_str(reference),
        None => out.push(c),
    }
}

/// Visible form of a hidden character: `⟨U+202E⟩`.
pub(crate) fn code_point(c: char) -> String {
    format!("⟨U+{:04X}⟩", u32::from(c))
}

/// The address, if it may become a link; else `None`.
///
/// The scheme must be `http` or `https`, and a host must follow. Addresses are refused if they contain
/// characters that browsers drop, or interpret in another way than readers do.
pub(crate) fn link(url: &str) -> Option<&str> {
    let after = |scheme: &str| {
        // `get` fails if the length of the scheme is inside a character.
        let start = url.get(..scheme.len())?;
        start.eq_ignore_ascii_case(scheme).then(|| &url[scheme.len()..])
    };
    let rest = after("http://").or_else(|| after("https://"))?;
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    // In `http://user@/`, the user is not a host.
    let host = host.rsplit('@').next().unwrap_or_default();
    // Browsers read `\` as `/`, so `http://a.example\.b.example/` has another host than it seems.
    let odd = |c: char| c == '\\' || c.is_whitespace() || Sight::Exact.hides(c);
    (url.len() <= LINK_BYTES && !host.is_empty() && !url.contains(odd)).then_some(url)
}
