//! The end of a page process whose parent is gone.

use std::io;

/// Ends this process soon after everybody who could write to its standard input is gone, whatever it is doing then. A parent that is killed
/// closes that pipe, as does one that ends; the children of a parent have no copy of it.
///
/// The system could send a signal when the parent dies (`PR_SET_PDEATHSIG`). It does so when the *thread* ends that started the process, and
/// processes here outlive the threads that start them.
///
/// # Errors
/// If no thread can be started.
#[cfg(unix)]
pub(super) fn end_with_parent() -> io::Result<()> {
    use std::thread;
    use std::time::Duration;

    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::io::Errno;

    /// Bytes of stack: the thread only waits.
    const STACK: usize = 64 << 10;
    /// Time that a process has to end by itself. One that waits for pages sees the end of its input, and needs none of it.
    const GRACE: Duration = Duration::from_millis(300);

    let wait = || {
        let stdin = io::stdin();
        loop {
            // No event is asked for: that the other end is closed is told always, and even if pages are still in the pipe.
            let mut pipe = [PollFd::new(&stdin, PollFlags::empty())];
            match poll(&mut pipe, None) {
                Err(Errno::INTR) => {}
                Ok(_) if pipe[0].revents().is_empty() => {}
                Ok(_) => break,
                // Without the watch, a process ends when it has done its page.
                Err(_) => return,
            }
        }
        thread::sleep(GRACE);
        std::process::exit(1);
    };
    let watch = thread::Builder::new()
        .name("lifeline".to_owned())
        .stack_size(STACK);
    watch.spawn(wait).map(drop)
}

/// Elsewhere a process ends when it has done its page.
///
/// # Errors
/// None.
#[cfg(not(unix))]
pub(super) fn end_with_parent() -> io::Result<()> {
    Ok(())
}
