//! Where strings lie once they are unescaped.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};

/// Bytes that are copied at once: most of what stands between two escapes is shorter.
const STEP: usize = 32;

/// Most bytes of a character.
pub(super) const CHAR: usize = 4;

/// Room for a string that is made at first.
const SHORT: usize = 1 << 10;

/// Where a long string of a line lies once it is unescaped, in the memory of those of earlier lines: fresh memory of the length of a page
/// takes longer to get than the page to unescape. Other strings have memory of their own.
#[derive(Default)]
pub(crate) struct StringRoom {
    free: Cell<Vec<u8>>,
    taken: OnceCell<Made>,
}

impl StringRoom {
    /// Room that is made at least, and that is kept from line to line at most. The system gives memory for what is written to alone: so there
    /// is room for nearly all pages from the beginning, and what was made for shorter ones is not left.
    const LEAST: usize = 4 << 20;
    const KEPT: usize = 8 << 20;

    /// Makes the room free for the next line.
    pub(crate) fn clear(&mut self) {
        if let Some(taken) = self.taken.take()
            && taken.bytes.len() <= Self::KEPT
        {
            self.free.set(taken.bytes);
        }
    }

    /// Memory of so many bytes.
    fn memory(&self, bytes: usize) -> Vec<u8> {
        let free = self.free.take();
        match free.len() < bytes {
            true => vec![0; bytes.max(Self::LEAST)],
            false => free,
        }
    }

    /// The string that was made, if it has its place in here, else what it was made of.
    fn hold(&self, made: Made) -> Result<&[u8], Made> {
        match made.bytes.len() > SHORT && self.taken.get().is_none() {
            true => Ok(self.taken.get_or_init(|| made).made()),
            false => Err(made),
        }
    }
}

/// A string that is being made: the first bytes of memory that holds any others behind them, so that what is appended needs neither
/// to be counted nor cut to its length.
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
        self.bytes.get(..self.length).unwrap_or_default()
    }

    /// The bytes alone.
    fn into_bytes(mut self) -> Vec<u8> {
        self.bytes.truncate(self.length);
        self.bytes
    }

    /// Appends `bytes[from..to]`, and makes room for more.
    #[inline(always)]
    pub(super) fn copy(&mut self, bytes: &[u8], from: usize, to: usize, room: Option<&StringRoom>) {
        let run = to - from;
        let now = run.max(STEP) + CHAR;
        if self.bytes.len() - self.length < now {
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

    /// Appends a character, for which there is room behind what was copied.
    #[inline(always)]
    pub(super) fn push(&mut self, char: &[u8]) {
        self.bytes[self.length..][..char.len()].copy_from_slice(char);
        self.length += char.len();
    }

    /// Makes room for so many bytes, of which `now` come at once: for few at first.
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
    /// The next `N` bytes behind what was made, of which `advance` then takes as many as it is told to. `left` is how many bytes all that
    /// comes may have at most.
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

    /// Takes so many bytes that were written behind what was made.
    #[inline(always)]
    pub(super) fn advance(&mut self, bytes: usize) {
        self.length += bytes;
    }
}

/// What was made as a string, if it is UTF-8.
pub(super) fn checked(made: Made, room: Option<&StringRoom>) -> Option<Cow<'_, str>> {
    let held = match room {
        Some(room) => room.hold(made),
        None => Err(made),
    };
    let made = match held {
        Ok(held) => return simdutf8::basic::from_utf8(held).ok().map(Cow::Borrowed),
        Err(made) => made.into_bytes(),
    };
    // The standard library goes through ASCII by vectors but through other letters one by one, which takes longer than to copy them
    // once they are checked by vectors.
    if made.is_ascii() {
        return String::from_utf8(made).ok().map(Cow::Owned);
    }
    let made = simdutf8::basic::from_utf8(&made).ok()?;
    Some(Cow::Owned(made.to_owned()))
}
