//! Processor time, which other programs on the machine affect less than wall-clock time.

use std::fs;
use std::time::Duration;

use dehusk_pipeline::clock;

/// Returns the result of `work`, and its processor time in all threads of this process.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = clock::process();
    let result = work();
    (result, clock::process().saturating_sub(start))
}

/// Returns the processor time, user and system, of the child processes that ended and of their children, in
/// steps of ten milliseconds. `None` if the system does not report it.
pub(crate) fn children() -> Option<Duration> {
    const TICK: Duration = Duration::from_millis(10);
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in parentheses, may contain spaces. It is followed by field 3, the state;
    // the times are fields 16 and 17.
    let (_, fields) = stat.rsplit_once(')')?;
    let ticks: Vec<u32> = fields
        .split_whitespace()
        .skip(13)
        .take(2)
        .map_while(|field| field.parse().ok())
        .collect();
    Some(TICK * ticks.iter().sum::<u32>())
}
