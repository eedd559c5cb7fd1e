//! Limits on the resources of one page.

use std::time::Duration;

/// Limits on the resources of one page. A page that exceeds time, memory or elements is lost. Requests
/// beyond the limits of requests and bytes fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Time from the first command to the layout. Default: 20 seconds.
    pub time: Duration,
    /// Total size of all answers, including the page, and separately of the result, in bytes. Default: 64 MiB.
    pub bytes: usize,
    /// Number of elements. Default: 50,000.
    pub elements: usize,
    /// Number of requests that are answered. Default: 500.
    pub requests: usize,
    /// Memory of all processes of the browser, in bytes. Shared memory is counted proportionally. Default:
    /// 1.5 GiB.
    pub memory: u64,
    /// Number of pages after which a new browser is started. Default: 200.
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
