//! The packages of all published crates, in the order of their publication.

use std::fs;
use std::path::PathBuf;

use super::release::Release;
use super::system;
use crate::cargo::{cargo, shown};
use crate::result::Result;
use crate::root::target;

/// Does all steps of `cargo publish` except the upload, and prints the order. `cargo xtask test` builds
/// each crate from its package.
pub(super) fn pack(release: &Release) -> Result<Vec<PathBuf>> {
    // A dry run reports the order of publication: crates before the crates that depend on them.
    let mut publish = cargo();
    publish.args(["publish", "--workspace", "--dry-run", "--no-verify", "--locked"]);
    let done = publish
        .output()
        .map_err(|error| format!("cannot start cargo: {error}"))?;
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    if !done.status.success() {
        return Err(format!(
            "`cargo publish --dry-run` failed; it wants a checkout without changes:\n{said}"
        )
        .into());
    }
    let order = order(&said);
    println!("  in this order: {}", order.join(", "));
    // A dry run of `publish` leaves no packages in `target/package`; `package` does.
    let mut package = cargo();
    package.args(["package", "--no-verify", "--locked", "--quiet"]);
    for name in &order {
        package.args(["--package", name]);
    }
    shown(&mut package, "the crates cannot be packaged")?;
    let mut made = Vec::new();
    for name in order {
        let file = format!("{name}-{}.crate", release.version);
        let from = target().join("package").join(&file);
        if !fs::exists(&from)? {
            return Err(format!("{}: no package was made", from.display()).into());
        }
        system::copy(&from, &release.out.join(&file))?;
        made.push(release.out.join(file));
    }
    Ok(made)
}

/// Returns the crates that cargo would upload, in its order.
fn order(said: &str) -> Vec<&str> {
    // A line of cargo: `   Uploading dehusk-html v0.1.0 (/path)`.
    let uploads = said
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("Uploading "));
    uploads.filter_map(|upload| upload.split(' ').next()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_that_of_the_uploads() {
        let said = "   Packaging b v0.1.0 (/b)\n   Uploading a v0.1.0 (/a)\nwarning: aborting upload due to dry run\n   Uploading b v0.1.0 (/b)\n";
        assert_eq!(order(said), ["a", "b"]);
    }
}
