//! What work costs: time by the clock, processor time of all threads, memory at its peak.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use dehusk_pipeline::clock;
use serde::{Deserialize, Serialize};

/// What a piece of work cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Seconds by the clock.
    pub seconds: f64,
    /// Processor seconds of all threads.
    pub cpu: f64,
    /// Most memory that the process held beyond what it held before, in bytes; none where the system does not tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak: Option<u64>,
}

impl Cost {
    /// Both pieces, one after the other.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            seconds: self.seconds + other.seconds,
            cpu: self.cpu + other.cpu,
            peak: self.peak.max(other.peak),
        }
    }
}

/// The highest peak of the process before the last reset.
static HIGHEST: AtomicU64 = AtomicU64::new(0);

/// Does the work and measures it.
pub(super) fn measured<T>(work: impl FnOnce() -> T) -> (T, Cost) {
    reset_peak();
    let (resident, cpu, start) = (status("VmRSS:"), clock::process(), Instant::now());
    let result = work();
    let cost = Cost {
        seconds: start.elapsed().as_secs_f64(),
        cpu: clock::process().saturating_sub(cpu).as_secs_f64(),
        peak: status("VmHWM:")
            .zip(resident)
            .map(|(peak, before)| peak.saturating_sub(before)),
    };
    (result, cost)
}

/// Most memory that the process ever held, in bytes.
pub(super) fn peak() -> Option<u64> {
    Some(status("VmHWM:")?.max(HIGHEST.load(Ordering::Relaxed)))
}

/// A line of Linux's account of this process, in bytes.
fn status(name: &str) -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// Resets the peak that Linux keeps. Elsewhere, and where that is forbidden, peaks are those of the whole run.
fn reset_peak() {
    HIGHEST.fetch_max(status("VmHWM:").unwrap_or(0), Ordering::Relaxed);
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}
