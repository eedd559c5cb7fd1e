//! `cargo xtask bench --reader`: the number of cores that the single reader of a run can feed.
//!
//! Threads take turns in cutting the input into chunks, under a lock, and process chunks in parallel. So a
//! run takes at least as long as all cutting in sequence. For compressed input it takes at least as long as
//! the thread that inflates the stream ahead.
//!
//! The processor times of cutting, of inflating and of the rest are measured on one working thread. Their
//! ratio gives the number of cores beyond which more cores only wait. So this needs no machine with that
//! many cores.

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Duration;

use dehusk_pipeline::format::Found;
use dehusk_pipeline::kernel::Extractor;
use dehusk_pipeline::{Inputs, RecordKind, Settings, clock};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use super::corpus::{self, RawPage};
use super::options::Options;
use crate::machine;
use crate::result::Result;

/// The cost of one pass over a file.
#[derive(Clone, Copy, Default)]
struct Times {
    /// Processor time under the lock.
    reader: Duration,
    /// Processor time of processing, on a single thread.
    workers: Duration,
    /// Processor time of the thread that inflates ahead.
    ahead: Duration,
    pages: usize,
}

impl Times {
    /// Returns the number of cores that a run can use: the total work divided by its longest sequential part.
    fn cores(self) -> f64 {
        let all = self.reader + self.workers + self.ahead;
        all.as_secs_f64() / self.reader.max(self.ahead).as_secs_f64().max(1e-9)
    }
}

/// Measures all formats of input.
pub(super) fn run(options: &Options) -> Result<()> {
    let (pages, from) = corpus::pages(options.every as usize)?;
    let folder = tempfile::tempdir()?;
    println!("{from}\n{}, {}\n", machine::processor(), machine::compiler());
    println!(
        "{:16} {:>8} {:>8} {:>12} {:>12} {:>12} {:>8}",
        "input", "MB", "pages", "reader ms/MB", "ahead ms/MB", "work ms/MB", "cores"
    );
    let mut rows: Vec<Value> = Vec::new();
    for (name, write) in FORMS {
        let file = folder.path().join(name);
        fs::write(&file, write(&pages)?)?;
        let mut rounds = (0..options.rounds)
            .map(|_| pass(&file))
            .collect::<Result<Vec<_>>>()?;
        // The whole round with the median ratio is shown, so that its columns belong together.
        rounds.sort_by(|a, b| a.cores().total_cmp(&b.cores()));
        let median = rounds[rounds.len() / 2];
        let bytes = fs::metadata(&file)?.len();
        let mb = bytes as f64 / 1e6;
        let per_mb = |time: Duration| time.as_secs_f64() * 1e3 / mb;
        println!(
            "{name:16} {mb:>8.1} {:>8} {:>12.3} {:>12.3} {:>12.1} {:>8.0}",
            median.pages,
            per_mb(median.reader),
            per_mb(median.ahead),
            per_mb(median.workers),
            median.cores(),
        );
        rows.push(json!({
            "input": name,
            "bytes": bytes,
            "pages": median.pages,
            "reader_seconds": median.reader.as_secs_f64(),
            "ahead_seconds": median.ahead.as_secs_f64(),
            "worker_seconds": median.workers.as_secs_f64(),
            "cores": median.cores(),
        }));
    }
    if let Some(path) = &options.json {
        fs::write(path, serde_json::to_string_pretty(&rows)?)?;
    }
    Ok(())
}

/// Reads a file like a run with several threads, extracts its pages, and serializes the results.
fn pass(file: &Path) -> Result<Times> {
    let mut settings = Settings::default();
    // With more than one thread, compressed input is inflated by a thread of its own.
    settings.set("threads", "2")?;
    let names = [file.to_string_lossy().into_owned()];
    let inputs = Inputs::open(&names, None, RecordKind::Pages)?;
    let extractor = Extractor::new(settings.extraction());
    let (process, thread) = (clock::process(), clock::thread());
    let mut reader = inputs.reader(settings.bounds(), false);
    let mut times = Times::default();
    loop {
        let start = clock::thread();
        let chunk = reader.next_chunk();
        times.reader += clock::thread().saturating_sub(start);
        let Some(chunk) = chunk else { break };
        // The chunk is processed on this thread, so that reading and processing never wait for each other.
        chunk.source.format.pages(&chunk, &mut |_, found| {
            if let Found::Record(page) = found
                && let Ok(document) = extractor.extract(&page)
            {
                times.pages += 1;
                black_box(serde_json::to_vec(&document).unwrap_or_default());
            }
        });
    }
    let mine = clock::thread().saturating_sub(thread);
    // This thread both reads and processes, so its time outside of the reader is that of a worker.
    times.workers = mine.saturating_sub(times.reader);
    // The rest of the process's time: no other thread does any work.
    times.ahead = clock::process().saturating_sub(process).saturating_sub(mine);
    Ok(times)
}

type Write = fn(&[RawPage]) -> Result<Vec<u8>>;

/// The name of the file of each format, and the function that writes it.
const FORMS: &[(&str, Write)] = &[
    ("pages.warc", |pages| Ok(records(pages).concat())),
    ("pages.warc.gz", |pages| members(&records(pages))),
    ("one.warc.gz", |pages| gzip(&records(pages).concat())),
    ("pages.jsonl", |pages| Ok(lines(pages).concat())),
    ("pages.jsonl.gz", |pages| gzip(&lines(pages).concat())),
    ("pages.tar", tar),
    ("pages.tar.gz", |pages| gzip(&tar(pages)?)),
];

/// Returns each page as a WARC record.
fn records(pages: &[RawPage]) -> Vec<Vec<u8>> {
    let record = |(number, page): (usize, &RawPage)| {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
        let (url, length) = (
            page.url.as_deref().unwrap_or_default(),
            head.len() + page.bytes.len(),
        );
        let warc = format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:{number}>\r\nWARC-Target-URI: {url}\r\n\
             Content-Type: application/http; msgtype=response\r\nContent-Length: {length}\r\n\r\n{head}"
        );
        [warc.as_bytes(), &page.bytes, b"\r\n\r\n"].concat()
    };
    pages.iter().enumerate().map(record).collect()
}

/// Returns each page as a line of JSON.
pub(super) fn lines(pages: &[RawPage]) -> Vec<Vec<u8>> {
    let line = |page: &RawPage| {
        let html = String::from_utf8_lossy(&page.bytes);
        format!("{}\n", json!({ "url": page.url, "html": html })).into_bytes()
    };
    pages.iter().map(line).collect()
}

/// Packs the pages into a tar, one file each.
fn tar(pages: &[RawPage]) -> Result<Vec<u8>> {
    let mut to = tar::Builder::new(Vec::new());
    for (number, page) in pages.iter().enumerate() {
        let mut header = tar::Header::new_gnu();
        header.set_size(page.bytes.len() as u64);
        to.append_data(
            &mut header,
            PathBuf::from(format!("{number}.html")),
            page.bytes.as_slice(),
        )?;
    }
    Ok(to.into_inner()?)
}

fn gzip(plain: &[u8]) -> Result<Vec<u8>> {
    let mut to = GzEncoder::new(Vec::new(), Compression::default());
    std::io::Write::write_all(&mut to, plain)?;
    Ok(to.finish()?)
}

/// Compresses each record as a gzip member of its own, as crawlers do.
fn members(records: &[Vec<u8>]) -> Result<Vec<u8>> {
    let members = records
        .iter()
        .map(|record| gzip(record))
        .collect::<Result<Vec<_>>>()?;
    Ok(members.concat())
}
