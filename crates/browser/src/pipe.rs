//! The DevTools protocol over two pipes: one JSON object per message, each terminated by a NUL.
//!
//! This client is our own, since little of the protocol is needed and the maintained clients have many
//! dependencies.
//!
//! | client | last release | crates it adds | answers requests | ports on loopback | runtime |
//! |---|---|---|---|---|---|
//! | `thirtyfour` 0.38 with chromedriver | 2026-07 | 103, with BiDi 126 | by BiDi | the driver's; the browser's unless by pipe | tokio |
//! | `fantoccini` 0.22 with chromedriver | 2026-02 | 99 | no | the same | tokio |
//! | `chromiumoxide` 0.9 | 2026-02 | 120 | yes | the browser's | tokio |
//! | `headless_chrome` 1.0 | 2026-06 | 118 | yes | the browser's | threads |
//! | this file | | 0 | yes | none | one thread |
//!
//! Classic WebDriver does not report requests: commands of this protocol can be sent through chromedriver
//! (`goog/cdp/execute`), but its events, such as that of an intercepted request, are not forwarded.
//! WebDriver BiDi can intercept and answer requests (`network.addIntercept`, `network.provideResponse`),
//! and chromedriver 156 can communicate with the browser over pipes. BiDi lacks two features that are used
//! here. One is virtual time (`Emulation.setVirtualTimePolicy`), without which the result of scripts
//! depends on the speed of the machine. The other is pausing frames and workers before they start. With
//! BiDi, which a hidden page of the browser translates into this protocol, a page took twice the processor
//! time. And a driver is an additional program that must match the version of the browser.
//!
//! Pipes have two further advantages: they work with a browser in a network namespace of its own, and no
//! other program on the machine can use them.

use std::io::{Read, Write};
use std::process::{ChildStdin, ChildStdout};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde_json::{Value, json};

/// Maximum number of unread messages. When it is reached, the browser blocks.
const WAITING: usize = 64;

/// A message from the browser.
#[derive(Debug)]
pub(crate) enum Message {
    /// The answer to a command.
    Answer { id: u64, result: Result<Value, String> },
    /// An event, in a session or in the browser as a whole.
    Event {
        session: Option<String>,
        method: String,
        params: Value,
    },
}

/// Error: the browser has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Gone;

/// Both pipes.
#[derive(Debug)]
pub(crate) struct Pipe {
    to: Option<ChildStdin>,
    from: Option<Receiver<Message>>,
    reader: Option<JoinHandle<()>>,
    last: u64,
}

impl Pipe {
    /// Starts the reader thread. A message of more than `most` bytes ends the connection.
    // The bound makes this thread block, and then the browser, so that a flood of events cannot fill the
    // memory.
    pub(crate) fn new(to: ChildStdin, from: ChildStdout, most: usize) -> Pipe {
        let (send, receive) = sync_channel(WAITING);
        let reader = thread::Builder::new()
            .name("browser-pipe".to_owned())
            .spawn(move || read(from, &send, most))
            .ok();
        Pipe {
            to: Some(to),
            from: Some(receive),
            reader,
            last: 0,
        }
    }

    /// Sends a command and returns its number. Blocks while the pipe is full.
    pub(crate) fn send(&mut self, session: Option<&str>, method: &str, params: &Value) -> Result<u64, Gone> {
        self.last += 1;
        let mut message = json!({ "id": self.last, "method": method, "params": params });
        if let Some(session) = session {
            message["sessionId"] = session.into();
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        let to = self.to.as_mut().ok_or(Gone)?;
        to.write_all(&bytes).and_then(|()| to.flush()).map_err(|_| Gone)?;
        Ok(self.last)
    }

    /// Returns the next message, or `None` if none arrives within `time`.
    pub(crate) fn receive_within(&self, time: Duration) -> Result<Option<Message>, Gone> {
        match self.from.as_ref().ok_or(Gone)?.recv_timeout(time) {
            Ok(message) => Ok(Some(message)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(Gone),
        }
    }

    /// Returns the next message. Blocks without a time limit: the watch kills the browser at its deadline,
    /// which ends the wait.
    pub(crate) fn receive(&self) -> Result<Message, Gone> {
        self.from.as_ref().ok_or(Gone)?.recv().map_err(|_| Gone)
    }
}

impl Drop for Pipe {
    /// The process must have been killed before, so that the reader reaches the end of its pipe.
    fn drop(&mut self) {
        // Dropping the receiver makes a blocked `send` of the reader fail. Only then can the reader be
        // joined.
        self.to.take();
        self.from.take();
        if let Some(reader) = self.reader.take() {
            let _ = reader.join();
        }
    }
}

/// The reader thread: splits the output of the browser at NULs and sends each message on.
fn read(mut from: ChildStdout, to: &SyncSender<Message>, most: usize) {
    let mut buffer = vec![0; 64 << 10];
    let mut message: Vec<u8> = Vec::new();
    while let Ok(count @ 1..) = from.read(&mut buffer) {
        let mut parts = buffer[..count].split(|&byte| byte == 0);
        let mut part = parts.next();
        while let Some(bytes) = part {
            // Ends the thread and with it the connection: a message that never ends must not fill the
            // memory.
            if message.len() + bytes.len() > most {
                return;
            }
            message.extend_from_slice(bytes);
            part = parts.next();
            // A part that is followed by another one was terminated by a NUL.
            if part.is_some() {
                // Bytes that are not a message are skipped.
                let read = parse(&message);
                message.clear();
                if read.is_some_and(|read| to.send(read).is_err()) {
                    return;
                }
            }
        }
    }
}

/// Parses one message. Returns `None` if it is neither an answer nor an event.
fn parse(bytes: &[u8]) -> Option<Message> {
    let mut value: Value = serde_json::from_slice(bytes).ok()?;
    let session = value["sessionId"].as_str().map(str::to_owned);
    // Only answers have an `id`; events have a `method`.
    if let Some(id) = value["id"].as_u64() {
        let result = match value["error"]["message"].as_str() {
            Some(error) => Err(error.to_owned()),
            None => Ok(value["result"].take()),
        };
        return Some(Message::Answer { id, result });
    }
    Some(Message::Event {
        session,
        method: value["method"].as_str()?.to_owned(),
        params: value["params"].take(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_and_events_are_told_apart() {
        let parsed = |text: &str| format!("{:?}", parse(text.as_bytes()));
        assert!(parsed(r#"{"id":3,"result":{"a":1}}"#).starts_with("Some(Answer { id: 3, result: Ok("));
        assert!(parsed(r#"{"id":3,"error":{"message":"no"}}"#).contains("Err(\"no\")"));
        assert!(
            parsed(r#"{"method":"Page.loadEventFired","sessionId":"s"}"#).contains("session: Some(\"s\")")
        );
        assert_eq!(parsed("{"), "None");
        assert_eq!(parsed("[1]"), "None");
    }
}
