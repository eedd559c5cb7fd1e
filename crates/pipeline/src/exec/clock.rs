//! Measurement of processor time.

use std::time::Duration;

/// Returns the processor time of all threads of the process, since a fixed moment. On systems without such
/// a clock, the elapsed time.
pub fn process() -> Duration {
    now(Whose::Process)
}

/// Returns the processor time of the calling thread, since a fixed moment. On systems without such a clock,
/// the elapsed time.
pub fn thread() -> Duration {
    now(Whose::Thread)
}

/// The clock to read.
#[derive(Clone, Copy)]
enum Whose {
    Thread,
    Process,
}

#[cfg(unix)]
fn now(whose: Whose) -> Duration {
    let time = rustix::time::clock_gettime(match whose {
        Whose::Thread => rustix::time::ClockId::ThreadCPUTime,
        Whose::Process => rustix::time::ClockId::ProcessCPUTime,
    });
    Duration::new(
        u64::try_from(time.tv_sec).unwrap_or(0),
        u32::try_from(time.tv_nsec).unwrap_or(0),
    )
}

/// On other systems the elapsed time replaces processor time.
#[cfg(not(unix))]
fn now(_: Whose) -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

/// Measures the processor time of the calling thread.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch(Duration);

impl Stopwatch {
    pub(crate) fn start() -> Self {
        Stopwatch(now(Whose::Thread))
    }

    /// Returns the microseconds since the start, rounded up to at least 1.
    pub(crate) fn micros(self) -> u64 {
        let nanos = now(Whose::Thread)
            .saturating_sub(self.0)
            .as_nanos()
            .div_ceil(1000);
        u64::try_from(nanos).unwrap_or(u64::MAX).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn sleeping_costs_no_processor_time() {
        let watch = Stopwatch::start();
        std::thread::sleep(Duration::from_millis(60));
        assert!(watch.micros() < 30_000, "{}", watch.micros());
    }
}
