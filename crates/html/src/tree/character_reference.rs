//! Character references (HTML, sections 13.2.5.72 to 13.2.5.80), which are resolved when a text or an
//! attribute is read.
//!
//! The standard normalizes newlines before it resolves references, so that `&#13;` stays a carriage return,
//! but a carriage return in the source becomes a line feed. Here one pass over a range of the source does
//! both.

use std::borrow::Cow;

use memchr::{memchr, memchr2, memchr3};

use crate::narrow;

/// Decodes text between tags as a browser does: resolves references and normalizes newlines.
///
/// ```
/// use dehusk_html::tree::character_reference::decode_text;
///
/// assert_eq!(decode_text("caf&eacute; &amp; bar\r\n"), "café & bar\n");
/// ```
pub fn decode_text(raw: &str) -> Cow<'_, str> {
    match memchr2(b'&', b'\r', raw.as_bytes()) {
        None => Cow::Borrowed(raw),
        Some(first) => Cow::Owned(decode::<false>(raw, first)),
    }
}

/// Like [`decode_text`], but writes a result that differs from the source into `buffer`, replacing its contents.
pub(crate) fn decode_text_in<'a>(raw: &'a str, buffer: &'a mut String) -> &'a str {
    let Some(first) = memchr2(b'&', b'\r', raw.as_bytes()) else {
        return raw;
    };
    buffer.clear();
    decode_to::<false>(raw, first, buffer);
    buffer
}

/// Decodes an attribute value as a browser does: like [`decode_text`], but with the standard's exception for
/// references without semicolon in attributes (`?a=1&copy=2`), and with U+0000 replaced by U+FFFD.
pub fn decode_attribute(raw: &str) -> Cow<'_, str> {
    match memchr3(b'&', b'\r', 0, raw.as_bytes()) {
        None => Cow::Borrowed(raw),
        Some(first) => Cow::Owned(decode::<true>(raw, first)),
    }
}

/// Decodes text without references, as in scripts: normalizes newlines and replaces U+0000 by U+FFFD.
pub(crate) fn decode_raw(raw: &str) -> Cow<'_, str> {
    match memchr2(b'\r', 0, raw.as_bytes()) {
        None => Cow::Borrowed(raw),
        Some(_) => Cow::Owned(normalize_newlines(raw).replace('\0', "\u{FFFD}")),
    }
}

/// Normalizes newlines and nothing else.
pub(crate) fn normalize_newlines(raw: &str) -> Cow<'_, str> {
    let Some(first) = memchr(b'\r', raw.as_bytes()) else {
        return Cow::Borrowed(raw);
    };
    let mut out = String::with_capacity(raw.len());
    let (mut done, mut at) = (0, first);
    // Copies the text between carriage returns. `done` is the end of what was copied.
    loop {
        out.push_str(&raw[done..at]);
        out.push('\n');
        let rest = &raw.as_bytes()[at + 1..];
        // `\r\n` is one newline.
        done = at + 1 + usize::from(rest.first() == Some(&b'\n'));
        match memchr(b'\r', &raw.as_bytes()[done..]) {
            Some(next) => at = done + next,
            None => break,
        }
    }
    out.push_str(&raw[done..]);
    Cow::Owned(out)
}

/// Resolves references and normalizes newlines. `first` is the offset of the first reference or carriage return.
fn decode<const ATTRIBUTE: bool>(raw: &str, first: usize) -> String {
    let mut out = String::new();
    decode_to::<ATTRIBUTE>(raw, first, &mut out);
    out
}

/// Like [`decode`], but appends to `out`.
fn decode_to<const ATTRIBUTE: bool>(raw: &str, first: usize, out: &mut String) {
    let bytes = raw.as_bytes();
    out.reserve(raw.len());
    let (mut done, mut at) = (0, first);
    // `at` is a reference, a carriage return or, in attributes, U+0000. `done` is the end of what was
    // copied.
    loop {
        out.push_str(&raw[done..at]);
        match bytes[at] {
            b'\r' => {
                out.push('\n');
                at += 1 + usize::from(bytes.get(at + 1) == Some(&b'\n'));
            }
            0 => {
                out.push('\u{FFFD}');
                at += 1;
            }
            _ => match resolve(&bytes[at + 1..], ATTRIBUTE) {
                Some((reference, len)) => {
                    out.push(reference.first);
                    out.extend(reference.second);
                    at += 1 + len;
                }
                None => {
                    out.push('&');
                    at += 1;
                }
            },
        }
        done = at;
        // Old pages have runs of `&nbsp;`; this check saves a search for each.
        if bytes.get(at) == Some(&b'&') {
            continue;
        }
        let rest = &bytes[at..];
        let next = if ATTRIBUTE {
            memchr3(b'&', b'\r', 0, rest)
        } else {
            memchr2(b'&', b'\r', rest)
        };
        match next {
            Some(next) => at += next,
            None => break,
        }
    }
    out.push_str(&raw[done..]);
}

/// Value of a character reference: one character, or two for a few names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reference {
    pub(crate) first: char,
    pub(crate) second: Option<char>,
}

/// Resolves the reference whose `&` precedes `rest`. Returns it with its length in `rest`; `None` if the
/// `&` is plain text.
pub(crate) fn resolve(rest: &[u8], attribute: bool) -> Option<(Reference, usize)> {
    let one = |first, len| Some((Reference { first, second: None }, len));
    match rest.first()? {
        b'#' => numeric(&rest[1..]),
        // The most frequent references are recognized without the table.
        b'n' if rest.starts_with(b"nbsp;") => one('\u{A0}', 5),
        b'a' if rest.starts_with(b"amp;") => one('&', 4),
        b'l' if rest.starts_with(b"lt;") => one('<', 3),
        b'g' if rest.starts_with(b"gt;") => one('>', 3),
        b'q' if rest.starts_with(b"quot;") => one('"', 5),
        b'a' if rest.starts_with(b"apos;") => one('\'', 5),
        b'a'..=b'z' | b'A'..=b'Z' => named(rest, attribute),
        _ => None,
    }
}

/// Sections 13.2.5.75 to 13.2.5.79: resolves a numeric reference. `rest` begins after `&#`.
fn numeric(rest: &[u8]) -> Option<(Reference, usize)> {
    let hexadecimal = matches!(rest.first(), Some(b'x' | b'X'));
    let (radix, start) = if hexadecimal { (16, 1) } else { (10, 0) };
    let (mut number, mut end) = (0_u32, start);
    while let Some(digit) = rest.get(end).and_then(|&b| char::from(b).to_digit(radix)) {
        // Saturating: a number that is too large is not a character and becomes U+FFFD.
        number = number.saturating_mul(radix).saturating_add(digit);
        end += 1;
    }
    // § Without a digit the `&#` is text.
    if end == start {
        return None;
    }
    let len = 1 + end + usize::from(rest.get(end) == Some(&b';'));
    Some((
        Reference {
            first: numeric_character(number),
            second: None,
        },
        len,
    ))
}

/// Section 13.2.5.80: character with this number. Numbers of C1 controls stand for the characters of
/// windows-1252.
fn numeric_character(number: u32) -> char {
    const WINDOWS_1252: [char; 32] = [
        '\u{20AC}', '\u{81}', '\u{201A}', '\u{0192}', '\u{201E}', '\u{2026}', '\u{2020}', '\u{2021}',
        '\u{02C6}', '\u{2030}', '\u{0160}', '\u{2039}', '\u{0152}', '\u{8D}', '\u{017D}', '\u{8F}', '\u{90}',
        '\u{2018}', '\u{2019}', '\u{201C}', '\u{201D}', '\u{2022}', '\u{2013}', '\u{2014}', '\u{02DC}',
        '\u{2122}', '\u{0161}', '\u{203A}', '\u{0153}', '\u{9D}', '\u{017E}', '\u{0178}',
    ];
    match number {
        0 => '\u{FFFD}',
        0x80..=0x9F => WINDOWS_1252[(number - 0x80) as usize],
        // Surrogates and numbers past U+10FFFF are not characters.
        _ => char::from_u32(number).unwrap_or('\u{FFFD}'),
    }
}

/// Section 13.2.5.73: resolves the longest name of the table that `rest` begins with.
fn named(rest: &[u8], attribute: bool) -> Option<(Reference, usize)> {
    let run = rest
        .iter()
        .take(LONGEST_NAME)
        .take_while(|b| b.is_ascii_alphanumeric())
        .count();
    // § The longest name wins, so the whole run with its semicolon is tried first.
    if rest.get(run) == Some(&b';')
        && let Some(found) = find(&rest[..=run])
    {
        return Some((found, run + 1));
    }
    // Names that may lack their semicolon are few and short.
    let len = (2..=run.min(LONGEST_BARE_NAME))
        .rev()
        .find(|&len| find(&rest[..len]).is_some())?;
    // § In attributes, `?a=1&copy=2` is an address: a reference without semicolon before `=`, a letter or a
    // digit is text.
    if attribute
        && matches!(
            rest.get(len),
            Some(b'=' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9')
        )
    {
        return None;
    }
    Some((find(&rest[..len])?, len))
}

/// The standard's table of names, sorted by name. Each line is "name code-point [code-point]", where the
/// name includes its semicolon if it has one, and code points are in hexadecimal.
static TABLE: &[u8] = include_bytes!("named_references.txt");

/// Number of letters and digits of the longest name.
const LONGEST_NAME: usize = 31;
/// Number of letters of the longest name without semicolon.
const LONGEST_BARE_NAME: usize = 6;

/// Hash table of the names (open addressing): offset of each name's line in [`TABLE`].
static SLOTS: [u16; 1 << SLOT_BITS] = slots();
const SLOT_BITS: u32 = 12;
const FREE: u16 = u16::MAX;

const fn mix(hash: u32, byte: u8) -> u32 {
    (hash ^ byte as u32).wrapping_mul(0x9E37_79B1)
}

const fn slot(hash: u32) -> usize {
    (hash >> (32 - SLOT_BITS)) as usize
}

const fn slots() -> [u16; 1 << SLOT_BITS] {
    let table: &[u8] = include_bytes!("named_references.txt");
    let mut slots = [FREE; 1 << SLOT_BITS];
    let mut line = 0;
    while line < table.len() {
        let (mut at, mut hash) = (line, 0);
        while table[at] != b' ' {
            hash = mix(hash, table[at]);
            at += 1;
        }
        let mut slot = slot(hash);
        while slots[slot] != FREE {
            slot = (slot + 1) % slots.len();
        }
        // The table has less than 64 KiB, so offsets fit into 16 bits and never equal `FREE`.
        slots[slot] = narrow::to_u16(line);
        while table[at] != b'\n' {
            at += 1;
        }
        line = at + 1;
    }
    slots
}

/// Looks up `name`, including its semicolon if it has one.
fn find(name: &[u8]) -> Option<Reference> {
    let mut slot = slot(name.iter().fold(0, |hash, &b| mix(hash, b)));
    while SLOTS[slot] != FREE {
        let line = &TABLE[usize::from(SLOTS[slot])..];
        // The space after the name ends it, so a name does not match a longer one.
        if line.starts_with(name) && line.get(name.len()) == Some(&b' ') {
            return Some(code_points(&line[name.len() + 1..]));
        }
        slot = (slot + 1) % SLOTS.len();
    }
    None
}

/// Reads the code points of a line, which follow its name.
fn code_points(line: &[u8]) -> Reference {
    let mut numbers = [0_u32; 2];
    let mut i = 0;
    for &b in line {
        match b {
            b' ' => i = 1,
            b'\n' => break,
            _ => {
                debug_assert!(b.is_ascii_hexdigit(), "the table has hexadecimal numbers");
                numbers[i] = numbers[i] * 16 + char::from(b).to_digit(16).unwrap_or(0);
            }
        }
    }
    let character = |n| {
        debug_assert!(char::from_u32(n).is_some(), "the table has no character {n:x}");
        char::from_u32(n).unwrap_or('\u{FFFD}')
    };
    Reference {
        first: character(numbers[0]),
        second: (i == 1).then(|| character(numbers[1])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(raw: &str, text: &str, attribute: &str) {
        assert_eq!(decode_text(raw), text, "as text: {raw:?}");
        assert_eq!(
            decode_text_in(raw, &mut "text before".to_owned()),
            text,
            "{raw:?}"
        );
        assert_eq!(decode_attribute(raw), attribute, "as attribute: {raw:?}");
    }

    #[test]
    fn references_are_resolved_as_browsers_do() {
        check(
            "a &amp; b &lt;&gt;&quot;&apos;&nbsp;",
            "a & b <>\"'\u{A0}",
            "a & b <>\"'\u{A0}",
        );
        check(
            "AT&T & &; &x &x; &#; &#x; &#xg;",
            "AT&T & &; &x &x; &#; &#x; &#xg;",
            "AT&T & &; &x &x; &#; &#x; &#xg;",
        );
        check(
            "&copy=1 &copy1 &copy; &copy-&copy",
            "©=1 ©1 © ©-©",
            "&copy=1 &copy1 © ©-©",
        );
        check("&notit; &notin; &not", "¬it; ∉ ¬", "&notit; ∉ ¬");
        check(
            "&#65;&#x41&#X41;&#0;&#128;&#xD800;&#x110000;&#99999999999;",
            "AAA\u{FFFD}€\u{FFFD}\u{FFFD}\u{FFFD}",
            "AAA\u{FFFD}€\u{FFFD}\u{FFFD}\u{FFFD}",
        );
        check("&NotEqualTilde;&CounterClockwiseContourIntegral;", "≂̸∳", "≂̸∳");
    }

    #[test]
    fn newlines_are_normalized_before_references() {
        check(
            "a\r\nb\rc\r\r\n\nd&#13;&#13;\n",
            "a\nb\nc\n\n\nd\r\r\n",
            "a\nb\nc\n\n\nd\r\r\n",
        );
        assert_eq!(
            normalize_newlines("a\r\nb\rc\r\r\n\nd&#13;\r"),
            "a\nb\nc\n\n\nd&#13;\n"
        );
    }

    #[test]
    fn the_table_keeps_its_promises() {
        let table = std::str::from_utf8(TABLE).unwrap();
        let names: Vec<&str> = table
            .lines()
            .map(|line| line.split_once(' ').unwrap().0)
            .collect();
        assert!(names.is_sorted());
        assert_eq!(names.len(), 2231);
        let longest = |bare: bool| {
            names
                .iter()
                .filter(|n| n.ends_with(';') != bare)
                .map(|n| n.len())
                .max()
        };
        assert_eq!(longest(false), Some(LONGEST_NAME + 1));
        assert_eq!(longest(true), Some(LONGEST_BARE_NAME));
        for line in table.lines() {
            let mut fields = line.split(' ');
            let name = fields.next().unwrap();
            let wanted: String = fields
                .map(|n| char::from_u32(u32::from_str_radix(n, 16).unwrap()).unwrap())
                .collect();
            assert_eq!(decode_text(&format!("&{name}")), wanted, "{name}");
        }
    }
}
