//! The table of all settings: one line each gives a field of [`Settings`], a flag of the command line and a key of
//! configuration files.

use std::path::PathBuf;

use dehusk_dedup::candidates::Candidates;
use dehusk_dedup::cluster::Clustering;
use dehusk_dedup::keep::Keeper;
use dehusk_dedup::sign::Method;
use dehusk_dedup::verify::Similarity;

use super::names::{ExtractorName, FormatName, ParserName, ProfileName};
use super::numbers::{Bytes, MaxBad, Memory, Threads, Threshold, Width};
use super::strategy::Chosen;
use super::value::{Names, SettingValue};
use super::words::{CommentPart, OutputCompression, Policy, ShinglingUnit, ShortPolicy, TablePart, TermForm};
use crate::error::Error;
use crate::read::format::Columns;

/// One setting.
pub struct Setting {
    /// Long flag without dashes, and key in configuration files and in `summary.json`.
    pub name: &'static str,
    /// The letter of its short flag, if it has one.
    pub short: Option<char>,
    /// What takes it.
    pub group: Group,
    /// What help calls its value.
    pub value: &'static str,
    /// Another setting that cannot be set together with it.
    pub excludes: Option<&'static str>,
    help: &'static str,
    names: fn() -> Names,
    set: fn(&mut Settings, &str) -> Result<(), String>,
}

impl Setting {
    /// Unit, range, default and effect.
    pub fn help(&self) -> &'static str {
        self.help.trim()
    }

    /// The texts that it takes.
    pub fn names(&self) -> Names {
        (self.names)()
    }

    /// Reads its value.
    ///
    /// # Errors
    /// What is wrong with the value, and what is possible.
    pub fn set(&self, settings: &mut Settings, text: &str) -> Result<(), String> {
        (self.set)(settings, text)
    }
}

/// Settings that a verb takes together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// How inputs are read.
    Input,
    /// What files of rows are like.
    Output,
    /// How the main text of a page is found.
    Extractor,
    /// Optional parts of pages.
    Parts,
    /// Further fields of a document.
    Fields,
    /// How pages are parsed, and what they may cost.
    Parsing,
    /// What is known of sites.
    Sites,
    /// What of a document is compared.
    Text,
    /// How documents are signed.
    Signing,
    /// Where counted statistics go.
    SaveStats,
    /// Which documents are similar.
    Similarity,
    /// What becomes of duplicates.
    Duplicates,
    /// Documents that are there already.
    Against,
    /// What the work may take.
    Memory,
    /// Where temporary files go.
    TemporaryFiles,
    /// How the work is done.
    Running,
}

impl Group {
    /// The heading that its flags stand under in help texts; options in general have none.
    pub fn heading(self) -> Option<&'static str> {
        match self {
            Group::Input | Group::Output => None,
            Group::Extractor | Group::Parts | Group::Fields | Group::Parsing => Some("Extraction"),
            Group::Sites => Some("Sites"),
            Group::Text
            | Group::Signing
            | Group::SaveStats
            | Group::Similarity
            | Group::Duplicates
            | Group::Against => Some("Duplicates"),
            Group::Memory | Group::TemporaryFiles | Group::Running => Some("Running"),
        }
    }
}

/// Declares [`Settings`] and [`ALL`].
macro_rules! settings {
    ($($group:ident {$(
        $(#[doc = $doc:literal])+
        $field:ident $name:literal: $type:ty, $value:literal $(, short $short:literal)? $(, excludes $other:literal)?;
    )+})+) => {
        /// Everything that can be set. A field that is `None` was not set, and its default holds.
        #[derive(Clone, Debug, Default)]
        #[non_exhaustive]
        pub struct Settings {
            $($($(#[doc = $doc])+ pub $field: Option<$type>,)+)+
        }

        impl Settings {
            /// These settings, with what is not set taken from `other`.
            #[must_use]
            pub fn or(self, other: Settings) -> Settings {
                Settings { $($($field: self.$field.or(other.$field),)+)+ }
            }
        }

        /// Every setting, in the order in which help texts list them.
        pub static ALL: &[Setting] = &[$($(Setting {
            name: $name,
            short: settings!(@optional $($short)?),
            group: Group::$group,
            value: $value,
            excludes: settings!(@optional $($other)?),
            help: concat!($($doc),+),
            names: <$type as SettingValue>::names,
            set: |settings, text| {
                let value: $type = text.parse().map_err(|error| format!("{error}"))?;
                settings.$field = Some(value);
                Ok(())
            },
        },)+)+];
    };
    (@optional) => { None };
    (@optional $value:literal) => { Some($value) };
}

settings! {
    Input {
        /// Format of the inputs [default: by their extensions]
        input_format "input-format": FormatName, "FORMAT";
        /// Columns of Parquet files that are read as fields under another name, such as html=content; may be given several times
        /// [default: columns have the names of fields]
        column "column": Columns, "OURS=THEIRS";
    }
    Output {
        /// Compression of what is written, whatever its threads; formats that compress by themselves take none [default: by the
        /// extension of the output, .gz or .zst, else none]
        compress "compress": OutputCompression, "HOW";
        /// Size from which on a list goes on in another file, such as 1GiB: rows are counted before they are compressed, and names get
        /// a number, as in documents-00000.jsonl [default: one file]
        shard_size "shard-size": Memory, "SIZE";
    }
    Extractor {
        /// Extractor [default: default]
        extractor "extractor": ExtractorName, "NAME[:PARAMETER=VALUE,...]";
        /// Uses only the first trees of `default`: faster, and a little worse
        fast "fast": bool, "BOOL";
        /// Drops what `default` is unsure of: less boilerplate, and some text missing
        precision "precision": bool, "BOOL", excludes "recall";
        /// Keeps what `default` is unsure of: little text missing, and more boilerplate
        recall "recall": bool, "BOOL", excludes "precision";
    }
    Parts {
        /// Data tables: in the text, in the text and in a field `tables`, or left out [default: text]
        tables "tables": TablePart, "WHERE";
        /// Readers' comments: in the text only where the page is about them, as in a thread of a forum; the same, and in a
        /// field `comments` with author and date; or left out of every text [default: auto]
        comments "comments": CommentPart, "WHERE";
    }
    Fields {
        /// Adds a field `markdown` to each document
        markdown "markdown": bool, "BOOL";
        /// Adds a field `html` to each document: the main text as HTML of structure, links and images alone
        html "html": bool, "BOOL";
        /// Adds a field `content` to each document: paragraphs, headings, lists, tables, code, quotes, formulas and images
        content "content": bool, "BOOL";
        /// Writes the targets of links into Markdown; HTML always has them
        links "links": bool, "BOOL";
        /// Writes images into Markdown; HTML and content always have them
        images "images": bool, "BOOL";
        /// Adds a field `blocks` to each document: every block of the page, kept or dropped, with the reason
        blocks "blocks": bool, "BOOL";
    }
    Parsing {
        /// Parser of pages; all give the same tree [default: whatwg]
        parser "parser": ParserName, "NAME";
        /// Bytes of a page that are read, up to 256MiB; the rest is cut off [default: 64MiB]
        max_bytes "max-bytes": Bytes, "BYTES";
        /// Open elements of a page, 16 or more; deeper ones become siblings [default: 512]
        max_depth "max-depth": u32, "N";
        /// Time for a page, an emergency brake: what is found by then is used, and the output depends on the machine [default: no limit]
        timeout_ms "timeout-ms": u64, "MS";
        /// Works on pages in the program itself, and not in processes of their own: somewhat faster, but a page that kills its
        /// process ends everything
        in_process "in-process": bool, "BOOL";
    }
    Sites {
        /// Folder of templates that `dehusk site learn` made: pages of their sites are extracted by them
        templates "templates": PathBuf, "DIR";
        /// Folder of rules by hand, `.toml` files: pages of their hosts are extracted by them, before all else
        rules "rules": PathBuf, "DIR";
    }
    Similarity {
        /// Smallest similarity of duplicates, above 0 and up to 1 [default: 0.8]
        threshold "threshold": Threshold, "SHARE";
        /// Candidate method [default: what suits the signatures]
        candidates "candidates": Chosen<dyn Candidates>, "NAME[:PARAMETER=VALUE,...]";
        /// Similarity that verifies candidates [default: jaccard]
        similarity "similarity": Chosen<dyn Similarity>, "NAME[:PARAMETER=VALUE,...]";
        /// Words below which a document is short [default: 20]
        min_tokens "min-tokens": u32, "N";
        /// How short documents are compared: with identical ones only, or like all others [default: exact]
        short_docs "short-docs": ShortPolicy, "HOW";
    }
    Text {
        /// Words in a shingle; wide shingles change with more of their surroundings [default: 4]
        shingle "shingle": Width, "N";
        /// What a shingle is a run of [default: word]
        unit "unit": ShinglingUnit, "UNIT";
        /// Normalization before documents are compared; `spaceless` goes with `--unit char`, `none` with texts that are
        /// normalized already [default: near]
        profile "profile": ProfileName, "NAME";
    }
    Signing {
        /// Signature method [default: minhash]
        signature "signature": Chosen<dyn Method>, "NAME[:PARAMETER=VALUE,...]";
        /// What lexical methods read: words as they are, or Russian and English stems without stop words [default: stemmed
        /// for the signatures that pick words, else plain]
        terms "terms": TermForm, "FORM";
        /// Statistics of a collection, as `--save-stats` wrote them, for the methods that need them [default: counted in a
        /// pass over the documents]
        stats "stats": PathBuf, "FILE";
        /// Seed of the hash functions; signatures of different seeds do not compare [default: 42]
        seed "seed": u64, "N";
    }
    Duplicates {
        /// Clustering [default: merge-center]
        cluster "cluster": Chosen<dyn Clustering>, "NAME[:PARAMETER=VALUE,...]";
        /// Which document of a cluster stays [default: first-seen]
        keep "keep": Chosen<dyn Keeper>, "NAME[:PARAMETER=VALUE,...]";
        /// What becomes of copies of a document that stays [default: delete]
        on_exact "on-exact": Policy, "POLICY";
        /// What becomes of near-duplicates of it [default: delete]
        on_near "on-near": Policy, "POLICY";
        /// Writes every pair of duplicates, which may be as many as the square of the documents; else one row stands for all pairs
        /// of copies, and in clusters of more than 100 texts one links each text to the one that stays, or to the most similar
        all_pairs "all-pairs": bool, "BOOL";
    }
    Against {
        /// Index of documents that are there already, as `dehusk index` makes it: their duplicates go, and matches.jsonl names
        /// which of which. Settings are those of the index
        against "against": PathBuf, "DIR";
    }
    SaveStats {
        /// Saves the statistics of the documents, so that later ones can be signed alike with `--stats`
        save_stats "save-stats": PathBuf, "FILE", excludes "stats";
    }
    Memory {
        /// Memory that may be taken, such as 256MiB; what does not fit goes to temporary files or is read again, and where it
        /// can do neither, the work ends and tells what it needs. The output does not depend on it [default: no limit]
        memory "memory": Memory, "SIZE";
    }
    TemporaryFiles {
        /// Folder for temporary files [default: the output folder]
        temp_dir "temp-dir": PathBuf, "DIR";
    }
    Running {
        /// Worker threads, 1 to 1024; the output does not depend on it [default: one for each processor]
        threads "threads": Threads, "N", short 'j';
        /// Rejected records above which the exit code is 3: a number, or a share such as 5% [default: 1%, none cut off]
        max_bad "max-bad": MaxBad, "N|N%";
    }
}

impl Settings {
    /// Sets the setting of that name.
    ///
    /// # Errors
    /// If there is no such setting, or it cannot have this value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), Error> {
        let setting = ALL.iter().find(|setting| setting.name == name).ok_or_else(|| {
            let known: Vec<&str> = ALL.iter().map(|setting| setting.name).collect();
            Error::usage(format!("unknown setting `{name}`; known: {}", known.join(", ")))
        })?;
        setting
            .set(self, value)
            .map_err(|wrong| Error::value(name, wrong))
    }
}
