use std::io::{self, Read};
use std::sync::Arc;

use super::*;

/// Returns its bytes a few at a time.
struct Drops(Vec<u8>, usize);

impl Read for Drops {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let few = self.1.min(self.0.len()).min(out.len());
        out[..few].copy_from_slice(&self.0[..few]);
        self.0.drain(..few);
        Ok(few)
    }
}

/// Returns a file source of documents.
fn source() -> Arc<Source> {
    Arc::new(Source {
        name: "a.xml".to_owned(),
        label: String::new(),
        path: None,
        kept: None,
        folder: None,
        format: &Romip,
        columns: Default::default(),
        named_files: Default::default(),
        singly: false,
    })
}

/// Formats records as `offset id url content`, rejections as `offset !reason`.
fn read(bytes: &[u8], few: usize, most: usize) -> Vec<String> {
    let reader: Box<dyn Read + Send> = Box::new(Drops(bytes.to_vec(), few));
    let mut documents = Documents::new(source(), Ok(reader), most);
    let mut out = Vec::new();
    while let Some(chunk) = documents.next() {
        if let Body::Rejected(rejection) = &chunk.body {
            out.push(format!("{} !{}", chunk.offset, rejection.reason.name()));
        }
        Romip.pages(&chunk, &mut |place, page| {
            out.push(match page {
                Found::Record(page) => {
                    let content = match &page.content {
                        Content::Bytes(bytes) => encoding_rs::WINDOWS_1251.decode(bytes).0.into_owned(),
                        Content::Text(text) => text.to_string(),
                        Content::File { .. } => String::new(),
                    };
                    let of = |field: &Option<Cow<'_, str>>| field.as_deref().unwrap_or("-").to_owned();
                    let mut line = format!("{} {} {} {content}", place.offset, of(&page.id), of(&page.url));
                    if let Some(date) = &page.date {
                        line += &format!(" {date}");
                    }
                    for (name, value) in &page.extra.0 {
                        line += &format!(" {name}={}", value.get());
                    }
                    line
                }
                Found::Rejected(rejection) => format!("{} !{}", place.offset, rejection.reason.name()),
                Found::Skipped(why) => why.to_owned(),
            });
        });
    }
    out
}

#[track_caller]
fn check(xml: &[u8], expected: &[&str]) {
    for few in [1, 7, 100_000] {
        assert_eq!(read(xml, few, 1 << 20), expected, "{few} bytes at a time");
    }
}

#[test]
fn the_web_document_of_the_example() {
    let examples: serde_json::Value =
        serde_json::from_str(include_str!("../../../../../../fixtures/worked-examples.json")).unwrap();
    let example = examples["examples"]
        .as_array()
        .unwrap()
        .iter()
        .find(|example| example["name"] == "romip_document")
        .unwrap();
    let expected = &example["expected"];
    let line = format!(
        "127 {} {} {}",
        expected["docID"].as_str().unwrap(),
        expected["docURL"].as_str().unwrap(),
        expected["content"].as_str().unwrap()
    );
    let xml = example["input"].as_str().unwrap();
    let at = xml.find("<document>").unwrap();
    check(xml.as_bytes(), &[&line.replacen("127", &at.to_string(), 1)]);
}

#[test]
fn headers_namespaces_and_news_are_read() {
    check(
        b"<?xml version=\"1.1\"?><collection><collectionID>x</collectionID><date/>\n\
          <r:document a='>'><r:docID>http://a.ru/?a=1&amp;b=2</r:docID><!-- <document> -->\
          <r:content encoding=\"base64\">\n PGI+ 0fr8\n</r:content></r:document></collection>",
        &["71 http://a.ru/?a=1&b=2 http://a.ru/?a=1&b=2 <b>Съь"],
    );
    let news = "<?xml version='1.0' encoding='utf-8'?><dataset xmlns='x'><header><version>1</version></header>\
        <document><docID>7</docID><subject encoding='base64'>0fr8</subject><agency>ТАСС</agency>\
        <timestamp><date>20070513</date><daytime>61</daytime></timestamp>\
        <content><![CDATA[<p>a & b</p>]]> &lt;i&gt;&#1103;&bad;</content></document></dataset>";
    let at = news.find("<document>").unwrap();
    check(
        news.as_bytes(),
        &[&format!(
            "{at} 7 - <p>a & b</p> <i>я&bad; 2007-05-13 subject=\"Съь\" agency=\"ТАСС\""
        )],
    );
}

#[test]
fn the_declared_charset_is_that_of_the_markup() {
    let xml = "<?xml version=\"1.0\" encoding=\"windows-1251\"?>\n<d><document><docID>Ы</docID><content>Ё</content></document></d>";
    let bytes = encoding_rs::WINDOWS_1251.encode(xml).0;
    check(&bytes, &["49 Ы - Ё"]);
    check(b"\xff\xfe<\0d\0", &["0 !bad-xml"]);
    check(
        b"<?xml version='1.0' encoding='klingon'?><document/>",
        &["0 !bad-xml"],
    );
}

#[test]
fn broken_documents_cost_themselves_alone() {
    check(
        b"<d><document><docID>1</docID><content>a</content>\
          <document><docID>2</docID><content encoding='base64'>%%</content></document>\
          <document><docID>3</docID></document>\
          <document><docID>4</docID><content>ok</content></document></d><document><docID>5",
        &[
            "3 !bad-xml",
            "49 !bad-base64",
            "125 !missing-content",
            "162 4 - ok",
            "224 !truncated",
        ],
    );
    check(b"", &["0 !bad-xml"]);
    check(b"no markup < at all", &["0 !bad-xml"]);
    check(b"PK\x03\x04<document></document>", &["0 !compressed"]);
    check(b"\xfd7zXZ\0", &["0 !compressed"]);
    let long = format!(
        "<d><document><content>{}</content></document><document><content>b</content></document></d>",
        "a".repeat(4000)
    );
    let found = read(long.as_bytes(), 64, 1000);
    assert_eq!(
        found,
        [
            "3 !line-too-long",
            &format!("{} - - b", 3 + 10 + 9 + 4000 + 10 + 11)
        ]
    );
}

#[test]
fn stray_markup_costs_as_little_as_possible() {
    check(
        b"<d><document><docID>a < b</docID><content>1 < 2, \"3\" & it's <b class=\"x>so</b></content></document></d>",
        &["3 a < b - 1 < 2, \"3\" & it's <b class=\"x>so"],
    );
    // The number of restarts is limited; after the last one the rest is lost.
    for (stray, found) in [
        ("<", "3 - - "),
        ("<a \"", "3 - - "),
        ("<!--", "3 !missing-content"),
    ] {
        let many = stray.repeat(100_000);
        let xml = format!("<d><document><content>{many}</content></document></d>");
        let found_here = read(xml.as_bytes(), 1 << 20, 1 << 20);
        assert!(found_here[0].starts_with(found), "{stray}: {found_here:?}");
    }
}

/// Returns the number of bytes searched for ends of comments and similar constructs, in a file with `count` unclosed ones.
fn searched(unclosed: &str, count: usize, most: usize) -> u64 {
    let bytes = format!("<?xml version=\"1.0\"?><r>{}", unclosed.repeat(count)).into_bytes();
    let reader: Box<dyn Read + Send> = Box::new(Drops(bytes, 100_000));
    let mut documents = Documents::new(source(), Ok(reader), most);
    while documents.next().is_some() {}
    documents.tags.searched
}

#[test]
fn comments_without_end_are_searched_once() {
    for unclosed in [
        "<!-- a ",
        "<![CDATA[ a ",
        "<? a ",
        "<!a ",
        "<!-- <![CDATA[ <? <!a ",
    ] {
        // Once with everything within the limit, and once with every document too long.
        for most in [1 << 30, 50_000] {
            let work = [10_000, 20_000, 40_000, 80_000].map(|count| searched(unclosed, count, most));
            let bytes = 80_000 * unclosed.len() as u64;
            assert!(work[3] <= 5 * bytes, "{unclosed}: {} of {bytes} bytes", work[3]);
            for (less, more) in work.iter().zip(&work[1..]) {
                assert!(*more < 3 * less, "{unclosed}, {most}: {work:?}");
            }
        }
    }
}

#[test]
fn an_end_that_comes_in_two_reads_is_found() {
    let xml = b"<?xml version=\"1.0\"?><r><!-- a --><document><docID>1</docID><content>x</content></document><!-- b";
    for few in 1..12 {
        assert_eq!(read(xml, few, 1 << 20), ["34 1 - x"], "{few} at once");
    }
}

/// Returns any stream 4 KiB at a time, like a slow pipe.
struct Pipe<R>(R);

impl<R: Read> Read for Pipe<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let few = out.len().min(4 << 10);
        self.0.read(&mut out[..few])
    }
}

/// The result (too long, truncated or neither) must not depend on the size of reads.
#[test]
fn pieces_do_not_decide_what_is_too_long() {
    let long = "a".repeat(300);
    for rest in ["</content></document>", "", "<document><docID>2</docID>", "<!-- "] {
        let xml = format!("<r><document><docID>1</docID><content>{long}{rest}");
        for most in [100, 340, 1000] {
            let whole = read(xml.as_bytes(), usize::MAX, most);
            for few in [1, 7, 64] {
                assert_eq!(read(xml.as_bytes(), few, most), whole, "{rest} {most} {few}");
            }
        }
    }
}

/// Regression test: each read cost as much as the document read so far, which took seconds instead of milliseconds.
#[test]
fn a_long_document_in_small_pieces_takes_linear_time() {
    let before: &[u8] = b"<r><document><docID>1</docID><content>";
    let length = 12 << 20;
    let xml = before
        .chain(io::repeat(b'a').take(length))
        .chain(&b"</content></document></r>"[..]);
    let start = std::time::Instant::now();
    let mut documents = Documents::new(source(), Ok(Box::new(Pipe(xml))), usize::MAX);
    let chunk = documents.next().expect("a document");
    assert!(matches!(&chunk.body, Body::Page(page) if page.len() as u64 > length));
    assert!(start.elapsed().as_secs() < 6, "{:?}", start.elapsed());
}
