//! The table of all settings. Each line defines a field of [`Settings`], a flag of the command line and a key of configuration files.

use std::path::PathBuf;

use dehusk_dedup::candidates::Candidates;
use dehusk_dedup::cluster::Clustering;
use dehusk_dedup::keep::Keeper;
use dehusk_dedup::sign::Method;
use dehusk_dedup::verify::Similarity;

use super::names::{ChosenProfile, ExtractorName, FormatName, ParserName};
use super::numbers::{Bytes, Depth, MaxBad, Memory, Positive, RunLength, Share, Threads, Threshold, Width};
use super::patterns::Patterns;
use super::strategy::Chosen;
use super::value::{Names, SettingValue};
use super::words::{
    CommentPart, CutBoundary, CutPart, DeletionRule, DigestRule, InclusionPart, MarkdownExtensionNames,
    MarkdownTableStyle, OutputCompression, PassageUnitName, Policy, RepeatPolicy, SameUrlRule, ShinglingUnit,
    ShortPolicy, TablePart, TermForm,
};
use crate::error::Error;
use crate::read::address::Base;
use crate::read::crawl_index::Condition;
use crate::read::format::Columns;
use crate::read::named_files::AllowedFolders;

/// One setting.
pub struct Setting {
    /// Long flag without dashes, and key in configuration files and in `summary.json`.
    pub name: &'static str,
    /// Letter of its short flag; `None` without one.
    pub short: Option<char>,
    /// Group that it belongs to.
    pub group: Group,
    /// Name of its value in help texts.
    pub value: &'static str,
    /// Another setting that cannot be combined with it.
    pub excludes: Option<&'static str>,
    /// Value if the setting is not set.
    pub default: DefaultValue,
    alone: Option<&'static str>,
    range: &'static str,
    about: &'static str,
    names: fn() -> Names,
    set: fn(&mut Settings, &str) -> Result<(), String>,
}

impl Setting {
    /// Effect of the setting, in sentences without a final full stop.
    pub fn about(&self) -> &'static str {
        self.about.trim()
    }

    /// The possible values with their unit: `1 to 1024`. Empty for free texts.
    pub fn range(&self) -> String {
        match self.names() {
            _ if !self.range.is_empty() => self.range.to_owned(),
            Names::Only(names) | Names::OrFile(names) | Names::WithParameters(names) => names.join(", "),
            Names::Several(names) => names.join(", "),
            Names::Any | Names::Many => String::new(),
        }
    }

    /// Effect, range, unit and default, as help texts show them. Names of values are shown separately.
    pub fn help(&self) -> String {
        let default = self.default.text();
        match (self.range, self.default) {
            (_, DefaultValue::Value("false")) => self.about().to_owned(),
            ("", _) => format!("{} [default: {default}]", self.about()),
            (range, _) => format!("{} [{range}; default: {default}]", self.about()),
        }
    }

    /// Value if the flag is given without one; `None` if the flag needs a value.
    pub fn alone(&self) -> Option<&'static str> {
        match self.value {
            "BOOL" => Some("true"),
            _ => self.alone,
        }
    }

    /// The possible values, by name.
    pub fn names(&self) -> Names {
        (self.names)()
    }

    /// Parses `text` and sets the value in `settings`.
    ///
    /// # Errors
    /// A message that states what is wrong with the value and which values are possible.
    pub fn set(&self, settings: &mut Settings, text: &str) -> Result<(), String> {
        (self.set)(settings, text)
    }
}

/// Value of a setting that is not set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DefaultValue {
    /// This value, which can also be set explicitly.
    Value(&'static str),
    /// A value that depends on other settings, the inputs or the machine, or no value at all: described in
    /// words.
    Otherwise(&'static str),
}

impl DefaultValue {
    /// The value or its description.
    pub fn text(self) -> &'static str {
        let (DefaultValue::Value(text) | DefaultValue::Otherwise(text)) = self;
        text
    }
}

/// Groups of settings. A verb accepts whole groups.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// How inputs are read.
    Input,
    /// Pages that an index of archives lists.
    Index,
    /// Which files records may name.
    NamedFiles,
    /// URLs of pages.
    Addresses,
    /// Format of row files.
    Output,
    /// Extraction of main text.
    Extractor,
    /// Optional parts of pages.
    Parts,
    /// Further fields of a document.
    Fields,
    /// How pages are parsed, and what they may cost.
    Parsing,
    /// Layouts measured by a browser.
    Layouts,
    /// Templates and rules of sites.
    Sites,
    /// Learning of templates.
    Learning,
    /// Passages that stand at several places.
    Passages,
    /// Tokenization for the search for duplicates.
    Text,
    /// Signatures of documents.
    Signing,
    /// Saving of counted statistics.
    SaveStats,
    /// Similarity of documents.
    Similarity,
    /// Actions for duplicates.
    Duplicates,
    /// Index of earlier documents.
    Against,
    /// Memory limit.
    Memory,
    /// Folder of temporary files.
    TemporaryFiles,
    /// Threads and exit codes.
    Running,
}

impl Group {
    /// The heading that its flags stand under in help texts and its settings in the manual.
    pub fn heading(self) -> &'static str {
        match self {
            Group::Input | Group::Index | Group::NamedFiles => "Input",
            Group::Output => "Output",
            Group::Addresses => "Addresses of pages",
            Group::Extractor => "Main text",
            Group::Parts | Group::Fields => "Parts of pages",
            Group::Parsing => "Parsing and limits",
            Group::Layouts | Group::Sites | Group::Learning => "Layouts and sites",
            Group::Passages => "Repeated passages",
            Group::Text | Group::Signing | Group::SaveStats => "Comparing documents",
            Group::Similarity => "Which documents are duplicates",
            Group::Duplicates | Group::Against => "Which documents stay",
            Group::Memory | Group::TemporaryFiles | Group::Running => "Running",
        }
    }
}

/// Declares [`Settings`] and [`ALL`].
macro_rules! settings {
    ($($group:ident {$(
        $(#[doc = $doc:literal])+
        $field:ident $name:literal: $type:ty, $value:literal $(, short $short:literal)? $(, alone $alone:literal)? $(, excludes $other:literal)?
            $(, range $range:literal)? $(, default $default:literal)? $(, otherwise $otherwise:literal)?;
    )+})+) => {
        /// All settings. `None` means that a setting is not set and its default applies.
        ///
        /// ```
        /// use dehusk_pipeline::Settings;
        ///
        /// let mut settings = Settings::default();
        /// settings.threshold = Some("0.7".parse()?); // as in a configuration file
        /// settings.markdown = Some(true);
        /// let given = Settings::default().or(settings);
        /// assert_eq!(given.duplicates()?.threshold(), 0.7);
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        #[derive(Clone, Debug, Default)]
        #[non_exhaustive]
        pub struct Settings {
            $($(
                $(#[doc = $doc])+
                ///
                $(#[doc = concat!("Range: ", $range, ".")])?
                $(#[doc = concat!("Default: `", $default, "`.")])?
                $(#[doc = concat!("Default: ", $otherwise, ".")])?
                pub $field: Option<$type>,
            )+)+
        }

        impl Settings {
            /// These settings, with missing values taken from `other`.
            #[must_use]
            pub fn or(self, other: Settings) -> Settings {
                Settings { $($($field: self.$field.or(other.$field),)+)+ }
            }
        }

        /// Every setting, in the order of the help texts.
        pub static ALL: &[Setting] = &[$($(Setting {
            name: $name,
            short: settings!(@optional $($short)?),
            group: Group::$group,
            value: $value,
            alone: settings!(@optional $($alone)?),
            excludes: settings!(@optional $($other)?),
            default: settings!(@default $($default)? $(, $otherwise)?),
            range: concat!($($range)?),
            about: concat!($($doc),+),
            names: <$type as SettingValue>::names,
            set: |settings, text| {
                let value: $type = text.parse().map_err(|error| format!("{error}"))?;
                settings.$field = Some(value);
                Ok(())
            },
        },)+)+];
    };
    (@default $default:literal) => { DefaultValue::Value($default) };
    (@default , $otherwise:literal) => { DefaultValue::Otherwise($otherwise) };
    (@optional) => { None };
    (@optional $value:literal) => { Some($value) };
}

settings! {
    Input {
        /// Format of the inputs
        input_format "input-format": FormatName, "FORMAT", otherwise "by their extensions, else by their first bytes";
        /// Fields of JSON Lines and columns of Parquet that are read under another name, such as html=content or text=meta.content; may be given
        /// several times
        column "column": Columns, "OURS=THEIRS", range "a field of records, `=`, and a field of the files or a path into nested ones", otherwise "fields have our names";
        /// Looks into all files of folders, hidden ones and those of any extension, and reads those that are pages or archives by their first
        /// bytes; else extensions of style sheets, images and the like, and hidden files, are passed over unread
        all_files "all-files": bool, "BOOL", default "false";
        /// What it means that a record of an archive has another digest than its head says: the page is used with a warning if the digest of its
        /// payload is right, or none is given; it is rejected; or nothing
        digests "digests": DigestRule, "HOW", default "warn";
    }
    Index {
        /// Reads the inputs as indexes of archives, with the name, offset and length of each capture: CDXJ, CDX, ZipNum (cluster.idx), JSON Lines,
        /// CSV and Parquet. Only the captures that they list are fetched, the newest of each address
        index "index": bool, "BOOL", default "false";
        /// Condition that rows of the index must fulfil to be fetched: comparisons of its columns, `in`, `like`, `is null`, joined by `and`, `or` and
        /// `not`, as in "languages = 'rus' and url like '%.example/%'"
        condition "where": Condition, "CONDITION", range "a condition over the columns of the index", otherwise "all rows";
    }
    NamedFiles {
        /// Folders in which records may name files by `path`, beside the folder of their list, or the current one for standard input;
        /// may be given several times
        allow_paths "allow-paths": AllowedFolders, "DIR", range "folders that are there, parted by commas", otherwise "the folder of the list alone";
    }
    Addresses {
        /// Address of the folders that are read: a page without one has this with its path in its folder. With `--index`, the address or the folder
        /// below which the archives of the index lie, such as s3://commoncrawl/
        base "base": Base, "URL", range "an address of http or https, without query; with `--index` also one of s3, gs or az, or a folder", otherwise "the page's canonical link, else its place in a mirror; with `--index` the folder of the index";
    }
    Output {
        /// Compression of what is written, whatever its threads; formats that compress by themselves take none
        compress "compress": OutputCompression, "HOW", otherwise "by the extension of the output, .gz or .zst, else none";
        /// Gives tables of documents all columns, also those that no document has a value for
        all_columns "all-columns": bool, "BOOL", default "false";
        /// Size from which on a list goes on in another file: rows are counted before they are compressed, and names get a number, as
        /// in documents-00000.jsonl
        shard_size "shard-size": Memory, "SIZE", range "1 byte or more, such as 1GiB", otherwise "one file";
    }
    Extractor {
        /// Extractor
        extractor "extractor": ExtractorName, "NAME[:PARAMETER=VALUE,...]", default "default";
        /// Uses only the first trees of `default`: faster, and a little worse
        fast "fast": bool, "BOOL", default "false";
        /// Drops what `default` is unsure of: less boilerplate, and some text missing
        precision "precision": bool, "BOOL", excludes "recall", default "false";
        /// Keeps what `default` is unsure of: little text missing, and more boilerplate
        recall "recall": bool, "BOOL", excludes "precision", default "false";
    }
    Parts {
        /// Title in the text: as the extractor decides for the page, always, or never
        title "title": InclusionPart, "WHAT", default "auto";
        /// Captions of images and tables in the text: as the extractor decides, always where they stand in the text, or never, credits included
        captions "captions": InclusionPart, "WHAT", default "auto";
        /// Lines in the text that say who wrote it, and when: as the extractor decides, always where they stand at the text, or never
        byline "byline": InclusionPart, "WHAT", default "auto";
        /// Data tables: in the text, in the text and in a field `tables`, or left out
        tables "tables": TablePart, "WHERE", default "text";
        /// Readers' comments: in the text only where the page is about them, as in a thread of a forum; the same, and in a
        /// field `comments` with author and date; or left out of every text
        comments "comments": CommentPart, "WHERE", default "auto";
    }
    Fields {
        /// Adds a field `markdown` to each document
        markdown "markdown": bool, "BOOL", default "false";
        /// Tables in Markdown that hold more than it can say, such as cells over several columns or lists in cells: as tables of Markdown, where each
        /// cell stands in the first of its places and its blocks on one line, or as HTML
        markdown_tables "markdown-tables": MarkdownTableStyle, "HOW", default "gfm";
        /// Extensions of CommonMark and GFM that Markdown uses, for notes, lists of terms and formulas. Without them notes are a numbered list at the
        /// end, terms stand in bold before their meanings, and formulas are code
        markdown_extensions "markdown-extensions": MarkdownExtensionNames, "NAMES", range "some of footnotes, definition-lists, dollars, joined by commas, or none", default "footnotes,definition-lists,dollars";
        /// Adds a field `html` to each document: the main text as HTML of structure, links and images alone
        html "html": bool, "BOOL", default "false";
        /// Adds a field `content` to each document: its main text as a tree of typed blocks, from which all other forms can be written
        content "content": bool, "BOOL", default "false";
        /// Writes the targets of links into Markdown; HTML always has them
        links "links": bool, "BOOL", default "false";
        /// Writes images into Markdown; HTML and content always have them
        images "images": bool, "BOOL", default "false";
        /// Adds a field `blocks` to each document: every block of the page, kept or dropped, with the reason
        blocks "blocks": bool, "BOOL", default "false";
        /// Adds a field `structured` to each document: what the page says in JSON-LD, microdata and RDFa, in one form, with rating, price and
        /// identifiers
        structured "structured": bool, "BOOL", default "false";
    }
    Parsing {
        /// Parser of pages; all give the same tree
        parser "parser": ParserName, "NAME", default "whatwg";
        /// Bytes of a page that are read; the rest is cut off
        max_bytes "max-bytes": Bytes, "BYTES", range "1 byte to 256MiB", default "64MiB";
        /// Open elements of a page; deeper ones become siblings
        max_depth "max-depth": Depth, "N", range "16 elements or more", default "512";
        /// Time for a page, an emergency brake: what is found by then is used, and the output depends on the machine
        timeout_ms "timeout-ms": u64, "MS", range "0 milliseconds or more", otherwise "no limit";
        /// Works on pages in the program itself, and not in processes of their own: somewhat faster, but a page that kills its
        /// process ends everything
        in_process "in-process": bool, "BOOL", default "false";
    }
    Layouts {
        /// File of layouts that `dehusk render` made: a page that has one in it is extracted with it
        layout "layout": PathBuf, "FILE", otherwise "none";
    }
    Sites {
        /// Folder of templates that `dehusk site learn` made: pages of their sites are extracted by them
        templates "templates": PathBuf, "DIR", otherwise "none";
        /// Folder of rules by hand, `.toml` files: pages of their hosts are extracted by them, before all else
        rules "rules": PathBuf, "DIR", otherwise "none";
    }
    Learning {
        /// Learns templates of the sites of the pages first, and extracts by them; sites that have templates already keep those. Reads
        /// the inputs twice (standard input is kept on disk for that), and writes the templates to the folder `templates` of the output
        /// folder
        learn_sites "learn-sites": bool, "BOOL", default "false";
    }
    Passages {
        /// Looks for passages that stand at several places, before documents are compared: lines, sentences, paragraphs between empty lines, or
        /// runs of tokens. Texts that `--repeat` cuts are compared as they are then; documents.jsonl has the whole texts and the places
        passages "passages": PassageUnitName, "UNIT", alone "tokens", otherwise "passages are not looked for; `tokens` if no unit is given";
        /// Tokens of the shortest run that counts, where passages are runs of tokens
        min_run "min-run": RunLength, "N", range "1 to 10000 tokens", otherwise "50, and 13 for items of a test set";
        /// Least number of documents that have a passage; 1 also counts passages that occur twice in one document
        min_documents "min-documents": Positive, "N", range "1 document or more", default "1";
        /// Least number of hosts that have a passage; documents without an address count for no host
        min_hosts "min-hosts": u32, "N", range "0 hosts or more", default "0";
        /// Tokens of the shortest line, sentence or paragraph that counts as a passage
        min_unit "min-unit": Positive, "N", range "1 token or more", default "1";
        /// Treatment of passages in the texts: they stay, stay only where they stand first in the input, are cut everywhere, or stay
        /// and are listed in a field `repeated`
        repeat "repeat": RepeatPolicy, "POLICY", default "keep";
        /// Where runs of tokens are cut: at the ends of the sentences and lines that lie wholly inside, or at the ends of the run
        cut "cut": CutBoundary, "WHERE", default "sentence";
        /// Where in a document passages are cut: anywhere, or at its ends only, which are its passages from the beginning or the end on up to
        /// the first text that is not cut
        at "at": CutPart, "WHERE", default "anywhere";
        /// Cuts passages that at least this share of the documents of their host have; above 0, passages that several hosts have, or none, stay
        min_host_share "min-host-share": Share, "SHARE", range "0 to 1", default "0";
        /// Largest share of its characters that a document may lose to `--repeat` and still be kept; one that has lost all is always dropped
        max_share "max-share": Share, "SHARE", range "0 to 1", default "1";
        /// Share of a document's tokens that stand in one other document, in common runs, from which on it counts as contained in that one:
        /// contained.jsonl lists both
        min_contained "min-contained": Share, "SHARE", range "0 to 1", default "0.9";
        /// Treatment of documents that are contained in a longer one that stays, or in an earlier one of the same length
        on_contained "on-contained": Policy, "POLICY", otherwise "keep";
    }
    Similarity {
        /// Smallest similarity of duplicates
        threshold "threshold": Threshold, "SHARE", range "above 0, up to 1", default "0.8";
        /// Candidate method
        candidates "candidates": Chosen<dyn Candidates>, "NAME[:PARAMETER=VALUE,...]", otherwise "what suits the similarity and the signatures";
        /// Similarity that verifies candidates
        similarity "similarity": Chosen<dyn Similarity>, "NAME[:PARAMETER=VALUE,...]", default "jaccard";
        /// How short documents are compared: with those of the same words only, or like all others
        short_docs "short-docs": ShortPolicy, "HOW", default "exact";
        /// Normalization before a duplicate counts as exact: case, digits, punctuation, signs and symbols differ by `canonical`. Duplicates
        /// that only `--profile` makes equal are near-duplicates of similarity 1
        exact_profile "exact-profile": ChosenProfile, "NAME|FILE", default "canonical";
    }
    Text {
        /// Width of a shingle; wide shingles change with more of their surroundings
        shingle "shingle": Width, "N", range "1 to 1000 words or characters", default "4";
        /// What a shingle is a run of
        unit "unit": ShinglingUnit, "UNIT", default "word";
        /// Normalization before documents are compared; `spaceless` goes with `--unit char`, `none` with texts that are
        /// normalized already, and a file that ends in .toml has a profile of your own
        profile "profile": ChosenProfile, "NAME|FILE", default "near";
        /// Words below which a document is short
        min_tokens "min-tokens": u32, "N", range "0 words or more", default "20";
        /// Share of symbols among the words and symbols of a text above which the symbols that `--profile near` drops are compared, too, as
        /// in code, formulas and tables; in texts of fewer words than `--min-tokens` they always are. 1 compares them in none
        symbol_share "symbol-share": Share, "SHARE", range "0 to 1", default "0.3";
    }
    Signing {
        /// Signature method
        signature "signature": Chosen<dyn Method>, "NAME[:PARAMETER=VALUE,...]", default "minhash";
        /// What lexical methods read: words as they are, or stems without stop words, both of the language of each text
        terms "terms": TermForm, "FORM", otherwise "stemmed for the signatures that pick words, else plain";
        /// Statistics of a collection, as `--save-stats` wrote them, for the methods that need them
        stats "stats": PathBuf, "FILE", otherwise "counted in a pass over the documents";
        /// Seed of the hash functions; signatures of different seeds do not compare
        seed "seed": u64, "N", range "0 or more", otherwise "that of the signature method, else 42";
    }
    Duplicates {
        /// What goes as a near-duplicate: only documents that are a verified pair of one that stays, or transitively all others of its
        /// cluster, with documents that are like nothing that stays
        delete "delete": DeletionRule, "RULE", default "covered";
        /// How documents are grouped; with `--delete transitive`, one of each group stays
        cluster "cluster": Chosen<dyn Clustering>, "NAME[:PARAMETER=VALUE,...]", otherwise "cover: each document that stays with those that it stands for; components with `--delete transitive`";
        /// Which of several similar documents stays; where all else is equal, the first in the input
        keep "keep": Chosen<dyn Keeper>, "NAME[:PARAMETER=VALUE,...]", default "first-seen";
        /// Documents that stay before all others, whatever `keep` says: those whose address, file or id is of an earlier pattern, in which
        /// `*` stands for any characters and `?` for one; may be given several times
        prefer "prefer": Patterns, "PATTERN", range "patterns without commas, the most preferred first", otherwise "no source comes before another";
        /// Which of several documents of one address are compared: all, the newest by date, else the last in the input, or the first in the
        /// input. The others go, whatever they say; documents without an address are all compared
        same_url "same-url": SameUrlRule, "WHICH", default "keep";
        /// What becomes of exact duplicates of a document that stays
        on_exact "on-exact": Policy, "POLICY", default "delete";
        /// What becomes of near-duplicates of it
        on_near "on-near": Policy, "POLICY", default "delete";
        /// Writes every pair of duplicates that was found, which may be as many as the square of the documents; else one row stands
        /// for all pairs of copies, and in clusters of more than 100 texts one links each text to the one that stays, or to the most
        /// similar
        all_pairs "all-pairs": bool, "BOOL", default "false";
    }
    Against {
        /// Index of documents that are there already, as `dehusk index` makes it: their duplicates go, and matches.jsonl names
        /// the document of the index for each. Settings are those of the index
        against "against": PathBuf, "DIR", otherwise "none";
    }
    SaveStats {
        /// Saves the statistics of the documents, so that `--stats` can sign later documents in the same way
        save_stats "save-stats": PathBuf, "FILE", excludes "stats", otherwise "not saved";
    }
    Memory {
        /// Memory that may be taken; what does not fit goes to temporary files or is read again, and where it can do neither, the work
        /// ends with an error that names the size it needs. The output does not depend on it
        memory "memory": Memory, "SIZE", range "1 byte or more, such as 256MiB", otherwise "no limit";
    }
    TemporaryFiles {
        /// Folder for temporary files
        temp_dir "temp-dir": PathBuf, "DIR", otherwise "the output folder";
    }
    Running {
        /// Worker threads; the output does not depend on it
        threads "threads": Threads, "N", short 'j', range "1 to 1024", otherwise "one for each processor";
        /// Rejected records above which the exit code is 3: a number, or a share of the records
        max_bad "max-bad": MaxBad, "N|N%", range "0 records or more, or 0% to 100%", otherwise "1%, or 2 records if that is more, but less than half, and none cut off";
    }
}

impl Settings {
    /// Sets the setting named `name`.
    ///
    /// # Errors
    /// If there is no such setting, or the value is not possible.
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
