//! One pass over the records of inputs.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs;

use crate::error::Error;
use crate::exec::ordered_pool::{Plan, process};
use crate::exec::panic_guard::catch_panic;
use crate::exec::progress::Progress;
use crate::page_process::{PageProcesses, Told};
use crate::read::address::Addresses;
use crate::read::chunk::{Body, Bounds, Chunk};
use crate::read::inputs::Inputs;
use crate::read::page_lines;
use crate::read::reader::{FilePlace, Placed, Position};
use crate::read::records::{Item, Notes, Record, SkippedRecords, each_document, each_page, each_part};
use crate::read::walk::Skipped;
use crate::record::mend::LineNotes;
use crate::record::{DocumentRecord, PageRecord, Reason, Rejected, Rejection};

/// Reads the records of inputs, processes them on threads, and passes the results of each chunk to the calling thread.
///
/// A panic affects only the record that caused it, which is rejected with [`Reason::Panic`].
pub struct Pass<'a> {
    /// Name of the stage in progress reports.
    pub(crate) stage: &'static str,
    pub(crate) inputs: &'a Inputs,
    /// Position at which reading starts.
    pub(crate) start: Position,
    pub(crate) bounds: Bounds,
    pub(crate) plan: Plan<'a>,
    pub(crate) progress: &'a dyn Progress,
    /// `true` if each record of standard input is finished before the next is read.
    pub(crate) singly: bool,
    /// Addresses for pages without one.
    pub(crate) addresses: Addresses<'a>,
}

/// State that a thread keeps between records.
pub trait Worker {
    /// Result accumulated over the records of a chunk.
    type Sum: Send;

    /// Returns the accumulated result and resets it.
    fn take_sum(&mut self) -> Self::Sum;

    /// Restores a valid state after a record that caused a panic.
    fn recover(&mut self);
}

/// A worker without state.
impl Worker for () {
    type Sum = ();

    fn take_sum(&mut self) {}

    fn recover(&mut self) {}
}

/// Extent to which a page process has read the records of a chunk.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ReadThere {
    All,
    /// Only the records before the one that killed the process. Also used if the chunk was not sent to a process.
    Some,
    /// No record, because the process cannot find the file.
    NotFound,
}

/// Results of one chunk.
pub struct Worked<T, S> {
    /// Result of each record, in input order.
    pub rows: Vec<Result<T, Rejected>>,
    /// Number of skipped records, by kind.
    pub(crate) skipped: SkippedRecords,
    /// Notes on the lines of the records.
    pub(crate) lines: LineNotes,
    /// File that the chunk comes from.
    pub(crate) origin: Origin,
    /// Result accumulated by the worker.
    pub sum: S,
    /// Position after the chunk.
    pub(crate) end: Position,
    /// Size of the chunk in input bytes.
    pub(crate) bytes: u64,
}

/// File that a chunk comes from.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Origin {
    /// Name of the file in messages.
    pub(crate) name: String,
    pub(crate) place: FilePlace,
}

impl Pass<'_> {
    /// Processes every page. `page` handles a page in isolation, in one of `processes` if given; `work`
    /// continues with its result. A page without an address gets that of `Pass::addresses`.
    ///
    /// # Errors
    /// The first error of `take`; if the run is cancelled; or if no process can be started.
    pub(crate) fn pages<W: Worker, M: DeserializeOwned, T: Send>(
        &self,
        processes: Option<&PageProcesses<'_>>,
        page: impl Fn(&PageRecord<'_>) -> Result<M, Rejection> + Sync,
        worker: impl Fn() -> W + Sync,
        work: impl Fn(&mut W, M) -> T + Sync,
        take: impl FnMut(Worked<T, W::Sum>) -> Result<(), Error>,
    ) -> Result<Skipped, Error> {
        processes.map_or(Ok(()), PageProcesses::ready)?;
        let page_bytes = self.bounds.page_bytes;
        let made = |record: &PageRecord<'_>| match processes {
            Some(processes) => processes.work(record),
            None => page(record),
        };
        let read_there = |worker: &mut W, chunk: &Chunk, rows: &mut Vec<_>, notes: &mut Notes| {
            let Some(processes) = processes else {
                return ReadThere::Some;
            };
            let Some((known, lines)) = page_lines::known(chunk, page_bytes, &self.addresses) else {
                return ReadThere::Some;
            };
            // Lines that are sent are there. A span is read by the process, which may fail to open the
            // file.
            let (before, mut is_there) = (rows.len(), !matches!(chunk.body, Body::Span(_)));
            let all = processes.work_lines(&known, lines, &mut |told: Told<M>| match told {
                Told::Read(end) => {
                    is_there = true;
                    // The next span waits for the end of this one.
                    if let Body::Span(span) = &chunk.body {
                        span.pass(end);
                    }
                }
                Told::Noted(lines) => notes.lines.add(&lines),
                Told::Record(row) => {
                    let done = row.and_then(|made| {
                        catch_panic(|| work(worker, made)).map_err(|panic| {
                            worker.recover();
                            // The record itself is in the process. It is read here once more, to name it in
                            // the rejection.
                            reject_row(chunk, page_bytes, &self.addresses, rows.len() - before, panic)
                        })
                    });
                    rows.push(done);
                }
            });
            match (all, is_there) {
                (true, true) => ReadThere::All,
                (true, false) => ReadThere::NotFound,
                (false, _) => ReadThere::Some,
            }
        };
        let read = |worker: &mut W, chunk: &Chunk, rows: &mut Vec<_>, notes: &mut Notes| {
            let there = read_there(worker, chunk, rows, notes);
            if there == ReadThere::All {
                return;
            }
            let mut done = rows.len();
            each_part(chunk, &mut |chunk| {
                // The process could not open the file. This process reads the span, and sends the lines.
                if there == ReadThere::NotFound {
                    let before = rows.len();
                    if read_there(worker, chunk, rows, notes) == ReadThere::All {
                        return;
                    }
                    done = rows.len() - before;
                }
                // The first `done` records have results from the process. All others are processed here.
                each_page(chunk, page_bytes, &self.addresses, notes, &mut |item| {
                    if done > 0 {
                        done -= 1;
                        return;
                    }
                    let done = item.and_then(|item| {
                        guarded(worker, &item, |worker, item| {
                            made(&item.record).map(|made| work(worker, made))
                        })
                    });
                    rows.push(done);
                });
            });
        };
        let mut plan = self.plan;
        if processes.is_some() && plan.threads > 1 {
            // More threads than planned keep the processes busy while other threads work on results.
            plan.threads += plan.threads.div_ceil(4);
        }
        self.chunks(&plan, worker, read, take)
    }

    /// Processes every document. Each thread has its own `worker`. `take` runs on the calling thread, in
    /// input order unless `plan` allows another order.
    ///
    /// # Errors
    /// The first error of `take`; or if the run is cancelled.
    pub fn documents<W: Worker, T: Send>(
        &self,
        worker: impl Fn() -> W + Sync,
        work: impl Fn(&mut W, &Item<'_, DocumentRecord<'_>>) -> T + Sync,
        take: impl FnMut(Worked<T, W::Sum>) -> Result<(), Error>,
    ) -> Result<Skipped, Error> {
        let read = |worker: &mut W, chunk: &Chunk, rows: &mut Vec<_>, notes: &mut Notes| {
            each_document(chunk, notes, &mut |item| {
                rows.push(
                    item.and_then(|item| guarded(worker, &item, |worker, item| Ok(work(worker, item)))),
                );
            });
        };
        self.chunks(&self.plan, worker, read, take)
    }

    /// Reports the start of the stage. The total is computed only if progress is displayed.
    pub(crate) fn begin_stage(&self) {
        let total = match self.progress.is_watched() {
            true => self.inputs.total(),
            false => None,
        };
        self.progress.stage(self.stage, total);
    }

    fn chunks<W: Worker, T: Send>(
        &self,
        plan: &Plan<'_>,
        worker: impl Fn() -> W + Sync,
        read: impl Fn(&mut W, &Chunk, &mut Vec<Result<T, Rejected>>, &mut Notes) + Sync,
        mut take: impl FnMut(Worked<T, W::Sum>) -> Result<(), Error>,
    ) -> Result<Skipped, Error> {
        // A resumed run began its stage before it replayed its journal.
        if self.start == Position::default() {
            self.begin_stage();
        }
        // Lines of plain files are read by the workers.
        let bounds = Bounds {
            unread: true,
            ..self.bounds
        };
        let mut reader = self.inputs.reader_from(self.start, bounds, self.singly);
        let mut all = Notes::default();
        process(
            plan,
            || reader.next_placed(),
            worker,
            |worker, placed: Placed| {
                let Placed {
                    chunk,
                    place,
                    end,
                    passed,
                } = placed;
                // Chunks before the start are read only as far as later chunks need them.
                if passed {
                    pass_over(&chunk);
                    return None;
                }
                let (mut rows, mut notes) = (Vec::new(), Notes::default());
                read(worker, &chunk, &mut rows, &mut notes);
                Some(Worked {
                    rows,
                    skipped: notes.skipped,
                    lines: notes.lines,
                    origin: Origin {
                        name: chunk.source.name.clone(),
                        place,
                    },
                    sum: worker.take_sum(),
                    end,
                    bytes: bytes_of(&chunk),
                })
            },
            |worked| {
                let Some(worked) = worked else { return Ok(()) };
                let (read, bytes) = (worked.rows.len() as u64, worked.bytes);
                all.add(&worked.skipped, &worked.lines);
                take(worked)?;
                self.progress.advance(read, bytes);
                Ok(())
            },
        )?;
        Ok(reader.skipped().clone().with_notes(all))
    }
}

/// Reads a chunk whose records are already known as far as later chunks depend on it: a piece of an archive
/// passes its reader on, and a span of lines reports where its last line ends.
fn pass_over(chunk: &Chunk) {
    match &chunk.body {
        Body::Archive(piece) => piece.each(&mut |_| {}),
        Body::Span(_) => each_part(chunk, &mut |_| ()),
        _ => {}
    }
}

/// Returns the number of input bytes of a chunk, or the size of the file that it names.
pub(crate) fn bytes_of(chunk: &Chunk) -> u64 {
    match (&chunk.body, &chunk.source.path) {
        (Body::File, Some(path)) => fs::metadata(path).map_or(0, |meta| meta.len()),
        _ => chunk.len(),
    }
}

/// Rejects record `row` of a chunk that was read in a process, because working on it panicked.
#[cold]
fn reject_row(
    chunk: &Chunk,
    page_bytes: usize,
    addresses: &Addresses<'_>,
    row: usize,
    panic: String,
) -> Rejected {
    let (mut number, mut rejected) = (0, None);
    each_page(chunk, page_bytes, addresses, &mut Notes::default(), &mut |item| {
        if number == row {
            let reject = |item: Item<'_, PageRecord<'_>>| item.reject(Reason::Panic, panic.clone());
            rejected = Some(item.map_or_else(|rejected| rejected, reject));
        }
        number += 1;
    });
    rejected.unwrap_or_else(|| Rejected {
        input: chunk.source.name.clone(),
        offset: chunk.offset,
        plain_offset: None,
        record: None,
        id: chunk.source.label.clone(),
        url: None,
        reason: Reason::Panic,
        message: panic,
    })
}

/// Processes one record. A panic becomes a rejection.
pub(crate) fn guarded<W: Worker, R: Record, T>(
    worker: &mut W,
    item: &Item<'_, R>,
    work: impl FnOnce(&mut W, &Item<'_, R>) -> Result<T, Rejection>,
) -> Result<T, Rejected> {
    let done = catch_panic(|| work(worker, item)).unwrap_or_else(|panic| {
        worker.recover();
        Err(Rejection::new(Reason::Panic, panic))
    });
    done.map_err(|rejection| item.reject(rejection.reason, rejection.message))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use dehusk_extract::{Extracted, Options, Page};

    use super::*;
    use crate::kernel::extract::{ExtractPage, page};
    use crate::read::chunk::Source;
    use crate::read::format::Jsonl;

    fn check(lines: &str, extract: &ExtractPage<'_>) -> Vec<String> {
        let source = Arc::new(Source {
            name: "pages.jsonl".to_owned(),
            label: String::new(),
            path: None,
            kept: None,
            folder: None,
            format: &Jsonl,
            columns: Default::default(),
            named_files: Default::default(),
            singly: false,
        });
        let body = Body::Lines {
            bytes: lines.as_bytes().to_vec().into(),
            open_end: false,
        };
        let chunk = Chunk::new(&source, 0, 1, body);
        let mut got = Vec::new();
        let unknown = Addresses::default();
        each_page(&chunk, 1 << 20, &unknown, &mut Notes::default(), &mut |item| {
            let text = item.and_then(|item| {
                let text = guarded(&mut (), &item, |(), item| {
                    Ok(extract(&page(&item.record)?, &Options::default()).text)
                })?;
                Ok((item.id, text))
            });
            got.push(match text {
                Ok((id, text)) => format!("{id}: {}", text.trim_end()),
                Err(rejected) => {
                    format!("{}: {} {}", rejected.id, rejected.reason.name(), rejected.message)
                }
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
        let lines = "{\"path\":\"no/x.html\"}\nnot json\n{\"path\":\"src\",\"id\":\"n\"}\n{\"html\":\"<p>x\"}\n{\"path\":\"/dev/null\"}";
        let got = check(lines, &dehusk_extract::extract);
        assert!(
            got[0].starts_with("no/x.html: unreadable line 1: cannot read `no/x.html`: "),
            "{got:?}"
        );
        assert!(got[1].starts_with("2: bad-json line 2: column 2: "), "{got:?}");
        assert!(got[2].ends_with("not a regular file"), "{got:?}");
        assert!(
            got[4].contains("path-not-allowed") && got[4].contains("--allow-paths"),
            "{got:?}"
        );
        assert_eq!(got[3], "4: x");
    }
}
