use std::fs;

use super::*;

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().join("site/a.example/css");
    fs::create_dir_all(&inside).unwrap();
    fs::write(inside.join("s.css"), "p{}").unwrap();
    fs::write(inside.join("реки.css"), "q{}").unwrap();
    fs::write(inside.join("v.css?1"), "r{}").unwrap();
    fs::write(folder.path().join("site/own.css"), "o{}").unwrap();
    fs::write(folder.path().join("secret.css"), "secret").unwrap();
    folder
}

#[test]
fn files_answer_by_host_and_path() {
    let folder = folder();
    let assets = Assets::open(&[folder.path().join("site")]).unwrap();
    let body = |url: &str| {
        let answer = assets.get(url, "page.example", 1000)?;
        assert_eq!(answer.content_type.as_deref(), Some("text/css"), "{url}");
        Some(String::from_utf8(answer.body).unwrap())
    };
    assert_eq!(body("http://a.example/css/s.css").as_deref(), Some("p{}"));
    assert_eq!(body("https://a.example/css/s.css?v=3#x").as_deref(), Some("p{}"));
    assert_eq!(body("https://a.example/css/v.css?1").as_deref(), Some("r{}"));
    assert_eq!(
        body("https://a.example/css/%D1%80%D0%B5%D0%BA%D0%B8.css").as_deref(),
        Some("q{}")
    );
    assert_eq!(body("https://page.example/own.css").as_deref(), Some("o{}"));
    assert_eq!(body("https://other.example/own.css"), None);
    assert_eq!(body("https://other.example/x/own.css"), None);
    assert_eq!(body("ftp://a.example/css/s.css"), None);
}

#[test]
fn pages_of_a_folder_may_name_it_from_above() {
    let folder = folder();
    let assets = Assets::open(&[folder.path().join("site")]).unwrap();
    let is_there = |path: &str| {
        assets
            .get(&format!("http://{FOLDER_HOST}/{path}"), FOLDER_HOST, 1000)
            .is_some()
    };
    assert!(is_there("own.css") && is_there("site/own.css") && is_there("x/site/own.css"));
    assert!(!is_there("secret.css"));
}

#[test]
fn nothing_outside_of_the_folder_answers() {
    let folder = folder();
    let site = folder.path().join("site");
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.path().join("secret.css"), site.join("link.css")).unwrap();
    let assets = Assets::open(&[site]).unwrap();
    for path in [
        "../secret.css",
        "%2e%2e/secret.css",
        "..%2Fsecret.css",
        "/secret.css",
        "link.css",
        "css",
        "%00",
    ] {
        let url = format!("http://page.example/{path}");
        assert_eq!(assets.get(&url, "page.example", 1000), None, "{path}");
    }
    assert_eq!(assets.get("file:///etc/passwd", "", 100_000), None);
}

#[test]
fn what_is_too_long_is_missing() {
    let folder = folder();
    let assets = Assets::open(&[folder.path().join("site")]).unwrap();
    assert_eq!(assets.get("http://a.example/css/s.css", "", 2), None);
    assert!(assets.get("http://a.example/css/s.css", "", 3).is_some());
}

#[test]
fn responses_of_an_archive_answer() {
    let record = |url: &str, message: &str| {
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nContent-Length: {}\r\n\r\n{message}\r\n\r\n",
            message.len()
        )
    };
    let css = "HTTP/1.1 200 OK\r\nContent-Type: text/css\r\n\r\np{}";
    let page = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>x";
    let moved = "HTTP/1.1 301 Moved\r\nLocation: /css/s.css\r\nContent-Type: text/html\r\n\r\nmoved";
    let lost = "HTTP/1.1 404 Not Found\r\nContent-Type: text/css\r\n\r\nlost";
    let file = [
        record("http://a.example/css/s.css?v=1", css),
        record("http://a.example/", page),
        record("http://a.example/old.css", moved),
        record("http://a.example/none.css", lost),
    ];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("crawl.warc");
    fs::write(&path, file.concat()).unwrap();
    let assets = Assets::open(&[path]).unwrap();
    let get = |url: &str| assets.get(url, "a.example", 1000);
    let style = get("https://a.example/css/s.css?v=1").unwrap();
    assert_eq!((style.status, style.body.as_slice()), (200, &b"p{}"[..]));
    let moved = get("http://a.example/old.css").unwrap();
    assert_eq!(
        (moved.status, moved.location.as_deref()),
        (301, Some("/css/s.css"))
    );
    assert_eq!(get("http://a.example/"), None, "a page");
    assert_eq!(get("http://a.example/none.css"), None, "not found");
}
