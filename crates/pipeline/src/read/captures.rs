//! Captures in crawl archives: their records as pages, documents and resources, in every archive format.

use std::borrow::Cow;
use std::io::Read;
use std::ops::Range;
use std::sync::Arc;

use dehusk_archive::{Answer, Damage, Form, Head, Integrity, Limits, Reason as Wrong, RecordKind, http};

use crate::error::plain;
use crate::read::chunk::{
    Body, Bounds, Captures, Chunk, Chunks, Digests, Found, Place, Source, StartAt, WholeFile,
};
use crate::read::kinds;
use crate::read::located::Located;
use crate::read::piece::{Held, HeldRecord, PIECE, Piece, Pieces};
use crate::record::{Capture, Content, DocumentRecord, Extra, PageRecord, Ranking, Reason, Rejection};

/// Bytes of a block allowed in addition to the page, for its HTTP header.
const HEAD: usize = 64 << 10;

/// Starts to cut an archive into pieces.
pub(crate) fn open(source: &Arc<Source>, form: Form, bounds: &Bounds) -> Box<dyn Chunks> {
    match source.stream() {
        Ok(from) => Box::new(cut(source, form, bounds, from, 0)),
        Err(error) => Box::new(WholeFile::unreadable(source, &error)),
    }
}

/// Starts at the place of a record. Returns `None` if the bytes before it would have to be read.
pub(crate) fn open_at(
    source: &Arc<Source>,
    form: Form,
    bounds: &Bounds,
    at: StartAt,
) -> Option<Box<dyn Chunks>> {
    // Later frames cannot be decompressed without the dictionary at the start of the file.
    if needs_its_start(source)? {
        return None;
    }
    let from = source.file_from(at.offset)?;
    Some(Box::new(cut(source, form, bounds, from, at.offset)))
}

/// Starts to read a part of an archive; see [`Format::open_part`](crate::read::chunk::Format::open_part).
pub(crate) fn open_part(
    source: &Arc<Source>,
    form: Form,
    bounds: &Bounds,
    part: Range<u64>,
) -> Option<Box<dyn Chunks>> {
    if needs_its_start(source)? {
        return None;
    }
    let from = source.file_from(part.start)?;
    // Bytes after the part belong to the next one.
    let from = from.take(part.end.saturating_sub(part.start));
    let mut cut = cut(source, form, bounds, from, part.start);
    cut.pieces = cut.pieces.ending_at(part.end);
    Some(Box::new(cut))
}

/// Returns `true` if a file begins with a skippable zstd frame (magic number 0x184D2A50 to 0x184D2A5F).
/// Compressed WARC files store there the dictionary that all later frames need. `None` if the file cannot
/// be read.
pub(crate) fn needs_its_start(source: &Source) -> Option<bool> {
    let mut first = [0; 4];
    source.file_from(0)?.read_exact(&mut first).ok()?;
    Some((0x184D_2A50..=0x184D_2A5F).contains(&u32::from_le_bytes(first)))
}

/// Returns the chunks of an archive. `from` yields its bytes from `offset` on.
pub(crate) fn cut<R: Read + Send>(
    source: &Arc<Source>,
    form: Form,
    bounds: &Bounds,
    from: R,
    offset: u64,
) -> Cut<R> {
    Cut {
        source: Arc::clone(source),
        pieces: Pieces::new((from, offset), (form, bounds.captures), limits(bounds), PIECE),
        offset,
    }
}

/// Visits the pages of a piece: responses and resources that are HTML and, if texts are requested, conversions.
pub(crate) fn pages(chunk: &Chunk, visit: &mut dyn FnMut(Place<'_>, Found<PageRecord<'_>>)) {
    each_record(chunk, &mut |place, captures, record| {
        let record = match record {
            Ok(record) => record,
            Err(rejection) => return visit(place, Found::Rejected(rejection)),
        };
        // Declared outside of the match, because the page borrows from it until it is visited.
        let message;
        let found = match record.head.kind() {
            RecordKind::Response => {
                message = http::message(&record.block, Limits::default());
                response(record, &message, captures)
            }
            RecordKind::Resource => resource(record, captures),
            RecordKind::Conversion if captures.texts => text(record, captures),
            other => passed_over(record, other),
        };
        // Redirects and files other than HTML may be resources that pages request, such as style sheets.
        let asset = match found {
            Found::Skipped(MOVED | NOT_HTML) => record.head.target_uri(),
            _ => None,
        };
        let asset = asset.as_deref();
        // The beginning of a truncated record is a page. Its missing end is reported after the page.
        let end = matches!(found, Found::Record(_))
            .then(|| cut_end(record))
            .flatten();
        visit(Place { asset, ..place }, found);
        if let Some(end) = end {
            visit(place, Found::Rejected(end));
        }
    });
}

/// Visits the resources in a piece that pages may request.
pub(crate) fn assets(chunk: &Chunk, visit: &mut dyn FnMut(Answer<'_>)) {
    each_record(chunk, &mut |_, captures, record| {
        if let Ok(record) = record
            && spoiled(record, captures.digests).is_none()
            && let Some(asset) = Answer::of(&record.head, &record.block)
        {
            visit(asset);
        }
    });
}

/// Visits the documents of a piece: conversions to text.
pub(crate) fn documents(chunk: &Chunk, visit: &mut dyn FnMut(Place<'_>, Found<DocumentRecord<'_>>)) {
    each_record(chunk, &mut |place, captures, record| {
        let record = match record {
            Ok(record) => record,
            Err(rejection) => return visit(place, Found::Rejected(rejection)),
        };
        if record.head.kind() != RecordKind::Conversion {
            return visit(place, passed_over(record, record.head.kind()));
        }
        if let Some(damage) = spoiled(record, captures.digests) {
            return visit(place, Found::Rejected(rejection(damage)));
        }
        visit(place, Found::Record(conversion(record)));
        if let Some(end) = cut_end(record) {
            visit(place, Found::Rejected(end));
        }
    });
}

/// Returns limits that keep no more of a record than the extractor uses.
pub(crate) fn limits(bounds: &Bounds) -> Limits {
    let limits = Limits::default();
    limits.with_block(limits.block().min(bounds.page_bytes.saturating_add(HEAD)))
}

/// A file that is being cut into pieces.
pub(crate) struct Cut<R> {
    source: Arc<Source>,
    pieces: Pieces<R>,
    offset: u64,
}

impl<R: Read + Send> Chunks for Cut<R> {
    fn next(&mut self) -> Option<Chunk> {
        let offset = self.offset;
        // `Job::each_page_of`, the only reader of parts, has visited all pieces by now.
        let Some(next) = self.pieces.next() else {
            let end = self.pieces.take_torn()?;
            let message = format!(
                "a record goes on behind byte {end}, where the file was split; let one task read it (`split=False`)"
            );
            let body = Body::Rejected(Rejection::new(Reason::Unreadable, message));
            return Some(Chunk::new(&self.source, offset, 1, body));
        };
        let body = match next {
            Ok(piece) => {
                self.offset += piece.len();
                Body::Archive(piece)
            }
            Err(error) => Body::Rejected(Rejection::new(Reason::Unreadable, plain(&error))),
        };
        Some(Chunk::new(&self.source, offset, 1, body))
    }
}

/// Callback for a record with its place and capture settings, or for damage outside of records.
type Visit<'v> = dyn FnMut(Place<'_>, Captures, Result<&HeldRecord, Rejection>) + 'v;

/// Visits the records of a piece and the damage outside of records.
fn each_record(chunk: &Chunk, visit: &mut Visit<'_>) {
    let piece = match &chunk.body {
        Body::Archive(piece) => piece,
        Body::Located(located) => return each_located(located, visit),
        _ => return,
    };
    let captures = piece.captures();
    piece.each(&mut |held| match held {
        Held::Damage(damage) => visit(
            place(piece, damage.place, damage.id.as_deref()),
            captures,
            Err(rejection(&damage)),
        ),
        Held::Record(record) => {
            let id = record.head.id();
            visit(place(piece, record.place, id.as_deref()), captures, Ok(&*record));
        }
    });
}

/// Visits the records whose places an index gave. Their offsets in the decompressed file are not known.
fn each_located(located: &Located, visit: &mut Visit<'_>) {
    located.each(&mut |offset, held| match held {
        Ok(Held::Record(record)) => {
            let id = record.head.id();
            let at = Place {
                record: id.as_deref(),
                ..Place::at(offset)
            };
            visit(at, located.captures(), Ok(&*record));
        }
        Ok(Held::Damage(damage)) => visit(Place::at(offset), located.captures(), Err(rejection(&damage))),
        Err(rejection) => visit(Place::at(offset), located.captures(), Err(rejection)),
    });
}

/// Returns the place with the member offset as its offset, because reading can start only at a member.
fn place<'r>(piece: &Piece, of: dehusk_archive::Place, record: Option<&'r str>) -> Place<'r> {
    Place {
        plain: piece.plain_offset(of),
        record,
        ..Place::at(of.member)
    }
}

/// Returns the damage that makes a record unusable.
///
/// Its bytes are known to be wrong, or they lie in damaged data without a digest that confirms them. A truncated record is still usable.
fn spoiled(record: &HeldRecord, digests: Digests) -> Option<&Damage> {
    // A matching digest confirms the content, whatever was damaged around it.
    let is_sound = matches!(record.integrity, Integrity::Digest | Integrity::Payload);
    // Programs that copy captures change only the HTTP header. This is assumed if no payload digest can prove otherwise.
    let may_be_copied = record.head.get("WARC-Payload-Digest").is_none() && record.damage.len() == 1;
    record.damage.iter().find(|damage| match damage.reason {
        Wrong::BadData | Wrong::Checksum | Wrong::CutHead | Wrong::Ratio => !is_sound,
        Wrong::Digest => match digests {
            Digests::Require => true,
            Digests::Ignore => false,
            // A wrong digest is ignored if another one confirms the content, if only the header may have
            // been rewritten, and if the end of the record is missing.
            Digests::Warn => !is_sound && !may_be_copied && !is_cut(record),
        },
        _ => false,
    })
}

/// Returns `true` if the input ends within a record.
fn is_cut(record: &HeldRecord) -> bool {
    let cuts = |damage: &Damage| matches!(damage.reason, Wrong::CutMember | Wrong::CutRecord);
    record.damage.iter().any(cuts)
}

/// Returns the rejection that reports the missing end of a truncated record.
fn cut_end(record: &HeldRecord) -> Option<Rejection> {
    let cut = |damage: &&Damage| matches!(damage.reason, Wrong::CutMember | Wrong::CutRecord);
    let mut end = rejection(record.damage.iter().find(cut)?);
    end.message = format!(
        "the record ends too early, and its beginning is a document; {}",
        end.message
    );
    Some(end)
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

/// Describes damage in words.
fn told(damage: &Damage) -> String {
    let mut told = format!("{}: {}", damage.reason, damage.reason.description());
    if damage.bytes > 0 {
        told += &format!("; {} bytes are lost", damage.bytes);
    }
    told
}

/// All reasons for skipping a record.
pub(crate) const SKIPPED: &[&str] = &[
    "response",
    "resource",
    "conversion",
    "request",
    "revisit",
    "metadata",
    "warcinfo",
    "other-record",
    MOVED,
    HTTP_ERROR,
    NOT_HTML,
];

const MOVED: &str = "http-redirect";
const HTTP_ERROR: &str = "http-error";
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

/// Skips a record of an unwanted kind. If damage hides its kind, it is rejected, because it might have been wanted.
fn passed_over<R>(record: &HeldRecord, of: RecordKind) -> Found<R> {
    let kind = kind(of);
    match record.damage.first() {
        Some(damage) if kind == OTHER => Found::Rejected(rejection(damage)),
        _ => Found::Skipped(kind),
    }
}

/// Returns the page in the response of a server.
fn response<'r>(
    record: &'r HeldRecord,
    message: &'r http::Message<'r>,
    captures: Captures,
) -> Found<PageRecord<'r>> {
    match message.head.status() {
        Some(300..=399) => return Found::Skipped(MOVED),
        Some(400..) => return Found::Skipped(HTTP_ERROR),
        _ => {}
    }
    let of_message = message.head.get("Content-Type").map(String::from_utf8_lossy);
    // Records of ARC files name the type of the page, those of WARC files the type of the message.
    let content_type = of_message.or_else(|| {
        let of_record = record.head.content_type()?;
        let is_message = of_record
            .trim_ascii_start()
            .to_ascii_lowercase()
            .starts_with("application/http");
        (!is_message).then_some(of_record)
    });
    if !is_html(content_type.as_deref(), &message.body) {
        return Found::Skipped(NOT_HTML);
    }
    if let Some(damage) = spoiled(record, captures.digests) {
        return Found::Rejected(rejection(damage));
    }
    let mut page = page(record, &message.body, captures.digests);
    page.content_type = content_type;
    page.last_modified = message.head.get("Last-Modified").map(String::from_utf8_lossy);
    let problems = message.problems.iter().map(|problem| problem.name().to_owned());
    add_damage(&mut page, problems);
    Found::Record(page)
}

/// Returns the page of a resource record.
fn resource(record: &HeldRecord, captures: Captures) -> Found<PageRecord<'_>> {
    let content_type = record.head.content_type();
    if !is_html(content_type.as_deref(), &record.block) {
        return Found::Skipped(NOT_HTML);
    }
    if let Some(damage) = spoiled(record, captures.digests) {
        return Found::Rejected(rejection(damage));
    }
    let mut page = page(record, &record.block, captures.digests);
    page.content_type = content_type;
    Found::Record(page)
}

/// Returns the text of a page from a conversion. It needs no extraction.
fn text(record: &HeldRecord, captures: Captures) -> Found<PageRecord<'_>> {
    if let Some(damage) = spoiled(record, captures.digests) {
        return Found::Rejected(rejection(damage));
    }
    let mut page = page(record, &[], captures.digests);
    page.content = Content::Text(String::from_utf8_lossy(&record.block));
    page.is_main_text = true;
    page.date = record.head.date();
    page.language = language(&record.head);
    Found::Record(page)
}

/// Returns the languages that a program identified in the text.
fn language(head: &Head) -> Option<Cow<'_, str>> {
    let languages = String::from_utf8_lossy(head.get("WARC-Identified-Content-Language")?);
    (!languages.is_empty()).then_some(languages)
}

/// Returns a page with this body, and the address, date, record ID and damage that the record states.
fn page<'r>(record: &'r HeldRecord, body: &'r [u8], digests: Digests) -> PageRecord<'r> {
    let mut page = PageRecord::new(Content::Bytes(body.into()));
    page.url = record.head.target_uri();
    let about = [("captured", record.head.date()), ("warc_id", record.head.id())];
    page.extra = Extra(
        about
            .into_iter()
            .filter_map(|(name, text)| {
                let value = serde_json::value::to_raw_value(&text?).ok()?; // a string is always valid JSON
                Some((Cow::Borrowed(name), Cow::Owned(value)))
            })
            .collect(),
    );
    let truncated = record
        .head
        .truncated()
        .map(|why| format!("truncated by the crawler: {why}"));
    let at = |damage: &Damage| format!("{}, at byte {} of the archive", told(damage), damage.place.member);
    let cuts = |damage: &Damage| matches!(damage.reason, Wrong::CutMember | Wrong::CutRecord);
    page.cut = record
        .damage
        .iter()
        .find(|damage| cuts(damage))
        .map(|cut| at(cut).into());
    // The digest of a truncated record is meaningless.
    let ignored = digests == Digests::Ignore || page.cut.is_some();
    let damage = record
        .damage
        .iter()
        .filter(|damage| !(cuts(damage) || ignored && damage.reason == Wrong::Digest))
        .map(at);
    add_damage(&mut page, damage.chain(truncated));
    page
}

/// Adds notes on damage to a page that is used nevertheless.
fn add_damage(page: &mut PageRecord<'_>, more: impl Iterator<Item = String>) {
    let known = page.damage.take().map(|damage| damage.into_owned());
    let all: Vec<String> = known.into_iter().chain(more).collect();
    page.damage = (!all.is_empty()).then(|| all.join("; ").into());
}

/// Media types under which servers send HTML, standard or not.
const HTML_TYPES: &[&str] = &[
    "text/html",
    "text/htm",
    "application/html",
    "application/xhtml+xml",
    "application/xhtml",
    "text/xhtml",
    "application/vnd.wap.xhtml+xml",
];

/// Media types that carry no information.
const UNKNOWN_TYPES: &[&str] = &[
    "",
    "application/octet-stream",
    "application/unknown",
    "application/x-unknown",
    "application/force-download",
    "unknown/unknown",
    "content/unknown",
    "text/unknown",
    "*/*",
];

/// Returns a media type without parameters, in lower case.
fn essence(content_type: Option<&str>) -> String {
    let essence = content_type.unwrap_or_default().split(';').next();
    essence.unwrap_or_default().trim().to_ascii_lowercase()
}

/// Returns why a capture is not a page, by the status and the media type that an index gives for it. `None` if it may be a page.
pub(crate) fn no_page(status: Option<u64>, content_type: Option<&str>) -> Option<&'static str> {
    let essence = essence(content_type);
    match status {
        _ if essence == "warc/revisit" => Some("revisit"),
        Some(300..=399) => Some(MOVED),
        Some(400..) => Some(HTTP_ERROR),
        _ if HTML_TYPES.contains(&essence.as_str()) => None,
        // A missing or meaningless type may hide a page, which only fetching it shows.
        _ if UNKNOWN_TYPES.contains(&essence.as_str()) || !essence.contains('/') => None,
        // XML may be XHTML.
        _ => (!["text/xml", "application/xml"].contains(&essence.as_str())).then_some(NOT_HTML),
    }
}

/// Returns `true` if a body is HTML. The type decides, unless the bytes are certainly something else.
/// Without a known type, the first bytes decide.
fn is_html(content_type: Option<&str>, body: &[u8]) -> bool {
    let essence = essence(content_type);
    if HTML_TYPES.contains(&essence.as_str()) {
        return kinds::other(body).is_none();
    }
    match essence.as_str() {
        // XHTML may be sent under any XML type.
        "text/xml" | "application/xml" => kinds::is_xhtml(body),
        // A media type has a slash. A value without one carries no information.
        _ if UNKNOWN_TYPES.contains(&essence.as_str()) || !essence.contains('/') => kinds::is_page(body),
        _ => false,
    }
}

/// Returns the text of a page as a document, as in WET files.
fn conversion(record: &HeldRecord) -> DocumentRecord<'_> {
    let head = &record.head;
    DocumentRecord {
        id: None,
        url: head.target_uri(),
        path: None,
        title: None,
        text: String::from_utf8_lossy(&record.block),
        ranking: Ranking {
            date: head.date(),
            ..Ranking::default()
        },
        capture: Capture {
            warc_id: head.id(),
            language: language(head),
        },
    }
}
