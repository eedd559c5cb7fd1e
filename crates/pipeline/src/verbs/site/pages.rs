//! Reads the pages of sites and groups them.

use dehusk_extract::site::Sample;
use dehusk_extract::{Options, Page};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::Error;
use crate::job::Job;
use crate::kernel::extract::page;
use crate::read::inputs::RecordKind;
use crate::read::pass::Worker;
use crate::record::Rejected;
use crate::search::memory::MemoryCeiling;
use crate::site::group::{Groups, Member, MemorySize};
use crate::site::key;
use crate::site::page_marks::PageMeasure;

/// Grouped pages, with counts of the records read.
pub(super) struct Gathered<P> {
    pub(super) groups: Groups<P>,
    pub(super) read: u64,
    pub(super) without_address: u64,
    pub(super) rejected: u64,
}

/// Reads all pages and groups them by layout. `take` returns the sample of a page and the data kept beside
/// it. Runs in page processes if the settings ask for them.
pub(super) fn gather<W: MemorySize + DeserializeOwned>(
    job: &Job<'_>,
    work: &str,
    take: &(dyn Fn(&Page<'_>, &Options) -> (Sample, W) + Sync),
    on_rejected: &mut dyn FnMut(&Rejected),
) -> Result<Gathered<(Sample, W)>, Error> {
    let mut out = Gathered {
        groups: Groups::default(),
        read: 0,
        without_address: 0,
        rejected: 0,
    };
    let memory = MemoryCeiling::of(job.settings);
    // This is not a field of `out`, which the other closure borrows.
    let mut rejected = 0;
    out.read = each_page_by(
        job,
        work,
        take,
        (
            PageMeasure::new,
            |measure: &mut PageMeasure, page: (Sample, W)| {
                // Sketches are computed on worker threads, and only grouping is sequential.
                let marks = measure.marks(&page.0);
                Member { page, marks }
            },
        ),
        &mut |row| {
            rejected += 1;
            on_rejected(row);
        },
        &mut |member| {
            let Some(key) = key::site_key(member.page.0.name()) else {
                out.without_address += 1;
                return Ok(());
            };
            out.groups.add(key::host_key(&key), member);
            memory.check(out.groups.bytes(), || "for the pages of these sites".to_owned())
        },
    )?;
    out.rejected = rejected;
    Ok(out)
}

/// Processes pages for a parent that calls [`each_page`] with the same arguments.
pub(super) fn serve<T: Serialize>(
    job: &Job<'_>,
    work: &str,
    take: &dyn Fn(&Page<'_>, &Options) -> T,
) -> Result<(), Error> {
    let options = job.settings.extraction();
    job.serve_pages(work, |record| Ok(take(&page(record)?, &options)))
}

/// Calls `visit` with the result of `take` for every page, in input order. Returns the number of records read, including rejected ones.
pub(super) fn each_page<T: Send + DeserializeOwned>(
    job: &Job<'_>,
    work: &str,
    take: &(dyn Fn(&Page<'_>, &Options) -> T + Sync),
    on_rejected: &mut dyn FnMut(&Rejected),
    visit: &mut dyn FnMut(T) -> Result<(), Error>,
) -> Result<u64, Error> {
    each_page_by(
        job,
        work,
        take,
        (|| (), |(): &mut (), made| made),
        on_rejected,
        visit,
    )
}

/// Like [`each_page`]. `worker` makes the state of a thread, with which `go_on` processes each result of
/// `take` further.
fn each_page_by<W: Worker, M: DeserializeOwned, T: Send>(
    job: &Job<'_>,
    work: &str,
    take: &(dyn Fn(&Page<'_>, &Options) -> M + Sync),
    (worker, go_on): (impl Fn() -> W + Sync, impl Fn(&mut W, M) -> T + Sync),
    on_rejected: &mut dyn FnMut(&Rejected),
    visit: &mut dyn FnMut(T) -> Result<(), Error>,
) -> Result<u64, Error> {
    let inputs = job.open(RecordKind::Pages)?;
    let options = job.settings.extraction();
    let processes = job.page_processes(&inputs, work)?;
    let pass = job.pass("reading pages", &inputs);
    let mut read = 0;
    pass.pages(
        processes.as_ref(),
        |record| Ok(take(&page(record)?, &options)),
        worker,
        go_on,
        |worked| {
            for row in worked.rows {
                read += 1;
                match row {
                    Ok(taken) => visit(taken)?,
                    Err(rejected) => on_rejected(&rejected),
                }
            }
            Ok(())
        },
    )?;
    Ok(read)
}
