//! The release, and the paths of its parts.

use std::fs;
use std::path::PathBuf;

use super::system;
use crate::result::Result;
use crate::root::root;

/// The release: its version, time and folder.
pub(super) struct Release {
    /// Version of the workspace.
    pub(super) version: String,
    /// Time of the last commit in seconds since 1970. All files in archives have this time, so that equal
    /// commits give equal bytes.
    pub(super) epoch: String,
    /// Folder of the results.
    pub(super) out: PathBuf,
}

impl Release {
    /// Reads version and time of the checkout, and makes the folder of results.
    pub(super) fn open() -> Result<Release> {
        // The first line that starts with `version = ` is that of `[workspace.package]`.
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

    /// Returns the path of the static program.
    pub(super) fn program(&self) -> PathBuf {
        self.out.join("dehusk")
    }

    /// Returns a new empty folder for files to pack.
    pub(super) fn scratch(&self, name: &str) -> Result<PathBuf> {
        let folder = self.out.join(".scratch").join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        Ok(folder)
    }

    /// Returns the base name of an archive for the current architecture: `dehusk-0.1.0-x86_64-linux`.
    pub(super) fn stem(&self) -> String {
        format!("dehusk-{}-{}-linux", self.version, std::env::consts::ARCH)
    }
}
