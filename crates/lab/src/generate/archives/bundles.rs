//! Files that contain archives or pages: WACZ (zip files of WARC archives) and MHTML (pages saved by
//! browsers).

use dehusk_pipeline::Error;
use dehusk_pipeline::narrow;
use serde_json::json;

use super::bytes::{base64_lines, deflate, quoted_printable, sha256_hex};
use super::capture::Capture;
use super::manner::{Made, Manner};
use super::warc;

/// Returns the manners of both formats.
pub(super) fn manners() -> Vec<Manner> {
    let wacz = |file: &str, what, is_packed, archives| Manner {
        file: format!("{file}.wacz"),
        what,
        write: Box::new(move |captures: &[Capture]| wacz(captures, is_packed, archives)),
    };
    let saved = |file: &str, what, save: fn(&Capture) -> String| Manner {
        file: format!("{file}.mhtml"),
        what,
        write: Box::new(move |captures: &[Capture]| {
            // A saved file is one page, so only the first capture is in it.
            let saved = captures.first();
            Ok(Made {
                bytes: saved.map_or_else(Vec::new, |capture| save(capture).into_bytes()),
                pages: saved.map(|capture| capture.url.clone()).into_iter().collect(),
            })
        }),
    };
    vec![
        wacz("stored", "a WACZ file whose archive is stored as it is", false, 1),
        wacz("packed", "a WACZ file whose archive is deflated", true, 1),
        wacz("several", "a WACZ file of several archives", false, 2),
        saved(
            "saved-quoted",
            "a page saved by a browser, quoted-printable",
            |capture| {
                let part = format!(
                    "Content-Type: text/html\r\nContent-ID: <frame-1@mhtml.example>\r\nContent-Transfer-Encoding: quoted-printable\r\n\
                 Content-Location: {}\r\n\r\n{}",
                    capture.url,
                    quoted_printable(&capture.body)
                );
                let head = format!(
                    "From: <Saved by Blink>\r\nSnapshot-Content-Location: {}\r\nSubject: Notes\r\nDate: Thu, 14 Mar 2019 09:26:53 -0000\r\n\
                 MIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\ttype=\"text/html\";\r\n\tboundary=\"----MultipartBoundary--a1----\"\r\n\r\n",
                    capture.url
                );
                message(&head, "----MultipartBoundary--a1----", &[part, picture()])
            },
        ),
        saved(
            "saved-base64",
            "a page saved by a browser, in Base64",
            |capture| {
                let part = format!(
                    "Content-Type: text/html;\r\n\tcharset=\"utf-8\"\r\nContent-Transfer-Encoding: base64\r\nContent-Location: {}\r\n\r\n{}",
                    capture.url,
                    base64_lines(&capture.body)
                );
                let head = "From: \"Saved by Windows Internet Explorer 8\"\r\nSubject: Notes\r\nDate: Thu, 14 Mar 2019 09:26:53 +0100\r\n\
                 MIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\ttype=\"text/html\";\r\n\tboundary=\"=_NextPart_000_0000\"\r\n\r\n\
                 This is a multi-part message in MIME format.\r\n\r\n";
                message(head, "=_NextPart_000_0000", &[part, picture()])
            },
        ),
        saved(
            "saved-second",
            "a page saved by a browser, behind its picture",
            |capture| {
                let part = format!(
                    "Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\nContent-Location: {}\r\n\r\n{}",
                    capture.url,
                    String::from_utf8_lossy(&capture.body)
                );
                let head = "Subject: Notes\r\nDate: Thu, 14 Mar 2019 09:26:53 GMT\r\nMIME-Version: 1.0\r\n\
                        Content-Type: multipart/related; boundary=part\r\n\r\n";
                message(head, "part", &[picture(), part])
            },
        ),
    ]
}

/// Returns a MIME message of these parts.
fn message(head: &str, boundary: &str, parts: &[String]) -> String {
    let parts: Vec<String> = parts
        .iter()
        .map(|part| format!("--{boundary}\r\n{part}\r\n"))
        .collect();
    format!("{head}{}--{boundary}--\r\n", parts.concat())
}

/// A part with a picture.
fn picture() -> String {
    "Content-Type: image/gif\r\nContent-Transfer-Encoding: base64\r\nContent-Location: http://images.example/dot.gif\r\n\r\n\
     R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==\r\n"
        .to_owned()
}

/// Returns a WACZ file with this number of archives.
fn wacz(captures: &[Capture], is_packed: bool, archives: usize) -> Result<Made, Error> {
    let mut files = Vec::new();
    // The size is at least 1, even without captures.
    let size = captures.len().div_ceil(archives).max(1);
    for (number, part) in captures.chunks(size).enumerate() {
        files.push((format!("archive/rec-{number}.warc.gz"), warc::members(part)?));
    }
    let mut pages =
        "{\"format\": \"json-pages-1.0\", \"id\": \"pages\", \"title\": \"All Pages\"}\n".to_owned();
    for capture in captures {
        let row = json!({"id": sha256_hex(capture.url.as_bytes()), "url": capture.url, "ts": "2019-03-14T09:26:53Z"});
        pages.push_str(&format!("{row}\n"));
    }
    // Pages are listed in a file of their own, and `datapackage.json` lists all files with hashes.
    files.push(("pages/pages.jsonl".to_owned(), pages.into_bytes()));
    let resources: Vec<_> = files
        .iter()
        .map(|(name, bytes)| {
            let hash = format!("sha256:{}", sha256_hex(bytes));
            json!({"name": name.rsplit('/').next(), "path": name, "hash": hash, "bytes": bytes.len()})
        })
        .collect();
    let package = json!({"profile": "data-package", "wacz_version": "1.1.1", "resources": resources});
    files.push(("datapackage.json".to_owned(), package.to_string().into_bytes()));
    Ok(Made {
        bytes: zip(&files, is_packed),
        pages: captures.iter().map(|capture| capture.url.clone()).collect(),
    })
}

/// Returns a zip file of these files.
fn zip(files: &[(String, Vec<u8>)], is_packed: bool) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, plain) in files {
        let stored = match is_packed {
            true => deflate(plain),
            false => plain.clone(),
        };
        let mut crc = flate2::Crc::new();
        crc.update(plain);
        // Version 2.0, no flags, the method (0 is stored, 8 deflated), time 00:00:00, and date 1980-01-01.
        // These fields are equal in the local header and in the directory.
        let mut about = [20_u16, 0, if is_packed { 8 } else { 0 }, 0, 0x21]
            .map(u16::to_le_bytes)
            .concat();
        about.extend(crc.sum().to_le_bytes());
        about.extend(short(stored.len()));
        about.extend(short(plain.len()));
        about.extend(narrow::to_u16(name.len()).to_le_bytes());
        let start = short(out.len());
        out.extend(b"PK\x03\x04");
        out.extend(&about);
        // The length of the extra field.
        out.extend([0; 2]);
        out.extend(name.as_bytes());
        out.extend(&stored);
        // The version of the program that made the file.
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(&about);
        // No extra field, no comment, the first disk, no attributes.
        directory.extend([0; 12]);
        directory.extend(start);
        directory.extend(name.as_bytes());
    }
    let start = short(out.len());
    let count = narrow::to_u16(files.len()).to_le_bytes();
    out.extend(&directory);
    // The end of the directory begins with the numbers of two disks, both 0.
    out.extend(b"PK\x05\x06\0\0\0\0");
    // The number of files on this disk, and on all.
    out.extend([count, count].concat());
    out.extend(short(directory.len()));
    out.extend(start);
    // The length of the comment.
    out.extend([0; 2]);
    out
}

/// A length in four bytes. Archives of this generator are far shorter than 4 GiB.
fn short(length: usize) -> [u8; 4] {
    narrow::to_u32(length).to_le_bytes()
}
