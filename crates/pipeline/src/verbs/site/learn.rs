//! Learning templates from pages.

use std::path::{Path, PathBuf};

use dehusk_extract::site::{Sample, Template};
use dehusk_extract::{Options, Page};

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
            left_out: GroupCounts::default(),
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
    let (groups, left_out) = gathered.groups.finish();
    report.left_out = left_out;
    for group in groups {
        job.cancel.check()?;
        let learnt = match growing(out, &group)? {
            Some(template) => grown(template, &group),
            None => {
                let layout = folder::free_layout(out, &group.site, group.layout);
                let pages: Vec<&Sample> = group.pages.iter().map(|(page, ())| page).collect();
                let dates = pages.iter().filter_map(|page| page.date());
                let template = template_of(Template::learn(&pages), &group.site, layout, method, dates);
                (template, group.pages.len() as u32)
            }
        };
        let (template, added) = learnt;
        let path = folder::write(out, &template, job.cancel)?;
        report.layouts.push(LearntLayout {
            path,
            pages: template.pages(),
            site: template.origin.site,
            layout: template.origin.layout,
            added,
        });
    }
    Ok(report)
}

/// The template of the folder that a group makes grow: one of its host, that knows most of its pages.
fn growing(folder: &Path, group: &Group<(Sample, ())>) -> Result<Option<Template>, Error> {
    let host = key::host_key(&group.site);
    for path in folder::files_of_host(folder, host)? {
        let template = folder::read(&path)?;
        let fires = group.pages.iter().filter(|(page, ())| template.fit(page).fires);
        if key::host_key(&template.origin.site) == host && 2 * fires.count() > group.pages.len() {
            return Ok(Some(template));
        }
    }
    Ok(None)
}

/// A template with the pages of a group that it has not learnt from, and their number.
fn grown(mut template: Template, group: &Group<(Sample, ())>) -> (Template, u32) {
    let (before, known) = (template.pages(), template.origin.learnt_from.clone());
    let pages = group.pages.iter().map(|(page, ())| page);
    let fresh: Vec<&Sample> = pages
        .clone()
        .filter(|page| page.name().is_empty() || !known.iter().any(|name| name == page.name()))
        .collect();
    template.add(&fresh);
    note_dates(&mut template, pages.filter_map(Sample::date));
    let added = template.pages() - before;
    (template, added)
}
