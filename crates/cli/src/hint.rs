//! Tips added to errors of the command line: the flag or verb that was probably meant.

use std::ffi::OsString;
use std::path::Path;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};

/// Names that other programs use for a flag, each with our flags in order of preference.
pub(crate) const OTHER_NAMES: &[(&str, &[&str])] = &[
    ("algorithm", &["extractor", "signature"]),
    ("dry", &["dry-run"]),
    ("file-list", &["files-from"]),
    ("format", &["output-format"]),
    ("input", &["files-from"]),
    ("jobs", &["threads"]),
    ("method", &["extractor", "signature"]),
    ("output", &["out"]),
    ("output-dir", &["out"]),
    ("output-file", &["out"]),
    ("parallel", &["threads"]),
    ("processes", &["threads"]),
    ("tmp-dir", &["temp-dir"]),
    ("tmpdir", &["temp-dir"]),
    ("workers", &["threads"]),
];

/// Adds the verb or flag that was probably meant to an error of the command line.
pub(crate) fn add(error: &mut Error, command: &Command, arguments: &[OsString]) {
    match error.kind() {
        ErrorKind::InvalidSubcommand => of_verb(error, command, arguments),
        ErrorKind::UnknownArgument => of_flag(error, command, arguments),
        ErrorKind::MissingRequiredArgument => of_missing_input(error, command, arguments),
        _ => {}
    }
}

/// Adds a tip where a verb is expected: the argument may be a page or a folder, or a misspelt verb for which clap has no
/// suggestion.
fn of_verb(error: &mut Error, command: &Command, arguments: &[OsString]) {
    let Some(ContextValue::String(given)) = error.get(ContextKind::InvalidSubcommand) else {
        return;
    };
    let given = given.clone();
    // Only the first argument: in `dehusk index FILE`, a verb was given and another one is expected.
    if arguments.get(1).is_some_and(|first| *first == *given) {
        let path = Path::new(&given);
        if path.is_dir() {
            return tip(
                error,
                &format!(
                    "`dehusk extract {given}` writes the main text of each page of a folder, `dehusk run {given} --out DIR` its unique documents"
                ),
            );
        }
        // An extension is enough: the file may be misspelt as well.
        if given == "-" || path.extension().is_some() || path.exists() {
            let text = format!("a verb comes first: `dehusk extract {given}` writes the main text of a page");
            return tip(error, &text);
        }
    }
    // clap has no suggestions for `dehusk help NAME`, but it has for `dehusk NAME`: parse the latter.
    if error.get(ContextKind::SuggestedSubcommand).is_none() {
        let mut alone = vec![OsString::from("dehusk")];
        let is_before = |argument: &&OsString| **argument != *given;
        let before = arguments.iter().skip(1).take_while(is_before);
        // `dehusk help site lern` becomes `dehusk site lern`.
        alone.extend(before.filter(|argument| *argument != "help").cloned());
        alone.push(OsString::from(&given));
        if let Err(other) = command.clone().try_get_matches_from(alone)
            && let Some(found) = other.get(ContextKind::SuggestedSubcommand)
        {
            error.insert(ContextKind::SuggestedSubcommand, found.clone());
        }
    }
}

/// Replaces the suggestion for an unknown flag: by the flag that [`OTHER_NAMES`] lists for it, else by a flag whose name has all
/// of its words. The suggestion of clap compares letters only.
fn of_flag(error: &mut Error, command: &Command, arguments: &[OsString]) {
    let Some(ContextValue::String(given)) = error.get(ContextKind::InvalidArg) else {
        return;
    };
    let Some(name) = given.strip_prefix("--") else {
        return;
    };
    // The argument may be given as `--flag=value`.
    let name = name.split(['=', ' ']).next().unwrap_or(name);
    if let Some(flag) = nearest(verb(command, arguments), name) {
        let flag = format!("--{flag}");
        error.insert(ContextKind::SuggestedArg, ContextValue::String(flag));
        // clap also suggests `-- --flag`, to pass the flag as a value. That is unlikely to be meant if
        // there is a flag of the same meaning.
        error.remove(ContextKind::Suggested);
    }
}

/// Returns the flag of the verb that another name stands for, or the shortest flag with all words of the
/// name; `None` if no flag fits.
pub(crate) fn nearest<'a>(verb: &'a Command, name: &str) -> Option<&'a str> {
    let flags: Vec<&str> = verb
        .get_arguments()
        // Hidden flags exist only to be refused with a reason.
        .filter(|arg| !arg.is_hide_set())
        .filter_map(|arg| arg.get_long())
        .collect();
    let other = OTHER_NAMES.iter().find(|(other, _)| *other == name);
    let other = other.into_iter().flat_map(|(_, meant)| *meant);
    // The first meaning that this verb has: `--method` is `--extractor` for pages, else `--signature`.
    if let Some(flag) = other
        .filter_map(|meant| flags.iter().find(|flag| *flag == meant))
        .next()
    {
        return Some(flag);
    }
    // `--dir` finds `--temp-dir`: all words of the name occur in the flag.
    let has_all = |flag: &&&str| {
        let words: Vec<&str> = flag.split('-').collect();
        name.split('-').all(|word| words.contains(&word))
    };
    flags
        .iter()
        .filter(has_all)
        .min_by_key(|flag| flag.len())
        .copied()
}

/// Adds a tip if the input is missing but data is piped in: it is read only where `-` is given.
fn of_missing_input(error: &mut Error, command: &Command, arguments: &[OsString]) {
    let takes_input = verb(command, arguments)
        .get_positionals()
        .any(|arg| arg.get_id() == "inputs");
    let has_input = || error.get(ContextKind::InvalidArg).is_some_and(names_input);
    if takes_input && has_input() && is_piped() {
        let verb = arguments.iter().skip(1).take_while(|argument| !is_flag(argument));
        let verb: Vec<_> = verb.map(|argument| argument.to_string_lossy()).collect();
        tip(
            error,
            &format!(
                "standard input is read where `-` stands: `dehusk {} -`",
                verb.join(" ")
            ),
        );
    }
}

/// Whether clap's list of missing arguments names the inputs.
fn names_input(missing: &ContextValue) -> bool {
    match missing {
        ContextValue::Strings(names) => names.iter().any(|name| name.contains("INPUT")),
        ContextValue::String(name) => name.contains("INPUT"),
        _ => false,
    }
}

/// Whether an argument begins with a dash.
fn is_flag(argument: &OsString) -> bool {
    argument.as_encoded_bytes().starts_with(b"-")
}

/// Returns the innermost verb that the arguments name. The arguments after it may be wrong.
fn verb<'a>(mut command: &'a Command, arguments: &[OsString]) -> &'a Command {
    for argument in arguments.iter().skip(1) {
        // A value that follows a flag ends the search, unless it is the name of a verb.
        if let Some(verb) = command.find_subcommand(argument) {
            command = verb;
        } else if !is_flag(argument) {
            break;
        }
    }
    command
}

/// Whether standard input is a pipe, a file or a socket.
#[cfg(unix)]
fn is_piped() -> bool {
    use std::fs::File;
    use std::os::fd::AsFd;
    use std::os::unix::fs::FileTypeExt;
    // A copy, so that dropping the `File` does not close standard input.
    let copy = std::io::stdin().as_fd().try_clone_to_owned();
    let facts = copy.and_then(|copy| File::from(copy).metadata());
    facts.is_ok_and(|facts| {
        let kind = facts.file_type();
        // `/dev/null` and terminals are devices and hold no input.
        kind.is_fifo() || kind.is_file() || kind.is_socket()
    })
}

/// Whether standard input is not a terminal. The kind of file is not available on this system.
#[cfg(not(unix))]
fn is_piped() -> bool {
    !std::io::IsTerminal::is_terminal(&std::io::stdin())
}

/// Replaces the tips of an error.
fn tip(error: &mut Error, text: &str) {
    let tips = ContextValue::StyledStrs(vec![StyledStr::from(text.to_owned())]);
    error.insert(ContextKind::Suggested, tips);
}
