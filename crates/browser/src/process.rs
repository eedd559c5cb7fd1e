//! The processes of one browser: started in a group of their own, measured and ended as a whole.

use std::fs;
use std::io;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use rustix::process::{Pid, Signal, geteuid, kill_process_group};
use tempfile::TempDir;

use crate::error::Error;
use crate::isolation::{Network, SWITCHES};

/// Programs that are looked for if none is named.
pub(crate) const PROGRAMS: &[&str] = &["chromium", "chromium-browser", "google-chrome"];

/// Moves the pipes of the shell to the numbers that the browser reads from and writes to, and becomes the browser.
const MOVE_PIPES: &str = r#"exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null"#;

/// A running browser with its profile. Both are gone when it is dropped.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    group: Group,
    profile: TempDir,
}

/// A process group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group(Pid);

impl Group {
    /// Its number.
    pub(crate) fn number(self) -> i32 {
        self.0.as_raw_nonzero().get()
    }

    /// Ends all of its processes at once.
    pub(crate) fn kill(self) {
        // It fails if they are gone already.
        let _ = kill_process_group(self.0, Signal::KILL);
    }

    /// Memory of its processes in bytes; what they share with each other or with others counts in parts. 0 where the system does not
    /// tell.
    pub(crate) fn memory(self) -> u64 {
        let Ok(entries) = fs::read_dir("/proc") else {
            return 0;
        };
        let group = self.number();
        let of_group = entries.flatten().filter(|entry| {
            let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
            // The name of the program stands in parentheses and may hold anything; state, parent and group follow.
            let behind = stat.rsplit_once(") ").map_or("", |(_, behind)| behind);
            behind.split(' ').nth(2).and_then(|id| id.parse::<i32>().ok()) == Some(group)
        });
        of_group.map(|entry| proportional_bytes(&entry.path())).sum()
    }
}

fn proportional_bytes(process: &Path) -> u64 {
    let Ok(rollup) = fs::read_to_string(process.join("smaps_rollup")) else {
        return 0;
    };
    let line = rollup.lines().find_map(|line| line.strip_prefix("Pss:"));
    let kib = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    kib.unwrap_or(0) << 10
}

/// Finds the first program that is there.
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

/// Whether this process belongs to the superuser, whom the browser's sandbox refuses.
pub(crate) fn is_root() -> bool {
    geteuid().is_root()
}

/// The network that the system can give: a namespace if a process gets one.
pub(crate) fn best_network() -> Network {
    let wrapper = Network::Namespace.wrapper(is_root());
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
    /// Starts a browser and returns the pipes to it and from it.
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
            // Caches and settings of the user that a browser would look for stay out of sight, and it leaves nothing there.
            .env("HOME", profile.path())
            .env("XDG_CONFIG_HOME", profile.path())
            .env("XDG_CACHE_HOME", profile.path())
            .env_remove("DBUS_SESSION_BUS_ADDRESS")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(told);
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(failed)?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let group = Group(Pid::from_child(&child));
        let process = Process {
            child,
            group,
            profile,
        };
        let (to, from) =
            pipes.ok_or_else(|| Error::new("the browser was started without pipes to talk to it"))?;
        Ok((process, to, from))
    }

    /// The group of its processes.
    pub(crate) fn group(&self) -> Group {
        self.group
    }

    /// What the browser said last on standard error, for messages about one that does not start.
    pub(crate) fn last_words(&self) -> String {
        let told = fs::read(self.profile.path().join(STDERR)).unwrap_or_default();
        let told = String::from_utf8_lossy(&told);
        let lines: Vec<&str> = told.lines().filter(|line| !line.trim().is_empty()).collect();
        lines[lines.len().saturating_sub(3)..].join(" | ")
    }
}

/// File of the profile that holds what the browser says.
const STDERR: &str = "dehusk-stderr.txt";

impl Drop for Process {
    fn drop(&mut self) {
        self.group.kill();
        let _ = self.child.wait();
    }
}
