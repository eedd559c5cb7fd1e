//! Memory and longest output of a product in one way, each measured in a separate process.

use std::env;
use std::fs;
use std::process::Command;

use super::pages;
use super::ways::Way;
use crate::result::Result;

/// Approximate length of the page, in bytes.
pub(super) const LONG: usize = 1_000_000;

/// Memory and output that a product takes when it is processed in one way, in bytes.
pub(super) struct Taken {
    /// Total length of all pages that are in memory together.
    pub(super) pages: u64,
    pub(super) memory: u64,
    pub(super) output: u64,
}

/// Prints the length of the page, the peak memory and the length of the longest output, in bytes. Called in a separate
/// process.
pub(super) fn print(number: usize, way: &Way) -> Result<()> {
    let (prepared, source) = (way.prepare()?, pages::page(number, LONG));
    // The peak never falls, so options and data that are loaded already are subtracted.
    let before = peak()?;
    let longest = way.go(&source, &prepared);
    println!("{} {} {longest}", source.len(), peak()?.saturating_sub(before));
    Ok(())
}

/// Returns the peak of the resident memory of this process, in bytes.
fn peak() -> Result<u64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    Ok(kilobytes.ok_or("the system does not tell the memory of a process")? << 10)
}

/// Returns the memory and output of a product in one way. `Err` inside `Ok` holds the exit status of a
/// process that failed.
pub(super) fn measure(
    number: usize,
    way: &Way,
    way_number: usize,
) -> Result<std::result::Result<Taken, String>> {
    let ran = Command::new(env::current_exe()?)
        // Makes the C library return freed memory to the system. By default it keeps fragments, which would
        // be counted.
        .env("MALLOC_MMAP_THRESHOLD_", "131072")
        .args([
            "bench",
            "--memory-of",
            &number.to_string(),
            &way_number.to_string(),
        ])
        .output()?;
    let text = String::from_utf8_lossy(&ran.stdout);
    let figures: Vec<u64> = text
        .split_whitespace()
        .filter_map(|word| word.parse().ok())
        .collect();
    // A process that was killed or panicked prints no figures.
    let &[page, memory, output] = figures.as_slice() else {
        return Ok(Err(ran.status.to_string()));
    };
    Ok(Ok(Taken {
        pages: page * way.pages(),
        memory,
        output,
    }))
}
