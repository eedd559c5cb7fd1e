//! The thread on which requests wait for answers. The rest of the program is synchronous and receives results through channels.

use std::future::Future;
use std::io;
use std::sync::mpsc::{self, Receiver};
use std::sync::{LazyLock, PoisonError};
use std::thread;

use tokio::runtime::{Builder, Handle};
use tokio::task::AbortHandle;

/// The runtime, started with the first request. It lasts as long as the program, so that connections are reused.
static RUNTIME: LazyLock<Result<Handle, String>> = LazyLock::new(|| {
    let (to, from) = mpsc::sync_channel(1);
    let serve = move || {
        let built = Builder::new_current_thread().enable_all().build();
        let runtime = match built {
            Ok(runtime) => runtime,
            Err(error) => return drop(to.send(Err(error.to_string()))),
        };
        let _ = to.send(Ok(runtime.handle().clone()));
        runtime.block_on(std::future::pending::<()>());
    };
    let thread = thread::Builder::new().name("remote".to_owned()).spawn(serve);
    thread.map_err(|error| error.to_string())?;
    from.recv().map_err(|_| GONE.to_owned())?
});

const GONE: &str = "the thread of the network ended";

/// A task on the runtime, with its result. The task ends when this is dropped.
pub(super) struct Task<T> {
    result: Receiver<io::Result<T>>,
    abort: AbortHandle,
}

impl<T: Send + 'static> Task<T> {
    /// Starts a task.
    ///
    /// # Errors
    /// If the runtime cannot be started.
    pub(super) fn start(work: impl Future<Output = io::Result<T>> + Send + 'static) -> io::Result<Self> {
        let runtime = RUNTIME
            .as_ref()
            .map_err(|error| io::Error::other(error.as_str()))?;
        let (to, result) = mpsc::sync_channel(1);
        let task = runtime.spawn(async move {
            // The receiver is gone if the result is not wanted any more.
            let _ = to.send(work.await);
        });
        Ok(Task {
            result,
            abort: task.abort_handle(),
        })
    }

    /// Waits for the result.
    ///
    /// # Errors
    /// The error of the task; or if it panicked.
    pub(super) fn wait(&self) -> io::Result<T> {
        self.result.recv().map_err(|_| io::Error::other(GONE))?
    }
}

impl<T> Drop for Task<T> {
    fn drop(&mut self) {
        self.abort.abort();
    }
}

/// Runs a task and waits for its result.
///
/// # Errors
/// The error of the task.
pub(super) fn wait<T: Send + 'static>(
    work: impl Future<Output = io::Result<T>> + Send + 'static,
) -> io::Result<T> {
    Task::start(work)?.wait()
}

/// Locks data that no panic leaves half changed.
pub(super) fn lock<T>(mutex: &std::sync::Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
