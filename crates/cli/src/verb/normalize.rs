//! `dehusk normalize`

use std::io;
use std::path::Path;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use dehusk_pipeline::Error;
use dehusk_pipeline::normalize::Numbers;
use dehusk_pipeline::output_format::{Jsonl, RowFormat};
use dehusk_pipeline::record::RowKind;
use dehusk_pipeline::settings::table::Group;
use dehusk_pipeline::settings::{Bytes, FormatName, profile};
use dehusk_pipeline::verbs::normalize::{self, Input, LanguageCode, Making, Tokens};

use crate::flags::input::InputFlags;
use crate::flags::names::{chosen_format, output_format, value_of};
use crate::flags::out::OutFile;
use crate::flags::running::RunFlags;
use crate::flags::settings::{SettingFlags, TakesSettings};
use crate::work::Work;
use crate::{outcome, reading};

/// Normalizes texts, and cuts them into tokens and sentences
///
/// Reads a plain text in UTF-8, or documents: JSON Lines with `text`, and `id` or `url` if known. Folders and files named
/// .jsonl or .ndjson hold documents; other files and standard input are plain texts unless `--input-format jsonl` is given.
///
/// Writes JSON Lines with `id` and `text`, or with tokens or sentences in the place of `text`. Byte offsets count from 0
/// in the UTF-8 form of the original text.
///
/// A profile of your own is a file in TOML, such as
///
///   passes = ["nfkc", "lower-case", "numbers", "white-space"]
///
/// or a built-in one with changes, each pass in its place:
///
///   base = "near"
///   add = ["dictionary"]
///   remove = ["hyphenation"]
///
/// with `numbers = "mask"` and `name = "mine"` if you like. `dehusk methods` lists the passes. An order that cannot be
/// right is refused with the reason.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct Normalize {
    #[command(flatten)]
    input: InputFlags,

    /// Form of the inputs: text, or a format of documents [default: by their extensions]
    #[arg(long, value_name = "FORMAT", value_parser = read_form)]
    input_format: Option<Form>,

    /// Profile: none, canonical, exact, near, spaceless, search, or a file of your own that ends in .toml.
    #[arg(long, value_name = "NAME|FILE", default_value = "near")]
    profile: String,

    /// Treatment of numbers [default: that of the profile]
    #[arg(long, value_name = "HOW",
          value_parser = PossibleValuesParser::new(Numbers::ALL.iter().map(|mode| mode.name()))
              .try_map(|name| Numbers::find(&name)))]
    numbers: Option<Numbers>,

    /// Writes `tokens`, the words of the normalized text.
    #[arg(long)]
    tokens: bool,

    /// Adds `offsets`: the first byte of each token in the original, and the byte after its last one.
    #[arg(long, requires = "tokens")]
    offsets: bool,

    /// Reduces tokens to stems, by the language of each document. Where the language is not clear, tokens in Cyrillic
    /// letters are stemmed as Russian, tokens in Latin letters as English.
    #[arg(long, requires = "tokens")]
    stem: bool,

    /// Removes function words of the language of each document. Russian and English ones are both removed if the language
    /// is one of these, or not clear.
    #[arg(long, requires = "tokens")]
    stop_words: bool,

    /// Language of the documents for stems and stop words, such as `ru` [default: detected from the text of each]
    #[arg(long, value_name = "CODE", requires = "tokens")]
    language: Option<LanguageCode>,

    /// Writes `sentences` of the original text, each with `start`, `end` and `text`.
    #[arg(long)]
    sentences: bool,

    /// Format of the output; text, the normalized text alone, is for a single plain text [default: by the extension of the
    /// output, else jsonl]
    #[arg(long, value_name = "FORMAT", value_parser = output_format(RowKind::Normalized))]
    output_format: Option<&'static dyn RowFormat>,

    #[command(flatten)]
    out: OutFile,

    /// Maximum bytes of a text, up to 1GiB; longer ones are rejected [default: 64MiB]
    #[arg(long, value_name = "BYTES", value_parser = value_of::<Bytes>())]
    max_bytes: Option<Bytes>,

    #[command(flatten)]
    settings: SettingFlags<Normalize>,

    #[command(flatten)]
    run: RunFlags,
}

impl TakesSettings for Normalize {
    const GROUPS: &'static [Group] = &[Group::Output, Group::Running];
}

/// The form of the input, as users name it.
#[derive(Clone, Copy, Debug)]
enum Form {
    Text,
    Documents(FormatName),
}

/// Parses the name of a form of input.
fn read_form(name: &str) -> Result<Form, String> {
    if name == "text" {
        return Ok(Form::Text);
    }
    match name.parse::<FormatName>() {
        Ok(format) if format.0.has_documents() => Ok(Form::Documents(format)),
        _ => {
            let documents = dehusk_pipeline::format::ALL
                .iter()
                .filter(|format| format.has_documents());
            let known: Vec<_> = documents.map(|format| format.name()).collect();
            Err(format!(
                "`{name}` is no format of documents; known: text, {}",
                known.join(", ")
            ))
        }
    }
}

impl Normalize {
    pub(crate) fn run(&self) -> Result<u8, Error> {
        let inputs = self.input.names()?;
        let mut settings = self.settings.given.clone();
        // The flag of this verb has its own default and help text, so it is not a setting of the table.
        settings.max_bytes = self.max_bytes;
        let input = match self.input_format {
            Some(Form::Text) => Input::Text,
            Some(Form::Documents(format)) => {
                settings.input_format = Some(format);
                Input::Documents
            }
            None => Input::of_all(&inputs)?,
        };
        let out = self.out.path();
        // A built-in profile is a name, not a file, so nothing is noted for it, even if a file of that name
        // exists.
        if self.profile.ends_with(".toml") {
            reading::note("the profile", Path::new(&self.profile));
        }
        let making = Making {
            input,
            profile: profile(&self.profile, self.numbers)?,
            tokens: self.tokens.then_some(Tokens {
                offsets: self.offsets,
                stem: self.stem,
                stop_words: self.stop_words,
                language: self.language,
            }),
            sentences: self.sentences,
            output: chosen_format(self.output_format, out, RowKind::Normalized).unwrap_or(&Jsonl),
        };
        let work = Work::on_rows(self.run, &inputs, out, false);
        let job = work.job(&inputs, &settings);
        let tell = &mut |row: &_| work.reject(row);
        let done = work.done(match out {
            Some(path) => normalize::write_file(&job, &making, path, tell),
            None => normalize::write(&job, &making, &mut io::stdout(), tell),
        })?;
        if !self.run.quiet {
            outcome::rows(&done, "documents", "normalized", self.run.verbose, &work.spent());
        }
        Ok(done.exit_code())
    }
}
