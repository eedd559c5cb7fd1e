//! Visits the records of a chunk, each with its ID and place, or as rejected.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};

use crate::error::plain;
use crate::exec::regular_file;
use crate::read::address::Addresses;
use crate::read::chunk::{Body, Chunk, Found, Place, Source, read_up_to};
use crate::read::compression;
use crate::read::files;
use crate::read::format::{each_line, read_span};
use crate::read::kinds::{self, Other};
use crate::record::mend::LineNotes;
use crate::record::{Content, DocumentRecord, PageRecord, Reason, RecordPlace, Rejected, Rejection};

/// A record with its ID and position.
pub struct Item<'c, R> {
    /// ID given in the input; without one its address, else its path, else its position in the input.
    pub id: String,
    /// The parsed record.
    pub record: R,
    pub(crate) place: Place<'c>,
    source: &'c Source,
}

/// Properties common to all kinds of records.
pub trait Record {
    /// Returns the address (URL), if known.
    fn url(&self) -> Option<&str>;
}

impl Record for PageRecord<'_> {
    fn url(&self) -> Option<&str> {
        self.url.as_deref()
    }
}

impl Record for DocumentRecord<'_> {
    fn url(&self) -> Option<&str> {
        self.url.as_deref()
    }
}

impl<R: Record> Item<'_, R> {
    /// Converts the record to a rejection.
    pub(crate) fn reject(&self, reason: Reason, message: String) -> Rejected {
        let rejection = Rejection {
            id: Some(self.id.clone()),
            url: self.record.url().map(str::to_owned),
            reason,
            message,
        };
        reject(self.source, self.place, rejection)
    }
}

impl Item<'_, DocumentRecord<'_>> {
    /// Returns the document as a line of JSON: the line of the input, or a line built from the fields of an archive record.
    ///
    /// A row of a table includes only the columns used for comparison.
    pub(crate) fn line(&self) -> Cow<'_, [u8]> {
        if self.place.raw.is_empty() {
            let record = &self.record;
            let mut line = serde_json::json!({ "id": self.id, "url": record.url, "text": record.text });
            let about = [
                ("date", &record.ranking.date),
                ("language", &record.capture.language),
                ("warc_id", &record.capture.warc_id),
            ];
            for (name, value) in about {
                if let Some(value) = value {
                    line[name] = value.as_ref().into();
                }
            }
            line["source"] = self.source.name.as_str().into();
            line["offset"] = self.place.offset.into();
            if let Some(plain) = self.place.plain {
                line["plain_offset"] = plain.into();
            }
            line.to_string().into_bytes().into()
        } else {
            self.place.raw.into()
        }
    }
}

/// A visited record, or why it was rejected.
pub(crate) type Visited<'r, R> = Result<Item<'r, R>, Rejected>;

/// Number of valid but unwanted records, by kind.
pub(crate) type SkippedRecords = BTreeMap<&'static str, u64>;

/// Counts and notes about the records of a chunk.
#[derive(Default)]
pub(crate) struct Notes {
    /// Number of skipped records, by kind.
    pub(crate) skipped: SkippedRecords,
    pub(crate) lines: LineNotes,
}

impl Notes {
    /// Adds the notes on other records.
    pub(crate) fn add(&mut self, skipped: &SkippedRecords, lines: &LineNotes) {
        for (why, count) in skipped {
            *self.skipped.entry(why).or_default() += count;
        }
        self.lines.add(lines);
    }

    fn skip(&mut self, why: &'static str) {
        *self.skipped.entry(why).or_default() += 1;
    }

    /// Notes the columns of a record and, if it was used, its repairs.
    fn line(&mut self, place: &Place<'_>, is_used: bool) {
        self.lines.columns |= place.columns;
        if is_used {
            self.lines.mended.count(place.mended);
        }
    }
}

/// Visits the chunk itself. If its lines are unread, reads them, visits the resulting chunks, and reports where they end.
pub(crate) fn each_part(chunk: &Chunk, visit: &mut dyn FnMut(&Chunk)) {
    let Body::Span(span) = &chunk.body else {
        return visit(chunk);
    };
    // The start is unknown if the span before this one failed.
    let Some(start) = span.start() else {
        let rejection = Rejection::new(Reason::Unreadable, "what comes before it could not be read");
        let body = Body::Rejected(rejection);
        return visit(&Chunk::new(&chunk.source, chunk.offset, chunk.line, body));
    };
    let bounds = (start, span.until());
    let (parts, end) = read_span(&chunk.source, &span.file, bounds, span.most);
    // The next span may be read before the records of this one are processed.
    span.pass(end);
    parts.iter().for_each(visit);
}

/// Visits every page of a chunk, with its content loaded and decompressed.
///
/// A page in a separate file is read, up to `page_bytes`. A page without an address gets that of
/// `addresses`. The ID is set in the record too.
pub(crate) fn each_page(
    chunk: &Chunk,
    page_bytes: usize,
    addresses: &Addresses<'_>,
    notes: &mut Notes,
    visit: &mut dyn FnMut(Visited<'_, PageRecord<'_>>),
) {
    // `each_unread_page` borrows `notes`, so other content is counted here and added at the end.
    let others = RefCell::new(SkippedRecords::new());
    let mut read = |item: Visited<'_, PageRecord<'_>>| {
        // Content that is not a page may show before or only after decompression, so both are checked.
        let mut kind = None;
        let loaded = item.and_then(|item| item.load(page_bytes));
        let item = loaded.and_then(|item| {
            kind = item.other();
            if kind.is_some() {
                return Ok(item);
            }
            let item = item.inflate(page_bytes)?;
            kind = item.other();
            Ok(item)
        });
        match kind {
            Some(other) => *others.borrow_mut().entry(other.name).or_default() += 1,
            None => visit(item),
        }
    };
    each_part(chunk, &mut |chunk| {
        each_unread_page(chunk, addresses, notes, &mut read, &mut |_| ());
    });
    notes.add(&others.into_inner(), &LineNotes::default());
}

/// Visits every page of a chunk without reading separate page files or decompressing.
///
/// `beside` receives the places of records that are not pages but that pages may request.
pub(crate) fn each_unread_page(
    chunk: &Chunk,
    addresses: &Addresses<'_>,
    notes: &mut Notes,
    visit: &mut dyn FnMut(Visited<'_, PageRecord<'_>>),
    beside: &mut dyn FnMut(Place<'_>),
) {
    unreadable(chunk, &mut |rejected| visit(Err(rejected)));
    let source = &chunk.source;
    chunk.source.format.pages(chunk, &mut |place, page| {
        notes.line(&place, matches!(page, Found::Record(_)));
        let mut record = match page {
            Found::Record(record) => record,
            Found::Rejected(rejection) => return visit(Err(reject(source, place, rejection))),
            Found::Skipped(why) => {
                beside(place);
                return notes.skip(why);
            }
        };
        // Characters replaced by repairs are damage, unless the record reports other damage.
        record.damage = record.damage.or_else(|| place.mended.replaced().map(Cow::Owned));
        if record.url.as_deref().is_none_or(str::is_empty) {
            record.url = addresses.url.map(|url| Cow::Owned(url.to_owned()));
        }
        let path = match &record.content {
            Content::File { name, .. } => Some(name.as_ref()),
            _ => None,
        };
        let names = [record.id.as_deref(), record.url.as_deref(), path];
        let id = resolve(names, || ordinal(source, place));
        // `complete` runs after the ID is chosen: addresses from outside the record do not affect IDs.
        addresses.complete(&mut record, source, &place);
        record.id = Some(Cow::Owned(id.clone()));
        record.place = Some(RecordPlace::new(source.name.as_str(), place.offset, place.plain));
        visit(Ok(Item {
            id,
            record,
            place,
            source,
        }));
    });
}

impl Item<'_, PageRecord<'_>> {
    /// Returns the item with its page loaded and decompressed, up to `page_bytes`.
    pub(crate) fn read(self, page_bytes: usize) -> Result<Self, Rejected> {
        self.load(page_bytes)?.inflate(page_bytes)
    }

    /// Returns the kind of a file whose bytes show that it is certainly not a page. `None` for other
    /// content and for records, whose declared kind is trusted.
    pub(crate) fn other(&self) -> Option<&'static Other> {
        match &self.record.content {
            Content::Bytes(bytes) if self.place.line.is_none() && self.place.record.is_none() => {
                kinds::other(bytes)
            }
            _ => None,
        }
    }

    /// Returns the item with its page loaded as stored, up to `page_bytes`.
    fn load(mut self, page_bytes: usize) -> Result<Self, Rejected> {
        if let Content::File { name, path } = &self.record.content {
            let unreadable = |error: io::Error| {
                let message = format!("cannot read `{}`: {}", path.display(), plain(&error));
                (Reason::Unreadable, message)
            };
            // A file that is one page was named by the user. A file named in a record was chosen by the author of the list, so its path is
            // restricted.
            let file = match self.source.format.holds_many() {
                true => self
                    .source
                    .named_files
                    .open(self.source.path.as_deref(), path, name),
                false if files::address(path).is_some() => {
                    let read = files::open(path, 0).and_then(|from| read_up_to(from, page_bytes));
                    return match read.map_err(unreadable) {
                        Ok(bytes) => {
                            self.record.content = Content::Bytes(Cow::Owned(bytes));
                            Ok(self)
                        }
                        Err((reason, message)) => Err(self.reject(reason, message)),
                    };
                }
                false => regular_file::open(path).map_err(unreadable),
            };
            match file.and_then(|file| read_page(file, page_bytes).map_err(unreadable)) {
                Ok(bytes) => self.record.content = Content::Bytes(Cow::Owned(bytes)),
                Err((reason, message)) => return Err(self.reject(reason, message)),
            }
        }
        Ok(self)
    }

    /// Returns the item with its page decompressed, up to `page_bytes`.
    fn inflate(mut self, page_bytes: usize) -> Result<Self, Rejected> {
        match compression::inflate(&mut self.record.content, page_bytes) {
            Ok(()) => Ok(self),
            Err(rejection) => Err(self.reject(rejection.reason, rejection.message)),
        }
    }
}

/// Returns the number of records of a chunk. Lines and rows are counted without being parsed.
pub(crate) fn count_records(chunk: &Chunk) -> u64 {
    let mut count = 0;
    match &chunk.body {
        Body::Lines { .. } => each_line(chunk, &mut |_, _| count += 1),
        Body::Page(_) | Body::File => count = 1,
        Body::Archive(_) | Body::Located(_) | Body::Entries { .. } => {
            each_document(chunk, &mut Notes::default(), &mut |_| count += 1);
        }
        Body::Rows(rows) => count = rows.count() as u64,
        Body::Span(_) => each_part(chunk, &mut |part| count += count_records(part)),
        Body::Rejected(_) => {}
    }
    count
}

/// Visits every document of a chunk.
pub(crate) fn each_document(
    chunk: &Chunk,
    notes: &mut Notes,
    visit: &mut dyn FnMut(Visited<'_, DocumentRecord<'_>>),
) {
    each_part(chunk, &mut |chunk| each_document_there(chunk, notes, visit));
}

/// Visits every document of a chunk that is not a span.
fn each_document_there(
    chunk: &Chunk,
    notes: &mut Notes,
    visit: &mut dyn FnMut(Visited<'_, DocumentRecord<'_>>),
) {
    unreadable(chunk, &mut |rejected| visit(Err(rejected)));
    let source = &chunk.source;
    chunk.source.format.documents(chunk, &mut |place, document| {
        notes.line(&place, matches!(document, Found::Record(_)));
        visit(match document {
            Found::Record(record) => {
                let names = [
                    record.id.as_deref(),
                    record.url.as_deref(),
                    record.path.as_deref(),
                ];
                Ok(Item {
                    id: resolve(names, || ordinal(source, place)),
                    record,
                    place,
                    source,
                })
            }
            Found::Rejected(rejection) => Err(reject(source, place, rejection)),
            Found::Skipped(why) => return notes.skip(why),
        });
    });
}

/// Calls `tell` if the chunk is an unreadable record.
fn unreadable(chunk: &Chunk, tell: &mut dyn FnMut(Rejected)) {
    if let Body::Rejected(rejection) = &chunk.body {
        let place = Place {
            line: chunk.source.format.is_lines().then_some(chunk.line),
            ..chunk.place(chunk.offset)
        };
        tell(reject(&chunk.source, place, rejection.clone()));
    }
}

/// Returns the first nonempty name, else the position in the input.
fn resolve(names: [Option<&str>; 3], ordinal: impl FnOnce() -> String) -> String {
    let named = names.into_iter().flatten().find(|name| !name.is_empty());
    named.map_or_else(ordinal, str::to_owned)
}

/// Returns the position of a record as an ID.
fn ordinal(source: &Source, place: Place<'_>) -> String {
    match place.line {
        Some(line) => source.ordinal(line),
        None if source.format.holds_many() => {
            format!("{}@{}", source.label, place.plain.unwrap_or(place.offset))
        }
        None => source.label.clone(),
    }
}

/// Adds the position in the input to a rejection.
fn reject(source: &Source, place: Place<'_>, rejection: Rejection) -> Rejected {
    // Rows of tables have numbers, but no lines in the file.
    let line = place.line.filter(|_| source.format.is_lines());
    Rejected {
        input: source.name.clone(),
        offset: place.offset,
        plain_offset: place.plain,
        record: place.record.map(str::to_owned),
        id: rejection.id.unwrap_or_else(|| ordinal(source, place)),
        url: rejection.url,
        reason: rejection.reason,
        message: match line {
            Some(line) => format!("line {line}: {}", rejection.message),
            None => rejection.message,
        },
    }
}

/// Reads the bytes of a page that the extractor uses, and one more to show that it was cut.
fn read_page(file: File, most: usize) -> io::Result<Vec<u8>> {
    let most = most as u64 + 1;
    let length = file.metadata()?.len().min(most);
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::resolve;

    #[test]
    fn the_id_falls_back_to_url_path_and_place() {
        let id = |given, url, path| resolve([given, url, path], || "line 3".to_owned());
        assert_eq!(id(Some("i"), Some("u"), Some("p")), "i");
        assert_eq!(id(Some(""), Some("u"), Some("p")), "u");
        assert_eq!(id(None, None, Some("p")), "p");
        assert_eq!(id(None, None, None), "line 3");
    }
}
