//! Pages of a catalog are read again as they were read first, one by one and in any order.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, SystemTime};

use dehusk_pipeline::record::{Content, PageRecord};
use dehusk_pipeline::{Cancel, Job, Settings};
use flate2::Compression;
use flate2::write::GzEncoder;

/// The bytes of a page.
fn bytes_of<'r>(record: &'r PageRecord<'_>) -> &'r [u8] {
    match &record.content {
        Content::Text(text) => text.as_bytes(),
        Content::Bytes(bytes) => bytes,
        Content::File { .. } => panic!("unread"),
    }
}

/// Checks an input; returns how many pages it has.
fn check(input: &Path) -> usize {
    let (inputs, settings, cancel) = ([input.display().to_string()], Settings::default(), Cancel::new());
    let job = Job::new(&inputs, &settings, &cancel);
    let mut expected: Vec<PageRecord<'static>> = Vec::new();
    let mut bad = 0;
    job.each_page(&mut |page| {
        match page {
            Ok(page) => expected.push(page.into_owned()),
            Err(_) => bad += 1,
        }
        true
    })
    .expect("read");
    let mut rejected = 0;
    let catalog = job.catalog(None, &mut |_| rejected += 1).expect("a catalog");
    // A page whose content cannot be used is known as such when it is read, unless its head had to be read for its address.
    let pages = (0..catalog.pages().len())
        .rev()
        .map(|number| catalog.page(number));
    let (read, unread): (Vec<_>, Vec<_>) = pages.partition(Result::is_ok);
    assert_eq!(
        (read.len(), unread.len() + rejected),
        (expected.len(), bad),
        "{input:?}"
    );
    for (page, expected) in read.into_iter().flatten().zip(expected.iter().rev()) {
        assert_eq!(page.id, expected.id);
        assert_eq!(page.url, expected.url);
        assert!(bytes_of(&page) == bytes_of(expected), "{input:?}, {:?}", page.id);
    }
    assert!(catalog.page(catalog.pages().len()).is_err());
    expected.len()
}

#[test]
fn every_page_is_read_again_as_it_was() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    assert!(check(&fixtures.join("crawl")) > 70);
    assert!(check(&fixtures.join("crawl.warc.gz")) > 70);

    let dir = tempfile::tempdir().expect("a folder");
    // Pages with one id differ by their place; lines are longer than what is read at once.
    let line = |n: usize| {
        let filler = "<p>x</p>".repeat(n * 700);
        format!(
            "{{\"id\":\"{}\",\"url\":\"http://a.example/{n}\",\"html\":\"<p>{n}{filler}\"}}",
            n % 3
        )
    };
    let mut lines: Vec<String> = (0..60).map(line).collect();
    lines.insert(7, "no JSON".to_owned());
    lines.insert(9, String::new());
    let text = format!("\u{feff}{}\r\n", lines.join("\n"));
    let plain = dir.path().join("a.jsonl");
    fs::write(&plain, &text).expect("written");
    assert_eq!(check(&plain), 60);
    let packed = dir.path().join("b.jsonl.gz");
    let mut file = GzEncoder::new(fs::File::create(&packed).expect("made"), Compression::fast());
    file.write_all(text.as_bytes())
        .and_then(|()| file.finish().map(drop))
        .expect("written");
    assert_eq!(check(&packed), 60);
    assert_eq!(check(dir.path()), 0, "lines in folders are no pages");
}

#[test]
fn pages_without_an_address_tell_it_in_their_heads() {
    let dir = tempfile::tempdir().expect("a folder");
    fs::write(
        dir.path().join("a.html"),
        "<link rel=canonical href='http://a.example/1'><p>x",
    )
    .expect("written");
    fs::write(dir.path().join("b.html"), "<p>x").expect("written");
    let (inputs, settings, cancel) = (
        [dir.path().display().to_string()],
        Settings::default(),
        Cancel::new(),
    );
    let catalog = Job::new(&inputs, &settings, &cancel)
        .catalog(None, &mut |_| ())
        .expect("a catalog");
    let told: Vec<_> = catalog
        .pages()
        .iter()
        .map(|page| (page.id.as_str(), page.url.as_deref()))
        .collect();
    assert_eq!(told, [("a.html", Some("http://a.example/1")), ("b.html", None)]);
    fs::remove_file(dir.path().join("b.html")).expect("removed");
    let gone = catalog.page(1).expect_err("gone").to_string();
    assert!(gone.contains("b.html"), "{gone}");
}

fn record(url: &str, message: &str) -> Vec<u8> {
    let length = message.len();
    format!("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nContent-Length: {length}\r\n\r\n{message}\r\n\r\n").into_bytes()
}

fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut to = GzEncoder::new(Vec::new(), Compression::fast());
    to.write_all(plain).expect("written");
    to.finish().expect("ended")
}

#[test]
fn what_an_archive_holds_beside_pages_is_found_by_its_address() {
    let page = |n: usize| {
        record(
            &format!("http://a.example/{n}"),
            &format!(
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>{n}{}",
                "x ".repeat(9000)
            ),
        )
    };
    let mut records: Vec<Vec<u8>> = (0..200).map(page).collect();
    for (at, url, message) in [
        (
            3,
            "http://a.example/old.css",
            "HTTP/1.1 301 Moved\r\nLocation: /s.css?v=2\r\n\r\n",
        ),
        (
            150,
            "https://a.example/s.css?v=2",
            "HTTP/1.1 200 OK\r\nContent-Type: text/css; charset=utf-8\r\n\r\np{}",
        ),
        (
            170,
            "https://a.example/s.css?v=2",
            "HTTP/1.1 200 OK\r\nContent-Type: text/css\r\n\r\nlater{}",
        ),
        (
            171,
            "http://a.example/gone.css",
            "HTTP/1.1 404 Gone\r\nContent-Type: text/css\r\n\r\ngone{}",
        ),
        (
            172,
            "http://a.example/round",
            "HTTP/1.1 302 Found\r\nLocation: /round\r\n\r\n",
        ),
        (
            173,
            "http://a.example/i.png",
            "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\nPNG",
        ),
    ] {
        records.insert(at, record(url, message));
    }
    let dir = tempfile::tempdir().expect("a folder");
    for (name, bytes) in [
        ("plain.warc", records.concat()),
        (
            "members.warc.gz",
            records.iter().flat_map(|record| gzip(record)).collect(),
        ),
        ("whole.warc.gz", gzip(&records.concat())),
    ] {
        let path = dir.path().join(name);
        fs::write(&path, bytes).expect("written");
        let (inputs, settings, cancel) = ([path.display().to_string()], Settings::default(), Cancel::new());
        let catalog = Job::new(&inputs, &settings, &cancel)
            .catalog(None, &mut |_| ())
            .expect("a catalog");
        assert_eq!(catalog.pages().len(), 200, "{name}");
        assert!(catalog.has_assets());
        let body = |url: &str| {
            catalog
                .asset(url)
                .map(|asset| String::from_utf8_lossy(&asset.body).into_owned())
        };
        assert_eq!(
            body("http://a.example/s.css?v=2#x").as_deref(),
            Some("p{}"),
            "{name}"
        );
        assert_eq!(body("http://a.example/old.css").as_deref(), Some("p{}"), "{name}");
        let image = catalog.asset("http://a.example/i.png").expect("an image");
        assert_eq!(
            (image.content_type.as_deref(), &*image.body),
            (Some("image/png"), b"PNG".as_slice())
        );
        for none in [
            "http://a.example/s.css",
            "http://a.example/gone.css",
            "http://a.example/round",
            "http://a.example/1",
            "x",
            "",
        ] {
            assert_eq!(body(none), None, "{name} {none}");
        }
    }
}

#[test]
fn a_kept_catalog_counts_until_a_file_changes() {
    let dir = tempfile::tempdir().expect("a folder");
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let archive = dir.path().join("crawl.warc.gz");
    fs::copy(fixtures.join("crawl.warc.gz"), &archive).expect("copied");
    let pages = dir.path().join("pages");
    fs::create_dir(&pages).expect("made");
    fs::write(pages.join("a.html"), "<p>a").expect("written");
    fs::write(pages.join("b.html.gz"), b"\x1f\x8b no gzip").expect("written");
    let lines = dir.path().join("l.jsonl");
    fs::write(&lines, "{\"id\":\"1\",\"html\":\"<p>1\"}\nno JSON\n").expect("written");
    let inputs = [&archive, &pages, &lines].map(|path| path.display().to_string());
    let (settings, cancel) = (Settings::default(), Cancel::new());
    let open = |known: Option<&[u8]>| {
        let mut rejected = Vec::new();
        let catalog = Job::new(&inputs, &settings, &cancel)
            .catalog(known, &mut |of| rejected.push(of.clone()))
            .expect("a catalog");
        (catalog, rejected)
    };
    let fresh = open(None).0.to_bytes();
    assert!(fresh.is_none(), "these files may still change within a moment");
    let written = SystemTime::now() - Duration::from_secs(60);
    let age = |path: &Path, time| {
        let file = fs::File::options().write(true).open(path).expect("opened");
        file.set_modified(time).expect("set");
    };
    for path in [&archive, &pages.join("a.html"), &pages.join("b.html.gz"), &lines] {
        age(path, written);
    }
    let (first, bad) = open(None);
    assert!(first.pages().len() > 70 && !bad.is_empty());
    let bytes = first.to_bytes().expect("settled");
    let (again, bad_again) = open(Some(&bytes));
    assert!(again.to_bytes().is_none(), "it was not read anew");
    assert_eq!((bad_again, again.rejected()), (bad, first.rejected()));
    assert_eq!(again.has_assets(), first.has_assets());
    assert_eq!(again.pages().len(), first.pages().len());
    for (number, (page, known)) in again.pages().iter().zip(first.pages()).enumerate() {
        assert_eq!((&page.id, &page.url), (&known.id, &known.url));
        match (again.page(number), first.page(number)) {
            (Ok(page), Ok(known)) => assert!(bytes_of(&page) == bytes_of(&known), "{:?}", page.id),
            (page, known) => assert!(page.is_err() && known.is_err()),
        }
    }
    // Nothing else is taken for it.
    let is_known = |known: &[u8]| open(Some(known)).0.to_bytes().is_none();
    let mut damaged = bytes.clone();
    damaged[bytes.len() / 2] ^= 1;
    assert!(!is_known(&damaged) && !is_known(&bytes[..bytes.len() - 9]) && !is_known(b""));
    age(&lines, written + Duration::from_secs(1));
    assert!(!is_known(&bytes));
}
