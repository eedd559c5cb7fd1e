//! The pages of sites as samples, which a folder can keep between runs.

use std::fs;
use std::path::Path;

use dehusk_pipeline::dedup::content_hash;
use dehusk_pipeline::extract::site::Sample;
use dehusk_pipeline::extract::{Options, Page};

use super::site_source::Variants;
use crate::eval::sites::labelled::Site;
use crate::eval::sites::rewrite::Stress;

/// Returns the samples of a site: from the folder `cache` if it has them, otherwise from its pages. New
/// samples are written to `cache`.
///
/// The name of a file has the hash of the pages, but not that of the page-level models: a folder keeps the
/// verdicts of the models that it was written with. So learners can be compared on pages that the page
/// level has not seen.
///
/// # Errors
/// If a file cannot be read or written. The message names it.
pub(super) fn of(site: &Site, cache: Option<&Path>) -> Result<Variants, String> {
    let pages = site.html.iter().zip(&site.urls);
    // Order matters in this hash, as it does in the samples.
    let pages = pages.fold(0, |hash, (html, url)| {
        content_hash(&format!("{hash:032x}{:032x} {url}", content_hash(html)))
    });
    let file = cache.map(|folder| folder.join(format!("{pages:032x}.samples")));
    if let Some(file) = file.as_deref().filter(|file| file.is_file()) {
        let bytes = fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let read = postcard::from_bytes(&bytes);
        return read
            .map_err(|error| format!("{}: {error}; remove it to have it written anew", file.display()));
    }
    let options = Options::default();
    let variants =
        [Stress::Intact, Stress::Names, Stress::Bare].map(|stress| samples(site, stress, &options));
    if let Some(file) = &file {
        // Texts, numbers and lists always serialize.
        let bytes = postcard::to_stdvec(&variants).unwrap_or_default();
        let folder = file.parent().map_or(Ok(()), fs::create_dir_all);
        let written = folder.and_then(|()| fs::write(file, bytes));
        written.map_err(|error| format!("{}: {error}", file.display()))?;
    }
    Ok(variants)
}

/// Returns the samples of a site's pages after a change by `stress`.
fn samples(site: &Site, stress: Stress, options: &Options) -> Vec<Sample> {
    let pages = site.html.iter().zip(&site.urls);
    let sample = |(html, url): (&String, &String)| {
        let html = stress.apply(html);
        Sample::new(&Page::decoded(&html).with_url(Some(url)), options)
    };
    pages.map(sample).collect()
}
