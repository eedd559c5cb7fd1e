//! Tests with a real browser. On a machine without one they print that they are skipped; in CI they fail.

#![allow(
    clippy::cast_possible_truncation,
    reason = "tests choose their numbers, which are small"
)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stderr)]
#![cfg(unix)]

mod broken_pages;
mod isolation;
mod layouts;

use dehusk_browser::{Assets, Browser, Chromium, LostPage, PageSource, Rendered, Settings};

/// Settings for this machine; `None` if it has no browser.
pub(crate) fn settings() -> Option<Settings> {
    let settings = Settings {
        no_sandbox: rustix::process::geteuid().is_root(),
        ..Settings::default()
    };
    match Chromium::new(settings.clone()) {
        Ok(_) => Some(settings),
        Err(missing) => {
            assert!(std::env::var_os("CI").is_none(), "{missing}");
            eprintln!("SKIPPED, nothing was tested: {missing}");
            None
        }
    }
}

/// Renders a page without assets.
pub(crate) fn render(browser: &mut Chromium, html: &str) -> Result<Rendered, LostPage> {
    let url = "http://page.example/a/b.html";
    let page = PageSource { url, html };
    browser.render(&page, &Assets::default()).expect("a browser")
}

/// A page that every browser can render.
pub(crate) const PLAIN: &str = "<title>Rivers</title><p>The river rose overnight.";

/// Asserts that a browser renders a page as if nothing had been before.
pub(crate) fn works(browser: &mut Chromium) {
    let rendered = render(browser, PLAIN).expect("a plain page");
    assert_eq!(rendered.layout["elements"], 5);
}
