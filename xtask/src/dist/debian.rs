//! The program as a Debian package without dependencies.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use super::release::Release;
use super::{archive, system};
use crate::result::Result;
use crate::root::root;

/// Packs the Debian package, and checks that the program in it runs.
pub(super) fn pack(release: &Release) -> Result<Vec<PathBuf>> {
    if !system::has("dpkg-deb") {
        println!("  not made: there is no dpkg-deb here");
        return Ok(Vec::new());
    }
    let folder = release.scratch("debian")?;
    let share = folder.join("usr/share");
    system::copy(&release.program(), &folder.join("usr/bin/dehusk"))?;
    let completions = release.scratch("debian-completions")?;
    archive::completions(release, &completions)?;
    for (from, to) in [
        ("bash/dehusk", "bash-completion/completions/dehusk"),
        ("fish/dehusk.fish", "fish/vendor_completions.d/dehusk.fish"),
        ("zsh/_dehusk", "zsh/vendor-completions/_dehusk"),
    ] {
        system::copy(&completions.join(from), &share.join(to))?;
    }
    let pages = share.join("man/man1");
    archive::manual(release, &pages)?;
    // The policy of Debian requires compressed pages. Without `--no-name` they would contain the time of
    // their making.
    for page in fs::read_dir(&pages)? {
        system::read(
            Command::new("gzip")
                .args(["--no-name", "--best"])
                .arg(page?.path()),
        )?;
    }
    let documents = share.join("doc/dehusk");
    let licences = [("LICENSE-MIT", "MIT"), ("LICENSE-APACHE", "Apache-2.0")];
    let mut copyright = String::from("dehusk may be used under either of these licences.\n");
    for (file, name) in licences {
        copyright.push_str(&format!("\n{name}\n\n{}", fs::read_to_string(root().join(file))?));
    }
    system::write(&documents.join("copyright"), copyright)?;
    system::copy(&root().join("CHANGELOG.md"), &documents.join("changelog"))?;
    system::read(
        Command::new("gzip")
            .args(["--no-name", "--best"])
            .arg(documents.join("changelog")),
    )?;

    // The package manager needs its own name of the architecture: `amd64` rather than `x86_64`.
    let architecture = system::output("dpkg", &["--print-architecture"])?;
    let architecture = architecture.trim();
    // The size is measured before `DEBIAN/control` exists, since only installed files count, in KiB.
    let size: u64 = system::read(
        Command::new("du")
            .args(["--summarize", "--block-size=1024"])
            .arg(&folder),
    )?
    .split_whitespace()
    .next()
    .and_then(|size| size.parse().ok())
    .ok_or("du said nothing")?;
    // Lines of the description after the first begin with a space.
    let control = format!(
        "Package: dehusk\nVersion: {}\nArchitecture: {architecture}\nSection: text\nPriority: optional\nInstalled-Size: {size}\n\
         Maintainer: The dehusk authors <dehusk@localhost>\nDescription: web crawls to clean, unique documents\n \
         Extracts the main text of HTML pages, learns templates of sites, and finds\n near-duplicates among documents.\n",
        release.version
    );
    system::write(&folder.join("DEBIAN/control"), control)?;
    let package = release
        .out
        .join(format!("dehusk_{}_{architecture}.deb", release.version));
    let mut pack = Command::new("dpkg-deb");
    pack.args(["--root-owner-group", "-Zxz", "--build"])
        .arg(&folder)
        .arg(&package)
        .env("SOURCE_DATE_EPOCH", &release.epoch);
    system::read(&mut pack)?;

    // An empty root shows that the program needs no other files.
    let empty = release.scratch("debian-root")?;
    system::read(
        Command::new("dpkg-deb")
            .arg("--extract")
            .arg(&package)
            .arg(&empty),
    )?;
    system::try_in_root(&empty, "/usr/bin/dehusk", "the program of the Debian package")?;
    Ok(vec![package])
}
