//! Media types by file extension.

/// File extensions in lower case with their media types.
const TYPES: &[(&str, &str)] = &[
    ("avif", "image/avif"),
    ("css", "text/css"),
    ("gif", "image/gif"),
    ("htm", "text/html"),
    ("html", "text/html"),
    ("ico", "image/x-icon"),
    ("jpeg", "image/jpeg"),
    ("jpg", "image/jpeg"),
    ("js", "text/javascript"),
    ("json", "application/json"),
    ("mjs", "text/javascript"),
    ("otf", "font/otf"),
    ("png", "image/png"),
    ("svg", "image/svg+xml"),
    ("ttf", "font/ttf"),
    ("txt", "text/plain"),
    ("webp", "image/webp"),
    ("woff", "font/woff"),
    ("woff2", "font/woff2"),
    ("xml", "application/xml"),
];

/// Returns the media type of a file, by the extension of its path.
pub(super) fn of_path(path: &str) -> Option<&'static str> {
    let (_, extension) = path.rsplit_once('.')?;
    let known = TYPES
        .iter()
        .find(|(name, _)| extension.eq_ignore_ascii_case(name));
    known.map(|(_, media_type)| *media_type)
}
