//! The watch over a browser: ends it when a page takes too long or too much.
//!
//! Whoever waits for a browser may be stuck in a write to it as well as in a read from it. So a thread of its own keeps the time, and
//! what it does is always the same: it ends all processes of the browser, which frees whoever waits.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::error::LostReason;
use crate::group::Group;

/// How often memory is looked at.
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
    /// Begins to watch a group, without a deadline; `memory` is the most that it may take.
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

    /// Sets the deadline of the page that is worked on now, or takes it away.
    pub(crate) fn set_deadline(&self, deadline: Option<Instant>) {
        self.shared.lock().deadline = deadline;
        self.shared.changed.notify_all();
    }

    /// Why the browser was ended, if it was ended by the watch.
    pub(crate) fn ended(&self) -> Option<LostReason> {
        self.shared.lock().ended
    }

    /// The most memory that was seen, in bytes.
    pub(crate) fn peak(&self) -> u64 {
        self.shared.lock().peak
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.shared.lock().over = true;
        self.shared.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn watch(shared: &Shared, group: Group) {
    let mut state = shared.lock();
    while !state.over && state.ended.is_none() {
        let until = match state.deadline {
            Some(deadline) => deadline.saturating_duration_since(Instant::now()).min(EVERY),
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
            // Nobody waits for the lock while memory is counted.
            drop(state);
            let memory = group.memory();
            state = shared.lock();
            state.peak = state.peak.max(memory);
            if memory > state.memory {
                state.ended = Some(LostReason::Memory);
            }
        }
    }
    if state.ended.is_some() {
        group.kill();
    }
}
