//! Tests of the isolation: a page tries every way to reach a listener on loopback, and the listener
//! receives nothing.

use std::io::Read;
use std::net::{TcpListener, UdpSocket};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use dehusk_browser::Chromium;
use dehusk_browser::isolation::Network;

use crate::{render, settings, works};

/// Hears what comes to a port of loopback, by TCP and by UDP.
struct Listener {
    port: u16,
    heard: Arc<Mutex<Vec<String>>>,
}

impl Listener {
    fn new() -> Listener {
        let (tcp, udp) = loop {
            let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
            if let Ok(udp) = UdpSocket::bind(tcp.local_addr().unwrap()) {
                break (tcp, udp);
            }
        };
        let port = tcp.local_addr().unwrap().port();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let (by_tcp, by_udp) = (Arc::clone(&heard), Arc::clone(&heard));
        thread::spawn(move || {
            for stream in tcp.incoming().flatten() {
                let _ = stream.set_read_timeout(Some(Duration::from_millis(200)));
                let mut first = [0; 80];
                let count = (&stream).read(&mut first).unwrap_or(0);
                let told = String::from_utf8_lossy(&first[..count]).into_owned();
                by_tcp.lock().unwrap().push(format!("tcp {told}"));
            }
        });
        thread::spawn(move || {
            let mut packet = [0; 80];
            while udp.recv_from(&mut packet).is_ok() {
                by_udp.lock().unwrap().push("udp".to_owned());
            }
        });
        Listener { port, heard }
    }

    fn heard(&self) -> Vec<String> {
        self.heard.lock().unwrap().clone()
    }
}

/// Returns a page that tries every way we know, without scripts and with them.
fn greedy_page(port: u16) -> String {
    let to = format!("http://127.0.0.1:{port}");
    let named = format!("http://localhost:{port}");
    let without_scripts = format!(
        "<!doctype html><html manifest='{to}/appcache'><head><base href='{to}/base/'>
        <meta http-equiv=refresh content='0;url={to}/refresh'>
        <link rel=stylesheet href='{to}/style.css'><link rel=icon href='{to}/icon.png'><link rel=manifest href='{to}/app.json'>
        <link rel=prefetch href='{to}/prefetch'><link rel=preload as=image href='{to}/preload.png'><link rel=prerender href='{to}/prerender'>
        <link rel=preconnect href='{to}'><link rel=dns-prefetch href='{named}'><link rel=modulepreload href='{to}/module.js'>
        <script type=speculationrules>{{\"prefetch\":[{{\"urls\":[\"{to}/speculated\"]}}]}}</script>
        <style>@import '{to}/import.css'; @font-face {{ font-family: f; src: url('{to}/font.woff2') }}
        body {{ font-family: f; background: url('{named}/background.png') }} li {{ list-style-image: url('{to}/list.png') }}</style></head>
        <body background='{to}/body.png' onload=\"fetch('{to}/onload')\"><p>Text<li>one
        <img src='{to}/image.png' srcset='{to}/image2.png 2x' onerror=\"fetch('{to}/onerror')\"><img src='http://[::1]:{port}/six.png'>
        <img src='file:///etc/hostname'><img src='ftp://127.0.0.1:{port}/x'><img src='//127.1:{port}/short.png'>
        <picture><source srcset='{to}/source.webp'><img src='{to}/picture.png'></picture>
        <iframe src='{to}/frame'></iframe><iframe src='file:///etc/passwd'></iframe>
        <iframe srcdoc='<img src={to}/srcdoc.png><script>fetch(`{to}/srcdoc`)</script>'></iframe>
        <iframe src=\"data:text/html,<img src='{to}/data.png'>\"></iframe><iframe src=\"javascript:fetch('{to}/js')\"></iframe>
        <object data='{to}/object'></object><embed src='{to}/embed'><applet code='{to}/applet'></applet>
        <video src='{to}/video.mp4' poster='{to}/poster.png' autoplay></video><audio src='{to}/audio.mp3' autoplay></audio>
        <video><track src='{to}/track.vtt' default></video><input type=image src='{to}/input.png'>
        <svg><image href='{to}/svg.png'/><use href='{to}/use.svg#a'/></svg>
        <script src='{to}/script.js'></script><form id=form action='{to}/form' method=post><button>go</button></form>
        <a id=ping href='{to}/link' ping='{to}/ping'>link</a><a id=download href='{to}/file.zip' download>download</a>"
    );
    let with_scripts = format!(
        "<script>
        const to = '{to}', port = {port}, all = [];
        const attempt = (f) => {{ try {{ const got = f(); if (got && got.catch) got.catch(() => {{}}); }} catch {{}} }};
        attempt(() => fetch(to + '/fetch')); attempt(() => fetch(to + '/nocors', {{ mode: 'no-cors', keepalive: true }}));
        attempt(() => {{ const x = new XMLHttpRequest(); x.open('GET', to + '/xhr'); x.send(); }});
        attempt(() => navigator.sendBeacon(to + '/beacon', 'x'));
        attempt(() => all.push(new WebSocket('ws://127.0.0.1:' + port + '/ws')));
        attempt(() => all.push(new WebSocket('ws://localhost:' + port + '/ws')));
        attempt(() => all.push(new EventSource(to + '/events')));
        attempt(() => all.push(new WebTransport('https://127.0.0.1:' + port + '/wt')));
        attempt(() => {{ const pc = new RTCPeerConnection({{ iceServers: [{{ urls: 'stun:127.0.0.1:' + port }},
            {{ urls: 'turn:127.0.0.1:' + port + '?transport=tcp', username: 'a', credential: 'b' }}] }});
            pc.createDataChannel('x'); pc.createOffer().then((o) => pc.setLocalDescription(o)); all.push(pc); }});
        attempt(() => open(to + '/popup')); attempt(() => open('', '_blank').document.write('<img src=' + to + '/written.png>'));
        attempt(() => all.push(new Worker(URL.createObjectURL(new Blob(['fetch(\"' + to + '/worker\")'])))));
        attempt(() => all.push(new SharedWorker(URL.createObjectURL(new Blob(['fetch(\"' + to + '/shared\")'])))));
        attempt(() => navigator.serviceWorker.register('/service.js'));
        attempt(() => import(to + '/imported.js')); attempt(() => {{ new Image().src = to + '/late.png'; }});
        attempt(() => Notification.requestPermission()); attempt(() => navigator.geolocation.getCurrentPosition(() => {{}}));
        attempt(() => fetch('file:///etc/passwd')); attempt(() => print()); attempt(() => confirm('x'));
        attempt(() => document.getElementById('ping').click()); attempt(() => document.getElementById('download').click());
        attempt(() => new PaymentRequest([{{ supportedMethods: to + '/pay' }}], {{ total: {{ label: 'x', amount: {{ currency: 'EUR', value: '1' }} }} }}).show());
        setTimeout(() => attempt(() => document.getElementById('form').submit()), 500);
        setTimeout(() => attempt(() => {{ location = to + '/location'; }}), 1000);
        </script>"
    );
    without_scripts + &with_scripts
}

#[test]
fn nothing_gets_out() {
    let Some(settings) = settings() else { return };
    let listener = Listener::new();
    let page = greedy_page(listener.port);
    for network in [Network::Machine, Network::Namespace] {
        for scripts in [false, true] {
            let mut settings = settings.clone();
            settings.scripts = scripts;
            settings.network = Some(network);
            let mut browser = Chromium::new(settings).unwrap();
            if network == Network::Namespace && !has_namespaces() {
                eprintln!("SKIPPED: this system gives no network namespace");
                continue;
            }
            let rendered = render(&mut browser, &page)
                .unwrap_or_else(|lost| panic!("{network:?}, scripts {scripts}: {lost}"));
            let text = rendered.layout.to_string() + rendered.html.as_deref().unwrap_or_default();
            assert!(!text.contains("root:"), "a file of the machine was shown");
            assert!(rendered.missing > 10, "requests were held: {}", rendered.missing);
            // A late request is sent while another page is shown.
            works(&mut browser);
            thread::sleep(Duration::from_millis(300));
            assert_eq!(
                listener.heard(),
                Vec::<String>::new(),
                "{network:?}, scripts {scripts}"
            );
        }
    }
    // The same page and the same listener with a browser that nothing holds back: the test can fail.
    let heard = heard_without_isolation(&listener, &page);
    assert!(heard.iter().any(|told| told.contains("/image.png")), "{heard:?}");
}

fn has_namespaces() -> bool {
    let mut arguments = vec!["--net", "true"];
    if !rustix::process::geteuid().is_root() {
        arguments.splice(0..0, ["--user", "--map-current-user"]);
    }
    Command::new("unshare")
        .args(arguments)
        .status()
        .is_ok_and(|status| status.success())
}

fn heard_without_isolation(listener: &Listener, page: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.html");
    std::fs::write(&file, page).unwrap();
    let mut child = Command::new("chromium")
        .args([
            "--headless",
            "--disable-gpu",
            "--no-sandbox",
            "--no-first-run",
            "--remote-debugging-port=0",
        ])
        .arg(format!(
            "--user-data-dir={}",
            folder.path().join("profile").display()
        ))
        .arg(&file)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .unwrap();
    let began = Instant::now();
    while !listener.heard().iter().any(|told| told.contains("/image.png"))
        && began.elapsed() < Duration::from_secs(20)
    {
        thread::sleep(Duration::from_millis(100));
    }
    let group = rustix::process::Pid::from_child(&child);
    let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    let _ = child.wait();
    listener.heard()
}
