//! Page processes: the program starts itself again, and an environment variable names the work to do.

use std::process::{Child, Command, Stdio};
use std::{env, io};

/// The environment variable that names the work of a page process.
const MARK: &str = "DEHUSK_PAGE_PROCESS";

/// Returns the work that this process was started for; `None` if it is not a page process.
pub(crate) fn work() -> Option<String> {
    env::var(MARK).ok()
}

/// Starts this program again with the same command line, as a page process for `work`.
pub(crate) fn launch(work: &str) -> io::Result<Child> {
    // The running program, even if its file was replaced in the meantime.
    let program = match cfg!(target_os = "linux") {
        true => "/proc/self/exe".into(),
        false => env::current_exe()?,
    };
    let mut command = Command::new(program);
    command
        // The page process parses the same flags, so it has the same settings.
        .args(env::args_os().skip(1))
        .env(MARK, work)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    // A process group of its own: Ctrl-C in a terminal reaches the main program only, which then ends its
    // page processes.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.spawn()
}
