//! Reading the pages of sites, and grouping them.

use dehusk_extract::site::Sample;
use dehusk_extract::{Options, Page};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::Error;
use crate::job::Job;
use crate::kernel::extract::page;
use crate::read::inputs::RecordKind;
use crate::record::Rejected;
use crate::search::memory::MemoryCeiling;
use crate::site::group::{GroupCounts, Groups, MemorySize};
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
pub(super) fn gather<P: MemorySize + DeserializeOwned>(
    job: &Job<'_>,
    work: &str,
    take: &(dyn Fn(&Page<'_>, &Options) -> (Sample, P) + Sync),
    on_rejected: &mut dyn FnMut(&Rejected),
) -> Result<Gathered<P>, Error> {
    let mut out = Gathered {
        groups: Groups::default(),
        read: 0,
        without_address: 0,
        rejected: 0,
        counts: GroupCounts::default(),
    };
    let memory = MemoryCeiling::of(job.settings);
    let mut rejected = 0;
    out.read = each_page(
        job,
        work,
        take,
        &mut |row| {
            rejected += 1;
            on_rejected(row);
        },
        &mut |(sample, beside)| {
            let Some(key) = key::site_key(sample.name()) else {
                out.without_address += 1;
                return Ok(());
            };
            out.counts.beyond += u64::from(out.groups.add(key, sample, beside));
            memory.check(out.groups.bytes(), || "for the pages of these sites".to_owned())
        },
    )?;
    out.rejected = rejected;
    Ok(out)
}

/// Works on pages that another process hands to this one, which calls [`each_page`] with the same arguments.
pub(super) fn serve<T: Serialize>(
    job: &Job<'_>,
    work: &str,
    take: &dyn Fn(&Page<'_>, &Options) -> T,
) -> Result<(), Error> {
    let options = job.settings.extraction();
    job.serve_pages(work, |record| Ok(take(&page(record)?, &options)))
}

/// Hands what `take` makes of every page to `visit`, in the order of the inputs, and returns how many records were read, rejected
/// ones among them.
pub(super) fn each_page<T: Send + DeserializeOwned>(
    job: &Job<'_>,
    work: &str,
    take: &(dyn Fn(&Page<'_>, &Options) -> T + Sync),
    on_rejected: &mut dyn FnMut(&Rejected),
    visit: &mut dyn FnMut(T) -> Result<(), Error>,
) -> Result<u64, Error> {
    let inputs = job.open(RecordKind::Pages)?;
    let options = job.settings.extraction();
    let processes = job.page_processes(&inputs, work)?;
    let pass = job.pass("reading pages", &inputs);
    let mut read = 0;
    pass.pages(
        job.addresses(),
        processes.as_ref(),
        |record| Ok(take(&page(record)?, &options)),
        || (),
        |(), taken: T| taken,
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
