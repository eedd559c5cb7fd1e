//! WARC: archives of crawls, with the pages as servers sent them (WARC files) or their texts (WET files).

use std::borrow::Cow;
use std::io::Read;
use std::sync::Arc;

use dehusk_archive::{Answer, Damage, Integrity, Limits, Reason as Wrong, RecordKind, http};

use crate::error::plain;
use crate::read::chunk::{Body, Bounds, Chunk, Chunks, Format, Found, Place, Source, StartAt, WholeFile};
use crate::read::piece::{Held, HeldRecord, PIECE, Pieces};
use crate::record::{Content, DocumentRecord, Extra, PageRecord, Ranking, Reason, Rejection};

/// WARC 0.17 to 1.1 (ISO 28500), plain, in gzip members or zstd frames. Pages are responses with status 200 to 299 and resources, if they
/// are HTML; documents are conversions to text. Other records are passed over and counted.
///
/// A damaged record costs itself. Of one whose bytes are surely not those that were written, nothing is used.
pub struct Warc;

/// Bytes of a block beside those of a page: its HTTP head.
const HEAD: usize = 64 << 10;

impl Format for Warc {
    fn name(&self) -> &'static str {
        "warc"
    }

    fn summary(&self) -> &'static str {
        "WARC archives of crawls: responses and resources are pages; texts of WET files are documents"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["warc", "wet"]
    }

    fn begins(&self, first: &[u8]) -> bool {
        first.starts_with(b"WARC/")
    }

    fn is_archive(&self) -> bool {
        true
    }

    fn has_documents(&self) -> bool {
        true
    }

    fn open(&self, source: &Arc<Source>, bounds: &Bounds) -> Box<dyn Chunks> {
        let from = match source.stream() {
            Ok(from) => from,
            Err(error) => return Box::new(WholeFile::unreadable(source, &error)),
        };
        Box::new(Cut {
            source: Arc::clone(source),
            pieces: Pieces::new(from, limits(bounds), PIECE),
            offset: 0,
        })
    }

    fn open_at(&self, source: &Arc<Source>, bounds: &Bounds, at: StartAt) -> Option<Box<dyn Chunks>> {
        let mut first = [0; 4];
        source.file_from(0)?.read_exact(&mut first).ok()?;
        // A dictionary, which all frames behind it need.
        if (0x184D_2A50..=0x184D_2A5F).contains(&u32::from_le_bytes(first)) {
            return None;
        }
        Some(Box::new(Cut {
            source: Arc::clone(source),
            pieces: Pieces::new(source.file_from(at.offset)?, limits(bounds), PIECE),
            offset: at.offset,
        }))
    }

    fn pages(&self, chunk: &Chunk, visit: &mut dyn FnMut(Place<'_>, Found<PageRecord<'_>>)) {
        each_record(chunk, &mut |place, record| match record {
            Ok(record) => {
                let message;
                let found = match record.head.kind() {
                    RecordKind::Response => {
                        message = http::message(&record.block, Limits::default());
                        response(record, &message)
                    }
                    RecordKind::Resource => resource(record),
                    other => passed_over(record, other),
                };
                let asset = match found {
                    Found::Skipped(MOVED | NOT_HTML) => record.head.target_uri(),
                    _ => None,
                };
                let asset = asset.as_deref();
                visit(Place { asset, ..place }, found);
            }
            Err(rejection) => visit(place, Found::Rejected(rejection)),
        });
    }

    fn assets(&self, chunk: &Chunk, visit: &mut dyn FnMut(Answer<'_>)) {
        each_record(chunk, &mut |_, record| {
            if let Ok(record) = record
                && let Some(asset) = Answer::of(&record.head, &record.block)
            {
                visit(asset);
            }
        });
    }

    fn documents(&self, chunk: &Chunk, visit: &mut dyn FnMut(Place<'_>, Found<DocumentRecord<'_>>)) {
        each_record(chunk, &mut |place, record| {
            visit(
                place,
                match record {
                    Ok(record) if record.head.kind() == RecordKind::Conversion => {
                        Found::Record(conversion(record))
                    }
                    Ok(record) => passed_over(record, record.head.kind()),
                    Err(rejection) => Found::Rejected(rejection),
                },
            );
        });
    }
}

/// Limits of records, of which no more is kept than the extractor uses.
fn limits(bounds: &Bounds) -> Limits {
    let limits = Limits::default();
    limits.with_block(limits.block().min(bounds.page_bytes.saturating_add(HEAD)))
}

/// A file that is being cut into pieces.
struct Cut<R> {
    source: Arc<Source>,
    pieces: Pieces<R>,
    offset: u64,
}

impl<R: Read + Send> Chunks for Cut<R> {
    fn next(&mut self) -> Option<Chunk> {
        let offset = self.offset;
        let body = match self.pieces.next()? {
            Ok(piece) => {
                self.offset += piece.len();
                Body::Archive(piece)
            }
            Err(error) => Body::Rejected(Rejection::new(Reason::Unreadable, plain(&error))),
        };
        Some(Chunk::new(&self.source, offset, 1, body))
    }
}

/// Visits the records of a piece that can be used, and what cannot.
fn each_record(chunk: &Chunk, visit: &mut dyn FnMut(Place<'_>, Result<&HeldRecord, Rejection>)) {
    let Body::Archive(piece) = &chunk.body else {
        return;
    };
    piece.each(&mut |held| match held {
        Held::Damage(damage) => visit(place(damage.place, damage.id.as_deref()), Err(rejection(&damage))),
        Held::Record(record) => {
            let usable = match fatal(&record) {
                Some(damage) => Err(rejection(damage)),
                None => Ok(&*record),
            };
            visit(place(record.place, record.head.id().as_deref()), usable);
        }
    });
}

/// Reading can begin only where a member does, so that this is the offset.
fn place(of: dehusk_archive::Place, record: Option<&str>) -> Place<'_> {
    Place {
        plain: Some(of.plain),
        record,
        ..Place::at(of.member)
    }
}

/// What makes a record useless: its bytes are surely not those that were written, or nobody knows whether they are and they lie in
/// damaged data.
fn fatal(record: &HeldRecord) -> Option<&Damage> {
    let spoils = |damage: &&Damage| {
        matches!(
            damage.reason,
            Wrong::BadData
                | Wrong::Checksum
                | Wrong::CutMember
                | Wrong::CutHead
                | Wrong::CutRecord
                | Wrong::Ratio
                | Wrong::Digest
        )
    };
    let sound = matches!(record.integrity, Integrity::Digest);
    record.damage.iter().find(spoils).filter(|_| !sound)
}

fn rejection(damage: &Damage) -> Rejection {
    let reason = match damage.reason {
        Wrong::CutMember | Wrong::CutHead | Wrong::CutRecord => Reason::Truncated,
        _ => Reason::BadArchive,
    };
    Rejection {
        id: damage.uri.clone(),
        url: damage.uri.clone(),
        reason,
        message: told(damage),
    }
}

/// A damage in words.
fn told(damage: &Damage) -> String {
    let mut told = format!("{}: {}", damage.reason, damage.reason.description());
    if damage.bytes > 0 {
        told += &format!("; {} bytes are lost", damage.bytes);
    }
    told
}

/// Every kind of record that is passed over.
pub(super) const SKIPPED: &[&str] = &[
    "response",
    "resource",
    "conversion",
    "request",
    "revisit",
    "metadata",
    "warcinfo",
    "other-record",
    MOVED,
    "http-error",
    NOT_HTML,
];

const MOVED: &str = "http-redirect";
const NOT_HTML: &str = "not-html";
const OTHER: &str = "other-record";

fn kind(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Response => "response",
        RecordKind::Resource => "resource",
        RecordKind::Conversion => "conversion",
        RecordKind::Request => "request",
        RecordKind::Revisit => "revisit",
        RecordKind::Metadata => "metadata",
        RecordKind::Warcinfo => "warcinfo",
        _ => OTHER,
    }
}

/// A record of another kind than is read; one whose kind cannot be read might have been of it.
fn passed_over<R>(record: &HeldRecord, of: RecordKind) -> Found<R> {
    let kind = kind(of);
    match record.damage.first() {
        Some(damage) if kind == OTHER => Found::Rejected(rejection(damage)),
        _ => Found::Skipped(kind),
    }
}

/// The page that a server answered.
fn response<'r>(record: &'r HeldRecord, message: &'r http::Message<'r>) -> Found<PageRecord<'r>> {
    match message.head.status() {
        Some(300..=399) => return Found::Skipped(MOVED),
        Some(400..) => return Found::Skipped("http-error"),
        _ => {}
    }
    let content_type = message.head.get("Content-Type").map(String::from_utf8_lossy);
    if !is_html(message.head.content_type().as_deref(), &message.body) {
        return Found::Skipped(NOT_HTML);
    }
    let mut page = page(record, &message.body);
    page.content_type = content_type;
    let problems = message.problems.iter().map(|problem| problem.name().to_owned());
    add_damage(&mut page, problems);
    Found::Record(page)
}

/// A page that was stored as a file.
fn resource(record: &HeldRecord) -> Found<PageRecord<'_>> {
    let content_type = record.head.content_type();
    let essence = content_type.as_deref().map(|field| {
        let name = field.split(';').next().unwrap_or_default();
        name.trim().to_ascii_lowercase()
    });
    if !is_html(essence.as_deref(), &record.block) {
        return Found::Skipped(NOT_HTML);
    }
    let mut page = page(record, &record.block);
    page.content_type = content_type;
    Found::Record(page)
}

fn page<'r>(record: &'r HeldRecord, body: &'r [u8]) -> PageRecord<'r> {
    let mut page = PageRecord::new(Content::Bytes(body.into()));
    page.url = record.head.target_uri();
    let about = [("captured", record.head.date()), ("warc_id", record.head.id())];
    page.extra = Extra(
        about
            .into_iter()
            .filter_map(|(name, text)| {
                let value = serde_json::value::to_raw_value(&text?).ok()?; // a string always is JSON
                Some((Cow::Borrowed(name), Cow::Owned(value)))
            })
            .collect(),
    );
    let truncated = record
        .head
        .truncated()
        .map(|why| format!("truncated by the crawler: {why}"));
    let damage = record.damage.iter();
    let damage =
        damage.map(|damage| format!("{}, at byte {} of the archive", told(damage), damage.place.member));
    add_damage(&mut page, damage.chain(truncated));
    page
}

/// Notes what is wrong with a page that is used nevertheless.
fn add_damage(page: &mut PageRecord<'_>, more: impl Iterator<Item = String>) {
    let known = page.damage.take().map(|damage| damage.into_owned());
    let all: Vec<String> = known.into_iter().chain(more).collect();
    page.damage = (!all.is_empty()).then(|| all.join("; ").into());
}

/// Whether a body is HTML: by its type, or where none is told, by its first character.
fn is_html(content_type: Option<&str>, body: &[u8]) -> bool {
    match content_type {
        Some("text/html" | "application/xhtml+xml") => true,
        None | Some("application/octet-stream" | "unknown/unknown" | "*/*") => {
            let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
            body.trim_ascii_start().starts_with(b"<") && !body.trim_ascii_start().starts_with(b"<?xml")
        }
        _ => false,
    }
}

/// The text of a page, as WET files have it.
fn conversion(record: &HeldRecord) -> DocumentRecord<'_> {
    DocumentRecord {
        id: None,
        url: record.head.target_uri(),
        path: None,
        title: None,
        text: String::from_utf8_lossy(&record.block),
        ranking: Ranking::default(),
    }
}
