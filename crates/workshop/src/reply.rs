//! What is answered.

use axum::body::Body;
use axum::http::header::{self, HeaderValue};
use axum::http::{Response, StatusCode};

/// An answer.
#[derive(Debug)]
pub(crate) enum Reply {
    /// A page of this program.
    Page(String),
    /// The same, with what went wrong.
    Failed(StatusCode, String),
    /// A page of the crawl, written anew.
    Frame(String),
    /// Another page of this program.
    To(String),
    /// A file of this type.
    File(&'static str, Vec<u8>),
    /// No such file.
    Missing,
}

/// What pages of this program may do: run our script, show our frame, send forms to us.
const OWN_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
    frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// What pages of the crawl may do: look. Even where the address of a frame is opened by itself it runs nothing.
const FRAME_POLICY: &str = "default-src 'none'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data:; form-action 'none'; \
    base-uri 'none'; frame-ancestors 'self'; sandbox allow-same-origin";

/// What files may do: nothing.
const FILE_POLICY: &str = "default-src 'none'; frame-ancestors 'none'; sandbox";

const HTML: &str = "text/html; charset=utf-8";

impl Reply {
    /// The answer as it is sent.
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
            // Others never learn the address; without it our own forms would come from nowhere.
            (header::REFERRER_POLICY, "same-origin"),
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
        if let Some(place) = to.and_then(|to| HeaderValue::try_from(to).ok()) {
            headers.insert(header::LOCATION, place);
        }
        response
    }
}
