//! The workshop in a real browser: a person finds a page, clicks a part of it, drops it and saves, and extraction does as was shown.
//! The pages are hostile, and none of their attempts may succeed.
//!
//! Needs Chromium and chromedriver. Without them the test says so and passes, but fails where `CI` is set.

#![allow(
    clippy::cast_possible_truncation,
    reason = "tests choose their numbers, which are small"
)]

mod candidates;

use std::env;
use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use dehusk_pipeline::extract::Page;
use dehusk_pipeline::site::Store;
use dehusk_pipeline::{Cancel, Interrupt, Job, Settings};
use dehusk_workshop::{Serving, serve};
use fantoccini::actions::{InputSource, MOUSE_BUTTON_LEFT, MouseActions, PointerAction};
use fantoccini::key::Key;
use fantoccini::wd::Capabilities;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};

/// A process that ends with the test.
struct Driver(Child);

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts chromedriver on a free port; returns its address.
fn driver() -> Option<(Driver, String)> {
    let started = Command::new("chromedriver")
        .arg("--port=0")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut child = Driver(started.ok()?);
    let output = BufReader::new(child.0.stdout.take()?);
    for line in output.lines().map_while(Result::ok) {
        if let Some((_, rest)) = line.split_once("successfully on port ") {
            let port: String = rest.chars().take_while(char::is_ascii_digit).collect();
            return Some((child, format!("http://localhost:{port}")));
        }
    }
    None
}

/// Why there is no browser, if it must not be missing.
#[expect(
    clippy::print_stderr,
    reason = "nobody may take a skipped test for a passed one"
)]
fn skipped(why: &str) {
    assert!(env::var_os("CI").is_none(), "{why}");
    eprintln!("SKIPPED: the workshop was not tested in a browser: {why}");
}

async fn browser(address: &str, profile: &Path) -> Result<Client, String> {
    let arguments = [
        "--headless".to_owned(),
        // Containers of build servers mostly have no right to make the sandbox of the browser. Ours is another one: frames.
        "--no-sandbox".to_owned(),
        "--disable-gpu".to_owned(),
        "--disable-quic".to_owned(),
        "--no-first-run".to_owned(),
        "--disable-background-networking".to_owned(),
        "--disable-component-update".to_owned(),
        "--disable-sync".to_owned(),
        "--disable-dev-shm-usage".to_owned(),
        "--window-size=1400,900".to_owned(),
        format!("--user-data-dir={}", profile.display()),
    ];
    let mut capabilities = Capabilities::new();
    capabilities.insert("goog:chromeOptions".to_owned(), json!({ "args": arguments }));
    ClientBuilder::new(HttpConnector::new())
        .capabilities(capabilities)
        .connect(address)
        .await
        .map_err(|error| error.to_string())
}

const SHARE: &str = "Tell all of your friends about this story today, and tell them as soon as you can.";

/// A page that tries to reach the network, other frames and storage. A successful attempt sends a request to `out`.
fn page(number: u32, out: &str) -> String {
    let rivers = "The river rose overnight, and in the morning the meadows below the town were under water as far as the mill. ";
    format!(
        r#"<!DOCTYPE html><html><head><title>Story {number}</title><base href="{out}/base/">
        <meta http-equiv="refresh" content="0;url={out}/refresh"><link rel="stylesheet" href="{out}/sheet.css">
        <style>@import url("{out}/import.css"); @font-face {{ font-family: f; src: url({out}/font) }} body {{ background: url({out}/css); font-family: f }}
        .story {{ max-width: 40em }}</style><script>parent.hacked = 1; fetch("{out}/script")</script></head>
        <body onload="parent.hacked = 2; fetch('{out}/onload')">
        <img src="{out}/image" onerror="parent.hacked = 3"><svg onload="parent.hacked = 4"><image href="{out}/svg"/></svg>
        <iframe srcdoc="<script>top.hacked = 5</script>"></iframe><object data="{out}/object"></object><video src="{out}/video" autoplay></video>
        <form action="{out}/form" id="f"><input name="elementFromPoint"><img name="querySelectorAll"><button autofocus>Send</button></form>
        <a href="javascript:parent.hacked=6" style="background: url({out}/style)">Front page</a>
        <div class="story"><h1>Story {number}</h1><p>{}</p><p class="share">{SHARE}</p><p>{}</p></div>
        <script>document.forms[0].submit(); top.location = "{out}/top"</script></body></html>"#,
        rivers.repeat(3),
        format!("Story {number} goes on for a while, since nobody had thought of the dam, which is old. ")
            .repeat(3),
    )
}

/// Waits for something, at most ten seconds.
async fn wait(client: &Client, selector: &str) -> fantoccini::elements::Element {
    let found = client
        .wait()
        .at_most(Duration::from_secs(10))
        .for_element(Locator::Css(selector))
        .await;
    match found {
        Ok(element) => element,
        Err(error) => panic!(
            "{selector}: {error}: {}",
            told(client, "return document.body.innerText").await
        ),
    }
}

/// Clicks a link. The list is written again while sites are judged, so that the link may be another element by then.
async fn click(client: &Client, selector: &str) {
    let end = Instant::now() + Duration::from_secs(10);
    while let Err(error) = wait(client, selector).await.click().await {
        assert!(
            error.is_stale_element_reference() && Instant::now() < end,
            "{selector}: {error}"
        );
    }
}

async fn told(client: &Client, script: &str) -> Value {
    client
        .execute(script, Vec::new())
        .await
        .unwrap_or_else(|error| panic!("{script}: {error}"))
}

/// Waits until a script returns a true value.
async fn until(client: &Client, script: &str) {
    let end = Instant::now() + Duration::from_secs(10);
    while told(client, script).await != json!(true) {
        assert!(Instant::now() < end, "{script}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[test]
fn a_person_drops_a_part_of_hostile_pages() {
    let Some((_driver, driver)) = driver() else {
        return skipped("there is no chromedriver");
    };
    // A page that connects here got out.
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let out = format!("http://{}", listener.local_addr().expect("an address"));
    let escaped = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&escaped);
    thread::spawn(move || {
        for _ in listener.incoming() {
            count.fetch_add(1, Ordering::Relaxed);
        }
    });

    let dir = tempfile::tempdir().expect("a folder");
    let row =
        |n| json!({ "url": format!("https://news.example/a/{n}.html"), "html": page(n, &out) }).to_string();
    let crawl = dir.path().join("crawl.jsonl");
    fs::write(&crawl, (1..5).map(row).collect::<Vec<_>>().join("\n")).expect("written");
    let rules = dir.path().join("rules");
    let mut settings = Settings::default();
    settings.rules = Some(rules.clone());
    if !visit(dir.path(), &driver, &settings, &crawl, story) {
        return;
    }
    assert_eq!(escaped.load(Ordering::Relaxed), 0, "something of a page got out");

    // What was saved is a file that a person would write, and gives what was shown.
    let file = fs::read_to_string(rules.join("news.example.toml")).expect("a file");
    assert!(
        file.contains("remove = [\n    { css = \".share\" },\n]"),
        "{file}"
    );
    assert!(file.contains("[[rule.example]]"), "{file}");
    let store = Store::of_settings(&settings).expect("rules").expect("a store");
    for number in 1..5 {
        let (html, url) = (
            page(number, &out),
            format!("https://news.example/a/{number}.html"),
        );
        let page = Page::decoded(&html).with_url(Some(&url));
        let text = store.extract(&page, &settings.extraction()).text;
        assert!(text.contains("The river rose") && !text.contains(SHARE), "{text}");
    }
}

/// Opens a crawl in the workshop and does what `story` does in a browser. Returns false if there is no browser. `dir` is for the files of the browser.
fn visit(
    dir: &Path,
    driver: &str,
    settings: &Settings,
    crawl: &Path,
    story: impl AsyncFnOnce(&Client, &str),
) -> bool {
    let inputs = [crawl.display().to_string()];
    let cancel = Cancel::new();
    let (told_address, address) = mpsc::channel();
    thread::scope(|scope| {
        let end = EndOnDrop(&cancel);
        let served = scope.spawn(|| {
            let job = Job::new(&inputs, settings, &cancel);
            serve(&job, &Serving::default(), &mut |_| (), &mut |address| {
                let _ = told_address.send(address.to_owned());
            })
        });
        let address = address.recv_timeout(Duration::from_secs(20)).expect("an address");
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        let profile = dir.join("profile");
        let client = match runtime.block_on(browser(driver, &profile)) {
            Ok(client) => client,
            Err(why) => {
                skipped(&format!("chromedriver starts no browser: {why}"));
                return false;
            }
        };
        runtime.block_on(async {
            let done = tokio::time::timeout(Duration::from_secs(50), story(&client, &address)).await;
            let closed = client.close().await;
            done.expect("in time");
            closed.expect("closed");
        });
        drop(end);
        served.join().expect("no panic").expect("served");
        true
    })
}

/// Ends the workshop, even if the test fails.
struct EndOnDrop<'c>(&'c Cancel);

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        self.0.request(Interrupt::Keyboard);
    }
}

/// What the person does.
async fn story(client: &Client, address: &str) {
    client.goto(address).await.expect("the workshop");
    click(client, "tbody a").await;
    click(client, "ol.pages a").await;

    // The part is clicked on the page as it looks.
    wait(client, ".cover").await;
    let place = "const f = document.getElementById('frame'); const s = f.contentDocument.querySelector('.share'); \
        s.scrollIntoView({ block: 'center' }); const [a, b] = [f.getBoundingClientRect(), s.getBoundingClientRect()]; \
        return [a.left + b.left + 20, a.top + b.top + 5]";
    let place = told(client, place).await;
    let at = |i: usize| place[i].as_f64().expect("a number") as i64;
    let mouse = MouseActions::new("mouse".to_owned())
        .then(PointerAction::MoveTo {
            duration: None,
            x: at(0) as f64,
            y: at(1) as f64,
        })
        .then(PointerAction::Down {
            button: MOUSE_BUTTON_LEFT,
        })
        .then(PointerAction::Up {
            button: MOUSE_BUTTON_LEFT,
        });
    client.perform_actions(mouse).await.expect("a click");
    let chosen = wait(client, "#chosen").await.text().await.expect("text");
    assert!(chosen.contains("p.share"), "{chosen}");
    let first = wait(client, "#decide input[name=selector]")
        .await
        .prop("value")
        .await
        .expect("a value");
    assert_eq!(first.as_deref(), Some(".share"));
    let marked =
        "return document.getElementById('frame').contentDocument.querySelector('[data-chosen]').className";
    assert_eq!(told(client, marked).await, "share");

    // It is dropped by keyboard.
    let button = wait(client, "#decide button[value=drop]").await;
    button
        .send_keys(&String::from(char::from(Key::Enter)))
        .await
        .expect("a key");
    wait(client, "#draft .button").await;
    let dropped = "return [...document.querySelectorAll('#blocks .b')].some(b => b.textContent.startsWith('Tell all') && \
        b.classList.contains('dropped'))";
    until(client, dropped).await;
    let framed = "return document.getElementById('frame').contentDocument.querySelector('.share').dataset.dehusk === 'dropped'";
    until(client, framed).await;

    // Taken back, and dropped again.
    wait(client, "button[value=undo]")
        .await
        .click()
        .await
        .expect("a click");
    wait(client, "button[value=redo]")
        .await
        .click()
        .await
        .expect("a click");
    until(client, dropped).await;

    // A block of the text is chosen by keyboard as well.
    let block = wait(client, "#blocks a").await;
    block
        .send_keys(&String::from(char::from(Key::Enter)))
        .await
        .expect("a key");
    until(
        client,
        "return !document.getElementById('chosen').textContent.includes('share')",
    )
    .await;

    wait(client, "#draft .button")
        .await
        .click()
        .await
        .expect("a click");
    wait(client, "button[value=yes]")
        .await
        .click()
        .await
        .expect("a click");
    wait(client, "[role=status]").await;
    assert_eq!(told(client, "return window.hacked === undefined").await, true);
}
