//! Process groups: a browser is many processes, which are measured and ended as one.

#[cfg(unix)]
use std::fs;
#[cfg(unix)]
use std::path::Path;
use std::process::{Child, Command};

#[cfg(unix)]
use rustix::process::{Pid, Signal, geteuid, kill_process_group};

/// A process group. On systems other than Unix there is none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group(#[cfg(unix)] Pid);

/// Lets what a command starts be a group of its own; returns whether the system has groups.
pub(crate) fn separate(command: &mut Command) -> bool {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let _ = command;
    cfg!(unix)
}

/// Whether this process belongs to the superuser, whom the browser's sandbox refuses.
pub(crate) fn is_root() -> bool {
    #[cfg(unix)]
    let root = geteuid().is_root();
    #[cfg(not(unix))]
    let root = false;
    root
}

#[cfg(unix)]
impl Group {
    /// The group that a command was started in, see [`separate`].
    pub(crate) fn of(child: &Child) -> Group {
        Group(Pid::from_child(child))
    }

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
        let of_group = entries.flatten().filter(|entry| {
            let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
            // The name of the program stands in parentheses and may hold anything; state, parent and group follow.
            let behind = stat.rsplit_once(") ").map_or("", |(_, behind)| behind);
            behind.split(' ').nth(2).and_then(|id| id.parse::<i32>().ok()) == Some(self.number())
        });
        of_group.map(|entry| proportional_bytes(&entry.path())).sum()
    }
}

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
