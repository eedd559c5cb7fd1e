//! Learns templates from pages.

use std::path::{Path, PathBuf};

use dehusk_extract::site::{Doubt, Sample, Template};
use dehusk_extract::{Options, Page};
use dehusk_html::narrow;

use crate::error::Error;
use crate::job::Job;
use crate::read::inputs::RecordKind;
use crate::record::Rejected;
use crate::site::folder;
use crate::site::group::{Group, GroupCounts};
use crate::site::key;
use crate::site::learning::{note_dates, template_of};
use crate::verbs::site::pages::{self, Gathered, gather};
use crate::write::folder::create_locked;

/// Command that the lock of the folder names as its owner.
pub(super) const LOCK_OWNER: &str = "site learn";

/// Counts and files of a learning run, or of a method that compares pages and keeps nothing for later.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct LearnReport {
    /// Number of pages read.
    pub read: u64,
    /// Number of pages without an address, which belong to no site.
    pub without_address: u64,
    /// Number of records that could not be used.
    pub rejected: u64,
    /// Pages that were not learnt from.
    pub left_out: GroupCounts,
    /// The learnt layouts, by site.
    pub layouts: Vec<LearntLayout>,
}

/// A learnt layout of a site.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct LearntLayout {
    /// File of its template, or of the texts of its pages.
    pub path: PathBuf,
    /// Key of the part of the site.
    pub site: String,
    /// Number of the layout within the part, from 1.
    pub layout: u32,
    /// Number of pages added by this run.
    pub added: u32,
    /// Number of all its pages.
    pub pages: u32,
    /// Share of leave-out samples of its pages that choose the same parts, 0 to 1. `None` for texts, and
    /// for fewer than three pages.
    pub sure: Option<f64>,
    /// Why its template is not applied; `None` if it is.
    pub doubt: Option<Doubt>,
}

impl LearnReport {
    /// A report without layouts.
    pub(super) fn of<P>(gathered: &Gathered<P>) -> LearnReport {
        LearnReport {
            read: gathered.read,
            without_address: gathered.without_address,
            rejected: gathered.rejected,
            left_out: GroupCounts::default(),
            layouts: Vec::new(),
        }
    }
}

/// Name of this work of page processes.
const WORK: &str = "site learn";

/// The data that learning keeps of a page.
fn sample(page: &Page<'_>, options: &Options) -> (Sample, ()) {
    (Sample::new(page, options), ())
}

/// Processes pages for a parent that runs [`learn`], see [`Job::launch`]. `job` must equal that of the parent.
///
/// # Errors
/// If the parent has ended.
pub fn serve_learn(job: &Job<'_>) -> Result<(), Error> {
    pages::serve(job, WORK, &sample)
}

/// Learns templates from pages and writes them to the folder `out`. Existing templates that fit the new pages are extended. Other existing
/// templates stay unchanged.
///
/// # Errors
/// If an input is missing, or the folder cannot be read or written. An unusable record is not an error.
pub fn learn(
    job: &Job<'_>,
    out: &Path,
    on_rejected: &mut dyn FnMut(&Rejected),
) -> Result<LearnReport, Error> {
    let method = job.settings.extraction().extractor().name();
    job.open(RecordKind::Pages)?; // first, so that no folder is created if an input is missing
    let _lock = create_locked(out, LOCK_OWNER)?;
    let gathered = gather(job, WORK, &sample, on_rejected)?;
    let mut report = LearnReport::of(&gathered);
    job.progress.stage("learning", None);
    let (groups, left_out) = gathered.groups.finish();
    report.left_out = left_out;
    for group in groups {
        job.cancel.check()?;
        let learnt = match growing(out, &group)? {
            Some(template) => grown(template, &group),
            None => {
                // A layout of the same number may exist from an earlier run. Its file is never overwritten.
                let layout = folder::free_layout(out, &group.site, group.layout);
                let pages: Vec<&Sample> = group.pages.iter().map(|(page, ())| page).collect();
                let dates = pages.iter().filter_map(|page| page.date());
                let template = template_of(Template::learn(&pages), &group.site, layout, method, dates);
                (template, narrow::to_u32(group.pages.len()))
            }
        };
        let (template, added) = learnt;
        let path = folder::write(out, &template, job.cancel)?;
        report.layouts.push(LearntLayout {
            path,
            pages: template.pages(),
            sure: template.sure(),
            doubt: template.doubt(),
            site: template.origin.site,
            layout: template.origin.layout,
            added,
        });
    }
    Ok(report)
}

/// The template of the folder that a group extends: the first of the same host that fits more than half of
/// its pages. `None` if absent.
fn growing(folder: &Path, group: &Group<(Sample, ())>) -> Result<Option<Template>, Error> {
    let host = key::host_key(&group.site);
    for path in folder::files_of_host(folder, host)? {
        let template = folder::read(&path)?;
        let fires = group.pages.iter().filter(|(page, ())| template.fit(page).fires);
        // Different hosts may share the beginning of a file name, so the host is compared as well.
        if key::host_key(&template.origin.site) == host && 2 * fires.count() > group.pages.len() {
            return Ok(Some(template));
        }
    }
    Ok(None)
}

/// The template, extended by pages of a group that it has not learnt from, and the number of these pages.
fn grown(mut template: Template, group: &Group<(Sample, ())>) -> (Template, u32) {
    let (before, known) = (template.pages(), template.origin.learnt_from.clone());
    let pages = group.pages.iter().map(|(page, ())| page);
    let fresh: Vec<&Sample> = pages
        .clone()
        // Pages without a name cannot be recognized, so they count as new.
        .filter(|page| page.name().is_empty() || !known.iter().any(|name| name == page.name()))
        .collect();
    template.add(&fresh);
    note_dates(&mut template, pages.filter_map(Sample::date));
    let added = template.pages() - before;
    (template, added)
}
