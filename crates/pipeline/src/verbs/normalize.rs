//! Documents in; normalized text, tokens or sentences out.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::str::FromStr;

use dehusk_normalize::{Normalizer, Profile, Splitter, Stemmer, StopWords};
use serde_json::json;

use crate::error::Error;
use crate::job::Job;
use crate::read::format;
use crate::read::inputs::{Inputs, RecordKind};
use crate::read::pass::Worker;
use crate::read::plain_text;
use crate::record::{DocumentRecord, NormalizedRow, Rejected, Row, RowKind, Sentence};
use crate::write::format::{EncodedRows, RowEncoder, RowFormat, Text};
use crate::write::sink::{Destination, RowSink};
use crate::write::summary::{Outcome, Summary, Tally};

/// How an input is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Input {
    /// As one text in UTF-8.
    Text,
    /// As documents, in the format of the settings, else of the extension, else as JSON Lines.
    Documents,
}

impl Input {
    /// How an input is read that nothing is said about: folders and files whose extension is that of a format as
    /// documents, others and standard input as a text.
    pub fn usual(name: &str) -> Input {
        let path = Path::new(name);
        if name != "-" && (path.is_dir() || format::by_extension(path).is_some()) {
            Input::Documents
        } else {
            Input::Text
        }
    }

    /// How several inputs are read that nothing is said about.
    ///
    /// # Errors
    /// If some of them are texts and others hold documents.
    pub fn of_all(names: &[String]) -> Result<Input, Error> {
        let texts = names
            .iter()
            .filter(|name| Input::usual(name) == Input::Text)
            .count();
        match texts {
            0 => Ok(Input::Documents),
            all if all == names.len() => Ok(Input::Text),
            _ => Err(
                Error::usage("some inputs are plain texts and others hold documents")
                    .with_help("name them apart, or say how all are read with `--input-format`"),
            ),
        }
    }
}

/// What is made of the tokens of a normalized text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tokens {
    /// Whether each token tells the bytes of the original that it comes from.
    pub offsets: bool,
    /// Whether tokens are reduced to stems by the language of the document. Where that is not known, those in Cyrillic
    /// letters are Russian and those in Latin letters English.
    pub stem: bool,
    /// Whether function words of the language of the document are left out: English and Russian ones where it is one of
    /// these or not known, none where it has no list.
    pub stop_words: bool,
    /// Language of all documents, as ISO 639-1 code. Without one, each tells its own by its text.
    pub language: Option<LanguageCode>,
}

/// An ISO 639-1 code, such as `ru`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LanguageCode([u8; 2]);

impl LanguageCode {
    /// The code as text.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl FromStr for LanguageCode {
    type Err = String;

    /// Any two small letters: a language without stemmer and stop words is left alone, not refused.
    fn from_str(text: &str) -> Result<Self, String> {
        match *text.as_bytes() {
            [a, b] if a.is_ascii_lowercase() && b.is_ascii_lowercase() => Ok(LanguageCode([a, b])),
            _ => Err(format!(
                "`{text}` is no language code of two small letters, such as `ru`"
            )),
        }
    }
}

/// What [`write()`] makes of each document.
#[derive(Clone, Debug)]
pub struct Making {
    /// How the input is read.
    pub input: Input,
    /// What the text is normalized by.
    pub profile: Profile,
    /// Tokens in the place of the text.
    pub tokens: Option<Tokens>,
    /// Sentences of the original in the place of the text.
    pub sentences: bool,
    /// How the result is written: JSON Lines, or of a single text the normalized text alone.
    pub output: &'static dyn RowFormat,
}

/// Normalizes every document and writes the results to `to`, in the order of the input: JSON Lines with `id` and `text`,
/// or with `tokens`, `offsets` and `sentences` if those are asked for.
///
/// `on_rejected` is called with every rejected record.
///
/// # Errors
/// If an input is missing, what is asked for does not fit together, or writing fails; a bad record is no error.
pub fn write(
    job: &Job<'_>,
    making: &Making,
    to: &mut (dyn Write + Send),
    on_rejected: &mut dyn FnMut(&Rejected),
) -> Result<Outcome, Error> {
    write_to(job, making, Destination::Stream(to), on_rejected)
}

fn write_to(
    job: &Job<'_>,
    making: &Making,
    to: Destination<'_>,
    on_rejected: &mut dyn FnMut(&Rejected),
) -> Result<Outcome, Error> {
    let inputs = open(job, making)?;
    let effective = vec![
        ("profile", json!(making.profile.name())),
        ("passes", json!(making.profile.fingerprint())),
    ];
    let summary = Summary::new("normalize", &inputs, effective);
    let flushed = inputs.is_conversation();
    let mut pass = job.pass("normalizing documents", &inputs);
    pass.singly = flushed && pass.plan.threads == 1;
    let (kind, single) = (RowKind::Normalized, inputs.is_single_page());
    let mut sink = RowSink::open(to, job, making.output, kind, single, Some(&summary.header()))?;
    let mut tally = Tally::default();
    let skipped = pass.documents(
        || Normalizing::new(making),
        |worker, item| {
            // A plain text may begin behind a byte order mark.
            let base = match item.place.line {
                None => item.place.offset as usize,
                Some(_) => 0,
            };
            worker.document(&item.id, &item.record, base);
        },
        |worked| {
            let mut tally = tally.chunk(&worked.origin, &worked.skipped);
            tally.count_all(worked.rows, on_rejected);
            sink.rows(&worked.sum)?;
            if flushed {
                sink.flush()?;
            }
            Ok(())
        },
    )?;
    sink.finish()?;
    Ok(tally.outcome(summary, job.settings, &skipped))
}

/// The same to a file, which appears when it is complete.
///
/// # Errors
/// As [`write()`], and if the file cannot be written.
pub fn write_file(
    job: &Job<'_>,
    making: &Making,
    path: &Path,
    on_rejected: &mut dyn FnMut(&Rejected),
) -> Result<Outcome, Error> {
    // Checked first, so that a wrong name leaves no file behind.
    open(job, making)?;
    write_to(job, making, Destination::File(path), on_rejected)
}

fn open(job: &Job<'_>, making: &Making) -> Result<Inputs, Error> {
    let inputs = match making.input {
        // Texts are single, as pages are.
        Input::Text => Inputs::open(job.inputs, Some(&plain_text::Text), RecordKind::Pages)?,
        Input::Documents => {
            let format = job.settings.format();
            Inputs::open(job.inputs, format, RecordKind::Documents)?
        }
    };
    if making.output.name() == Text.name() {
        if !inputs.is_single_page() {
            return Err(Error::value(
                "output-format",
                "`text` is for a single text, not for a list of documents",
            )
            .with_help("write `jsonl`, or read the input with `--input-format text`"));
        }
        if making.tokens.is_some() || making.sentences {
            return Err(Error::value(
                "output-format",
                "`text` is the normalized text alone, without tokens and sentences",
            )
            .with_help("write `jsonl`"));
        }
    }
    Ok(inputs)
}

/// What a thread keeps from one document to the next.
struct Normalizing<'m> {
    making: &'m Making,
    normalizer: Normalizer,
    cutter: Cutter,
    splitter: Splitter,
    /// Rows of the documents of this chunk.
    encoder: RowEncoder,
}

impl Worker for Normalizing<'_> {
    type Sum = EncodedRows;

    fn take_sum(&mut self) -> EncodedRows {
        self.encoder.take()
    }

    fn recover(&mut self) {
        let fresh = Normalizing::new(self.making);
        let encoder = std::mem::replace(self, fresh).encoder;
        self.encoder = encoder;
        self.encoder.recover();
    }
}

impl<'m> Normalizing<'m> {
    fn new(making: &'m Making) -> Self {
        Normalizing {
            making,
            normalizer: Normalizer::new(making.profile.clone()),
            cutter: Cutter::new(&making.profile, making.tokens.unwrap_or_default()),
            splitter: Splitter::new(),
            encoder: RowEncoder::new(making.output),
        }
    }

    /// Adds the row of a document.
    fn document(&mut self, id: &str, document: &DocumentRecord<'_>, base: usize) {
        let (making, original) = (self.making, document.text.as_ref());
        let mut row = NormalizedRow {
            id,
            ..NormalizedRow::default()
        };
        if let Some(wanted) = making.tokens {
            let mut offsets = Vec::new();
            let tokens = if wanted.offsets {
                let normal = self.normalizer.normalize(original);
                self.cutter.cut(original, normal.text(), |range| {
                    let source = normal.source(range);
                    offsets.push((base + source.start, base + source.end));
                })
            } else {
                self.cutter
                    .cut(original, self.normalizer.normalize_text(original), |_| ())
            };
            row.tokens = Some(tokens);
            row.offsets = wanted.offsets.then_some(offsets);
        } else if !making.sentences {
            row.text = Some(self.normalizer.normalize_text(original));
        }
        if making.sentences {
            let sentence = |range: std::ops::Range<usize>| Sentence {
                start: base + range.start,
                end: base + range.end,
                text: &original[range],
            };
            row.sentences = Some(self.splitter.sentences(original).map(sentence).collect());
        }
        self.encoder.add(Row::Normalized(&row));
    }
}

/// Stemmers that a thread keeps, with the stems that they remember.
const STEMMERS: usize = 8;

/// Cuts normalized texts into tokens.
struct Cutter {
    wanted: Tokens,
    /// Whether texts are in the form of the profile `near`.
    near: bool,
    /// Whether texts are in lower case already, without ё.
    lower: bool,
    /// By language; that of no language goes by script.
    stemmers: BTreeMap<String, Stemmer>,
}

/// What tokens of one document are compared with.
struct Lists<'c> {
    lower: bool,
    stemmer: Option<&'c mut Stemmer>,
    stop: Vec<&'static StopWords>,
}

impl Cutter {
    fn new(profile: &Profile, wanted: Tokens) -> Self {
        let names = |profile: &Profile| {
            profile
                .passes()
                .iter()
                .map(|pass| pass.name())
                .collect::<Vec<_>>()
        };
        let passes = names(profile);
        Cutter {
            wanted,
            near: passes == names(&Profile::near()),
            lower: passes.contains(&"lower-case"),
            stemmers: BTreeMap::new(),
        }
    }

    /// The tokens of a normalized text, in the language of its original; `visit` is called with the range of bytes of each one.
    fn cut<'t>(
        &mut self,
        original: &str,
        normal: &'t str,
        mut visit: impl FnMut(std::ops::Range<usize>),
    ) -> Vec<Cow<'t, str>> {
        let mut tokens = Vec::new();
        let near = self.near;
        let mut lists = self.lists(original);
        let mut add = |range: std::ops::Range<usize>| {
            if let Some(token) = lists.token(&normal[range.clone()]) {
                visit(range);
                tokens.push(token);
            }
        };
        if near {
            dehusk_normalize::near_tokens(normal).for_each(&mut add);
        } else {
            dehusk_normalize::words(normal).for_each(&mut add);
        }
        tokens
    }

    fn lists(&mut self, original: &str) -> Lists<'_> {
        let Tokens { stem, stop_words, .. } = self.wanted;
        let mut lists = Lists {
            lower: self.lower,
            stemmer: None,
            stop: Vec::new(),
        };
        if !stem && !stop_words {
            return lists;
        }
        // Of a language that the detector does not vouch for, the script says more.
        let found = || dehusk_normalize::detect_language(original).filter(|language| language.reliable);
        let code: Option<Cow<'_, str>> = match &self.wanted.language {
            Some(told) => Some(told.as_str().into()),
            None => found().map(|language| language.code.into()),
        };
        if stop_words {
            // English words are common in Russian texts, and the letters keep the lists apart.
            let known = match code.as_deref() {
                None | Some("en" | "ru") => vec!["en", "ru"],
                Some(code) => vec![code],
            };
            let known = known.into_iter();
            lists.stop = known
                .filter_map(|code| StopWords::for_language(code).ok())
                .collect();
        }
        if stem {
            let code = code.as_deref().unwrap_or_default();
            if self.stemmers.len() == STEMMERS && !self.stemmers.contains_key(code) {
                self.stemmers.clear();
            }
            let stemmer = self
                .stemmers
                .entry(code.to_owned())
                .or_insert_with(|| match code {
                    "" => Stemmer::by_script(),
                    code => Stemmer::for_language(code),
                });
            lists.stemmer = Some(stemmer);
        }
        lists
    }
}

impl Lists<'_> {
    /// What becomes of one token; `None` for a stop word.
    fn token<'t>(&mut self, token: &'t str) -> Option<Cow<'t, str>> {
        if self.stemmer.is_none() && self.stop.is_empty() {
            return Some(Cow::Borrowed(token));
        }
        // Lists and stems are those of words in lower case, with е for ё.
        let folded = if self.lower {
            Cow::Borrowed(token)
        } else {
            Cow::Owned(token.to_lowercase().replace('ё', "е"))
        };
        if self.stop.iter().any(|list| list.contains(&folded)) {
            return None;
        }
        match &mut self.stemmer {
            Some(stemmer) => {
                let stem = stemmer.stem(&folded);
                Some(if stem == token {
                    Cow::Borrowed(token)
                } else {
                    Cow::Owned(stem.to_owned())
                })
            }
            None => Some(Cow::Borrowed(token)),
        }
    }
}
