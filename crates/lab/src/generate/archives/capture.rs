//! Captures: responses of servers, as archives store them.

use crate::random::Random;

/// Words of the generated texts.
const WORDS: [&str; 24] = [
    "river",
    "harbor",
    "morning",
    "ferry",
    "stone",
    "window",
    "garden",
    "letter",
    "market",
    "winter",
    "bridge",
    "copper",
    "река",
    "берег",
    "утром",
    "паром",
    "камень",
    "окно",
    "сад",
    "письмо",
    "рынок",
    "зима",
    "мост",
    "медь",
];
/// Number of sentences of a page.
const SENTENCES: usize = 12;

/// The response of a server to a request.
#[derive(Clone)]
pub(super) struct Capture {
    pub(super) url: String,
    /// Status code and reason.
    pub(super) status: &'static str,
    pub(super) content_type: &'static str,
    pub(super) body: Vec<u8>,
    /// Second of the minute of the capture. Captures of an archive differ in it.
    pub(super) second: usize,
}

impl Capture {
    /// Returns an HTML page. Its address ends with a word that is in its text and in no other page.
    pub(super) fn page(archive: usize, number: usize, random: &mut Random) -> Capture {
        let word = format!("kestrel{archive}x{number}");
        let mut body = format!(
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Notes on {word}</title></head>\n<body>\
             <nav><a href=\"/\">Home</a> <a href=\"/about\">About</a></nav>\n<article><h1>Notes on {word}</h1>\n"
        );
        for sentence in 0..SENTENCES {
            let words: Vec<&str> = (0..random.between(12, 20))
                .filter_map(|_| random.pick(&WORDS).copied())
                .collect();
            let text = words.join(" ");
            body.push_str(&format!(
                "<p>The {word} stands here, in sentence {sentence}: {text}.</p>\n"
            ));
        }
        body.push_str("</article>\n<footer>All rights reserved</footer></body></html>\n");
        Capture {
            url: format!("http://archive{archive}.example/notes/{word}"),
            status: "200 OK",
            content_type: "text/html; charset=utf-8",
            body: body.into_bytes(),
            second: number % 60,
        }
    }

    /// Returns captures that are not pages: a redirect, an image, and an error page.
    pub(super) fn others(host: &str) -> [Capture; 3] {
        let capture = |path: &str, status, content_type, body: &[u8]| Capture {
            url: format!("http://{host}/{path}"),
            status,
            content_type,
            body: body.to_vec(),
            second: 59,
        };
        [
            capture("old", "301 Moved Permanently", "text/html", b"<p>The document has moved."),
            capture("dot.gif", "200 OK", "image/gif", b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff!\xf9\x04\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;"),
            capture("missing", "404 Not Found", "text/html", b"<h1>Not Found</h1><p>The requested address was not found on this server."),
        ]
    }

    /// Returns the host of the address.
    pub(super) fn host(&self) -> &str {
        let rest = self.url.split_once("://").map_or("", |(_, rest)| rest);
        rest.split('/').next().unwrap_or_default()
    }

    /// Returns the HTTP message as `style` describes it.
    pub(super) fn message(&self, style: &Http) -> Vec<u8> {
        // `Content-Length` is the length of the encoded body.
        let (coding, body) = style.body(&self.body);
        let status = match style.has_reason {
            true => self.status,
            false => self.status.split(' ').next().unwrap_or_default(),
        };
        let mut fields = vec![
            ("Server", "nginx".to_owned()),
            ("Content-Type", self.content_type.to_owned()),
        ];
        if style.has_length {
            fields.push(("Content-Length", body.len().to_string()));
        }
        fields.extend(coding.into_iter().map(|(name, value)| (name, value.to_owned())));
        let mut message = format!("{} {status}{}", style.version, style.line_end);
        for (name, value) in fields {
            let name = match style.lower_case {
                true => name.to_lowercase(),
                false => name.to_owned(),
            };
            message.push_str(&format!("{name}: {value}{}", style.line_end));
        }
        message.push_str(style.line_end);
        let mut message = message.into_bytes();
        message.extend(body);
        message
    }
}

/// How a program stores an HTTP message.
#[derive(Clone, Copy)]
pub(super) struct Http {
    pub(super) version: &'static str,
    pub(super) line_end: &'static str,
    /// Whether the status line has a reason.
    pub(super) has_reason: bool,
    /// Whether the names of fields are in lower case.
    pub(super) lower_case: bool,
    pub(super) has_length: bool,
    pub(super) coding: Coding,
}

impl Http {
    /// The message as most servers send it.
    pub(super) const PLAIN: Http = Http {
        version: "HTTP/1.1",
        line_end: "\r\n",
        has_reason: true,
        lower_case: false,
        has_length: true,
        coding: Coding::None,
    };

    /// Fields that name the encoding, and the body as it is stored.
    fn body(&self, plain: &[u8]) -> (Vec<(&'static str, &'static str)>, Vec<u8>) {
        const GZIP: (&str, &str) = ("Content-Encoding", "gzip");
        const CHUNKED: (&str, &str) = ("Transfer-Encoding", "chunked");
        match self.coding {
            Coding::None => (vec![], plain.to_vec()),
            Coding::Gzip => (vec![GZIP], super::bytes::gzip(plain)),
            Coding::GzipNamed => (vec![GZIP], plain.to_vec()),
            Coding::Chunked => (vec![CHUNKED], super::bytes::chunked(plain)),
            Coding::ChunkedNamed => (vec![CHUNKED], plain.to_vec()),
            Coding::ChunkedGzip => (
                vec![GZIP, CHUNKED],
                super::bytes::chunked(&super::bytes::gzip(plain)),
            ),
        }
    }
}

/// How the body is encoded, and what the fields say about it.
#[derive(Clone, Copy)]
pub(super) enum Coding {
    None,
    Gzip,
    /// The fields say gzip, but the crawler stored the decoded body.
    GzipNamed,
    Chunked,
    /// The fields say chunked, but the crawler stored the joined body.
    ChunkedNamed,
    ChunkedGzip,
}
