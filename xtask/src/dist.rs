//! `cargo xtask dist`: the program and the Python package as they ship.

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::Path;

use crate::cargo::{cargo, shown};
use crate::python::{Environment, built};
use crate::result::Result;
use crate::root::target;

/// Builds the program, the wheel and the source distribution in the profile `dist`, and says where they lie and how large they are.
pub(crate) fn run() -> Result<()> {
    println!(
        "Compiles the program with optimization across all crates, some ten minutes on two cores, and the Python package again."
    );
    let mut build = cargo();
    build.args([
        "build",
        "--profile",
        "dist",
        "--locked",
        "--package",
        "dehusk-cli",
        "--bin",
        "dehusk",
    ]);
    shown(&mut build, "the program does not build")?;
    tell(&target().join("dist").join(format!("dehusk{EXE_SUFFIX}")))?;
    python()
}

/// The wheel of the Python package, which runs on every version of Python from 3.10 on and, if zig can be had for it, on systems of
/// old C libraries, too; and its sources, which are built where there is no wheel.
fn python() -> Result<()> {
    let Some(environment) = Environment::open()? else {
        println!(
            "The Python package was not built: there is no Python of version 3.11 or newer with `venv`."
        );
        return Ok(());
    };
    let out = target().join("wheels/dist");
    let mut zig = environment.program("python");
    zig.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        ZIG,
    ]);
    let portable: &[&str] =
        match cfg!(target_os = "linux") && zig.status().is_ok_and(|status| status.success()) {
            true => &["--zig", "--compatibility", "manylinux2014"],
            false => &[],
        };
    let wheel = match environment.wheel(&out, "dist", portable) {
        Err(why) if !portable.is_empty() => {
            println!("The wheel is for systems as new as this one: with zig, {why}.");
            environment.wheel(&out, "dist", &[])?
        }
        built => built?,
    };
    tell(&wheel)?;
    let mut sources = environment.program("maturin");
    shown(
        sources.args(["sdist", "--out"]).arg(&out),
        "the source distribution cannot be made",
    )?;
    tell(&built(&out, "gz")?)
}

/// The C compiler that links against old C libraries. It is large, and of use here alone.
const ZIG: &str = "ziglang==0.15.1";

/// Says where a file lies and how large it is.
fn tell(file: &Path) -> Result<()> {
    let bytes = fs::metadata(file)
        .map_err(|e| format!("{}: {e}", file.display()))?
        .len();
    println!("{}, {:.1} MB", file.display(), bytes as f64 / 1e6);
    Ok(())
}
