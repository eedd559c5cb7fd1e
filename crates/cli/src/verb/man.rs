//! `dehusk man`

use std::fmt::Write as _;

use clap::{Args, Command};
use dehusk_pipeline::Error;
use dehusk_pipeline::settings::table::{ALL, Setting};

use crate::message::print;

/// Writes the manual page of the program or of a verb, or the manual of all settings
///
/// To read it: `dehusk man run | man -l -`
#[derive(Args, Debug)]
pub(crate) struct Man {
    /// The verb, such as `run` or `site learn`
    #[arg(value_name = "VERB")]
    verb: Vec<String>,

    /// Writes the manual of all settings instead, as Markdown
    #[arg(long, conflicts_with = "verb")]
    settings: bool,
}

impl Man {
    pub(crate) fn run(&self, mut program: Command) -> Result<u8, Error> {
        program.build(); // gives the verbs their full names
        if self.settings {
            return print(settings(&program).as_bytes());
        }
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

/// The manual of all settings: a table for each heading of help texts, made of the same table as those.
fn settings(program: &Command) -> String {
    let mut text = "# Settings\n\n\
        Made by `dehusk man --settings`. Each setting is a flag of the verbs named behind it, and under the same name a key of\n\
        configuration files in TOML. `dehusk run --print-config` writes such a file, with all that `run` can be told and what is in force;\n\
        `--config FILE` reads it, and passes over keys of other verbs. `dehusk methods` has the parameters of methods.\n"
        .to_owned();
    let heading = |setting: &Setting| setting.group.heading().unwrap_or("Inputs and outputs");
    let mut headings: Vec<&str> = Vec::new();
    for setting in ALL {
        if !headings.contains(&heading(setting)) {
            headings.push(heading(setting));
        }
    }
    for title in headings {
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "\n## {title}\n\n| setting | effect | values | default | verbs |\n|---|---|---|---|---|\n"
        );
        for setting in ALL.iter().filter(|setting| heading(setting) == title) {
            let mut verbs = Vec::new();
            takers(program, "", setting.name, &mut verbs);
            let cells = [
                format!("`{}`", setting.name),
                setting.about().to_owned(),
                values(setting),
                setting.default.text().to_owned(),
                verbs.join(", "),
            ];
            let cells = cells.map(|cell| {
                cell.split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" ")
                    .replace('|', "\\|")
            });
            let _ = writeln!(text, "| {} |", cells.join(" | "));
        }
    }
    text
}

/// The values of a setting, for the table.
fn values(setting: &Setting) -> String {
    match setting.value {
        "DIR" => "a folder".to_owned(),
        "FILE" => "a file".to_owned(),
        value if value.contains("PARAMETER") => format!("{}; `NAME:PARAMETER=VALUE,...`", setting.range()),
        _ => setting.range(),
    }
}

/// The verbs with a flag of that name.
fn takers(command: &Command, name: &str, flag: &str, found: &mut Vec<String>) {
    for verb in command.get_subcommands() {
        let name = format!("{name} {}", verb.get_name()).trim().to_owned();
        let is_setting = |arg: &clap::Arg| arg.get_long() == Some(flag) && arg.get_id() == flag;
        if verb.get_arguments().any(is_setting) {
            found.push(format!("`{name}`"));
        }
        takers(verb, &name, flag, found);
    }
}
