//! Work of the pipeline, with the interpreter released and signals such as Ctrl-C observed.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use dehusk_pipeline::{Cancel, Error, Interrupt, catch_panic};
use pyo3::prelude::*;

use crate::error::{self, About};

/// Interval at which signals are looked for.
pub(crate) const LOOK: Duration = Duration::from_millis(50);

/// Runs `work` on a thread of its own, while this thread looks for signals. On Ctrl-C the work is asked to
/// end, and `KeyboardInterrupt` is raised when it has ended. A panic becomes an exception.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    about: About,
    work: impl FnOnce(&Cancel) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let cancel = Cancel::new();
    // The interpreter is released for all of the work, so that other threads of Python go on.
    let (done, stopped) = py.detach(|| {
        let (result, results) = mpsc::channel();
        thread::scope(|scope| {
            let cancel = &cancel;
            // A panic is caught on that thread, so a result is always sent.
            let work = move || drop(result.send(catch_panic(|| work(cancel))));
            let mut stopped = None;
            if let Err(error) = thread::Builder::new().spawn_scoped(scope, work) {
                let error = Error::failed(format!("cannot start a thread: {error}"));
                return (Ok(Err(error)), None);
            }
            // Ends only when the work has ended, even after Ctrl-C: the thread borrows from the caller.
            loop {
                match results.recv_timeout(LOOK) {
                    Ok(done) => return (done, stopped),
                    Err(mpsc::RecvTimeoutError::Timeout) => {}
                    Err(mpsc::RecvTimeoutError::Disconnected) => {
                        return (Err("a thread ended".to_owned()), stopped);
                    }
                }
                // Signals of Python can be looked for only with the interpreter.
                if let Err(signal) = Python::attach(|py| py.check_signals()) {
                    cancel.request(Interrupt::Keyboard);
                    stopped = Some(signal);
                }
            }
        })
    });
    match (stopped, done) {
        // The work was interrupted, so its error says nothing new.
        (Some(signal), _) => Err(signal),
        (None, Ok(Ok(done))) => Ok(done),
        (None, Ok(Err(error))) => Err(error::exception(py, &error, about)),
        (None, Err(message)) => Err(error::panic(py, &message)),
    }
}
