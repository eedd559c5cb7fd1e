//! The packages of all published crates, checked in the form in which they are downloaded.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cargo::{self, cargo};
use crate::result::Result;
use crate::root::{root, target};

/// Crates that are not published.
const DEVELOPERS: [&str; 5] = [
    "xtask",
    "dehusk-bench",
    "dehusk-fuzz",
    "dehusk-heap",
    "dehusk-python",
];

/// Packages every published crate, and unpacks the packages into a workspace of their own.
///
/// `cargo package` could build each package itself. That takes five minutes more on two cores, since it
/// compiles all dependencies again.
pub(crate) fn pack() -> Result<()> {
    let packed = packed();
    // Packages of earlier versions would become members of the workspace as well.
    if packed.is_dir() {
        fs::remove_dir_all(&packed)?;
    }
    let mut package = cargo();
    package.args(["package", "--workspace", "--allow-dirty", "--offline"]);
    package.args(["--no-verify", "--quiet"]);
    for name in DEVELOPERS {
        package.args(["--exclude", name]);
    }
    cargo::shown(&mut package, "the crates cannot be packaged")?;
    let workspace = workspace();
    fs::create_dir_all(&workspace)?;
    let mut folders = Vec::new();
    for package in fs::read_dir(&packed)? {
        let package = package?.path();
        if package.extension().is_some_and(|kind| kind == "crate") {
            unpack(&package, &workspace)?;
            folders.extend(
                package
                    .file_stem()
                    .map(|name| name.to_string_lossy().into_owned()),
            );
        }
    }
    folders.sort();
    let ours = fs::read_to_string(root().join("Cargo.toml"))?;
    fs::write(workspace.join("Cargo.toml"), manifest(&folders, &ours))?;
    fs::copy(root().join("Cargo.lock"), workspace.join("Cargo.lock"))?;
    Ok(())
}

/// Returns the command that checks the unpacked packages with their default features. Warnings are errors:
/// code that only a feature uses would be dead here.
pub(crate) fn check() -> Command {
    let mut check = cargo();
    check
        .args(["clippy", "--workspace", "--offline", "--target-dir"])
        .arg(target())
        .arg("--manifest-path")
        .arg(workspace().join("Cargo.toml"))
        .args(["--", "-D", "warnings"]);
    check
}

/// Returns the manifest of a workspace of unpacked packages, which depend on each other as if they came
/// from a registry.
///
/// The profiles are those of our workspace: with others, cargo would check the dependencies again, which
/// clippy has checked.
fn manifest(folders: &[String], ours: &str) -> String {
    let mut out = "[workspace]\nresolver = \"3\"\nmembers = [\"*\"]\n\n[patch.crates-io]\n".to_owned();
    for folder in folders {
        // `dehusk-html-0.1.0` becomes `dehusk-html`. A version with a hyphen, such as `1.0.0-rc.1`, would
        // be split wrongly.
        let name = folder.rsplit_once('-').map_or(&**folder, |(name, _version)| name);
        let _ = writeln!(out, "{name} = {{ path = \"{folder}\" }}");
    }
    out.push('\n');
    out.push_str(ours.find("[profile.").map_or("", |at| &ours[at..]));
    out
}

/// Unpacks a package into a folder of its own name.
fn unpack(package: &Path, into: &Path) -> Result<()> {
    let mut tar = Command::new("tar");
    tar.arg("-xzf").arg(package).arg("-C").arg(into);
    let status = tar
        .status()
        .map_err(|error| format!("cannot start tar: {error}"))?;
    if !status.success() {
        return Err(format!("{}: cannot be unpacked ({status})", package.display()).into());
    }
    Ok(())
}

/// Folder in which cargo puts packages.
fn packed() -> PathBuf {
    target().join("package")
}

/// Folder of the workspace of unpacked packages.
fn workspace() -> PathBuf {
    packed().join("unpacked")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_of_the_workspace_replace_those_of_the_registry() {
        let ours = "[workspace]\nmembers = []\n\n[profile.dev]\nopt-level = 1\n";
        let made = manifest(&["abc-def-0.1.0".to_owned()], ours);
        assert!(made.contains("[patch.crates-io]\nabc-def = { path = \"abc-def-0.1.0\" }\n"));
        assert!(made.ends_with("\n[profile.dev]\nopt-level = 1\n"));
        assert!(!made.contains("members = []"));
    }
}
