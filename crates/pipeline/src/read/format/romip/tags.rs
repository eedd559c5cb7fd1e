//! The next tag in bytes that are still being read. Framing needs no more of XML than this, and this much of any bytes.

use std::ops::Range;

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

/// What is passed over: how it begins and ends. The first that fits counts.
const PASSED: [(&[u8], &[u8]); 4] = [
    (b"<!--", b"-->"),
    (b"<![CDATA[", b"]]>"),
    (b"<?", b"?>"),
    (b"<!", b">"),
];

/// Finds the tags of a stream.
///
/// The end of a comment and the like is sought once in every byte, however many of them have none: where it does not stand is
/// remembered.
#[derive(Default)]
pub(super) struct Tags {
    /// For each of [`PASSED`], bytes of the stream in which its end does not stand.
    without_end: [Range<u64>; 4],
    #[cfg(test)]
    pub(super) searched: u64,
}

impl Tags {
    /// The place behind the first end of a construct of [`PASSED`] from `from` on. The bytes begin at `offset` in the stream.
    fn end(&mut self, passed: usize, bytes: &[u8], from: usize, offset: u64) -> Option<usize> {
        let close = PASSED[passed].1;
        let known = &mut self.without_end[passed];
        let first = offset + from as u64;
        let mut begin = from;
        if (known.start..=known.end).contains(&first) {
            // An end may stand across the last byte that was searched.
            let later = known.end.saturating_sub(offset + close.len() as u64 - 1);
            begin = from.max(usize::try_from(later).unwrap_or(from)).min(bytes.len());
        } else {
            known.start = first;
        }
        let found = memmem::find(&bytes[begin..], close).map(|end| begin + end + close.len());
        #[cfg(test)]
        {
            self.searched += (found.unwrap_or(bytes.len()) - begin) as u64;
        }
        if found.is_none() {
            known.end = offset + bytes.len() as u64;
        } else {
            *known = 0..0;
        }
        found
    }
}

/// The next tag from `from` on, in bytes that begin at `offset` in the stream. Comments, instructions, declarations and sections of
/// character data are passed over. With `complete`, no more bytes will come: what is not ended is text.
pub(super) fn next_tag<'b>(
    tags: &mut Tags,
    bytes: &'b [u8],
    from: usize,
    offset: u64,
    complete: bool,
) -> Found<'b> {
    let mut at = from;
    while let Some(start) = memchr(b'<', &bytes[at.min(bytes.len())..]).map(|found| at + found) {
        let rest = &bytes[start..];
        if !complete && rest.len() < 9 {
            return Found::Nothing(start);
        }
        if let Some(passed) = PASSED.iter().position(|(open, _)| rest.starts_with(open)) {
            match tags.end(passed, bytes, start + PASSED[passed].0.len(), offset) {
                Some(end) => at = end,
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
