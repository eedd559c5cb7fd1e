//! A thread that calls a function at regular intervals.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// A thread that calls a function at regular intervals, until it is dropped.
pub(super) struct Ticker {
    ended: Arc<(Mutex<bool>, Condvar)>,
    thread: Option<JoinHandle<()>>,
}

impl Ticker {
    /// Starts the thread. Returns `None` if the system has no thread left.
    pub(super) fn start(every: Duration, work: impl Fn() + Send + 'static) -> Option<Ticker> {
        let ended = Arc::new((Mutex::new(false), Condvar::new()));
        let end = Arc::clone(&ended);
        let tick = move || {
            let (ended, changed) = &*end;
            let mut is_over = locked(ended);
            // The lock is held except while waiting. So `drop` waits for a report in progress, and no
            // report follows it.
            while !*is_over {
                let waited = changed.wait_timeout(is_over, every);
                let (guard, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
                is_over = guard;
                // `wait_timeout` may return early without a reason; only a full interval counts.
                if !*is_over && timeout.timed_out() {
                    work();
                }
            }
        };
        // Without a thread there are no reports, and the work itself goes on.
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

/// Locks a mutex, also after a panic of a thread that held it.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Instant;

    use super::*;

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
        // Dropping wakes a thread that sleeps.
        let began = Instant::now();
        drop(Ticker::start(Duration::from_secs(3600), || ()));
        assert!(began.elapsed() < Duration::from_secs(60));
    }
}
