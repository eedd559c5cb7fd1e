//! Starting cargo.

use std::env;
use std::process::Command;

use crate::result::Result;
use crate::root::root;

/// The cargo that started this program, or the one on the path, in the root of the workspace.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// Runs cargo with its output on the terminal. Fails if it does, with the words of `what`.
pub(crate) fn shown(command: &mut Command, what: &str) -> Result<()> {
    let status = command.status().map_err(|e| format!("cannot start cargo: {e}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("{what} ({status})").into())
    }
}
