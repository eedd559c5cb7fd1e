//! What is read.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use dehusk_pipeline::Error;

use crate::{page_process, reading};

/// Files and folders.
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
    /// The inputs that were named as arguments, and behind them those of `--files-from`. A page process has none: its standard input
    /// belongs to the program that started it.
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

/// The lines of a file or of standard input, without those that are empty.
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

/// What is known of a page beside its bytes.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Addresses of pages")]
pub(crate) struct PageFlags {
    /// Address of a page that brings none
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,
}
