//! The records of a chunk, each with its id and its place, or as rejected.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};

use crate::error::plain;
use crate::exec::regular_file;
use crate::read::address::Addresses;
use crate::read::chunk::{Body, Chunk, Found, Place, Source};
use crate::read::compression;
use crate::read::format::{each_line, read_span};
use crate::read::kinds::{self, Other};
use crate::record::mend::LineNotes;
use crate::record::{Content, DocumentRecord, PageRecord, Reason, Rejected, Rejection};

/// A record and where it stands.
pub struct Item<'c, R> {
    /// The id it was given, else its address, else its path, else its place in the input.
    pub id: String,
    /// What was read.
    pub record: R,
    pub(crate) place: Place<'c>,
    source: &'c Source,
}

/// What records of all kinds tell.
pub trait Record {
    /// The address, if one is known.
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
    /// Rejects the record.
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
    /// The document as a line of JSON: that of the input, or one that is made of what an archive tells. Of a row of a table it has the
    /// columns that are of use for a comparison.
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
            line.to_string().into_bytes().into()
        } else {
            self.place.raw.into()
        }
    }
}

/// What a record of a chunk came to: the record, or why it was rejected.
pub(crate) type Visited<'r, R> = Result<Item<'r, R>, Rejected>;

/// Sound records of other kinds than are read, by kind.
pub(crate) type SkippedRecords = BTreeMap<&'static str, u64>;

/// What is known of the records of a chunk beside what came of each.
#[derive(Default)]
pub(crate) struct Notes {
    /// Records that were passed over.
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

    /// Notes the line of a record, which could be used or not.
    fn line(&mut self, place: &Place<'_>, is_used: bool) {
        self.lines.columns |= place.columns;
        if is_used {
            self.lines.mended.count(place.mended);
        }
    }
}

/// Visits the chunk, or, if its lines are unread, the chunks that they are read into, and hands on where they end.
pub(crate) fn each_part(chunk: &Chunk, visit: &mut dyn FnMut(&Chunk)) {
    let Body::Span(span) = &chunk.body else {
        return visit(chunk);
    };
    let Some(start) = span.start() else {
        let rejection = Rejection::new(Reason::Unreadable, "what comes before it could not be read");
        let body = Body::Rejected(rejection);
        return visit(&Chunk::new(&chunk.source, chunk.offset, chunk.line, body));
    };
    let bounds = (start, span.until());
    let (parts, end) = read_span(&chunk.source, &span.file, bounds, span.most);
    span.pass(end);
    parts.iter().for_each(visit);
}

/// Visits every page of a chunk. A page that lies in a file of its own is read, up to `page_bytes` of it; one without an
/// address has that of `addresses`. The id stands in the record, too.
pub(crate) fn each_page(
    chunk: &Chunk,
    page_bytes: usize,
    addresses: &Addresses<'_>,
    notes: &mut Notes,
    visit: &mut dyn FnMut(Visited<'_, PageRecord<'_>>),
) {
    let others = RefCell::new(SkippedRecords::new());
    let mut read = |item: Visited<'_, PageRecord<'_>>| {
        // What is no page is told by its bytes as they are stored, or by what they inflate to.
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

/// The same, but of a page that lies in a file of its own the file is not read, and nothing is inflated. `beside` is told the places of
/// records that are no pages, but that pages may ask for.
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
        // Ids are no matter of addresses that stand in no record.
        addresses.complete(&mut record, source, &place);
        record.id = Some(Cow::Owned(id.clone()));
        visit(Ok(Item {
            id,
            record,
            place,
            source,
        }));
    });
}

impl Item<'_, PageRecord<'_>> {
    /// The same with the page read and inflated, up to `page_bytes` of it.
    pub(crate) fn read(self, page_bytes: usize) -> Result<Self, Rejected> {
        self.load(page_bytes)?.inflate(page_bytes)
    }

    /// What the content is by its bytes, if that is surely no page, and the content is a file: what a record holds is what it says.
    pub(crate) fn other(&self) -> Option<&'static Other> {
        match &self.record.content {
            Content::Bytes(bytes) if self.place.line.is_none() && self.place.record.is_none() => {
                kinds::other(bytes)
            }
            _ => None,
        }
    }

    /// The same with the page read as it is stored, up to `page_bytes` of it.
    fn load(mut self, page_bytes: usize) -> Result<Self, Rejected> {
        if let Content::File { name, path } = &self.record.content {
            let unreadable = |error: io::Error| {
                let message = format!("cannot read `{}`: {}", path.display(), plain(&error));
                (Reason::Unreadable, message)
            };
            // The user named a file that is one page; the file of a record was named by whoever wrote the list.
            let file = match self.source.format.holds_many() {
                true => self
                    .source
                    .named_files
                    .open(self.source.path.as_deref(), path, name),
                false => regular_file::open(path).map_err(unreadable),
            };
            match file.and_then(|file| read_page(file, page_bytes).map_err(unreadable)) {
                Ok(bytes) => self.record.content = Content::Bytes(Cow::Owned(bytes)),
                Err((reason, message)) => return Err(self.reject(reason, message)),
            }
        }
        Ok(self)
    }

    /// The same with the page inflated, up to `page_bytes` of it.
    fn inflate(mut self, page_bytes: usize) -> Result<Self, Rejected> {
        match compression::inflate(&mut self.record.content, page_bytes) {
            Ok(()) => Ok(self),
            Err(rejection) => Err(self.reject(rejection.reason, rejection.message)),
        }
    }
}

/// Number of the records of a chunk, which are not read.
pub(crate) fn count_records(chunk: &Chunk) -> u64 {
    let mut count = 0;
    match &chunk.body {
        Body::Lines { .. } => each_line(chunk, &mut |_, _| count += 1),
        Body::Page(_) | Body::File => count = 1,
        Body::Archive(_) | Body::Entries { .. } => {
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

/// Visits every document of a chunk that was read.
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

/// Calls `tell` if the chunk is one unreadable record.
fn unreadable(chunk: &Chunk, tell: &mut dyn FnMut(Rejected)) {
    if let Body::Rejected(rejection) = &chunk.body {
        let place = Place {
            line: chunk.source.format.is_lines().then_some(chunk.line),
            ..chunk.place(chunk.offset)
        };
        tell(reject(&chunk.source, place, rejection.clone()));
    }
}

/// The first name that is there, else the place in the input.
fn resolve(names: [Option<&str>; 3], ordinal: impl FnOnce() -> String) -> String {
    let named = names.into_iter().flatten().find(|name| !name.is_empty());
    named.map_or_else(ordinal, str::to_owned)
}

/// The place of a record, as a name.
fn ordinal(source: &Source, place: Place<'_>) -> String {
    match place.line {
        Some(line) => source.ordinal(line),
        None if source.format.holds_many() => {
            format!("{}@{}", source.label, place.plain.unwrap_or(place.offset))
        }
        None => source.label.clone(),
    }
}

/// Adds the place in the input to a rejection.
fn reject(source: &Source, place: Place<'_>, rejection: Rejection) -> Rejected {
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

/// Reads as much of a file as the extractor uses, and one byte more, so that it notices the cut.
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
