//! `dehusk man`

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, Command};
use dehusk_pipeline::normalize::{passes, profile};
use dehusk_pipeline::settings::table::{ALL, Setting};
use dehusk_pipeline::{Error, tables};

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

    /// Writes the pages of the program and of all verbs into a folder instead, a file each, such as dehusk-site-learn.1
    #[arg(long, value_name = "DIR", conflicts_with_all = ["verb", "settings"])]
    out: Option<PathBuf>,
}

impl Man {
    pub(crate) fn run(&self, mut program: Command) -> Result<u8, Error> {
        program.build(); // gives the verbs their full names
        if self.settings {
            return print(settings(&program).as_bytes());
        }
        if let Some(folder) = &self.out {
            fs::create_dir_all(folder).map_err(|error| Error::write(folder, error))?;
            return write_all(&program, "dehusk", folder).map(|()| 0);
        }
        // `dehusk man site learn` walks down one verb for each word.
        let mut command = &program;
        for name in &self.verb {
            command = command.find_subcommand(name).ok_or_else(|| {
                let known: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
                Error::usage(format!("unknown verb `{name}`; known: {}", known.join(", ")))
            })?;
        }
        print(&page(command)?)
    }
}

/// Returns the manual page of a verb.
fn page(command: &Command) -> Result<Vec<u8>, Error> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone())
        .render(&mut page)
        .map_err(Error::stdout)?;
    Ok(page)
}

/// Writes the pages of a verb and, recursively, of the verbs below it.
fn write_all(command: &Command, name: &str, folder: &Path) -> Result<(), Error> {
    let file = folder.join(format!("{name}.1"));
    fs::write(&file, page(command)?).map_err(|error| Error::write(&file, error))?;
    // `help` is a verb that clap adds.
    for verb in command.get_subcommands().filter(|verb| verb.get_name() != "help") {
        write_all(verb, &format!("{name}-{}", verb.get_name()), folder)?;
    }
    Ok(())
}

/// Returns the manual of all settings as Markdown: a table for each heading of the help texts, made from the same table of
/// settings.
fn settings(program: &Command) -> String {
    let mut text = "# Settings\n\n\
        Made by `dehusk man --settings`. Each setting is a flag of the verbs named behind it, and under the same name a key of\n\
        configuration files in TOML. `dehusk run --print-config` writes such a file, with every setting of `run` and the values in force;\n\
        `--config FILE` reads it, and passes over keys of other verbs.\n"
        .to_owned();
    let heading = |setting: &Setting| setting.group.heading();
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
            row(&mut text, &cells);
        }
    }
    methods(&mut text);
    spellings(&mut text);
    text
}

/// Appends the spellings that passes make equal, with the profiles that have each pass.
fn spellings(text: &mut String) {
    text.push_str(
        "\n## Spellings that are one\n\n\
         What passes make equal, by examples; each is a test. The reasons are in [Spellings](spellings.md). `search` has `accents` in the\n\
         place of `romanian`, `vietnamese` and `ligatures`, and makes equal what they do.\n\n\
         | language | spellings | pass | profiles |\n|---|---|---|---|\n",
    );
    for pass in passes::ALL {
        let having = profile::ALL
            .iter()
            .filter(|known| known.passes().contains(&pass.name()));
        let profiles = match having
            .map(|known| format!("`{}`", known.name()))
            .collect::<Vec<_>>()
        {
            none if none.is_empty() => "of your own".to_owned(),
            names => names.join(", "),
        };
        for example in pass.examples() {
            let cells = [
                example.language.to_owned(),
                shown(&example.spellings.join(", ")),
                format!("`{}`", pass.name()),
                profiles.clone(),
            ];
            row(text, &cells);
        }
    }
}

/// Returns a text with its invisible characters as numbers: `[U+00AD]`. Marks stay with their letters.
fn shown(text: &str) -> String {
    let mut shown = String::new();
    for c in text.chars() {
        if matches!(c, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\n') {
            let _ = write!(shown, "[U+{:04X}]", u32::from(c)); // writing to a string cannot fail
        } else {
            shown.push(c);
        }
    }
    shown
}

/// Appends the methods that settings name, with their parameters.
fn methods(text: &mut String) {
    text.push_str(
        "\n## Methods and their parameters\n\n\
         A parameter stands behind the name of its method: `signature = \"minhash:width=256\"`, `--signature minhash:width=256,seed=7`.\n",
    );
    for table in tables() {
        let flag = match table.flag {
            "" => String::new(),
            flag => format!(" (`{flag}`)"),
        };
        let _ = write!(
            text,
            "\n### {}{flag}\n\n| name | parameter | default | effect, unit and range |\n|---|---|---|---|\n",
            table.name
        );
        for entry in &table.entries {
            let name = format!("`{}`", entry.name);
            row(
                text,
                &[name, String::new(), String::new(), entry.summary.to_owned()],
            );
            for known in &entry.parameters {
                let name = format!("`{}`", known.name);
                row(
                    text,
                    &[
                        String::new(),
                        name,
                        known.default.to_owned(),
                        known.help.to_owned(),
                    ],
                );
            }
        }
    }
}

/// Appends a row of a table in Markdown.
fn row(text: &mut String, cells: &[String]) {
    text.push('|');
    for cell in cells {
        // Help texts may have line breaks, and a row is one line.
        let words: Vec<&str> = cell.split_whitespace().collect();
        let _ = write!(text, " {} |", words.join(" ").replace('|', "\\|")); // writing to a string cannot fail
    }
    text.push('\n');
}

/// Returns the values of a setting, for the table.
fn values(setting: &Setting) -> String {
    match setting.value {
        "DIR" => "a folder".to_owned(),
        "FILE" => "a file".to_owned(),
        value if value.contains("PARAMETER") => format!("{}; `NAME:PARAMETER=VALUE,...`", setting.range()),
        value if setting.range().is_empty() => format!("`{value}`"),
        _ => setting.range(),
    }
}

/// Adds the full names of the verbs with a flag of this name to `found`.
///
/// A verb may have a flag of its own with the name of a setting and another meaning. Its id then differs from its
/// name, and it is left out.
fn takers(command: &Command, name: &str, flag: &str, found: &mut Vec<String>) {
    // Walks down to the innermost verbs, with the names of the verbs above.
    for verb in command.get_subcommands() {
        let name = format!("{name} {}", verb.get_name()).trim().to_owned();
        let is_setting = |arg: &clap::Arg| arg.get_long() == Some(flag) && arg.get_id() == flag;
        if verb.get_arguments().any(is_setting) {
            found.push(format!("`{name}`"));
        }
        takers(verb, &name, flag, found);
    }
}
