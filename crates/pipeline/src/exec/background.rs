//! Work that one thread hands out while it goes on, with results in the order in which it was handed out.

use std::collections::VecDeque;
use std::fmt;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::exec::panic_guard::catch_panic;

/// Threads for work in the background. They start with the first piece of work; clones share them.
#[derive(Clone)]
pub struct Background {
    threads: usize,
    /// `None` inside if threads cannot be started: then all work happens at once.
    pool: Arc<OnceLock<Option<ThreadPool>>>,
}

impl Background {
    /// So many threads; with one, all work happens at once on the thread that hands it out.
    pub fn new(threads: usize) -> Self {
        Background {
            threads,
            pool: Arc::default(),
        }
    }

    /// Most pieces of work that are under way at once, if a list of them may have `most`.
    pub(crate) fn under_way(threads: usize, most: usize) -> usize {
        match threads {
            0 | 1 => 1,
            threads => threads.min(most) + 1,
        }
    }

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

/// Pieces of work that are under way.
pub struct InOrder<T> {
    background: Background,
    /// Most pieces that wait for their turn.
    most: usize,
    waiting: VecDeque<Receiver<Done<T>>>,
}

impl<T: Send + 'static> InOrder<T> {
    /// At most `most` pieces and one for each thread wait, whichever is less: what bounds memory.
    pub(crate) fn new(background: &Background, most: usize) -> Self {
        InOrder {
            background: background.clone(),
            most: most.min(background.threads),
            waiting: VecDeque::new(),
        }
    }

    /// At most `most` pieces wait, however few threads there are: a piece that takes long then holds up no others.
    pub fn ahead(background: &Background, most: usize) -> Self {
        InOrder {
            background: background.clone(),
            most,
            waiting: VecDeque::new(),
        }
    }

    /// Whether as many pieces wait as may: [`push`](Self::push) would wait for the first of them.
    pub fn is_full(&self) -> bool {
        self.waiting.len() >= self.most
    }

    /// Whether no piece is under way.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Hands out a piece of work, and returns the result of an earlier one if too many wait. Each result is returned once, by this
    /// or by `next` or [`next_within`](Self::next_within).
    pub fn push(&mut self, work: impl FnOnce() -> T + Send + 'static) -> Option<Done<T>> {
        let (result, receiver) = mpsc::channel();
        // Whoever waited for the result may be gone.
        let work = move || drop(result.send(catch_panic(work)));
        match self.background.pool() {
            Some(pool) => pool.spawn(work),
            None => work(),
        }
        self.waiting.push_back(receiver);
        if self.waiting.len() > self.most || self.background.threads <= 1 {
            self.next()
        } else {
            None
        }
    }

    /// The result of the earliest piece that is under way, when it is done.
    pub(crate) fn next(&mut self) -> Option<Done<T>> {
        let first = self.waiting.pop_front()?;
        Some(first.recv().unwrap_or_else(|_| Err(ENDED.to_owned())))
    }

    /// The same, if it is done within this time; `None` if it is not, and if nothing is under way.
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

/// What is told of work whose thread is gone.
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
