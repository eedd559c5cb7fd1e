//! The Python package: wheels by the stable ABI for old and new C libraries and for musl, and the sources.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::program::{has_musl, musl};
use super::release::Release;
use super::system;
use crate::cargo::shown;
use crate::python::{Environment, built};
use crate::result::Result;
use crate::root::target;

/// Builds wheels and sources, installs the first wheel into an environment of its own, and runs it on the
/// fixture archive.
pub(super) fn build(release: &Release) -> Result<Vec<PathBuf>> {
    let Some(environment) = Environment::tools()? else {
        println!("  not made: there is no Python of version 3.11 or newer with `venv`");
        return Ok(Vec::new());
    };
    let musl = musl();
    // manylinux2014 needs glibc 2.17 or newer. Zig links against that version, whatever the system has.
    let mut kinds = vec![vec!["--zig", "--compatibility", "manylinux2014"]];
    if has_musl()? {
        kinds.push(vec![
            "--zig",
            "--compatibility",
            "musllinux_1_2",
            "--target",
            &musl,
        ]);
    } else {
        println!("  no wheel for musl: rustup cannot add the target {musl}");
    }
    let mut made = Vec::new();
    let folder = target().join("wheels/dist");
    for options in &kinds {
        // Each build empties the folder first, so a wheel is copied before the next build.
        made.push(keep(release, &environment.wheel(&folder, "dist", options)?)?);
    }
    let mut sources = environment.program("maturin");
    shown(
        sources.args(["sdist", "--out"]).arg(&folder),
        "the source distribution cannot be made",
    )?;
    made.push(keep(release, &built(&folder, "gz")?)?);

    // An environment without any package, and `--no-index`: the wheel must not need another one.
    let fresh = release.scratch("wheel-environment")?;
    system::read(environment.program("python").args(["-m", "venv"]).arg(&fresh))?;
    let python = fresh.join("bin/python");
    let install = [
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--no-index",
    ];
    system::read(Command::new(&python).args(install).arg(&made[0]))?;
    let archive = crate::root::root().join("fixtures/crawl.warc.gz");
    // Extracts and deduplicates the fixture archive, so that the compiled module is loaded and used.
    let code = "import dehusk, sys, warnings; warnings.simplefilter('ignore'); \
                documents = list(dehusk.Extractor().documents(dehusk.read_warc(sys.argv[1]))); \
                print(len(dehusk.dedup(documents).kept))";
    let kept = system::read(Command::new(&python).args(["-c", code]).arg(archive))?;
    println!(
        "  the wheel runs in an environment without any other package: {} documents kept",
        kept.trim()
    );
    Ok(made)
}

/// Copies a file to the results, and returns its new path.
fn keep(release: &Release, file: &Path) -> Result<PathBuf> {
    let to = release.out.join(file.file_name().ok_or("a file without a name")?);
    system::copy(file, &to)?;
    Ok(to)
}
