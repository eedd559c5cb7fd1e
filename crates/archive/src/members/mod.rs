//! A file as a sequence of members: gzip members, zstd frames, and runs of bytes that are not compressed.

mod begin;
pub(crate) mod dictionary;
pub(crate) mod probe;
mod window;

use crate::credit::Credit;
use crate::damage::Reason;
use crate::inflate::Progress;
use crate::inflate::gzip;
use crate::inflate::zstd_frame::{Border, Walk};
use crate::limits::{Limits, RETAINED};
use dictionary::{Dictionary, Frames};
use probe::{Found, Probe};
use window::Window;

/// Who is told what a file consists of.
pub(crate) trait Sink {
    /// A compressed member begins at that offset.
    fn begin(&mut self, at: u64);
    /// Plain bytes of the member.
    fn plain(&mut self, bytes: &[u8]);
    /// The member ends. `checked` says that a checksum says that its bytes are right.
    fn end(&mut self, checked: bool);
    /// The member that began at that offset is broken: what follows does not continue it.
    fn broken(&mut self, at: u64, reason: Reason);
    /// Something else is wrong.
    fn damage(&mut self, at: u64, bytes: u64, reason: Reason);
    /// Bytes at that offset that are not compressed. What is given back, the last of all bytes given since the run began, is no part of
    /// the run. `whole` says that no more bytes follow.
    fn run(&mut self, at: u64, bytes: &[u8], whole: bool) -> Option<Vec<u8>>;
    /// Whether members begin inside records.
    fn in_blocks(&self) -> bool;
}

/// What the members hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Content {
    Records,
    /// Anything, perhaps not compressed.
    Anything,
    /// Anything, surely compressed.
    Packed,
    /// The same, from between two members on.
    Members,
}

enum State {
    /// Something begins.
    Between,
    Gzip {
        start: u64,
    },
    Zstd {
        start: u64,
        checked: bool,
    },
    /// A frame that is not decoded.
    Undecoded {
        start: u64,
        walk: Walk,
    },
    /// A frame that holds nothing, or the dictionary; so many bytes of it are left.
    Skippable {
        start: u64,
        left: u64,
        dictionary: Option<Vec<u8>>,
    },
    Run,
    /// A member had a false checksum. If no other one begins behind it, its end was false, too.
    Doubt {
        start: u64,
        /// Whether its bytes may be looked at again.
        paid: bool,
    },
    /// What begins is looked for. `lost` is the offset from which bytes are lost, if that is to be told.
    Search {
        lost: Option<u64>,
    },
}

/// Bytes of a run that are handed on at a time: those among them that are given back are looked at again.
const STEP: usize = 16 << 10;

/// The machine.
pub(crate) struct Members {
    content: Content,
    window: Window,
    state: State,
    probe: Probe,
    gzip: Box<gzip::Member>,
    frames: Frames,
    first: u64,
    /// Frames that were not decoded.
    pub(crate) undecoded: u64,
    /// For broken members, which are inflated up to some offset, and for those that begin inside.
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

    pub(crate) fn push(&mut self, bytes: &[u8], sink: &mut dyn Sink) {
        self.window.extend(bytes);
        while self.step(false, sink) {}
        let position = self.window.position;
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

    /// The offset, if the last member has ended and nothing of it is pending.
    pub(crate) fn between(&self) -> Option<u64> {
        let at = self.window.position;
        let rests = matches!(self.state, State::Between) || matches!(self.state, State::Run);
        (rests && at == self.window.end() && at >= self.credit.high()).then_some(at)
    }

    /// Whether nothing has been read yet.
    pub(crate) fn is_at_start(&self) -> bool {
        self.window.position == self.first
    }

    pub(crate) fn is_run(&self) -> bool {
        matches!(self.state, State::Run)
    }

    pub(crate) fn dictionary(&self) -> &Dictionary {
        self.frames.dictionary()
    }

    /// Does the next thing; whether there is more to do.
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

    /// Goes on after bytes of a member.
    fn progress(&mut self, progress: Progress, whole: bool, sink: &mut dyn Sink) -> bool {
        match progress {
            Progress::More => {
                self.window.position = self.window.end();
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

    /// Leaves a broken member, of which bytes up to `end` have been inflated: others may begin inside.
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
        let paid = self.credit.look(start, end);
        if reason == Reason::Checksum {
            self.window.position = end;
            self.state = State::Doubt { start, paid };
            return;
        }
        self.window.position = if paid {
            (start + 1).max(end.saturating_sub(RETAINED))
        } else {
            self.credit.high()
        };
        self.state = State::Search { lost: None };
    }

    /// After a member with a false checksum: whether its end was the end.
    fn doubt(&mut self, start: u64, paid: bool, whole: bool, sink: &mut dyn Sink) -> bool {
        let rest = self.window.rest();
        let found = match rest {
            [] if whole => Found::Yes,
            [b'W', ..] => probe::head(rest, whole),
            _ => self.probe.member(rest, false, whole),
        };
        match found {
            Found::More => return false,
            Found::Yes if !paid || !self.begins_inside(start, sink) => self.state = State::Between,
            Found::Yes | Found::No => {
                self.window.position = (start + 1).max(self.window.position.saturating_sub(RETAINED));
                self.state = State::Search { lost: None };
            }
        }
        true
    }

    /// Whether other members begin inside the one that seems to end at the position. The codes of deflate find their way back in other
    /// data: a member that was cut may be read on into its neighbors, and seem to end where one of them does.
    fn begins_inside(&mut self, start: u64, sink: &mut dyn Sink) -> bool {
        let record = self.content == Content::Records && !sink.in_blocks();
        let position = self.window.position;
        let from = (start + 1).max(position.saturating_sub(RETAINED));
        let bytes = self.window.from(from);
        let inside = bytes.len() - self.window.rest().len();
        let gzip = memchr::memchr_iter(0x1F, &bytes[..inside]);
        // What lies behind may not have arrived, and must not show.
        let mut members =
            gzip.filter(|at| self.probe.member(&bytes[*at..inside], record, true) == Found::Yes);
        members.next().is_some()
    }

    /// Looks for a beginning from the position on.
    fn search(&mut self, whole: bool, sink: &mut dyn Sink) -> bool {
        let State::Search { lost } = self.state else {
            return true;
        };
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
                // Broken members may hold heads as they are.
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
        let end = self.window.end().max(from);
        self.window.position = end;
        if whole {
            self.found(end, lost, sink);
            self.state = State::Between;
        }
        false
    }

    /// Ends a search.
    fn found(&mut self, at: u64, lost: Option<u64>, sink: &mut dyn Sink) {
        self.window.position = at;
        if let Some(lost) = lost {
            sink.damage(lost, at - lost, Reason::NoMember);
        }
    }

    /// Hands on bytes that are not compressed.
    fn run(&mut self, whole: bool, sink: &mut dyn Sink) -> bool {
        let at = self.window.position;
        let rest = self.window.rest();
        let piece = &rest[..rest.len().min(STEP)];
        let last = piece.len() == rest.len();
        let (given_back, taken) = (sink.run(at, piece, whole && last), piece.len());
        self.window.position += taken as u64;
        if let Some(rest) = given_back {
            self.window.give_back(&rest);
            self.state = State::Between;
            return true;
        }
        !last
    }
}
