//! The static program: linked with its C library and stripped, so that it needs no files of the system.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::release::Release;
use super::system;
use crate::cargo::{cargo, shown};
use crate::python::Environment;
use crate::result::Result;
use crate::root::{root, target};

/// Returns the target whose programs are linked against musl.
pub(super) fn musl() -> String {
    format!("{}-unknown-linux-musl", std::env::consts::ARCH)
}

/// Whether the standard library of Rust for [`musl`] is installed, or rustup can install it now.
pub(super) fn has_musl() -> Result<bool> {
    let musl = musl();
    let mut add = Command::new("rustup");
    add.args(["target", "add", &musl])
        .current_dir(root())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    // Without rustup, the distribution may have installed the library.
    let _ = add.status();
    let folder = system::output("rustc", &["--print", "target-libdir", "--target", &musl])?;
    Ok(Path::new(folder.trim()).is_dir())
}

/// Returns the target of the static program: musl where Rust has a standard library for it, else the C
/// library of the system.
pub(super) fn triple() -> Result<String> {
    let musl = musl();
    let system = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    Ok(if has_musl()? { musl } else { system })
}

/// Builds the program, and checks that it needs no library.
///
/// It is linked against musl. Where Rust has no standard library for musl, it is linked statically against
/// the C library of the system, which works on any Linux, too.
pub(super) fn build(release: &Release) -> Result<Vec<PathBuf>> {
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
    let triple = triple()?;
    let name = triple.replace('-', "_");
    if triple == musl() {
        // Build scripts of C dependencies look for the compiler of a target in this variable.
        build.env(format!("CC_{name}"), compiler(release)?);
    } else {
        println!(
            "  rustup cannot add the target {}: the program is linked with the C library of the system",
            musl()
        );
        // With `--target`, these flags are not passed to macros and build scripts, which cannot be static.
        let flags = format!("CARGO_TARGET_{}_RUSTFLAGS", name.to_uppercase());
        build.env(flags, "-C target-feature=+crt-static");
    }
    build.args(["--target", &triple]);
    shown(&mut build, "the program does not build")?;
    let built = target().join(&triple).join("dist/dehusk");
    system::copy(&built, &release.program())?;
    // Flags can be ignored without an error, so the program itself is checked.
    let file = fs::read(release.program())?;
    let is_static =
        !has_interpreter(&file).ok_or("the program is not a file of the format ELF with 64 bits")?;
    if !is_static {
        return Err("the program asks for the dynamic linker of the system".into());
    }
    Ok(vec![release.program()])
}

/// Whether an ELF file of 64 bits in little-endian order asks for a dynamic linker (a segment `PT_INTERP`),
/// as all programs do that are not static. Returns `None` if its headers are cut.
fn has_interpreter(file: &[u8]) -> Option<bool> {
    const PT_INTERP: u32 = 3;
    if !file.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    // A 16-bit number at an offset. Offsets are those of the ELF-64 header.
    let number = |at: usize| {
        Some(usize::from(u16::from_le_bytes(
            file.get(at..at + 2)?.try_into().ok()?,
        )))
    };
    // 0x20: offset of the program headers. 0x36: length of each. 0x38: their number.
    let first = u64::from_le_bytes(file.get(0x20..0x28)?.try_into().ok()?);
    let first = usize::try_from(first).ok()?;
    let (length, count) = (number(0x36)?, number(0x38)?);
    for header in 0..count {
        let at = first.checked_add(header * length)?;
        let kind = u32::from_le_bytes(file.get(at..at.checked_add(4)?)?.try_into().ok()?);
        if kind == PT_INTERP {
            return Some(true);
        }
    }
    Some(false)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_with_an_interpreter_are_not_static() {
        // A file header of 64 bytes, and one program header of 56 bytes after it.
        let mut file = vec![0; 120];
        file[..6].copy_from_slice(b"\x7fELF\x02\x01");
        file[0x20] = 64;
        file[0x36] = 56;
        file[0x38] = 1;
        file[64] = 1;
        assert_eq!(has_interpreter(&file), Some(false));
        file[64] = 3;
        assert_eq!(has_interpreter(&file), Some(true));
        assert_eq!(has_interpreter(&file[..60]), None);
        assert_eq!(has_interpreter(b"#!/bin/sh\n"), None);
    }
}
