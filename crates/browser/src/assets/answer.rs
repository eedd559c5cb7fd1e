//! The answer to one request.

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
