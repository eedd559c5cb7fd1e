//! Bounds on what one page may cost.

use std::time::Duration;

/// Bounds on what one page may cost. A page that exceeds time, memory or elements is lost; what it asks for beyond the bounds of
/// requests and bytes is missing on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Time from the first command to the layout. Default: 20 seconds.
    pub time: Duration,
    /// Bytes of all answers, the page included, and of what comes back. Default: 64 MiB.
    pub bytes: usize,
    /// Elements. Default: 50,000.
    pub elements: usize,
    /// Requests that are answered. Default: 500.
    pub requests: usize,
    /// Memory of the browser with all its processes, in bytes; shared memory is shared out among them. Default: 1.5 GiB.
    pub memory: u64,
    /// Pages after which a new browser is started. Default: 200.
    pub pages: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            time: Duration::from_secs(20),
            bytes: 64 << 20,
            elements: 50_000,
            requests: 500,
            memory: 1536 << 20,
            pages: 200,
        }
    }
}
