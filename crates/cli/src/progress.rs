//! How far the work is: a line that changes on a terminal, and else a line every half minute.

use std::fmt;
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use dehusk_pipeline::{Progress, Total};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use serde_json::json;

use crate::log::{self, Fields, Level};
use crate::message;

/// Time between two lines where there is no terminal.
const EVERY: Duration = Duration::from_secs(30);

/// Tells on standard error how far the work is.
pub(crate) struct Watch {
    form: Form,
    counters: Arc<Counters>,
    ticker: Mutex<Option<Ticker>>,
}

enum Form {
    /// Nothing is told.
    Silent,
    /// A line on a terminal that changes.
    Bar(ProgressBar),
    /// A line each time so much has passed, or events of stages alone.
    Lines(Option<Duration>),
}

impl Watch {
    /// Tells nothing if `quiet`, and nothing from time to time if the input is a `conversation`: who talks to the program may not
    /// read what it says beside its answers.
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

    /// Takes the line away, before something else is written, and tells no more until the next stage.
    pub(crate) fn clear(&self) {
        if let Form::Bar(bar) = &self.form {
            bar.finish_and_clear();
        }
        drop(locked(&self.ticker).take());
    }

    /// Takes the line away while something else is written.
    pub(crate) fn suspend(&self, write: impl FnOnce()) {
        match &self.form {
            Form::Bar(bar) => bar.suspend(write),
            Form::Silent | Form::Lines(_) => write(),
        }
    }

    /// Bytes that the longest of the stages has read.
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

    fn stage(&self, name: &'static str, total: Option<Total>) {
        self.counters.begin(name, total);
        match &self.form {
            Form::Silent => {}
            Form::Bar(bar) => show(bar, name, total, &self.counters),
            Form::Lines(every) => {
                if log::is_json() {
                    log::event(Level::Info, "stage", &stage_fields(name, total));
                }
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

/// A stage begins on a terminal.
fn show(bar: &ProgressBar, name: &'static str, total: Option<Total>, counters: &Arc<Counters>) {
    let template = match total {
        Some(_) => "{msg} {wide_bar} {figures}",
        None => "{spinner} {msg} {figures}",
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        let counters = Arc::clone(counters);
        let figures = move |_: &ProgressState, to: &mut dyn fmt::Write| {
            // A line that cannot be written is not missed.
            let _ = to.write_str(&counters.snapshot().figures());
        };
        bar.set_style(style.with_key("figures", figures));
    }
    match total {
        Some(Total::Bytes(total) | Total::Documents(total)) => bar.set_length(total),
        None => bar.unset_length(),
    }
    bar.set_message(name);
    bar.reset(); // now, since it draws
    bar.enable_steady_tick(Duration::from_millis(200));
}

/// What is counted.
struct Counters {
    stage: Mutex<(&'static str, Option<Total>, Instant)>,
    records: AtomicU64,
    bytes: AtomicU64,
    /// Bytes of the stage before that read most.
    most_bytes: AtomicU64,
}

impl Default for Counters {
    fn default() -> Self {
        Counters {
            stage: Mutex::new(("", None, Instant::now())),
            records: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            most_bytes: AtomicU64::new(0),
        }
    }
}

impl Counters {
    fn begin(&self, name: &'static str, total: Option<Total>) {
        *locked(&self.stage) = (name, total, Instant::now());
        self.records.store(0, Ordering::Relaxed);
        let bytes = self.bytes.swap(0, Ordering::Relaxed);
        self.most_bytes.fetch_max(bytes, Ordering::Relaxed);
    }

    fn snapshot(&self) -> Snapshot {
        let (stage, total, began) = *locked(&self.stage);
        Snapshot {
            stage,
            total,
            records: self.records.load(Ordering::Relaxed),
            bytes: self.bytes.load(Ordering::Relaxed),
            seconds: began.elapsed().as_secs_f64(),
        }
    }
}

/// How far a stage is.
#[derive(Clone, Copy, Debug)]
struct Snapshot {
    stage: &'static str,
    total: Option<Total>,
    records: u64,
    bytes: u64,
    seconds: f64,
}

impl Snapshot {
    /// What is done of the total, in its unit.
    fn done(&self) -> u64 {
        match self.total {
            Some(Total::Bytes(_)) => self.bytes,
            Some(Total::Documents(_)) | None => self.records,
        }
    }

    /// The share that is done, if the total is known, and was right so far.
    fn share(&self) -> Option<f64> {
        let (Total::Bytes(total) | Total::Documents(total)) = self.total?;
        (0 < total && self.done() <= total).then(|| self.done() as f64 / total as f64)
    }

    /// Seconds that the rest will take if it goes on like this.
    fn remaining(&self) -> Option<f64> {
        let share = self.share().filter(|share| *share > 0.0)?;
        Some(self.seconds * (1.0 - share) / share)
    }

    /// Number, bytes, rates, share and remaining time, as far as they are known.
    fn figures(&self) -> String {
        let mut parts = vec![format!("{} records", self.records)];
        if self.bytes > 0 {
            parts.push(size(self.bytes));
        }
        parts.extend(rates(self.records, self.bytes, self.seconds, "records"));
        parts.extend(
            self.share()
                .map(|share| format!("{:.0}%", (100.0 * share).floor())),
        );
        parts.extend(self.remaining().map(|seconds| format!("{} left", time(seconds))));
        parts.join(", ")
    }

    fn fields(&self) -> Fields {
        let mut fields = stage_fields(self.stage, self.total);
        fields.extend([
            ("records", self.records.into()),
            ("bytes", self.bytes.into()),
            ("seconds", rounded(self.seconds)),
            ("records_per_second", rounded(self.records as f64 / self.seconds)),
            ("bytes_per_second", rounded(self.bytes as f64 / self.seconds)),
            ("share", self.share().map_or(json!(null), rounded)),
            ("remaining_seconds", self.remaining().map_or(json!(null), rounded)),
        ]);
        fields
    }
}

fn stage_fields(name: &str, total: Option<Total>) -> Fields {
    let mut fields = vec![("stage", json!(name))];
    fields.extend(total.map(|total| match total {
        Total::Bytes(bytes) => ("total_bytes", bytes.into()),
        Total::Documents(documents) => ("total_documents", documents.into()),
    }));
    fields
}

/// A thread that does something from time to time.
struct Ticker {
    ended: Arc<(Mutex<bool>, Condvar)>,
    thread: Option<JoinHandle<()>>,
}

impl Ticker {
    fn start(every: Duration, work: impl Fn() + Send + 'static) -> Option<Ticker> {
        let ended = Arc::new((Mutex::new(false), Condvar::new()));
        let end = Arc::clone(&ended);
        let tick = move || {
            let (ended, changed) = &*end;
            let mut is_over = locked(ended);
            while !*is_over {
                let waited = changed.wait_timeout(is_over, every);
                let (guard, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
                is_over = guard;
                if !*is_over && timeout.timed_out() {
                    work();
                }
            }
        };
        // The work goes on without.
        let thread = thread::Builder::new()
            .name("progress".to_owned())
            .spawn(tick)
            .ok()?;
        Some(Ticker {
            ended,
            thread: Some(thread),
        })
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        *locked(&self.ended.0) = true;
        self.ended.1.notify_all();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn tell(now: &Snapshot) {
    if log::is_json() {
        log::event(Level::Info, "progress", &now.fields());
    } else {
        message::line(format_args!("{}: {}", now.stage, now.figures()));
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Three decimals are enough for figures that time has a part in.
pub(crate) fn rounded(value: f64) -> serde_json::Value {
    json!((1000.0 * value).round() / 1000.0) // null unless it is finite
}

/// How many records and bytes a second, as far as there are some.
pub(crate) fn rates(records: u64, bytes: u64, seconds: f64, what: &str) -> Vec<String> {
    let mut rates = Vec::new();
    if seconds > 0.0 && records > 0 {
        rates.push(format!("{:.0} {what}/s", records as f64 / seconds));
    }
    if seconds > 0.0 && bytes > 0 {
        rates.push(format!("{}/s", size((bytes as f64 / seconds) as u64)));
    }
    rates
}

/// Bytes in a unit for people: `12.3 MB`.
pub(crate) fn size(bytes: u64) -> String {
    const UNITS: [(u64, &str); 4] = [
        (1_000_000_000_000, "TB"),
        (1_000_000_000, "GB"),
        (1_000_000, "MB"),
        (1000, "kB"),
    ];
    match UNITS.iter().find(|(unit, _)| bytes >= *unit) {
        Some((unit, name)) => format!("{:.1} {name}", bytes as f64 / *unit as f64),
        None => format!("{bytes} bytes"),
    }
}

/// A time in units for people: `4.20 s`, `3 min 20 s`, `5 h 12 min`.
pub(crate) fn time(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match whole {
        0..=9 => format!("{seconds:.2} s"),
        10..=59 => format!("{whole} s"),
        60..=3599 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3600, whole % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(total: Option<Total>) -> Snapshot {
        Snapshot {
            stage: "reading",
            total,
            records: 1500,
            bytes: 30_000_000,
            seconds: 10.0,
        }
    }

    #[test]
    fn a_line_tells_rates_and_where_the_total_is_known_share_and_rest() {
        let known = snapshot(Some(Total::Bytes(120_000_000)));
        assert_eq!(
            known.figures(),
            "1500 records, 30.0 MB, 150 records/s, 3.0 MB/s, 25%, 30 s left"
        );
        let documents = snapshot(Some(Total::Documents(2000)));
        assert!(
            documents.figures().ends_with(", 75%, 3.33 s left"),
            "{}",
            documents.figures()
        );
        assert_eq!(
            snapshot(None).figures(),
            "1500 records, 30.0 MB, 150 records/s, 3.0 MB/s"
        );
        // A total that was wrong, and a stage that has just begun.
        assert_eq!(snapshot(Some(Total::Bytes(10))).share(), None);
        let begun = Snapshot {
            records: 0,
            bytes: 0,
            seconds: 0.0,
            ..known
        };
        assert_eq!(begun.figures(), "0 records, 0%");
        assert!(
            begun
                .fields()
                .iter()
                .any(|(name, value)| *name == "records_per_second" && value.is_null())
        );
    }

    #[test]
    fn sizes_and_times_are_told_in_units_for_people() {
        assert_eq!(
            [size(999), size(1000), size(2_540_000_000)],
            ["999 bytes", "1.0 kB", "2.5 GB"]
        );
        assert_eq!(
            [time(0.42), time(200.4), time(18_725.0)],
            ["0.42 s", "3 min 20 s", "5 h 12 min"]
        );
    }

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

    #[test]
    fn a_ticker_ticks_until_it_is_dropped() {
        let ticks = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&ticks);
        let count = move || {
            counted.fetch_add(1, Ordering::Relaxed);
        };
        let ticker = Ticker::start(Duration::from_millis(1), count).unwrap();
        while ticks.load(Ordering::Relaxed) < 3 {
            thread::yield_now();
        }
        drop(ticker);
        let after = ticks.load(Ordering::Relaxed);
        thread::sleep(Duration::from_millis(20));
        assert_eq!(ticks.load(Ordering::Relaxed), after);
        // One that sleeps is woken.
        let began = Instant::now();
        drop(Ticker::start(Duration::from_secs(3600), || ()));
        assert!(began.elapsed() < Duration::from_secs(60));
    }
}
