//! Processes for pages: the program starts itself again, and a mark in the environment says what for.

use std::process::{Child, Command, Stdio};
use std::{env, io};

/// The environment variable that names the work of a page process.
const MARK: &str = "DEHUSK_PAGE_PROCESS";

/// The work on the pages of another process that this one was started for.
pub(crate) fn work() -> Option<String> {
    env::var(MARK).ok()
}

/// Starts this program again, with the same command line, for this work on pages.
pub(crate) fn launch(work: &str) -> io::Result<Child> {
    // The program that is running, even if its file was replaced meanwhile.
    let program = match cfg!(target_os = "linux") {
        true => "/proc/self/exe".into(),
        false => env::current_exe()?,
    };
    let mut command = Command::new(program);
    command
        .args(env::args_os().skip(1))
        .env(MARK, work)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    // A group of its own: Ctrl-C in a terminal is for the program, which then ends its processes.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.spawn()
}
