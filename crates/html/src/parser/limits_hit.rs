//! Counts how often each limit acted on a page, for the warnings.

use std::fmt;

use crate::budget::Spent;
use crate::limits::Limits;
use crate::tree::MAX_NAMES;
use crate::warning::{Warning, WarningKind};

/// Number of times that each limit acted, and number of repairs.
#[derive(Debug, Default)]
pub(super) struct LimitsHit {
    pub(super) depth: usize,
    pub(super) formatting: usize,
    /// Number of formatting elements that were not copied, to keep the number of nodes linear.
    pub(super) reopened: usize,
    /// Number of tag names that did not fit into the table of names; names in the cache of recent names are
    /// not counted again.
    pub(super) names: usize,
    pub(super) nodes: usize,
    /// Number of unclosed elements and comments that were closed early, and the name of the first.
    pub(super) unclosed: (usize, &'static str),
    pub(super) attributes: usize,
    pub(super) attribute_bytes: usize,
    /// Why the budget was exhausted, and the offset in the source reached by then; `None` if it was not.
    pub(super) stopped: Option<(Spent, usize)>,
}

impl LimitsHit {
    /// One warning for each limit that acted on a source of `bytes` bytes.
    pub(super) fn warnings(&self, limits: &Limits, bytes: usize) -> Vec<Warning> {
        let LimitsHit {
            depth,
            formatting,
            reopened,
            names,
            nodes,
            unclosed: (unclosed, first_unclosed),
            attributes,
            attribute_bytes,
            stopped,
        } = self;
        let mut out = Vec::new();
        let mut warn = |n: usize, kind, message: fmt::Arguments<'_>| {
            if n > 0 {
                out.push(Warning::new(kind, message.to_string()));
            }
        };
        warn(
            *depth,
            WarningKind::DepthLimit,
            format_args!("{depth} elements below depth {} became siblings", limits.depth),
        );
        warn(
            *formatting,
            WarningKind::FormattingLimit,
            format_args!(
                "{formatting} formatting elements past {} open ones were ignored",
                limits.formatting
            ),
        );
        warn(
            *reopened,
            WarningKind::ReopenedLimit,
            format_args!(
                "{reopened} times unclosed formatting elements were not opened again, or without their attributes"
            ),
        );
        warn(
            *names,
            WarningKind::NamesLimit,
            format_args!("tag names past {MAX_NAMES} that HTML does not know share one name"),
        );
        warn(
            *unclosed,
            WarningKind::Unclosed,
            format_args!(
                "`{first_unclosed}` had no end and held the rest of the page; {unclosed} such elements were closed at the first tag in them"
            ),
        );
        warn(
            *nodes,
            WarningKind::NodesLimit,
            format_args!("{nodes} tags past {} nodes were ignored", limits.nodes),
        );
        warn(
            *attributes,
            WarningKind::AttributesLimit,
            format_args!(
                "{attributes} attributes past {} of one element were dropped",
                limits.attributes
            ),
        );
        warn(
            *attribute_bytes,
            WarningKind::AttributeBytesLimit,
            format_args!(
                "{attribute_bytes} values were cut to {} bytes",
                limits.attribute_bytes
            ),
        );
        if let Some((why, at)) = stopped {
            let kind = match why {
                Spent::Steps => WarningKind::StepsLimit,
                Spent::Time => WarningKind::Deadline,
            };
            out.push(Warning::new(
                kind,
                format!("parsing stopped after {at} of {bytes} bytes"),
            ));
        }
        out
    }
}
