//! Processor time, which other programs on the machine disturb less than the time of day.

use std::fs;
use std::time::Duration;

use dehusk_pipeline::clock;

/// The result of `work`, and the processor time that it took in all threads of this process.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = clock::process();
    let result = work();
    (result, clock::process().saturating_sub(start))
}

/// Processor time of the processes that this one has waited for and of those that they waited for, user and system, in steps of ten
/// milliseconds; nothing where the system does not tell.
pub(crate) fn children() -> Option<Duration> {
    const TICK: Duration = Duration::from_millis(10);
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in parentheses, may hold spaces. The state follows, which is the third field; times are 16 and 17.
    let (_, fields) = stat.rsplit_once(')')?;
    let ticks: Vec<u32> = fields
        .split_whitespace()
        .skip(13)
        .take(2)
        .map_while(|field| field.parse().ok())
        .collect();
    Some(TICK * ticks.iter().sum::<u32>())
}
