//! Work of the pipeline, with the interpreter released and Ctrl-C heeded.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use dehusk_pipeline::{Cancel, Error, Interrupt, catch_panic};
use pyo3::prelude::*;

use crate::error::{self, About};

/// How often signals are looked for.
pub(crate) const LOOK: Duration = Duration::from_millis(50);

/// Does something on a thread of its own, while this one looks for signals: at Ctrl-C the work is asked to end, and `KeyboardInterrupt`
/// is raised when it has. A panic is an exception, too.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    about: About,
    work: impl FnOnce(&Cancel) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let cancel = Cancel::new();
    let (done, stopped) = py.detach(|| {
        let (result, results) = mpsc::channel();
        thread::scope(|scope| {
            let cancel = &cancel;
            let work = move || drop(result.send(catch_panic(|| work(cancel))));
            let mut stopped = None;
            if let Err(error) = thread::Builder::new().spawn_scoped(scope, work) {
                let error = Error::failed(format!("cannot start a thread: {error}"));
                return (Ok(Err(error)), None);
            }
            loop {
                match results.recv_timeout(LOOK) {
                    Ok(done) => return (done, stopped),
                    Err(mpsc::RecvTimeoutError::Timeout) => {}
                    Err(mpsc::RecvTimeoutError::Disconnected) => {
                        return (Err("a thread ended".to_owned()), stopped);
                    }
                }
                if let Err(signal) = Python::attach(|py| py.check_signals()) {
                    cancel.request(Interrupt::Keyboard);
                    stopped = Some(signal);
                }
            }
        })
    });
    match (stopped, done) {
        (Some(signal), _) => Err(signal),
        (None, Ok(Ok(done))) => Ok(done),
        (None, Ok(Err(error))) => Err(error::exception(py, &error, about)),
        (None, Err(message)) => Err(error::panic(py, &message)),
    }
}
