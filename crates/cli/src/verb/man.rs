//! `dehusk man`

use clap::{Args, CommandFactory};
use dehusk_pipeline::Error;

use super::Cli;

/// Writes the manual page of the program or of a verb
///
/// To read it: `dehusk man run | man -l -`
#[derive(Args, Debug)]
pub(crate) struct Man {
    /// The verb.
    #[arg(value_name = "VERB")]
    verb: Option<String>,
}

impl Man {
    pub(super) fn run(&self) -> Result<u8, Error> {
        let mut program = Cli::command();
        program.build(); // gives the verbs their full names
        let command = match &self.verb {
            None => program,
            Some(name) => program.find_subcommand(name).cloned().ok_or_else(|| {
                let known: Vec<&str> = program.get_subcommands().map(clap::Command::get_name).collect();
                Error::usage(format!("unknown verb `{name}`; known: {}", known.join(", ")))
            })?,
        };
        let mut page = Vec::new();
        clap_mangen::Man::new(command)
            .render(&mut page)
            .map_err(Error::stdout)?;
        super::print(&page)
    }
}
