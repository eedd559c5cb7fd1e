//! `dehusk man`

use clap::{Args, Command};
use dehusk_pipeline::Error;

use crate::message::print;

/// Writes the manual page of the program or of a verb
///
/// To read it: `dehusk man run | man -l -`
#[derive(Args, Debug)]
pub(crate) struct Man {
    /// The verb, such as `run` or `site learn`
    #[arg(value_name = "VERB")]
    verb: Vec<String>,
}

impl Man {
    pub(crate) fn run(&self, mut program: Command) -> Result<u8, Error> {
        program.build(); // gives the verbs their full names
        let mut command = &program;
        for name in &self.verb {
            command = command.find_subcommand(name).ok_or_else(|| {
                let known: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
                Error::usage(format!("unknown verb `{name}`; known: {}", known.join(", ")))
            })?;
        }
        let mut page = Vec::new();
        clap_mangen::Man::new(command.clone())
            .render(&mut page)
            .map_err(Error::stdout)?;
        print(&page)
    }
}
