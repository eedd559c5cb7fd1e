//! What is released, and where its parts lie.

use std::fs;
use std::path::PathBuf;

use super::system;
use crate::result::Result;
use crate::root::root;

/// What is released, and where to.
pub(super) struct Release {
    /// Version of the workspace.
    pub(super) version: String,
    /// Seconds since 1970 of the last commit: the time of all files in archives, so that equal commits give equal bytes.
    pub(super) epoch: String,
    /// Folder of the results.
    pub(super) out: PathBuf,
}

impl Release {
    /// What the checkout is of, and the folder of its results.
    pub(super) fn open() -> Result<Release> {
        let manifest = fs::read_to_string(root().join("Cargo.toml"))?;
        let version = manifest
            .lines()
            .find_map(|line| line.strip_prefix("version = \""))
            .and_then(|rest| rest.strip_suffix('"'))
            .ok_or("Cargo.toml: the workspace has no version")?;
        let out = root().join("out/dist");
        fs::create_dir_all(&out)?;
        Ok(Release {
            version: version.to_owned(),
            epoch: system::output("git", &["log", "-1", "--format=%ct"])?
                .trim()
                .to_owned(),
            out,
        })
    }

    /// The static program.
    pub(super) fn program(&self) -> PathBuf {
        self.out.join("dehusk")
    }

    /// A folder for files that are packed, empty.
    pub(super) fn scratch(&self, name: &str) -> Result<PathBuf> {
        let folder = self.out.join(".scratch").join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        Ok(folder)
    }

    /// Name of an archive for the machine that it is made on: `dehusk-0.1.0-x86_64-linux`.
    pub(super) fn stem(&self) -> String {
        format!("dehusk-{}-{}-linux", self.version, std::env::consts::ARCH)
    }
}
