//! The file of collection statistics: a JSON header, then a line for every word.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use dehusk_dedup::{DescriptiveWords, Statistics, Term};
use serde::{Deserialize, Serialize};

use super::stats::CorpusStats;
use crate::error::Error;
use crate::kernel::tokens::SymbolRule;
use crate::record::header::{TOOL, VERSION};
use crate::settings::table::Settings;

/// Format version, raised when a reader of old files would misread new ones. Since version 2, symbols are words of some texts.
const FORMAT: u32 = 2;
/// Value of the field `kind` of the header.
const KIND: &str = "collection statistics";
/// Maximum length of a line in bytes.
const LONGEST: u64 = 64 << 10;

/// The first line of the file.
///
/// It is followed by `terms` lines with hash, document frequency and number of occurrences of a term, and by `descriptive` lines with hash
/// and minimum share of a descriptive word. Hashes have 16 hexadecimal digits and ascend. Fields are separated by tabs.
#[derive(Serialize, Deserialize)]
struct Header {
    tool: String,
    version: String,
    kind: String,
    format_version: u32,
    /// Fingerprint of the normalization passes of the texts.
    passes: String,
    /// Rule by which symbols count as words. Empty in files of format 1.
    #[serde(default)]
    symbols: String,
    /// Form of the terms: `plain` or `stemmed`.
    words: String,
    /// Number of documents with words.
    documents: u64,
    /// Number of words in all of them.
    tokens: u64,
    /// Number of lines of terms.
    terms: u64,
    /// Number of lines of descriptive words; `None` if none were chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    descriptive: Option<u64>,
}

/// Writes the file. Missing statistics are written as empty ones.
pub(super) fn write(collection: &CorpusStats, settings: &Settings, to: &mut impl Write) -> io::Result<()> {
    let empty = Statistics::default();
    let statistics = collection.statistics.as_deref().unwrap_or(&empty);
    let words = collection.descriptive.as_deref().map(DescriptiveWords::words);
    let header = Header {
        tool: TOOL.to_owned(),
        version: VERSION.to_owned(),
        kind: KIND.to_owned(),
        format_version: FORMAT,
        passes: settings.profile().fingerprint(),
        symbols: symbols(settings),
        words: settings.effective_terms().to_string(),
        documents: statistics.documents(),
        tokens: statistics.tokens(),
        terms: statistics.terms().len() as u64,
        descriptive: words.map(|words| words.len() as u64),
    };
    let mut to = BufWriter::with_capacity(64 << 10, to);
    serde_json::to_writer(&mut to, &header)?;
    to.write_all(b"\n")?;
    for term in statistics.terms() {
        writeln!(to, "{:016x}\t{}\t{}", term.hash, term.documents, term.occurrences)?;
    }
    for (hash, least) in words.unwrap_or_default() {
        writeln!(to, "{hash:016x}\t{least:?}")?;
    }
    to.flush()
}

/// Reads the file, and checks that its texts were tokenized as the settings say.
pub(super) fn read(path: &Path, settings: &Settings) -> Result<CorpusStats, Error> {
    let unreadable = |error: io::Error| Error::input(path, error).with_option("stats");
    let shown = path.display();
    let wrong = |line: u64, message: String| {
        Error::usage(message)
            .with_path(path)
            .with_line(line)
            .with_option("stats")
            .with_help("count the words again with `dehusk sign --save-stats FILE`")
    };
    let mut lines = Lines {
        reader: BufReader::with_capacity(64 << 10, File::open(path).map_err(unreadable)?),
        line: String::new(),
        number: 0,
    };
    let header: Header = match lines.next().map_err(unreadable)? {
        Some(line) => serde_json::from_str(line).ok(),
        None => None,
    }
    .filter(|header: &Header| header.tool == TOOL && header.kind == KIND)
    .ok_or_else(|| wrong(1, format!("`{shown}` holds no {KIND} of {TOOL}")))?;
    if header.format_version != FORMAT {
        return Err(wrong(
            1,
            format!(
                "`{shown}` has format version {}, written by {TOOL} {}; this is {TOOL} {VERSION} with format version {FORMAT}",
                header.format_version, header.version
            ),
        ));
    }
    for (what, theirs, ours) in [
        ("passes", &header.passes, settings.profile().fingerprint()),
        ("symbols", &header.symbols, symbols(settings)),
        ("terms", &header.words, settings.effective_terms().to_string()),
    ] {
        if *theirs != ours {
            return Err(wrong(
                1,
                format!("`{shown}` was counted with {what} `{theirs}`, but these settings have `{ours}`"),
            ));
        }
    }

    let cut = |number| {
        let message = format!("`{shown}`, line {number}: not as the header says, or cut off");
        wrong(number, message)
    };
    // The number of terms is not reserved in advance: the header of a damaged file may claim any number.
    let mut terms = Vec::new();
    for _ in 0..header.terms {
        let line = lines.next().map_err(unreadable)?;
        let term = line.and_then(term);
        // The file is written in ascending order. Another order means damage, or a term that is listed
        // twice.
        let ascends =
            term.is_some_and(|term: Term| terms.last().is_none_or(|last: &Term| last.hash < term.hash));
        match term {
            Some(term) if ascends => terms.push(term),
            _ => return Err(cut(lines.number)),
        }
    }
    let mut words = Vec::new();
    for _ in 0..header.descriptive.unwrap_or(0) {
        let line = lines.next().map_err(unreadable)?;
        words.push(line.and_then(word).ok_or_else(|| cut(lines.number))?);
    }
    if lines.next().map_err(unreadable)?.is_some() {
        return Err(cut(lines.number));
    }
    let statistics = Statistics::from_terms(header.documents, header.tokens, terms);
    Ok(CorpusStats {
        statistics: Some(Arc::new(statistics)),
        descriptive: header
            .descriptive
            .map(|_| Arc::new(DescriptiveWords::from_hashes(words))),
    })
}

/// The settings that decide in which texts symbols count as words.
fn symbols(settings: &Settings) -> String {
    let rule = SymbolRule::of(settings);
    format!("symbol-share {}, min-tokens {}", rule.share, rule.min_words)
}

/// Parses the line of a term: three fields and no more.
fn term(line: &str) -> Option<Term> {
    let mut fields = line.split('\t');
    let term = Term {
        hash: u64::from_str_radix(fields.next()?, 16).ok()?,
        documents: fields.next()?.parse().ok()?,
        occurrences: fields.next()?.parse().ok()?,
    };
    fields.next().is_none().then_some(term)
}

/// Parses the line of a descriptive word, whose share is in 0..=1. NaN is refused.
fn word(line: &str) -> Option<(u64, f64)> {
    let (hash, least) = line.split_once('\t')?;
    let least: f64 = least.parse().ok()?;
    let hash = u64::from_str_radix(hash, 16).ok()?;
    (0.0..=1.0).contains(&least).then_some((hash, least))
}

/// Reads lines of at most [`LONGEST`] bytes.
struct Lines<R> {
    reader: R,
    line: String,
    number: u64,
}

impl<R: BufRead> Lines<R> {
    /// The next line without its line feed; `None` at the end of the file.
    fn next(&mut self) -> io::Result<Option<&str>> {
        self.line.clear();
        self.number += 1;
        // A longer line is cut, fails to parse, and is reported as damage. So a file without line feeds
        // takes bounded memory.
        let read = io::Read::take(&mut self.reader, LONGEST).read_line(&mut self.line)?;
        Ok((read > 0).then(|| self.line.trim_end_matches('\n')))
    }
}
