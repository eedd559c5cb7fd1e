//! One visit of the browser to one page.

use std::time::Instant;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use serde_json::{Value, json};

use crate::assets::{Answer, Assets};
use crate::error::{LostPage, LostReason};
use crate::isolation::policy;
use crate::limits::Limits;
use crate::pipe::{Gone, Message, Pipe};

/// Script that measures a page.
const COLLECT: &str = include_str!("collect.js");
/// Script that serializes a page.
const BUILT: &str = include_str!("built.js");
/// Time for scripts after the page has loaded, in milliseconds of virtual time. Virtual time stands still
/// while requests are answered, and skips idle periods.
const SCRIPT_TIME: u32 = 5_000;
/// Divisor of the time limit of a page: the maximum share of time for its scripts, finished or not.
const SCRIPT_SHARE: u32 = 3;
/// Maximum number of failed requests whose addresses are recorded. Each address is cut to `MAX_URL_CHARS`
/// characters.
const MAX_NAMED: usize = 20;
const MAX_URL_CHARS: usize = 200;
/// Width and height of the window in pixels.
const VIEWPORT: (u32, u32) = (1280, 800);

/// A page to be rendered.
#[derive(Clone, Copy, Debug)]
pub struct PageSource<'a> {
    /// Its address, under which the browser sees it.
    pub url: &'a str,
    /// The decoded page.
    pub html: &'a str,
}

/// A rendered page.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Rendered {
    /// Name and version of the browser.
    pub browser: String,
    /// Whether the scripts of the page ran.
    pub scripts: bool,
    /// Whether scripts were still running when the page was serialized.
    pub unfinished: bool,
    /// The page as built by its scripts, if they ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub html: Option<String>,
    /// Number of requests that were answered.
    pub answered: usize,
    /// Number of requests that failed, because there is no asset for them or a limit was reached.
    pub missing: usize,
    /// The first addresses of failed requests.
    pub missing_urls: Vec<String>,
    /// The measurements of the browser.
    #[serde(flatten)]
    pub layout: Value,
}

/// Maximum number of frames with processes of their own that may start.
const MAX_FRAMES: usize = 100;

/// Returns the parameters that report frames and workers before they start, and pause them.
fn held_children() -> Value {
    json!({ "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true })
}

/// Reason why a visit failed.
pub(crate) enum Trouble {
    /// The browser has ended. The watch knows the reason.
    Gone,
    /// This page is lost.
    Lost(LostPage),
}

impl From<Gone> for Trouble {
    fn from(_: Gone) -> Self {
        Trouble::Gone
    }
}

/// Returns the failure of a page whose browser refused a command.
fn refused(message: impl Into<String>) -> Trouble {
    Trouble::Lost(LostPage::new(LostReason::Refused, message))
}

/// Statistics of the requests of a page.
#[derive(Debug, Default)]
pub(crate) struct Requests {
    pub(crate) answered: usize,
    pub(crate) missing: usize,
    pub(crate) missing_urls: Vec<String>,
    bytes: usize,
}

/// A tab with one page.
pub(crate) struct Visit<'v> {
    pipe: &'v mut Pipe,
    assets: &'v Assets,
    limits: &'v Limits,
    page: PageSource<'v>,
    page_host: String,
    scripts: bool,
    context: String,
    target: String,
    session: String,
    /// Sessions of frames that have a process of their own.
    frames: Vec<String>,
    served: bool,
    loaded: bool,
    script_time_over: bool,
    /// Whether scripts were still running when the page was serialized.
    pub(crate) unfinished: bool,
    pub(crate) requests: Requests,
}

impl<'v> Visit<'v> {
    /// Opens a tab in a context of its own, without any state of earlier pages.
    pub(crate) fn open(
        pipe: &'v mut Pipe,
        assets: &'v Assets,
        limits: &'v Limits,
        page: PageSource<'v>,
        scripts: bool,
    ) -> Result<Self, Trouble> {
        let host = page.url.split_once("://").map_or("", |(_, rest)| rest);
        let host = host.split(['/', '?', '#']).next().unwrap_or_default().to_owned();
        let mut visit = Visit {
            pipe,
            assets,
            limits,
            page,
            page_host: host,
            scripts,
            context: String::new(),
            target: String::new(),
            session: String::new(),
            frames: Vec::new(),
            served: false,
            loaded: false,
            script_time_over: false,
            unfinished: false,
            requests: Requests::default(),
        };
        // Each identifier below is part of the next command, so the order is that of the protocol: context,
        // tab, session.
        visit.context = visit.ask(
            "Target.createBrowserContext",
            &json!({ "disposeOnDetach": true }),
            "browserContextId",
        )?;
        let context = visit.context.clone();
        // Set before the tab exists, so that not even its first document can be a download.
        let deny = json!({ "behavior": "deny", "browserContextId": context });
        visit.call_browser("Browser.setDownloadBehavior", &deny)?;
        let blank = json!({ "url": "about:blank", "browserContextId": context });
        visit.target = visit.ask("Target.createTarget", &blank, "targetId")?;
        let attach = json!({ "targetId": visit.target, "flatten": true });
        visit.session = visit.ask("Target.attachToTarget", &attach, "sessionId")?;
        visit.prepare()?;
        Ok(visit)
    }

    /// Sets up interception and the window. Every command is answered before the page is requested.
    fn prepare(&mut self) -> Result<(), Trouble> {
        let (width, height) = VIEWPORT;
        let window = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.call("Target.setAutoAttach", &held_children())?;
        self.call("Inspector.enable", &json!({}))?;
        self.call("Page.enable", &json!({}))?;
        self.call("Network.setBypassServiceWorker", &json!({ "bypass": true }))?;
        self.call("Emulation.setDeviceMetricsOverride", &window)?;
        // From here on, no request leaves the browser without an answer of [`Visit::request`].
        self.call("Fetch.enable", &json!({ "patterns": [{ "urlPattern": "*" }] }))?;
        Ok(())
    }

    /// Loads the page and returns the result of the JavaScript function `function`, run in an isolated
    /// world that the page cannot access.
    fn load(&mut self, function: &str, argument: usize) -> Result<Value, Trouble> {
        // Its answer comes after the page itself was requested; `answer` handles that request while it
        // waits.
        let gone = self.call("Page.navigate", &json!({ "url": self.page.url }))?;
        if let Some(error) = gone["errorText"].as_str() {
            return Err(refused(format!("the browser does not load the page: {error}")));
        }
        let frame = gone["frameId"].as_str().unwrap_or_default().to_owned();
        // Scripts get a third of the time, so that serializing or measuring the page still fits into the
        // limit.
        let patience = Instant::now() + self.limits.time / SCRIPT_SHARE;
        while !self.loaded && self.step(patience)? {}
        let fonts = if self.scripts {
            // Virtual time skips idle periods, so a timer of 3 s fires without waiting, on slow machines as
            // well.
            let time = json!({ "policy": "pauseIfNetworkFetchesPending", "budget": SCRIPT_TIME });
            self.call("Emulation.setVirtualTimePolicy", &time)?;
            while !self.script_time_over && self.step(patience)? {}
            self.unfinished = !self.loaded || !self.script_time_over;
            "Promise.resolve()"
        } else {
            "Promise.race([document.fonts.ready, new Promise((done) => setTimeout(done, 1000))])"
        };
        // A world of its own has the page's tree but its own globals: the page cannot replace `Array` or
        // `JSON` under the script.
        let world = self.call(
            "Page.createIsolatedWorld",
            &json!({ "frameId": frame, "worldName": "dehusk" }),
        )?;
        // The line breaks end any comment of the function before the parenthesis.
        let expression = format!("{fonts}.then(() => (\n{function}\n)({argument}))");
        let evaluate = json!({
            "expression": expression,
            "contextId": world["executionContextId"],
            "awaitPromise": true,
            "returnByValue": true,
        });
        let mut got = self.call("Runtime.evaluate", &evaluate)?;
        if let Some(thrown) = got["exceptionDetails"]["exception"]["description"].as_str() {
            return Err(refused(format!("the page cannot be measured: {thrown}")));
        }
        Ok(got["result"]["value"].take())
    }

    /// Returns the layout of the page.
    pub(crate) fn layout(&mut self) -> Result<Value, Trouble> {
        let layout = self.load(COLLECT, self.limits.elements)?;
        if layout["tooManyElements"] == true {
            let most = self.limits.elements;
            let message = format!("the page has more than {most} elements");
            return Err(Trouble::Lost(LostPage::new(LostReason::Elements, message)));
        }
        if !layout["texts"].is_array() {
            return Err(refused("the browser measured nothing"));
        }
        Ok(layout)
    }

    /// Returns the page as built by its scripts.
    pub(crate) fn built(&mut self) -> Result<String, Trouble> {
        let built = self.load(BUILT, self.limits.bytes)?;
        built.as_str().map(str::to_owned).ok_or_else(|| {
            let message = format!("its scripts built more than {} bytes", self.limits.bytes);
            Trouble::Lost(LostPage::new(LostReason::Bytes, message))
        })
    }

    /// Closes the tab and discards all state of the page.
    pub(crate) fn close(mut self) -> Result<Requests, Trouble> {
        let context = json!({ "browserContextId": self.context });
        self.call_browser("Target.disposeBrowserContext", &context)?;
        Ok(self.requests)
    }

    /// Sends a command to the browser as a whole, and returns the text field `name` of its answer.
    fn ask(&mut self, method: &str, params: &Value, name: &str) -> Result<String, Trouble> {
        let answer = self.call_browser(method, params)?;
        let text = answer[name].as_str().map(str::to_owned);
        text.ok_or_else(|| refused(format!("`{method}` answered without `{name}`")))
    }

    /// Sends a command to the browser as a whole and waits for its answer.
    fn call_browser(&mut self, method: &str, params: &Value) -> Result<Value, Trouble> {
        let id = self.pipe.send(None, method, params)?;
        self.answer(id, method)
    }

    /// Sends a command to the tab and waits for its answer.
    fn call(&mut self, method: &str, params: &Value) -> Result<Value, Trouble> {
        let id = self.pipe.send(Some(&self.session), method, params)?;
        self.answer(id, method)
    }

    /// Sends a command to the tab without waiting for its answer.
    fn post(&mut self, method: &str, params: &Value) -> Result<(), Trouble> {
        self.pipe.send(Some(&self.session), method, params)?;
        Ok(())
    }

    /// Waits for the answer to command `wanted`. Handles all events that arrive before it.
    fn answer(&mut self, wanted: u64, method: &str) -> Result<Value, Trouble> {
        loop {
            // The browser may hold back the answer until a request is answered, so events cannot wait.
            match self.pipe.receive()? {
                Message::Answer { id, result } if id == wanted => {
                    return result.map_err(|error| refused(format!("`{method}`: {error}")));
                }
                // An answer to `post`. Failures of such commands are ignored: the request they belong to
                // may be gone.
                Message::Answer { .. } => {}
                Message::Event {
                    session,
                    method,
                    params,
                } => self.happened(session.as_deref(), &method, &params)?,
            }
        }
    }

    /// Waits for one message. If scripts run, returns false after `patience`, since they may never finish.
    fn step(&mut self, patience: Instant) -> Result<bool, Trouble> {
        let message = match self.scripts {
            true => self
                .pipe
                .receive_within(patience.saturating_duration_since(Instant::now()))?,
            false => Some(self.pipe.receive()?),
        };
        if let Some(Message::Event {
            session,
            method,
            params,
        }) = &message
        {
            self.happened(session.as_deref(), method, params)?;
        }
        Ok(message.is_some())
    }

    /// Handles one event of the browser, of the tab or of a frame.
    fn happened(&mut self, session: Option<&str>, method: &str, params: &Value) -> Result<(), Trouble> {
        if method == "Target.targetCreated" {
            return self.close_window(&params["targetInfo"]);
        }
        if method == "Target.attachedToTarget" {
            return self.let_frame_begin(params);
        }
        if session != Some(self.session.as_str()) {
            // Sessions that are not ours belong to frames or to closed tabs. Only requests of frames need
            // an answer.
            let of_frame = session.filter(|known| self.frames.iter().any(|frame| frame == known));
            return match (of_frame, method) {
                (Some(frame), "Fetch.requestPaused") => {
                    // 204 leaves a frame as it is, so a frame never loads anything.
                    let nothing = json!({ "requestId": params["requestId"], "responseCode": 204 });
                    self.requests.missing += 1;
                    self.pipe.send(Some(frame), "Fetch.fulfillRequest", &nothing)?;
                    Ok(())
                }
                _ => Ok(()),
            };
        }
        match method {
            "Fetch.requestPaused" => self.request(params)?,
            "Page.loadEventFired" => self.loaded = true,
            "Emulation.virtualTimeBudgetExpired" => self.script_time_over = true,
            "Page.javascriptDialogOpening" => {
                self.post("Page.handleJavaScriptDialog", &json!({ "accept": false }))?;
            }
            "Inspector.targetCrashed" => {
                let message = "the process of the page crashed";
                return Err(Trouble::Lost(LostPage::new(LostReason::Crash, message)));
            }
            _ => {}
        }
        Ok(())
    }

    /// Lets a frame with a process of its own start, because the page waits for it, with all its requests
    /// intercepted. Frames are blocked by the policy, so such a frame contains only the browser's error
    /// page. Workers stay paused.
    fn let_frame_begin(&mut self, params: &Value) -> Result<(), Trouble> {
        let session = params["sessionId"].as_str().unwrap_or_default();
        if params["targetInfo"]["type"] != "iframe" || self.frames.len() >= MAX_FRAMES {
            return Ok(());
        }
        // Interception is enabled before the frame runs: requests that it makes earlier would not be
        // intercepted.
        self.frames.push(session.to_owned());
        let all = json!({ "patterns": [{ "urlPattern": "*" }] });
        self.pipe.send(Some(session), "Fetch.enable", &all)?;
        self.pipe
            .send(Some(session), "Target.setAutoAttach", &held_children())?;
        self.pipe
            .send(Some(session), "Runtime.runIfWaitingForDebugger", &json!({}))?;
        Ok(())
    }

    /// Closes a window that the page opened.
    fn close_window(&mut self, info: &Value) -> Result<(), Trouble> {
        let id = info["targetId"].as_str().unwrap_or_default();
        // The event of our own tab may arrive before the answer that names it. `target` is empty until
        // then.
        if info["type"] == "page" && !self.target.is_empty() && id != self.target {
            self.pipe
                .send(None, "Target.closeTarget", &json!({ "targetId": id }))?;
        }
        Ok(())
    }

    /// Answers one intercepted request.
    fn request(&mut self, params: &Value) -> Result<(), Trouble> {
        let id = &params["requestId"];
        let url = params["request"]["url"].as_str().unwrap_or_default();
        if params["resourceType"] == "Document" {
            return self.document(id);
        }
        if url.ends_with("/favicon.ico") {
            // The icon is not displayed.
            return self.post(
                "Fetch.fulfillRequest",
                &json!({ "requestId": id, "responseCode": 404 }),
            );
        }
        // The bytes of the page count too, so `bytes` bounds all content that a visit sends to the browser.
        let room = self.limits.bytes.saturating_sub(self.requests.bytes);
        let answer = match self.requests.answered < self.limits.requests {
            true => self.assets.get(url, &self.page_host, room),
            false => None,
        };
        match answer {
            Some(answer) => {
                self.requests.answered += 1;
                self.requests.bytes += answer.body.len();
                self.fulfil(id, &answer)
            }
            None => {
                self.requests.missing += 1;
                if self.requests.missing_urls.len() < MAX_NAMED {
                    let named = url.chars().take(MAX_URL_CHARS).collect();
                    self.requests.missing_urls.push(named);
                }
                // The error that a machine without a network would report.
                let missing = json!({ "requestId": id, "errorReason": "NameNotResolved" });
                self.post("Fetch.failRequest", &missing)
            }
        }
    }

    /// Answers the request for the page itself. Later documents that would replace it are answered with
    /// 204, which leaves the page in place.
    fn document(&mut self, id: &Value) -> Result<(), Trouble> {
        // A page may navigate at any time: `location = '...'`, a submitted form, a refresh in `meta`.
        if std::mem::replace(&mut self.served, true) {
            return self.post(
                "Fetch.fulfillRequest",
                &json!({ "requestId": id, "responseCode": 204 }),
            );
        }
        let html = self.page.html.as_bytes();
        self.requests.bytes += html.len();
        let headers = json!([
            { "name": "Content-Type", "value": "text/html; charset=utf-8" },
            { "name": "Content-Security-Policy", "value": policy(self.scripts) },
            { "name": "Cache-Control", "value": "no-store" },
            { "name": "X-DNS-Prefetch-Control", "value": "off" },
        ]);
        let page = json!({
            "requestId": id,
            "responseCode": 200,
            "responseHeaders": headers,
            "body": STANDARD.encode(html),
        });
        self.post("Fetch.fulfillRequest", &page)
    }

    /// Answers a request with an asset.
    fn fulfil(&mut self, id: &Value, answer: &Answer) -> Result<(), Trouble> {
        let fields = [
            ("Content-Type", answer.content_type.as_deref()),
            ("Location", answer.location.as_deref()),
            // Fonts of other hosts need this permission, and archives seldom contain the original header.
            ("Access-Control-Allow-Origin", Some("*")),
        ];
        let headers: Vec<Value> = fields
            .into_iter()
            .filter_map(|(name, value)| Some(json!({ "name": name, "value": value? })))
            .collect();
        let response = json!({
            "requestId": id,
            "responseCode": answer.status,
            "responseHeaders": headers,
            "body": STANDARD.encode(&answer.body),
        });
        self.post("Fetch.fulfillRequest", &response)
    }
}
