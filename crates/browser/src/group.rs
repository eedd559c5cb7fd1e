//! Process groups: a browser consists of many processes, which are measured and killed together.

#[cfg(unix)]
use std::fs;
#[cfg(unix)]
use std::path::Path;
use std::process::{Child, Command};

#[cfg(unix)]
use rustix::process::{Pid, Signal, geteuid, kill_process_group};

/// A process group. Empty on systems other than Unix.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group(#[cfg(unix)] Pid);

/// Makes a command start its processes in a group of their own. Returns whether the system supports groups.
pub(crate) fn separate(command: &mut Command) -> bool {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let _ = command;
    cfg!(unix)
}

/// Returns whether this process runs as root, for which the browser's sandbox does not work.
pub(crate) fn is_root() -> bool {
    #[cfg(unix)]
    let root = geteuid().is_root();
    #[cfg(not(unix))]
    let root = false;
    root
}

#[cfg(unix)]
impl Group {
    /// Returns the group that a command was started in; see [`separate`].
    pub(crate) fn of(child: &Child) -> Group {
        Group(Pid::from_child(child))
    }

    /// Returns the id of the group.
    pub(crate) fn number(self) -> i32 {
        self.0.as_raw_nonzero().get()
    }

    /// Kills all of its processes.
    pub(crate) fn kill(self) {
        // Fails if they have ended already.
        let _ = kill_process_group(self.0, Signal::KILL);
    }

    /// Returns the memory of its processes in bytes. Shared memory is counted proportionally. Returns 0 if
    /// the system does not report it.
    pub(crate) fn memory(self) -> u64 {
        let Ok(entries) = fs::read_dir("/proc") else {
            return 0;
        };
        let of_group = entries.flatten().filter(|entry| {
            // A process may end between listing and reading. Its text is then empty and matches no group.
            let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
            // The program name is in parentheses and may contain anything. It is followed by state, parent
            // and group.
            let behind = stat.rsplit_once(") ").map_or("", |(_, behind)| behind);
            behind.split(' ').nth(2).and_then(|id| id.parse::<i32>().ok()) == Some(self.number())
        });
        of_group.map(|entry| proportional_bytes(&entry.path())).sum()
    }
}

/// Returns the proportional set size of a process in bytes; 0 if the system does not report it.
#[cfg(unix)]
fn proportional_bytes(process: &Path) -> u64 {
    let Ok(rollup) = fs::read_to_string(process.join("smaps_rollup")) else {
        return 0;
    };
    let line = rollup.lines().find_map(|line| line.strip_prefix("Pss:"));
    let kib = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    kib.unwrap_or(0) << 10
}

#[cfg(not(unix))]
impl Group {
    pub(crate) fn of(_: &Child) -> Group {
        Group()
    }

    pub(crate) fn number(self) -> i32 {
        0
    }

    pub(crate) fn kill(self) {}

    pub(crate) fn memory(self) -> u64 {
        0
    }
}
