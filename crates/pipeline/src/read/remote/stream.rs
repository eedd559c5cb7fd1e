//! A remote file read from a byte on: ranges of it are fetched ahead, several at a time.

use std::collections::VecDeque;
use std::io::{self, Read};

use bytes::Bytes;
use tokio::sync::mpsc;

use super::object::{Failure, Object, PARTS, Version};
use super::runtime::Task;

/// Bytes of the first request. It is short, because many files are.
const FIRST: u64 = 1 << 20;
/// Bytes of each later request.
const BLOCK: u64 = 4 << 20;

/// Largest number of requests at a time. Together with the block that is being read they bound the memory
/// of a stream.
const AHEAD: usize = 4;

/// The bytes of a remote file.
pub(crate) struct RemoteStream {
    object: Object,
    state: State,
    /// Bytes that arrived and are not read yet.
    current: Bytes,
}

enum State {
    /// No request was sent yet. Holds the byte at which reading starts.
    New(u64),
    Ranges(Ranges),
    Whole(Whole),
    Ended,
    /// Reading failed, and fails again with the same error.
    Failed(io::ErrorKind, String),
}

/// Ranges that are fetched ahead.
struct Ranges {
    version: Version,
    /// First byte that was not requested yet.
    next: u64,
    /// Requests in the order of their bytes.
    asked: VecDeque<Task<Bytes>>,
}

/// A whole object that is being sent.
struct Whole {
    parts: mpsc::Receiver<Bytes>,
    task: Task<()>,
}

impl RemoteStream {
    /// Creates a stream that starts at the byte `from`. The first read sends the first request.
    pub(crate) fn new(object: Object, from: u64) -> Self {
        RemoteStream {
            object,
            state: State::New(from),
            current: Bytes::new(),
        }
    }

    /// Requests the first bytes. The answer states the length of the file, and whether the server sends
    /// ranges.
    fn start(&mut self, from: u64) -> io::Result<State> {
        enum First {
            Came(Bytes, Version),
            Ended,
            NoRanges,
        }
        let object = self.object.clone();
        let first = Task::start(async move {
            // The range may reach beyond the end of the file. The answer is shorter then.
            match object.fetch_first(from..from + FIRST).await {
                Ok(Some((bytes, version))) => Ok(First::Came(bytes, version)),
                Ok(None) => Ok(First::Ended),
                Err(Failure::NoRanges) => Ok(First::NoRanges),
                Err(Failure::Other(error)) => Err(error),
            }
        })?;
        Ok(match first.wait()? {
            First::Came(bytes, version) => {
                let next = from + bytes.len() as u64;
                self.current = bytes;
                State::Ranges(Ranges {
                    version,
                    next,
                    asked: VecDeque::new(),
                })
            }
            First::Ended => State::Ended,
            First::NoRanges => {
                let (to, parts) = mpsc::channel(PARTS);
                let object = self.object.clone();
                let task = Task::start(async move { object.fetch_whole(from, &to).await })?;
                State::Whole(Whole { parts, task })
            }
        })
    }

    /// Makes the next bytes current. At the end, `current` stays empty.
    fn advance(&mut self) -> io::Result<()> {
        match &mut self.state {
            State::New(from) => {
                let from = *from;
                self.state = self.start(from)?;
                // The first answer is current. The next ranges are requested while it is read.
                if let State::Ranges(ranges) = &mut self.state {
                    ranges.ask(&self.object)?;
                } else if let State::Whole(_) = &self.state {
                    return self.advance_whole();
                }
            }
            State::Ranges(ranges) => match ranges.asked.pop_front() {
                None => self.state = State::Ended,
                Some(block) => {
                    self.current = block.wait()?;
                    ranges.ask(&self.object)?;
                }
            },
            State::Whole(_) => return self.advance_whole(),
            State::Ended => {}
            State::Failed(kind, message) => return Err(io::Error::new(*kind, message.clone())),
        }
        Ok(())
    }

    fn advance_whole(&mut self) -> io::Result<()> {
        let State::Whole(whole) = &mut self.state else {
            return Ok(());
        };
        match whole.parts.blocking_recv() {
            Some(part) => self.current = part,
            None => {
                // The channel closes when the task ends, with or without an error.
                whole.task.wait()?;
                self.state = State::Ended;
            }
        }
        Ok(())
    }
}

impl Ranges {
    /// Requests further blocks.
    fn ask(&mut self, object: &Object) -> io::Result<()> {
        while self.asked.len() < AHEAD && self.next < self.version.bytes {
            let range = self.next..self.version.bytes.min(self.next + BLOCK);
            self.next = range.end;
            let (object, version) = (object.clone(), self.version.clone());
            self.asked.push_back(Task::start(async move {
                let (bytes, _) = object.fetch(range, Some(&version)).await?;
                Ok(bytes)
            })?);
        }
        Ok(())
    }
}

impl Read for RemoteStream {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        // A change of state may bring no bytes yet.
        while self.current.is_empty() && !to.is_empty() && !matches!(self.state, State::Ended) {
            if let Err(error) = self.advance() {
                self.state = State::Failed(error.kind(), error.to_string());
                return Err(error);
            }
        }
        let some = self.current.len().min(to.len());
        to[..some].copy_from_slice(&self.current.split_to(some));
        Ok(some)
    }
}
