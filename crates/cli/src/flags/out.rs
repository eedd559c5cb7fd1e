//! The output of a verb.

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PathBufValueParser, TypedValueParser};

/// Output to a file, or to standard output.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutFile {
    /// File to write to, which appears when it is complete; `-` is standard output [default: -]
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl OutFile {
    /// Returns the path of the file; `None` is standard output.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.out.as_deref().filter(|out| *out != Path::new("-"))
    }
}

/// Output to a folder whose files appear together.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutFolder {
    /// Folder to write to: a new one, an empty one, or one of an earlier run of the same verb, which is replaced
    #[arg(long, short, value_name = "DIR", value_parser = folder())]
    pub(crate) out: PathBuf,
}

/// Parses the name of a folder. `-` is rejected.
fn folder() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match path == Path::new("-") {
        true => Err("a folder of several files is written, which standard output cannot be"),
        false => Ok(path),
    })
}
