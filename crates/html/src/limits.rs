//! Bounds on the cost of one page.

use std::time::Duration;

/// Bounds on the cost of one page, changed with the consuming `with_*` methods.
///
/// A bound that acts flattens or cuts, and adds a [`Warning`](crate::Warning); it never makes a page fail.
///
/// ```
/// use dehusk_html::{Limits, Parser, WarningKind};
///
/// let limits = Limits::default().with_depth(16);
/// let (_, warnings) = Parser::default().with_limits(limits).parse(&"<div>".repeat(20));
/// assert_eq!(warnings[0].kind, WarningKind::DepthLimit);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(from = "Unchecked")
)]
#[non_exhaustive]
pub struct Limits {
    pub(crate) bytes: usize,
    pub(crate) depth: usize,
    pub(crate) formatting: usize,
    pub(crate) nodes: usize,
    pub(crate) attributes: usize,
    pub(crate) attribute_bytes: usize,
    pub(crate) steps: u32,
    pub(crate) time: Option<Duration>,
}

/// Largest value that [`Limits::with_bytes`] allows: text and side buffer must fit into 32 bits.
const MAX_BYTES: usize = 256 << 20;

/// Smallest value that [`Limits::with_depth`] allows: a table in a page needs about ten open elements.
const MIN_DEPTH: usize = 16;

/// Smallest value that [`Limits::with_nodes`] allows.
const MIN_NODES: usize = 1000;

/// Number of steps that every page may take, however short it is: hand-written rules may take five million.
const FREE_STEPS: u64 = 8_000_000;

impl Default for Limits {
    fn default() -> Self {
        Limits {
            bytes: 64 << 20,
            depth: 512,
            formatting: 64,
            nodes: 2_000_000,
            attributes: 1024,
            attribute_bytes: 64 << 10,
            steps: 64,
            time: None,
        }
    }
}

impl Limits {
    /// Number of bytes of a page that are read; default 64 MiB, at most 256 MiB. The rest is cut off.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Number of open elements; default 512, as in browsers, at least 16. Deeper elements become siblings.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Number of unclosed formatting elements (such as `b`, `font` and `a`) that are reopened in later
    /// blocks; default 64. Further such elements end with their block.
    pub fn formatting(&self) -> usize {
        self.formatting
    }

    /// Number of nodes of the tree; default 2,000,000, at least 1,000. Beyond this number tags are ignored
    /// and text is kept.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// Number of attributes kept per element; default 1,024. Further attributes are dropped.
    pub fn attributes(&self) -> usize {
        self.attributes
    }

    /// Number of bytes kept of an attribute's value; default 65,536. The rest is cut off.
    pub fn attribute_bytes(&self) -> usize {
        self.attribute_bytes
    }

    /// Number of steps of work per byte of the page, see [`Budget`](crate::budget::Budget); default 64.
    /// Each page has 8,000,000 more.
    pub fn steps(&self) -> u32 {
        self.steps
    }

    /// Number of steps of work for a page of `bytes` bytes.
    pub(crate) fn steps_for(&self, bytes: usize) -> u64 {
        FREE_STEPS + u64::from(self.steps) * bytes as u64
    }

    /// Wall-clock time for one page; default `None`, which means no limit. When it is over, work stops with
    /// the result so far.
    ///
    /// A limit makes the result depend on the machine and its load.
    pub fn time(&self) -> Option<Duration> {
        self.time
    }

    /// Sets [`Limits::bytes`]; at most 256 MiB.
    pub fn with_bytes(self, bytes: usize) -> Self {
        Limits {
            bytes: bytes.min(MAX_BYTES),
            ..self
        }
    }

    /// Sets [`Limits::depth`]; at least 16.
    pub fn with_depth(self, depth: usize) -> Self {
        Limits {
            depth: depth.max(MIN_DEPTH),
            ..self
        }
    }

    /// Sets [`Limits::formatting`].
    pub fn with_formatting(self, formatting: usize) -> Self {
        Limits { formatting, ..self }
    }

    /// Sets [`Limits::nodes`]; at least 1,000.
    pub fn with_nodes(self, nodes: usize) -> Self {
        Limits {
            nodes: nodes.max(MIN_NODES),
            ..self
        }
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

    /// Sets [`Limits::steps`].
    pub fn with_steps(self, steps: u32) -> Self {
        Limits { steps, ..self }
    }

    /// Sets [`Limits::time`].
    pub fn with_time(self, time: Duration) -> Self {
        Limits {
            time: Some(time),
            ..self
        }
    }
}

/// Deserialized limits whose ranges are not checked yet.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Unchecked {
    bytes: usize,
    depth: usize,
    formatting: usize,
    nodes: usize,
    attributes: usize,
    attribute_bytes: usize,
    steps: u32,
    time: Option<Duration>,
}

#[cfg(feature = "serde")]
impl Default for Unchecked {
    fn default() -> Self {
        let Limits {
            bytes,
            depth,
            formatting,
            nodes,
            attributes,
            attribute_bytes,
            steps,
            time,
        } = Limits::default();
        Unchecked {
            bytes,
            depth,
            formatting,
            nodes,
            attributes,
            attribute_bytes,
            steps,
            time,
        }
    }
}

#[cfg(feature = "serde")]
impl From<Unchecked> for Limits {
    fn from(read: Unchecked) -> Self {
        // The setters apply the ranges.
        let limits = Limits::default()
            .with_bytes(read.bytes)
            .with_depth(read.depth)
            .with_formatting(read.formatting)
            .with_nodes(read.nodes)
            .with_attributes(read.attributes)
            .with_attribute_bytes(read.attribute_bytes)
            .with_steps(read.steps);
        Limits {
            time: read.time,
            ..limits
        }
    }
}

#[cfg(all(test, feature = "serde"))]
mod tests {
    use super::*;

    #[test]
    fn limits_that_are_read_keep_their_ranges() {
        let read: Limits = serde_json::from_str(r#"{"depth": 1, "nodes": 5000}"#).expect("two known fields");
        assert_eq!(read, Limits::default().with_depth(16).with_nodes(5000));
        let written = serde_json::to_string(&read).expect("numbers");
        assert_eq!(
            serde_json::from_str::<Limits>(&written).expect("what was written"),
            read
        );
        assert!(serde_json::from_str::<Limits>(r#"{"dept": 1}"#).is_err());
    }
}
