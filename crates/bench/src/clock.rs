//! Processor time, which other programs on the machine disturb less than the time of day.

use std::time::Duration;

use dehusk_pipeline::clock;

/// The result of `work`, and the processor time that it took in all threads of this process.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = clock::process();
    let result = work();
    (result, clock::process().saturating_sub(start))
}
