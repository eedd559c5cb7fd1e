//! A value that each of several threads passes on to the next, such as the state of a reader.

use std::mem;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A slot through which one thread passes a value to another.
pub(crate) struct Baton<T> {
    passed: Mutex<Passed<T>>,
    moved: Condvar,
}

enum Passed<T> {
    NotYet,
    Here(T),
    /// The value was taken, or the thread that should have passed it failed.
    Gone,
}

impl<T> Default for Baton<T> {
    fn default() -> Self {
        Baton {
            passed: Mutex::new(Passed::NotYet),
            moved: Condvar::new(),
        }
    }
}

impl<T> Baton<T> {
    /// Creates a slot with a value that is already available.
    pub(crate) fn here(baton: T) -> Self {
        Baton {
            passed: Mutex::new(Passed::Here(baton)),
            moved: Condvar::new(),
        }
    }

    /// Passes the value.
    pub(crate) fn pass(&self, baton: T) {
        *self.passed() = Passed::Here(baton);
        self.moved.notify_all();
    }

    /// Declares that no value will be passed, unless one already was.
    pub(crate) fn lose(&self) {
        let mut passed = self.passed();
        if matches!(*passed, Passed::NotYet) {
            *passed = Passed::Gone;
            self.moved.notify_all();
        }
    }

    /// Returns `true` if [`take`](Self::take) and [`look`](Self::look) return without waiting.
    pub(crate) fn is_here(&self) -> bool {
        !matches!(*self.passed(), Passed::NotYet)
    }

    /// Waits for the value and takes it; `None` if it is gone.
    pub(crate) fn take(&self) -> Option<T> {
        // `Gone` makes a second call return `None` instead of waiting forever.
        match mem::replace(&mut *self.wait(), Passed::Gone) {
            Passed::Here(baton) => Some(baton),
            _ => None,
        }
    }

    /// Waits for the value and copies it; `None` if it is gone.
    pub(crate) fn look(&self) -> Option<T>
    where
        T: Copy,
    {
        match *self.wait() {
            Passed::Here(baton) => Some(baton),
            _ => None,
        }
    }

    fn wait(&self) -> MutexGuard<'_, Passed<T>> {
        let not_yet = |passed: &mut Passed<T>| matches!(passed, Passed::NotYet);
        let waited = self.moved.wait_while(self.passed(), not_yet);
        waited.unwrap_or_else(PoisonError::into_inner)
    }

    fn passed(&self) -> MutexGuard<'_, Passed<T>> {
        self.passed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::thread;

    use super::*;

    #[test]
    fn what_is_handed_on_is_waited_for_unless_it_is_lost() {
        let batons: Vec<Arc<Baton<u32>>> = (0..2).map(|_| Arc::default()).collect();
        let wait = |baton: &Arc<Baton<u32>>| {
            let baton = Arc::clone(baton);
            thread::spawn(move || (baton.look(), baton.look(), baton.take(), baton.take()))
        };
        let waiting: Vec<_> = batons.iter().map(wait).collect();
        assert!(!batons[0].is_here());
        batons[0].pass(7);
        batons[0].lose();
        batons[1].lose();
        let got: Vec<_> = waiting.into_iter().map(|thread| thread.join().unwrap()).collect();
        assert_eq!(got, [(Some(7), Some(7), Some(7), None), (None, None, None, None)]);
        assert!(Baton::here(1).is_here());
    }
}
