//! How the browser is isolated, so that no data leaves it.
//!
//! Each of these layers alone stops most of what the tests try. The tests also try everything with some
//! layers removed.
//!
//! | layer | stops |
//! |---|---|
//! | requests are intercepted (`Fetch`) and answered by us, for any scheme, host and port | everything that a page loads |
//! | a network namespace of its own, where the system supports it ([`Network::Namespace`]) | everything, including the browser's own requests |
//! | names and literal addresses resolve to nothing ([`SWITCHES`]) | WebSockets, WebTransport, DNS prefetches and the browser's own requests |
//! | a proxy that does not exist, for loopback as well | the same once more |
//! | no UDP without a proxy, no QUIC | WebRTC |
//! | a content policy ([`policy`]) that forbids scripts, frames, plug-ins, workers and forms | with scripts off, every script of the page: inline, linked, in attributes and addresses |
//! | new windows, frames of other processes and workers are paused before they start, and closed | pop-ups, service workers |
//! | no downloads, no permissions, no extensions; dialogs are dismissed | everything that asks the user |
//! | a profile of its own for each browser, a context of its own for each page | state that one page would leave to the next |
//! | the browser's sandbox, unless `--no-sandbox` is given | a page that takes over its process |
//!
//! Scripts are blocked by the policy rather than by disabling JavaScript: with JavaScript disabled, the
//! parser reads the content of `noscript` as markup. With the policy it reads it as text, so that the tree
//! is the one that readers and [`dehusk_html`] see.

/// Switches that every browser is started with. A browser ignores switches that its version does not know.
pub const SWITCHES: &[&str] = &[
    "--headless",
    "--remote-debugging-pipe",
    // No network access.
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    "--dns-prefetch-disable",
    "--no-pings",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-client-side-phishing-detection",
    "--disable-sync",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-service-autorun",
    "--password-store=basic",
    "--use-mock-keychain",
    // No upgrades of http addresses to https, no suggestions, translation, casting or preloading.
    "--disable-features=HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,MediaRouter,OptimizationHints,Translate,Prerender2,\
     SpareRendererForSitePerProcess,DialMediaRouteProvider,CertificateTransparencyComponentUpdater,AutofillServerCommunication",
    // No questions to the user.
    "--block-new-web-contents",
    "--disable-notifications",
    "--deny-permission-prompts",
    "--disable-prompt-on-repost",
    "--mute-audio",
    // The same rendering on all machines.
    "--disable-gpu",
    "--hide-scrollbars",
    "--force-device-scale-factor=1",
    "--force-color-profile=srgb",
    "--disable-lcd-text",
    "--font-render-hinting=none",
    "--lang=en-US",
    // Little memory: the heap of scripts is limited, and a small /dev/shm suffices.
    "--disable-dev-shm-usage",
    "--js-flags=--max-old-space-size=512",
];

/// Returns the content policy of a page, depending on whether its scripts run.
pub fn policy(scripts: bool) -> &'static str {
    if scripts {
        "frame-src 'none'; object-src 'none'; worker-src 'none'; form-action 'none'; manifest-src 'none'; connect-src http: https:; \
         webrtc 'block'"
    } else {
        "script-src 'none'; frame-src 'none'; object-src 'none'; worker-src 'none'; form-action 'none'; manifest-src 'none'; \
         connect-src 'none'; webrtc 'block'"
    }
}

/// The network that the browser sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Network {
    /// A namespace without any active device, not even loopback.
    Namespace,
    /// The network of the machine, if the system supports no namespaces. The other layers still block all
    /// access.
    Machine,
}

impl Network {
    /// Returns the wrapper command for the browser; empty if absent.
    pub(crate) fn wrapper(self, is_root: bool) -> &'static [&'static str] {
        match (self, is_root) {
            (Network::Machine, _) => &[],
            (Network::Namespace, true) => &["unshare", "--net"],
            // Keeps the user id inside, since the browser's sandbox does not work for root.
            (Network::Namespace, false) => &["unshare", "--user", "--map-current-user", "--net"],
        }
    }
}
