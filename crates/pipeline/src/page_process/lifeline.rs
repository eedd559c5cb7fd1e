//! Termination of a page process whose parent has ended.

use std::io;

/// Ends this process soon after the last writer of its standard input has ended, whatever the process is doing then.
///
/// A parent that exits or is killed closes that pipe. Its other children have no copy of the write end.
///
/// On Linux, a signal on the death of the parent (`PR_SET_PDEATHSIG`) is not an alternative: it is sent when the *thread* that started the
/// process ends, and processes outlive these threads.
///
/// # Errors
/// If the thread cannot be started.
#[cfg(unix)]
pub(super) fn end_with_parent() -> io::Result<()> {
    use std::thread;
    use std::time::Duration;

    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::io::Errno;

    /// Stack size in bytes. The thread only waits.
    const STACK: usize = 64 << 10;
    /// Time for the process to end by itself. A process that waits for pages ends at once, at the end of its input.
    const GRACE: Duration = Duration::from_millis(300);

    let wait = || {
        let stdin = io::stdin();
        loop {
            // No events are requested: a hang-up is always reported, even if pages are still in the pipe.
            let mut pipe = [PollFd::new(&stdin, PollFlags::empty())];
            match poll(&mut pipe, None) {
                Err(Errno::INTR) => {}
                Ok(_) if pipe[0].revents().is_empty() => {}
                Ok(_) => break,
                // Without this watch, the process ends after its current page.
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

/// On other systems a process ends after its current page.
///
/// # Errors
/// None.
#[cfg(not(unix))]
pub(super) fn end_with_parent() -> io::Result<()> {
    Ok(())
}
