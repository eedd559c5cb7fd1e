//! Learning templates from pages.

use std::path::{Path, PathBuf};

use dehusk_extract::site::{Sample, Template};
use dehusk_extract::{Options, Page};

use crate::error::Error;
use crate::job::Job;
use crate::read::inputs::RecordKind;
use crate::record::Rejected;
use crate::site::folder;
use crate::site::group::GroupCounts;
use crate::verbs::site::pages::{self, Gathered, gather};
use crate::write::folder::create_locked;

/// The command that has the lock of the folder meanwhile.
pub(super) const LOCK_OWNER: &str = "site learn";

/// Counts and files of a run of learning, or of a method that keeps nothing for later pages.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct LearnReport {
    /// Pages read.
    pub read: u64,
    /// Pages without an address, which belong to no site.
    pub without_address: u64,
    /// Records that could not be used.
    pub rejected: u64,
    /// Pages that were left out of the groups.
    pub left_out: GroupCounts,
    /// The layouts that were learnt, by site.
    pub layouts: Vec<LearntLayout>,
}

/// One layout of a site that was learnt.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct LearntLayout {
    /// File of its template, or of the texts of its pages.
    pub path: PathBuf,
    /// Key of the part of the site.
    pub site: String,
    /// Number of the layout within the part, from 1.
    pub layout: u32,
    /// Pages that were added by this run.
    pub added: u32,
    /// Pages in all.
    pub pages: u32,
}

impl LearnReport {
    pub(super) fn of<P>(gathered: &Gathered<P>) -> LearnReport {
        LearnReport {
            read: gathered.read,
            without_address: gathered.without_address,
            rejected: gathered.rejected,
            left_out: gathered.counts,
            layouts: Vec::new(),
        }
    }
}

/// Name of the work on pages.
const WORK: &str = "site learn";

/// What is kept of a page.
fn sample(page: &Page<'_>, options: &Options) -> (Sample, ()) {
    (Sample::new(page, options), ())
}

/// Works on pages that the program [`learn`] runs in hands to this process, see [`Job::launch`]: `job` is the same.
///
/// # Errors
/// If that program is gone.
pub fn serve_learn(job: &Job<'_>) -> Result<(), Error> {
    pages::serve(job, WORK, &sample)
}

/// Learns templates from pages and writes them to the folder `out`. Templates that are there already and fit the new pages
/// grow; the others stay as they are.
///
/// # Errors
/// If an input is missing or the folder cannot be read or written; a bad record is no error.
pub fn learn(
    job: &Job<'_>,
    out: &Path,
    on_rejected: &mut dyn FnMut(&Rejected),
) -> Result<LearnReport, Error> {
    let method = job.settings.extraction().extractor().name();
    job.open(RecordKind::Pages)?; // no folder is made if an input is missing
    let _lock = create_locked(out, LOCK_OWNER)?;
    let gathered = gather(job, WORK, &sample, on_rejected)?;
    let mut report = LearnReport::of(&gathered);
    job.progress.stage("learning", None);
    for group in gathered.groups.finish(&mut report.left_out) {
        job.cancel.check()?;
        let samples: Vec<&Sample> = group.samples.iter().map(|(sample, ())| sample).collect();
        let mut layout = group.layout;
        // A template of this site that knows most of these pages grows; a new layout gets the next free number.
        let mut old = None;
        loop {
            let path = out.join(folder::file_name(&group.site, layout));
            if !path.exists() {
                break;
            }
            let template = folder::read(&path)?;
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
        let path = folder::write(out, &template, job.cancel)?;
        report.layouts.push(LearntLayout {
            path,
            site: group.site,
            layout,
            added: pages - before,
            pages,
        });
    }
    Ok(report)
}
