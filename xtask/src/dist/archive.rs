//! The program with completions and manual pages, as an archive that can be unpacked anywhere.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::release::Release;
use super::{materials, system};
use crate::result::Result;
use crate::root::root;

/// Shells, each with the name of its file of completions.
const SHELLS: &[(&str, &str)] = &[
    ("bash", "dehusk"),
    ("elvish", "dehusk.elv"),
    ("fish", "dehusk.fish"),
    ("powershell", "_dehusk.ps1"),
    ("zsh", "_dehusk"),
];

/// Writes the completions for every shell, as `SHELL/FILE` below `to`.
pub(super) fn completions(release: &Release, to: &Path) -> Result<()> {
    for (shell, name) in SHELLS {
        let script = system::read(Command::new(release.program()).args(["completions", shell]))?;
        system::write(&to.join(shell).join(name), script)?;
    }
    Ok(())
}

/// Writes manual pages of the program and of every verb.
pub(super) fn manual(release: &Release, to: &Path) -> Result<()> {
    system::read(Command::new(release.program()).args(["man", "--out"]).arg(to)).map(drop)
}

/// Packs the archive, and checks that the unpacked program runs.
pub(super) fn pack(release: &Release) -> Result<Vec<PathBuf>> {
    // The archive has one folder, named like the archive itself, as users expect of a release.
    let scratch = release.scratch("archive")?;
    let folder = scratch.join(release.stem());
    system::copy(&release.program(), &folder.join("dehusk"))?;
    completions(release, &folder.join("completions"))?;
    manual(release, &folder.join("man/man1"))?;
    for name in ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"] {
        system::copy(&root().join(name), &folder.join(name))?;
    }
    system::copy(&materials::path(release), &folder.join("sbom.cdx.json"))?;
    let archive = release.out.join(format!("{}.tar.gz", release.stem()));
    system::tar(&scratch, &archive, &release.epoch, true)?;

    // An empty root shows that the program needs no other files.
    let empty = release.scratch("archive-root")?;
    system::read(
        Command::new("tar")
            .arg("--extract")
            .arg("--file")
            .arg(&archive)
            .arg("--directory")
            .arg(&empty),
    )?;
    let pages = fs::read_dir(empty.join(release.stem()).join("man/man1"))?.count();
    // A page for the program and one for each verb. A short count shows that pages are missing.
    if pages < 20 {
        return Err(format!("the archive has {pages} manual pages").into());
    }
    system::try_in_root(
        &empty,
        &format!("/{}/dehusk", release.stem()),
        "the program of the archive",
    )?;
    Ok(vec![archive])
}
