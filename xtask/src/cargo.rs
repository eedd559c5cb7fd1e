//! Starting cargo.

use std::env;
use std::process::Command;

use crate::result::Result;
use crate::root::root;

/// Returns the cargo that started this program, or the one on the path, with the root of the workspace as
/// its folder.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// Runs cargo with its output on the terminal. Returns an error that begins with `what` if it fails.
pub(crate) fn shown(command: &mut Command, what: &str) -> Result<()> {
    let status = command.status().map_err(|e| format!("cannot start cargo: {e}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("{what} ({status})").into())
    }
}
