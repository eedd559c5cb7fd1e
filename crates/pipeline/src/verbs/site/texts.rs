//! Extracts the texts of the pages of sites by a method that compares all of them at once.

use std::path::{Path, PathBuf};

use dehusk_extract::site::Sample;
use dehusk_extract::site::methods::SiteMethod;
use dehusk_extract::{Options, Page};
use dehusk_html::narrow;

use crate::error::Error;
use crate::job::Job;
use crate::read::inputs::RecordKind;
use crate::record::{Rejected, Row, RowKind, SiteTextRow};
use crate::verbs::site::learn::{LOCK_OWNER, LearnReport, LearntLayout};
use crate::verbs::site::pages::{self, gather};
use crate::write::folder::create_locked;
use crate::write::format::Jsonl;
use crate::write::sink::{Destination, RowSink};

/// Name of the file of texts.
const DOCUMENTS: &str = "documents.jsonl";

/// Name of this work of page processes.
const WORK: &str = "site texts";

/// The data kept of a page: its sample and its decoded source.
fn sample(page: &Page<'_>, options: &Options) -> (Sample, String) {
    (Sample::new(page, options), page.text(options))
}

/// Processes pages for a parent that runs [`texts`], see [`Job::launch`]. `job` must equal that of the parent.
///
/// # Errors
/// If the parent has ended.
pub fn serve_texts(job: &Job<'_>) -> Result<(), Error> {
    pages::serve(job, WORK, &sample)
}

/// Extracts the main texts of pages by a method that keeps nothing for later pages. Writes them to
/// `documents.jsonl` in the folder `out`.
///
/// Each page is one object with `url`, `text`, `method` and `site`, sorted by site and layout. Pages are
/// grouped as for learning. Pages that learning leaves out are left out here, too.
///
/// # Errors
/// If an input is missing, or the file cannot be written. An unusable record is not an error.
pub fn texts(
    job: &Job<'_>,
    method: &dyn SiteMethod,
    out: &Path,
    on_rejected: &mut dyn FnMut(&Rejected),
) -> Result<LearnReport, Error> {
    job.open(RecordKind::Pages)?; // first, so that no folder is created if an input is missing
    let _lock = create_locked(out, LOCK_OWNER)?;
    let gathered = gather(job, WORK, &sample, on_rejected)?;
    let mut report = LearnReport::of(&gathered);
    let path: PathBuf = out.join(DOCUMENTS);
    let mut file = RowSink::open(
        Destination::File(&path),
        job,
        &Jsonl,
        RowKind::SiteText,
        false,
        None,
    )?;
    job.progress.stage("comparing pages", None);
    let options = job.settings.extraction();
    let (groups, left_out) = gathered.groups.finish();
    report.left_out = left_out;
    for group in groups {
        job.cancel.check()?;
        let pages: Vec<Page<'_>> = group.pages.iter().map(|(_, html)| Page::decoded(html)).collect();
        let texts = method.texts(&pages, &options);
        for ((sample, _), text) in group.pages.iter().zip(texts) {
            file.row(Row::SiteText(&SiteTextRow {
                id: sample.name(),
                layout: group.layout,
                method: method.name(),
                site: &group.site,
                text: &text,
                url: sample.name(),
            }))?;
        }
        let pages = narrow::to_u32(pages.len());
        report.layouts.push(LearntLayout {
            path: path.clone(),
            site: group.site,
            layout: group.layout,
            added: pages,
            pages,
            sure: None,
            doubt: None,
        });
    }
    file.finish()?;
    Ok(report)
}
