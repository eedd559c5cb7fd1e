//! Values that are names from a list or a table: their help text, their completions and their parsers.

use std::ffi::OsStr;
use std::fmt::Display;
use std::path::Path;

use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::{Arg, Command, Error};
use dehusk_pipeline::output_format::{self, RowFormat};
use dehusk_pipeline::record::RowKind;
use dehusk_pipeline::settings::{Names, SettingValue};

/// Parses the name of a format that can write rows of this kind.
pub(crate) fn output_format(kind: RowKind) -> impl TypedValueParser<Value = &'static dyn RowFormat> {
    let names = output_format::of_kind(kind).map(RowFormat::name);
    PossibleValuesParser::new(names).try_map(move |name| output_format::find(kind, &name))
}

/// Parses the name of a format that output folders can have.
pub(crate) fn folder_format() -> impl TypedValueParser<Value = &'static dyn RowFormat> {
    let names = output_format::of_folders().map(RowFormat::name);
    PossibleValuesParser::new(names).try_map(|name| output_format::find(RowKind::Document, &name))
}

/// Returns the format that was chosen, else the one that the extension of the output stands for; `None` if neither decides.
pub(crate) fn chosen_format(
    chosen: Option<&'static dyn RowFormat>,
    out: Option<&Path>,
    kind: RowKind,
) -> Option<&'static dyn RowFormat> {
    chosen.or_else(|| output_format::by_path(kind, out?))
}

/// Parses a value of a type that settings have.
pub(crate) fn value_of<T>() -> impl TypedValueParser<Value = T>
where
    T: SettingValue + Clone + Send + Sync + 'static,
    T::Err: Display,
{
    let read = |text: &str| text.parse::<T>().map_err(|error| error.to_string());
    Named {
        names: T::names(),
        read,
    }
}

/// Returns the help text, with the names of a table appended if they take parameters.
pub(crate) fn with_names(help: &str, names: &Names) -> String {
    match names {
        Names::WithParameters(names) => format!("{help}: {}", names.join(", ")),
        Names::Any | Names::Many | Names::Several(_) | Names::OrFile(_) | Names::Only(_) => help.to_owned(),
    }
}

/// Parser of a value with the names that completions offer for it.
#[derive(Clone)]
pub(crate) struct Named<F> {
    pub(crate) names: Names,
    pub(crate) read: F,
}

impl<T, F> TypedValueParser for Named<F>
where
    T: Clone + Send + Sync + 'static,
    F: Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static,
{
    type Value = T;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<T, Error> {
        let read = self.read.clone();
        let parser = StringValueParser::new().try_map(move |text: String| read(&text));
        parser.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        match &self.names {
            Names::Any | Names::Many => None,
            Names::Only(names)
            | Names::OrFile(names)
            | Names::WithParameters(names)
            | Names::Several(names) => Some(Box::new(names.iter().map(|name| PossibleValue::new(*name)))),
        }
    }
}
