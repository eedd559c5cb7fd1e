//! `cargo xtask dist`: makes all parts of a release from a clean checkout, and checks each of them as far
//! as possible.
//!
//! Results are in `out/dist`: an archive of the static program with completions and manual pages, a Debian
//! package, an image for containers, wheels, the packages of all crates, a bill of materials, and
//! `SHA256SUMS` over all of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use self::release::Release;
use crate::result::Result;

mod archive;
mod crates;
mod debian;
mod image;
mod materials;
mod program;
mod release;
mod system;
mod wheels;

/// Makes a part and returns its files.
type MakePart = fn(&Release) -> Result<Vec<PathBuf>>;

/// The parts, in the order in which they are made: later ones use files of earlier ones.
const PARTS: &[(&str, MakePart)] = &[
    ("program", program::build),
    ("materials", materials::write),
    ("archive", archive::pack),
    ("debian", debian::pack),
    ("image", image::pack),
    ("wheels", wheels::build),
    ("crates", crates::pack),
];

/// Makes the named parts, or all, and writes the checksums again.
pub(crate) fn run(wanted: &[String]) -> Result<()> {
    let unknown = wanted
        .iter()
        .find(|name| PARTS.iter().all(|(part, _)| part != name));
    if let Some(name) = unknown {
        let known: Vec<&str> = PARTS.iter().map(|(part, _)| *part).collect();
        return Err(format!("`dist` has no part `{name}`; known: {}", known.join(", ")).into());
    }
    if !cfg!(target_os = "linux") {
        return Err(
            "`dist` makes artifacts for Linux, on Linux; docs/release.md says what other systems build"
                .into(),
        );
    }
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|part| part == name);
    if is_wanted("program") || is_wanted("wheels") {
        println!(
            "Compiles with optimization across all crates: the program some ten minutes on two cores, and the Python package for \
             each of two C libraries."
        );
    }
    let release = Release::open()?;
    for (name, make) in PARTS {
        if !is_wanted(name) {
            continue;
        }
        let start = Instant::now();
        let made = make(&release).map_err(|error| format!("{name}: {error}"))?;
        println!("{name}: {:.0} s", start.elapsed().as_secs_f64());
        for file in &made {
            tell(file)?;
        }
    }
    let scratch = release.out.join(".scratch");
    if scratch.exists() {
        fs::remove_dir_all(scratch)?;
    }
    checksums(&release)
}

/// Writes `SHA256SUMS` of all results, in the format of `sha256sum --check`.
fn checksums(release: &Release) -> Result<()> {
    let mut names = Vec::new();
    // All files of the folder count, not only those made by this call: single parts may be made one by one.
    for entry in fs::read_dir(&release.out)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_file() && name != "SHA256SUMS" {
            names.push(name);
        }
    }
    // The order of a folder's entries depends on the file system.
    names.sort_unstable();
    let mut sums = String::new();
    for name in names {
        let digest = system::sha256(&release.out.join(&name))?;
        sums.push_str(&format!("{digest}  {name}\n"));
    }
    fs::write(release.out.join("SHA256SUMS"), sums)?;
    Ok(())
}

/// Prints path and size of a file.
fn tell(file: &Path) -> Result<()> {
    let bytes = fs::metadata(file)
        .map_err(|e| format!("{}: {e}", file.display()))?
        .len();
    println!("  {}, {:.1} MB", file.display(), bytes as f64 / 1e6);
    Ok(())
}
