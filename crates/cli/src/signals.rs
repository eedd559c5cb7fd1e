//! Ctrl-C and `kill`.

use dehusk_pipeline::Cancel;
use indicatif::ProgressBar;

use crate::message;

/// Cancels `cancel` when a signal asks for an end, and removes the progress line.
///
/// Without `cancel`, the signal then ends the program as usual. A run that writes files gets two seconds to stop by itself. After
/// that, or at a second signal, its unfinished files are removed and the program exits, since it may be blocked on input. The
/// exit code is 129 for `SIGHUP`, 130 for `SIGINT` and 143 for `SIGTERM`.
#[cfg(unix)]
pub(crate) fn watch(cancel: Option<&Cancel>, bar: Option<&ProgressBar>) {
    use std::thread;
    use std::time::{Duration, Instant};

    use dehusk_pipeline::Interrupt;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    // Nothing to stop and nothing to remove: the signal's default action is right.
    if cancel.is_none() && bar.is_none() {
        return;
    }
    // If no handler can be installed, signals end the program as usual, and the next run cleans up.
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else {
        return;
    };
    if ignores_hangup() == Some(false) {
        let _ = signals.add_signal(SIGHUP);
    }
    let (cancel, bar) = (cancel.cloned(), bar.cloned());
    let clear = move || {
        if let Some(bar) = &bar {
            bar.finish_and_clear();
        }
    };
    let wait = move || {
        // Blocks until a signal arrives.
        let signal = signals.forever().next();
        clear();
        // The default action with the terminal cleaned: the shell sees that the program died of the signal.
        let Some(cancel) = cancel else {
            let _ = signal_hook::low_level::emulate_default_handler(signal.unwrap_or(SIGINT));
            return;
        };
        let signal = match signal {
            Some(SIGTERM) => Interrupt::Terminate,
            Some(SIGHUP) => Interrupt::Hangup,
            _ => Interrupt::Keyboard,
        };
        cancel.request(signal);
        let end = Instant::now() + Duration::from_secs(2);
        // The main thread normally ends the process within these two seconds, and this thread with it.
        while Instant::now() < end && signals.pending().next().is_none() {
            thread::sleep(Duration::from_millis(20));
        }
        cancel.abandon();
        clear(); // a stage may have begun in these two seconds and drawn it again
        // The run did not stop in time, so its own message will not come.
        if let Err(error) = cancel.check() {
            message::error(&error);
        }
        std::process::exit(signal.exit_code().into());
    };
    let _ = thread::Builder::new().name("signals".to_owned()).spawn(wait);
}

/// Makes a write beyond the largest size of a file (`ulimit -f`) fail with an error that names the file.
/// Without this, the signal `SIGXFSZ` ends the program without a message.
#[cfg(unix)]
pub(crate) fn report_full_files() {
    // Any handler will do. Without one, the program ends as it would have.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
}

/// Does nothing: this system has no such signal.
#[cfg(not(unix))]
pub(crate) const fn report_full_files() {}

/// Whether the program ignores `SIGHUP`, as under `nohup`; `None` if the system does not say.
#[cfg(unix)]
fn ignores_hangup() -> Option<bool> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    let mask = u64::from_str_radix(mask.trim(), 16).ok()?;
    // Bit `n - 1` of the mask stands for signal `n`.
    Some(mask & (1 << (signal_hook::consts::SIGHUP - 1)) != 0)
}

/// Does nothing on this system: it ends the program, and the next run cleans up.
#[cfg(not(unix))]
pub(crate) fn watch(_: Option<&Cancel>, _: Option<&ProgressBar>) {}
