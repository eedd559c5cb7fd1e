//! Settings of users: the table of all settings, the types of their values, and the conversion to options of the libraries.

pub mod table;

mod effective;
pub(crate) mod folders;
mod names;
pub(crate) mod numbers;
mod options;
mod patterns;
mod profile;
mod strategy;
#[cfg(test)]
mod tests;
mod value;
pub(crate) mod words;

pub use crate::read::address::BaseUrl;
pub use crate::read::named_files::AllowedFolders;
pub use names::{ChosenProfile, ExtractorName, FormatName, LearnExtractor, ParserName, SiteExtractorName};
pub use numbers::{Bytes, Depth, MaxBad, Memory, Positive, RunLength, Share, Threads, Threshold, Width};
pub use patterns::Patterns;
pub use profile::profile;
pub use strategy::Chosen;
pub use table::Settings;
pub use value::{NO_NAME, Names, SettingValue};
pub use words::{
    CommentPart, Comments, Compression, CutAt, CutBoundary, CutPart, DocumentPart, InclusionPart,
    MarkdownExtensionNames, MarkdownTableStyle, OnMatch, OnMatchPolicy, OutputCompression, PassageUnit,
    PassageUnitName, Policy, Repeat, RepeatPolicy, SameUrl, SameUrlRule, ShinglingUnit, ShortPolicy,
    TablePart, Tables, TermForm, Terms,
};
