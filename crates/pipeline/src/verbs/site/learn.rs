//! Learning templates from pages.

use std::fs;
use std::path::{Path, PathBuf};

use dehusk_extract::site::{Sample, Template};
use dehusk_extract::{Options, Page};

use crate::Job;
use crate::error::Error;
use crate::exec::ordered_pool::{Plan, process};
use crate::kernel::extract::PageWork;
use crate::read::format::Chunk;
use crate::read::inputs::{Inputs, RecordKind};
use crate::record::Rejected;
use crate::site::group::{Grouped, Groups};
use crate::site::{key, store};

/// What was learnt.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Learnt {
    /// Pages read.
    pub read: u64,
    /// Pages without an address, which belong to no site.
    pub homeless: u64,
    /// Records that could not be used.
    pub rejected: u64,
    /// What became of the pages.
    pub grouped: Grouped,
    /// A file for each template: path, site, layout, pages that were added, pages in all.
    pub files: Vec<(PathBuf, String, u32, u32, u32)>,
}

/// Takes every page of the inputs apart and hands it to `visit`, in the order of the inputs. A page without an address has
/// that of the job.
pub(super) fn each_sample(
    job: &Job<'_>,
    told: &mut dyn FnMut(&Rejected),
    visit: &mut dyn FnMut(Option<String>, Sample),
) -> Result<(), Error> {
    each_page(job, &Sample::new, told, visit)
}

/// As [`each_sample`], with what `take` makes of each page.
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

/// Learns templates from pages and writes them to the folder `out`. Templates that are there already and fit the new pages
/// grow; the others stay as they are.
///
/// # Errors
/// If an input is missing or the folder cannot be read or written; a bad record is no error.
pub fn learn(job: &Job<'_>, out: &Path, told: &mut dyn FnMut(&Rejected)) -> Result<Learnt, Error> {
    let method = job.settings.extraction().extractor().name();
    let mut learnt = Learnt::default();
    let mut groups = Groups::default();
    let (mut read, mut homeless, mut rejected, mut beyond) = (0, 0, 0, 0);
    each_sample(
        job,
        &mut |row| {
            rejected += 1;
            told(row);
        },
        &mut |url, sample| {
            read += 1;
            match url.as_deref().and_then(key::key) {
                Some(key) => beyond += u64::from(groups.add(key, sample, ())),
                None => homeless += 1,
            }
        },
    )?;
    (learnt.read, learnt.homeless, learnt.rejected) = (read + rejected, homeless, rejected);
    learnt.grouped.beyond = beyond;
    fs::create_dir_all(out).map_err(|e| Error::write(out, e))?;
    job.progress.stage("learning", None);
    for group in groups.finish(&mut learnt.grouped) {
        job.cancel.check()?;
        let samples: Vec<&Sample> = group.samples.iter().map(|(sample, ())| sample).collect();
        let mut layout = group.layout;
        // A template of this site that knows most of these pages grows; a new layout gets the next free number.
        let mut old = None;
        loop {
            let path = out.join(store::file_name(&group.site, layout));
            if !path.exists() {
                break;
            }
            let template = store::read(&path)?;
            let fires = samples.iter().filter(|s| template.fit(s).fires).count();
            if template.origin.site == group.site && 2 * fires > samples.len() {
                old = Some(template);
                break;
            }
            layout += 1;
        }
        let before = old.as_ref().map_or(0, Template::pages);
        let mut template = match old {
            Some(mut template) => {
                let known = template.origin.learnt_from.clone();
                let fresh: Vec<&Sample> = samples
                    .into_iter()
                    .filter(|s| s.name().is_empty() || !known.iter().any(|k| k == s.name()))
                    .collect();
                template.add(&fresh);
                template
            }
            None => Template::learn(&samples),
        };
        let dates = group
            .samples
            .iter()
            .filter_map(|(sample, ())| sample.date())
            .map(str::to_owned);
        template.origin.newest = dates.chain(template.origin.newest.take()).max();
        template.origin.site.clone_from(&group.site);
        template.origin.layout = layout;
        method.clone_into(&mut template.origin.method);
        let pages = template.pages();
        let path = store::write(out, &template, job.cancel)?;
        learnt
            .files
            .push((path, group.site, layout, pages - before, pages));
    }
    Ok(learnt)
}
