//! What the verbs that work on records have in common: the switch, how far it is, and what is told of rejected records.

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

/// Rejected records that are told of one by one, unless more are wanted.
const TOLD: u64 = 10;

/// One piece of work, from its first record to its last.
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

    /// Work that changes files: a signal ends it cleanly.
    pub(crate) fn on_files(run: RunFlags) -> Self {
        Self::new(run, true, Watch::new(run.quiet, false))
    }

    /// Work whose rows go to the file `out`, or else to standard output. Without files to clean up, whether that one or
    /// `others`, signals end the program as they always do; and between the lines of a terminal a progress line would only disturb.
    pub(crate) fn on_rows(run: RunFlags, inputs: &[String], out: Option<&Path>, others: bool) -> Self {
        let to_terminal = out.is_none() && io::stdout().is_terminal() && !log::is_json();
        let conversation = out.is_none() && inputs == ["-"];
        let watch = Watch::new(run.quiet || to_terminal, conversation);
        Self::new(run, out.is_some() || others, watch)
    }

    /// The work as the libraries take it.
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

    /// The same for a verb that reads pages, and works on those of another process if this one was started for them.
    pub(crate) fn job_on_pages<'a>(&'a self, inputs: &'a [String], settings: &'a Settings) -> Job<'a> {
        Job {
            launch: Some(&page_process::launch),
            ..self.job(inputs, settings)
        }
    }

    /// Tells of a rejected record, if it is among the first.
    pub(crate) fn reject(&self, row: &Rejected) {
        let mut rejected = self.rejected.borrow_mut();
        rejected.add(row.reason);
        if !self.run.quiet && (rejected.total() <= TOLD || self.run.verbose) {
            self.watch.suspend(|| message::rejected(row));
        }
    }

    /// Rejected records so far.
    pub(crate) fn rejected(&self) -> RejectedCounts {
        self.rejected.borrow().clone()
    }

    /// Tells what came of work on so many records, of which these were rejected: `figures` as an event, or the lines that `text`
    /// tells. Returns the exit code: 3 if too many were rejected.
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

    /// What it took so far.
    pub(crate) fn spent(&self) -> Spent {
        Spent {
            seconds: self.began.elapsed().as_secs_f64(),
            bytes: self.watch.bytes(),
            peak_memory: peak_memory(),
        }
    }

    /// Takes the progress line away; what is written then stays.
    pub(crate) fn done<T>(&self, result: T) -> T {
        self.watch.clear();
        result
    }
}

/// The largest memory of this process so far, where the system tells it.
fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = peak.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib << 10)
}
