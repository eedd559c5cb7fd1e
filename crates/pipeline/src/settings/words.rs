//! Settings that are one of a few words.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use super::value::{Names, SettingValue};
use crate::read::chunk::Digests;

/// Declares a type of setting that is one of a few words.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident($inner:ty), default $default:expr, $($word:literal => $value:expr),+) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct $name(pub $inner);

        impl $name {
            /// The words that are possible.
            pub const WORDS: &[&str] = &[$($word),+];
        }

        impl Default for $name {
            fn default() -> Self {
                $name($default)
            }
        }

        impl FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                match text {
                    $($word => Ok($name($value)),)+
                    _ => Err(format!("`{text}` is not possible; known: {}", Self::WORDS.join(", "))),
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self.0 {
                    $(value if value == $value => f.write_str($word),)+
                    _ => Ok(()),
                }
            }
        }

        impl SettingValue for $name {
            fn names() -> Names {
                Names::Only(Self::WORDS.to_vec())
            }
        }
    };
}

words! {
    /// What it means that a record has another digest than its head says.
    DigestRule(Digests), default Digests::Warn,
    "warn" => Digests::Warn, "require" => Digests::Require, "ignore" => Digests::Ignore
}

/// Where the data tables of a page go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tables {
    /// Into the text.
    Text,
    /// Into the text and into a field.
    Field,
    /// Nowhere.
    Omit,
}

words! {
    /// Where the data tables of a page go.
    TablePart(Tables), default Tables::Text,
    "text" => Tables::Text, "field" => Tables::Field, "omit" => Tables::Omit
}

words! {
    /// How Markdown has tables that hold more than it can say.
    MarkdownTableStyle(dehusk_extract::document::MarkdownTables), default dehusk_extract::document::MarkdownTables::Gfm,
    "gfm" => dehusk_extract::document::MarkdownTables::Gfm, "html" => dehusk_extract::document::MarkdownTables::Html
}

/// Where the comments of readers go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comments {
    /// Into the text of pages that are about them.
    Auto,
    /// The same, and into a field.
    Field,
    /// Nowhere.
    Omit,
}

words! {
    /// Where the comments of readers go.
    CommentPart(Comments), default Comments::Auto,
    "auto" => Comments::Auto, "field" => Comments::Field, "omit" => Comments::Omit
}

words! {
    /// Whether a part of the page that only some count as main text is in it.
    InclusionPart(dehusk_extract::Inclusion), default dehusk_extract::Inclusion::Auto,
    "auto" => dehusk_extract::Inclusion::Auto, "keep" => dehusk_extract::Inclusion::Keep, "drop" => dehusk_extract::Inclusion::Drop
}

words! {
    /// What becomes of a duplicate.
    Policy(dehusk_dedup::Action), default dehusk_dedup::Action::Delete,
    "keep" => dehusk_dedup::Action::Keep, "demote" => dehusk_dedup::Action::Demote, "delete" => dehusk_dedup::Action::Delete
}

words! {
    /// Which documents count as near-duplicates of one that stays.
    DeletionRule(dehusk_dedup::Deletion), default dehusk_dedup::Deletion::Covered,
    "covered" => dehusk_dedup::Deletion::Covered, "transitive" => dehusk_dedup::Deletion::Transitive
}

words! {
    /// How short documents are compared.
    ShortPolicy(dehusk_dedup::ShortDocuments), default dehusk_dedup::ShortDocuments::Exact,
    "exact" => dehusk_dedup::ShortDocuments::Exact, "near" => dehusk_dedup::ShortDocuments::Near
}

/// Which of several documents of one address are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SameUrl {
    /// All.
    Keep,
    /// The one of the latest date; of equal or unknown dates the last in the input.
    Newest,
    /// The first in the input.
    First,
}

words! {
    /// Which of several documents of one address are compared.
    SameUrlRule(SameUrl), default SameUrl::Keep,
    "keep" => SameUrl::Keep, "newest" => SameUrl::Newest, "first" => SameUrl::First
}

/// What lexical methods read for words.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Terms {
    /// The words as they are.
    #[default]
    Plain,
    /// Russian and English stems, without the stop words of these languages.
    Stemmed,
}

words! {
    /// What lexical methods read for words.
    TermForm(Terms), default Terms::Plain,
    "plain" => Terms::Plain, "stemmed" => Terms::Stemmed
}

/// How files are compressed as a whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compression {
    /// Not at all.
    None,
    /// As gzip.
    Gzip,
    /// As zstd.
    Zstd,
}

impl Compression {
    /// Extension of files that are compressed so.
    pub fn extension(self) -> Option<&'static str> {
        match self {
            Compression::None => None,
            Compression::Gzip => Some("gz"),
            Compression::Zstd => Some("zst"),
        }
    }

    /// The compression that the name of a file tells, if it tells one.
    pub fn of_path(path: &Path) -> Option<Compression> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        [Compression::Gzip, Compression::Zstd]
            .into_iter()
            .find(|compression| compression.extension() == Some(extension.as_str()))
    }
}

words! {
    /// How files are compressed as a whole.
    OutputCompression(Compression), default Compression::None,
    "none" => Compression::None, "gzip" => Compression::Gzip, "zstd" => Compression::Zstd
}

words! {
    /// What a shingle is a run of.
    ShinglingUnit(dehusk_dedup::TextUnit), default dehusk_dedup::TextUnit::Word,
    "word" => dehusk_dedup::TextUnit::Word, "char" => dehusk_dedup::TextUnit::Char
}
