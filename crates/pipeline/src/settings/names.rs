//! Settings that name an entry of a table: formats, extractors, parsers, profiles.

use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

use dehusk_extract::site::methods;
use dehusk_normalize::Profile;

use super::profile::profile;
use super::value::{Names, SettingValue};
use crate::error::Error;
use crate::read::address::Base;
use crate::read::crawl_index::Condition;
use crate::read::format::{self, Format};
use crate::read::named_files::AllowedFolders;

/// Message for an unknown name, with the known names.
pub(super) fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.collect();
    format!("unknown {what} `{name}`; known: {}", known.join(", "))
}

/// An input format.
#[derive(Clone, Copy)]
pub struct FormatName(pub &'static dyn Format);

impl FromStr for FormatName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = format::ALL.iter().map(|format| format.name());
        let found = format::ALL.iter().find(|format| format.name() == text);
        found
            .map(|format| FormatName(*format))
            .ok_or_else(|| unknown("format", text, names))
    }
}

impl fmt::Debug for FormatName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

impl SettingValue for FormatName {
    fn names() -> Names {
        Names::Only(format::ALL.iter().map(|format| format.name()).collect())
    }
}

impl SettingValue for Base {}

impl SettingValue for Condition {}

impl SettingValue for format::Columns {
    fn names() -> Names {
        Names::Many
    }
}

impl SettingValue for AllowedFolders {
    fn names() -> Names {
        Names::Many
    }
}

/// An extractor with its parameters: `NAME[:PARAMETER=VALUE,...]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExtractorName(pub String);

impl FromStr for ExtractorName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match dehusk_extract::Options::default().with_extractor(text) {
            Ok(_) => Ok(ExtractorName(text.to_owned())),
            Err(unknown) => Err(unknown.to_string()),
        }
    }
}

impl SettingValue for ExtractorName {
    fn names() -> Names {
        let all = dehusk_extract::label::ALL.iter();
        Names::WithParameters(all.map(|extractor| extractor.name()).collect())
    }
}

/// An extractor for whole sites with its parameters: `NAME[:PARAMETER=VALUE,...]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SiteExtractorName(String);

impl SiteExtractorName {
    /// The extractor.
    ///
    /// # Errors
    /// Never for a parsed name, since parsing performs the same check.
    pub fn extractor(&self) -> Result<impl Deref<Target = dyn methods::SiteMethod> + use<>, String> {
        let names = methods::ALL.iter().map(|extractor| extractor.name());
        methods::find(&self.0)
            .ok_or_else(|| unknown("site extractor", &self.0, names))?
            .map_err(|error| error.to_string())
    }
}

impl FromStr for SiteExtractorName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let name = SiteExtractorName(text.to_owned());
        name.extractor().map(|_| name)
    }
}

impl SettingValue for SiteExtractorName {
    fn names() -> Names {
        Names::WithParameters(methods::ALL.iter().map(|extractor| extractor.name()).collect())
    }
}

/// Extractor from which templates are learnt: one for whole sites, or one for single pages, with whose
/// results the template learner starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LearnExtractor {
    /// For whole sites.
    Site(SiteExtractorName),
    /// For single pages.
    Page(ExtractorName),
}

impl FromStr for LearnExtractor {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // Extractors of sites come first, should both tables have a name.
        if methods::find(text).is_some() {
            return text.parse().map(LearnExtractor::Site);
        }
        // The name is looked up without its parameters, whose faults get a message of their own.
        let name = text.split(':').next().unwrap_or(text);
        if dehusk_extract::label::ALL
            .iter()
            .any(|extractor| extractor.name() == name)
        {
            return text.parse().map(LearnExtractor::Page);
        }
        Err(unknown("extractor", name, learn_extractors()))
    }
}

impl SettingValue for LearnExtractor {
    fn names() -> Names {
        Names::WithParameters(learn_extractors().collect())
    }
}

/// Names of all extractors that learning accepts.
fn learn_extractors() -> impl Iterator<Item = &'static str> {
    let of_sites = methods::ALL.iter().map(|extractor| extractor.name());
    let of_pages = dehusk_extract::label::ALL
        .iter()
        .map(|extractor| extractor.name());
    of_sites.chain(of_pages)
}

/// A parser of pages.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ParserName(pub dehusk_html::ParserKind);

impl ParserName {
    /// Names of all compiled parsers.
    pub fn all() -> Vec<&'static str> {
        dehusk_html::ParserKind::ALL
            .iter()
            .map(|parser| parser.name())
            .collect()
    }
}

impl FromStr for ParserName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.parse()
            .map(ParserName)
            .map_err(|unknown: dehusk_html::UnknownParser| unknown.to_string())
    }
}

impl SettingValue for ParserName {
    fn names() -> Names {
        Names::Only(ParserName::all())
    }
}

/// A normalization profile: a built-in one, or that of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChosenProfile(pub Profile);

impl FromStr for ChosenProfile {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        profile(text, None).map(ChosenProfile)
    }
}

impl SettingValue for ChosenProfile {
    fn names() -> Names {
        let all = dehusk_normalize::profile::ALL.iter();
        Names::OrFile(all.map(|profile| profile.name()).collect())
    }
}
