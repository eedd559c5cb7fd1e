//! Common parts of the verbs that work on records: the switch to cancel, progress, and reports of rejected
//! records.

use std::cell::RefCell;
use std::fs;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::time::Instant;

use dehusk_pipeline::record::{Rejected, RejectedCounts};
use dehusk_pipeline::{Cancel, Job, Settings};

use crate::flags::running::RunFlags;
use crate::log::Fields;
use crate::outcome::Spent;
use crate::progress::Watch;
use crate::signals;
use crate::{log, message, outcome, page_process, reading};

/// Number of rejected records that are reported one by one, without `--verbose`.
const MAX_REPORTED: u64 = 10;

/// A job of one verb, from its first record to its last.
pub(crate) struct Work {
    began: Instant,
    cancel: Cancel,
    watch: Watch,
    run: RunFlags,
    rejected: RefCell<RejectedCounts>,
}

impl Work {
    fn new(run: RunFlags, watched: bool, watch: Watch) -> Self {
        let cancel = reading::cancel();
        // A page process gets no signal of the terminal, and is ended by the program that started it.
        if page_process::work().is_none() {
            signals::watch(watched.then_some(&cancel), watch.bar());
        }
        Self {
            began: Instant::now(),
            cancel,
            watch,
            run,
            rejected: RefCell::default(),
        }
    }

    /// Begins work that changes files: a signal ends it cleanly.
    pub(crate) fn on_files(run: RunFlags) -> Self {
        Self::new(run, true, Watch::new(run.quiet, false))
    }

    /// Work whose rows go to the file `out`, or to standard output if it is `None`; `others` says whether it writes other files.
    ///
    /// Without files to clean up, signals keep their default effect. Rows on a terminal get no progress line, which would disturb
    /// them.
    pub(crate) fn on_rows(run: RunFlags, inputs: &[String], out: Option<&Path>, others: bool) -> Self {
        // Rows and a progress line would overwrite each other. JSON on standard error is not drawn, so it
        // may go on.
        let to_terminal = out.is_none() && io::stdout().is_terminal() && !log::is_json();
        let conversation = out.is_none() && inputs == ["-"];
        // Reading only standard input and writing to standard output: another program may wait for each
        // answer.
        let watch = Watch::new(run.quiet || to_terminal, conversation);
        Self::new(run, out.is_some() || others, watch)
    }

    /// Returns the job for the pipeline, without page processes.
    pub(crate) fn job<'a>(&'a self, inputs: &'a [String], settings: &'a Settings) -> Job<'a> {
        Job {
            inputs,
            settings,
            url: None,
            cancel: &self.cancel,
            progress: &self.watch,
            launch: None,
        }
    }

    /// Like [`Work::job`], for a verb that reads pages: the job may launch page processes.
    pub(crate) fn job_on_pages<'a>(&'a self, inputs: &'a [String], settings: &'a Settings) -> Job<'a> {
        Job {
            launch: Some(&page_process::launch),
            ..self.job(inputs, settings)
        }
    }

    /// Counts a rejected record, and reports it if it is among the first [`MAX_REPORTED`] or `--verbose` was given.
    pub(crate) fn reject(&self, row: &Rejected) {
        let mut rejected = self.rejected.borrow_mut();
        rejected.add(row.reason);
        if !self.run.quiet && (rejected.total() <= MAX_REPORTED || self.run.verbose) {
            // The progress line is removed while the message is written.
            self.watch.suspend(|| message::rejected(row));
        }
    }

    /// Returns the counts of the records rejected so far.
    pub(crate) fn rejected(&self) -> RejectedCounts {
        self.rejected.borrow().clone()
    }

    /// Reports the result of work on `read` records, some of them rejected: as an event with `figures`, or as the lines that
    /// `text` writes.
    ///
    /// Returns the exit code: 3 if too many records were rejected, else 0.
    pub(crate) fn conclude(
        &self,
        verb: &'static str,
        settings: &Settings,
        (read, rejected): (u64, &RejectedCounts),
        figures: Fields,
        text: impl FnOnce(),
    ) -> u8 {
        let code = if settings.is_damaged(rejected, read) { 3 } else { 0 };
        if !self.run.quiet {
            outcome::figures(verb, read, figures, code, &self.spent(), text);
            if code != 0 {
                message::damaged(
                    rejected.iter().map(|(reason, count)| (reason.name(), count)),
                    read,
                );
            }
        }
        code
    }

    /// Returns the time, bytes and memory used so far.
    pub(crate) fn spent(&self) -> Spent {
        Spent {
            seconds: self.began.elapsed().as_secs_f64(),
            bytes: self.watch.bytes(),
            peak_memory: peak_memory(),
        }
    }

    /// Removes the progress line, so that later lines are not overwritten. Returns its argument.
    pub(crate) fn done<T>(&self, result: T) -> T {
        self.watch.clear();
        result
    }
}

/// Returns the peak memory of this process so far in bytes; `None` if `/proc` does not report it.
fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = peak.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib << 10)
}
