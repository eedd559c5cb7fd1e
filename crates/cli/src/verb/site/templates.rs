//! `dehusk site show` and `dehusk site diff`

use std::path::PathBuf;

use clap::Args;
use dehusk_pipeline::{Error, site};

use crate::message::print;

/// Shows templates: containers, cuts with their reasons, and repeated parts
#[derive(Args, Debug)]
pub(super) struct Show {
    /// Files of templates, or folders of such files.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
}

impl Show {
    pub(super) fn run(&self) -> Result<u8, Error> {
        // An empty line separates templates.
        let mut between = "";
        for path in &self.paths {
            for template in site::read_all(path)? {
                print(format!("{between}{}", site::show(&template)).as_bytes())?;
                between = "\n";
            }
        }
        Ok(0)
    }
}

/// Shows the differences of two templates
///
/// A line for each part: `-` parts that only the first template knows, `+` parts that only the second knows, `!` parts about
/// which they decide differently, with the share of pages that have the part and its words. Parts whose difference follows from
/// that of their parent have no line, and are counted. Nothing is written if the templates agree.
#[derive(Args, Debug)]
pub(super) struct Diff {
    /// First template.
    #[arg(value_name = "FILE")]
    a: PathBuf,

    /// Second template.
    #[arg(value_name = "FILE")]
    b: PathBuf,
}

impl Diff {
    pub(super) fn run(&self) -> Result<u8, Error> {
        print(site::diff(&site::read(&self.a)?, &site::read(&self.b)?).as_bytes())
    }
}
