//! The inputs that a verb reads.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use dehusk_pipeline::Error;

use crate::{page_process, reading};

/// Inputs: files and folders.
#[derive(Args, Clone, Debug)]
#[group(required = true, multiple = true)]
#[command(next_help_heading = "Input")]
pub(crate) struct InputFlags {
    /// Files and folders; `-` is standard input
    #[arg(value_name = "INPUT")]
    inputs: Vec<String>,

    /// File that names more inputs, one a line; `-` reads the names from standard input
    #[arg(long, value_name = "FILE")]
    files_from: Option<PathBuf>,
}

impl InputFlags {
    /// Returns the inputs given as arguments, followed by those of `--files-from`.
    ///
    /// Empty in a page process, whose standard input belongs to the program that started it.
    pub(crate) fn names(&self) -> Result<Vec<String>, Error> {
        if page_process::work().is_some() {
            return Ok(Vec::new());
        }
        let mut names = self.inputs.clone();
        if let Some(file) = &self.files_from {
            names.extend(lines(file)?);
            reading::note("the list of inputs", file);
        }
        Ok(names)
    }
}

/// Returns the lines of a file, or of standard input if it is `-`, without empty lines.
pub(crate) fn lines(file: &Path) -> Result<Vec<String>, Error> {
    let text = if file == Path::new("-") {
        io::read_to_string(io::stdin())
    } else {
        fs::read_to_string(file)
    };
    let text = text.map_err(|error| Error::input(file, error))?;
    Ok(text
        .lines()
        .filter(|line| !line.is_empty())
        .map(str::to_owned)
        .collect())
}

/// Facts about a page that its bytes do not hold.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Addresses of pages")]
pub(crate) struct PageFlags {
    /// Address of a page that has none of its own
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,
}
