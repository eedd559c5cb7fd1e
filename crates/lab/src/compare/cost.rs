//! Measurement of work: wall-clock time, processor time of all threads, peak memory.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use dehusk_pipeline::clock;
use serde::{Deserialize, Serialize};

/// The cost of a piece of work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Wall-clock time in seconds.
    pub seconds: f64,
    /// Processor time of all threads in seconds.
    pub cpu: f64,
    /// Peak of resident memory minus resident memory at the start, in bytes. `None` if the system does not report it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak: Option<u64>,
}

impl Cost {
    /// The cost of two pieces of work in sequence: sums of times, and the larger peak.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            seconds: self.seconds + other.seconds,
            cpu: self.cpu + other.cpu,
            peak: self.peak.max(other.peak),
        }
    }
}

/// The highest peak that was recorded before a reset, in bytes.
static HIGHEST: AtomicU64 = AtomicU64::new(0);

/// Runs `work` and returns its result and cost.
pub(super) fn measured<T>(work: impl FnOnce() -> T) -> (T, Cost) {
    // The peak is reset before resident memory is read, so that the peak is never below it.
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

/// Peak of resident memory over the life of the process, in bytes. `None` if the system does not report it.
pub(super) fn peak() -> Option<u64> {
    Some(status("VmHWM:")?.max(HIGHEST.load(Ordering::Relaxed)))
}

/// A field of `/proc/self/status`, in bytes. `None` on systems other than Linux.
fn status(name: &str) -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// Resets the peak that Linux records. If this is not possible, later peaks are those of the whole run.
fn reset_peak() {
    HIGHEST.fetch_max(status("VmHWM:").unwrap_or(0), Ordering::Relaxed);
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}
