//! Flags made from the table of settings: each verb names the groups of settings that it takes.

use std::marker::PhantomData;

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use dehusk_pipeline::Settings;
use dehusk_pipeline::settings::Names;
use dehusk_pipeline::settings::table::{ALL, Group, Setting};

use super::names::{Named, with_names};

/// A verb that takes settings.
pub(crate) trait TakesSettings {
    /// The groups of settings that the verb takes.
    const GROUPS: &'static [Group];
    /// Settings of these groups without effect in the verb: it does not take them.
    const EXCEPT: &'static [&'static str] = &[];
}

/// The groups of verbs that show the extraction of pages.
pub(crate) const OF_PAGES: &[Group] = &[
    Group::Input,
    Group::NamedFiles,
    Group::Addresses,
    Group::Extractor,
    Group::Parts,
    Group::Parsing,
    Group::Layouts,
    Group::Sites,
    Group::Running,
];

/// The settings that were given to the verb `V`.
#[derive(Clone, Debug)]
pub(crate) struct SettingFlags<V> {
    /// The settings that were given; all others are unset.
    pub(crate) given: Settings,
    verb: PhantomData<V>,
}

/// Returns the settings that the verb `V` takes.
fn taken<V: TakesSettings>() -> impl Iterator<Item = &'static Setting> {
    ALL.iter()
        .filter(|setting| V::GROUPS.contains(&setting.group) && !V::EXCEPT.contains(&setting.name))
}

/// Returns the flag of a setting.
fn flag(setting: &'static Setting) -> Arg {
    let names = setting.names();
    // The text is checked when clap parses the flag, so that the error names the flag. The value itself is
    // set in `from_arg_matches`.
    let read = |text: &str| {
        let mut scratch = Settings::default();
        setting.set(&mut scratch, text).map(|()| text.to_owned())
    };
    let action = match names {
        Names::Many | Names::Several(_) => ArgAction::Append,
        _ => ArgAction::Set,
    };
    let flag = Arg::new(setting.name)
        .long(setting.name)
        .short(setting.short)
        .value_name(setting.value)
        .action(action)
        .help(with_names(&setting.help(), &names))
        .help_heading(setting.group.heading())
        .conflicts_with_all(setting.excludes)
        .hide_possible_values(
            setting.value == "BOOL" || matches!(names, Names::WithParameters(_) | Names::Several(_)),
        )
        .value_parser(Named { names, read });
    // A setting with a value for the flag alone needs `=`: in `--fast page.html`, the page is an input.
    match setting.alone() {
        Some(value) => flag
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value(value),
        None => flag,
    }
}

impl<V: TakesSettings> Args for SettingFlags<V> {
    fn augment_args(command: Command) -> Command {
        command.args(taken::<V>().map(flag))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<V: TakesSettings> FromArgMatches for SettingFlags<V> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut given = Settings::default();
        for setting in taken::<V>() {
            if let Some(texts) = matches.get_many::<String>(setting.name) {
                // Repeated flags are joined as one list, the form in which configuration files and the API
                // have it.
                let texts: Vec<&str> = texts.map(String::as_str).collect();
                setting
                    .set(&mut given, &texts.join(","))
                    .map_err(|wrong| Error::raw(ErrorKind::ValueValidation, wrong))?;
            }
        }
        let verb = PhantomData;
        Ok(SettingFlags { given, verb })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
