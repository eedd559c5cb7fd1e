//! Background work: one thread hands out tasks and gets the results in the order of the tasks.

use std::collections::VecDeque;
use std::fmt;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::exec::panic_guard::catch_panic;

/// Threads for background work. They start with the first task. Clones share them.
#[derive(Clone)]
pub struct Background {
    threads: usize,
    /// `None` inside if the threads could not be started. Tasks then run on the calling thread.
    pool: Arc<OnceLock<Option<ThreadPool>>>,
}

impl Background {
    /// Prepares work on `threads` threads. With one thread, tasks run at once on the calling thread.
    pub fn new(threads: usize) -> Self {
        Background {
            threads,
            pool: Arc::default(),
        }
    }

    /// Returns the maximum number of tasks in progress at the same time, for a queue limited to `most`.
    pub(crate) fn under_way(threads: usize, most: usize) -> usize {
        match threads {
            0 | 1 => 1,
            threads => threads.min(most) + 1,
        }
    }

    /// Returns the threads, which start at first use. `None` if tasks run on the calling thread.
    fn pool(&self) -> Option<&ThreadPool> {
        if self.threads <= 1 {
            return None;
        }
        let start = || ThreadPoolBuilder::new().num_threads(self.threads).build().ok();
        self.pool.get_or_init(start).as_ref()
    }
}

impl fmt::Debug for Background {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Background")
            .field("threads", &self.threads)
            .finish_non_exhaustive()
    }
}

/// A result, or the message of a panic.
pub type Done<T> = Result<T, String>;

/// A queue of tasks in progress, with results in the order of the tasks.
pub struct InOrder<T> {
    background: Background,
    /// Maximum number of waiting tasks.
    most: usize,
    waiting: VecDeque<Receiver<Done<T>>>,
}

impl<T: Send + 'static> InOrder<T> {
    /// Creates a queue of at most `most` waiting tasks, and at most one for each thread, which bounds
    /// memory.
    pub(crate) fn new(background: &Background, most: usize) -> Self {
        InOrder {
            background: background.clone(),
            most: most.min(background.threads),
            waiting: VecDeque::new(),
        }
    }

    /// Creates a queue of at most `most` waiting tasks, even with few threads, so that a slow task does not
    /// block the others.
    pub fn ahead(background: &Background, most: usize) -> Self {
        InOrder {
            background: background.clone(),
            most,
            waiting: VecDeque::new(),
        }
    }

    /// Returns `true` if the maximum number of tasks wait, so that [`push`](Self::push) would block on the
    /// first of them.
    pub fn is_full(&self) -> bool {
        self.waiting.len() >= self.most
    }

    /// Returns `true` if no task is in progress.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Starts a task. If too many tasks wait, blocks and returns the result of the earliest.
    ///
    /// Each result is returned once, by this method, by `next` or by [`next_within`](Self::next_within).
    pub fn push(&mut self, work: impl FnOnce() -> T + Send + 'static) -> Option<Done<T>> {
        let (result, receiver) = mpsc::channel();
        // The receiver may be dropped. Then the result is not wanted.
        let work = move || drop(result.send(catch_panic(work)));
        match self.background.pool() {
            Some(pool) => pool.spawn(work),
            None => work(),
        }
        self.waiting.push_back(receiver);
        // With one thread the task has run already, so its result is returned at once.
        if self.waiting.len() > self.most || self.background.threads <= 1 {
            self.next()
        } else {
            None
        }
    }

    /// Waits for the result of the earliest task. `None` if no task is in progress.
    pub(crate) fn next(&mut self) -> Option<Done<T>> {
        let first = self.waiting.pop_front()?;
        Some(first.recv().unwrap_or_else(|_| Err(ENDED.to_owned())))
    }

    /// Like `next`, but waits for at most `time`. `None` if the task is not done by then, or if no task is in progress.
    pub fn next_within(&mut self, time: Duration) -> Option<Done<T>> {
        let done = match self.waiting.front()?.recv_timeout(time) {
            Ok(done) => done,
            Err(RecvTimeoutError::Timeout) => return None,
            Err(RecvTimeoutError::Disconnected) => Err(ENDED.to_owned()),
        };
        self.waiting.pop_front();
        Some(done)
    }
}

/// Message for a task whose thread has ended.
const ENDED: &str = "a thread in the background ended";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_that_are_not_there_in_time_come_later() {
        let mut work = InOrder::ahead(&Background::new(2), 3);
        let (go, gone) = mpsc::channel::<()>();
        assert_eq!(work.push(move || gone.recv().is_ok()), None);
        assert_eq!(work.push(|| true), None);
        assert_eq!(work.next_within(Duration::from_millis(5)), None);
        assert!(!work.is_full() && !work.is_empty());
        go.send(()).unwrap();
        for _ in 0..2 {
            assert_eq!(work.next_within(Duration::from_secs(60)), Some(Ok(true)));
        }
        assert!(work.is_empty() && work.next_within(Duration::ZERO).is_none());
    }

    #[test]
    fn results_come_in_order_and_a_panic_is_one_of_them() {
        for threads in [1, 4] {
            let mut work = InOrder::new(&Background::new(threads), 3);
            let mut results = Vec::new();
            for number in 0..20_u64 {
                results.extend(work.push(move || {
                    std::thread::sleep(std::time::Duration::from_millis(20 - number));
                    assert!(number != 7, "no seven please");
                    number
                }));
                assert!(work.waiting.len() <= 3);
            }
            while let Some(result) = work.next() {
                results.push(result);
            }
            let expected = (0..20).map(|number| match number {
                7 => Err("no seven please".to_owned()),
                _ => Ok(number),
            });
            assert_eq!(results, expected.collect::<Vec<_>>());
        }
    }
}
