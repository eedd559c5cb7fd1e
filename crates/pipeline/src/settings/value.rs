//! What every type of setting has in common.

use std::fmt::Display;
use std::path::PathBuf;
use std::str::FromStr;

/// A value that is set as text, on the command line or in a configuration file.
pub trait SettingValue: FromStr<Err: Display> {
    /// The names of which the value must be one.
    fn names() -> Names {
        Names::Any
    }
}

/// The texts that a setting takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Names {
    /// Any text of the right form.
    Any,
    /// Any text of the right form, and several of them, joined by commas.
    Many,
    /// One of these names.
    Only(Vec<&'static str>),
    /// One of these names, behind which parameters may stand: `NAME:PARAMETER=VALUE,...`.
    WithParameters(Vec<&'static str>),
}

impl SettingValue for bool {
    fn names() -> Names {
        Names::Only(vec!["true", "false"])
    }
}

impl SettingValue for PathBuf {}
