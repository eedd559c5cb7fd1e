//! The next tag in bytes that are still being read. Framing needs no more of XML than this, and this much of any bytes.

use memchr::{memchr, memmem};

/// Bytes in which a tag must end; longer ones are text.
const TAG: usize = 4096;

/// A tag in some bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tag<'b> {
    /// Name without its prefix.
    pub(super) name: &'b [u8],
    /// Where `<` stands.
    pub(super) start: usize,
    /// Behind `>`.
    pub(super) end: usize,
    /// Whether it ends an element.
    pub(super) closes: bool,
    /// Whether the element is empty.
    pub(super) empty: bool,
}

/// What a search for the next tag came to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Found<'b> {
    /// A tag.
    Tag(Tag<'b>),
    /// None before this place, where a search with more bytes may begin.
    Nothing(usize),
}

/// The next tag from `from` on. Comments, instructions, declarations and sections of character data are passed over. With
/// `complete`, no more bytes will come: what is not ended is text.
pub(super) fn next_tag(bytes: &[u8], from: usize, complete: bool) -> Found<'_> {
    let mut at = from;
    while let Some(start) = memchr(b'<', &bytes[at.min(bytes.len())..]).map(|found| at + found) {
        let rest = &bytes[start..];
        let passed = [
            (&b"<!--"[..], &b"-->"[..]),
            (b"<![CDATA[", b"]]>"),
            (b"<?", b"?>"),
            (b"<!", b">"),
        ];
        if !complete && rest.len() < 9 {
            return Found::Nothing(start);
        }
        if let Some((open, close)) = passed.into_iter().find(|(open, _)| rest.starts_with(open)) {
            match memmem::find(&rest[open.len()..], close) {
                Some(end) => at = start + open.len() + end + close.len(),
                None if complete => at = start + 1,
                None => return Found::Nothing(start),
            }
            continue;
        }
        match end_of_tag(&rest[..rest.len().min(TAG)]) {
            Some(length) => {
                let end = start + length;
                let closes = rest[1] == b'/';
                let inside = &bytes[start + 1 + usize::from(closes)..end - 1];
                let name = inside
                    .split(|byte| byte.is_ascii_whitespace() || *byte == b'/')
                    .next()
                    .unwrap_or_default();
                let name = name.rsplit(|byte| *byte == b':').next().unwrap_or_default();
                if name.is_empty() {
                    at = start + 1;
                    continue;
                }
                return Found::Tag(Tag {
                    name,
                    start,
                    end,
                    closes,
                    empty: !closes && inside.ends_with(b"/"),
                });
            }
            None if complete || rest.len() >= TAG => at = start + 1,
            None => return Found::Nothing(start),
        }
    }
    Found::Nothing(bytes.len())
}

/// Bytes up to and with the `>` that is not in quotes; at least three.
fn end_of_tag(bytes: &[u8]) -> Option<usize> {
    let mut quote = None;
    for (place, &byte) in bytes.iter().enumerate().skip(1) {
        match quote {
            Some(open) if byte == open => quote = None,
            Some(_) => {}
            None => match byte {
                b'"' | b'\'' => quote = Some(byte),
                b'<' => return None,
                b'>' => return (place > 1).then_some(place + 1),
                _ => {}
            },
        }
    }
    None
}
