//! How often each limit acted on a page, and the warnings that tell it.

use crate::limits::Limits;
use crate::tree::MAX_NAMES;
use crate::warning::{Warning, WarningKind};

/// How often each limit acted.
#[derive(Debug, Default)]
pub(super) struct Hits {
    pub(super) depth: usize,
    pub(super) formatting: usize,
    /// Times that formatting elements were not opened again, or not taken apart, to keep the number of nodes linear.
    pub(super) reopened: usize,
    /// Tags whose name did not fit into the table of names, those met shortly before left out.
    pub(super) names: usize,
    pub(super) nodes: usize,
    pub(super) attributes: usize,
    pub(super) attribute_bytes: usize,
    /// Where in the source time ran out.
    pub(super) deadline: Option<usize>,
}

impl Hits {
    /// One warning for each limit that acted on a source of `bytes` bytes.
    pub(super) fn warnings(&self, limits: &Limits, bytes: usize) -> Vec<Warning> {
        let Hits {
            depth,
            formatting,
            reopened,
            names,
            nodes,
            attributes,
            attribute_bytes,
            deadline,
        } = self;
        let mut out = Vec::new();
        let mut tell = |n: usize, code, message: String| {
            if n > 0 {
                out.push(Warning::new(code, message));
            }
        };
        let message = format!("{depth} elements below depth {} became siblings", limits.depth);
        tell(*depth, WarningKind::DepthLimit, message);
        let message = format!(
            "{formatting} formatting elements past {} open ones were ignored",
            limits.formatting
        );
        tell(*formatting, WarningKind::FormattingLimit, message);
        let message = format!("{reopened} times unclosed formatting elements were not opened again");
        tell(*reopened, WarningKind::ReopenedLimit, message);
        let message = format!("tag names past {MAX_NAMES} that HTML does not know share one name");
        tell(*names, WarningKind::NamesLimit, message);
        tell(
            *nodes,
            WarningKind::NodesLimit,
            format!("{nodes} tags past {} nodes were ignored", limits.nodes),
        );
        let message = format!(
            "{attributes} attributes past {} of one element were dropped",
            limits.attributes
        );
        tell(*attributes, WarningKind::AttributesLimit, message);
        let message = format!(
            "{attribute_bytes} values were cut to {} bytes",
            limits.attribute_bytes
        );
        tell(*attribute_bytes, WarningKind::AttributeBytesLimit, message);
        if let Some(at) = deadline {
            out.push(Warning::new(
                WarningKind::Deadline,
                format!("parsing stopped after {at} of {bytes} bytes"),
            ));
        }
        out
    }
}
