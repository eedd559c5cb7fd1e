//! One page in, a page for people out that shows what became of it and why.

use std::io::Write;
use std::path::Path;

use crate::error::Error;
use crate::kernel::extract::PageWork;
use crate::read::inputs::{Inputs, RecordKind};
use crate::record::Rejected;
use crate::site::Store;
use crate::write::file::WholeFile;
use crate::write::report::explain;
use crate::{Job, Outcome, Summary};

/// Extracts one page and writes a page of HTML to `path` that shows it beside its text: every block marked as kept, dropped or
/// unsure, with the reason, the figures and what each method makes of it.
///
/// The file is complete in itself: it loads nothing and runs no script, neither ours nor that of the page.
///
/// # Errors
/// If the inputs are not exactly one page, if it cannot be read, or if writing fails.
pub fn explain(job: &Job<'_>, path: &Path) -> Result<Outcome, Error> {
    let settings = job.settings;
    let inputs = Inputs::open(job.inputs, settings.format(), RecordKind::Pages)?;
    let mut reader = inputs.reader(settings.bounds(), false);
    let store = Store::of_settings(settings)?;
    let by_site = |page: &dehusk_extract::Page<'_>, options: &dehusk_extract::Options| match &store {
        Some(store) => store.extract(page, options),
        None => dehusk_extract::extract(page, options),
    };
    let work = PageWork {
        extract: &by_site,
        options: settings.extraction().with_blocks(true).with_visible_nodes(true),
        url: job.url,
        timings: false,
    };
    let mut found: Option<Result<String, Rejected>> = None;
    let mut pages = 0_u64;
    while let Some(chunk) = reader.next_chunk() {
        work.each(&chunk, &mut |result| {
            pages += 1;
            if found.is_none() {
                found = Some(result.map(|document| explain::render(&document)));
            }
        });
        if pages > 1 {
            return Err(Error::usage("the input holds more than one page").with_help(
                "`dehusk explain` shows one page; `dehusk extract --blocks` writes the same data for many",
            ));
        }
    }
    let html = match found {
        Some(Ok(html)) => html,
        Some(Err(rejected)) => {
            return Err(Error::failed(format!("`{}`: {}", rejected.id, rejected.message)));
        }
        None => {
            return Err(Error::usage("the input holds no page").with_help("name a file of HTML, or `-`"));
        }
    };
    let mut file = WholeFile::create(path, job.cancel)?;
    file.write_all(html.as_bytes())
        .map_err(|e| Error::write(path, e))?;
    file.commit()?;
    let mut summary = Summary::new("explain", &inputs, settings.effective_extraction());
    summary.counts.read = pages;
    summary.counts.kept = pages;
    Ok(Outcome {
        summary,
        rejected: Vec::new(),
    })
}
