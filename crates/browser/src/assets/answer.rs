//! The answer to one request, and what requests are told apart by.

/// Host of pages that have no address but a place in a folder.
pub const FOLDER_HOST: &str = "folder.invalid";

/// The answer to one request.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Answer {
    /// HTTP status.
    pub status: u16,
    /// The field `Content-Type`, if it is known.
    pub content_type: Option<String>,
    /// The field `Location` of a redirection.
    pub location: Option<String>,
    /// The body, without codings.
    pub body: Vec<u8>,
}

/// What is left of an address without its scheme and its fragment: `a.example/b?c`.
pub(super) fn key(url: &str) -> Option<&str> {
    let (scheme, rest) = url.split_once("://")?;
    let is_web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    is_web.then(|| rest.split('#').next().unwrap_or(rest))
}
