//! The verbs, one file each.

mod compare;
mod completions;
mod dedup;
mod explain;
mod extract;
mod generate;
mod index;
mod man;
mod methods;
mod normalize;
mod run;
mod sign;
mod site;

use clap::{Parser, Subcommand};
use dehusk_pipeline::Error;

/// Turns raw web crawls into clean, unique documents.
#[derive(Parser, Debug)]
#[command(
    name = "dehusk",
    version,
    about,
    long_about = None,
    after_help = "Exit codes: 0 complete; 1 failed; 2 wrong usage or configuration; 3 complete, but more than --max-bad \
        records were rejected; 4 output locked or not writable; 130 and 143 interrupted.",
    max_term_width = 120
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand, Debug)]
enum Verb {
    Run(run::Run),
    Extract(extract::Extract),
    Explain(explain::Explain),
    Site(site::Site),
    Dedup(dedup::Dedup),
    Sign(sign::Sign),
    Normalize(normalize::Normalize),
    Index(index::IndexVerb),
    Compare(compare::Compare),
    Generate(generate::Generate),
    Methods(methods::Methods),
    Completions(completions::Completions),
    Man(man::Man),
}

impl Cli {
    /// Does what was asked for; returns the exit code.
    pub(crate) fn run(&self) -> Result<u8, Error> {
        match &self.verb {
            Verb::Run(verb) => verb.run(),
            Verb::Extract(verb) => verb.run(),
            Verb::Explain(verb) => verb.run(),
            Verb::Site(verb) => verb.run(),
            Verb::Dedup(verb) => verb.run(),
            Verb::Sign(verb) => verb.run(),
            Verb::Normalize(verb) => verb.run(),
            Verb::Index(verb) => verb.run(),
            Verb::Compare(verb) => verb.run(),
            Verb::Generate(verb) => verb.run(),
            Verb::Methods(verb) => verb.run(),
            Verb::Completions(verb) => verb.run(),
            Verb::Man(verb) => verb.run(),
        }
    }
}

/// Writes to standard output; a closed pipe ends quietly.
fn print(bytes: &[u8]) -> Result<u8, Error> {
    use std::io::Write;
    let mut out = std::io::stdout().lock();
    out.write_all(bytes)
        .and_then(|()| out.flush())
        .map_err(Error::stdout)?;
    Ok(0)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Cli;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
