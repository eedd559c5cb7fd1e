//! Paths in the repository.

use std::path::{Path, PathBuf};
use std::{env, fs};

use crate::result::Result;

/// Returns the root folder of the workspace.
pub(crate) fn root() -> PathBuf {
    // xtask is a folder of the root, so its parent is the root.
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).to_owned()
}

/// Returns cargo's target folder, which also has our generated data.
pub(crate) fn target() -> PathBuf {
    // `join` with an absolute path gives that path, as cargo does.
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |dir| root().join(dir))
}

/// Returns all files below `folder`, sorted, as relative paths with `/` between their parts.
///
/// Build results and files of other tools are left out: `target`, `out` and hidden folders, except `.cargo`
/// and `.ci`.
pub(crate) fn files(folder: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    // An explicit stack instead of recursion. Sorting at the end makes the order independent of it.
    let mut open = vec![(folder.to_owned(), String::new())];
    while let Some((folder, prefix)) = open.pop() {
        let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        for entry in entries {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            // Continuous integration and the settings of cargo are part of the repository although their
            // folders are hidden.
            let hidden = name.starts_with('.') && !matches!(name.as_str(), ".cargo" | ".ci");
            // `out` is generated at the root only. A module may have a folder of that name.
            let top = prefix.is_empty();
            if entry.file_type()?.is_dir() {
                let built = top && name == "out" || matches!(name.as_str(), "target" | "__pycache__");
                if !hidden && !built {
                    open.push((entry.path(), format!("{prefix}{name}/")));
                }
            } else {
                found.push(format!("{prefix}{name}"));
            }
        }
    }
    found.sort_unstable();
    Ok(found)
}
