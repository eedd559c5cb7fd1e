//! From a page to a document: what happens to each record on the worker threads.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use dehusk_extract::{Extracted, Options, Page};

use crate::error::plain;
use crate::exec::clock::Stopwatch;
use crate::exec::panic_guard::catch_panic;
use crate::read::format::{Body, Chunk, Place, Source};
use crate::record::{
    Block, Content, Document, Extra, Id, PageRecord, Reason, Rejected, Rejection, Warning, round,
};

/// What turns a page into text: [`dehusk_extract::extract`], but with templates, and for tests of what happens when it fails.
pub(crate) type Extract<'a> = &'a (dyn Fn(&Page<'_>, &Options) -> Extracted + Sync);

/// What is done with pages.
#[derive(Clone)]
pub(crate) struct PageWork<'a, T = Extracted> {
    pub(crate) extract: &'a (dyn Fn(&Page<'_>, &Options) -> T + Sync),
    pub(crate) options: Options,
    /// Address of a page whose record has none.
    pub(crate) url: Option<&'a str>,
    /// Whether documents tell the time they took.
    pub(crate) timings: bool,
}

/// A page that was worked on.
pub(crate) struct Done<'a, T> {
    pub(crate) id: &'a str,
    pub(crate) url: Option<&'a str>,
    pub(crate) record: &'a PageRecord<'a>,
    pub(crate) value: T,
    us: Option<u64>,
}

/// Hears of each page that was worked on, or of why it could not be.
pub(crate) type Visit<'v, T> = dyn FnMut(Result<Done<'_, T>, Rejected>) + 'v;

impl PageWork<'_> {
    /// Extracts every page of a chunk. What goes wrong with a page, a panic included, is told of that page alone.
    pub(crate) fn each(&self, chunk: &Chunk, visit: &mut dyn FnMut(Result<Document<'_>, Rejected>)) {
        self.each_done(chunk, &mut |result| match result {
            Ok(done) => visit(Ok(document(done.id, done.url, done.record, &done.value, done.us))),
            Err(rejected) => visit(Err(rejected)),
        });
    }
}

impl<T> PageWork<'_, T> {
    /// Does the work on every page of a chunk. What goes wrong with a page, a panic included, is told of that page alone.
    pub(crate) fn each_done(&self, chunk: &Chunk, visit: &mut Visit<'_, T>) {
        if let Body::Rejected(rejection) = &chunk.body {
            let place = Place {
                offset: chunk.offset,
                line: Some(chunk.line),
                raw: &[],
            };
            visit(Err(reject(&chunk.source, place, rejection.clone())));
        }
        chunk.source.format.pages(chunk, &mut |place, page| match page {
            Ok(record) => self.page(&chunk.source, place, &record, visit),
            Err(rejection) => visit(Err(reject(&chunk.source, place, rejection))),
        });
    }

    fn page(&self, source: &Source, place: Place<'_>, record: &PageRecord<'_>, visit: &mut Visit<'_, T>) {
        let url = record.url.as_deref().filter(|url| !url.is_empty()).or(self.url);
        let path = match &record.content {
            Content::File { name, .. } => Some(name.as_ref()),
            _ => None,
        };
        let id = Id {
            given: record.id.as_deref(),
            url,
            path,
        }
        .resolve(|| ordinal(source, place));
        let failed = |reason, message| Rejection {
            id: Some(id.clone()),
            url: url.map(str::to_owned),
            reason,
            message,
        };

        let read;
        let page = match &record.content {
            Content::Text(text) => Page::decoded(text),
            Content::Bytes(bytes) => Page::new(bytes),
            Content::File { path, .. } => match read_page(path, self.options.limits().bytes()) {
                Ok(bytes) => {
                    read = bytes;
                    Page::new(&read)
                }
                Err(error) => {
                    let message = format!("cannot read `{}`: {}", path.display(), plain(&error));
                    visit(Err(reject(source, place, failed(Reason::Unreadable, message))));
                    return;
                }
            },
        };
        let page = page
            .with_url(url)
            .with_content_type(record.content_type.as_deref())
            .with_charset(record.charset.as_deref());
        let watch = Stopwatch::start();
        match catch_panic(|| (self.extract)(&page, &self.options)) {
            Ok(value) => {
                let us = self.timings.then(|| watch.micros());
                visit(Ok(Done {
                    id: &id,
                    url,
                    record,
                    value,
                    us,
                }));
            }
            Err(panic) => visit(Err(reject(source, place, failed(Reason::Panic, panic)))),
        }
    }
}

/// Where a record stands, as a name.
pub(crate) fn ordinal(source: &Source, place: Place<'_>) -> String {
    match place.line {
        Some(line) => source.ordinal(line),
        None if source.format.holds_many() => format!("{}@{}", source.label, place.offset),
        None => source.label.clone(),
    }
}

/// Says where a record stands, of a rejected record.
pub(crate) fn reject(source: &Source, place: Place<'_>, rejection: Rejection) -> Rejected {
    let line = place.line.filter(|_| source.format.has_documents());
    Rejected {
        input: source.name.clone(),
        offset: place.offset,
        id: rejection
            .id
            .unwrap_or_else(|| ordinal(source, Place { line, ..place })),
        url: rejection.url,
        reason: rejection.reason,
        message: match line {
            Some(line) => format!("line {line}: {}", rejection.message),
            None => rejection.message,
        },
    }
}

/// Reads as much of a file as the extractor looks at, and one byte more, so that it notices the cut.
fn read_page(path: &Path, most: usize) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let meta = file.metadata()?;
    if !meta.is_file() {
        // A pipe or a device may never end.
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    let most = most as u64 + 1;
    let mut bytes = Vec::with_capacity(usize::try_from(meta.len().min(most)).unwrap_or(0));
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn document<'a>(
    id: &'a str,
    url: Option<&'a str>,
    record: &'a PageRecord<'_>,
    extracted: &'a Extracted,
    us: Option<u64>,
) -> Document<'a> {
    let known = &extracted.metadata;
    let extra = record
        .extra
        .0
        .iter()
        .map(|(name, value)| (Cow::Borrowed(name.as_ref()), Cow::Borrowed(value.as_ref())));
    Document {
        id,
        url,
        text: &extracted.text,
        title: known.title.as_deref(),
        author: known.author.as_deref(),
        date: record.date.as_deref().or(known.date.as_deref()),
        language: known.language.as_deref(),
        site_name: known.site_name.as_deref(),
        description: known.description.as_deref(),
        modified: known.modified.as_deref(),
        canonical_url: known.canonical_url.as_deref(),
        image: known.image.as_deref(),
        tags: &known.tags,
        kind: known.kind.map(dehusk_extract::analysis::metadata::PageKind::name),
        charset: extracted.charset.name,
        method: extracted.method,
        confidence: round(extracted.confidence),
        kept_chars: extracted.kept_chars,
        all_chars: extracted.all_chars,
        warnings: extracted
            .warnings
            .iter()
            .map(|warning| Warning {
                code: warning.kind.name(),
                message: &warning.message,
            })
            .collect(),
        markdown: extracted.markdown.as_deref(),
        html: extracted.html.as_deref(),
        content: extracted.content.as_deref(),
        tables: extracted.tables.as_deref(),
        comments: extracted.comments.as_deref(),
        blocks: blocks(extracted),
        parts: extracted.visible_nodes.as_deref(),
        us,
        popularity: record.popularity,
        extra: Extra(extra.collect()),
    }
}

/// What became of each block, if that was asked for.
pub(crate) fn blocks(extracted: &Extracted) -> Option<Vec<Block<'_>>> {
    fn block(block: &dehusk_extract::BlockRecord) -> Block<'_> {
        Block {
            i: block.i,
            kind: block.kind,
            path: &block.path,
            start: block.range.as_ref().map(|range| range.start),
            end: block.range.as_ref().map(|range| range.end),
            text: &block.text,
            kept: block.kept,
            reason: block.reason,
            scores: crate::record::Scores(&block.scores),
            votes: crate::record::Votes(&block.votes),
        }
    }
    let blocks = extracted.blocks.as_ref()?;
    Some(blocks.iter().map(block).collect())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::read::format::Jsonl;

    fn check(lines: &str, extract: Extract<'_>) -> Vec<String> {
        let source = Arc::new(Source {
            name: "pages.jsonl".to_owned(),
            label: String::new(),
            path: None,
            format: &Jsonl,
            singly: false,
        });
        let body = Body::Lines {
            bytes: lines.as_bytes().to_vec(),
            open_end: false,
        };
        let chunk = Chunk {
            source,
            offset: 0,
            line: 1,
            body,
        };
        let work = PageWork {
            extract,
            options: Options::default(),
            url: None,
            timings: false,
        };
        let mut got = Vec::new();
        work.each(&chunk, &mut |result| {
            got.push(match result {
                Ok(document) => format!("{}: {}", document.id, document.text.trim_end()),
                Err(rejected) => format!("{}: {} {}", rejected.id, rejected.reason.name(), rejected.message),
            });
        });
        got
    }

    fn fragile(page: &Page<'_>, options: &Options) -> Extracted {
        let extracted = dehusk_extract::extract(page, options);
        assert!(!extracted.text.contains("boom"), "no boom please");
        extracted
    }

    #[test]
    fn a_panic_costs_one_page() {
        let lines = "{\"html\":\"<p>one</p>\"}\n{\"id\":\"b\",\"html\":\"<p>boom</p>\"}\n{\"html\":\"<p>three</p>\"}\n";
        let got = check(lines, &fragile);
        assert_eq!(got, ["1: one", "b: panic line 2: no boom please", "3: three"]);
    }

    #[test]
    fn a_missing_file_and_a_bad_line_cost_themselves() {
        let lines = "{\"path\":\"/nowhere/x.html\"}\nnot json\n{\"path\":\"/dev/null\",\"id\":\"n\"}\n{\"html\":\"<p>x\"}";
        let got = check(lines, &dehusk_extract::extract);
        assert!(
            got[0].starts_with("/nowhere/x.html: unreadable line 1: cannot read `/nowhere/x.html`: "),
            "{got:?}"
        );
        assert!(got[1].starts_with("2: bad-json line 2: column 2: "), "{got:?}");
        assert!(got[2].ends_with("not a regular file"), "{got:?}");
        assert_eq!(got[3], "4: x");
    }
}
