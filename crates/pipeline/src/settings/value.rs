//! The trait that values of settings share.

use std::fmt::Display;
use std::path::PathBuf;
use std::str::FromStr;

/// The value of a setting, parsed from text on the command line or in a configuration file.
pub trait SettingValue: FromStr<Err: Display> {
    /// The possible values, if they are a fixed set of names.
    fn names() -> Names {
        Names::Any
    }
}

/// Value of a setting of several names that stands for an empty list.
pub const NO_NAME: &str = "none";

/// Possible values of a setting.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Names {
    /// Any text of the right form.
    Any,
    /// Several texts of the right form, joined by commas.
    Many,
    /// Some of these names, joined by commas, or [`NO_NAME`].
    Several(Vec<&'static str>),
    /// One of these names.
    Only(Vec<&'static str>),
    /// One of these names, or the path of a file.
    OrFile(Vec<&'static str>),
    /// One of these names, optionally with parameters: `NAME:PARAMETER=VALUE,...`.
    WithParameters(Vec<&'static str>),
}

impl SettingValue for bool {
    fn names() -> Names {
        Names::Only(vec!["true", "false"])
    }
}

impl SettingValue for PathBuf {}
