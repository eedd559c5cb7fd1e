//! Texts of the pages of sites by a method that looks at all of them at once.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use dehusk_extract::site::Sample;
use dehusk_extract::site::methods::SiteMethod;
use dehusk_extract::{Options, Page};
use serde_json::json;

use super::learn::{Learnt, each_page};
use crate::Job;
use crate::error::Error;
use crate::record::Rejected;
use crate::site::group::{Grouped, Groups};
use crate::site::key;
use crate::write::file::WholeFile;

/// Name of the file of texts.
const DOCUMENTS: &str = "documents.jsonl";

/// Finds the main texts of pages by a method that keeps nothing for later ones, and writes them to `documents.jsonl` in the
/// folder `out`: one object a page with `url`, `text`, `method` and `site`, by site and layout. Pages are grouped as for
/// learning; those that are left out there have no text here.
///
/// # Errors
/// If an input is missing or the file cannot be written; a bad record is no error.
pub fn texts(
    job: &Job<'_>,
    method: &dyn SiteMethod,
    out: &Path,
    told: &mut dyn FnMut(&Rejected),
) -> Result<Learnt, Error> {
    let mut learnt = Learnt::default();
    let mut groups: Groups<String> = Groups::default();
    let (mut read, mut homeless, mut rejected, mut beyond) = (0, 0, 0, 0);
    let take = |page: &Page<'_>, options: &Options| (Sample::new(page, options), page.text(options));
    each_page(
        job,
        &take,
        &mut |row| {
            rejected += 1;
            told(row);
        },
        &mut |url, (sample, html)| {
            read += 1;
            match url.as_deref().and_then(key::key) {
                Some(key) => beyond += u64::from(groups.add(key, sample, html)),
                None => homeless += 1,
            }
        },
    )?;
    (learnt.read, learnt.homeless, learnt.rejected) = (read + rejected, homeless, rejected);
    learnt.grouped = Grouped {
        beyond,
        ..Grouped::default()
    };
    fs::create_dir_all(out).map_err(|e| Error::write(out, e))?;
    let path: PathBuf = out.join(DOCUMENTS);
    let mut file = WholeFile::create(&path, job.cancel)?;
    job.progress.stage("comparing pages", None);
    let options = job.settings.extraction();
    for group in groups.finish(&mut learnt.grouped) {
        job.cancel.check()?;
        let pages: Vec<Page<'_>> = group
            .samples
            .iter()
            .map(|(_, html)| Page::decoded(html))
            .collect();
        let texts = method.texts(&pages, &options);
        for ((sample, _), text) in group.samples.iter().zip(texts) {
            let row = json!({
                "id": sample.name(),
                "url": sample.name(),
                "text": text,
                "method": method.name(),
                "site": group.site,
                "layout": group.layout,
            });
            writeln!(file, "{row}").map_err(|e| Error::write(&path, e))?;
        }
        let pages = pages.len() as u32;
        learnt
            .files
            .push((path.clone(), group.site, group.layout, pages, pages));
    }
    file.commit()?;
    Ok(learnt)
}
