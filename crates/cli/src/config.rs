//! Configuration files: flags that are read from TOML.
//!
//! `--config FILE` of any verb inserts the keys of the file into the arguments, each as the long flag of
//! the same name. So a file can set every flag, and clap checks a key exactly as it checks the flag.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use clap::builder::Resettable;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{ArgAction, ArgMatches, Command};
use dehusk_pipeline::Error;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::hint;

/// Flags that are valid on the command line only: a configuration file must not set them.
pub(crate) const ALONE: &[&str] = &["config", "dry-run", "help", "print-config", "resume", "version"];

/// Returns the arguments with the flags of the configuration file inserted.
///
/// The arguments are returned unchanged if they name no such file, or if clap rejects them even before the file is read.
///
/// # Errors
/// If the file cannot be read, is not TOML, has an unknown key, or has a value that the flag rejects.
pub(crate) fn expand(command: &Command, arguments: &[OsString]) -> Result<Vec<OsString>, Error> {
    // The file may supply required arguments, so their absence is not an error yet.
    let lenient = without_required(command.clone());
    // Wrong arguments are reported later, by the complete parse.
    let Ok(matches) = lenient.clone().try_get_matches_from(arguments) else {
        return Ok(arguments.to_vec());
    };
    let (verb, matches) = verb(&lenient, &matches);
    let Some(path) = matches.get_one::<PathBuf>("config") else {
        return Ok(arguments.to_vec());
    };
    let text = fs::read_to_string(path).map_err(|e| Error::input(path, e).with_option("config"))?;
    let file = File { path, text: &text };
    let table = DeTable::parse(&text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        file.wrong(start, &error.message().trim_end().replace('\n', "; "))
    })?;

    // In the order of the file, so that the first wrong key is the one that is reported.
    let mut keys: Vec<(&Spanned<_>, &Spanned<DeValue<'_>>)> = table.get_ref().iter().collect();
    keys.sort_by_key(|(key, _)| key.span().start);
    let mut all = arguments.to_vec();
    for (key, value) in keys {
        let name: &str = key.get_ref();
        if ALONE.contains(&name) {
            let message = format!("`{name}` is no key, but a flag of the command line alone");
            return Err(file.wrong(key.span().start, &message));
        }
        let global = lenient.get_arguments().filter(|arg| arg.is_global_set());
        let Some(arg) = verb
            .get_arguments()
            .chain(global)
            .find(|arg| arg.get_long() == Some(name))
        else {
            // A file may serve several verbs: keys that only others have are ignored.
            if has_flag(&lenient, name) {
                continue;
            }
            let is_section = matches!(value.get_ref(), DeValue::Table(_));
            return Err(file.unknown(&lenient, arguments, name, key.span().start, is_section));
        };
        // A flag of the command line overrides the key of the file.
        if matches.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine) {
            continue;
        }
        let is_switch = matches!(arg.get_action(), ArgAction::SetTrue);
        if matches!(value.get_ref(), DeValue::Table(_)) {
            let message = format!("`[{name}]` is a section, but keys stand alone: `{name}` wants a value");
            return Err(file.wrong(key.span().start, &message));
        }
        let flags = flags(name, value.get_ref(), is_switch).ok_or_else(|| {
            let wanted = if is_switch {
                "true or false"
            } else {
                "a string, a number, true or false, or a list of them"
            };
            file.wrong(value.span().start, &format!("`{name}` wants {wanted}"))
        })?;
        // Each key is checked alone, so that clap's message can be reported with the line of the key.
        let parse = |before: &[OsString]| lenient.clone().try_get_matches_from(inserted(before, &flags));
        match parse(&all) {
            Ok(_) => all = inserted(&all, &flags),
            // The key conflicts with a flag of the command line, and the command line takes precedence: the
            // key is ignored.
            Err(error) if error.kind() == ErrorKind::ArgumentConflict && parse(arguments).is_err() => {}
            // Two keys of the file conflict with each other.
            Err(error) if error.kind() == ErrorKind::ArgumentConflict => {
                return Err(file.wrong(key.span().start, &first_line(&error)));
            }
            Err(error) => return Err(file.wrong(value.span().start, &first_line(&error))),
        }
    }
    Ok(all)
}

/// A configuration file.
struct File<'a> {
    path: &'a Path,
    text: &'a str,
}

impl File<'_> {
    /// Returns an error at byte `start` of the file.
    fn wrong(&self, start: usize, message: &str) -> Error {
        Error::at_byte(self.path, self.text, start, message)
            .with_option("config")
            .with_help("keys have the names of the verb's flags, without dashes in front")
    }

    /// Returns the error for a key that no verb has as a flag, with the most similar flag as a suggestion.
    fn unknown(
        &self,
        command: &Command,
        arguments: &[OsString],
        name: &str,
        start: usize,
        is_section: bool,
    ) -> Error {
        // clap suggests similar flags only while it parses, so the key is parsed as a flag.
        let flag = OsString::from(format!("--{name}"));
        let parsed = command.clone().try_get_matches_from(inserted(arguments, &[flag]));
        let parsed = parsed.map_err(|mut error| {
            hint::add(&mut error, command, arguments);
            error
        });
        let nearest = match parsed
            .as_ref()
            .map_err(|error| error.get(ContextKind::SuggestedArg))
        {
            Err(Some(ContextValue::String(flag))) => {
                let flag = flag.trim_start_matches('-');
                format!(
                    // A suggested flag may come with its value: `--keep <KEEPER>`.
                    "; did you mean `{}`?",
                    flag.split([' ', '=']).next().unwrap_or(flag)
                )
            }
            _ => String::new(),
        };
        let unknown = match is_section {
            false => format!("unknown key `{name}`"),
            true => format!("unknown section `[{name}]`: keys stand alone, in no section"),
        };
        self.wrong(start, &format!("{unknown}{nearest}"))
    }
}

/// Returns the command with all arguments optional, since the configuration file may supply the required ones.
pub(crate) fn without_required(command: Command) -> Command {
    let groups: Vec<_> = command.get_groups().map(|group| group.get_id().clone()).collect();
    groups
        .into_iter()
        .fold(command, |command, id| {
            command.mut_group(id, |group| group.required(false))
        })
        // `required_unless_present` is a separate list in clap and would still apply.
        .mut_args(|arg| arg.required(false).required_unless_present(Resettable::Reset))
        .mut_subcommands(without_required)
}

/// Returns the innermost verb that the arguments name, and the matches of that verb.
pub(crate) fn verb<'a>(
    mut command: &'a Command,
    mut matches: &'a ArgMatches,
) -> (&'a Command, &'a ArgMatches) {
    while let Some((name, inner)) = matches.subcommand()
        && let Some(verb) = command.find_subcommand(name)
    {
        (command, matches) = (verb, inner);
    }
    (command, matches)
}

/// Whether any verb has a flag `--name`.
fn has_flag(command: &Command, name: &str) -> bool {
    let here = command.get_arguments().any(|arg| arg.get_long() == Some(name));
    here || command.get_subcommands().any(|verb| has_flag(verb, name))
}

/// Returns a key and its value as arguments; `None` if a flag cannot have a value of this type. `false` of a switch is an empty
/// list.
fn flags(name: &str, value: &DeValue<'_>, is_switch: bool) -> Option<Vec<OsString>> {
    // Joined by `=`, so that a value that begins with `-` is not taken for a flag.
    let flag = |text: &str| OsString::from(format!("--{name}={text}"));
    match value {
        DeValue::Boolean(true) if is_switch => Some(vec![format!("--{name}").into()]),
        DeValue::Boolean(false) if is_switch => Some(Vec::new()),
        // A switch has no other values: `quiet = "yes"` is an error.
        _ if is_switch => None,
        DeValue::String(text) => Some(vec![flag(text)]),
        DeValue::Integer(number) => Some(vec![flag(number.as_str())]),
        DeValue::Float(number) => Some(vec![flag(number.as_str())]),
        DeValue::Boolean(value) => Some(vec![flag(&value.to_string())]),
        DeValue::Array(values) => {
            let each = values.iter().map(|value| match value.get_ref() {
                // Only one level: flags have lists of values, but no lists of lists.
                DeValue::Array(_) => None,
                value => flags(name, value, false),
            });
            Some(each.collect::<Option<Vec<_>>>()?.concat())
        }
        DeValue::Datetime(_) | DeValue::Table(_) => None,
    }
}

/// Returns the arguments with `flags` appended, or inserted before a `--`.
fn inserted(arguments: &[OsString], flags: &[OsString]) -> Vec<OsString> {
    // Behind `--` everything is an input, even if it begins with dashes.
    let end = arguments.iter().position(|argument| argument == "--");
    let (before, behind) = arguments.split_at(end.unwrap_or(arguments.len()));
    [before, flags, behind].concat()
}

/// Returns the message of a clap error, without usage and hints.
fn first_line(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let line = text.lines().next().unwrap_or_default();
    line.strip_prefix("error: ").unwrap_or(line).to_owned()
}
