//! Pages in, layouts out: where a browser draws the texts and boxes of each page.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use dehusk_browser::assets::FOLDER_HOST;
use dehusk_browser::{Assets, Browser, Chromium, PageSource};
use dehusk_extract::layout::{LAYOUT_VERSION, source_hash};
use serde_json::Value;

use crate::error::Error;
use crate::job::Job;
use crate::kernel::extract::page;
use crate::read::inputs::RecordKind;
use crate::record::{LayoutRow, PageRecord, Reason, Rejected, Rejection, Row, RowKind};
use crate::write::encoded_rows::EncodedRows;
use crate::write::format::{Jsonl, RowEncoder};
use crate::write::sink::{Destination, RowSink};
use crate::write::summary::{Outcome, Summary, Tally};

/// Files of style sheets, fonts and images, and the browser.
#[derive(Debug)]
pub struct Style {
    /// Folders and archives that answer what pages ask for.
    pub assets: Vec<PathBuf>,
    /// How the browser is started and what a page may cost.
    pub browser: dehusk_browser::Settings,
}

/// What the browser took.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Taken {
    /// Browsers that were started, one after another.
    pub browsers: u32,
    /// The most memory of all processes of one of them together, in bytes.
    pub memory: u64,
    /// Whether it had a network of its own.
    pub own_network: bool,
}

/// Renders every page, one after another, and writes a line for each to the file `path`, or without one to `to`. A page that cannot be
/// rendered is rejected, and `on_rejected` is called with it.
///
/// # Errors
/// If an input or the assets are missing, if there is no browser, or writing fails.
pub fn render(
    job: &Job<'_>,
    style: &Style,
    path: Option<&Path>,
    to: &mut (dyn Write + Send),
    on_rejected: &mut dyn FnMut(&Rejected),
) -> Result<(Outcome, Taken), Error> {
    let inputs = job.open(RecordKind::Pages)?;
    let assets = Assets::open(&style.assets).map_err(|(path, error)| Error::input(&path, error))?;
    let browser = Chromium::new(style.browser.clone()).map_err(|error| Error::failed(error.to_string()))?;
    let renderer = Mutex::new(Renderer {
        browser,
        assets,
        broken: None,
    });
    let locked = || renderer.lock().unwrap_or_else(PoisonError::into_inner);
    let options = job.settings.extraction();
    let mut pass = job.pass("rendering pages", &inputs);
    // One page after another: several tabs of one browser gain little, and whose page broke it would not be known.
    pass.plan.threads = 1;
    let summary = Summary::new("render", &inputs, job.settings.effective_extraction());
    let destination = match path {
        Some(path) => Destination::File(path),
        None => Destination::Stream(to),
    };
    let mut sink = RowSink::open(destination, job, &Jsonl, RowKind::Layout, false, None)?;
    let mut tally = Tally::default();
    let skipped = pass.pages(
        job.addresses(),
        None,
        |record| locked().row(record, &page(record)?.text(&options)),
        || (),
        |(), row: EncodedRows| row,
        |worked| {
            if let Some(broken) = locked().broken.take() {
                return Err(broken);
            }
            let mut tally = tally.chunk(&worked.origin, &worked.skipped);
            for row in worked.rows {
                match tally.count(row) {
                    Ok(row) => sink.rows(&row)?,
                    Err(rejected) => on_rejected(&rejected),
                }
            }
            Ok(())
        },
    )?;
    sink.finish()?;
    let browser = &locked().browser;
    let taken = Taken {
        browsers: browser.started(),
        memory: browser.peak_memory(),
        own_network: browser.network() == dehusk_browser::isolation::Network::Namespace,
    };
    Ok((tally.outcome(summary, job.settings, &skipped), taken))
}

struct Renderer {
    browser: Chromium,
    assets: Assets,
    /// Why no browser can be started, once that is known.
    broken: Option<Error>,
}

impl Renderer {
    /// The row of a page with this text.
    fn row(&mut self, record: &PageRecord<'_>, html: &str) -> Result<EncodedRows, Rejection> {
        let unrendered = |message: String| Rejection::new(Reason::Unrendered, message);
        if self.broken.is_some() {
            return Err(unrendered("there is no browser".to_owned()));
        }
        let id = record.id.as_deref().unwrap_or_default();
        let url = address(record, id);
        let source = PageSource { url: &url, html };
        let rendered = match self.browser.render(&source, &mut self.assets) {
            Ok(rendered) => rendered.map_err(|lost| unrendered(lost.to_string()))?,
            Err(error) => {
                let message = error.to_string();
                self.broken = Some(Error::failed(&message));
                return Err(unrendered(message));
            }
        };
        let fields: Value = serde_json::to_value(&rendered).map_err(|error| unrendered(error.to_string()))?;
        let row = LayoutRow {
            version: LAYOUT_VERSION,
            id,
            url: &url,
            source_hash: &source_hash(html),
            rendered: &fields,
        };
        Ok(RowEncoder::one(Row::Layout(&row), &Jsonl))
    }
}

/// The address under which the browser sees a page: its own, else one of a host that does not exist, with the place of the page in its
/// folder, so that relative references lead to the files of that folder.
fn address(record: &PageRecord<'_>, id: &str) -> String {
    let known = [record.url.as_deref(), record.folder_url.as_deref()];
    let is_web = |url: &&str| url.starts_with("http://") || url.starts_with("https://");
    if let Some(url) = known.into_iter().flatten().find(is_web) {
        return url.to_owned();
    }
    let mut url = format!("http://{FOLDER_HOST}/");
    for byte in id.trim_start_matches("./").bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                url.push(byte.into());
            }
            _ => url.push_str(&format!("%{byte:02X}")),
        }
    }
    url
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Content;

    #[test]
    fn a_page_without_an_address_has_that_of_its_place() {
        let mut record = PageRecord::new(Content::Text("".into()));
        assert_eq!(
            address(&record, "a b/č.html"),
            "http://folder.invalid/a%20b/%C4%8D.html"
        );
        record.url = Some("file:///etc/passwd".into());
        assert_eq!(address(&record, "x"), "http://folder.invalid/x");
        record.url = Some("https://a.example/b".into());
        assert_eq!(address(&record, "x"), "https://a.example/b");
    }
}
