//! Progress of the work: a line that changes on a terminal, otherwise a line every half minute.

use std::fmt;
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use console::Term;
use dehusk_pipeline::{Progress, Total};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::log::{self, Level};
use crate::message;

mod figures;
mod ticker;

use figures::{Snapshot, stage_fields};
pub(crate) use figures::{rates, rounded, size, time};
use ticker::{Ticker, locked};

/// Time between two lines where standard error is not a terminal.
const EVERY: Duration = Duration::from_secs(30);

/// Minimum columns of a bar.
const MIN_BAR: usize = 8;

/// Reports progress on standard error.
pub(crate) struct Watch {
    form: Form,
    counters: Arc<Counters>,
    ticker: Mutex<Option<Ticker>>,
}

enum Form {
    /// No reports.
    Silent,
    /// A line on a terminal that changes.
    Bar(ProgressBar),
    /// A line each time this duration has passed; with `None`, only events at the start of stages.
    Lines(Option<Duration>),
}

impl Watch {
    /// Makes a watch for standard error. `quiet` silences all reports. In a `conversation`, where another
    /// program writes a line and waits for the answer, there are no periodic lines, since that program may
    /// not read standard error while it waits.
    pub(crate) fn new(quiet: bool, conversation: bool) -> Watch {
        let form = match quiet {
            true => Form::Silent,
            false if io::stderr().is_terminal() && !log::is_json() => Form::Bar(
                ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5)),
            ),
            false => Form::Lines((!conversation).then_some(EVERY)),
        };
        Watch {
            form,
            counters: Arc::default(),
            ticker: Mutex::default(),
        }
    }

    /// Removes the line before something else is written. The next reports come with the next stage.
    pub(crate) fn clear(&self) {
        // `finish_and_clear` also stops the thread that redraws the bar.
        if let Some(bar) = self.bar() {
            bar.finish_and_clear();
        }
        drop(locked(&self.ticker).take());
    }

    /// Returns the line on a terminal, for code that has to remove it; `None` if there are no such reports.
    pub(crate) fn bar(&self) -> Option<&ProgressBar> {
        match &self.form {
            Form::Bar(bar) => Some(bar),
            Form::Silent | Form::Lines(_) => None,
        }
    }

    /// Hides the line while `write` writes something else.
    pub(crate) fn suspend(&self, write: impl FnOnce()) {
        match &self.form {
            Form::Bar(bar) => bar.suspend(write),
            Form::Silent | Form::Lines(_) => write(),
        }
    }

    /// Returns the bytes read by the stage that read the most.
    pub(crate) fn bytes(&self) -> u64 {
        let counters = &self.counters;
        let now = counters.bytes.load(Ordering::Relaxed);
        counters.most_bytes.load(Ordering::Relaxed).max(now)
    }
}

impl Progress for Watch {
    fn is_watched(&self) -> bool {
        !matches!(self.form, Form::Silent)
    }

    fn stage(&self, name: &str, total: Option<Total>) {
        self.counters.begin(name, total);
        match &self.form {
            Form::Silent => {}
            Form::Bar(bar) => show(bar, name, total, &self.counters),
            Form::Lines(every) => {
                if log::is_json() {
                    log::event(Level::Info, "stage", &stage_fields(name, total));
                }
                // One thread serves all stages: it reads the stage from the counters.
                let mut ticker = locked(&self.ticker);
                if let (Some(every), None) = (every, &*ticker) {
                    let counters = Arc::clone(&self.counters);
                    *ticker = Ticker::start(*every, move || tell(&counters.snapshot()));
                }
            }
        }
    }

    fn advance(&self, records: u64, bytes: u64) {
        self.counters.records.fetch_add(records, Ordering::Relaxed);
        // Not one atomic step with the line above: a report may be off by one record.
        self.counters.bytes.fetch_add(bytes, Ordering::Relaxed);
        if let Form::Bar(bar) = &self.form {
            bar.set_position(self.counters.snapshot().done());
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.clear();
    }
}

/// Shows a new stage on a terminal.
fn show(bar: &ProgressBar, name: &str, total: Option<Total>, counters: &Arc<Counters>) {
    let length = match total {
        Some(Total::Bytes(total) | Total::Pages(total) | Total::Documents(total) | Total::Pairs(total)) => {
            Some(total)
        }
        Some(Total::UnknownPairs) | None => None,
    };
    let (template, beside) = match length {
        Some(_) => ("{msg} {wide_bar} {figures}", name.chars().count() + MIN_BAR + 2),
        None => ("{spinner} {msg} {figures}", name.chars().count() + 4),
    };
    bar.set_message(name.to_owned()); // first: the calls below draw the line
    if let Ok(style) = ProgressStyle::with_template(template) {
        let counters = Arc::clone(counters);
        let figures = move |_: &ProgressState, to: &mut dyn fmt::Write| {
            // Read each time, since terminals change their width. One column is left free for the cursor.
            let (_, columns) = Term::stderr().size();
            let room = usize::from(columns).saturating_sub(beside + 1);
            // A failed write loses only this line.
            let _ = to.write_str(&counters.snapshot().figures(room));
        };
        bar.set_style(style.with_key("figures", figures));
    }
    match length {
        Some(length) => bar.set_length(length),
        None => bar.unset_length(),
    }
    bar.reset(); // last: it draws the line
    bar.enable_steady_tick(Duration::from_millis(200));
}

/// The counters of the current stage.
struct Counters {
    stage: Mutex<(String, Option<Total>, Instant)>,
    records: AtomicU64,
    bytes: AtomicU64,
    /// Bytes read by the earlier stage that read the most.
    most_bytes: AtomicU64,
}

impl Default for Counters {
    fn default() -> Self {
        Counters {
            stage: Mutex::new((String::new(), None, Instant::now())),
            records: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            most_bytes: AtomicU64::new(0),
        }
    }
}

impl Counters {
    /// Begins a stage: its counters start at 0.
    fn begin(&self, name: &str, total: Option<Total>) {
        *locked(&self.stage) = (name.to_owned(), total, Instant::now());
        self.records.store(0, Ordering::Relaxed);
        // A job may read its input several times; the stage that read the most stands for the whole input.
        let bytes = self.bytes.swap(0, Ordering::Relaxed);
        self.most_bytes.fetch_max(bytes, Ordering::Relaxed);
    }

    /// Returns the progress of the current stage.
    fn snapshot(&self) -> Snapshot {
        let (stage, total, began) = locked(&self.stage).clone();
        Snapshot {
            stage,
            total,
            records: self.records.load(Ordering::Relaxed),
            bytes: self.bytes.load(Ordering::Relaxed),
            seconds: began.elapsed().as_secs_f64(),
        }
    }
}

/// Writes a line or an event with the progress of a stage.
fn tell(now: &Snapshot) {
    if log::is_json() {
        log::event(Level::Info, "progress", &now.fields());
    } else {
        message::line(format_args!("{}: {}", now.stage, now.figures(usize::MAX)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_stage_counts_anew_and_the_most_bytes_are_remembered() {
        let watch = Watch::new(true, false);
        assert!(!watch.is_watched());
        watch.stage("one", None);
        watch.advance(3, 100);
        watch.advance(1, 50);
        assert_eq!((watch.counters.snapshot().records, watch.bytes()), (4, 150));
        watch.stage("two", Some(Total::Documents(8)));
        watch.advance(2, 0);
        assert_eq!(watch.counters.snapshot().share(), Some(0.25));
        assert_eq!(watch.bytes(), 150);
    }
}
