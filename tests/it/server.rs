//! A server of HTTP on loopback that sends files, can be made to fail, and lists its files as S3 does.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// What goes wrong. Where it is not always so, every second request goes wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    None,
    /// The connection ends within the body.
    Drops,
    /// The connection ends before the head.
    Resets,
    /// The head names a range that is longer than the body.
    ShortBody,
    /// 503 and 429 by turns.
    Refuses,
    /// The body comes in small parts with pauses, always.
    Slow,
    /// Ranges are not known, always, and the connection ends within the body.
    NoRanges,
    /// `HEAD` is not known, always.
    NoHead,
    /// Each answer is that of another version, always.
    Changes,
}

/// A server that ends with its value.
pub(crate) struct Server {
    pub(crate) port: u16,
    shared: Arc<Shared>,
}

struct Shared {
    /// Files by their paths, which begin with a slash.
    files: Mutex<BTreeMap<String, Arc<Vec<u8>>>>,
    /// Files that were sent here. They are newer than all others.
    taken: Mutex<BTreeSet<String>>,
    /// Parts of unfinished uploads, by path and number of the part.
    parts: Mutex<BTreeMap<(String, u64), Vec<u8>>>,
    fault: Fault,
    /// First lines of all requests.
    requests: Mutex<Vec<String>>,
    answered: AtomicUsize,
    ended: AtomicBool,
}

/// Maximum number of names in an answer to a request for a list.
const PAGE: usize = 1000;

impl Server {
    pub(crate) fn start(files: impl IntoIterator<Item = (String, Vec<u8>)>, fault: Fault) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let port = listener.local_addr().expect("it is bound").port();
        let shared = Arc::new(Shared {
            files: Mutex::new(
                files
                    .into_iter()
                    .map(|(path, file)| (path, Arc::new(file)))
                    .collect(),
            ),
            taken: Mutex::default(),
            parts: Mutex::default(),
            fault,
            requests: Mutex::default(),
            answered: AtomicUsize::new(0),
            ended: AtomicBool::new(false),
        });
        let served = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if served.ended.load(Ordering::Relaxed) {
                    return;
                }
                let served = Arc::clone(&served);
                // Clients that go away are their own business.
                thread::spawn(move || drop(served.serve(&stream)));
            }
        });
        Server { port, shared }
    }

    /// The address of a file.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// The names of all files, without slashes at their beginning.
    pub(crate) fn names(&self) -> Vec<String> {
        let files = self.shared.files.lock().expect("no test panicked");
        files
            .keys()
            .map(|path| path.trim_start_matches('/').to_owned())
            .collect()
    }

    /// The content of a file.
    pub(crate) fn file(&self, path: &str) -> Option<Arc<Vec<u8>>> {
        self.shared
            .files
            .lock()
            .expect("no test panicked")
            .get(path)
            .cloned()
    }

    /// The first lines of the requests so far.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.shared.requests.lock().expect("no test panicked").clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.ended.store(true, Ordering::Relaxed);
        // Wakes the thread that waits for connections.
        drop(TcpStream::connect(("127.0.0.1", self.port)));
    }
}

impl Shared {
    fn serve(&self, stream: &TcpStream) -> std::io::Result<()> {
        let (mut from, mut to) = (BufReader::new(stream), stream);
        loop {
            let mut head = String::new();
            while !head.ends_with("\r\n\r\n") {
                if from.read_line(&mut head)? == 0 {
                    return Ok(());
                }
            }
            let first = head.lines().next().unwrap_or_default().to_owned();
            self.requests
                .lock()
                .expect("no test panicked")
                .push(first.clone());
            let mut words = first.split(' ');
            let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
            let (path, query) = target.split_once('?').unwrap_or((target, ""));
            if query.contains("list-type=2") {
                self.list(path, query, &mut to)?;
                continue;
            }
            let range = head.lines().find_map(|line| {
                line.to_ascii_lowercase()
                    .strip_prefix("range: bytes=")
                    .map(str::to_owned)
            });
            let going_on = match method {
                "PUT" | "POST" | "DELETE" => {
                    let body = body(&mut from, &head)?;
                    self.take(method, (path, query), body, &mut to)?
                }
                _ => self.send(method, path, range.as_deref(), &mut to)?,
            };
            if !going_on {
                return Ok(());
            }
        }
    }

    /// Takes a file, a part of one or the end of an upload, or removes a file. Returns whether the connection stays.
    fn take(
        &self,
        method: &str,
        (path, query): (&str, &str),
        body: Vec<u8>,
        to: &mut &TcpStream,
    ) -> std::io::Result<bool> {
        let number = self.answered.fetch_add(1, Ordering::Relaxed);
        let fails = number.is_multiple_of(3);
        match self.fault {
            Fault::Resets | Fault::Drops if fails => return Ok(false),
            Fault::Refuses if fails => {
                let status = ["503 Slow Down", "429 Too Many Requests"][number / 3 % 2];
                write!(to, "HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n")?;
                return Ok(true);
            }
            Fault::Slow => thread::sleep(Duration::from_millis(5)),
            _ => {}
        }
        let mut files = self.files.lock().expect("no test panicked");
        let mut parts = self.parts.lock().expect("no test panicked");
        self.taken
            .lock()
            .expect("no test panicked")
            .insert(path.to_owned());
        let own = |(of, _): &&(String, u64)| of == path;
        let part = query.split('&').find_map(|part| part.strip_prefix("partNumber="));
        let xml = match (method, part) {
            ("PUT", Some(part)) => {
                parts.insert((path.to_owned(), part.parse().unwrap_or(0)), body);
                String::new()
            }
            ("PUT", None) => {
                files.insert(path.to_owned(), Arc::new(body));
                String::new()
            }
            ("POST", _) if query.starts_with("uploads") => {
                "<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>"
                    .to_owned()
            }
            ("POST", _) if query.starts_with("delete") => {
                let text = String::from_utf8_lossy(&body).into_owned();
                let keys = text
                    .split("<Key>")
                    .skip(1)
                    .filter_map(|rest| rest.split("</Key>").next());
                let gone = keys.map(|key| {
                    files.remove(&format!("/{}/{key}", path.trim_matches('/')));
                    format!("<Deleted><Key>{key}</Key></Deleted>")
                });
                format!("<DeleteResult>{}</DeleteResult>", gone.collect::<String>())
            }
            ("POST", _) => {
                let numbers: Vec<_> = parts.keys().filter(own).cloned().collect();
                let whole = numbers
                    .iter()
                    .filter_map(|number| parts.remove(number))
                    .collect::<Vec<_>>();
                files.insert(path.to_owned(), Arc::new(whole.concat()));
                "<CompleteMultipartUploadResult><ETag>\"0\"</ETag></CompleteMultipartUploadResult>".to_owned()
            }
            _ if query.contains("uploadId") => {
                parts.retain(|number, _| !own(&number));
                String::new()
            }
            _ => {
                files.remove(path);
                String::new()
            }
        };
        write!(
            to,
            "HTTP/1.1 200 OK\r\nETag: \"0\"\r\nContent-Length: {}\r\n\r\n{xml}",
            xml.len()
        )?;
        Ok(true)
    }

    /// Answers a request for a file. Returns whether the connection stays.
    fn send(
        &self,
        method: &str,
        path: &str,
        range: Option<&str>,
        to: &mut &TcpStream,
    ) -> std::io::Result<bool> {
        let number = self.answered.fetch_add(1, Ordering::Relaxed);
        let (fails, fault) = (number.is_multiple_of(3), self.fault);
        if fault == Fault::Resets && fails {
            return Ok(false);
        }
        if fault == Fault::Refuses && fails {
            let status = ["503 Slow Down", "429 Too Many Requests"][number / 3 % 2];
            write!(to, "HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n")?;
            return Ok(true);
        }
        if fault == Fault::NoHead && method == "HEAD" {
            write!(to, "HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\n\r\n")?;
            return Ok(true);
        }
        let found = self.files.lock().expect("no test panicked").get(path).cloned();
        let Some(file) = found else {
            write!(to, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")?;
            return Ok(true);
        };
        let length = file.len();
        let range = range.filter(|_| fault != Fault::NoRanges).and_then(|range| {
            let (start, end) = range.split_once('-')?;
            let end: usize = end.parse().unwrap_or(usize::MAX - 1);
            Some((start.parse::<usize>().ok()?, (end + 1).min(length)))
        });
        if range.is_some_and(|(start, _)| start >= length) {
            write!(
                to,
                "HTTP/1.1 416 Range Not Satisfiable\r\nContent-Range: bytes */{length}\r\nContent-Length: 0\r\n\r\n"
            )?;
            return Ok(true);
        }
        let (start, end) = range.unwrap_or((0, length));
        let body = &file[start..end];
        let is_short = fault == Fault::ShortBody && fails && method == "GET";
        let sent = if is_short {
            &body[..body.len() - body.len() / 4]
        } else {
            body
        };
        let tag = if fault == Fault::Changes { number } else { 0 };
        let mut head = match range {
            Some(_) => format!(
                "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes {start}-{}/{length}\r\n",
                end - 1
            ),
            None => "HTTP/1.1 200 OK\r\n".to_owned(),
        };
        let date = match self.taken.lock().expect("no test panicked").contains(path) {
            true => "Fri, 01 Jan 2038 00:00:00 GMT",
            false => "Wed, 01 May 2024 00:00:00 GMT",
        };
        head += &format!(
            "ETag: \"{tag}\"\r\nLast-Modified: {date}\r\nContent-Length: {}\r\n\r\n",
            sent.len()
        );
        to.write_all(head.as_bytes())?;
        if method == "HEAD" {
            return Ok(true);
        }
        match fault {
            Fault::Drops | Fault::NoRanges if fails => {
                to.write_all(&sent[..sent.len() / 2])?;
                return Ok(false);
            }
            Fault::Slow => {
                for part in sent.chunks(64 << 10) {
                    to.write_all(part)?;
                    thread::sleep(Duration::from_millis(5));
                }
            }
            _ => to.write_all(sent)?,
        }
        Ok(true)
    }

    /// Answers a request for the objects of a bucket, in the form of `ListObjectsV2`.
    fn list(&self, path: &str, query: &str, to: &mut &TcpStream) -> std::io::Result<()> {
        let value = |name: &str| {
            let found = query
                .split('&')
                .find_map(|part| part.strip_prefix(name)?.strip_prefix('='));
            found.unwrap_or_default().replace("%2F", "/")
        };
        let bucket = format!("/{}/", path.trim_matches('/'));
        let (prefix, after) = (value("prefix"), value("continuation-token"));
        let files = self.files.lock().expect("no test panicked");
        let names: Vec<(&str, usize)> = files
            .iter()
            .filter_map(|(name, file)| Some((name.strip_prefix(&bucket)?, file.len())))
            .filter(|(name, _)| name.starts_with(&prefix) && *name > after.as_str())
            .collect();
        let shown = &names[..names.len().min(PAGE)];
        let objects: String = shown
            .iter()
            .map(|(name, size)| {
                format!(
                    "<Contents><Key>{name}</Key><LastModified>2024-05-01T00:00:00.000Z</LastModified>\
                     <ETag>\"0\"</ETag><Size>{size}</Size></Contents>"
                )
            })
            .collect();
        let next = match shown.last() {
            Some((last, _)) if shown.len() < names.len() => {
                format!("<NextContinuationToken>{last}</NextContinuationToken>")
            }
            _ => String::new(),
        };
        let body = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?><ListBucketResult><IsTruncated>{}</IsTruncated>{objects}{next}</ListBucketResult>",
            !next.is_empty()
        );
        write!(
            to,
            "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
    }
}

/// Reads the body of a request.
fn body(from: &mut impl BufRead, head: &str) -> std::io::Result<Vec<u8>> {
    let length = head.lines().find_map(|line| {
        line.to_ascii_lowercase()
            .strip_prefix("content-length: ")
            .map(str::to_owned)
    });
    let mut body = vec![0; length.and_then(|length| length.parse().ok()).unwrap_or(0)];
    from.read_exact(&mut body)?;
    Ok(body)
}

/// Reads an answer, for the test of the server itself.
fn answer(port: u16, request: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("it listens");
    write!(stream, "{request}\r\n\r\n").expect("it reads");
    stream.shutdown(std::net::Shutdown::Write).expect("it is open");
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("it answers");
    text
}

#[test]
fn the_server_sends_what_is_asked_for() {
    let file = ("/b/x".to_owned(), b"0123456789".to_vec());
    let server = Server::start([file.clone()], Fault::None);
    let ranged = answer(server.port, "GET /b/x HTTP/1.1\r\nRange: bytes=2-4");
    assert!(ranged.contains(" 206 ") && ranged.contains("bytes 2-4/10") && ranged.ends_with("\r\n\r\n234"));
    assert!(answer(server.port, "GET /b/x HTTP/1.1").ends_with("\r\n\r\n0123456789"));
    assert!(answer(server.port, "HEAD /b/x HTTP/1.1").ends_with("\r\n\r\n"));
    assert!(answer(server.port, "GET /b/y HTTP/1.1").contains(" 404 "));
    assert!(answer(server.port, "GET /b?list-type=2&prefix= HTTP/1.1").contains("<Key>x</Key>"));
    assert_eq!(server.requests().len(), 5);
    let refusing = Server::start([file], Fault::Refuses);
    let statuses: Vec<bool> = (0..4)
        .map(|_| answer(refusing.port, "GET /b/x HTTP/1.1").contains(" 200 "))
        .collect();
    assert_eq!(statuses, [false, true, true, false]);
}
