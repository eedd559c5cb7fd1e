//! A web service with axum: a page is posted, its document comes back as JSON.
//!
//! Three things keep such a service alive. **Threads**: extraction computes for a millisecond, and for
//! longer on a page that was made to cost much, so it runs in `spawn_blocking` and never on a thread of the
//! executor. **Size**: the server refuses bodies above a limit before it reads them, and [`Limits`] bounds
//! what a small body may become once inflated and parsed.
//! **Time**: at `Limits::with_time` a page gives what was found so far, with the warning `deadline`; no thread is lost.
//!
//! `Content-Encoding` is undone by [`http::message`], the function that reads archives. It expects a
//! response, so the handler puts a head before the body. A page cannot fail, so the handler maps no errors
//! of extraction.
//!
//! `cargo run -p dehusk --features archive,serde --example web_service -- 127.0.0.1:8080`

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::{env, error::Error, time::Duration};

use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderMap, StatusCode, header::CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::{Router, body::Bytes, routing::post};
use dehusk::archive::{self, http};
use dehusk::extract::{Limits, Options, Page, extract};
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};

/// Largest body of a request, in bytes, before it is inflated.
const MAX_BODY: usize = 1 << 20;

async fn document(headers: HeaderMap, body: Bytes) -> Response {
    let work = move || {
        let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let mut response = b"HTTP/1.1 200 OK\r\n".to_vec();
        // The headers that say how to read the body.
        for name in ["content-type", "content-encoding"] {
            // A header's value has no line breaks, so a client cannot add lines to this head.
            if let Some(value) = header(name) {
                response.extend_from_slice(format!("{name}: {value}\r\n").as_bytes());
            }
        }
        response.extend_from_slice(b"\r\n");
        response.extend_from_slice(&body);
        let message = http::message(&response, archive::Limits::default());
        let limits = Limits::default()
            .with_time(Duration::from_secs(2))
            .with_bytes(8 << 20);
        let page = Page::new(&message.body)
            .with_url(header("x-page-url"))
            .with_content_type(header("content-type"));
        let options = Options::default().with_limits(limits).with_markdown(true);
        serde_json::to_vec(&extract(&page, &options))
    };
    match tokio::task::spawn_blocking(work).await {
        Ok(Ok(json)) => ([(CONTENT_TYPE, "application/json")], json).into_response(),
        _ => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

async fn serve(listener: TcpListener) -> io::Result<()> {
    let routes = Router::new()
        .route("/document", post(document))
        .layer(DefaultBodyLimit::max(MAX_BODY));
    axum::serve(listener, routes).await
}

/// Posts a page in gzip, and returns the head and the body of the answer.
fn ask(address: SocketAddr) -> io::Result<String> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(
        b"<title>Flood</title><nav><a href=/>Home</a></nav><p>The river rose in the <b>night</b>.",
    )?;
    let body = gzip.finish()?;
    let head = format!(
        "POST /document HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Type: text/html\r\n\
         Content-Encoding: gzip\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    let mut stream = TcpStream::connect(address)?;
    stream.write_all(&[head.as_bytes(), &body].concat())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}

pub(crate) fn run(out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    // Port 0 is any free port, so that tests can run at the same time.
    let answer = runtime()?.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        // The server runs until the client, on a thread of its own, has the answer.
        tokio::select! {
            served = serve(listener) => served.map(|()| String::new()),
            answer = tokio::task::spawn_blocking(move || ask(address)) => answer?,
        }
    })?;
    let (head, body) = answer.split_once("\r\n\r\n").ok_or("no answer")?;
    let document: serde_json::Value = serde_json::from_str(body)?;
    writeln!(out, "{}", head.lines().next().unwrap_or_default())?;
    writeln!(out, "{}: {}", document["metadata"]["title"], document["markdown"])?;
    Ok(())
}

fn runtime() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_all().build()
}

fn main() -> Result<(), Box<dyn Error>> {
    let Some(address) = env::args().nth(1) else {
        return run(&mut io::stdout().lock());
    };
    Ok(runtime()?.block_on(async { serve(TcpListener::bind(address).await?).await })?)
}
