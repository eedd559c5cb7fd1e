//! The container and the record that hold each role.

/// For each role, the container and the record that it is or lies in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Regions {
    /// The part of the page with main text.
    pub(crate) container: Vec<Option<u32>>,
    /// Outermost part that occurs several times in its container, each time with other text, such as a post of a thread.
    pub(crate) record: Vec<Option<u32>>,
    /// Whether the role is, or lies in, a small part that occurs once in every container or record.
    pub(crate) slot: Vec<bool>,
}

impl Regions {
    /// The record around a role, or else its container.
    pub(crate) fn enclosing(&self, role: usize) -> Option<usize> {
        let record = self.record[role].filter(|&r| r as usize != role);
        record.or(self.container[role]).map(|r| r as usize)
    }
}
