//! Bounds on what one page may cost.

use std::cell::Cell;
use std::time::{Duration, Instant};

/// Bounds on one page. Each acts by flattening or cutting and leaves a [`Warning`](crate::Warning); none makes a page fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of a page that are read; default 64 MiB, at most 256 MiB. The rest is cut off.
    pub(crate) bytes: usize,
    /// Open elements; default 512, as in browsers. Deeper elements become siblings.
    pub(crate) depth: usize,
    /// Unclosed formatting elements (`b`, `font`, `a` and the like) that are opened again in later blocks; default 64.
    pub(crate) formatting: usize,
    /// Nodes of the tree; default 2,000,000. Past it tags are ignored and text is kept.
    pub(crate) nodes: usize,
    /// Attributes kept for one element; default 1,024.
    pub(crate) attributes: usize,
    /// Bytes kept of one attribute's value; default 65,536.
    pub(crate) attribute_bytes: usize,
    /// Processor time for one page; default `None`, which means 2 s and 1 s more for each 1,000,000 bytes.
    pub(crate) time: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            bytes: 64 << 20,
            depth: 512,
            formatting: 64,
            nodes: 2_000_000,
            attributes: 1024,
            attribute_bytes: 64 << 10,
            time: None,
        }
    }
}

impl Limits {
    /// Bytes of a page that are read; default 64 MiB, at most 256 MiB. The rest is cut off.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Open elements; default 512, at least 16. Deeper elements become siblings.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Unclosed formatting elements (`b`, `font`, `a` and the like) that are opened again in later blocks; default 64.
    pub fn formatting(&self) -> usize {
        self.formatting
    }

    /// Nodes of the tree; default 2,000,000, at least 1,000. Past it tags are ignored and text is kept.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// Attributes kept for one element; default 1,024.
    pub fn attributes(&self) -> usize {
        self.attributes
    }

    /// Bytes kept of one attribute's value; default 65,536.
    pub fn attribute_bytes(&self) -> usize {
        self.attribute_bytes
    }

    /// Time for one page; default `None`, which means 2 s and 1 s more for each 1,000,000 bytes.
    pub fn time(&self) -> Option<Duration> {
        self.time
    }

    /// Sets [`Limits::bytes`].
    pub fn with_bytes(self, bytes: usize) -> Self {
        Limits {
            bytes: bytes.min(256 << 20),
            ..self
        }
    }

    /// Sets [`Limits::depth`]; at least 16.
    pub fn with_depth(self, depth: usize) -> Self {
        Limits {
            depth: depth.max(16),
            ..self
        }
    }

    /// Sets [`Limits::formatting`].
    pub fn with_formatting(self, formatting: usize) -> Self {
        Limits { formatting, ..self }
    }

    /// Sets [`Limits::attributes`].
    pub fn with_attributes(self, attributes: usize) -> Self {
        Limits { attributes, ..self }
    }

    /// Sets [`Limits::attribute_bytes`].
    pub fn with_attribute_bytes(self, attribute_bytes: usize) -> Self {
        Limits {
            attribute_bytes,
            ..self
        }
    }

    /// Sets [`Limits::nodes`]; at least 1,000.
    pub fn with_nodes(self, nodes: usize) -> Self {
        Limits {
            nodes: nodes.max(1000),
            ..self
        }
    }

    /// Sets [`Limits::time`].
    pub fn with_time(self, time: Duration) -> Self {
        Limits {
            time: Some(time),
            ..self
        }
    }
}

/// The moment at which work on one page stops. Polled in every loop whose length the input decides.
#[derive(Debug)]
pub struct Deadline {
    at: Option<Instant>,
    passed: Cell<bool>,
}

impl Deadline {
    /// The moment at which the time is over that `limits` allow a page of `bytes` bytes, from now on.
    pub fn start(limits: &Limits, bytes: usize) -> Self {
        let time = limits
            .time
            .unwrap_or_else(|| Duration::from_secs(2) + Duration::from_micros(bytes as u64));
        Deadline {
            at: Instant::now().checked_add(time),
            passed: Cell::new(false),
        }
    }

    /// Whether the time is over. Asks the clock: call it every few thousand steps.
    pub fn passed(&self) -> bool {
        if !self.passed.get() && self.at.is_some_and(|at| Instant::now() >= at) {
            self.passed.set(true);
        }
        self.passed.get()
    }
}
