//! `dehusk completions`

use clap::{Args, Command};
use clap_complete::Shell;
use dehusk_pipeline::Error;

use crate::message::print;

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
    pub(crate) fn run(&self, mut program: Command) -> Result<u8, Error> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut program, "dehusk", &mut script);
        print(&script)
    }
}
