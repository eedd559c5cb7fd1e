//! Why nothing gets out.
//!
//! Each of these layers alone stops most of what the tests try, and the tests try all of it with some layers taken away.
//!
//! | layer | stops |
//! |---|---|
//! | requests are held (`Fetch`) and answered by us, whatever their scheme, host and port | all that a page loads |
//! | a network namespace of its own, where the system gives one ([`Network::Namespace`]) | everything, the browser's own calls included |
//! | names and literal addresses resolve to nothing ([`SWITCHES`]) | WebSockets, WebTransport, prefetches of names and the browser's own calls |
//! | a proxy that does not exist, for loopback as well | the same once more |
//! | no UDP without a proxy, no QUIC | WebRTC |
//! | a content policy ([`policy`]) that refuses scripts, frames, plug-ins, workers and forms | with scripts off, every script of the page: inline, linked, in attributes and addresses |
//! | new windows, frames of other processes and workers are held before they begin, and closed | pop-ups, service workers |
//! | no downloads, no permissions, no extensions; dialogs are refused | what asks a person |
//! | a profile of its own for each browser, a context of its own for each page | what one page would leave to the next |
//! | the browser's sandbox, unless `--no-sandbox` is asked for | a page that breaks its process |
//!
//! Scripts are stopped by the policy rather than by switching them off: a parser that knows of scripts reads `noscript` as text, so that
//! the tree is the one that readers and [`dehusk_html`] see.

/// Switches that every browser is started with. Those of this list that a version does not know are without effect.
pub const SWITCHES: &[&str] = &[
    "--headless",
    "--remote-debugging-pipe",
    // No way out.
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
    // An address of http stays one; nothing is guessed, translated, cast or loaded ahead.
    "--disable-features=HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,MediaRouter,OptimizationHints,Translate,Prerender2,\
     SpareRendererForSitePerProcess,DialMediaRouteProvider,CertificateTransparencyComponentUpdater,AutofillServerCommunication",
    // Nothing asks a person.
    "--block-new-web-contents",
    "--disable-notifications",
    "--deny-permission-prompts",
    "--disable-prompt-on-repost",
    "--mute-audio",
    // The same picture everywhere.
    "--disable-gpu",
    "--hide-scrollbars",
    "--force-device-scale-factor=1",
    "--force-color-profile=srgb",
    "--disable-lcd-text",
    "--font-render-hinting=none",
    "--lang=en-US",
    // Little memory: that of scripts is bounded, and no space of a small /dev/shm is needed.
    "--disable-dev-shm-usage",
    "--js-flags=--max-old-space-size=512",
];

/// The content policy of a page, by whether its scripts run.
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
    /// A namespace with no device that is up, not even loopback.
    Namespace,
    /// That of the machine, to which the other layers leave no way: the system gives no namespace.
    Machine,
}

impl Network {
    /// What is written before the command of the browser.
    pub(crate) fn wrapper(self, is_root: bool) -> &'static [&'static str] {
        match (self, is_root) {
            (Network::Machine, _) => &[],
            (Network::Namespace, true) => &["unshare", "--net"],
            // The same user inside, since the browser refuses its sandbox to the superuser.
            (Network::Namespace, false) => &["unshare", "--user", "--map-current-user", "--net"],
        }
    }
}
