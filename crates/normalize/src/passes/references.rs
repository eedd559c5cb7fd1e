//! Character references that a page shows as text.

use memchr::memchr;

use super::pass::{Options, Pass};
use crate::text::rewrite::{ReferenceChar, Rewrite};

/// Resolves character references that remain in the text because a page escaped them twice: `&amp;nbsp;` in the
/// source is shown as `&nbsp;`. Resolution is repeated until no reference is left, even where references produce parts of others.
///
/// Numeric references and the names below are known. Both need their semicolon, and neither may be longer than
/// [`LONGEST`] characters.
pub(super) struct References;

/// Maximum number of characters between `&` and `;`: `#x0010FFFF`.
const LONGEST: usize = 10;

impl Pass for References {
    fn name(&self) -> &'static str {
        "references"
    }

    fn summary(&self) -> &'static str {
        "resolve character references such as &nbsp; that were escaped twice"
    }

    fn touches(&self, text: &str, _: &Options) -> bool {
        memchr(b'&', text.as_bytes()).is_some_and(|at| memchr(b';', &text.as_bytes()[at..]).is_some())
    }

    fn apply(&self, text: &str, _: &Options, out: &mut Rewrite) {
        // Characters that may become part of a reference: an `&` and all after it. They are held back: none of
        // them has been written.
        let mut open = out.take_reference_chars();
        let mut kept = 0;
        let mut at = 0;
        while let Some(c) = text[at..].chars().next() {
            // Nothing is held back: skip to the next `&`.
            if open.is_empty() && c != '&' {
                at = memchr(b'&', &text.as_bytes()[at..]).map_or(text.len(), |offset| at + offset);
                continue;
            }
            let mut part = ReferenceChar {
                c,
                start: at,
                end: at + c.len_utf8(),
                literal: true,
            };
            at = part.end;
            // A resolved reference may be the last part of another: in `&amp&#59;` the result `;` ends
            // `&amp;`.
            while part.c == ';'
                && let Some((amp, resolved)) = resolve(&open)
            {
                part = ReferenceChar {
                    c: resolved,
                    start: open[amp].start,
                    end: part.end,
                    literal: false,
                };
                open.truncate(amp);
            }
            // Once a character cannot be part of a reference, or the last `&` is too far back, nothing that
            // is held back can be either.
            let dead = match part.c {
                '&' => false,
                '#' | '0'..='9' | 'A'..='Z' | 'a'..='z' => {
                    open.is_empty()
                        || open.len() > LONGEST && open[open.len() - LONGEST..].iter().all(|p| p.c != '&')
                }
                _ => true,
            };
            open.push(part);
            if dead {
                kept = flush(&mut open, text, kept, out);
            }
        }
        kept = flush(&mut open, text, kept, out);
        out.return_reference_chars(open);
        out.keep(text, kept..text.len());
    }
}

/// Writes the characters that were held back. Returns the offset up to which the text is written.
fn flush(open: &mut Vec<ReferenceChar>, text: &str, mut kept: usize, out: &mut Rewrite) -> usize {
    for part in open.drain(..).filter(|part| !part.literal) {
        out.keep(text, kept..part.start);
        out.replace(part.start..part.end, [part.c]);
        kept = part.end;
    }
    kept
}

/// Resolves the reference at the end of `open`: index of its `&`, and its character. `None` if there is no reference.
fn resolve(open: &[ReferenceChar]) -> Option<(usize, char)> {
    let nearest = open.len().saturating_sub(LONGEST + 1);
    let amp = nearest + open[nearest..].iter().rposition(|part| part.c == '&')?;
    let mut name = ['\0'; LONGEST];
    let parts = &open[amp + 1..];
    for (slot, part) in name.iter_mut().zip(parts) {
        *slot = part.c;
    }
    let name = &name[..parts.len()];
    let resolved = match name {
        ['#', 'x' | 'X', digits @ ..] => numeric(digits, 16)?,
        ['#', digits @ ..] => numeric(digits, 10)?,
        _ => {
            let index = NAMES
                .binary_search_by(|(known, _)| known.chars().cmp(name.iter().copied()))
                .ok()?;
            NAMES[index].1
        }
    };
    Some((amp, resolved))
}

/// Character with the number `digits`. Control characters and invalid numbers are mapped like the pass `decode` or a browser
/// maps them. `None` if there are no digits or an invalid one.
fn numeric(digits: &[char], radix: u32) -> Option<char> {
    if digits.is_empty() {
        return None;
    }
    let mut number: u32 = 0;
    for digit in digits {
        number = number
            .saturating_mul(radix)
            .saturating_add(digit.to_digit(radix)?);
    }
    Some(match number {
        0 => char::REPLACEMENT_CHARACTER,
        _ => {
            let c = char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER);
            super::decode::replacement(c).unwrap_or(c)
        }
    })
}

/// Names of HTML 4 for Latin letters, punctuation and common symbols, in byte order.
#[rustfmt::skip]
const NAMES: &[(&str, char)] = &[
    ("AElig", 'Æ'), ("Aacute", 'Á'), ("Acirc", 'Â'), ("Agrave", 'À'), ("Aring", 'Å'), ("Atilde", 'Ã'), ("Auml", 'Ä'),
    ("Ccedil", 'Ç'), ("Dagger", '‡'), ("ETH", 'Ð'), ("Eacute", 'É'), ("Ecirc", 'Ê'), ("Egrave", 'È'), ("Euml", 'Ë'),
    ("Iacute", 'Í'), ("Icirc", 'Î'), ("Igrave", 'Ì'), ("Iuml", 'Ï'), ("Ntilde", 'Ñ'), ("OElig", 'Œ'), ("Oacute", 'Ó'),
    ("Ocirc", 'Ô'), ("Ograve", 'Ò'), ("Oslash", 'Ø'), ("Otilde", 'Õ'), ("Ouml", 'Ö'), ("Prime", '″'), ("Scaron", 'Š'),
    ("THORN", 'Þ'), ("Uacute", 'Ú'), ("Ucirc", 'Û'), ("Ugrave", 'Ù'), ("Uuml", 'Ü'), ("Yacute", 'Ý'), ("Yuml", 'Ÿ'),
    ("aacute", 'á'), ("acirc", 'â'), ("acute", '´'), ("aelig", 'æ'), ("agrave", 'à'), ("amp", '&'), ("apos", '\''),
    ("aring", 'å'), ("asymp", '≈'), ("atilde", 'ã'), ("auml", 'ä'), ("bdquo", '„'), ("brvbar", '¦'), ("bull", '•'),
    ("ccedil", 'ç'), ("cedil", '¸'), ("cent", '¢'), ("circ", 'ˆ'), ("copy", '©'), ("curren", '¤'), ("dagger", '†'),
    ("darr", '↓'), ("deg", '°'), ("divide", '÷'), ("eacute", 'é'), ("ecirc", 'ê'), ("egrave", 'è'), ("emsp", '\u{2003}'),
    ("ensp", '\u{2002}'), ("eth", 'ð'), ("euml", 'ë'), ("euro", '€'), ("frac12", '½'), ("frac14", '¼'), ("frac34", '¾'),
    ("ge", '≥'), ("gt", '>'), ("harr", '↔'), ("hellip", '…'), ("iacute", 'í'), ("icirc", 'î'), ("iexcl", '¡'),
    ("igrave", 'ì'), ("infin", '∞'), ("iquest", '¿'), ("iuml", 'ï'), ("laquo", '«'), ("larr", '←'), ("ldquo", '“'),
    ("le", '≤'), ("lrm", '\u{200E}'), ("lsaquo", '‹'), ("lsquo", '‘'), ("lt", '<'), ("macr", '¯'), ("mdash", '—'),
    ("micro", 'µ'), ("middot", '·'), ("minus", '−'), ("nbsp", '\u{A0}'), ("ndash", '–'), ("ne", '≠'), ("not", '¬'),
    ("ntilde", 'ñ'), ("oacute", 'ó'), ("ocirc", 'ô'), ("oelig", 'œ'), ("ograve", 'ò'), ("ordf", 'ª'), ("ordm", 'º'),
    ("oslash", 'ø'), ("otilde", 'õ'), ("ouml", 'ö'), ("para", '¶'), ("permil", '‰'), ("plusmn", '±'), ("pound", '£'),
    ("prime", '′'), ("quot", '"'), ("raquo", '»'), ("rarr", '→'), ("rdquo", '”'), ("reg", '®'), ("rlm", '\u{200F}'),
    ("rsaquo", '›'), ("rsquo", '’'), ("sbquo", '‚'), ("scaron", 'š'), ("sect", '§'), ("shy", '\u{AD}'), ("sup1", '¹'),
    ("sup2", '²'), ("sup3", '³'), ("szlig", 'ß'), ("thinsp", '\u{2009}'), ("thorn", 'þ'), ("tilde", '˜'), ("times", '×'),
    ("trade", '™'), ("uacute", 'ú'), ("uarr", '↑'), ("ucirc", 'û'), ("ugrave", 'ù'), ("uml", '¨'), ("uuml", 'ü'),
    ("yacute", 'ý'), ("yen", '¥'), ("yuml", 'ÿ'), ("zwj", '\u{200D}'), ("zwnj", '\u{200C}'),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, wanted: &str) {
        let mut out = Rewrite::new();
        References.apply(text, &Options::default(), &mut out);
        assert_eq!(out.text(), wanted, "{text}");
    }

    #[test]
    fn names_are_sorted_for_the_search() {
        assert!(NAMES.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!(NAMES.iter().all(|(name, _)| name.len() <= LONGEST));
    }

    #[test]
    fn references_become_characters() {
        check(
            "a&nbsp;b &laquo;c&raquo; &#1078;&#x416;&#150;",
            "a\u{A0}b «c» жЖ–",
        );
        check(
            "AT&T; R&D & co; &unknown; &#; &#x; &#12a; &",
            "AT&T; R&D & co; &unknown; &#; &#x; &#12a; &",
        );
        check("&#0;&#55296;&#99999999;&#7;", "\u{FFFD}\u{FFFD}\u{FFFD} ");
    }

    #[test]
    fn references_made_of_references_are_followed_to_the_end() {
        check("&amp;amp;amp;nbsp;x", "\u{A0}x");
        check("&l&#116;;", "<");
        check("&#38;#38;lt&#59;", "<");
        check("&&&lt;;;", "&&<;;");
        check("&aaaaaaaaaaaaaaaaaa&lt;", "&aaaaaaaaaaaaaaaaaa<");
    }
}
