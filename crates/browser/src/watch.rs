//! The watch over a browser: kills it when a page takes too much time or memory.
//!
//! The main thread may be blocked in a write to the browser as well as in a read. So a separate thread
//! keeps the time. Its only action is to kill all processes of the browser, which unblocks the main thread.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::error::LostReason;
use crate::group::Group;

/// Interval at which memory is sampled.
const EVERY: Duration = Duration::from_millis(250);

#[derive(Default)]
struct State {
    deadline: Option<Instant>,
    memory: u64,
    peak: u64,
    ended: Option<LostReason>,
    over: bool,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The watch over one browser.
pub(crate) struct Watch {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    /// Starts to watch a group, without a deadline. `memory` is its limit in bytes.
    pub(crate) fn begin(group: Group, memory: u64) -> Watch {
        let shared = Arc::new(Shared::default());
        shared.lock().memory = memory;
        let watched = Arc::clone(&shared);
        let thread = thread::Builder::new()
            .name("browser-watch".to_owned())
            .spawn(move || watch(&watched, group))
            .ok();
        Watch { shared, thread }
    }

    /// Sets or clears the deadline of the current page.
    pub(crate) fn set_deadline(&self, deadline: Option<Instant>) {
        self.shared.lock().deadline = deadline;
        self.shared.changed.notify_all();
    }

    /// Returns why the watch killed the browser; `None` if it did not.
    pub(crate) fn ended(&self) -> Option<LostReason> {
        self.shared.lock().ended
    }

    /// Returns the peak memory that was sampled, in bytes.
    pub(crate) fn peak(&self) -> u64 {
        self.shared.lock().peak
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // Wakes the thread at once. Otherwise it would wait for up to a second.
        self.shared.lock().over = true;
        self.shared.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The watch's thread: ends with the browser, or kills it.
fn watch(shared: &Shared, group: Group) {
    let mut state = shared.lock();
    while !state.over && state.ended.is_none() {
        // Waits until the deadline, or until the next sample of memory if that comes first.
        let until = match state.deadline {
            Some(deadline) => deadline.saturating_duration_since(Instant::now()).min(EVERY),
            // Without a page there is nothing to check. A new deadline and the end of the watch wake this
            // thread.
            None => EVERY * 4,
        };
        (state, _) = shared
            .changed
            .wait_timeout(state, until)
            .unwrap_or_else(PoisonError::into_inner);
        if state.over {
            break;
        }
        if state.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            state.ended = Some(LostReason::Time);
        } else if state.deadline.is_some() {
            // Release the lock, since counting memory is slow.
            drop(state);
            let memory = group.memory();
            state = shared.lock();
            // The state may have changed while the lock was released. `over` is checked at the head of the
            // loop.
            state.peak = state.peak.max(memory);
            if memory > state.memory {
                state.ended = Some(LostReason::Memory);
            }
        }
    }
    if state.ended.is_some() {
        // `ended` is set before the kill and the lock is still held, so the main thread finds the reason
        // once its pipe closes.
        group.kill();
    }
}
