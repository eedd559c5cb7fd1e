//! Looking for the next record where no length tells.

use memchr::memmem;

use super::digest::Named;
use crate::inflate::gzip::{self, Header};
use crate::members::probe::{self, Found, RECORD};

/// Looks for the head of a record from `from` on: where it stands, or, with `Found::More` or `Found::No`, how far the search came.
pub(super) fn next_head(data: &[u8], from: usize, whole: bool) -> (Found, usize) {
    let mut at = from;
    while let Some(next) = data.get(at..).and_then(|rest| memmem::find(rest, RECORD)) {
        at += next;
        match probe::head(&data[at..], whole) {
            Found::Yes if is_stored(&data[..at]) => at += RECORD.len(),
            Found::No => at += RECORD.len(),
            found => return (found, at),
        }
    }
    // A prefix of the name may stand at the end.
    let safe = if whole {
        data.len()
    } else {
        data.len().saturating_sub(RECORD.len() - 1)
    };
    (Found::No, safe.max(at))
}

/// Whether bytes end with the header of a gzip member and that of a stored block. Then what follows is part of another archive: one that
/// a page offers, or the next member, into which one without end runs on, and which is read where it begins.
fn is_stored(before: &[u8]) -> bool {
    let near = &before[before.len().saturating_sub(MAX_HEADER)..];
    memmem::rfind(near, &gzip::MAGIC).is_some_and(|at| {
        let header = &near[at..];
        matches!(gzip::header(header), Header::Length(length) if length + STORED_HEADER == header.len())
    })
}

/// Bytes before a head that say what it is part of: of gzip headers, those that are recognized where they do not belong.
pub(super) const MAX_HEADER: usize = 512;

/// Bytes of the header of a stored block that begins with a byte.
const STORED_HEADER: usize = 5;

/// What stands between the end of a block and what comes next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tail {
    /// So many bytes of newlines, and it is where a block ends.
    Right(usize),
    /// A block does not end here.
    Wrong,
    /// More bytes are needed.
    More,
}

/// Most newlines, in bytes, between a record and the next one.
pub(super) const MAX_TAIL: usize = 4;

/// Whether a block ends here: two newlines follow, or the head of a record, or the end.
pub(super) fn tail(rest: &[u8], whole: bool) -> Tail {
    for newlines in [b"\r\n\r\n".as_slice(), b"\n\n"] {
        if rest.starts_with(newlines) {
            return Tail::Right(newlines.len());
        }
    }
    let newlines = rest
        .iter()
        .take_while(|byte| matches!(byte, b'\r' | b'\n'))
        .count();
    let next = &rest[newlines..];
    let prefix = next.len().min(RECORD.len());
    if next[..prefix] != RECORD[..prefix] || newlines > MAX_TAIL {
        return Tail::Wrong;
    }
    match next.get(RECORD.len()) {
        Some(digit) if digit.is_ascii_digit() => Tail::Right(newlines),
        Some(_) => Tail::Wrong,
        None if !whole => Tail::More,
        None if next.is_empty() => Tail::Right(newlines),
        None => Tail::Wrong,
    }
}

/// Whether bytes begin as what ends a record does.
pub(super) fn begins_with_tail(rest: &[u8]) -> bool {
    rest.starts_with(b"\r\n\r\n") || rest.starts_with(b"\n\n")
}

/// The length of a block that ends before the newlines that end a record, if they are there.
pub(super) fn without_tail(block: &[u8]) -> usize {
    let ends = [b"\r\n\r\n".as_slice(), b"\n\n"];
    let tail = ends.iter().find(|newlines| block.ends_with(newlines));
    block.len() - tail.map_or(0, |newlines| newlines.len())
}

/// Heads at which a digest is tried: each costs a computation over the block.
const TRIES: u8 = 4;

/// A search for the end of a block. Pages quote archives, so the head before which the digest is right is preferred, among the first
/// few; else the first one is taken.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct EndSearch {
    /// Bytes of the block that have been searched.
    pub(super) searched: usize,
    first: Option<usize>,
    tries: u8,
}

impl EndSearch {
    /// Goes on: the length of the block with the newlines behind it, once it is known. `whole` says that no more bytes follow; then the
    /// answer is `None` if there is no head.
    pub(super) fn end(
        &mut self,
        block: &[u8],
        most: usize,
        digest: Option<&Named>,
        whole: bool,
    ) -> Option<usize> {
        loop {
            let (found, at) = next_head(block, self.searched, whole);
            self.searched = at;
            if found != Found::Yes || at > most {
                let over = whole || at > most;
                let end = self.first.filter(|_| over);
                return end.or((found == Found::Yes).then_some(at));
            }
            let Some(digest) = digest else {
                return Some(at);
            };
            self.tries += 1;
            if digest.is_of(&block[..without_tail(&block[..at])]) {
                return Some(at);
            }
            let first = *self.first.get_or_insert(at);
            if self.tries == TRIES {
                return Some(first);
            }
            self.searched = at + RECORD.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &[u8] = b"WARC/1.0\nWARC-Type: response\nContent-Length: 3\n\n";

    #[test]
    fn blocks_end_before_newlines_or_heads() {
        assert_eq!(tail(b"\r\n\r\nx", false), Tail::Right(4));
        assert_eq!(tail(b"\r\nWARC/1", false), Tail::Right(2));
        assert_eq!(tail(b"\r\n", false), Tail::More);
        assert_eq!(tail(b"\r\n", true), Tail::Right(2));
        assert_eq!(tail(b"\r\nWAR", true), Tail::Wrong);
        assert_eq!(tail(b"\r\nx", false), Tail::Wrong);
    }

    #[test]
    fn the_head_at_which_the_digest_is_right_ends_the_block() {
        let quote = [b"see ".as_slice(), HEAD, b"end"].concat();
        let block = [&quote, b"\r\n\r\n".as_slice(), HEAD].concat();
        let digest = Named::parse(b"md5:00000000000000000000000000000000").unwrap();
        let end = |digest: Option<&Named>| EndSearch::default().end(&block, 1 << 20, digest, true);
        assert_eq!(end(None), Some(4));
        assert_eq!(end(Some(&digest)), Some(4));
        let right = Named::parse(format!("md5:{}", hex(&quote)).as_bytes()).unwrap();
        assert_eq!(end(Some(&right)), Some(quote.len() + 4));
    }

    fn hex(bytes: &[u8]) -> String {
        use md5::{Digest, Md5};
        Md5::digest(bytes)
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }
}
