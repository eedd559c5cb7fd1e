//! A Chromium that renders one page after another, and is replaced when a page breaks it.

use std::time::{Duration, Instant};

use dehusk_html::Parser;
use dehusk_html::tree::Dom;
use serde_json::json;

use crate::assets::Assets;
use crate::error::{Error, LostPage, LostReason};
use crate::group::is_root;
use crate::isolation::Network;
use crate::limits::Limits;
use crate::pipe::{Gone, Message, Pipe};
use crate::process::{Process, best_network, find_program};
use crate::visit::{PageSource, Rendered, Trouble, Visit};
use crate::watch::Watch;

/// The interface of a browser.
pub trait Browser {
    /// Renders a page with these assets. A page that cannot be rendered is an `Ok(Err(_))`.
    ///
    /// # Errors
    /// If there is no working browser.
    fn render(&mut self, page: &PageSource<'_>, assets: &Assets)
    -> Result<Result<Rendered, LostPage>, Error>;
}

/// How a browser is started, and limits on the resources of its pages.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Its program. Default: the first one found in the search path.
    pub program: Option<String>,
    /// Whether scripts of pages run. Default: no.
    pub scripts: bool,
    /// Whether the browser runs without its own sandbox, which is required if the user is root. Default: no.
    pub no_sandbox: bool,
    /// The network that the browser sees. Default: the most isolated one that the system supports.
    pub network: Option<Network>,
    /// Limits on the resources of one page.
    pub limits: Limits,
}

/// Time within which a new browser must answer its first command.
const START_TIME: Duration = Duration::from_secs(60);
/// Number of attempts to start a browser.
const STARTS: usize = 3;
/// Bytes allowed for a message in addition to the content of a page.
const MESSAGE_ROOM: usize = 16 << 20;

/// A browser that is started with the first page.
pub struct Chromium {
    settings: Settings,
    program: String,
    network: Network,
    running: Option<Running>,
    started: u32,
    peak: u64,
}

/// Fields are dropped in this order: the watch ends, then the processes end, and with them both pipes.
struct Running {
    watch: Watch,
    process: Process,
    pipe: Pipe,
    version: String,
    pages: u32,
}

impl Chromium {
    /// Finds the program and checks the capabilities of the system.
    ///
    /// # Errors
    /// If no program is found, or the user is root and running without the sandbox is not allowed.
    pub fn new(settings: Settings) -> Result<Chromium, Error> {
        let program = match &settings.program {
            Some(program) => program.clone(),
            None => find_program()?.to_owned(),
        };
        if is_root() && !settings.no_sandbox {
            return Err(Error::new(
                "the sandbox of the browser does not work for the superuser; run as another user, or allow it to go without \
                 (`--no-sandbox`) where you trust the pages",
            ));
        }
        Ok(Chromium {
            network: settings.network.unwrap_or_else(best_network),
            settings,
            program,
            running: None,
            started: 0,
            peak: 0,
        })
    }

    /// Returns the network that the browser sees.
    pub fn network(&self) -> Network {
        self.network
    }

    /// Returns the number of browsers started so far, including failed attempts.
    pub fn started(&self) -> u32 {
        self.started
    }

    /// Returns the peak memory of all processes of one browser together, in bytes, as far as it was sampled.
    pub fn peak_memory(&self) -> u64 {
        let now = self.running.as_ref().map_or(0, |running| running.watch.peak());
        self.peak.max(now)
    }

    /// Returns the id of its process group, if it runs.
    pub fn process_group(&self) -> Option<i32> {
        self.running
            .as_ref()
            .map(|running| running.process.group().number())
    }

    /// Stops the browser. The next page starts another one.
    pub fn stop(&mut self) {
        // The peak is read first: it is lost with the watch of the running browser.
        self.peak = self.peak_memory();
        self.running = None;
    }

    /// Returns the running browser. Starts a browser first if none runs, or if the last one has rendered
    /// its share of pages.
    fn running(&mut self) -> Result<&mut Running, Error> {
        let most = self.settings.limits.pages;
        // The watch may have ended the browser just after its last page was done.
        let is_over = |running: &Running| running.pages >= most || running.watch.ended().is_some();
        if self.running.as_ref().is_some_and(is_over) {
            self.stop();
        }
        if self.running.is_none() {
            self.running = Some(self.start()?);
        }
        self.running
            .as_mut()
            .ok_or_else(|| Error::new("there is no browser"))
    }

    /// Starts a browser in at most [`STARTS`] attempts. Returns the error of the last attempt.
    fn start(&mut self) -> Result<Running, Error> {
        let mut failed = Error::new("the browser was not started");
        for _ in 0..STARTS {
            self.started += 1;
            match self.start_once() {
                Ok(running) => return Ok(running),
                Err(error) => failed = error,
            }
        }
        Err(failed)
    }

    /// Starts a browser once and waits for its first answer.
    fn start_once(&self) -> Result<Running, Error> {
        let limits = &self.settings.limits;
        let (process, to, from) = Process::start(&self.program, self.network, !self.settings.no_sandbox)?;
        // The watch exists before the first command, so that a program that never answers is killed in
        // time.
        let watch = Watch::begin(process.group(), limits.memory);
        let mut running = Running {
            pipe: Pipe::new(
                to,
                from,
                limits.bytes.saturating_mul(2).saturating_add(MESSAGE_ROOM),
            ),
            watch,
            process,
            version: String::new(),
            pages: 0,
        };
        running.watch.set_deadline(Some(Instant::now() + START_TIME));
        let version = running.greet();
        running.watch.set_deadline(None);
        match version {
            Ok(version) => {
                running.version = version;
                Ok(running)
            }
            Err(Gone) => {
                // A pipe that closes has no reason of its own. Standard error usually has one, such as a
                // missing library.
                let words = running.process.last_words();
                let words = match words.is_empty() {
                    true => "it said nothing; is it Chromium?",
                    false => &words,
                };
                Err(Error::new(format!(
                    "the browser `{}` ended before it answered: {words}",
                    self.program
                )))
            }
        }
    }

    /// Renders one page, under the limits of time and memory. On any failure the browser is stopped.
    fn attempt(
        &mut self,
        page: &PageSource<'_>,
        assets: &Assets,
    ) -> Result<Result<Rendered, LostPage>, Error> {
        let (limits, scripts) = (self.settings.limits, self.settings.scripts);
        let running = self.running()?;
        // Counted before the visit, so that failed pages count as well.
        running.pages += 1;
        running.watch.set_deadline(Some(Instant::now() + limits.time));
        let done = running.visit(page, assets, &limits, scripts);
        running.watch.set_deadline(None);
        let lost = match done {
            Ok(rendered) => return Ok(Ok(rendered)),
            Err(Trouble::Lost(lost)) => lost,
            // The pipe only shows that the browser ended. If the watch killed it, the watch has the reason.
            Err(Trouble::Gone) => match running.watch.ended() {
                Some(LostReason::Memory) => LostPage::new(
                    LostReason::Memory,
                    format!("the browser took more than {} MiB", limits.memory >> 20),
                ),
                Some(_) => LostPage::new(
                    LostReason::Time,
                    format!("it was not rendered in {} seconds", limits.time.as_secs()),
                ),
                None => LostPage::new(LostReason::Crash, "the browser ended"),
            },
        };
        // The cause may be any state of this browser, so the browser is discarded.
        self.stop();
        Ok(Err(lost))
    }
}

impl Browser for Chromium {
    fn render(
        &mut self,
        page: &PageSource<'_>,
        assets: &Assets,
    ) -> Result<Result<Rendered, LostPage>, Error> {
        if let Err(lost) = check(page, &self.settings.limits) {
            return Ok(Err(lost));
        }
        self.attempt(page, assets)
    }
}

/// Checks that a page is small enough. Large pages are rejected before the browser sees them, since laying
/// out many nested elements would exceed its time limit.
fn check(page: &PageSource<'_>, limits: &Limits) -> Result<(), LostPage> {
    if page.html.len() > limits.bytes {
        let message = format!("the page has more than {} bytes", limits.bytes);
        return Err(LostPage::new(LostReason::Bytes, message));
    }
    // Nested elements are expensive for the browser, but not for this parser, which is linear in the page.
    let (dom, _) = Parser::default().parse(page.html);
    if elements(&dom) > limits.elements {
        let message = format!("the page has more than {} elements", limits.elements);
        return Err(LostPage::new(LostReason::Elements, message));
    }
    Ok(())
}

/// Returns the number of elements of a page.
fn elements(dom: &Dom<'_>) -> usize {
    let tree = dom.tree();
    tree.ids().filter(|&id| tree.is_element(id)).count()
}

impl Running {
    /// Waits for the browser and returns its version.
    fn greet(&mut self) -> Result<String, Gone> {
        // Reports new windows, so that a visit can close those that a page opens.
        self.pipe
            .send(None, "Target.setDiscoverTargets", &json!({ "discover": true }))?;
        let wanted = self.pipe.send(None, "Browser.getVersion", &json!({}))?;
        loop {
            // Events and the answer to the first command may arrive before this answer.
            if let Message::Answer { id, result } = self.pipe.receive()?
                && id == wanted
            {
                let version = result.unwrap_or_default();
                return Ok(version["product"].as_str().unwrap_or("unknown").to_owned());
            }
        }
    }

    /// Visits a page: once without scripts, or twice if scripts run, first to build it and then to measure
    /// it.
    fn visit(
        &mut self,
        page: &PageSource<'_>,
        assets: &Assets,
        limits: &Limits,
        scripts: bool,
    ) -> Result<Rendered, Trouble> {
        let (mut answered, mut missing, mut missing_urls) = (0, 0, Vec::new());
        let (mut html, mut unfinished) = (None, false);
        if scripts {
            // If a visit fails, its tab stays open. That is harmless, since `attempt` then stops the
            // browser.
            let mut visit = Visit::open(&mut self.pipe, assets, limits, *page, true)?;
            let built = visit.built()?;
            unfinished = visit.unfinished;
            let requests = visit.close()?;
            (answered, missing, missing_urls) = (requests.answered, requests.missing, requests.missing_urls);
            let built_page = PageSource {
                html: &built,
                ..*page
            };
            // Scripts may have built a page that exceeds the limits although its source does not.
            check(&built_page, limits).map_err(Trouble::Lost)?;
            html = Some(built);
        }
        // A page built by scripts is serialized first and then measured without scripts, so that its tree
        // is the one that other readers parse.
        let shown = html.as_deref().unwrap_or(page.html);
        let source = PageSource { html: shown, ..*page };
        let mut visit = Visit::open(&mut self.pipe, assets, limits, source, false)?;
        let layout = visit.layout()?;
        let requests = visit.close()?;
        // With scripts, the first visit has the figures: the second one loads only what the built page
        // still names.
        if !scripts {
            (answered, missing, missing_urls) = (requests.answered, requests.missing, requests.missing_urls);
        }
        Ok(Rendered {
            browser: self.version.clone(),
            scripts,
            unfinished,
            html,
            answered,
            missing,
            missing_urls,
            layout,
        })
    }
}
