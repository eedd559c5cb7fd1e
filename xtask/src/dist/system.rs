//! Programs of the system that pack and check.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::result::Result;
use crate::root::root;

/// Runs a program in the root of the workspace and returns its standard output. If it fails, the error has
/// its standard error.
pub(super) fn output(program: &str, arguments: &[&str]) -> Result<String> {
    read(Command::new(program).args(arguments).current_dir(root()))
}

/// Like [`output`], for a given command.
pub(super) fn read(command: &mut Command) -> Result<String> {
    let done = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("cannot start {command:?}: {error}"))?;
    if !done.status.success() {
        let said = String::from_utf8_lossy(&done.stderr);
        return Err(format!("{command:?}: {}: {}", done.status, said.trim()).into());
    }
    Ok(String::from_utf8(done.stdout)?)
}

/// Whether a program can be started.
pub(super) fn has(program: &str) -> bool {
    let mut asked = Command::new(program);
    asked
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    asked.status().is_ok()
}

/// Returns the SHA-256 of a file in hexadecimal digits.
pub(super) fn sha256(file: &Path) -> Result<String> {
    let said = read(Command::new("sha256sum").arg(file))?;
    // For a name with special characters, `sha256sum` puts a backslash before the digest.
    let digest = said.trim_start_matches('\\').split_whitespace().next();
    Ok(digest.ok_or("sha256sum said nothing")?.to_owned())
}

/// Packs the contents of `folder` into a tar, sorted by name, with the same time and owner for all files,
/// so that equal files give equal bytes. With `packed` it is compressed by gzip, without name and time.
pub(super) fn tar(folder: &Path, to: &Path, epoch: &str, packed: bool) -> Result<()> {
    // Names of the entries rather than `.`: a tar of `.` has entries with a leading `./`.
    let mut names: Vec<String> = Vec::new();
    for entry in fs::read_dir(folder)? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort_unstable();
    let mut tar = Command::new("tar");
    tar.args([
        "--create",
        "--sort=name",
        "--owner=0",
        "--group=0",
        "--numeric-owner",
        "--format=gnu",
    ])
    .arg(format!("--mtime=@{epoch}"));
    if packed {
        tar.arg("--use-compress-program=gzip --no-name --best");
    }
    tar.arg("--file")
        .arg(to)
        .arg("--directory")
        .arg(folder)
        .args(names);
    read(&mut tar).map(drop)
}

/// Copies a file, and makes the folder of the copy.
pub(super) fn copy(from: &Path, to: &Path) -> Result<()> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::copy(from, to).map_err(|error| format!("{}: {error}", from.display()))?;
    Ok(())
}

/// Writes a file, and makes its folder.
pub(super) fn write(to: &Path, text: impl AsRef<[u8]>) -> Result<()> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    Ok(fs::write(to, text)?)
}

/// Returns a text as a JSON string, with quotes.
pub(super) fn json(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Runs the program on the fixture archive, with `folder` as its root directory. If this user may not
/// change roots, prints that it was not run.
pub(super) fn try_in_root(folder: &Path, program: &str, what: &str) -> Result<()> {
    let is_superuser = output("id", &["-u"])?.trim() == "0";
    if !is_superuser || !has("chroot") {
        println!("  {what} was not run: only the superuser may change the root");
        return Ok(());
    }
    copy(
        &root().join("fixtures/crawl.warc.gz"),
        &folder.join("crawl.warc.gz"),
    )?;
    fs::create_dir_all(folder.join("tmp"))?;
    // An empty root has no `/proc`, which page processes need to start: pages are processed in the process
    // itself.
    let mut run = Command::new("chroot");
    run.arg(folder)
        .args([
            program,
            "run",
            "/crawl.warc.gz",
            "--in-process",
            "--quiet",
            "--out",
            "/clean",
        ])
        .env_clear()
        .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
    read(&mut run)?;
    let kept = fs::read_to_string(folder.join("clean/kept.jsonl"))?;
    let kept = kept.lines().count();
    // Far fewer than the fixtures give: a program that starts but reads nothing must not pass.
    if kept < 50 {
        return Err(format!("{what} kept {kept} documents of the fixtures").into());
    }
    println!("  {what} runs in an empty root: {kept} documents kept of fixtures/crawl.warc.gz");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_quoted_for_json() {
        assert_eq!(json("a \"b\" \\ \n"), "\"a \\\"b\\\" \\\\ \\u000a\"");
    }
}
