//! `dehusk site show`, `dehusk site export` and `dehusk site diff`

use std::path::PathBuf;

use clap::Args;
use dehusk_pipeline::{Cancel, Error, site};

use crate::message::print;
use crate::signals;

/// Shows templates: containers, cuts with their reasons, what repeats
#[derive(Args, Debug)]
pub(super) struct Show {
    /// Files of templates, or folders of such files.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
}

impl Show {
    pub(super) fn run(&self) -> Result<u8, Error> {
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

/// Writes templates in another form
///
/// `rules` are rules by hand, for `dehusk extract --rules`: what is main text and what is taken out of it, as selectors that
/// a person may edit. A file for each part of a site.
#[derive(Args, Debug)]
pub(super) struct Export {
    /// Folder of templates, or a single one.
    #[arg(value_name = "PATH")]
    templates: PathBuf,

    /// What templates are written as.
    #[arg(long, value_name = "FORMAT", default_value = "rules", value_parser = ["rules"])]
    output_format: String,

    /// Folder to write to; files of the same names are replaced.
    #[arg(long, short, value_name = "DIR")]
    out: PathBuf,
}

impl Export {
    pub(super) fn run(&self) -> Result<u8, Error> {
        let cancel = Cancel::new();
        signals::watch(&cancel);
        for (path, rules) in site::export(&self.templates, &self.out, &cancel)? {
            print(format!("{}\t{rules} {}\n", path.display(), self.output_format).as_bytes())?;
        }
        Ok(0)
    }
}

/// Shows what differs between two templates
///
/// A line for each part: `-` those only the first template knows, `+` those only the second knows, `!` those about which they decide
/// differently, with the share of pages that have the part and its words. Parts in it that follow are counted. Nothing is
/// written if they say the same.
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
