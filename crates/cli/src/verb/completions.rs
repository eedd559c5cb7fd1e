//! `dehusk completions`

use clap::{Args, CommandFactory};
use clap_complete::Shell;
use dehusk_pipeline::Error;

use super::Cli;

/// Writes completions for a shell
///
/// For bash: `dehusk completions bash > ~/.local/share/bash-completion/completions/dehusk`
#[derive(Args, Debug)]
pub(crate) struct Completions {
    /// The shell.
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

impl Completions {
    pub(super) fn run(&self) -> Result<u8, Error> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "dehusk", &mut script);
        super::print(&script)
    }
}
