//! Paths in the repository.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use crate::result::Result;

/// Returns the root folder of the workspace.
pub(crate) fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    // This crate is `crates/bench`, two folders below the root.
    package.ancestors().nth(2).unwrap_or(package).to_owned()
}

/// Returns cargo's build folder, which also holds generated data.
pub(crate) fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |dir| root().join(dir))
}

/// Returns a command for the cargo that started this program, or else for the one on the path, in the root
/// of the workspace.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// Builds the program of the work tree and returns its path.
pub(crate) fn built() -> Result<PathBuf> {
    let status = cargo()
        .args(["build", "--release", "--package", "dehusk-cli"])
        .status()
        .map_err(|e| format!("cannot start cargo: {e}"))?;
    if !status.success() {
        return Err("the work tree does not build".into());
    }
    Ok(target()
        .join("release")
        .join(format!("dehusk{}", std::env::consts::EXE_SUFFIX)))
}

/// Returns all files below `folder`, sorted, as relative paths with `/` between their parts.
pub(crate) fn files(folder: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    let mut open = vec![(folder.to_owned(), String::new())];
    while let Some((folder, prefix)) = open.pop() {
        let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        for entry in entries {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if entry.file_type()?.is_dir() {
                open.push((entry.path(), format!("{prefix}{name}/")));
            } else {
                found.push(format!("{prefix}{name}"));
            }
        }
    }
    found.sort_unstable();
    Ok(found)
}
