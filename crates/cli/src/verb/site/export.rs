//! `dehusk site export`

use std::path::PathBuf;

use clap::Args;
use dehusk_pipeline::{Error, printable, site};

use crate::message::{counted, print};
use crate::{reading, signals};

/// Writes templates in another form
///
/// `rules` are rules by hand, for `dehusk extract --rules`: selectors of the main text and of the parts removed from it, which a
/// person may edit. A file for each part of a site.
#[derive(Args, Debug)]
pub(super) struct Export {
    /// Folder of templates, or a single one.
    #[arg(value_name = "PATH")]
    templates: PathBuf,

    /// Form of the output.
    #[arg(long, value_name = "FORMAT", default_value = "rules", value_parser = ["rules"])]
    output_format: String,

    /// Folder to write to; files of the same names are replaced.
    #[arg(long, short, value_name = "DIR")]
    out: PathBuf,
}

impl Export {
    pub(super) fn run(&self) -> Result<u8, Error> {
        let cancel = reading::cancel();
        signals::watch(Some(&cancel), None);
        for (path, rules) in site::export(&self.templates, &self.out, &cancel)? {
            let path = path.display().to_string();
            print(
                format!(
                    "{}\t{}\n",
                    printable(&path),
                    counted(rules as u64, &self.output_format)
                )
                .as_bytes(),
            )?;
        }
        Ok(0)
    }
}
