//! Splits a file into members: gzip members, zstd frames, and runs of uncompressed bytes.

mod begin;
pub(crate) mod dictionary;
pub(crate) mod probe;
mod window;

use crate::credit::Credit;
use crate::damage::Reason;
use crate::inflate::Progress;
use crate::inflate::gzip;
use crate::inflate::zstd_frame::{Border, Walk};
use crate::limits::{Allowance, Limits, RETAINED};
use dictionary::{Dictionary, Frames};
use probe::{Found, Probe};
use window::Window;

/// Receives the contents of a file, member by member.
pub(crate) trait Sink {
    /// A compressed member begins at offset `at`.
    fn begin(&mut self, at: u64);
    /// Plain bytes of the member.
    fn plain(&mut self, bytes: &[u8]);
    /// The member ends. `checked` is true if a correct checksum confirms its bytes.
    fn end(&mut self, checked: bool);
    /// The member that began at offset `at` is broken. The bytes that follow do not continue it.
    fn broken(&mut self, at: u64, reason: Reason);
    /// Other damage: `bytes` lost from offset `at` on.
    fn damage(&mut self, at: u64, bytes: u64, reason: Reason);
    /// Uncompressed bytes at offset `at`. The sink may return trailing bytes, out of all bytes passed since
    /// the run began, that do not belong to the run. `whole` is true if no more bytes follow.
    fn run(&mut self, at: u64, bytes: &[u8], whole: bool) -> Option<Vec<u8>>;
    /// Returns `true` if members begin inside records.
    fn in_blocks(&self) -> bool;
}

/// Expected content of the members.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Content {
    Records,
    /// Any content, possibly uncompressed.
    Anything,
    /// Any content, always compressed.
    Packed,
    /// Any content, always compressed, where the input starts between two members.
    Members,
}

enum State {
    /// A member or run begins.
    Between,
    Gzip {
        start: u64,
    },
    Zstd {
        start: u64,
        checked: bool,
    },
    /// A frame that cannot be decoded; its bytes are skipped.
    Undecoded {
        start: u64,
        walk: Walk,
    },
    /// A skippable frame, empty or with the dictionary. `left` is the number of bytes still to come.
    Skippable {
        start: u64,
        left: u64,
        dictionary: Option<Vec<u8>>,
    },
    Run,
    /// A member had a wrong checksum. Its end is trusted only if another member begins right after it.
    Doubt {
        start: u64,
        /// `true` if the budget allows reading its bytes again.
        paid: bool,
    },
    /// Searching for the next member. `lost` is the offset from which bytes are lost, if they are to be reported.
    Search {
        lost: Option<u64>,
    },
}

/// Maximum number of bytes of a run passed to the sink at once. It bounds the bytes that may be returned and read again.
const STEP: usize = 16 << 10;

/// The state machine that splits a file into members.
pub(crate) struct Members {
    content: Content,
    window: Window,
    state: State,
    probe: Probe,
    gzip: Box<gzip::Member>,
    frames: Frames,
    first: u64,
    /// Number of frames that were not decoded.
    pub(crate) undecoded: u64,
    /// Budget for reading bytes of broken members again, since other members may begin inside them.
    credit: Credit,
}

impl Members {
    pub(crate) fn new(at: u64, dictionary: Dictionary, content: Content, limits: Limits) -> Self {
        Members {
            content,
            window: Window::new(at),
            state: State::Between,
            probe: Probe::new(),
            gzip: Box::new(gzip::Member::new()),
            frames: Frames::new(dictionary, limits.window_log),
            first: at,
            undecoded: 0,
            credit: Credit::new(at),
        }
    }

    /// Sets the number of plain bytes beyond the ratio that the members may have.
    pub(crate) fn with_allowance(mut self, allowance: Allowance) -> Self {
        self.gzip.set_allowance(allowance);
        self.frames.set_allowance(allowance);
        self
    }

    pub(crate) fn push(&mut self, bytes: &[u8], sink: &mut dyn Sink) {
        self.window.extend(bytes);
        while self.step(false, sink) {}
        let position = self.window.position;
        // Bytes of an unfinished member are kept, up to `RETAINED`, because other members may begin inside
        // it if it proves broken.
        self.window.keep_from(match self.state {
            State::Gzip { start } | State::Zstd { start, .. } | State::Undecoded { start, .. } => {
                start.max(position.saturating_sub(RETAINED))
            }
            State::Skippable { start, .. } => start.max(position.saturating_sub(RETAINED)),
            State::Doubt { start, .. } => start.max(position.saturating_sub(RETAINED)),
            State::Between | State::Run | State::Search { .. } => position,
        });
    }

    pub(crate) fn finish(&mut self, sink: &mut dyn Sink) {
        while self.step(true, sink) {}
    }

    /// Returns the current offset if the last member has ended and all bytes are consumed. `None` otherwise.
    pub(crate) fn between(&self) -> Option<u64> {
        let at = self.window.position;
        // In a run only the framer knows whether a record is unfinished.
        let rests = matches!(self.state, State::Between) || matches!(self.state, State::Run);
        // Before the highest offset that was read, bytes are being read again.
        (rests && at == self.window.end() && at >= self.credit.high()).then_some(at)
    }

    /// Returns `true` if no byte has been consumed yet.
    pub(crate) fn is_at_start(&self) -> bool {
        self.window.position == self.first
    }

    pub(crate) fn is_run(&self) -> bool {
        matches!(self.state, State::Run)
    }

    pub(crate) fn dictionary(&self) -> &Dictionary {
        self.frames.dictionary()
    }

    /// Performs one step. Returns `true` if there is more to do.
    fn step(&mut self, whole: bool, sink: &mut dyn Sink) -> bool {
        let progress = match &mut self.state {
            State::Between => return self.begin(whole, sink),
            State::Search { .. } => return self.search(whole, sink),
            State::Doubt { start, paid } => {
                let (start, paid) = (*start, *paid);
                return self.doubt(start, paid, whole, sink);
            }
            State::Run => return self.run(whole, sink),
            State::Gzip { .. } => self.gzip.push(self.window.rest(), &mut |plain| sink.plain(plain)),
            State::Zstd { .. } => self
                .frames
                .push(self.window.rest(), &mut |plain| sink.plain(plain)),
            State::Undecoded { walk, .. } => {
                let (taken, border) = walk.step(self.window.rest());
                match border {
                    Border::Frame => Progress::End(taken),
                    Border::Bad => Progress::Failed(taken, Reason::BadData),
                    Border::Block => {
                        self.window.position += taken as u64;
                        return true;
                    }
                    Border::Inside => Progress::More,
                }
            }
            State::Skippable { left, dictionary, .. } => {
                let rest = self.window.rest();
                // A skippable frame may state up to 4 GiB; only the bytes that are there are taken.
                let taken = rest.len().min(usize::try_from(*left).unwrap_or(usize::MAX));
                *left -= taken as u64;
                if let Some(content) = dictionary {
                    dictionary::gather(content, &rest[..taken]);
                }
                if *left == 0 {
                    Progress::End(taken)
                } else {
                    Progress::More
                }
            }
        };
        self.progress(progress, whole, sink)
    }

    /// Updates the state after a push into the current member.
    fn progress(&mut self, progress: Progress, whole: bool, sink: &mut dyn Sink) -> bool {
        match progress {
            Progress::More => {
                // The decoder keeps its state, so the bytes need not be pushed again.
                self.window.position = self.window.end();
                // At the end of the input, an unfinished member is cut.
                if whole {
                    self.fail(self.window.end(), Reason::CutMember, sink);
                }
                whole
            }
            Progress::End(taken) => {
                self.window.position += taken as u64;
                match std::mem::replace(&mut self.state, State::Between) {
                    State::Gzip { .. } => sink.end(true),
                    State::Zstd { checked, .. } => sink.end(checked),
                    State::Skippable {
                        start,
                        dictionary: Some(content),
                        ..
                    } => self.set_dictionary(start, content, sink),
                    _ => {}
                }
                // If no byte beyond this offset was read, the budget starts again.
                self.credit.settle(self.window.position);
                true
            }
            Progress::Failed(taken, reason) => {
                self.fail(self.window.position + taken as u64, reason, sink);
                true
            }
        }
    }

    fn set_dictionary(&mut self, start: u64, content: Vec<u8>, sink: &mut dyn Sink) {
        if !self.frames.set_dictionary(content) {
            sink.damage(start, 0, Reason::BadDictionary);
        }
    }

    /// Abandons a broken member that was decoded up to offset `end`. Other members may begin inside it.
    fn fail(&mut self, end: u64, reason: Reason, sink: &mut dyn Sink) {
        let start = match std::mem::replace(&mut self.state, State::Between) {
            State::Gzip { start } | State::Zstd { start, .. } => {
                sink.broken(start, reason);
                start
            }
            State::Undecoded { start, .. } => start,
            State::Skippable {
                start, dictionary, ..
            } => {
                if dictionary.is_some() {
                    self.frames.lose_dictionary();
                    sink.damage(start, 0, Reason::BadDictionary);
                } else {
                    sink.damage(start, 0, reason);
                }
                start
            }
            State::Between | State::Run | State::Doubt { .. } | State::Search { .. } => self.window.position,
        };
        // Charges the bytes of the broken member, which a search may read again.
        let paid = self.credit.look(start, end);
        // All bytes were decoded; only the sum is wrong. The member may be intact but for one byte, so its
        // end is examined first.
        if reason == Reason::Checksum {
            self.window.position = end;
            self.state = State::Doubt { start, paid };
            return;
        }
        // Without budget, the search starts after all bytes that were read.
        self.window.position = if paid {
            // At least one byte further, so that the search cannot find the broken member again.
            (start + 1).max(end.saturating_sub(RETAINED))
        } else {
            self.credit.high()
        };
        self.state = State::Search { lost: None };
    }

    /// Decides, after a member with a wrong checksum, whether its end is trusted.
    fn doubt(&mut self, start: u64, paid: bool, whole: bool, sink: &mut dyn Sink) -> bool {
        let rest = self.window.rest();
        let found = match rest {
            // The member ends with the input, as the last member should.
            [] if whole => Found::Yes,
            [b'W', ..] => probe::head(rest, whole),
            _ => self.probe.member(rest, false, whole),
        };
        match found {
            Found::More => return false,
            // The end is trusted if a member begins right after it and no other begins inside it.
            Found::Yes if !paid || !self.begins_inside(start, sink) => self.state = State::Between,
            Found::Yes | Found::No => {
                self.window.position = (start + 1).max(self.window.position.saturating_sub(RETAINED));
                self.state = State::Search { lost: None };
            }
        }
        true
    }

    /// Returns `true` if another member begins inside the one that seems to end at the current position.
    ///
    /// Deflate decoding can resynchronize on foreign data: a truncated member may be decoded on into the
    /// next members and seem to end where one of them does.
    fn begins_inside(&mut self, start: u64, sink: &mut dyn Sink) -> bool {
        let record = self.content == Content::Records && !sink.in_blocks();
        let position = self.window.position;
        let from = (start + 1).max(position.saturating_sub(RETAINED));
        let bytes = self.window.from(from);
        let inside = bytes.len() - self.window.rest().len();
        let gzip = memchr::memchr_iter(0x1F, &bytes[..inside]);
        // Bytes after the position might not have arrived yet and must not influence the result.
        let mut members =
            gzip.filter(|at| self.probe.member(&bytes[*at..inside], record, true) == Found::Yes);
        members.next().is_some()
    }

    /// Searches for the start of a member from the current position on.
    fn search(&mut self, whole: bool, sink: &mut dyn Sink) -> bool {
        let State::Search { lost } = self.state else {
            return true;
        };
        // Inside a record a member need not begin with a record header.
        let record = self.content == Content::Records && !sink.in_blocks();
        let from = self.window.position;
        let rest = self.window.rest();
        let mut at = 0;
        while let Some(next) = rest
            .get(at..)
            .and_then(|rest| memchr::memchr3(0x1F, 0x28, b'W', rest))
        {
            at += next;
            let candidate = &rest[at..];
            let found = if candidate[0] == b'W' {
                // A broken member may hold uncompressed record headers, so headers count only after all
                // bytes that were decoded.
                if self.content == Content::Records && from + at as u64 >= self.credit.high() {
                    probe::head(candidate, whole)
                } else {
                    Found::No
                }
            } else {
                self.probe.member(candidate, record, whole)
            };
            match found {
                Found::No => at += 1,
                // The candidate is examined again when more bytes have arrived.
                Found::More => {
                    self.window.position = from + at as u64;
                    return false;
                }
                Found::Yes => {
                    self.found(from + at as u64, lost, sink);
                    self.state = State::Between;
                    return true;
                }
            }
        }
        // The position may lie beyond the bytes that have arrived.
        let end = self.window.end().max(from);
        self.window.position = end;
        if whole {
            self.found(end, lost, sink);
            self.state = State::Between;
        }
        false
    }

    /// Ends a search at offset `at` and reports the lost bytes.
    fn found(&mut self, at: u64, lost: Option<u64>, sink: &mut dyn Sink) {
        self.window.position = at;
        if let Some(lost) = lost {
            sink.damage(lost, at - lost, Reason::NoMember);
        }
    }

    /// Passes on uncompressed bytes.
    fn run(&mut self, whole: bool, sink: &mut dyn Sink) -> bool {
        let at = self.window.position;
        let rest = self.window.rest();
        // Small pieces, because a run may be given back and read again.
        let piece = &rest[..rest.len().min(STEP)];
        let last = piece.len() == rest.len();
        let (given_back, taken) = (sink.run(at, piece, whole && last), piece.len());
        self.window.position += taken as u64;
        if let Some(rest) = given_back {
            // The bytes are not a record. They may be a member, which `begin` decides.
            self.window.give_back(&rest);
            self.state = State::Between;
            return true;
        }
        !last
    }
}
