//! The learning pass: threads parse pages, and the learner takes them one by one in input order.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use dehusk_extract::Options;
use dehusk_extract::site::Sample;
use serde::Deserialize;

use crate::error::Error;
use crate::exec::background::Background;
use crate::exec::ordered_pool::process;
use crate::exec::panic_guard::catch_panic;
use crate::job::Job;
use crate::kernel::extract::page;
use crate::page_process::{PageProcesses, stored};
use crate::read::inputs::Inputs;
use crate::read::pass::Worker as _;
use crate::record::{PageRecord, Rejection};
use crate::search::memory::MemoryCeiling;
use crate::site::first_pages::{Arrival, ArrivedPage, FirstPages, Meeting, MetHosts, Packed};
use crate::site::key;
use crate::site::page_marks::PageMeasure;
use crate::site::page_spill::PageSpill;
use crate::site::store::Store;
use crate::site::stream::{SettledHosts, StreamLearner};
use crate::site::template_writer::{TemplateSink, TemplateWriter};
use crate::site::waiting_page::{PackedPage, packed, unpacked};
use crate::write::summary::LearntSites;

/// Name of this work of page processes.
pub(super) const WORK: &str = "run, learning";

/// Maximum bytes of memory for waiting pages and sketches.
///
/// The results depend on this bound. So it is a constant, which counts within the memory ceiling and does
/// not follow from it.
const MAX_BYTES: u64 = 256 << 20;

/// Bytes of packed pages at or above which queued pages are parsed together.
///
/// Both are small, so that threads soon learn which hosts are settled.
const BATCH_BYTES: usize = 1 << 20;
/// Number of queued pages at or above which they are parsed together.
const BATCH_PAGES: usize = 128;

/// Parses a page.
pub(super) fn sampled(record: &PageRecord<'_>, options: &Options) -> Result<Sample, Rejection> {
    Ok(Sample::new(&page(record)?, options))
}

/// What a thread did with a page, before packing.
#[derive(Deserialize)]
enum Looked {
    PassedOver,
    /// The serialized record, unparsed.
    Record(Vec<u8>),
    Sample(Box<Sample>),
}

/// A page that a thread has finished, with its address if that is known.
struct Met {
    url: Option<String>,
    page: Result<ArrivedPage, Error>,
}

/// Learns the templates of all hosts that have none in `given`, and writes them to `folder`. Waiting pages are stored in a file in
/// `temporary`.
pub(super) fn pass(
    job: &Job<'_>,
    inputs: &Inputs,
    (folder, temporary): (&Path, PathBuf),
    given: Option<&Store>,
) -> Result<LearntSites, Error> {
    let options = job.settings.extraction();
    let processes = job.page_processes(inputs, WORK)?;
    // A process that cannot start ends the run before pages are read.
    processes.as_ref().map_or(Ok(()), PageProcesses::ready)?;
    let reader = PageReader {
        options: &options,
        processes: processes.as_ref(),
        given,
        met: MetHosts::default(),
        settled: SettledHosts::default(),
    };
    let sink = TemplateSink {
        folder: folder.to_owned(),
        method: options.extractor().name().to_owned(),
        cancel: job.cancel.clone(),
    };
    let writer = TemplateWriter::new(sink, &Background::new(job.settings.threads()));
    let spill = PageSpill::new(temporary);
    let mut taker = Taker {
        job,
        reader: &reader,
        first: FirstPages::new(spill.clone()),
        learner: StreamLearner::new(&reader.settled, writer, spill, MAX_BYTES),
        queue: Vec::new(),
        packed: 0,
    };
    let memory = MemoryCeiling::of(job.settings);
    let mut records = 0;
    job.pass("learning sites", inputs).pages(
        None,
        |record| reader.look_at(record),
        PageMeasure::new,
        |measure, (url, looked)| reader.arrived(measure, url, looked),
        |worked| {
            let file: Arc<str> = worked.origin.name.into();
            for row in worked.rows {
                records += 1;
                // Rejected records are reported by the pass that extracts. Pages without an address belong
                // to no host.
                let Ok(Met { url: Some(url), page }) = row else {
                    continue;
                };
                let page = page?;
                let file = Arc::clone(&file);
                taker.take(Arrival {
                    url,
                    record: records,
                    file,
                    page,
                })?;
                memory.check(taker.bytes(), || {
                    "for the pages of sites that are learnt".to_owned()
                })?;
            }
            Ok(())
        },
    )?;
    taker.finish()
}

/// State that the threads share while they parse pages.
struct PageReader<'r> {
    options: &'r Options,
    processes: Option<&'r PageProcesses<'r>>,
    given: Option<&'r Store>,
    met: MetHosts,
    settled: SettledHosts,
}

impl PageReader<'_> {
    /// Whether the given templates cover a host, so that none are learnt.
    fn has_templates(&self, host: &str) -> bool {
        self.given.is_some_and(|store| store.has_host(host))
    }

    /// Decides what to do with a record. Its page is parsed, unless the page is not needed or is the first
    /// of its host that a thread meets.
    fn look_at(&self, record: &PageRecord<'_>) -> Result<(Option<String>, Looked), Rejection> {
        let Some(url) = record.url.as_deref() else {
            // The address that the page itself or its folder names is known only after parsing.
            return Ok((None, Looked::Sample(Box::new(self.read(record)?))));
        };
        let Some(key) = key::site_key(url) else {
            return Ok((None, Looked::PassedOver));
        };
        let host = key::host_key(&key);
        let looked = if self.has_templates(host) || self.settled.pass_over(host, url) {
            Looked::PassedOver
        // Most hosts of a wide crawl have one page. Storing that page unparsed is much cheaper.
        } else if self.met.is_new(host) {
            Looked::Record(stored::to_bytes(record))
        } else {
            Looked::Sample(Box::new(self.read(record)?))
        };
        Ok((Some(url.to_owned()), looked))
    }

    /// Parses a page, in a page process if there are any: a page that breaks the parser ends only that
    /// process.
    fn read(&self, record: &PageRecord<'_>) -> Result<Sample, Rejection> {
        match self.processes {
            Some(processes) => processes.work(record),
            None => sampled(record, self.options),
        }
    }

    /// Packs the result for a page.
    fn arrived(&self, measure: &mut PageMeasure, url: Option<String>, looked: Looked) -> Met {
        let found = match &looked {
            Looked::Sample(sample) => Some(sample.name().to_owned()),
            _ => None,
        };
        let page = match looked {
            Looked::PassedOver => Ok(ArrivedPage::PassedOver),
            Looked::Record(record) => {
                packed(&record).map(|packed| ArrivedPage::Packed(Packed::Record(packed)))
            }
            Looked::Sample(sample) => {
                PackedPage::of(&sample, measure).map(|page| ArrivedPage::Read(Box::new(page)))
            }
        };
        Met {
            url: url.or(found).filter(|url| !url.is_empty()),
            page,
        }
    }

    /// Parses a page that waited. Returns `None` for a page that is rejected; extraction will reject it,
    /// too.
    fn read_packed(&self, measure: &mut PageMeasure, packed: Packed) -> Result<Option<PackedPage>, Error> {
        match packed {
            Packed::Sample(packed) => PackedPage::again(packed, measure).map(Some),
            Packed::Record(packed) => {
                let bytes = unpacked(&packed)?;
                let read = || {
                    let sample = self.read(&stored::of_bytes(&bytes)?).ok()?;
                    Some(PackedPage::of(&sample, measure))
                };
                // Without page processes, a panic of the parser must not end the run.
                match catch_panic(read) {
                    Ok(read) => read.transpose(),
                    Err(_) => {
                        measure.recover();
                        Ok(None)
                    }
                }
            }
        }
    }
}

/// Takes pages in input order and hands them to the learner.
struct Taker<'t, 'j> {
    job: &'t Job<'j>,
    reader: &'t PageReader<'t>,
    first: FirstPages,
    learner: StreamLearner<'t>,
    /// Pages for the learner, with their hosts, in order: first pages that need not wait any longer, and
    /// the pages after them.
    queue: Vec<(String, Arrival)>,
    /// Bytes of queued pages that are still packed and must be parsed first.
    packed: usize,
}

impl Taker<'_, '_> {
    /// Takes the next page.
    fn take(&mut self, arrival: Arrival) -> Result<(), Error> {
        let Some(key) = key::site_key(&arrival.url) else {
            return Ok(());
        };
        let host = key::host_key(&key);
        // Checked again: a page without an address in its record was parsed before its host was known.
        if self.reader.has_templates(host) {
            return Ok(());
        }
        if let Meeting::LookAt(first, arrival) = self.first.meet(host, arrival)? {
            for arrival in first.into_iter().chain([arrival]) {
                if let ArrivedPage::Packed(Packed::Record(bytes) | Packed::Sample(bytes)) = &arrival.page {
                    self.packed += bytes.len();
                }
                self.queue.push((host.to_owned(), arrival));
            }
        }
        // Without packed pages, nothing is gained by waiting. Otherwise pages wait behind the packed ones,
        // since their order must stay.
        match self.packed == 0 || self.packed >= BATCH_BYTES || self.queue.len() >= BATCH_PAGES {
            true => self.hand_on(),
            false => Ok(()),
        }
    }

    /// Parses the packed pages of the queue on all threads, and passes all to the learner.
    fn hand_on(&mut self) -> Result<(), Error> {
        let mut queue = std::mem::take(&mut self.queue).into_iter();
        if std::mem::take(&mut self.packed) == 0 {
            return queue.try_for_each(|(host, arrival)| self.learn(&host, arrival));
        }
        let reader = self.reader;
        // The results come back in the order of the queue.
        process(
            &self.job.plan(),
            || queue.next(),
            PageMeasure::new,
            |measure, (host, arrival)| {
                let Arrival {
                    url,
                    record,
                    file,
                    page,
                } = arrival;
                let page = match page {
                    ArrivedPage::Packed(packed) => {
                        let read = reader.read_packed(measure, packed);
                        read.map(|read| read.map(|page| ArrivedPage::Read(Box::new(page))))
                    }
                    page => Ok(Some(page)),
                };
                (
                    host,
                    page.map(|page| {
                        page.map(|page| Arrival {
                            url,
                            record,
                            file,
                            page,
                        })
                    }),
                )
            },
            |(host, arrival)| match arrival? {
                Some(arrival) => self.learn(&host, arrival),
                None => Ok(()),
            },
        )
    }

    /// Hands a page to the learner. A page that was passed over has no content.
    fn learn(&mut self, host: &str, arrival: Arrival) -> Result<(), Error> {
        let page = match arrival.page {
            ArrivedPage::Read(page) => Some(*page),
            _ => None,
        };
        self.learner
            .take(host, &arrival.url, page, (arrival.record, &arrival.file))
    }

    /// Bytes of memory that waiting pages and the learner take.
    fn bytes(&self) -> u64 {
        self.first.bytes() + self.learner.bytes()
    }

    /// Hands over the rest of the queue, and ends learning. Hosts with a single page count as looked at and
    /// alone.
    fn finish(mut self) -> Result<LearntSites, Error> {
        self.hand_on()?;
        let alone = self.first.alone();
        drop(self.first);
        let mut learnt = self.learner.finish()?;
        learnt.looked_at += alone;
        learnt.alone += alone;
        Ok(learnt)
    }
}
