//! Answers to requests.

use axum::body::Body;
use axum::http::header::{self, HeaderValue};
use axum::http::{Response, StatusCode};

/// An answer to a request.
#[derive(Debug)]
pub(crate) enum Reply {
    /// A page of this program.
    Page(String),
    /// A page of this program with an error message.
    Failed(StatusCode, String),
    /// A rewritten page of the crawl.
    Frame(String),
    /// A redirect to another page of this program.
    To(String),
    /// A file of this media type.
    File(&'static str, Vec<u8>),
    /// Not found.
    Missing,
}

/// Policy of the pages of this program: they may run our script, show our frames and send forms to us.
const OWN_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
    frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Policy of the pages of the crawl: they may load style sheets and images, and nothing else. Even if the
/// address of a frame is opened by itself, it runs nothing.
const FRAME_POLICY: &str = "default-src 'none'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data:; form-action 'none'; \
    base-uri 'none'; frame-ancestors 'self'; sandbox allow-same-origin";

/// Policy of files: everything is forbidden.
const FILE_POLICY: &str = "default-src 'none'; frame-ancestors 'none'; sandbox";

/// Media type of all pages.
const HTML: &str = "text/html; charset=utf-8";

impl Reply {
    /// Returns the HTTP response.
    pub(crate) fn response(self) -> Response<Body> {
        let (status, kind, policy, body, to) = match self {
            Reply::Page(page) => (StatusCode::OK, HTML, OWN_POLICY, page.into_bytes(), None),
            Reply::Failed(status, page) => (status, HTML, OWN_POLICY, page.into_bytes(), None),
            Reply::Frame(page) => (StatusCode::OK, HTML, FRAME_POLICY, page.into_bytes(), None),
            Reply::To(place) => (StatusCode::SEE_OTHER, HTML, OWN_POLICY, Vec::new(), Some(place)),
            Reply::File(kind, bytes) => (StatusCode::OK, kind, FILE_POLICY, bytes, None),
            Reply::Missing => (StatusCode::NOT_FOUND, "text/plain", FILE_POLICY, Vec::new(), None),
        };
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = status;
        let headers = response.headers_mut();
        for (name, value) in [
            (header::CONTENT_TYPE, kind),
            (header::CONTENT_SECURITY_POLICY, policy),
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
            // Other sites never see the address, which contains the token. With `no-referrer`, our own
            // forms would have no origin.
            (header::REFERRER_POLICY, "same-origin"),
            // Pages show the rules as they stand, so no copy of them may be shown later.
            (header::CACHE_CONTROL, "no-store"),
        ] {
            headers.insert(name, HeaderValue::from_static(value));
        }
        headers.insert(
            "cross-origin-opener-policy",
            HeaderValue::from_static("same-origin"),
        );
        headers.insert(
            "cross-origin-resource-policy",
            HeaderValue::from_static("same-origin"),
        );
        // Addresses are percent-encoded, so each of them is a valid header.
        if let Some(place) = to.and_then(|to| HeaderValue::try_from(to).ok()) {
            headers.insert(header::LOCATION, place);
        }
        response
    }
}
