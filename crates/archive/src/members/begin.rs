//! Start of a member or of an uncompressed run at the current position.

use super::probe::RECORD;
use super::{Content, Members, Sink, State};
use crate::damage::Reason;
use crate::inflate::gzip::{self, Header};
use crate::inflate::zstd_frame::{self, Kind, Walk};

impl Members {
    /// Begins the member or run at the current position. Returns `true` if there is more to do.
    pub(super) fn begin(&mut self, whole: bool, sink: &mut dyn Sink) -> bool {
        let start = self.window.position;
        let rest = self.window.rest();
        let Some(first) = rest.first() else {
            return false;
        };
        match first {
            // Some writers pad archives with zeros or put newlines between members. At the very start such
            // bytes may be the content of a plain file.
            0 | b'\n' | b'\r'
                if start > self.first || matches!(self.content, Content::Records | Content::Members) =>
            {
                self.window.position += 1;
                return true;
            }
            0x1F => match gzip::header(rest) {
                Header::Length(length) => {
                    self.gzip.reset();
                    self.window.position += length as u64;
                    self.state = State::Gzip { start };
                    sink.begin(start);
                    return true;
                }
                Header::More => return self.wait(whole, sink),
                Header::Bad => {}
            },
            _ => match self.begin_frame(sink) {
                Some(true) => return true,
                Some(false) => return self.wait(whole, sink),
                None => {}
            },
        }
        let rest = self.window.rest();
        let prefix = rest.len().min(RECORD.len());
        // A file that does not begin with a member is plain. Later, such bytes are damage.
        if self.content == Content::Anything && start == self.first {
            self.state = State::Run;
        } else if self.content == Content::Records && rest[..prefix] == RECORD[..prefix] {
            let digit = rest.get(RECORD.len());
            // `WARC/` alone may be text. The digit of the version decides, so it is awaited.
            if digit.is_none() && !whole {
                return false;
            }
            if digit.is_some_and(u8::is_ascii_digit) {
                self.state = State::Run;
                return true;
            }
            self.lose(start);
        } else {
            self.lose(start);
        }
        true
    }

    /// Skips bytes that are neither a member nor a record.
    fn lose(&mut self, start: u64) {
        self.state = State::Search { lost: Some(start) };
        self.window.position = start + 1;
    }

    /// Begins a zstd frame. Returns `Some(false)` if more bytes are needed, `None` if this is not a frame.
    fn begin_frame(&mut self, sink: &mut dyn Sink) -> Option<bool> {
        let start = self.window.position;
        let rest = self.window.rest();
        let Some(magic) = rest.first_chunk::<4>() else {
            // Fewer than four bytes: they are a frame only if they are a prefix of one of the magic
            // numbers.
            let begins = zstd_frame::MAGIC.starts_with(rest)
                || rest[0] & 0xF0 == 0x50 && [0x2A, 0x4D].starts_with(&rest[1..]);
            return begins.then_some(false);
        };
        match zstd_frame::kind(*magic)? {
            Kind::Skippable(number) => {
                let Some(size) = rest.get(4..8) else {
                    return Some(false);
                };
                let left = u64::from(u32::from_le_bytes([size[0], size[1], size[2], size[3]]));
                // Only the frame with the dictionary's number is kept. Other skippable frames are passed
                // over.
                let dictionary = (number == zstd_frame::DICTIONARY).then(Vec::new);
                self.window.position += 8;
                self.state = State::Skippable {
                    start,
                    left,
                    dictionary,
                };
            }
            Kind::Data => {
                let Some(header) = zstd_frame::header(rest).ok()? else {
                    return Some(false);
                };
                let bytes = &rest[..header.length];
                match self.frames.begin(header, bytes) {
                    Ok(()) => {
                        let checked = header.checksum;
                        self.state = State::Zstd { start, checked };
                        sink.begin(start);
                    }
                    // A frame that cannot be decoded is still walked block by block, so that the next
                    // member is found without a search.
                    Err(reason) => {
                        self.undecoded += 1;
                        if let Some(reason) = reason {
                            sink.damage(start, 0, reason);
                        }
                        let walk = Walk::new(header);
                        self.state = State::Undecoded { start, walk };
                    }
                }
                self.window.position += header.length as u64;
            }
        }
        Some(true)
    }

    /// Waits for the rest of a header. At the end of the input the member is cut.
    fn wait(&mut self, whole: bool, sink: &mut dyn Sink) -> bool {
        // One byte further, so that the search does not find the same incomplete header again.
        if whole {
            sink.damage(self.window.position, 0, Reason::CutMember);
            self.window.position += 1;
            self.state = State::Search { lost: None };
        }
        whole
    }
}
