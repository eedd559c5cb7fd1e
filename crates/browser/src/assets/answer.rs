//! The answer to one request.

/// Host of pages that have no address but a location in a folder.
pub const FOLDER_HOST: &str = "folder.invalid";

/// The answer to one request.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Answer {
    /// HTTP status.
    pub status: u16,
    /// The header `Content-Type`, if it is known.
    pub content_type: Option<String>,
    /// The header `Location` of a redirect.
    pub location: Option<String>,
    /// The decoded body.
    pub body: Vec<u8>,
}
