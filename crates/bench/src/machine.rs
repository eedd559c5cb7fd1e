//! The machine, compiler and commit of a measurement.

use std::fs;
use std::process::Command;
use std::thread;

use crate::root::root;

/// Returns the model of the processor, and the number of cores that this process may use.
pub(crate) fn processor() -> String {
    // Without `/proc/cpuinfo`, or without this field as on ARM, the name of the architecture stands in for
    // the model.
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info
        .lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(key, _)| key.trim() == "model name");
    let model = model.map_or(std::env::consts::ARCH, |(_, value)| value.trim());
    let cores = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    format!("{model}, {cores} cores, {}", std::env::consts::OS)
}

/// Returns the version of the compiler.
pub(crate) fn compiler() -> String {
    output("rustc", &["--version"])
}

/// Returns the current commit, with `-dirty` if files differ from it.
pub(crate) fn commit() -> String {
    output("git", &["describe", "--always", "--dirty", "--abbrev=10"])
}

/// Returns the output of a program without white space around it; `unknown` if it fails.
fn output(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).current_dir(root()).output();
    match output {
        Ok(output) if output.status.success() => String::from_utf8_lossy(&output.stdout).trim().to_owned(),
        _ => "unknown".to_owned(),
    }
}
