//! Counts instructions by valgrind's callgrind. Unlike time, the count is not affected by other programs on the
//! machine.
//!
//! This program runs itself inside valgrind and calls [`counted`] once per measurement. Callgrind counts
//! only inside [`counted_work`], and writes a file whenever [`counted_end`] is called.

use std::fs;
use std::hint::black_box;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use clap::ValueEnum;

use crate::result::Result;
use crate::root::target;

/// The work that is done inside valgrind.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(super) enum Work {
    /// Parses all pages of the fixture crawl, then parses them with block tables, then extracts them, then
    /// signs their texts.
    Pages,
    /// Processes products of shapes in all ways.
    Products,
    /// Parses each shape of the linear-time table at each size, then extracts each of these shapes and each
    /// of the shapes of pages.
    #[cfg(feature = "reference")]
    Growth,
}

/// Performs one measurement and returns the result of `work`.
pub(super) fn counted(work: impl FnOnce() -> usize) -> usize {
    counted_end(counted_work(Box::new(work)))
}

/// Calls `work`. Valgrind finds this function by its name.
#[inline(never)]
fn counted_work<'w>(work: Box<dyn FnOnce() -> usize + 'w>) -> usize {
    work()
}

/// Ends a measurement. Valgrind finds this function by its name.
#[inline(never)]
fn counted_end(result: usize) -> usize {
    black_box(result)
}

/// Runs this program in valgrind with the arguments `more`. Returns the instructions of each of the `wanted`
/// measurements, and the standard output. `Err` inside `Ok` holds the reason why nothing was counted.
pub(super) fn count(
    what: Work,
    more: &[&str],
    wanted: usize,
) -> Result<std::result::Result<(Vec<u64>, String), String>> {
    let present = Command::new("valgrind").arg("--version").output();
    if !present.is_ok_and(|output| output.status.success()) {
        return Ok(Err("valgrind is not installed".to_owned()));
    }
    let place = Place(target().join(format!("instructions-{}", std::process::id())));
    fs::create_dir_all(&place.0)?;
    let name = what
        .to_possible_value()
        .map_or_else(String::new, |value| value.get_name().to_owned());
    let mut valgrind = Command::new("valgrind");
    valgrind
        // Counting starts and stops with `counted_work`, so allocation of inputs and output are left out.
        // Each measurement is written to its own file before `counted_end`.
        .args(["--tool=callgrind", "--error-exitcode=9"])
        .args(["--toggle-collect=*counted_work*", "--dump-before=*counted_end*"])
        .arg(format!("--callgrind-out-file={}", place.0.join("out").display()))
        .arg(std::env::current_exe()?)
        .args(["bench", "--count", &name])
        .args(more)
        .stdin(Stdio::null());
    let out = |i: usize| place.0.join(format!("out.{i}"));
    let output = thread::scope(|scope| {
        let (done, end) = mpsc::channel::<()>();
        // Progress is the number of files that valgrind has written so far.
        if std::io::stderr().is_terminal() {
            scope.spawn(move || {
                let mut at = 0;
                while end.recv_timeout(Duration::from_millis(200)) == Err(mpsc::RecvTimeoutError::Timeout) {
                    while out(at + 1).is_file() {
                        at += 1;
                    }
                    eprint!("\rcounting instructions: {at} of {wanted}");
                }
                eprint!("\r{:60}\r", "");
            });
        }
        let output = valgrind.output();
        // Closes the channel, which ends the thread that shows progress.
        drop(done);
        output
    })?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        // The last lines have the reason; lines before are progress of the measured program.
        let last = said.lines().rev().take(5).collect::<Vec<_>>().join("; ");
        return Err(format!("valgrind: {}: {last}", output.status).into());
    }
    let mut counts = Vec::new();
    // Files are numbered from 1 in the order of the measurements.
    while let Some(count) = totals(&out(counts.len() + 1))? {
        counts.push(count);
    }
    if counts.len() != wanted {
        return Err(format!("valgrind counted {} calls instead of {wanted}", counts.len()).into());
    }
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(Ok((counts, printed)))
}

/// A folder that is removed when it is dropped.
struct Place(PathBuf);

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Returns the total in a file of callgrind; `None` if the file does not exist.
fn totals(path: &Path) -> Result<Option<u64>> {
    if !path.is_file() {
        return Ok(None);
    }
    let text = fs::read_to_string(path)?;
    let line = text.lines().find_map(|line| line.strip_prefix("totals:"));
    let count = line.and_then(|rest| rest.trim().parse().ok());
    count
        .map(Some)
        .ok_or_else(|| format!("{}: callgrind wrote no totals", path.display()).into())
}
