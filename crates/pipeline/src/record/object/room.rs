//! Memory of strings whose escapes have been resolved.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};

/// Number of bytes copied in one step. Most runs between two escapes are shorter.
const STEP: usize = 32;

/// Maximum length of a character in UTF-8.
pub(super) const CHAR: usize = 4;

/// Initial capacity of a string in bytes.
const SHORT: usize = 1 << 10;

/// Memory for one long unescaped string of a line, reused from line to line.
///
/// Allocating fresh memory of the size of a page takes longer than unescaping the page. Other strings of the line have memory of their own.
#[derive(Default)]
pub(crate) struct StringRoom {
    free: Cell<Vec<u8>>,
    taken: OnceCell<Made>,
}

impl StringRoom {
    /// Minimum size of an allocation in bytes.
    ///
    /// The system provides only the memory that is written to. A large first allocation therefore costs
    /// nothing and has room for nearly all pages, so that no smaller allocations are left behind.
    const LEAST: usize = 4 << 20;
    /// Largest allocation in bytes that is kept from line to line.
    const KEPT: usize = 8 << 20;

    /// Frees the memory for the next line.
    pub(crate) fn clear(&mut self) {
        if let Some(taken) = self.taken.take()
            && taken.bytes.len() <= Self::KEPT
        {
            self.free.set(taken.bytes);
        }
    }

    /// Returns memory of at least `bytes` bytes.
    fn memory(&self, bytes: usize) -> Vec<u8> {
        let free = self.free.take();
        match free.len() < bytes {
            // A free buffer that is too small is replaced.
            true => vec![0; bytes.max(Self::LEAST)],
            false => free,
        }
    }

    /// Stores the string in the room if it is long and the room is free. Otherwise returns it.
    fn hold(&self, made: Made) -> Result<&[u8], Made> {
        match made.bytes.len() > SHORT && self.taken.get().is_none() {
            true => Ok(self.taken.get_or_init(|| made).made()),
            false => Err(made),
        }
    }
}

/// A string under construction: the first `length` bytes of `bytes`.
///
/// The bytes after it are arbitrary, so that appending writes in fixed steps without a check of the exact length.
#[derive(Default)]
pub(super) struct Made {
    bytes: Vec<u8>,
    length: usize,
}

impl Made {
    pub(super) fn is_empty(&self) -> bool {
        self.length == 0
    }

    fn made(&self) -> &[u8] {
        debug_assert!(self.length <= self.bytes.len(), "the string lies in its buffer");
        self.bytes.get(..self.length).unwrap_or_default()
    }

    /// Returns the string without the bytes after it.
    fn into_bytes(mut self) -> Vec<u8> {
        self.bytes.truncate(self.length);
        self.bytes
    }

    /// Appends `bytes[from..to]`. Afterwards there is room for one more character.
    #[inline(always)]
    pub(super) fn copy(&mut self, bytes: &[u8], from: usize, to: usize, room: Option<&StringRoom>) {
        let run = to - from;
        // A short run is copied as a whole step, and a character may follow.
        let now = run.max(STEP) + CHAR;
        if self.bytes.len() - self.length < now {
            // Resolving escapes never lengthens a string, so the rest of the line bounds its length.
            self.make_room(now, bytes.len() - from + STEP + CHAR, room);
        }
        let behind = &mut self.bytes[self.length..];
        match (
            bytes[from..].first_chunk::<STEP>(),
            behind.first_chunk_mut::<STEP>(),
        ) {
            (Some(step), Some(to)) if run <= STEP => *to = *step,
            _ => behind[..run].copy_from_slice(&bytes[from..to]),
        }
        self.length += run;
    }

    /// Appends a character. There must be room, as [`copy`](Self::copy) leaves it.
    #[inline(always)]
    pub(super) fn push(&mut self, char: &[u8]) {
        self.bytes[self.length..][..char.len()].copy_from_slice(char);
        self.length += char.len();
    }

    /// Makes room for `all` further bytes; `now` of them are needed at once. The first allocation of a short string is small.
    #[cold]
    fn make_room(&mut self, now: usize, all: usize, room: Option<&StringRoom>) {
        let wanted = self.length + all;
        let mut memory = match (self.bytes.len(), room) {
            (0, _) if now <= SHORT => vec![0; all.min(SHORT)],
            (_, Some(room)) => room.memory(wanted),
            (_, None) => vec![0; wanted],
        };
        memory[..self.length].copy_from_slice(self.made());
        self.bytes = memory;
    }
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
impl Made {
    /// The next `N` bytes after the string. Write there, then call [`advance`](Self::advance). `left` is the maximum number of bytes still
    /// to come.
    #[inline(always)]
    pub(super) fn next<const N: usize>(
        &mut self,
        left: usize,
        room: Option<&StringRoom>,
    ) -> Option<&mut [u8; N]> {
        if self.bytes.len() - self.length < N {
            self.make_room(N, left + N, room);
        }
        self.bytes.get_mut(self.length..)?.first_chunk_mut()
    }

    /// Appends `bytes` bytes that were written after the string.
    #[inline(always)]
    pub(super) fn advance(&mut self, bytes: usize) {
        self.length += bytes;
    }
}

/// Returns the finished string, or `None` if it is not UTF-8.
pub(super) fn checked(made: Made, room: Option<&StringRoom>) -> Option<Cow<'_, str>> {
    let held = match room {
        Some(room) => room.hold(made),
        None => Err(made),
    };
    let made = match held {
        Ok(held) => return simdutf8::basic::from_utf8(held).ok().map(Cow::Borrowed),
        Err(made) => made.into_bytes(),
    };
    // The standard library validates ASCII with SIMD but other characters one by one. Validation by SIMD plus a copy is faster.
    if made.is_ascii() {
        return String::from_utf8(made).ok().map(Cow::Owned);
    }
    let made = simdutf8::basic::from_utf8(&made).ok()?;
    Some(Cow::Owned(made.to_owned()))
}
