//! Memory and the longest output of a product on one way, in a process for each.

use std::env;
use std::fs;
use std::process::Command;

use super::pages;
use super::ways::Way;
use crate::result::Result;

/// Length of the page, in bytes: about so many.
pub(super) const LONG: usize = 1_000_000;

/// What a product took on one way, in bytes.
pub(super) struct Taken {
    /// Of all pages that are held at once.
    pub(super) pages: u64,
    pub(super) memory: u64,
    pub(super) output: u64,
}

/// Prints what a product takes on a way: bytes of the page, most memory, longest output. Called in a process of its own.
pub(super) fn print(number: usize, way: &Way) -> Result<()> {
    let (prepared, source) = (way.prepare()?, pages::page(number, LONG));
    let before = peak()?;
    let longest = way.go(&source, &prepared);
    println!("{} {} {longest}", source.len(), peak()?.saturating_sub(before));
    Ok(())
}

/// Most memory that this process has held, in bytes.
fn peak() -> Result<u64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    Ok(kilobytes.ok_or("the system does not tell the memory of a process")? << 10)
}

/// What a product takes on a way; `Err` inside `Ok` says how the process ended that was to tell it.
pub(super) fn measure(
    number: usize,
    way: &Way,
    way_number: usize,
) -> Result<std::result::Result<Taken, String>> {
    let ran = Command::new(env::current_exe()?)
        // What is given back is not to be counted: the C library of Linux keeps it, in pieces that fit nothing.
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
    let &[page, memory, output] = figures.as_slice() else {
        return Ok(Err(ran.status.to_string()));
    };
    Ok(Ok(Taken {
        pages: page * way.pages(),
        memory,
        output,
    }))
}
