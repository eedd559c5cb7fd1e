//! Reading the pages of sites, and grouping them.

use dehusk_extract::site::Sample;
use dehusk_extract::{Options, Page};

use crate::Job;
use crate::error::Error;
use crate::exec::ordered_pool::{Plan, process};
use crate::kernel::extract::PageWork;
use crate::read::format::Chunk;
use crate::read::inputs::{Inputs, RecordKind};
use crate::record::Rejected;
use crate::site::group::{GroupCounts, Groups};
use crate::site::key;

/// Pages in their groups, and counts of what was read.
pub(super) struct Gathered<P> {
    pub(super) groups: Groups<P>,
    pub(super) read: u64,
    pub(super) without_address: u64,
    pub(super) rejected: u64,
    pub(super) counts: GroupCounts,
}

/// Reads all pages and groups them by the part of the site they belong to. `take` makes a sample of each page, and what is kept
/// beside it.
pub(super) fn gather<P: Send>(
    job: &Job<'_>,
    take: &(dyn Fn(&Page<'_>, &Options) -> (Sample, P) + Sync),
    told: &mut dyn FnMut(&Rejected),
) -> Result<Gathered<P>, Error> {
    let mut out = Gathered {
        groups: Groups::default(),
        read: 0,
        without_address: 0,
        rejected: 0,
        counts: GroupCounts::default(),
    };
    let mut rejected = 0;
    each_page(
        job,
        take,
        &mut |row| {
            rejected += 1;
            told(row);
        },
        &mut |url, (sample, beside)| {
            out.read += 1;
            match url.as_deref().and_then(key::key) {
                Some(key) => out.counts.beyond += u64::from(out.groups.add(key, sample, beside)),
                None => out.without_address += 1,
            }
        },
    )?;
    out.read += rejected;
    out.rejected = rejected;
    Ok(out)
}

/// Hands what `take` makes of every page to `visit`, in the order of the inputs. A page without an address has that of the job.
pub(super) fn each_page<T: Send>(
    job: &Job<'_>,
    take: &(dyn Fn(&Page<'_>, &Options) -> T + Sync),
    told: &mut dyn FnMut(&Rejected),
    visit: &mut dyn FnMut(Option<String>, T),
) -> Result<(), Error> {
    let settings = job.settings;
    let inputs = Inputs::open(job.inputs, settings.format(), RecordKind::Pages)?;
    let mut reader = inputs.reader(settings.bounds(), false);
    let work = PageWork {
        extract: take,
        options: settings.extraction(),
        url: job.url,
        timings: false,
    };
    let plan = Plan {
        threads: settings.threads(),
        ordered: true,
        cancel: job.cancel,
    };
    job.progress.stage("reading pages", inputs.bytes());
    process(
        &plan,
        || reader.next_chunk(),
        || (),
        |(), chunk: Chunk| {
            let mut rows = Vec::new();
            work.each_done(&chunk, &mut |result| {
                rows.push(result.map(|done| (done.url.map(str::to_owned), done.value)));
            });
            (rows, chunk.len())
        },
        |(rows, bytes)| {
            let count = rows.len() as u64;
            for row in rows {
                match row {
                    Ok((url, taken)) => visit(url, taken),
                    Err(rejected) => told(&rejected),
                }
            }
            job.progress.advance(count, bytes);
            Ok(())
        },
    )
}
