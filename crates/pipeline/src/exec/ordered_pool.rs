//! A pool of worker threads between one reader and one writer, with results in the order of input.

use std::collections::BTreeMap;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use dehusk_html::narrow;

use crate::error::Error;
use crate::exec::cancel::Cancel;
use crate::exec::panic_guard::catch_panic;

/// Threads, order and cancellation of [`process`].
#[derive(Clone, Copy)]
pub(crate) struct Plan<'a> {
    /// Number of worker threads, at least 1. With 1, everything happens on the calling thread, and each item is written before the next one
    /// is read.
    pub(crate) threads: usize,
    /// `true` if results are written in the order of their items, instead of in the order of completion.
    pub(crate) ordered: bool,
    /// Switch that is polled before each item.
    pub(crate) cancel: &'a Cancel,
}

impl<'a> Plan<'a> {
    /// Creates a plan with results in the order of their items.
    pub(crate) fn new(threads: usize, cancel: &'a Cancel) -> Self {
        Plan {
            threads,
            ordered: true,
            cancel,
        }
    }
}

/// Maximum number of items read ahead of the last one written, for each worker. It bounds memory while one item takes long.
const AHEAD: u64 = 4;

/// Reads items from `next`, processes them with one `W` per thread, and passes the results to `write`.
///
/// `next` is called by one thread at a time, `write` only by the calling thread. Results do not depend on the number of threads as long as
/// those of `work` do not. Ends at the first error of `write`, when the switch is turned on, or when `next` returns `None`.
pub(crate) fn process<T, R, W>(
    plan: &Plan<'_>,
    mut next: impl FnMut() -> Option<T> + Send,
    worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, T) -> R + Sync,
    mut write: impl FnMut(R) -> Result<(), Error>,
) -> Result<(), Error>
where
    T: Send,
    R: Send,
{
    if plan.threads <= 1 {
        let mut state = worker();
        loop {
            plan.cancel.check()?;
            let Some(item) = next() else { return Ok(()) };
            write(work(&mut state, item))?;
        }
    }

    let window = AHEAD * plan.threads as u64;
    let queue = Queue {
        reading: Mutex::new(Reading {
            next,
            read: 0,
            ended: false,
        }),
        writing: Mutex::default(),
        moved: Condvar::new(),
        window,
    };
    // The channel has capacity for all results that the window allows, so that no worker blocks on sending.
    let (results, finished) = mpsc::sync_channel::<Result<(u64, R), String>>(narrow::to_usize(window));
    thread::scope(|scope| {
        // Whenever this closure ends, the workers must notice: they may be waiting for their turn or for capacity in the channel. The
        // receiver is therefore dropped with the closure.
        let _close = CloseOnDrop(&queue);
        let finished = finished;
        for _ in 0..plan.threads {
            let results = results.clone();
            let (queue, worker, work) = (&queue, &worker, &work);
            let thread = move || {
                let mut state = worker();
                while plan.cancel.requested().is_none() {
                    // A panic is sent as an error and ends the run. Callers that can do without a record
                    // guard it themselves.
                    let done = match catch_panic(|| queue.take().map(|(n, item)| (n, work(&mut state, item))))
                    {
                        Ok(Some(done)) => Ok(done),
                        Ok(None) => break,
                        Err(panic) => Err(panic),
                    };
                    let failed = done.is_err();
                    // The receiver is gone if the writer has failed.
                    if results.send(done).is_err() || failed {
                        break;
                    }
                }
            };
            let started = thread::Builder::new().spawn_scoped(scope, thread);
            started
                .map_err(|e| Error::failed(format!("cannot start a thread: {e}")).with_option("threads"))?;
        }
        // The channel closes when the last worker drops its sender.
        drop(results);

        let mut waiting = BTreeMap::new();
        let mut expected = 0;
        loop {
            plan.cancel.check()?;
            // The timeout bounds the delay until a cancellation is noticed.
            let done = match finished.recv_timeout(Duration::from_millis(100)) {
                Ok(got) => got,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => break,
            };
            let (number, result) =
                done.map_err(|panic| Error::failed(format!("a worker thread failed: {panic}")))?;
            if plan.ordered {
                // Results that are early wait for those of earlier items.
                waiting.insert(number, result);
                while let Some(result) = waiting.remove(&expected) {
                    write(result)?;
                    expected += 1;
                    queue.written();
                }
            } else {
                write(result)?;
                queue.written();
            }
        }
        // Cancelled workers end without an error.
        plan.cancel.check()
    })
}

/// Hands out items. Reading has a lock of its own: it may block on input indefinitely, and results must be written during that time.
struct Queue<N> {
    reading: Mutex<Reading<N>>,
    writing: Mutex<Writing>,
    moved: Condvar,
    window: u64,
}

struct Reading<N> {
    next: N,
    read: u64,
    ended: bool,
}

#[derive(Default)]
struct Writing {
    written: u64,
    closed: bool,
}

impl<N> Queue<N> {
    /// Returns the next item with its number, once the writer is close enough.
    fn take<T>(&self) -> Option<(u64, T)>
    where
        N: FnMut() -> Option<T>,
    {
        // If the reader panicked, `ended` is still set, so that a poisoned lock is safe to use.
        let mut reading = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
        let mut writing = self.writing();
        // The lock on reading is kept while waiting, so workers get their items one after the other.
        while !writing.closed && reading.read - writing.written >= self.window {
            writing = self.moved.wait(writing).unwrap_or_else(PoisonError::into_inner);
        }
        let closed = writing.closed;
        drop(writing);
        if closed || reading.ended {
            return None;
        }
        reading.ended = true; // unless an item comes
        let item = (reading.next)()?;
        reading.ended = false;
        let number = reading.read;
        reading.read += 1;
        Some((number, item))
    }

    fn writing(&self) -> MutexGuard<'_, Writing> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn written(&self) {
        self.writing().written += 1;
        self.moved.notify_all();
    }

    fn close(&self) {
        self.writing().closed = true;
        self.moved.notify_all();
    }
}

/// Closes the queue when it is dropped, on every way out of [`process`].
struct CloseOnDrop<'a, N>(&'a Queue<N>);

impl<N> Drop for CloseOnDrop<'_, N> {
    fn drop(&mut self) {
        self.0.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::{ErrorKind, Interrupt};

    fn squares(threads: usize, ordered: bool) -> Result<Vec<u64>, Error> {
        let (cancel, mut out, mut numbers) = (Cancel::new(), Vec::new(), 0..1000u64);
        let plan = Plan {
            threads,
            ordered,
            cancel: &cancel,
        };
        let work = |_: &mut (), n: u64| {
            if n.is_multiple_of(97) {
                thread::sleep(Duration::from_millis(2));
            }
            n * n
        };
        process(
            &plan,
            move || numbers.next(),
            || (),
            work,
            |n| {
                out.push(n);
                Ok(())
            },
        )?;
        Ok(out)
    }

    #[test]
    fn any_number_of_threads_gives_the_same_order() {
        let expected: Vec<u64> = (0..1000).map(|n| n * n).collect();
        for threads in [1, 2, 7, 16] {
            assert_eq!(squares(threads, true).unwrap(), expected, "{threads} threads");
        }
        let mut loose = squares(7, false).unwrap();
        loose.sort_unstable();
        assert_eq!(loose, expected);
    }

    #[test]
    fn a_slow_item_does_not_let_the_others_run_ahead_without_bound() {
        use std::sync::atomic::{AtomicU64, Ordering};
        let (cancel, taken, most) = (Cancel::new(), AtomicU64::new(0), AtomicU64::new(0));
        let plan = Plan::new(4, &cancel);
        let mut numbers = 0..400u64;
        let next = || {
            let n = numbers.next();
            taken.fetch_add(1, Ordering::Relaxed);
            n
        };
        let mut written = 0;
        let work = |_: &mut (), n: u64| {
            if n == 0 {
                thread::sleep(Duration::from_millis(80));
            }
        };
        process(
            &plan,
            next,
            || (),
            work,
            |()| {
                most.fetch_max(taken.load(Ordering::Relaxed) - written, Ordering::Relaxed);
                written += 1;
                Ok(())
            },
        )
        .unwrap();
        assert!(most.load(Ordering::Relaxed) <= AHEAD * 4 + 1, "{most:?}");
    }

    /// The error that ends a run over all numbers.
    fn endless(threads: usize, cancel: &Cancel, write: impl FnMut(u64) -> Result<(), Error>) -> Error {
        let mut numbers = 0..;
        let plan = Plan::new(threads, cancel);
        process(&plan, move || numbers.next(), || (), |_, n: u64| n, write).unwrap_err()
    }

    #[test]
    fn a_failing_writer_ends_all_threads() {
        // Repeated, since workers may be reading, working or sending at the end.
        for threads in [1, 3].repeat(20) {
            let full = |n| (n < 50).then_some(()).ok_or_else(|| Error::failed("disk full"));
            let error = endless(threads, &Cancel::new(), full);
            assert_eq!(error.to_string(), "disk full");
        }
    }

    #[test]
    fn a_panic_outside_of_any_record_is_an_error_and_not_a_hang() {
        let cancel = Cancel::new();
        let plan = Plan::new(3, &cancel);
        let mut numbers = 0..500u64;
        let work = |_: &mut (), n: u64| assert_ne!(n, 100, "bad item");
        let error = process(&plan, move || numbers.next(), || (), work, |()| Ok(())).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Failed);
        assert!(error.to_string().contains("bad item"), "{error}");
    }

    #[test]
    fn results_are_written_while_the_reader_waits_for_input() {
        let cancel = Cancel::new();
        let plan = Plan::new(3, &cancel);
        // Each item is sent after the previous one was written, as by a client that waits for answers.
        let (ask, asked) = mpsc::channel();
        ask.send(0_u64).unwrap();
        let mut ask = Some(ask);
        process(
            &plan,
            move || asked.recv().ok(),
            || (),
            |_, n| n,
            |n| {
                if n == 50 {
                    ask = None;
                }
                ask.iter().for_each(|ask| ask.send(n + 1).unwrap());
                Ok(())
            },
        )
        .unwrap();
    }

    #[test]
    fn a_turned_switch_ends_the_run() {
        for threads in [1, 3].repeat(20) {
            let cancel = Cancel::new();
            let error = endless(threads, &cancel, |n| {
                if n == 20 {
                    cancel.request(Interrupt::Terminate);
                }
                Ok(())
            });
            assert_eq!(error.kind(), ErrorKind::Interrupted(Interrupt::Terminate));
        }
    }
}
