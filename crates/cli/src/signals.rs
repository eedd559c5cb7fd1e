//! Ctrl-C and `kill`.

use dehusk_pipeline::Cancel;

use crate::message;

/// Turns `cancel` when a signal asks for an end.
///
/// A run that writes files gets two seconds to end by itself, and then, or at the second signal, its unfinished files are
/// removed and the program exits: it may be waiting for input. The exit code is 129 for `SIGHUP`, 130 for `SIGINT` and 143 for `SIGTERM`.
#[cfg(unix)]
pub(crate) fn watch(cancel: &Cancel) {
    use std::thread;
    use std::time::{Duration, Instant};

    use dehusk_pipeline::Interrupt;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    // Without a handler signals end the program as they always do, and the next run cleans up.
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else {
        return;
    };
    if ignores_hangup() == Some(false) {
        let _ = signals.add_signal(SIGHUP);
    }
    let cancel = cancel.clone();
    let wait = move || {
        let signal = match signals.forever().next() {
            Some(SIGTERM) => Interrupt::Terminate,
            Some(SIGHUP) => Interrupt::Hangup,
            _ => Interrupt::Keyboard,
        };
        cancel.request(signal);
        let end = Instant::now() + Duration::from_secs(2);
        while Instant::now() < end && signals.pending().next().is_none() {
            thread::sleep(Duration::from_millis(20));
        }
        cancel.abandon();
        // The run had no time to say so itself.
        if let Err(error) = cancel.check() {
            message::error(&error);
        }
        std::process::exit(signal.exit_code().into());
    };
    let _ = thread::Builder::new().name("signals".to_owned()).spawn(wait);
}

/// Whether the program was told to go on when its terminal goes away, as by `nohup`; `None` where the system does not say.
#[cfg(unix)]
fn ignores_hangup() -> Option<bool> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    let mask = u64::from_str_radix(mask.trim(), 16).ok()?;
    Some(mask & (1 << (signal_hook::consts::SIGHUP - 1)) != 0)
}

/// Elsewhere the system ends the program, and the next run cleans up.
#[cfg(not(unix))]
pub(crate) fn watch(_: &Cancel) {}
