//! Fetching the captures of a plan, several requests at a time.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;

use dehusk_archive::Form;

use super::plan::{Archive, BadRow, Plan, Wrong};
use super::ranges::Asked;
use crate::error::plain;
use crate::read::captures;
use crate::read::chunk::{Body, Bounds, Chunk, Format, Source, extension};
use crate::read::format::{ArcArchive, Warc};
use crate::read::located::Located;
use crate::record::{Reason, Rejection};

/// Largest number of requests at a time.
const AHEAD: usize = 32;
/// Largest number of bytes requested at a time. A single longer capture is requested alone.
const AHEAD_BYTES: u64 = 32 << 20;

/// The captures of a plan that are being read: first the rejected rows, then one chunk for each request.
pub(crate) struct Fetching {
    plan: Arc<Plan>,
    /// Number of the next rejected row.
    bad: usize,
    /// Number of the next span to request.
    span: usize,
    /// Requests under way, in the order of the spans, each with the number of its span.
    asked: VecDeque<(usize, Asked)>,
    /// Total bytes of the requests under way.
    asked_bytes: u64,
    /// Archive of the last chunk.
    source: Option<(usize, Arc<Source>)>,
}

impl Fetching {
    /// Starts after the first `passed` chunks, which are not fetched.
    pub(crate) fn new(plan: &Arc<Plan>, passed: u64) -> Self {
        let passed = usize::try_from(passed).unwrap_or(usize::MAX);
        let bad = passed.min(plan.bad.len());
        Fetching {
            plan: Arc::clone(plan),
            bad,
            span: (passed - bad).min(plan.spans.len()),
            asked: VecDeque::new(),
            asked_bytes: 0,
            source: None,
        }
    }

    /// Returns the next chunk, with the number of its archive.
    pub(crate) fn next(&mut self, bounds: &Bounds) -> Option<(Chunk, Option<u64>)> {
        let plan = Arc::clone(&self.plan);
        // Rejected rows are the first chunks of a plan, as `new` assumes.
        if let Some(bad) = plan.bad.get(self.bad) {
            self.bad += 1;
            return Some((rejected(&plan, bad), None));
        }
        // Keep several requests under way. The first one is sent even if it alone exceeds `AHEAD_BYTES`.
        while self.asked.len() < AHEAD
            && let Some(span) = plan.spans.get(self.span)
        {
            let range = plan.range(span);
            let length = range.end - range.start;
            if !self.asked.is_empty() && self.asked_bytes + length > AHEAD_BYTES {
                break;
            }
            let Archive { root, below } = &plan.archives[span.archive];
            self.asked.push_back((self.span, root.ask(below, range)));
            self.asked_bytes += length;
            self.span += 1;
        }
        // Answers are awaited in the order of the spans, so chunks do not depend on which answer arrives
        // first.
        let (span, asked) = self.asked.pop_front()?;
        let span = &plan.spans[span];
        let range = plan.range(span);
        self.asked_bytes -= range.end - range.start;
        let source = self.source(&plan, span.archive);
        let bytes = asked
            .wait()
            .map_err(|error| Rejection::new(Reason::Unreadable, plain(&error)));
        let places = &plan.captures[span.captures.clone()];
        let places = places.iter().map(|capture| (capture.offset, capture.length));
        let form = match source.format.name() == ArcArchive.name() {
            true => Form::Arc,
            false => Form::Warc,
        };
        let limits = captures::limits(bounds);
        let located = Located::new(
            bytes,
            range.start,
            places.collect(),
            (form, bounds.captures),
            limits,
        );
        let chunk = Chunk::new(&source, range.start, 1, Body::Located(located));
        Some((chunk, u64::try_from(span.archive).ok()))
    }

    /// Returns an archive as a source.
    fn source(&mut self, plan: &Plan, archive: usize) -> Arc<Source> {
        // Spans are sorted by archive, so remembering the last archive suffices to share its source.
        if let Some((last, source)) = &self.source
            && *last == archive
        {
            return Arc::clone(source);
        }
        let Archive { root, below } = &plan.archives[archive];
        let is_arc = extension(below.as_ref()).as_deref() == Some("arc");
        let format: &'static dyn Format = if is_arc { &ArcArchive } else { &Warc };
        let source = Arc::new(Source {
            label: below.clone(),
            ..Source::of_file(PathBuf::from(root.join(below)), format)
        });
        self.source = Some((archive, Arc::clone(&source)));
        source
    }
}

/// Returns the rejection of a row as a chunk.
fn rejected(plan: &Plan, bad: &BadRow) -> Chunk {
    let name = plan.indexes.get(bad.index as usize).cloned().unwrap_or_default();
    let reason = match bad.wrong {
        Wrong::Outside => Reason::PathNotAllowed,
        _ => Reason::BadIndex,
    };
    let message = format!("row {} of the index: {}", bad.row, bad.wrong.message());
    let rejection = Rejection {
        id: Some(format!("{name}:{}", bad.row)),
        ..Rejection::new(reason, message)
    };
    let source = Arc::new(Source::of_file(PathBuf::from(name), &Warc));
    Chunk::new(&source, 0, 1, Body::Rejected(rejection))
}
