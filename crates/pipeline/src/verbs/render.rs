//! The verb `render`: pages in, layouts out, with the positions of the texts and boxes of each page in a browser.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use dehusk_browser::assets::FOLDER_HOST;
use dehusk_browser::{Assets, Browser, Chromium, PageSource};
use dehusk_extract::layout::{LAYOUT_VERSION, source_hash};
use serde_json::Value;
use walkdir::WalkDir;

use crate::error::Error;
use crate::job::Job;
use crate::kernel::extract::page;
use crate::read::chunk::Format;
use crate::read::format;
use crate::read::inputs::RecordKind;
use crate::record::{LayoutRow, PageRecord, Reason, Rejected, Rejection, Row, RowKind};
use crate::write::encoded_rows::EncodedRows;
use crate::write::format::{Jsonl, RowEncoder};
use crate::write::sink::{Destination, RowSink};
use crate::write::summary::{Outcome, Summary, Tally};

/// Assets and browser settings.
#[derive(Debug)]
pub struct Style {
    /// Folders and archives from which requests of pages are answered: style sheets, fonts and images.
    pub assets: Vec<PathBuf>,
    /// Launch options of the browser, and limits for a page.
    pub browser: dehusk_browser::Settings,
}

/// Resources that the browsers used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Taken {
    /// Number of browsers that were started.
    pub browsers: u32,
    /// Maximum number of browsers that worked at the same time.
    pub at_once: usize,
    /// Maximum memory of all processes of one browser together, in bytes.
    pub memory: u64,
    /// Whether all browsers had a network namespace of their own.
    pub own_network: bool,
}

/// Renders all pages and writes a line for each, in the order of the pages: to the file `path`, or to `to`
/// if that is `None`.
///
/// A page that cannot be rendered is rejected, and `on_rejected` is called with it. There is one browser
/// for each thread if the settings state the number of threads, else a single browser.
///
/// # Errors
/// If an input or the assets are missing, there is no browser, or writing fails.
pub fn render(
    job: &Job<'_>,
    style: &Style,
    path: Option<&Path>,
    to: &mut (dyn Write + Send),
    on_rejected: &mut dyn FnMut(&Rejected),
) -> Result<(Outcome, Taken), Error> {
    let inputs = job.open(RecordKind::Pages)?;
    protect_assets(&style.assets, job);
    let assets = Assets::open(&style.assets).map_err(|(path, error)| Error::input(&path, error))?;
    let browsers = Browsers::new(&style.browser, &assets)?;
    let options = job.settings.extraction();
    let mut pass = job.pass("rendering pages", &inputs);
    // A browser renders one page at a time: several tabs gain little, and it would be unknown which page
    // made a browser fail.
    pass.plan.threads = job.settings.threads.map_or(1, |_| job.settings.threads());
    let summary = Summary::new("render", &inputs, job.settings.effective_extraction());
    let destination = match path {
        Some(path) => Destination::File(path),
        None => Destination::Stream(to),
    };
    let mut sink = RowSink::open(destination, job, &Jsonl, RowKind::Layout, false, None)?;
    let mut tally = Tally::default();
    let skipped = pass.pages(
        None,
        |record| browsers.row(record, &page(record)?.text(&options)),
        || (),
        |(), row: EncodedRows| row,
        |worked| {
            if let Some(error) = browsers.shared().missing.take() {
                return Err(error);
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
    let taken = browsers.taken();
    Ok((tally.outcome(summary, job.settings, &skipped), taken))
}

/// Registers the files that pages may request, so that no output replaces one of them.
fn protect_assets(assets: &[PathBuf], job: &Job<'_>) {
    for path in assets {
        job.cancel.reads("the assets", path);
        let root = path.clone();
        let visit = move |visit: &mut dyn FnMut(&Path)| {
            let entries = WalkDir::new(&root).min_depth(1).into_iter().flatten();
            // Layouts of an earlier run may lie in such a folder and may be replaced. Pages request no
            // files of lines.
            let is_lines = |path: &Path| format::by_extension(path).is_some_and(Format::is_lines);
            entries
                .filter(|entry| !is_lines(entry.path()))
                .for_each(|entry| visit(entry.path()));
        };
        job.cancel.reads_folder("the assets", path, Box::new(visit));
    }
}

/// The browsers of all threads.
struct Browsers<'a> {
    settings: &'a dehusk_browser::Settings,
    assets: &'a Assets,
    shared: Mutex<Shared>,
}

/// Idle browsers and counts.
struct Shared {
    idle: Vec<Chromium>,
    at_once: usize,
    /// Reason why no browser can be started, once one has failed to start.
    missing: Option<Error>,
    /// Whether rendering has stopped because a browser cannot be started again.
    ended: bool,
}

impl<'a> Browsers<'a> {
    /// Browsers that are started when pages arrive.
    ///
    /// # Errors
    /// If the browser program does not exist or cannot be executed.
    fn new(settings: &'a dehusk_browser::Settings, assets: &'a Assets) -> Result<Browsers<'a>, Error> {
        let first = Chromium::new(settings.clone()).map_err(|error| Error::failed(error.to_string()))?;
        let shared = Shared {
            idle: vec![first],
            at_once: 1,
            missing: None,
            ended: false,
        };
        Ok(Browsers {
            settings,
            assets,
            shared: Mutex::new(shared),
        })
    }

    /// The shared state, also after a panic of another thread.
    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An idle browser, or a new one; an error message if none can be started.
    fn take(&self) -> Result<Chromium, String> {
        let mut shared = self.shared();
        if shared.ended {
            return Err("there is no browser".to_owned());
        }
        if let Some(browser) = shared.idle.pop() {
            return Ok(browser);
        }
        shared.at_once += 1;
        Chromium::new(self.settings.clone()).map_err(|error| error.to_string())
    }

    /// The row of a page with this decoded source.
    fn row(&self, record: &PageRecord<'_>, html: &str) -> Result<EncodedRows, Rejection> {
        let unrendered = |message: String| Rejection::new(Reason::Unrendered, message);
        let id = record.id.as_deref().unwrap_or_default();
        let url = address(record, id);
        let mut browser = self.take().map_err(unrendered)?;
        let done = browser.render(&PageSource { url: &url, html }, self.assets);
        let mut shared = self.shared();
        // The browser is returned before its result is examined: a page that was lost leaves it usable.
        shared.idle.push(browser);
        let rendered = match done {
            Ok(rendered) => rendered.map_err(|lost| unrendered(lost.to_string()))?,
            Err(error) => {
                let message = error.to_string();
                // The page is rejected, and the visitor of rows ends the run with the error in `missing`.
                (shared.ended, shared.missing) = (true, Some(Error::failed(&message)));
                return Err(unrendered(message));
            }
        };
        drop(shared);
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

    /// The resources used, once all pages are done.
    fn taken(&self) -> Taken {
        let shared = self.shared();
        let idle = shared.idle.iter();
        Taken {
            browsers: idle.clone().map(Chromium::started).sum(),
            at_once: shared.at_once,
            memory: idle.clone().map(Chromium::peak_memory).max().unwrap_or(0),
            own_network: idle
                .clone()
                .all(|browser| browser.network() == dehusk_browser::isolation::Network::Namespace),
        }
    }
}

/// The address under which the browser loads a page.
///
/// It is the web address of the page if known. Otherwise it is on a host that does not exist, with the path of the page in its folder, so
/// that relative references resolve to files of that folder.
fn address(record: &PageRecord<'_>, id: &str) -> String {
    let known = [record.url.as_deref(), record.folder_url.as_deref()];
    // Other schemes, such as `file:`, must not reach the browser.
    let is_web = |url: &&str| url.starts_with("http://") || url.starts_with("https://");
    if let Some(url) = known.into_iter().flatten().find(is_web) {
        return url.to_owned();
    }
    let mut url = format!("http://{FOLDER_HOST}/");
    // The path is percent-encoded: an id may contain `?` or `#`, which would end the path.
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
