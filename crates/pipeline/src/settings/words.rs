//! Settings with a few possible values, given as words.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use dehusk_extract::document::MarkdownExtensions;

use super::value::{NO_NAME, Names, SettingValue};
use crate::read::chunk::Digests;

/// Declares the type of a setting with a few possible values, with parsing and display.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident($inner:ty), default $default:expr, $($word:literal => $value:expr),+) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct $name(pub $inner);

        impl $name {
            /// The possible words.
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
    /// Treatment of records whose digest differs from the one in their header.
    DigestRule(Digests), default Digests::Warn,
    "warn" => Digests::Warn, "require" => Digests::Require, "ignore" => Digests::Ignore
}

/// Where the data tables of a page go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tables {
    /// The text.
    Text,
    /// The text and a field of the document.
    Field,
    /// Tables are left out.
    Omit,
}

words! {
    /// Destination of the data tables of a page.
    TablePart(Tables), default Tables::Text,
    "text" => Tables::Text, "field" => Tables::Field, "omit" => Tables::Omit
}

words! {
    /// Markdown form of tables that exceed the features of Markdown.
    MarkdownTableStyle(dehusk_extract::document::MarkdownTables), default dehusk_extract::document::MarkdownTables::Gfm,
    "gfm" => dehusk_extract::document::MarkdownTables::Gfm, "html" => dehusk_extract::document::MarkdownTables::Html
}

/// Extensions of Markdown that are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MarkdownExtensionNames(pub MarkdownExtensions);

impl FromStr for MarkdownExtensionNames {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // `none` switches all of them off. It is not a name of one.
        if text == NO_NAME {
            return Ok(MarkdownExtensionNames(MarkdownExtensions::NONE));
        }
        let mut used = MarkdownExtensions::NONE;
        for name in text.split(',') {
            used = used.and(name.trim()).ok_or_else(|| {
                let known = MarkdownExtensions::NAMES.join(", ");
                format!("`{name}` is no extension; name some of {known}, joined by commas, or `none`")
            })?;
        }
        Ok(MarkdownExtensionNames(used))
    }
}

impl fmt::Display for MarkdownExtensionNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.0.names().collect();
        f.write_str(
            if names.is_empty() {
                NO_NAME.to_owned()
            } else {
                names.join(",")
            }
            .as_str(),
        )
    }
}

impl SettingValue for MarkdownExtensionNames {
    fn names() -> Names {
        Names::Several(MarkdownExtensions::NAMES.into_iter().chain([NO_NAME]).collect())
    }
}

/// Destination of readers' comments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comments {
    /// The text, on pages whose main content is comments.
    Auto,
    /// Like `Auto`, and also a field of the document.
    Field,
    /// Comments are left out.
    Omit,
}

words! {
    /// Destination of readers' comments.
    CommentPart(Comments), default Comments::Auto,
    "auto" => Comments::Auto, "field" => Comments::Field, "omit" => Comments::Omit
}

words! {
    /// Whether the main text includes a part of the page that only some definitions count as main text.
    InclusionPart(dehusk_extract::Inclusion), default dehusk_extract::Inclusion::Auto,
    "auto" => dehusk_extract::Inclusion::Auto, "keep" => dehusk_extract::Inclusion::Keep, "drop" => dehusk_extract::Inclusion::Drop
}

words! {
    /// Action for a duplicate.
    Policy(dehusk_dedup::Action), default dehusk_dedup::Action::Delete,
    "keep" => dehusk_dedup::Action::Keep, "demote" => dehusk_dedup::Action::Demote, "delete" => dehusk_dedup::Action::Delete
}

words! {
    /// Rule by which documents count as near-duplicates of a document that stays.
    DeletionRule(dehusk_dedup::Deletion), default dehusk_dedup::Deletion::Covered,
    "covered" => dehusk_dedup::Deletion::Covered, "transitive" => dehusk_dedup::Deletion::Transitive
}

words! {
    /// Comparison of short documents.
    ShortPolicy(dehusk_dedup::ShortDocuments), default dehusk_dedup::ShortDocuments::Exact,
    "exact" => dehusk_dedup::ShortDocuments::Exact, "near" => dehusk_dedup::ShortDocuments::Near
}

/// Rule by which documents with the same URL take part in the search for duplicates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SameUrl {
    /// All of them.
    Keep,
    /// The document with the latest date. Of equal or unknown dates, the last in the input.
    Newest,
    /// The first document in the input.
    First,
}

words! {
    /// Rule by which documents with the same URL take part in the search for duplicates.
    SameUrlRule(SameUrl), default SameUrl::Keep,
    "keep" => SameUrl::Keep, "newest" => SameUrl::Newest, "first" => SameUrl::First
}

/// Form of the words that lexical methods read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Terms {
    /// Unchanged words.
    #[default]
    Plain,
    /// Stems without stop words, by the language of each text. Where the language is not clear, words in Cyrillic letters count as Russian and
    /// words in Latin letters as English.
    Stemmed,
}

words! {
    /// Form of the words that lexical methods read.
    TermForm(Terms), default Terms::Plain,
    "plain" => Terms::Plain, "stemmed" => Terms::Stemmed
}

/// Compression of whole files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compression {
    /// No compression.
    None,
    /// gzip.
    Gzip,
    /// zstd.
    Zstd,
}

impl Compression {
    /// File extension of the compression; `None` without compression.
    pub fn extension(self) -> Option<&'static str> {
        match self {
            Compression::None => None,
            Compression::Gzip => Some("gz"),
            Compression::Zstd => Some("zst"),
        }
    }

    /// The compression that a file extension names; `None` for other extensions.
    pub fn of_path(path: &Path) -> Option<Compression> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        [Compression::Gzip, Compression::Zstd]
            .into_iter()
            .find(|compression| compression.extension() == Some(extension.as_str()))
    }
}

words! {
    /// Compression of whole files.
    OutputCompression(Compression), default Compression::None,
    "none" => Compression::None, "gzip" => Compression::Gzip, "zstd" => Compression::Zstd
}

words! {
    /// Unit of shingles.
    ShinglingUnit(dehusk_dedup::TextUnit), default dehusk_dedup::TextUnit::Word,
    "word" => dehusk_dedup::TextUnit::Word, "char" => dehusk_dedup::TextUnit::Char
}

/// Unit of passages: a unit of the text, or a run of tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PassageUnit {
    /// A line.
    Line,
    /// A sentence.
    Sentence,
    /// The text between empty lines.
    Paragraph,
    /// A run of tokens.
    #[default]
    Tokens,
}

words! {
    /// Unit of passages.
    PassageUnitName(PassageUnit), default PassageUnit::Tokens,
    "line" => PassageUnit::Line, "sentence" => PassageUnit::Sentence, "paragraph" => PassageUnit::Paragraph,
    "tokens" => PassageUnit::Tokens
}

/// Treatment of passages in the texts of documents.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Repeat {
    /// They stay: the lists have their positions.
    #[default]
    Keep,
    /// They stay at their first position, and are cut elsewhere.
    First,
    /// They are cut everywhere.
    Drop,
    /// They stay, and a field `repeated` of each document has their positions.
    Mark,
}

words! {
    /// Treatment of passages in the texts of documents.
    RepeatPolicy(Repeat), default Repeat::Keep,
    "keep" => Repeat::Keep, "first" => Repeat::First, "drop" => Repeat::Drop, "mark" => Repeat::Mark
}

/// The boundaries at which runs of tokens are cut from texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CutAt {
    /// The ends of the sentences and lines that lie wholly inside.
    #[default]
    Sentence,
    /// The ends of the run.
    Token,
}

words! {
    /// The boundaries at which runs of tokens are cut.
    CutBoundary(CutAt), default CutAt::Sentence,
    "sentence" => CutAt::Sentence, "token" => CutAt::Token
}

/// The part of a document in which passages are cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DocumentPart {
    /// All of it.
    #[default]
    Anywhere,
    /// From its beginning, and from its end, up to the first text that is not cut.
    Ends,
}

words! {
    /// The part of a document in which passages are cut.
    CutPart(DocumentPart), default DocumentPart::Anywhere,
    "anywhere" => DocumentPart::Anywhere, "ends" => DocumentPart::Ends
}

/// Treatment of documents that hold an item of a test set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OnMatch {
    /// They stay, and a field `repeated` has the positions of the items.
    #[default]
    Mark,
    /// The items are cut from them.
    Cut,
    /// They are dropped.
    Drop,
}

words! {
    /// Treatment of documents that hold an item of a test set.
    OnMatchPolicy(OnMatch), default OnMatch::Mark,
    "mark" => OnMatch::Mark, "cut" => OnMatch::Cut, "drop" => OnMatch::Drop
}
