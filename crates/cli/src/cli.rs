//! The command line: the verbs, and the flags that all of them share.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Command, CommandFactory, FromArgMatches, Parser, Subcommand};
use dehusk_pipeline::Error;

use crate::log::LogFormat;
use crate::{hint, reading, verb};

/// Turns raw web crawls into clean, unique documents.
#[derive(Parser, Debug)]
#[command(
    name = "dehusk",
    version,
    about,
    long_about = None,
    after_help = "Exit codes: 0 complete; 1 failed; 2 wrong usage, configuration or rule; 3 complete, but more than \
        --max-bad records were rejected; 4 output locked or not writable; 129, 130 and 143 interrupted.",
    max_term_width = 120
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    verb: Verb,

    /// File of flags in TOML, named as they are here: `threshold = 0.7`. Flags of the command line come before them, and keys
    /// that are flags of other verbs are ignored
    #[arg(long, value_name = "FILE", global = true, help_heading = "Running")]
    config: Option<PathBuf>,

    /// Format of standard error: lines of text for people, or one JSON object a line for programs, as docs/log.md describes
    #[arg(
        long,
        value_name = "FORMAT",
        global = true,
        default_value = "text",
        help_heading = "Running"
    )]
    log_format: LogFormat,
}

#[derive(Subcommand, Debug)]
enum Verb {
    Run(Box<verb::run::Run>),
    Extract(Box<verb::extract::Extract>),
    Explain(Box<verb::explain::Explain>),
    #[cfg(feature = "browser")]
    Render(Box<verb::render::Render>),
    Site(verb::site::Site),
    #[cfg(feature = "serve")]
    Serve(Box<verb::serve::Serve>),
    Dedup(Box<verb::dedup::Dedup>),
    Passages(Box<verb::passages::Passages>),
    Sign(Box<verb::sign::Sign>),
    Normalize(Box<verb::normalize::Normalize>),
    Index(verb::index::Index),
    #[cfg(feature = "lab")]
    Compare(Box<verb::compare::Compare>),
    #[cfg(feature = "lab")]
    Generate(verb::generate::Generate),
    Methods(verb::methods::Methods),
    #[cfg(feature = "manual")]
    Completions(verb::completions::Completions),
    #[cfg(feature = "manual")]
    Man(verb::man::Man),
}

/// Parses the command line. The error of clap is returned with a tip added where there is one.
pub(crate) fn parse(command: Command, arguments: &[OsString]) -> Result<Cli, clap::Error> {
    // clap's own error has usage and suggestions; tips are added before it is printed.
    let matches = command.try_get_matches_from(arguments).map_err(|mut error| {
        hint::add(&mut error, &Cli::command(), arguments);
        error
    })?;
    Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut Cli::command()))
}

impl Cli {
    /// Runs the verb and returns the exit code.
    pub(crate) fn run(&self) -> Result<u8, Error> {
        // No output may replace the configuration, so it is noted as a file that is read.
        if let Some(config) = &self.config {
            reading::note("the configuration", config);
        }
        match &self.verb {
            Verb::Run(verb) => verb.run(),
            Verb::Extract(verb) => verb.run(),
            Verb::Explain(verb) => verb.run(),
            #[cfg(feature = "browser")]
            Verb::Render(verb) => verb.run(),
            Verb::Site(verb) => verb.run(),
            #[cfg(feature = "serve")]
            Verb::Serve(verb) => verb.run(),
            Verb::Dedup(verb) => verb.run(),
            Verb::Passages(verb) => verb.run(),
            Verb::Sign(verb) => verb.run(),
            Verb::Normalize(verb) => verb.run(),
            Verb::Index(verb) => verb.run(),
            #[cfg(feature = "lab")]
            Verb::Compare(verb) => verb.run(),
            #[cfg(feature = "lab")]
            Verb::Generate(verb) => verb.run(),
            Verb::Methods(verb) => verb.run(),
            #[cfg(feature = "manual")]
            Verb::Completions(verb) => verb.run(Cli::command()),
            #[cfg(feature = "manual")]
            Verb::Man(verb) => verb.run(Cli::command()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    /// A flag that no verb has would be a typing error in the table.
    #[test]
    fn every_other_name_means_a_flag_and_is_none_itself() {
        fn flags(command: &Command, all: &mut Vec<String>) {
            let own = command.get_arguments().filter_map(|arg| arg.get_long());
            all.extend(own.map(str::to_owned));
            for verb in command.get_subcommands() {
                flags(verb, all);
            }
        }
        let mut all = Vec::new();
        flags(&Cli::command(), &mut all);
        for (other, meant) in hint::OTHER_NAMES {
            assert!(!all.iter().any(|flag| flag == other), "{other}");
            for flag in *meant {
                assert!(all.iter().any(|known| known == flag), "{flag}");
            }
        }
    }

    #[test]
    fn a_flag_is_found_by_another_name_and_by_its_words() {
        let command = Cli::command();
        let verb = |name: &str| command.find_subcommand(name).unwrap();
        assert_eq!(hint::nearest(verb("run"), "format"), Some("output-format"));
        assert_eq!(hint::nearest(verb("dedup"), "method"), Some("signature"));
        assert_eq!(hint::nearest(verb("extract"), "method"), Some("extractor"));
        assert_eq!(hint::nearest(verb("run"), "size"), Some("shard-size"));
        assert_eq!(hint::nearest(verb("run"), "jobs"), Some("threads"));
        assert_eq!(hint::nearest(verb("run"), "treshold"), None);
    }
}
