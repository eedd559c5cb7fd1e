//! `dehusk site`

mod check;
#[cfg(feature = "rules")]
mod export;
mod learn;
mod templates;

use clap::{Args, Subcommand};
use dehusk_pipeline::Error;

/// Learns what pages of a site have in common, and shows and watches what was learnt
///
/// A template says which parts of a site's pages hold main text and what is to be cut out of them. `dehusk extract
/// --templates DIR` uses it.
#[derive(Args, Debug)]
pub(crate) struct Site {
    #[command(subcommand)]
    verb: SiteVerb,
}

#[derive(Subcommand, Debug)]
enum SiteVerb {
    Learn(Box<learn::Learn>),
    Show(templates::Show),
    #[cfg(feature = "rules")]
    Export(export::Export),
    Diff(templates::Diff),
    Check(Box<check::Check>),
}

impl Site {
    pub(crate) fn run(&self) -> Result<u8, Error> {
        match &self.verb {
            SiteVerb::Learn(verb) => verb.run(),
            SiteVerb::Show(verb) => verb.run(),
            #[cfg(feature = "rules")]
            SiteVerb::Export(verb) => verb.run(),
            SiteVerb::Diff(verb) => verb.run(),
            SiteVerb::Check(verb) => verb.run(),
        }
    }
}
