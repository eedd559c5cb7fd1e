//! The verb `explain`: one page in, an HTML page out that shows which of its blocks were kept, and why.

use std::io::{self, Write};
use std::path::Path;

use dehusk_extract::Options;
use dehusk_normalize::Profile;
use serde::Deserialize;

use crate::error::Error;
use crate::job::Job;
use crate::kernel::extract::Extractor;
use crate::read::inputs::RecordKind;
use crate::read::lists::each_row;
use crate::record::{Document, PageRecord, Rejected, Rejection};
use crate::settings::PassageUnitName;
use crate::site::extractor::SiteExtractor;
use crate::site::store::Store;
use crate::write::file::whole_file;
use crate::write::report::explain::render;
use crate::write::summary::{LayoutCounts, Outcome, Summary};

pub use crate::kernel::known_passages::{KnownPassages, Spread};

/// HTML that shows a page in memory beside its text. Every block is marked as kept, dropped or unsure, with
/// the reason.
///
/// Equal pages give equal results.
///
/// # Errors
/// If the content of the record is in a file, since this function reads no files.
pub fn explain_page(page: &PageRecord<'_>, options: &Options) -> Result<String, Rejection> {
    let document = Extractor::new(explained(options)).extract(page)?;
    Ok(explain_document(&document))
}

/// Like [`explain_page`], for a document that was extracted with the options of [`explained`].
pub fn explain_document(document: &Document) -> String {
    render(document, None)
}

/// Reads a list of passages that `dehusk passages` or `dehusk run --passages` has written:
/// `passages.jsonl`, or in another format. Texts are compared with the list after normalization by the
/// profile `near`.
///
/// # Errors
/// If the file cannot be read or is not a list of passages.
pub fn read_passages(path: &Path) -> Result<KnownPassages, Error> {
    let mut known = KnownPassages::new(Profile::near());
    // The visitor cannot stop the reader, so the first error is kept until the end.
    let mut wrong = None;
    each_row(
        path,
        &mut |_, row| match serde_json::from_slice::<ListedPassage>(row) {
            Ok(row) => match row.unit.parse::<PassageUnitName>() {
                Ok(unit) => {
                    let spread = Spread {
                        documents: row.documents,
                        hosts: row.hosts,
                    };
                    known.add(unit.0, &row.text, spread);
                }
                Err(error) => drop(wrong.get_or_insert(error)),
            },
            Err(error) => drop(wrong.get_or_insert(error.to_string())),
        },
    )?;
    match wrong {
        Some(wrong) => Err(
            Error::usage(format!("`{}` is no list of passages: {wrong}", path.display()))
                .with_path(path)
                .with_option("passage-list")
                .with_help("name the file `passages.jsonl` that `dehusk passages` or `dehusk run --passages` has written"),
        ),
        None => Ok(known.indexed()),
    }
}

/// The fields of a row of a list of passages that are read.
#[derive(Deserialize)]
struct ListedPassage {
    unit: String,
    text: String,
    documents: u32,
    hosts: u32,
}

/// The options with the document fields that an explanation needs.
#[must_use]
pub fn explained(options: &Options) -> Options {
    options.clone().with_blocks(true).with_visible_nodes(true)
}

/// Extracts one page and writes HTML that shows it beside its text. Every block is marked as kept, dropped
/// or unsure, with the reason, its scores and the decision of each method.
///
/// The HTML is written to the file `path`, or to standard output if that is `None`. Parts of the text that
/// are in `passages` are colored.
///
/// The HTML is self-contained: it loads nothing and runs no script, neither of this program nor of the
/// page.
///
/// # Errors
/// If the inputs do not hold exactly one page, the page cannot be read, or writing fails.
pub fn explain(
    job: &Job<'_>,
    passages: Option<&KnownPassages>,
    path: Option<&Path>,
) -> Result<Outcome, Error> {
    let settings = job.settings;
    let inputs = job.open(RecordKind::Pages)?;
    let store = Store::of_settings(settings)?;
    let options = explained(&settings.extraction());
    let layouts = job.layouts()?;
    let extractor = SiteExtractor::new(Extractor::new(options), store.as_ref(), None);
    let extractor = extractor.with_layouts(layouts.as_ref());
    let mut pass = job.pass("extracting pages", &inputs);
    // One page needs one thread.
    pass.plan.threads = 1;
    // The first page, which is shown if there is no other.
    let mut found: Option<Result<(String, LayoutCounts), Rejected>> = None;
    let mut pages = 0_u64;
    pass.pages(
        None,
        |page| {
            let (document, _) = extractor.extract(page)?;
            let mut counts = LayoutCounts::default();
            counts.count(document.warnings.iter().map(|warning| warning.code));
            Ok((render(&document, passages), counts))
        },
        || (),
        |(), shown: (String, LayoutCounts)| shown,
        |worked| {
            for row in worked.rows {
                pages += 1;
                found.get_or_insert(row);
            }
            // Ends the pass at the second page: the input may be a large archive.
            if pages > 1 {
                return Err(Error::usage("the input holds more than one page").with_help(
                    "`dehusk explain` shows one page; `dehusk extract --blocks` writes the same data for many",
                ));
            }
            Ok(())
        },
    )?;
    let (html, counts) = match found {
        Some(Ok(shown)) => shown,
        Some(Err(rejected)) => {
            return Err(Error::failed(format!("`{}`: {}", rejected.id, rejected.message)));
        }
        None => {
            return Err(Error::usage("the input holds no page").with_help("name a file of HTML, or `-`"));
        }
    };
    match path {
        Some(path) => whole_file(path, job.cancel, |file| file.write(html.as_bytes()))?,
        None => {
            let mut out = io::stdout().lock();
            out.write_all(html.as_bytes())
                .and_then(|()| out.flush())
                .map_err(Error::stdout)?;
        }
    }
    let mut summary = Summary::new("explain", &inputs, settings.effective_extraction());
    summary.counts.read = pages;
    // A rejected page has ended the work above.
    summary.counts.kept = pages;
    summary.layouts = layouts.is_some().then_some(counts);
    Ok(Outcome {
        summary,
        rejected: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Content;

    #[test]
    fn a_page_is_explained_from_memory() {
        let page = PageRecord::new(Content::Text(
            "<title>T</title><nav><a href=/>Home</a></nav><p>Rivers rose overnight, and the meadows were under water.".into(),
        ));
        let html = explain_page(&page, &Options::default()).unwrap();
        assert!(
            html.starts_with("<!DOCTYPE html>") && html.contains("Rivers rose overnight"),
            "{html}"
        );
    }
}
