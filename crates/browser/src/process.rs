//! The processes of one browser: started in a group of their own, measured and killed together.

use std::fs;
use std::io;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use tempfile::TempDir;

use crate::error::Error;
use crate::group::{Group, is_root, separate};
use crate::isolation::{Network, SWITCHES};

/// Programs to search for by default.
pub(crate) const PROGRAMS: &[&str] = &["chromium", "chromium-browser", "google-chrome"];

/// Moves the pipes of the shell to the file descriptors that the browser reads and writes, and replaces the
/// shell by the browser.
const MOVE_PIPES: &str = r#"exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null"#;

/// A running browser with its profile. Dropping it kills the browser and deletes the profile.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    group: Group,
    profile: TempDir,
}

/// Returns the first of [`PROGRAMS`] in the search path.
pub(crate) fn find_program() -> Result<&'static str, Error> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let is_there = |name: &&&str| std::env::split_paths(&folders).any(|folder| folder.join(name).is_file());
    PROGRAMS.iter().find(is_there).copied().ok_or_else(|| {
        Error::new(format!(
            "no browser was found: none of {} is in the search path; install Chromium, on Debian by `apt-get install chromium`",
            PROGRAMS.join(", ")
        ))
    })
}

/// Returns the most isolated network that the system supports: a namespace, if a process can be started in one.
pub(crate) fn best_network() -> Network {
    let wrapper = Network::Namespace.wrapper(is_root());
    // Running `true` inside is the check: whether namespaces are allowed depends on the kernel and on the
    // container.
    let mut command = Command::new(wrapper[0]);
    command
        .args(&wrapper[1..])
        .arg("true")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    match command.status() {
        Ok(status) if status.success() => Network::Namespace,
        _ => Network::Machine,
    }
}

impl Process {
    /// Starts a browser. Returns it with the pipes to it and from it.
    pub(crate) fn start(
        program: &str,
        network: Network,
        sandbox: bool,
    ) -> Result<(Process, ChildStdin, ChildStdout), Error> {
        let failed = |error: io::Error| Error::new(format!("cannot start the browser `{program}`: {error}"));
        let profile = tempfile::Builder::new()
            .prefix("dehusk-browser-")
            .tempdir()
            .map_err(failed)?;
        let told = fs::File::create(profile.path().join(STDERR)).map_err(failed)?;
        let wrapper = network.wrapper(is_root());
        let mut command = match wrapper.split_first() {
            None => Command::new("sh"),
            Some((first, rest)) => {
                let mut command = Command::new(first);
                command.args(rest).arg("sh");
                command
            }
        };
        command.args(["-c", MOVE_PIPES, program]).args(SWITCHES);
        if !sandbox {
            command.arg("--no-sandbox");
        }
        let mut user_data = std::ffi::OsString::from("--user-data-dir=");
        user_data.push(profile.path());
        command
            .arg(user_data)
            .arg("about:blank")
            // Hides the user's caches and settings from the browser, and keeps it from writing there.
            .env("HOME", profile.path())
            .env("XDG_CONFIG_HOME", profile.path())
            .env("XDG_CACHE_HOME", profile.path())
            .env_remove("DBUS_SESSION_BUS_ADDRESS")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(told);
        if !separate(&mut command) {
            return Err(Error::new("a browser is driven on Unix systems alone"));
        }
        let mut child = command.spawn().map_err(failed)?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        // `unshare` and `sh` replace themselves by the next program, so the id of the child stays that of
        // the browser.
        let group = Group::of(&child);
        let process = Process {
            child,
            group,
            profile,
        };
        // From here on, dropping `process` kills the browser, on errors as well.
        let (to, from) =
            pipes.ok_or_else(|| Error::new("the browser was started without pipes to talk to it"))?;
        Ok((process, to, from))
    }

    /// Returns the group of its processes.
    pub(crate) fn group(&self) -> Group {
        self.group
    }

    /// Returns the last lines of the browser's standard error, for messages about a failed start.
    pub(crate) fn last_words(&self) -> String {
        let told = fs::read(self.profile.path().join(STDERR)).unwrap_or_default();
        let told = String::from_utf8_lossy(&told);
        let lines: Vec<&str> = told.lines().filter(|line| !line.trim().is_empty()).collect();
        lines[lines.len().saturating_sub(3)..].join(" | ")
    }
}

/// File in the profile that receives the browser's standard error.
const STDERR: &str = "dehusk-stderr.txt";

impl Drop for Process {
    fn drop(&mut self) {
        // The whole group is killed before waiting: renderers survive their parent for a while. The profile
        // is deleted after that.
        self.group.kill();
        let _ = self.child.wait();
    }
}
