//! Finds the next tag in a stream of bytes. Cutting a file into documents needs no other part of XML, and this works on arbitrary bytes.

use std::ops::Range;

use memchr::{memchr, memmem};

/// Largest size of a tag in bytes. Anything longer is text.
const TAG: usize = 4096;

/// A tag in a buffer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tag<'b> {
    /// Name without its namespace prefix.
    pub(super) name: &'b [u8],
    /// Position of `<`.
    pub(super) start: usize,
    /// Position after `>`.
    pub(super) end: usize,
    /// `true` for an end tag.
    pub(super) closes: bool,
    /// `true` for the tag of an empty element.
    pub(super) empty: bool,
}

/// Result of a search for the next tag.
#[derive(Clone, Copy, Debug)]
pub(super) enum Found<'b> {
    /// A tag.
    Tag(Tag<'b>),
    /// No tag before this position, at which a search with more bytes can continue.
    Nothing(usize),
}

/// Constructs that are skipped, as pairs of start and end. The first match counts, so `<!` is last.
const PASSED: [(&[u8], &[u8]); 4] = [
    (b"<!--", b"-->"),
    (b"<![CDATA[", b"]]>"),
    (b"<?", b"?>"),
    (b"<!", b">"),
];

/// Finds the tags of a stream.
///
/// Each byte is searched only once for the end of a comment or similar construct, even if many of them have
/// no end: the ranges without an end are remembered.
#[derive(Default)]
pub(super) struct Tags {
    /// For each entry of [`PASSED`], the range of the stream that does not contain its end.
    without_end: [Range<u64>; 4],
    #[cfg(test)]
    pub(super) searched: u64,
}

impl Tags {
    /// Returns the position after the first end of construct `passed` at or after `from`. The buffer begins at `offset` in the stream.
    fn end(&mut self, passed: usize, bytes: &[u8], from: usize, offset: u64) -> Option<usize> {
        let close = PASSED[passed].1;
        let known = &mut self.without_end[passed];
        let first = offset + from as u64;
        let mut begin = from;
        if (known.start..=known.end).contains(&first) {
            // The end may span the border of the bytes already searched.
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

/// Finds the next tag at or after `from`. The buffer begins at `offset` in the stream.
///
/// Comments, processing instructions, declarations and CDATA sections are skipped. With `complete`, no more
/// bytes follow, and constructs without an end are text.
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
        // The longest start of a construct, `<![CDATA[`, has 9 bytes.
        if !complete && rest.len() < 9 {
            return Found::Nothing(start);
        }
        if let Some(passed) = PASSED.iter().position(|(open, _)| rest.starts_with(open)) {
            match tags.end(passed, bytes, start + PASSED[passed].0.len(), offset) {
                Some(end) => at = end,
                // Without an end, the `<` is text.
                None if complete => at = start + 1,
                None => return Found::Nothing(start),
            }
            continue;
        }
        match end_of_tag(&rest[..rest.len().min(TAG)]) {
            Some(length) => {
                let end = start + length;
                // A tag has at least 3 bytes, so `rest[1]` exists.
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
            // A `<` without `>` in the next 4096 bytes is text.
            None if complete || rest.len() >= TAG => at = start + 1,
            None => return Found::Nothing(start),
        }
    }
    Found::Nothing(bytes.len())
}

/// Returns the length of a tag through the `>` that is not in quotes. `None` if a `<` or the end of the
/// bytes comes first, or if the tag is empty.
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
