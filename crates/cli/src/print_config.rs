//! `--print-config`: the configuration file of a verb, with all settings and their current values.

use std::ffi::OsString;
use std::fmt::Write as _;

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};
use dehusk_pipeline::settings::table::{ALL, DefaultValue, Setting};
use dehusk_pipeline::tables;
use toml::Value;

use crate::config::{ALONE, verb, without_required};

/// Columns of a comment line in the file.
const WIDTH: usize = 110;

/// Returns the configuration file, or `None` if the arguments do not ask for it or are invalid.
///
/// Settings from the command line or `--config` have the value as given. Other settings have their default written out, so that
/// the file keeps its meaning if a later version changes the default. A line is commented out if its default is not a fixed
/// value, or if the setting excludes another one.
pub(crate) fn printed(command: &Command, arguments: &[OsString]) -> Option<String> {
    let lenient = without_required(command.clone());
    let matches = lenient.clone().try_get_matches_from(arguments).ok()?;
    let (verb, matches) = verb(&lenient, &matches);
    match matches.try_get_one::<bool>("print_config") {
        Ok(Some(true)) => {}
        _ => return None,
    }
    let name = verb.get_name();
    let version = env!("CARGO_PKG_VERSION");
    let mut text = format!(
        "# Settings of `dehusk {name}`, version {version}. `dehusk {name} --config FILE` reads it; keys are the names of\n\
         # flags, and flags of the command line come first. Behind `#` stands what is not set. `dehusk methods` has the\n\
         # parameters of methods: \"minhash:width=256\".\n"
    );
    let global = lenient.get_arguments().filter(|arg| arg.is_global_set());
    let all: Vec<&Arg> = verb
        .get_arguments()
        .chain(global)
        .filter(|arg| arg.get_long().is_some_and(|long| !ALONE.contains(&long)))
        .collect();
    let heading = |arg: &Arg| arg.get_help_heading().unwrap_or("Options").to_owned();
    // In the order of their first flag, as in the help text.
    let mut headings: Vec<String> = Vec::new();
    for arg in &all {
        if !headings.contains(&heading(arg)) {
            headings.push(heading(arg));
        }
    }
    for title in headings {
        let _ = write!(text, "\n\n##### {title} #####\n");
        for arg in all.iter().filter(|arg| heading(arg) == title) {
            entry(&mut text, arg, matches);
        }
    }
    Some(text)
}

/// Appends a setting: its description as a comment, and the line of its key.
fn entry(text: &mut String, arg: &Arg, matches: &ArgMatches) {
    let name = arg.get_long().unwrap_or_default();
    // Flags of the table have more facts than clap knows: range, default and exclusions.
    let setting = ALL.iter().find(|setting| setting.name == name);
    let (about, range, default) = match setting {
        Some(setting) => (setting.about().to_owned(), setting.range(), setting.default),
        None => of_flag(arg),
    };
    text.push('\n');
    comment(text, &about);
    let parameters = setting.is_some_and(|setting| setting.value.contains("PARAMETER"));
    let told = if parameters { "One of" } else { "Values" };
    let mut facts = vec![format!("Default: {}", default.text())];
    if !range.is_empty() {
        facts.insert(0, format!("{told}: {range}"));
    }
    let other = setting.and_then(|setting| setting.excludes);
    facts.extend(other.map(|other| format!("Not together with `{other}`")));
    comment(text, &facts.join(". "));
    if parameters {
        let chosen = matches.try_get_one::<String>(name).ok().flatten();
        // The parameters of the chosen method, or those of the default.
        let chosen = chosen.map_or(default.text(), String::as_str);
        parameters_of(text, name, chosen.split(':').next().unwrap_or(chosen));
    }
    let placeholder = || {
        arg.get_value_names()
            .and_then(|names| names.first())
            .map_or("", |name| name)
    };
    // A key that is written is a key that is set. So a default of a setting that excludes another one stays
    // a comment.
    let line = match (given(arg, matches), default) {
        (Some(value), _) => format!("{name} = {value}\n"),
        (None, DefaultValue::Value(value)) if excludes(setting) => format!("# {name} = {}\n", written(value)),
        (None, DefaultValue::Value(value)) => format!("{name} = {}\n", written(value)),
        (None, DefaultValue::Otherwise(_)) => format!("# {name} = {}\n", placeholder()),
    };
    text.push_str(&line);
}

/// Appends the parameters of a method with their defaults, if the setting `setting` has a method of this name.
fn parameters_of(text: &mut String, setting: &str, method: &str) {
    let flag = format!("--{setting}");
    let tables = tables();
    let table = tables.iter().find(|table| table.flag == flag);
    let entry = table.and_then(|table| table.entries.iter().find(|entry| entry.name == method));
    for known in entry.into_iter().flat_map(|entry| &entry.parameters) {
        comment(
            text,
            &format!("- {method}:{}={}: {}", known.name, known.default, known.help),
        );
    }
}

/// Whether the setting excludes another one, so that even writing its default out would be a conflict.
fn excludes(setting: Option<&Setting>) -> bool {
    setting.is_some_and(|setting| setting.excludes.is_some())
}

/// Returns description, values and default of a flag that is not in the table of settings.
fn of_flag(arg: &Arg) -> (String, String, DefaultValue) {
    let about = arg.get_help().map(ToString::to_string).unwrap_or_default();
    if is_switch(arg) {
        return (about, "true, false".to_owned(), DefaultValue::Value("false"));
    }
    let names: Vec<String> = arg
        .get_possible_values()
        .iter()
        .map(|value| value.get_name().to_owned())
        .collect();
    let default = arg.get_default_values().first().and_then(|value| value.to_str());
    // Leaked on purpose: flags are built once in a run of the program.
    let default = default.map(|text| &*Box::leak(text.to_owned().into_boxed_str()));
    let default = default.map_or(DefaultValue::Otherwise("none"), DefaultValue::Value);
    (about, names.join(", "), default)
}

/// Whether a flag takes no value.
fn is_switch(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::SetTrue)
}

/// Returns the value from the command line or a file as TOML, or `None` if the flag was not given. Several values become an
/// array.
fn given(arg: &Arg, matches: &ArgMatches) -> Option<String> {
    let id = arg.get_id().as_str();
    // Values of `--config` count too: they were inserted into the command line.
    if matches.value_source(id) != Some(ValueSource::CommandLine) {
        return None;
    }
    if is_switch(arg) {
        return Some("true".to_owned());
    }
    let values: Vec<String> = matches
        .get_raw(id)?
        .map(|value| written(&value.to_string_lossy()))
        .collect();
    match values.as_slice() {
        [one] => Some(one.clone()),
        several => Some(format!("[{}]", several.join(", "))),
    }
}

/// Returns a value as TOML. Integers, decimals and truth values in the form that TOML has are written bare, everything else as a
/// string.
fn written(text: &str) -> String {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_whole = text.parse::<i64>().is_ok_and(|number| number.to_string() == text);
    let is_decimal = || {
        text.split_once('.').is_some_and(|(whole, part)| {
            digits(part) && (whole == "0" || digits(whole) && !whole.starts_with('0'))
        })
    };
    if matches!(text, "true" | "false") || is_whole || is_decimal() {
        return text.to_owned();
    }
    Value::from(text).to_string()
}

/// Appends words as lines of comment of at most [`WIDTH`] columns.
fn comment(text: &mut String, words: &str) {
    // `usize::MAX` stands for no line yet, so the first word begins one.
    let mut column = usize::MAX;
    for word in words.split_whitespace() {
        if column.saturating_add(1 + word.len()) > WIDTH {
            if column != usize::MAX {
                text.push('\n');
            }
            text.push('#');
            column = 1;
        }
        text.push(' ');
        text.push_str(word);
        column += 1 + word.len();
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use dehusk_pipeline::Settings;

    use super::*;
    use crate::cli::Cli;
    use crate::config;

    #[test]
    fn values_are_written_as_toml_reads_them_back() {
        for (text, toml) in [
            ("0.8", "0.8"),
            ("42", "42"),
            ("-3", "-3"),
            ("true", "true"),
            ("007", "\"007\""),
            ("1e5", "\"1e5\""),
            ("18446744073709551615", "\"18446744073709551615\""),
            ("a \"b\"", "'a \"b\"'"),
            ("64MiB", "\"64MiB\""),
        ] {
            assert_eq!(written(text), toml);
        }
        for text in [
            "",
            "a\nb",
            "\u{7f}'\"\\",
            "é = 1 # no comment",
            "C:\\x",
            "'''",
            "\"\"\"",
        ] {
            let table: toml::Table = format!("x = {}", written(text)).parse().unwrap();
            assert_eq!(table["x"].as_str(), Some(text), "{text:?}");
        }
    }

    /// Returns the output of `run --print-config` with these flags.
    fn config(flags: &[String]) -> String {
        let arguments = ["dehusk", "run", "--print-config"].map(str::to_owned);
        let arguments: Vec<OsString> = arguments.iter().chain(flags).map(OsString::from).collect();
        let command = Cli::command();
        let arguments = config::expand(&command, &arguments).unwrap();
        printed(&command, &arguments).unwrap()
    }

    /// Returns the settings of `run` with these flags.
    fn settings(flags: &[String]) -> String {
        let arguments = ["dehusk", "run", "in", "--out", "out"].map(str::to_owned);
        let arguments: Vec<OsString> = arguments.iter().chain(flags).map(OsString::from).collect();
        let arguments = config::expand(&Cli::command(), &arguments).unwrap();
        let matches = Cli::command().try_get_matches_from(arguments).unwrap();
        let (_, run) = matches.subcommand().unwrap();
        let mut given = Settings::default();
        for setting in ALL {
            let texts = run.try_get_many::<String>(setting.name).ok().flatten();
            let given_texts = texts.map(|texts| texts.cloned().collect::<Vec<_>>().join(","));
            let text = given_texts.or(match setting.default {
                DefaultValue::Value(text) => Some(text.to_owned()),
                DefaultValue::Otherwise(_) => None,
            });
            if let Some(text) = text {
                setting.set(&mut given, &text).unwrap();
            }
        }
        format!("{given:?}")
    }

    /// Values for each setting that excludes no other one.
    const VALUES: &[(&str, &[&str])] = &[
        ("compress", &["none", "gzip"]),
        ("column", &["html=content", "html=a \"b\",id=key", "text=007"]),
        ("shard-size", &["1GiB", "5_000_000"]),
        ("extractor", &["readability", "default", "markup"]),
        ("fast", &["true", "false"]),
        ("tables", &["field", "omit"]),
        ("links", &["true"]),
        ("max-bytes", &["1", "500KiB"]),
        ("max-depth", &["16", "4294967295"]),
        ("timeout-ms", &["18446744073709551615", "0"]),
        ("templates", &["a \"b\" \\c", "007", "true", "1e5", "\u{7f}é\n'"]),
        ("threshold", &["0.8", "1", ".5", "1e-3"]),
        ("signature", &["minhash:width=200, seed=9", "simhash"]),
        ("min-tokens", &["0"]),
        ("cluster", &["components"]),
        ("seed", &["0", "7"]),
        ("memory", &["1GiB"]),
        ("threads", &["1024"]),
        ("max-bad", &["0", "0.5%", "100%"]),
        ("output-format", &["jsonl"]),
    ];

    #[test]
    fn what_was_written_gives_the_same_settings_and_is_written_again() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("c.toml");
        let mut state = 1_u64;
        let mut random = |below: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        for round in 0..12 {
            let mut flags = Vec::new();
            for (name, values) in VALUES {
                // The first round sets no flag; later rounds set more and more of them.
                if random(11) < round {
                    flags.push(format!("--{name}={}", values[random(values.len())]));
                }
            }
            if round % 4 == 2 {
                // A flag that may be given several times.
                flags.extend(["--column=url=address", "--column=date=when"].map(str::to_owned));
            }
            if round % 3 == 1 {
                flags.push(["--precision", "--recall"][random(2)].to_owned());
            }
            let text = config(&flags);
            std::fs::write(&file, &text).unwrap();
            let from_file = [format!("--config={}", file.display())];
            assert_eq!(config(&from_file), text, "{flags:?}");
            assert_eq!(settings(&from_file), settings(&flags), "{flags:?}");
        }
    }

    #[test]
    fn every_setting_and_flag_has_its_line() {
        let text = config(&[]);
        let command = Cli::command();
        let run = command.find_subcommand("run").unwrap();
        for arg in run
            .get_arguments()
            .filter_map(Arg::get_long)
            .filter(|long| !ALONE.contains(long))
        {
            let lines = text
                .lines()
                .filter(|line| line.trim_start_matches("# ").starts_with(&format!("{arg} = ")));
            assert_eq!(lines.count(), 1, "{arg}");
        }
        assert!(
            text.contains("\nthreshold = 0.8\n") && text.contains("\n# memory = SIZE\n"),
            "{text}"
        );
        assert!(
            text.contains("Values: 1 byte to 256MiB. Default: 64MiB\n"),
            "{text}"
        );
        assert!(text.contains("\n# - minhash:width=128: "), "{text}");
        let other = config(&["--signature=simhash".to_owned()]);
        assert!(
            !other.contains("# - minhash:") && other.contains("# - simhash:"),
            "{other}"
        );
    }

    #[test]
    fn comments_are_cut_at_words() {
        let mut text = String::new();
        comment(&mut text, &"word ".repeat(60));
        assert!(
            text.lines().count() == 3
                && text
                    .lines()
                    .all(|line| line.starts_with("# ") && line.len() <= WIDTH)
        );
    }
}
