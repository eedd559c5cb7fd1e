//! The static program: linked against musl and stripped, so that it needs no files of the system.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::release::Release;
use super::system;
use crate::cargo::{cargo, shown};
use crate::python::Environment;
use crate::result::Result;
use crate::root::target;

/// Returns the target of the static program.
pub(super) fn triple() -> String {
    format!("{}-unknown-linux-musl", std::env::consts::ARCH)
}

/// Builds the program, and checks that it needs no library.
pub(super) fn build(release: &Release) -> Result<Vec<PathBuf>> {
    let triple = triple();
    let mut std = Command::new("rustup");
    std.args(["target", "add", &triple])
        .current_dir(crate::root::root());
    if !std
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
    {
        println!("  rustup cannot add the target {triple}; the build tells whether it is there");
    }
    let compiler = compiler(release)?;
    let name = triple.replace('-', "_");
    let mut build = cargo();
    build
        .args([
            "build",
            "--profile",
            "dist",
            "--locked",
            "--package",
            "dehusk-cli",
            "--bin",
            "dehusk",
        ])
        .args(["--target", &triple])
        .env(format!("CC_{name}"), compiler);
    shown(&mut build, "the program does not build")?;
    let built = target().join(&triple).join("dist/dehusk");
    system::copy(&built, &release.program())?;
    // A static program names neither the C library nor the dynamic linker.
    let file = fs::read(release.program())?;
    let is_static = !file
        .windows(10)
        .any(|bytes| bytes == b"libc.so.6\0" || bytes.starts_with(b"ld-linux-"));
    if !is_static {
        return Err("the program names a C library of the system".into());
    }
    Ok(vec![release.program()])
}

/// Returns the compiler for the C library in it (zstd): that of musl if it is installed, else zig by pip.
fn compiler(release: &Release) -> Result<PathBuf> {
    if system::has("musl-gcc") {
        return Ok("musl-gcc".into());
    }
    let environment = Environment::tools()?
        .ok_or("neither `musl-gcc` (the package musl-tools) nor a Python of version 3.11 for zig is there")?;
    let python = environment.program("python").get_program().to_owned();
    let wrapper = release.out.join(".scratch/cc");
    // Zig names targets differently, so `--target` is removed and its own name is passed.
    let script = format!(
        "#!/bin/sh\nfor argument; do\n  shift\n  case $argument in --target=*) ;; *) set -- \"$@\" \"$argument\" ;; esac\ndone\n\
         exec {} -m ziglang cc -target {}-linux-musl \"$@\"\n",
        python.to_string_lossy(),
        std::env::consts::ARCH
    );
    system::write(&wrapper, script)?;
    #[cfg(unix)]
    fs::set_permissions(&wrapper, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    Ok(wrapper)
}
