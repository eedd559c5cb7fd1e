//! Requests to a workshop over a small crawl: every request has an answer, and none of them is a failure of
//! the program.
//!
//! One workshop serves all inputs of a process, since it takes longer to open than to answer. Nothing that
//! is checked depends on what earlier requests changed.

use std::fmt::Write as _;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::LazyLock;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use arbitrary::{Result, Unstructured};
use dehusk_pipeline::{Cancel, Job, Settings};
use dehusk_workshop::{Serving, serve};

use crate::scratch;

/// Inputs that begin with this byte or a higher one are one request as it is sent.
const RAW: u8 = 0xF0;
/// Maximum number of requests of an input.
const MAX_REQUESTS: usize = 6;
/// Maximum number of fields of a request.
const MAX_FIELDS: usize = 6;
/// The time after which a request counts as never answered. Ordinary answers take milliseconds.
const MAX_WAIT: Duration = Duration::from_secs(120);

/// Paths below the token, by whether they are forms that change something. `N` stands for the number of a page.
const ROUTES: &[(bool, &str)] = &[
    (false, "/"),
    (false, "/site"),
    (false, "/page/N"),
    (false, "/frame/N"),
    (false, "/sheet/N/0"),
    (false, "/beside/N"),
    (false, "/changes"),
    (false, "/methods/N"),
    (false, "/learn"),
    (true, "/learn"),
    (false, "/candidates"),
    (true, "/candidates"),
    (false, "/clusters"),
    (false, "/cluster"),
    (true, "/mark"),
    (true, "/labelled"),
    (false, "/measures"),
    (false, "/label/N"),
    (true, "/label"),
    (true, "/rule"),
    (true, "/undo"),
    (true, "/text"),
    (true, "/save"),
    (false, "/style.css"),
    (false, "/unknown"),
];

/// Names of fields that requests have.
const NAMES: &[&str] = &[
    "host",
    "page",
    "pages",
    "element",
    "selector",
    "action",
    "scope",
    "step",
    "text",
    "example",
    "name",
    "cluster",
    "a",
    "b",
    "mark",
    "url",
    "layout",
    "at",
    "method",
    "sort",
    "from",
    "other",
    "looked",
    "candidate",
];

/// Values that mean something to the workshop.
const VALUES: &[&str] = &[
    "",
    "mill.example",
    "shop.example",
    "none.example",
    "0",
    "3",
    "7",
    "18446744073709551615",
    "-1",
    "keep",
    "drop",
    "undo",
    "redo",
    "page",
    "layout",
    "site",
    "div.text > p",
    "nav",
    "*",
    "p:nth-child(2n+1",
    "html > body > div > p",
    "html/body/div[2]",
    "format = 1\n\n[[rule]]\nhosts = [\"mill.example\"]\nremove = [\"nav\"]\n",
    "format = 1\n[[rule]]\nhosts = [\"shop.example\"]\ntext = [{ xpath = \"//div[@class='text']\" }]\n",
    "format = 2",
    "../../etc/passwd",
    "https://mill.example/1",
];

/// The workshop of this process: its address as `127.0.0.1:port`, and the path of its token.
static SERVED: LazyLock<(String, String)> = LazyLock::new(|| {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let inputs = [scratch::file("pages.jsonl", &pages()).display().to_string()];
        let (mut settings, cancel) = (Settings::default(), Cancel::new());
        let rules = scratch::folder().join("rules").display().to_string();
        settings.set("threads", "1").expect("a number");
        settings.set("rules", &rules).expect("a folder");
        let job = Job::new(&inputs, &settings, &cancel);
        let mut listening = |address: &str| sender.send(address.to_owned()).expect("a listener");
        serve(&job, &Serving::default(), &mut |_| {}, &mut listening).expect("a workshop");
    });
    let address = receiver.recv().expect("an address");
    // Of the form `http://127.0.0.1:PORT/TOKEN/`.
    let rest = address.strip_prefix("http://").expect("HTTP");
    let (host, path) = rest.split_once('/').expect("a path");
    (host.to_owned(), format!("/{}", path.trim_end_matches('/')))
});

/// Pages of two sites as JSON Lines.
fn pages() -> Vec<u8> {
    let mut lines = String::new();
    for host in ["mill.example", "shop.example"] {
        for number in 0..4 {
            let text = format!(
                "The river rose by {number} metres overnight, and the bridge at {host} was closed to carts."
            );
            let html = format!(
                "<title>River {number}</title><nav><a href=/>Home</a> <a href=/about>About</a></nav><div class=text><h1>River \
                 {number}</h1><p>{text}</p><p>{text}</p></div><footer>Imprint</footer>"
            );
            let page = serde_json::json!({ "url": format!("https://{host}/{number}"), "html": html });
            writeln!(lines, "{page}").expect("a string");
        }
    }
    lines.into_bytes()
}

/// Sends the input as one request, or the requests that it describes.
pub(super) fn check(input: &[u8]) {
    match input {
        [] => {}
        [RAW..=u8::MAX, request @ ..] => {
            // Raw bytes may be no complete request, so an answer is not required.
            send(request, true);
        }
        _ => {
            let mut input = Unstructured::new(input);
            for _ in 0..MAX_REQUESTS {
                // Requests end when the input is used up, which is not an error.
                let Ok(request) = described(&mut input) else { break };
                let answer = send(request.as_bytes(), false);
                assert!(answer.is_some(), "no answer to {request:?}");
            }
        }
    }
}

/// Returns the request that the next bytes of the input describe.
fn described(input: &mut Unstructured<'_>) -> Result<String> {
    let (host, base) = &*SERVED;
    let (is_form, route) = *input.choose(ROUTES)?;
    // Pages 8 and 9 do not exist.
    let number: u8 = input.int_in_range(0..=9)?;
    let path = route.replace('N', &number.to_string());
    let mut fields = String::new();
    for _ in 0..input.int_in_range(0..=MAX_FIELDS)? {
        let name = input.choose(NAMES)?;
        let value = match input.ratio(3, 4)? {
            true => (*input.choose(VALUES)?).to_owned(),
            false => input.arbitrary::<String>()?,
        };
        // Every byte is escaped, so that values can contain `&`, `=` and line breaks.
        let value: String = value.bytes().map(|byte| format!("%{byte:02X}")).collect();
        write!(fields, "{name}={value}&").expect("a string");
    }
    let head = format!("Host: {host}\r\nOrigin: http://{host}\r\nConnection: close\r\n");
    Ok(match is_form {
        true => format!(
            "POST {base}{path} HTTP/1.1\r\n{head}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{fields}",
            fields.len()
        ),
        false => format!("GET {base}{path}?{fields} HTTP/1.1\r\n{head}\r\n"),
    })
}

/// Sends a request, and returns the status of the answer. If the request may be incomplete, nothing can
/// follow it, and the connection may be closed without an answer: `None`.
fn send(request: &[u8], is_end: bool) -> Option<u16> {
    let mut connection = TcpStream::connect(&SERVED.0).expect("the workshop accepts connections");
    connection.set_read_timeout(Some(MAX_WAIT)).expect("a duration");
    // The workshop may close a connection before it has read all of it.
    let _ = connection.write_all(request);
    if is_end {
        let _ = connection.shutdown(Shutdown::Write);
    }
    let mut answer = Vec::new();
    let read = connection.read_to_end(&mut answer);
    // The time limit of the socket shows as `WouldBlock`. Other errors mean a closed connection.
    let timed_out = read.is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock);
    assert!(!timed_out, "a request has no end");
    let text = String::from_utf8_lossy(&answer);
    let status: u16 = text.strip_prefix("HTTP/1.")?.get(2..5)?.parse().ok()?;
    assert!(status < 500, "status {status}: {text}");
    assert!(!text.contains("a defect of this program"), "{text}");
    Some(status)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_answered_and_others_are_refused() {
        let (host, base) = &*SERVED;
        let get = |path: &str, host: &str| {
            let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
            send(request.as_bytes(), false)
        };
        assert_eq!(get(&format!("{base}/"), host), Some(200));
        assert_eq!(get(&format!("{base}/page/0"), host), Some(200));
        assert_eq!(get(&format!("{base}/site?host=mill.example"), host), Some(200));
        assert_eq!(get("/", host), Some(404));
        assert_eq!(get(&format!("{base}/"), "other.example"), Some(403));
        assert_eq!(send(b"no request\r\n\r\n", false), Some(400));
    }
}
