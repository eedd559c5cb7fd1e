//! The list of active formatting elements (section 13.2.4.3).
//!
//! Markers are counted instead of stored: each entry records the number of markers before it. The list
//! therefore never exceeds its limit, regardless of the number of tables and templates.

use crate::tree::{NodeId, Tag};

/// One entry of the list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) node: NodeId,
    pub(crate) tag: Tag,
    /// Number of markers before the entry.
    pub(crate) level: u32,
    /// Index of the element on the stack of open elements; `u32::MAX` if it is not there.
    pub(crate) stack_index: u32,
    /// Hash of the element's attributes; 0 until it is computed.
    pub(crate) hash: u64,
}

/// The list of active formatting elements.
#[derive(Debug, Default)]
pub(crate) struct Formatting {
    pub(crate) entries: Vec<Entry>,
    pub(crate) markers: u32,
}

impl Formatting {
    /// § "insert a marker at the end of the list"
    pub(crate) fn push_marker(&mut self) {
        self.markers += 1;
    }

    /// § "clear the list of active formatting elements up to the last marker"
    pub(crate) fn clear_to_marker(&mut self) {
        // Entries after the last marker have the current number of markers as their level.
        while self.entries.last().is_some_and(|e| e.level == self.markers) {
            self.entries.pop();
        }
        self.markers = self.markers.saturating_sub(1);
    }

    /// Index of the last entry of this tag after the last marker.
    pub(crate) fn last_of(&self, tag: Tag) -> Option<usize> {
        let start = self.start();
        self.entries[start..]
            .iter()
            .rposition(|e| e.tag == tag)
            .map(|i| start + i)
    }

    /// Index of the first entry after the last marker.
    pub(crate) fn start(&self) -> usize {
        self.entries
            .iter()
            .rposition(|e| e.level != self.markers)
            .map_or(0, |i| i + 1)
    }

    pub(crate) fn position(&self, node: NodeId) -> Option<usize> {
        self.entries.iter().rposition(|e| e.node == node)
    }

    /// Removes the last entry of this tag after the last marker.
    pub(crate) fn forget(&mut self, tag: Tag) {
        if let Some(i) = self.last_of(tag) {
            self.entries.remove(i);
        }
    }
}
