//! What each of many threads hands on to the next, such as the state of a reader.

use std::mem;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Something on its way from one thread to the next.
pub(crate) struct Baton<T> {
    passed: Mutex<Passed<T>>,
    moved: Condvar,
}

enum Passed<T> {
    NotYet,
    Here(T),
    /// It was taken, or the thread that had it failed.
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
    /// One that needs not be waited for.
    pub(crate) fn here(baton: T) -> Self {
        Baton {
            passed: Mutex::new(Passed::Here(baton)),
            moved: Condvar::new(),
        }
    }

    /// Hands it on.
    pub(crate) fn pass(&self, baton: T) {
        *self.passed() = Passed::Here(baton);
        self.moved.notify_all();
    }

    /// Says that nobody will hand it on, if nobody has.
    pub(crate) fn lose(&self) {
        let mut passed = self.passed();
        if matches!(*passed, Passed::NotYet) {
            *passed = Passed::Gone;
            self.moved.notify_all();
        }
    }

    /// Whether it needs not be waited for.
    pub(crate) fn is_here(&self) -> bool {
        !matches!(*self.passed(), Passed::NotYet)
    }

    /// Waits for it, and takes it; none if it is gone.
    pub(crate) fn take(&self) -> Option<T> {
        match mem::replace(&mut *self.wait(), Passed::Gone) {
            Passed::Here(baton) => Some(baton),
            _ => None,
        }
    }

    /// Waits for it, and leaves it where it is; none if it is gone.
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
